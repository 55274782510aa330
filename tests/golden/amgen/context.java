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
}
