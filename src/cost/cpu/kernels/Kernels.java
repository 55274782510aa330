// SPDX-License-Identifier: BSD-3-Clause

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
