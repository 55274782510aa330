/* Guards in Java: throw, null. */
class Guards {
    static double sum(double[] values, int n) {
        if (values == null)
            throw new IllegalArgumentException("no values");
        if (values[0] < 0)
            throw new IllegalStateException();
        double sum = 0;
        for (int i = 0; i < n; i++) {
            if (values[i] != values[i])
                throw new ArithmeticException();
            sum += values[i];
        }
        return sum;
    }

    static int shape(int kind) {
        switch (kind * kind + kind) {
            case 2: return 1;
            case 6: return 2;
            default: throw new AssertionError();
        }
    }

    static int collect(int[] values, int n) {
        int[] kept = new int[4];
        int k = 0;
        for (int i = 0; i < n; i++)
            if (values[i] > 0) {
                if (k == kept.length)
                    kept = java.util.Arrays.copyOf(kept, 2 * k);
                kept[k++] = values[i];
            }
        return k;
    }
}
