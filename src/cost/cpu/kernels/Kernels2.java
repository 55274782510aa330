// SPDX-License-Identifier: BSD-3-Clause

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Further kernels, as those of Kernels.java: collections, small objects that nobody keeps, loops that the JVM vectorises, linked
 * nodes, recursion, tables. kernels-java-2.pasl names the entries, their sizes, and what was counted.
 */
public class Kernels2 {
    static long nextRandom(long state) {
        return state * 6364136223846793005L + 1442695040888963407L;
    }

    static double[] randomDoubles(int n) {
        double[] values = new double[n];
        long state = 1;
        for (int i = 0; i < n; i++) {
            state = nextRandom(state);
            values[i] = (state >>> 11) / 9007199254740992.0;
        }
        return values;
    }

    static int[] randomInts(int n, int limit) {
        int[] values = new int[n];
        long state = 2;
        for (int i = 0; i < n; i++) {
            state = nextRandom(state);
            values[i] = (int) ((state >>> 33) % limit);
        }
        return values;
    }

    /** A multiple of a vector, added to another one. */
    public static double multiples(int n, int times) {
        double[] x = randomDoubles(n), y = new double[n];
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                y[i] += 0.5 * x[i];
        return y[1];
    }

    /** Differences of two rows of numbers, and their sum. */
    public static double differences(int n, int times) {
        int[] a = randomInts(n, 1000), b = randomInts(n, 500), c = new int[n];
        int sum = 0;
        for (int t = 0; t < times; t++) {
            for (int i = 0; i < n; i++)
                c[i] = a[i] - b[i];
            for (int i = 0; i < n; i++)
                sum += c[i];
        }
        return sum;
    }

    /** A matrix times a vector. */
    public static double rows(int n, int times) {
        double[][] a = new double[n][n];
        double[] x = randomDoubles(n), y = new double[n];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = x[i] - x[j];
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int j = 0; j < n; j++)
                    sum += a[i][j] * x[j];
                y[i] = sum;
            }
        return y[1];
    }

    /** A matrix and its transpose. */
    public static double transpose(int n, int times) {
        int[][] a = new int[n][n], b = new int[n][n];
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    b[j][i] = a[i][j] + t;
        return b[1][1];
    }

    /** Bits in the opposite order. */
    public static double reversals(int n, int times) {
        int[] values = randomInts(n, 1000000);
        long sum = 0;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                int x = values[i] + t;
                x = (x >>> 1 & 0x55555555) | (x & 0x55555555) << 1;
                x = (x >>> 2 & 0x33333333) | (x & 0x33333333) << 2;
                x = (x >>> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
                x = (x >>> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
                sum += x >>> 16 | x << 16;
            }
        return sum;
    }

    static int commonDivisor(int a, int b) {
        while (b != 0) {
            int rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }

    /** Greatest common divisors. */
    public static double divisors(int n, int times) {
        int[] a = randomInts(n, 100000), b = randomInts(n, 5000);
        long sum = 0;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                sum += commonDivisor(a[i] + t, b[i] + 1);
        return sum;
    }

    interface Curve {
        double at(double x);
    }

    static final class Hyperbola implements Curve {
        final double width;

        Hyperbola(double width) {
            this.width = width;
        }

        @Override
        public double at(double x) {
            return 1.0 / (width + x * x);
        }
    }

    static final class Parabola implements Curve {
        final double height;

        Parabola(double height) {
            this.height = height;
        }

        @Override
        public double at(double x) {
            return (height - x) * x;
        }
    }

    static double integral(Curve curve, double from, double to, int n) {
        double width = (to - from) / n, sum = 0;
        for (int i = 0; i < n; i++) {
            double x = from + i * width;
            sum += curve.at(x) + 4 * curve.at(x + 0.5 * width) + curve.at(x + width);
        }
        return sum * width / 6;
    }

    /** Integrals of two curves by Simpson's rule. */
    public static double integrals(int n, int times) {
        double sum = 0;
        for (int t = 0; t < times; t++)
            sum += integral(new Hyperbola(t + 1), 0, 1, n) + integral(new Parabola(t), 0, 1, n);
        return sum;
    }

    /** Sets that are joined, and their representatives. */
    public static double joined(int n, int times) {
        int[] above = new int[n], one = randomInts(n, n), other = new int[n];
        long sum = 0;
        for (int i = 0; i < n; i++)
            other[i] = (int) ((one[i] * 31L + i) % n);
        for (int t = 0; t < times; t++) {
            for (int i = 0; i < n; i++)
                above[i] = i;
            for (int i = 0; i < n; i++) {
                int a = one[i], b = other[i];
                while (above[a] != a) {
                    above[a] = above[above[a]];
                    a = above[a];
                }
                while (above[b] != b) {
                    above[b] = above[above[b]];
                    b = above[b];
                }
                above[a] = b;
                sum += b;
            }
        }
        return sum;
    }

    static final class Entry {
        final int key;
        int count;
        Entry next;

        Entry(int key, Entry next) {
            this.key = key;
            this.next = next;
        }
    }

    /** A hash table with chains of entries. */
    public static double chained(int n, int times) {
        Entry[] table = new Entry[n];
        int[] keys = randomInts(n, n);
        long sum = 0;
        for (int i = 0; i < n; i++) {
            int at = keys[i] * 0x9e3779b1 >>> 1 & n - 1;
            table[at] = new Entry(keys[i], table[at]);
        }
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                Entry entry = table[keys[i] * 0x9e3779b1 >>> 1 & n - 1];
                while (entry.key != keys[i])
                    entry = entry.next;
                entry.count++;
                sum += entry.count;
            }
        return sum;
    }

    static final class Letter {
        final Letter[] next = new Letter[4];
        int ends;
    }

    /** Words of eight letters in a tree of letters. */
    public static double letters(int n, int times) {
        Letter root = new Letter();
        int[] words = randomInts(n, 65536);
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Letter at = root;
            for (int k = 0; k < 8; k++) {
                int letter = words[i] >>> 2 * k & 3;
                if (at.next[letter] == null)
                    at.next[letter] = new Letter();
                at = at.next[letter];
            }
            at.ends++;
        }
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                Letter at = root;
                for (int k = 0; k < 8; k++)
                    at = at.next[words[i] >>> 2 * k & 3];
                sum += at.ends;
            }
        return sum;
    }

    static final class City {
        final double x, y;
        double visited;

        City(double x, double y) {
            this.x = x;
            this.y = y;
        }

        double distance(City other) {
            double dx = x - other.x, dy = y - other.y;
            return Math.sqrt(dx * dx + dy * dy);
        }
    }

    /** The way through a list of cities. */
    public static double cities(int n, int times) {
        List<City> cities = new ArrayList<>();
        double[] places = randomDoubles(n);
        double sum = 0;
        for (int i = 0; i < n; i++)
            cities.add(new City(places[i], i));
        for (int t = 0; t < times; t++)
            for (int i = 1; i < cities.size(); i++) {
                City city = cities.get(i);
                city.visited = city.distance(cities.get(i - 1));
                sum += city.visited;
            }
        return sum;
    }

    /** How often numbers occur, by the library's hash table. */
    public static double occurrences(int n, int times) {
        int[] values = randomInts(n, n / 4);
        Map<Integer, Integer> counts = new HashMap<>();
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                counts.put(values[i], counts.getOrDefault(values[i], 0) + 1);
        return counts.get(values[0]);
    }

    static final class Vector {
        final double x, y, z;

        Vector(double x, double y, double z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        Vector plus(Vector other) {
            return new Vector(x + other.x, y + other.y, z + other.z);
        }

        Vector times(double factor) {
            return new Vector(x * factor, y * factor, z * factor);
        }

        double dot(Vector other) {
            return x * other.x + y * other.y + z * other.z;
        }
    }

    /** Small objects that nobody keeps. */
    public static double vectors(int n, int times) {
        double[] values = randomDoubles(n);
        double sum = 0;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                Vector a = new Vector(values[i], 1, 2), b = new Vector(2, values[i], t);
                sum += a.plus(b.times(0.5)).dot(b);
            }
        return sum;
    }

    /** The longest palindrome that remains of a text if letters are left out. */
    public static double palindromes(int n, int times) {
        int[] text = randomInts(n, 4);
        int[][] longest = new int[n + 1][n + 1];
        for (int t = 0; t < times; t++)
            for (int i = n - 1; i >= 0; i--)
                for (int j = i + 1; j < n; j++)
                    if (text[i] == text[j])
                        longest[i][j] = longest[i + 1][j - 1] + 2;
                    else
                        longest[i][j] = Math.max(longest[i + 1][j], longest[i][j - 1]);
        return longest[0][n - 1];
    }

    /** Shortest ways between all pairs of places. */
    public static double pairs(int n, int times) {
        int[] random = randomInts(n, 1000);
        int[][] ways = new int[n][n];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                ways[i][j] = random[i] + random[j] * 3 + (i + j) % 7;
        for (int t = 0; t < times; t++)
            for (int k = 0; k < n; k++)
                for (int i = 0; i < n; i++)
                    for (int j = 0; j < n; j++) {
                        int way = ways[i][k] + ways[k][j];
                        if (way < ways[i][j])
                            ways[i][j] = way;
                    }
        return ways[1][2];
    }

    /** Spins on a square that turn at random. */
    public static double spins(int n, int times) {
        byte[][] spins = new byte[n + 2][n + 2];
        long state = 1;
        for (int t = 0; t < times; t++)
            for (int i = 1; i <= n; i++)
                for (int j = 1; j <= n; j++) {
                    int around = spins[i - 1][j] + spins[i + 1][j] + spins[i][j - 1] + spins[i][j + 1];
                    state = nextRandom(state);
                    if ((int) (state >>> 60) > around + 6)
                        spins[i][j] = (byte) (1 - spins[i][j]);
                }
        return spins[1][1];
    }

    /** Where a text has the same hash value as a pattern of 32 letters. */
    public static double rolling(int n, int times) {
        int[] text = randomInts(n, 26);
        long found = 0;
        for (int t = 0; t < times; t++) {
            int hash = t, power = 1;
            for (int i = 0; i < 32; i++) {
                hash = hash * 31 + text[i];
                power *= 31;
            }
            for (int i = 32; i < n; i++) {
                hash = hash * 31 + text[i] - power * text[i - 32];
                if ((hash & 4095) == 77)
                    found++;
            }
        }
        return found;
    }

    /** A filter of sixteen coefficients. */
    public static double filter(int n, int times) {
        double[] signal = randomDoubles(n + 16), weights = randomDoubles(16), result = new double[n];
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int k = 0; k < 16; k++)
                    sum += weights[k] * signal[i + k];
                result[i] = sum;
            }
        return result[1];
    }

    /** Numbers sorted by their digits. */
    public static double digits(int n, int times) {
        int[] values = randomInts(n, 1 << 30), sorted = new int[n], counts = new int[256];
        for (int t = 0; t < times; t++)
            for (int shift = 0; shift < 32; shift += 8) {
                for (int i = 0; i < 256; i++)
                    counts[i] = 0;
                for (int i = 0; i < n; i++)
                    counts[values[i] >>> shift & 255]++;
                for (int i = 1; i < 256; i++)
                    counts[i] += counts[i - 1];
                for (int i = n - 1; i >= 0; i--)
                    sorted[--counts[values[i] >>> shift & 255]] = values[i];
                int[] swapped = values;
                values = sorted;
                sorted = swapped;
            }
        return values[1];
    }

    /** Powers modulo a number. */
    public static double powers(int n, int times) {
        int[] exponents = randomInts(n, 1048576);
        long sum = 0;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                long result = 1, base = i + 2, modulus = 1000003 + t;
                for (int k = 0; k < 20; k++) {
                    if ((exponents[i] >>> k & 1) == 1)
                        result = result * base % modulus;
                    base = base * base % modulus;
                }
                sum += result;
            }
        return sum;
    }

    static long lattice(int x, int y) {
        if (x == 0)
            return 1;
        if (y == 0)
            return 1;
        return lattice(x - 1, y) + lattice(x, y - 1);
    }

    /** Ways on a lattice, by recursion. */
    public static double lattices(int n, int times) {
        long sum = 0;
        for (int t = 0; t < times; t++)
            sum += lattice(n, 8);
        return sum;
    }

    /** Letters of a text, counted by kind. */
    public static double kinds(int n, int times) {
        StringBuilder builder = new StringBuilder();
        int[] letters = randomInts(n, 60);
        long upper = 0, digits = 0;
        for (int i = 0; i < n; i++)
            builder.append((char) (letters[i] + 40));
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                char letter = builder.charAt(i);
                if (letter >= 'A')
                    upper++;
                else if (letter <= '9')
                    digits += letter - '0';
            }
        return upper + digits;
    }

    /** Waiting times of customers before four tills. */
    public static double tills(int n, int times) {
        double[] between = randomDoubles(n), service = randomDoubles(n), free = new double[4];
        double waited = 0;
        for (int t = 0; t < times; t++) {
            double now = 0;
            for (int k = 0; k < 4; k++)
                free[k] = 0;
            for (int i = 0; i < n; i++) {
                int first = 0;
                now += between[i];
                for (int k = 1; k < 4; k++)
                    if (free[k] < free[first])
                        first = k;
                if (free[first] < now)
                    free[first] = now;
                waited += free[first] - now;
                free[first] += 2 * service[i];
            }
        }
        return waited;
    }
}
