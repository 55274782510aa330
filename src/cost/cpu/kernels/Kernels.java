// SPDX-License-Identifier: BSD-3-Clause
import java.util.*;
/**
 * The kernels of kernels.c as one writes them in Java, with arrays of arrays and with objects, and two that C doesn't
 * have: methods of objects of several classes, and objects that live shortly. `firma machine cpu` runs them in one JVM
 * until it has compiled them, and times them, to find what operations cost in their context. kernels-java.pasl names
 * the entries, their sizes, and their probabilities. Each entry does its work `times` times on data of size n.
 */
public class Kernels {
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

    static double[][] randomMatrix(int n) {
        double[][] values = new double[n][n];
        long state = 4;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                state = nextRandom(state);
                values[i][j] = (state >>> 11) / 9007199254740992.0;
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

    static byte[] randomBytes(int n, int limit) {
        byte[] values = new byte[n];
        long state = 3;
        for (int i = 0; i < n; i++) {
            state = nextRandom(state);
            values[i] = (byte) ((state >>> 33) % limit);
        }
        return values;
    }

    /** The product of two matrices, each element as a product of a row and a column. */
    public static double product(int n, int times) {
        double[][] a = randomMatrix(n), b = randomMatrix(n), c = new double[n][n];
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    double sum = 0;
                    for (int k = 0; k < n; k++)
                        sum += a[i][k] * b[k][j];
                    c[i][j] = sum;
                }
        return c[1][1];
    }

    /** Steps of Jacobi's method on a square. */
    public static double stencil(int n, int times) {
        double[][] old = randomMatrix(n), next = randomMatrix(n);
        for (int t = 0; t < times; t++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    next[i][j] = 0.25 * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1]);
            double[][] swapped = old;
            old = next;
            next = swapped;
        }
        return old[1][1];
    }

    static final class Body {
        double x, y, z, mass, ax, ay, az;
    }

    /** The forces between bodies. */
    public static double bodies(int n, int times) {
        Body[] bodies = new Body[n];
        for (int i = 0; i < n; i++) {
            bodies[i] = new Body();
            bodies[i].x = i;
            bodies[i].y = i % 7;
            bodies[i].z = i % 11;
            bodies[i].mass = 1;
        }
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                Body own = bodies[i];
                double ax = 0, ay = 0, az = 0;
                for (int j = 0; j < n; j++) {
                    Body other = bodies[j];
                    double dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
                    double square = dx * dx + dy * dy + dz * dz + 0.01;
                    double factor = other.mass / (square * Math.sqrt(square));
                    ax += dx * factor;
                    ay += dy * factor;
                    az += dz * factor;
                }
                own.ax = ax;
                own.ay = ay;
                own.az = az;
            }
        return bodies[1].ax + bodies[1].ay + bodies[1].az;
    }

    /** Sorting by insertion. */
    public static double insertion(int n, int times) {
        int[] values = randomInts(n, 1000000), sorted = new int[n];
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                int value = values[i], j = i;
                while (j > 0 && sorted[j - 1] > value) {
                    sorted[j] = sorted[j - 1];
                    j--;
                }
                sorted[j] = value;
            }
        return sorted[n / 2];
    }

    /** The length of the longest common subsequence, by dynamic programming. */
    public static double subsequence(int n, int times) {
        byte[] a = randomBytes(n, 4), b = randomBytes(n + 1, 4);
        int[] row = new int[n + 1];
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                int diagonal = 0;
                for (int j = 1; j <= n; j++) {
                    int above = row[j];
                    if (a[i] == b[j])
                        row[j] = diagonal + 1;
                    else if (row[j - 1] > above)
                        row[j] = row[j - 1];
                    diagonal = above;
                }
            }
        return row[n];
    }

    /** How often each number occurs. */
    public static double histogram(int n, int times) {
        int[] values = randomInts(n, n), counts = new int[n];
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                counts[values[i]]++;
        return counts[1];
    }

    /** Sums of all beginnings of a row. */
    public static double prefixes(int n, int times) {
        int[] values = randomInts(n, 100);
        long[] sums = new long[n];
        for (int t = 0; t < times; t++) {
            long sum = t;
            for (int i = 0; i < n; i++) {
                sum += values[i];
                sums[i] = sum;
            }
        }
        return sums[n - 1];
    }

    /** A sparse matrix of eight elements a row times a vector. */
    public static double sparse(int n, int times) {
        double[] values = randomDoubles(8 * n), x = randomDoubles(n), y = new double[n];
        int[] columns = randomInts(8 * n, n);
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int k = 8 * i; k < 8 * i + 8; k++)
                    sum += values[k] * x[columns[k]];
                y[i] = sum;
            }
        return y[1];
    }

    /** Words and lines in a text. */
    public static double words(int n, int times) {
        byte[] text = randomBytes(n, 8);
        long words = 0, lines = 0;
        for (int t = 0; t < times; t++) {
            boolean isInside = false;
            for (int i = 0; i < n; i++) {
                if (text[i] == 0)
                    lines++;
                if (text[i] < 2) {
                    isInside = false;
                } else if (!isInside) {
                    isInside = true;
                    words++;
                }
            }
        }
        return words + lines;
    }

    static final class Link {
        Link next;
        long value;
    }

    /** A list whose elements lie in memory in a random order. */
    public static double list(int n, int times) {
        Link[] links = new Link[n];
        long sum = 0;
        for (int i = 0; i < n; i++) {
            links[i] = new Link();
            links[i].value = i;
        }
        // One cycle through all elements: n is a power of two, so steps of an odd width meet all.
        for (int i = 0; i < n; i++)
            links[i].next = links[(i * 5 + 1) & (n - 1)];
        for (int t = 0; t < times; t++) {
            Link at = links[0];
            for (int i = 0; i < n; i++) {
                sum += at.value;
                at = at.next;
            }
        }
        return sum;
    }

    /** Searches in a hash table of which half is filled. */
    public static double table(int n, int times) {
        int mask = 2 * n - 1;
        long[] keys = new long[2 * n];
        int[] wanted = randomInts(n, 1000000000);
        long found = 0;
        for (int i = 0; i < n; i++) {
            long key = wanted[i] + 1L;
            int at = (int) (key * 0x9e3779b97f4a7c15L >>> 32) & mask;
            while (keys[at] != 0)
                at = (at + 1) & mask;
            keys[at] = key;
        }
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                long key = wanted[i] + 1L;
                int at = (int) (key * 0x9e3779b97f4a7c15L >>> 32) & mask;
                while (keys[at] != key)
                    at = (at + 1) & mask;
                found += at;
            }
        return found;
    }

    /** An interpreter of a machine with an accumulator. */
    public static double interpreter(int n, int times) {
        byte[] code = randomBytes(n, 6);
        long accumulator = 1;
        long[] memory = new long[16];
        for (int t = 0; t < times; t++)
            for (int at = 0; at < n; at++)
                switch (code[at]) {
                    case 0:
                        accumulator += at;
                        break;
                    case 1:
                        accumulator ^= t;
                        break;
                    case 2:
                        memory[(int) (accumulator & 15)] = at;
                        break;
                    case 3:
                        accumulator += memory[at & 15];
                        break;
                    case 4:
                        accumulator *= 3;
                        break;
                    default:
                        accumulator = accumulator >> 1;
                        break;
                }
        return accumulator;
    }

    /** Random points in a quarter of a circle. */
    public static double points(int n, int times) {
        long state = 1, inside = 0;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                state = state * 6364136223846793005L + 1442695040888963407L;
                double x = (state >>> 33) * 0x1p-31;
                state = state * 6364136223846793005L + 1442695040888963407L;
                double y = (state >>> 33) * 0x1p-31;
                if (x * x + y * y <= 1.0)
                    inside++;
            }
        return inside;
    }

    /** A checksum by a table. */
    public static double checksum(int n, int times) {
        byte[] data = randomBytes(n, 256);
        int[] sums = new int[256];
        int sum = 0;
        for (int i = 0; i < 256; i++)
            sums[i] = i * 0x9e3779b1;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                sum = sums[(sum ^ data[i]) & 255] ^ (sum >>> 8);
        return sum;
    }

    /** Prime numbers below n by a sieve. */
    public static double sieve(int n, int times) {
        boolean[] isComposite = new boolean[n];
        long found = 0;
        for (int t = 0; t < times; t++) {
            for (int i = 0; i < n; i++)
                isComposite[i] = false;
            for (int i = 2; i * i < n; i++)
                if (!isComposite[i])
                    for (int j = i * i; j < n; j += i)
                        isComposite[j] = true;
            for (int i = 2; i < n; i++)
                if (!isComposite[i])
                    found++;
        }
        return found;
    }

    /** Binary searches. */
    public static double search(int n, int times) {
        int[] sorted = new int[n], wanted = randomInts(n, 2 * n);
        long found = 0;
        for (int i = 0; i < n; i++)
            sorted[i] = 2 * i;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                int low = 0;
                for (int width = n / 2; width > 0; width /= 2)
                    if (sorted[low + width] <= wanted[i])
                        low += width;
                found += low;
            }
        return found;
    }

    /** Sums of series of exponentials. */
    public static double series(int n, int times) {
        double[] x = randomDoubles(n);
        double sum = 0;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                sum += Math.exp(-x[i]) / (1.0 + x[i] * x[i]);
        return sum;
    }

    static long ackermannLike(int depth, long value) {
        if (depth == 0)
            return value + 1;
        return ackermannLike(depth - 1, value * 3) + ackermannLike(depth - 1, value + 7);
    }

    /** A recursion of n levels with two calls each. */
    public static double recursion(int n, int times) {
        long sum = 0;
        for (int t = 0; t < times; t++)
            sum += ackermannLike(n, t);
        return sum;
    }

    static final class Particle {
        double x, y, vx, vy;
    }

    /** Particles that move and are pulled back. */
    public static double particles(int n, int times) {
        Particle[] all = new Particle[n];
        for (int i = 0; i < n; i++) {
            all[i] = new Particle();
            all[i].x = i;
            all[i].y = 1;
        }
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                Particle one = all[i];
                one.vx -= 0.01 * one.x;
                one.vy -= 0.01 * one.y;
                one.x += 0.01 * one.vx;
                one.y += 0.01 * one.vy;
            }
        return all[1].x + all[1].y;
    }

    /** Lists of eight elements each, one behind the other in memory. */
    public static double chains(int n, int times) {
        Link[] links = new Link[8 * n];
        long sum = 0;
        for (int i = 0; i < 8 * n; i++) {
            links[i] = new Link();
            links[i].value = i;
        }
        for (int i = 0; i < 8 * n; i++)
            links[i].next = links[(i + 1) % (8 * n)];
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++) {
                Link at = links[8 * i];
                for (int k = 0; k < 8; k++) {
                    sum += at.value;
                    at = at.next;
                }
            }
        return sum;
    }

    /** Waves that are added up. */
    public static double waves(int n, int times) {
        double[] x = randomDoubles(n);
        double sum = 0;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                sum += Math.sqrt(x[i]) * Math.sin(x[i]) + Math.cos(3 * x[i]);
        return sum;
    }

    /** Remainders of numbers by each other. */
    public static double remainders(int n, int times) {
        int[] a = randomInts(n, 1000000), b = randomInts(n, 1000);
        long sum = 0;
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                sum += a[i] % (b[i] + 1) + a[i] / (b[i] + 2);
        return sum;
    }

    abstract static class Shape {
        abstract double area();
    }

    static final class Circle extends Shape {
        double radius;

        @Override
        double area() {
            return 3.14159265 * radius * radius;
        }
    }

    static final class Rectangle extends Shape {
        double width, height;

        @Override
        double area() {
            return width * height;
        }
    }

    static final class Triangle extends Shape {
        double base, height;

        @Override
        double area() {
            return 0.5 * base * height;
        }
    }

    /** Areas of objects of several classes. */
    public static double shapes(int n, int times) {
        Shape[] shapes = new Shape[n];
        int[] kinds = randomInts(n, 3);
        double sum = 0;
        for (int i = 0; i < n; i++)
            if (kinds[i] == 0)
                shapes[i] = new Circle();
            else if (kinds[i] == 1)
                shapes[i] = new Rectangle();
            else
                shapes[i] = new Triangle();
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                sum += shapes[i].area();
        return sum;
    }

    static final class Complex {
        final double real, imaginary;

        Complex(double real, double imaginary) {
            this.real = real;
            this.imaginary = imaginary;
        }

        Complex plus(Complex other) {
            return new Complex(real + other.real, imaginary + other.imaginary);
        }

        Complex times(Complex other) {
            return new Complex(real * other.real - imaginary * other.imaginary,
                real * other.imaginary + imaginary * other.real);
        }
    }

    /** Sums of complex numbers, each of which is an object. */
    public static double objects(int n, int times) {
        Complex[] numbers = new Complex[n];
        for (int i = 0; i < n; i++)
            numbers[i] = new Complex(i * 0.001, 1);
        Complex sum = new Complex(0, 0);
        for (int t = 0; t < times; t++)
            for (int i = 0; i < n; i++)
                sum = sum.plus(numbers[i].times(numbers[i]));
        return sum.real + sum.imaginary;
    }
}

/**
 * Further kernels that C's don't have: collections, small objects that nobody keeps, loops that the JVM vectorises, linked
 * nodes, recursion, tables.
 */
class Kernels2 {
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
