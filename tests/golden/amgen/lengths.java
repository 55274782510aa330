/* Sizes of arrays of arrays, collections and texts. */
import java.util.ArrayList;
import java.util.List;

class Lengths {
    static double[][] product(double[][] a, double[][] b) {
        double[][] c = new double[a.length][b[0].length];
        for (int i = 0; i < c.length; i++)
            for (int j = 0; j < c[i].length; j++)
                for (int k = 0; k < a[0].length; k++)
                    c[i][j] += a[i][k] * b[k][j];
        return c;
    }

    static double trace(int n) {
        double[][] a = new double[n][2 * n];
        double sum = 0;
        for (double[] row : a)
            for (int j = 0; j < a[0].length; j++)
                sum += row[j];
        return sum;
    }

    static long total(List<Long> list, String text) {
        long sum = 0;
        for (long one : list)
            sum += one;
        for (int i = 0; i < list.size() + text.length(); i++)
            sum++;
        return sum;
    }

    static int collected(int n) {
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            list.add(i);
            list.add(2 * i);
        }
        ArrayList<Integer> evens = new ArrayList<>();
        for (int i = 0; i < n; i += 2)
            evens.add(i);
        int sum = 0;
        for (int one : evens)
            sum += one;
        for (int one : list)
            sum += one;
        evens.clear();
        for (int one : evens)
            sum += one;
        return sum;
    }
}
