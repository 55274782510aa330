// SPDX-License-Identifier: BSD-3-Clause

import java.util.ArrayList;
import java.util.List;

/**
 * A second set of kernels in Java that were kept aside, in the varied style of programs as people write them.
 * Whoever works on predictions doesn't look at them. Sizes and what a prediction asks for: fresh-java.pasl.
 */
public class Fresh {
    private static final class Generator {
        private long state;

        Generator(long seed) {
            state = seed;
        }

        int next(int limit) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            return (int) ((state >>> 33) % limit);
        }

        double uniform() {
            return next(1 << 24) / 16777216.0;
        }
    }

    private static void shellSort(int[] a) {
        for (int gap = a.length / 2; gap > 0; gap /= 2) {
            for (int i = gap; i < a.length; i++) {
                int value = a[i];
                int j = i;
                while (j >= gap && a[j - gap] > value) {
                    a[j] = a[j - gap];
                    j -= gap;
                }
                a[j] = value;
            }
        }
    }

    /** Sorting by Shell's method. */
    public static double shell(int n, int times) {
        Generator random = new Generator(1);
        int[] original = new int[n], copy = new int[n];
        for (int i = 0; i < n; i++)
            original[i] = random.next(1000000);
        for (int t = 0; t < times; t++) {
            System.arraycopy(original, 0, copy, 0, n);
            shellSort(copy);
        }
        return copy[n / 2];
    }

    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1], current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++)
            previous[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                current[j] = Math.min(Math.min(current[j - 1] + 1, previous[j] + 1), previous[j - 1] + cost);
            }
            int[] swapped = previous;
            previous = current;
            current = swapped;
        }
        return previous[b.length()];
    }

    private static String randomText(Generator random, int n) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < n; i++)
            text.append((char) ('a' + random.next(6)));
        return text.toString();
    }

    /** The edit distance of two texts, after Levenshtein. */
    public static double edits(int n, int times) {
        Generator random = new Generator(2);
        String a = randomText(random, n), b = randomText(random, n);
        long sum = 0;
        for (int t = 0; t < times; t++)
            sum += distance(a, b);
        return sum;
    }

    private static int permute(int[] items, int from) {
        if (from == items.length - 1)
            return items[0] < items[from] ? 1 : 0;
        int found = 0;
        for (int i = from; i < items.length; i++) {
            int kept = items[from];
            items[from] = items[i];
            items[i] = kept;
            found += permute(items, from + 1);
            items[i] = items[from];
            items[from] = kept;
        }
        return found;
    }

    /** Counts permutations of n numbers that begin with a smaller number than they end with. */
    public static double permutations(int n, int times) {
        int[] items = new int[n];
        int found = 0;
        for (int i = 0; i < n; i++)
            items[i] = i;
        for (int t = 0; t < times; t++)
            found += permute(items, 0);
        return found;
    }

    /** A text whose letters are shifted, and whose words begin with capitals. */
    public static double capitals(int n, int times) {
        Generator random = new Generator(4);
        char[] text = new char[n];
        long sum = 0;
        for (int i = 0; i < n; i++)
            text[i] = random.next(6) == 0 ? ' ' : (char) ('a' + random.next(26));
        for (int t = 0; t < times; t++) {
            StringBuilder builder = new StringBuilder(n);
            boolean first = true;
            for (char c : text) {
                if (c == ' ') {
                    builder.append(c);
                    first = true;
                    continue;
                }
                char shifted = (char) ('a' + (c - 'a' + 13) % 26);
                builder.append(first ? Character.toUpperCase(shifted) : shifted);
                first = false;
            }
            sum += builder.charAt(n / 2);
        }
        return sum;
    }

    private static double relaxColour(double[][] u, double[][] f, int colour) {
        double largest = 0;
        for (int i = 1; i < u.length - 1; i++) {
            double[] row = u[i], above = u[i - 1], below = u[i + 1];
            for (int j = 1 + (i + colour) % 2; j < row.length - 1; j += 2) {
                double change = 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1] - f[i][j]) - row[j];
                row[j] += 1.5 * change;
                largest = Math.max(largest, Math.abs(change));
            }
        }
        return largest;
    }

    /** Steps of Gauss and Seidel in red-black order, with overrelaxation. */
    public static double redBlack(int n, int times) {
        double[][] u = new double[n][n], f = new double[n][n];
        double change = 0;
        for (int i = 0; i < n; i++) {
            u[0][i] = 1.0;
            f[n / 2][i] = 0.01;
        }
        for (int t = 0; t < times; t++)
            change = Math.max(relaxColour(u, f, 0), relaxColour(u, f, 1));
        return change;
    }

    private static int[] multiply(int[] a, int[] b) {
        int[] product = new int[a.length + b.length];
        for (int i = 0; i < a.length; i++) {
            long carry = 0;
            for (int j = 0; j < b.length; j++) {
                long digit = (long) a[i] * b[j] + product[i + j] + carry;
                product[i + j] = (int) (digit % 1000000000);
                carry = digit / 1000000000;
            }
            product[i + b.length] = (int) carry;
        }
        return product;
    }

    /** The product of two numbers of n digits each, to the base of a milliard. */
    public static double longProduct(int n, int times) {
        Generator random = new Generator(6);
        int[] a = new int[n], b = new int[n];
        long sum = 0;
        for (int i = 0; i < n; i++) {
            a[i] = random.next(1000000000);
            b[i] = random.next(1000000000);
        }
        for (int t = 0; t < times; t++) {
            int[] product = multiply(a, b);
            sum += product[n];
        }
        return sum;
    }

    /** The ways from one place to all others, after Dijkstra, with a matrix of lengths. */
    public static double dijkstra(int n, int times) {
        Generator random = new Generator(7);
        int[][] length = new int[n][n];
        long sum = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                length[i][j] = 1 + random.next(1000);
        int[] way = new int[n];
        boolean[] done = new boolean[n];
        for (int t = 0; t < times; t++) {
            for (int i = 0; i < n; i++) {
                way[i] = Integer.MAX_VALUE;
                done[i] = false;
            }
            way[t % n] = 0;
            for (int step = 0; step < n; step++) {
                int nearest = -1;
                for (int i = 0; i < n; i++)
                    if (!done[i] && (nearest < 0 || way[i] < way[nearest]))
                        nearest = i;
                done[nearest] = true;
                int[] row = length[nearest];
                for (int i = 0; i < n; i++) {
                    int by = way[nearest] + row[i];
                    if (by < way[i])
                        way[i] = by;
                }
            }
            sum += way[n - 1];
        }
        return sum;
    }

    private static final class IntStack {
        private int[] items = new int[16];
        private int size;

        void push(int item) {
            if (size == items.length) {
                int[] larger = new int[2 * size];
                System.arraycopy(items, 0, larger, 0, size);
                items = larger;
            }
            items[size++] = item;
        }

        int pop() {
            if (size == 0)
                throw new IllegalStateException("empty");
            return items[--size];
        }

        boolean isEmpty() {
            return size == 0;
        }
    }

    /** Calculates an expression in Polish notation, which switches between numbers and operators. */
    public static double calculator(int n, int times) {
        Generator random = new Generator(8);
        int[] code = new int[n];
        int depth = 0;
        long sum = 0;
        for (int i = 0; i < n; i++) {
            if (depth >= 2 && random.next(2) == 0) {
                code[i] = -1 - random.next(4);
                depth--;
            } else {
                code[i] = random.next(100);
                depth++;
            }
        }
        for (int t = 0; t < times; t++) {
            IntStack stack = new IntStack();
            for (int i = 0; i < n; i++) {
                if (code[i] >= 0) {
                    stack.push(code[i]);
                    continue;
                }
                int b = stack.pop(), a = stack.pop();
                switch (code[i]) {
                    case -1:
                        stack.push(a + b);
                        break;
                    case -2:
                        stack.push(a - b);
                        break;
                    case -3:
                        stack.push(a * b);
                        break;
                    default:
                        stack.push(a ^ b);
                        break;
                }
            }
            while (!stack.isEmpty())
                sum += stack.pop();
        }
        return sum;
    }

    private interface Account {
        void endMonth();

        double balance();
    }

    private static final class Savings implements Account {
        private double balance;
        private final double rate;

        Savings(double balance, double rate) {
            this.balance = balance;
            this.rate = rate;
        }

        @Override
        public void endMonth() {
            balance += balance * rate / 12;
        }

        @Override
        public double balance() {
            return balance;
        }
    }

    private static final class Giro implements Account {
        private double balance;
        private int months;

        Giro(double balance) {
            this.balance = balance;
        }

        @Override
        public void endMonth() {
            months++;
            balance -= balance < 100 ? 0.02 : 0.01;
            if (months % 12 == 0)
                balance += 1;
        }

        @Override
        public double balance() {
            return balance;
        }
    }

    /** Months of a bank whose accounts are of two classes. */
    public static double accounts(int n, int times) {
        Generator random = new Generator(9);
        List<Account> accounts = new ArrayList<>();
        for (int i = 0; i < n; i++)
            if (random.next(3) == 0)
                accounts.add(new Giro(200 * random.uniform()));
            else
                accounts.add(new Savings(1000 * random.uniform(), 0.02));
        double sum = 0;
        for (int t = 0; t < times; t++) {
            sum = 0;
            for (Account account : accounts) {
                account.endMonth();
                sum += account.balance();
            }
        }
        return sum;
    }

    private static void transform(double[] in, double[] out, double[][] cosines) {
        for (int k = 0; k < 8; k++) {
            double sum = 0;
            for (int i = 0; i < 8; i++)
                sum += in[i] * cosines[k][i];
            out[k] = sum;
        }
    }

    /** Cosine transforms of a picture's blocks of 8 x 8 points; n is a multiple of 8. */
    public static double cosines(int n, int times) {
        Generator random = new Generator(10);
        float[] picture = new float[n * n], spectrum = new float[n * n];
        double[][] cosines = new double[8][8], block = new double[8][8];
        double[] line = new double[8], turned = new double[8];
        for (int i = 0; i < n * n; i++)
            picture[i] = (float) random.uniform();
        for (int k = 0; k < 8; k++)
            for (int i = 0; i < 8; i++)
                cosines[k][i] = Math.cos((2 * i + 1) * k * Math.PI / 16) * (k == 0 ? Math.sqrt(0.125) : 0.5);
        for (int t = 0; t < times; t++)
            for (int y = 0; y < n; y += 8)
                for (int x = 0; x < n; x += 8) {
                    for (int v = 0; v < 8; v++) {
                        for (int u = 0; u < 8; u++)
                            line[u] = picture[(y + v) * n + x + u];
                        transform(line, block[v], cosines);
                    }
                    for (int u = 0; u < 8; u++) {
                        for (int v = 0; v < 8; v++)
                            line[v] = block[v][u];
                        transform(line, turned, cosines);
                        for (int v = 0; v < 8; v++)
                            spectrum[(y + v) * n + x + u] = (float) turned[v];
                    }
                }
        return spectrum[n + 1];
    }

    /** The best order of a product of n matrices, by dynamic programming. */
    public static double matrixChain(int n, int times) {
        Generator random = new Generator(11);
        int[] size = new int[n + 1];
        long[][] cost = new long[n][n];
        for (int i = 0; i <= n; i++)
            size[i] = 1 + random.next(100);
        for (int t = 0; t < times; t++) {
            for (int length = 2; length <= n; length++) {
                for (int i = 0; i + length <= n; i++) {
                    int j = i + length - 1;
                    long least = Long.MAX_VALUE;
                    for (int k = i; k < j; k++) {
                        long here = cost[i][k] + cost[k + 1][j] + (long) size[i] * size[k + 1] * size[j + 1];
                        if (here < least)
                            least = here;
                    }
                    cost[i][j] = least;
                }
            }
        }
        return cost[0][n - 1];
    }

    private static int fill(byte[][] map, int row, int column, byte colour, IntStack stack) {
        int n = map.length, filled = 0;
        stack.push(row * n + column);
        while (!stack.isEmpty()) {
            int place = stack.pop(), y = place / n, x = place % n;
            if (y < 0 || y >= n || x < 0 || x >= n || map[y][x] != 0)
                continue;
            map[y][x] = colour;
            filled++;
            if (y > 0)
                stack.push(place - n);
            if (y < n - 1)
                stack.push(place + n);
            if (x > 0)
                stack.push(place - 1);
            if (x < n - 1)
                stack.push(place + 1);
        }
        return filled;
    }

    /** The largest of a map's connected areas, each of which is filled. */
    public static double areas(int n, int times) {
        byte[][] map = new byte[n][n];
        int largest = 0;
        for (int t = 0; t < times; t++) {
            Generator random = new Generator(12);
            IntStack stack = new IntStack();
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    map[i][j] = (byte) (random.next(100) < 45 ? 1 : 0);
            largest = 0;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    if (map[i][j] == 0)
                        largest = Math.max(largest, fill(map, i, j, (byte) 2, stack));
        }
        return largest;
    }
}
