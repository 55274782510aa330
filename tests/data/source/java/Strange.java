import java.util.function.*;
import java.util.stream.*;

/** What isn't understood, or whose types aren't known, stays in place. */
class Strange extends Unseen {
    int lambdas(int n, int[] a) {
        IntUnaryOperator square = x -> x * n;
        Runnable loop = () -> {
            for (int i = 0; i < n; i++)
                a[i] = i;
        };
        loop.run();
        Supplier<Strange> made = Strange::new;
        return square.applyAsInt(3) + IntStream.range(0, n).map(i -> i + 1).sum();
    }

    int anonymous(int n) {
        Comparable<Integer> other = new Comparable<Integer>() {
            int count = 2;

            public int compareTo(Integer x) {
                return count + n;
            }
        };
        class Local {
            int twice() {
                return 2 * n;
            }
        }
        return other.compareTo(n) + new Local().twice();
    }

    double unseen(Unseen u, Object o) {
        int known = u.count() + inherited;
        double x = u.scale * 2.0;
        boolean ready = u.isReady();
        u.act(known);
        external.thing(x);
        if (o instanceof String text && text.isEmpty())
            x = Unseen.CONSTANT;
        for (var item : u.items())
            x += item;
        return ready ? x : inheritedMethod(known);
    }

    <T> T generic(T t, java.util.List<? extends T> list) {
        return list.isEmpty() ? t : list.get(0);
    }
}
