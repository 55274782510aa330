/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of algorithms: matrices, games, transforms, trees. Sizes and probabilities:
 * kernels-2.pasl. */
#include <math.h>
#include <stdlib.h>

static unsigned long next_random(unsigned long state)
{
    return state * 6364136223846793005UL + 1442695040888963407UL;
}

static double *random_doubles(long n)
{
    double *values = malloc((unsigned long)n * sizeof *values);
    unsigned long state = 5;
    for (long i = 0; i < n; i++) {
        state = next_random(state);
        values[i] = (double)(state >> 11) / 9007199254740992.0;
    }
    return values;
}

static int *random_ints(long n, unsigned long limit)
{
    int *values = malloc((unsigned long)n * sizeof *values);
    unsigned long state = 6;
    for (long i = 0; i < n; i++) {
        state = next_random(state);
        values[i] = (int)((state >> 33) % limit);
    }
    return values;
}

/* A product of matrices whose inner loop runs along rows. */
double product_by_rows(long n, long times)
{
    double *a = random_doubles(n * n), *b = random_doubles(n * n), *c = random_doubles(n * n);
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            for (long k = 0; k < n; k++)
                for (long j = 0; j < n; j++)
                    c[i * n + j] += a[i * n + k] * b[k * n + j];
    double result = c[n + 1];
    free(a);
    free(b);
    free(c);
    return result;
}

/* LU decomposition without pivots, of a matrix that is copied each time. */
double lu(long n, long times)
{
    double *matrix = random_doubles(n * n), *a = random_doubles(n * n);
    for (long t = 0; t < times; t++) {
        for (long i = 0; i < n * n; i++)
            a[i] = matrix[i];
        for (long i = 0; i < n; i++)
            a[i * n + i] += (double)n;
        for (long k = 0; k < n; k++)
            for (long i = k + 1; i < n; i++) {
                double factor = a[i * n + k] / a[k * n + k];
                a[i * n + k] = factor;
                for (long j = k + 1; j < n; j++)
                    a[i * n + j] -= factor * a[k * n + j];
            }
    }
    double result = a[n * n - 1];
    free(matrix);
    free(a);
    return result;
}

/* Heat in a cube. */
double heat(long n, long times)
{
    double *old = random_doubles(n * n * n), *new = random_doubles(n * n * n);
    for (long t = 0; t < times; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++)
                for (long k = 1; k < n - 1; k++) {
                    long at = (i * n + j) * n + k;
                    new[at] = old[at] + 0.1 * (old[at - 1] + old[at + 1] + old[at - n] + old[at + n] + old[at - n * n] +
                                               old[at + n * n] - 6 * old[at]);
                }
        double *swapped = old;
        old = new;
        new = swapped;
    }
    double result = old[n * n + n + 1];
    free(old);
    free(new);
    return result;
}

/* Sorting by merging, from short runs to long ones; n is a power of two. */
double merging(long n, long times)
{
    int *values = random_ints(n, 1000000000), *from = random_ints(n, 1), *to = random_ints(n, 1);
    for (long t = 0; t < times; t++) {
        for (long i = 0; i < n; i++)
            from[i] = values[i];
        for (long width = 1; width < n; width *= 2) {
            for (long start = 0; start < n; start += 2 * width) {
                long left = start, right = start + width;
                for (long i = start; i < start + 2 * width; i++)
                    if (left < start + width && (right >= start + 2 * width || from[left] <= from[right]))
                        to[i] = from[left++];
                    else
                        to[i] = from[right++];
            }
            int *swapped = from;
            from = to;
            to = swapped;
        }
    }
    double result = from[n / 2];
    free(values);
    free(from);
    free(to);
    return result;
}

/* The knapsack problem, by dynamic programming, with 50 things. */
double knapsack(long n, long times)
{
    long *best = malloc((unsigned long)(n + 1) * sizeof *best);
    for (long t = 0; t < times; t++) {
        for (long i = 0; i <= n; i++)
            best[i] = 0;
        for (long thing = 1; thing <= 50; thing++) {
            long weight = thing * 3 % 37 + 1, value = thing * 7 % 41;
            for (long room = n; room >= weight; room--) {
                long with = best[room - weight] + value;
                if (with > best[room])
                    best[room] = with;
            }
        }
    }
    double result = (double)best[n];
    free(best);
    return result;
}

/* Shortest ways between all places. */
double ways(long n, long times)
{
    int *length = random_ints(n * n, 1000);
    for (long t = 0; t < times; t++)
        for (long k = 0; k < n; k++)
            for (long i = 0; i < n; i++)
                for (long j = 0; j < n; j++) {
                    int by_k = length[i * n + k] + length[k * n + j];
                    if (by_k < length[i * n + j])
                        length[i * n + j] = by_k;
                }
    double result = length[n + 1];
    free(length);
    return result;
}

/* The Mandelbrot set, with at most 100 steps for each of n * n points. */
double mandelbrot(long n, long times)
{
    long steps = 0;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) {
                double x = 0, y = 0, u = 3.0 * (double)i / (double)n - 2.0, v = 2.0 * (double)j / (double)n - 1.0;
                long step = 0;
                while (step < 100 && x * x + y * y < 4.0) {
                    double next = x * x - y * y + u;
                    y = 2 * x * y + v;
                    x = next;
                    step++;
                }
                steps += step;
            }
    return (double)steps;
}

/* A fast Fourier transform; n is a power of two. */
double fourier(long n, long times)
{
    double *real = random_doubles(n), *imaginary = random_doubles(n), *cosine = random_doubles(n),
           *sine = random_doubles(n);
    for (long i = 0; i < n; i++) {
        cosine[i] = cos(6.283185307179586 * (double)i / (double)n);
        sine[i] = sin(6.283185307179586 * (double)i / (double)n);
    }
    for (long t = 0; t < times; t++)
        for (long half = 1; half < n; half *= 2)
            for (long start = 0; start < n; start += 2 * half)
                for (long k = 0; k < half; k++) {
                    long a = start + k, b = a + half, turn = k * (n / (2 * half));
                    double u = real[b] * cosine[turn] - imaginary[b] * sine[turn];
                    double v = real[b] * sine[turn] + imaginary[b] * cosine[turn];
                    real[b] = 0.5 * (real[a] - u);
                    imaginary[b] = 0.5 * (imaginary[a] - v);
                    real[a] = 0.5 * (real[a] + u);
                    imaginary[a] = 0.5 * (imaginary[a] + v);
                }
    double result = real[1] + imaginary[1];
    free(real);
    free(imaginary);
    free(cosine);
    free(sine);
    return result;
}

struct node {
    struct node *smaller, *larger;
    int key;
};

/* Searches in a balanced binary tree; n is a power of two minus one. */
double tree(long n, long times)
{
    struct node *nodes = malloc((unsigned long)n * sizeof *nodes);
    int *wanted = random_ints(n, (unsigned long)n);
    long depth = 0;
    for (long i = 0; i < n; i++)
        nodes[i].key = (int)i;
    for (long step = 1; step < n; step *= 2) {
        depth++;
        for (long i = 2 * step - 1; i < n; i += 4 * step) {
            nodes[i].smaller = &nodes[i - step];
            nodes[i].larger = &nodes[i + step];
        }
    }
    long sum = 0;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            const struct node *at = &nodes[n / 2];
            for (long level = 1; level < depth; level++)
                at = wanted[i] < at->key ? at->smaller : at->larger;
            sum += at->key;
        }
    free(nodes);
    free(wanted);
    return (double)sum;
}

/* Decimal numbers in a text. */
double numbers(long n, long times)
{
    char *text = malloc((unsigned long)n);
    int *digits = random_ints(n, 12);
    long sum = 0;
    for (long i = 0; i < n; i++)
        text[i] = digits[i] < 10 ? (char)('0' + digits[i]) : ' ';
    for (long t = 0; t < times; t++) {
        long number = 0;
        for (long i = 0; i < n; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                number = 10 * number + (text[i] - '0');
            } else {
                sum += number;
                number = 0;
            }
        }
    }
    free(text);
    free(digits);
    return (double)sum;
}

/* Bits that are set in random numbers. */
double bits(long n, long times)
{
    unsigned long state = 88172645463325252UL;
    long sum = 0;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            unsigned long x = state - ((state >> 1) & 0x5555555555555555UL);
            x = (x & 0x3333333333333333UL) + ((x >> 2) & 0x3333333333333333UL);
            x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fUL;
            sum += (long)(x * 0x0101010101010101UL >> 56);
        }
    return (double)sum;
}

/* Vector operations of the method of conjugate gradients. */
double vectors(long n, long times)
{
    double *x = random_doubles(n), *p = random_doubles(n), *r = random_doubles(n), last = 1;
    for (long t = 0; t < times; t++) {
        double square = 0;
        for (long i = 0; i < n; i++)
            square += r[i] * r[i];
        double step = 0.001 * square / (last + square);
        for (long i = 0; i < n; i++)
            x[i] += step * p[i];
        for (long i = 0; i < n; i++)
            p[i] = r[i] + step * p[i];
        last = square;
    }
    double result = x[1];
    free(x);
    free(p);
    free(r);
    return result;
}

/* The transpose of a matrix. */
double transpose(long n, long times)
{
    double *a = random_doubles(n * n), *b = random_doubles(n * n);
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++)
                b[j * n + i] = a[i * n + j] + 1;
    double result = b[1];
    free(a);
    free(b);
    return result;
}

/* The game of life. */
double life(long n, long times)
{
    char *old = malloc((unsigned long)(n * n)), *new = malloc((unsigned long)(n * n));
    int *alive = random_ints(n * n, 2);
    for (long i = 0; i < n * n; i++)
        new[i] = old[i] = (char)alive[i];
    for (long t = 0; t < times; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++) {
                int near = 0;
                for (long k = i - 1; k <= i + 1; k++)
                    near += old[k * n + j - 1] + old[k * n + j] + old[k * n + j + 1];
                near -= old[i * n + j];
                new[i * n + j] = near == 3 || (near == 2 && old[i * n + j]);
            }
        char *swapped = old;
        old = new;
        new = swapped;
    }
    double result = old[n + 1];
    free(old);
    free(new);
    free(alive);
    return result;
}

/* Polynomials of degree 15. */
double polynomials(long n, long times)
{
    double *x = random_doubles(n), *coefficients = random_doubles(16), sum = 0;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            double value = coefficients[15];
            for (long k = 14; k >= 0; k--)
                value = value * x[i] + coefficients[k];
            sum += value;
        }
    free(x);
    free(coefficients);
    return sum;
}

/* Greatest common divisors. */
double divisors(long n, long times)
{
    int *a = random_ints(n, 100000), *b = random_ints(n, 70001);
    long sum = 0;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            int x = a[i] + 1, y = b[i] + 2;
            while (y != 0) {
                int rest = x % y;
                x = y;
                y = rest;
            }
            sum += x;
        }
    free(a);
    free(b);
    return (double)sum;
}
