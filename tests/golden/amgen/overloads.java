/** Overloads, whose names are told apart by letters that sub-models' names don't have; constructors; what is said. */
class overloads {
    private final double[] values;

    overloads(int n) {
        values = new double[n];
    }

    static double sum(double[][] rows, int n, int m) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += sum(rows[i], m);
        return sum;
    }

    static double sum(double[] row, int m) {
        double sum = 0;
        for (int i = 0; i < m; i++)
            sum += row[i];
        return sum;
    }

    static double filled(int n) {
        overloads made = new overloads(n);
        try {
            for (int i = 0; i < made.values.length; i++)
                made.values[i] = Math.sqrt(i) + Unseen.value(i);
        } catch (ArithmeticException e) {
            return 0;
        }
        return sum(made.values, n);
    }
}
