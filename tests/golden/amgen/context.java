// SPDX-License-Identifier: BSD-3-Clause
/** The same in Java. An object's bytes count if an element or a field keeps the object. */
class Context {
    static class Node {
        Node next;
        long value;
    }

    static class Heap {
        int[] keys;

        int sum(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++)
                sum += keys[i];
            return sum;
        }
    }

    static int allocates(int n) {
        double[][] matrix = new double[n][n];
        int[][] rows = new int[n][];
        byte[] few = {1, 2, 3};
        return matrix.length + rows.length + few.length;
    }

    static Node[] keeps(int n) {
        Node[] nodes = new Node[n];
        for (int i = 0; i < n; i++)
            nodes[i] = new Node();
        return nodes;
    }

    static long drops(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Node one = new Node();
            sum += one.value;
        }
        return sum;
    }

    static long fromObjectToObject(Node at, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += at.value;
            at = at.next;
        }
        return sum;
    }

    static final class Point {
        final double x, y;

        Point(double x, double y) {
            this.x = x;
            this.y = y;
        }

        Point plus(Point other) {
            return new Point(x + other.x, y + other.y);
        }

        double product() {
            return x * y;
        }
    }

    /* Nobody keeps these objects. */
    static double forgotten(Point a, double x) {
        Point b = new Point(x, 1);
        return a.plus(b).product();
    }

    /* An array and a variable that holds several keep theirs. */
    static Point kept(Point[] all, int n) {
        Point sum = new Point(0, 0);
        for (int i = 0; i < n; i++) {
            all[i] = new Point(i, 0);
            sum = sum.plus(all[i]);
        }
        return sum;
    }

    /* Four at once; the second loop isn't vectorised, since it reads a neighbour. */
    static void vectors(double[] y, double[] x, int n) {
        for (int i = 0; i < n; i++)
            y[i] += 2 * x[i];
        for (int i = 1; i < n; i++)
            y[i] = x[i - 1] + y[i];
    }

    /* A row stays the same; a column leads to another row each time. */
    static double rows(double[][] a, int j, int n) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[j][k] * a[k][j];
        return sum;
    }

    static int quotients(int a, int b) {
        return a / 8 + a % 8 + a / 10 + a % 10 + a / b;
    }

    static int recursive(int n) {
        return n < 1 ? 0 : recursive(n - 1) + 1;
    }
}
