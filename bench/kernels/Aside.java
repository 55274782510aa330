// SPDX-License-Identifier: BSD-3-Clause

import java.util.HashMap;
import java.util.Map;

/**
 * Kernels in Java that were kept aside: firma's predictions are compared with them, and were never fitted to them.
 * Sizes and probabilities: aside-java.pasl.
 */
public class Aside {
    static long nextRandom(long state) {
        return state * 6364136223846793005L + 1442695040888963407L;
    }

    static double[][] randomMatrix(int n) {
        double[][] values = new double[n][n];
        long state = 5;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                state = nextRandom(state);
                values[i][j] = (state >>> 11) / 9007199254740992.0;
            }
        return values;
    }

    static int[] randomInts(int n, int limit) {
        int[] values = new int[n];
        long state = 6;
        for (int i = 0; i < n; i++) {
            state = nextRandom(state);
            values[i] = (int) ((state >>> 33) % limit);
        }
        return values;
    }

    /** LU decomposition without pivots, of a matrix that is copied each time. */
    public static double lu(int n, int times) {
        double[][] matrix = randomMatrix(n), a = new double[n][n];
        for (int t = 0; t < times; t++) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    a[i][j] = matrix[i][j];
            for (int i = 0; i < n; i++)
                a[i][i] += n;
            for (int k = 0; k < n; k++)
                for (int i = k + 1; i < n; i++) {
                    double factor = a[i][k] / a[k][k];
                    a[i][k] = factor;
                    for (int j = k + 1; j < n; j++)
                        a[i][j] -= factor * a[k][j];
                }
        }
        return a[n - 1][n - 1];
    }

    /** Sorting by merging, from short runs to long ones; n is a power of two. */
    public static double merging(int n, int times) {
        int[] values = randomInts(n, 1000000000), from = new int[n], to = new int[n];
        for (int t = 0; t < times; t++) {
            for (int i = 0; i < n; i++)
                from[i] = values[i];
            for (int width = 1; width < n; width *= 2) {
                for (int start = 0; start < n; start += 2 * width) {
                    int left = start, right = start + width;
                    for (int i = start; i < start + 2 * width; i++)
                        if (left < start + width && (right >= start + 2 * width || from[left] <= from[right]))
                            to[i] = from[left++];
                        else
                            to[i] = from[right++];
                }
                int[] swapped = from;
                from = to;
                to = swapped;
            }
        }
        return from[n / 2];
    }

    /** The Mandelbrot set, with at most 100 steps for each of n * n points. */
    public static double mandelbrot(int n, int times) {
        long steps = 0;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    double x = 0, y = 0, u = 3.0 * i / n - 2.0, v = 2.0 * j / n - 1.0;
                    int step = 0;
                    while (step < 100 && x * x + y * y < 4.0) {
                        double next = x * x - y * y + u;
                        y = 2 * x * y + v;
                        x = next;
                        step++;
                    }
                    steps += step;
                }
        return steps;
    }

    static final class Node {
        final int key;
        Node smaller, larger;

        Node(int key) {
            this.key = key;
        }
    }

    /** Searches in a balanced binary tree; n is a power of two minus one. */
    public static double tree(int n, int times) {
        Node[] nodes = new Node[n];
        int[] wanted = randomInts(n, n);
        int depth = 0;
        for (int i = 0; i < n; i++)
            nodes[i] = new Node(i);
        for (int step = 1; step < n; step *= 2) {
            depth++;
            for (int i = 2 * step - 1; i < n; i += 4 * step) {
                nodes[i].smaller = nodes[i - step];
                nodes[i].larger = nodes[i + step];
            }
        }
        long sum = 0;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                Node at = nodes[n / 2];
                for (int level = 1; level < depth; level++)
                    at = wanted[i] < at.key ? at.smaller : at.larger;
                sum += at.key;
            }
        return sum;
    }

    /** The knapsack problem, by dynamic programming, with 50 things. */
    public static double knapsack(int n, int times) {
        long[] best = new long[n + 1];
        for (int t = 0; t < times; t++) {
            for (int i = 0; i <= n; i++)
                best[i] = 0;
            for (int thing = 1; thing <= 50; thing++) {
                int weight = thing * 3 % 37 + 1, value = thing * 7 % 41;
                for (int room = n; room >= weight; room--) {
                    long with = best[room - weight] + value;
                    if (with > best[room])
                        best[room] = with;
                }
            }
        }
        return best[n];
    }

    static final class Heap {
        final int[] keys;
        int size;

        Heap(int most) {
            keys = new int[most];
        }

        void add(int key) {
            int at = size++;
            while (at > 0 && keys[(at - 1) / 2] > key) {
                keys[at] = keys[(at - 1) / 2];
                at = (at - 1) / 2;
            }
            keys[at] = key;
        }

        int remove() {
            int least = keys[0], last = keys[--size], at = 0, child = 1;
            while (child < size) {
                if (child + 1 < size && keys[child + 1] < keys[child])
                    child++;
                if (keys[child] >= last)
                    break;
                keys[at] = keys[child];
                at = child;
                child = 2 * at + 1;
            }
            keys[at] = last;
            return least;
        }
    }

    /** A queue with priorities, as a binary heap: n keys come, and leave in order. */
    public static double queue(int n, int times) {
        int[] keys = randomInts(n, 1000000000);
        Heap heap = new Heap(n);
        long sum = 0;
        for (int t = 0; t < times; t++) {
            for (int i = 0; i < n; i++)
                heap.add(keys[i]);
            for (int i = 0; i < n; i++)
                sum += heap.remove() & i;
        }
        return sum;
    }

    /** Decimal numbers and names in a text. */
    public static double tokens(int n, int times) {
        char[] text = new char[n];
        int[] kinds = randomInts(n, 24);
        for (int i = 0; i < n; i++)
            if (kinds[i] < 10)
                text[i] = (char) ('0' + kinds[i]);
            else if (kinds[i] < 20)
                text[i] = (char) ('a' + kinds[i]);
            else
                text[i] = ' ';
        int hash = 0, count = 0, number = 0;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                char c = text[i];
                if (c >= '0' && c <= '9') {
                    number = 10 * number + (c - '0');
                } else if (c >= 'a') {
                    hash = 31 * hash + c;
                } else {
                    count += number + hash;
                    number = 0;
                    hash = 0;
                }
            }
        return count;
    }

    /** The game of life. */
    public static double life(int n, int times) {
        boolean[][] old = new boolean[n][n], next = new boolean[n][n];
        int[] alive = randomInts(n * n, 2);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                old[i][j] = alive[i * n + j] == 1;
        for (int t = 0; t < times; t++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++) {
                    int near = 0;
                    for (int k = i - 1; k <= i + 1; k++)
                        for (int l = j - 1; l <= j + 1; l++)
                            if (old[k][l])
                                near++;
                    if (old[i][j])
                        near--;
                    next[i][j] = near == 3 || (near == 2 && old[i][j]);
                }
            boolean[][] swapped = old;
            old = next;
            next = swapped;
        }
        return old[1][1] ? 1 : 0;
    }

    /** Ways from one place to all others, in a network in which each has four neighbours by chance. */
    public static double ways(int n, int times) {
        int[] neighbours = randomInts(4 * n, n), distance = new int[n], queue = new int[n];
        int reached = 0;
        for (int t = 0; t < times; t++) {
            for (int i = 0; i < n; i++)
                distance[i] = -1;
            int first = 0, end = 1;
            queue[0] = t % n;
            distance[t % n] = 0;
            while (first < end) {
                int at = queue[first++];
                for (int k = 4 * at; k < 4 * at + 4; k++) {
                    int other = neighbours[k];
                    if (distance[other] < 0) {
                        distance[other] = distance[at] + 1;
                        queue[end++] = other;
                    }
                }
            }
            reached += end;
        }
        return reached;
    }

    /** A coloured picture that is blurred, with three colours in each number. */
    public static double blur(int n, int times) {
        int[] picture = randomInts(n * n, 1 << 24), blurred = new int[n * n];
        for (int t = 0; t < times; t++)
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < n - 1; x++) {
                    int red = 0, green = 0, blue = 0;
                    for (int v = -1; v <= 1; v++)
                        for (int u = -1; u <= 1; u++) {
                            int colour = picture[(y + v) * n + x + u];
                            red += colour >> 16 & 255;
                            green += colour >> 8 & 255;
                            blue += colour & 255;
                        }
                    blurred[y * n + x] = red / 9 << 16 | green / 9 << 8 | blue / 9;
                }
        return blurred[n + 1];
    }

    static final class Vector {
        final double x, y, z;

        Vector(double x, double y, double z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        Vector minus(Vector other) {
            return new Vector(x - other.x, y - other.y, z - other.z);
        }

        double dot(Vector other) {
            return x * other.x + y * other.y + z * other.z;
        }
    }

    /** Rays that meet spheres. */
    public static double rays(int n, int times) {
        Vector[] centres = new Vector[n];
        int[] random = randomInts(3 * n, 1000);
        long met = 0;
        for (int i = 0; i < n; i++)
            centres[i] = new Vector(random[3 * i] * 0.001, random[3 * i + 1] * 0.001, random[3 * i + 2] * 0.001);
        for (int t = 0; t < times; t++) {
            Vector start = new Vector(0.5, 0.5, 0.001 * t), direction = new Vector(0.6, 0, 0.8);
            for (int i = 0; i < n; i++) {
                Vector way = centres[i].minus(start);
                double along = way.dot(direction), square = way.dot(way) - along * along;
                if (square < 0.04)
                    met++;
            }
        }
        return met;
    }

    /** How often each number occurs, in a hash map. */
    public static double counts(int n, int times) {
        int[] values = randomInts(n, n / 4);
        Map<Integer, Integer> counts = new HashMap<>();
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                Integer before = counts.get(values[i]);
                counts.put(values[i], before == null ? 1 : before + 1);
            }
        return counts.size();
    }
}
