import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/* Methods of the library. */
class Library {
    static long rounds(double x) {
        return Math.round(x);
    }

    static int letters(String text, int n) {
        int count = 0;
        for (int i = 0; i < n; i++)
            if (text.charAt(i) == 'a')
                count++;
        return count;
    }

    static int boxes(int n) {
        List<Integer> list = new ArrayList<>();
        int sum = 0;
        for (int i = 0; i < n; i++)
            list.add(i);
        for (int i = 0; i < n; i++)
            sum += list.get(i);
        return list.contains(n) ? sum : 0;
    }

    static int counts(int[] a) {
        Map<Integer, Integer> seen = new HashMap<>();
        for (int i = 0; i < a.length; i++)
            seen.put(a[i], i);
        return seen.containsKey(3) ? 1 : 0;
    }

    static void arrays(long[] a, long[] b, int n) {
        System.arraycopy(a, 0, b, 0, n);
        Arrays.fill(b, 1);
        Arrays.sort(a);
    }
}
