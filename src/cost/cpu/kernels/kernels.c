/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordinary kernels that `firma machine cpu` compiles with the options of an application and times,
 * to find what operations cost in their context. firma counts the kernels' operations as it counts
 * those of any task: kernels.pasl names the entries, their sizes, and their probabilities.
 * Each entry does its work `times` times on data of size n, and returns a number that depends on
 * all of it. */
#include <math.h>
#include <stdlib.h>

/* ---- Data ---- */

static unsigned long next_random(unsigned long state)
{
    return state * 6364136223846793005UL + 1442695040888963407UL;
}

static double *random_doubles(long n, unsigned long state)
{
    double *values = malloc((unsigned long)n * sizeof *values);
    for (long i = 0; i < n; i++) {
        state = next_random(state);
        values[i] = (double)(state >> 11) / 9007199254740992.0;
    }
    return values;
}

static float *random_floats(long n, unsigned long state)
{
    float *values = malloc((unsigned long)n * sizeof *values);
    for (long i = 0; i < n; i++) {
        state = next_random(state);
        values[i] = (float)(state >> 40) / 16777216.0F;
    }
    return values;
}

static int *random_ints(long n, unsigned long limit, unsigned long state)
{
    int *values = malloc((unsigned long)n * sizeof *values);
    for (long i = 0; i < n; i++) {
        state = next_random(state);
        values[i] = (int)((state >> 33) % limit);
    }
    return values;
}

static unsigned char *random_bytes(long n, unsigned long limit, unsigned long state)
{
    unsigned char *values = malloc((unsigned long)n);
    for (long i = 0; i < n; i++) {
        state = next_random(state);
        values[i] = (unsigned char)((state >> 33) % limit);
    }
    return values;
}

/* ---- Loops over arrays, lists and tables ---- */

/* The product of two matrices, each element as a product of a row and a column. */
double product(long n, long times)
{
    double *a = random_doubles(n * n, 1), *b = random_doubles(n * n, 1), *c = random_doubles(n * n, 1);
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) {
                double sum = 0;
                for (long k = 0; k < n; k++)
                    sum += a[i * n + k] * b[k * n + j];
                c[i * n + j] = sum;
            }
    double result = c[n + 1];
    free(a);
    free(b);
    free(c);
    return result;
}

/* Steps of Jacobi's method on a square. */
double stencil(long n, long times)
{
    double *old = random_doubles(n * n, 1), *new = random_doubles(n * n, 1);
    for (long t = 0; t < times; t++) {
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++)
                new[i * n + j] =
                    0.25 * (old[(i - 1) * n + j] + old[(i + 1) * n + j] + old[i * n + j - 1] + old[i * n + j + 1]);
        double *swapped = old;
        old = new;
        new = swapped;
    }
    double result = old[n + 1];
    free(old);
    free(new);
    return result;
}

struct body {
    double x, y, z, mass, ax, ay, az;
};

/* The forces between bodies. */
double bodies(long n, long times)
{
    struct body *body = malloc((unsigned long)n * sizeof *body);
    for (long i = 0; i < n; i++) {
        body[i].x = (double)i;
        body[i].y = (double)(i % 7);
        body[i].z = (double)(i % 11);
        body[i].mass = 1;
    }
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            double ax = 0, ay = 0, az = 0;
            for (long j = 0; j < n; j++) {
                double dx = body[j].x - body[i].x, dy = body[j].y - body[i].y, dz = body[j].z - body[i].z;
                double square = dx * dx + dy * dy + dz * dz + 0.01;
                double factor = body[j].mass / (square * sqrt(square));
                ax += dx * factor;
                ay += dy * factor;
                az += dz * factor;
            }
            body[i].ax = ax;
            body[i].ay = ay;
            body[i].az = az;
        }
    double result = body[1].ax + body[1].ay + body[1].az;
    free(body);
    return result;
}

/* Sorting by insertion. */
double insertion(long n, long times)
{
    int *values = random_ints(n, 1000000, 2), *sorted = random_ints(n, 2, 2);
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            int value = values[i];
            long j = i;
            while (j > 0 && sorted[j - 1] > value) {
                sorted[j] = sorted[j - 1];
                j--;
            }
            sorted[j] = value;
        }
    double result = sorted[n / 2];
    free(values);
    free(sorted);
    return result;
}

/* The length of the longest common subsequence, by dynamic programming. */
double subsequence(long n, long times)
{
    unsigned char *a = random_bytes(n, 4, 3), *b = random_bytes(n + 1, 4, 3);
    int *row = random_ints(n + 1, 1, 2);
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            int diagonal = 0;
            for (long j = 1; j <= n; j++) {
                int above = row[j];
                if (a[i] == b[j])
                    row[j] = diagonal + 1;
                else if (row[j - 1] > above)
                    row[j] = row[j - 1];
                diagonal = above;
            }
        }
    double result = row[n];
    free(a);
    free(b);
    free(row);
    return result;
}

/* How often each number occurs. */
double histogram(long n, long times)
{
    int *values = random_ints(n, (unsigned long)n, 2), *counts = random_ints(n, 1, 2);
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            counts[values[i]]++;
    double result = counts[1];
    free(values);
    free(counts);
    return result;
}

/* Sums of all beginnings of a row. */
double prefixes(long n, long times)
{
    int *values = random_ints(n, 100, 2);
    long *sums = malloc((unsigned long)n * sizeof *sums);
    for (long t = 0; t < times; t++) {
        long sum = t;
        for (long i = 0; i < n; i++) {
            sum += values[i];
            sums[i] = sum;
        }
    }
    double result = (double)sums[n - 1];
    free(values);
    free(sums);
    return result;
}

/* A sparse matrix of eight elements a row times a vector. */
double sparse(long n, long times)
{
    double *values = random_doubles(8 * n, 1), *x = random_doubles(n, 1), *y = random_doubles(n, 1);
    int *columns = random_ints(8 * n, (unsigned long)n, 2);
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            double sum = 0;
            for (long k = 8 * i; k < 8 * i + 8; k++)
                sum += values[k] * x[columns[k]];
            y[i] = sum;
        }
    double result = y[1];
    free(values);
    free(x);
    free(y);
    free(columns);
    return result;
}

/* Words and lines in a text. */
double words(long n, long times)
{
    unsigned char *text = random_bytes(n, 8, 3);
    long n_words = 0, n_lines = 0;
    for (long t = 0; t < times; t++) {
        int is_inside = 0;
        for (long i = 0; i < n; i++) {
            if (text[i] == 0)
                n_lines++;
            if (text[i] < 2)
                is_inside = 0;
            else if (!is_inside) {
                is_inside = 1;
                n_words++;
            }
        }
    }
    free(text);
    return (double)(n_words + n_lines);
}

struct link {
    struct link *next;
    long value;
};

/* A list whose elements lie in memory in a random order. */
double list(long n, long times)
{
    struct link *links = malloc((unsigned long)n * sizeof *links);
    long sum = 0;
    for (long i = 0; i < n; i++)
        links[i].value = i;
    /* One cycle through all elements: n is a power of two, so steps of an odd width meet all. */
    for (long i = 0; i < n; i++)
        links[i].next = &links[(i * 5 + 1) & (n - 1)];
    for (long t = 0; t < times; t++) {
        const struct link *at = links;
        for (long i = 0; i < n; i++) {
            sum += at->value;
            at = at->next;
        }
    }
    free(links);
    return (double)sum;
}

/* Searches in a hash table of which half is filled. */
double table(long n, long times)
{
    unsigned long *keys = calloc(2 * (unsigned long)n, sizeof *keys), mask = 2 * (unsigned long)n - 1;
    int *wanted = random_ints(n, 1000000000, 2);
    long found = 0;
    for (long i = 0; i < n; i++) {
        unsigned long key = (unsigned long)wanted[i] + 1;
        unsigned long at = (key * 11400714819323198485UL >> 32) & mask;
        while (keys[at] != 0)
            at = (at + 1) & mask;
        keys[at] = key;
    }
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            unsigned long key = (unsigned long)wanted[i] + 1;
            unsigned long at = (key * 11400714819323198485UL >> 32) & mask;
            while (keys[at] != key)
                at = (at + 1) & mask;
            found += (long)at;
        }
    free(keys);
    free(wanted);
    return (double)found;
}

/* An interpreter of a machine with an accumulator. */
double interpreter(long n, long times)
{
    unsigned char *code = random_bytes(n, 6, 3);
    long accumulator = 1, memory[16] = {0};
    for (long t = 0; t < times; t++)
        for (long at = 0; at < n; at++)
            switch (code[at]) {
            case 0:
                accumulator += at;
                break;
            case 1:
                accumulator ^= t;
                break;
            case 2:
                memory[accumulator & 15] = at;
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
    free(code);
    return (double)accumulator;
}

/* Random points in a quarter of a circle. */
double points(long n, long times)
{
    unsigned long state = 1;
    long inside = 0;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            state = state * 6364136223846793005UL + 1442695040888963407UL;
            double x = (double)(state >> 33) * 0x1p-31;
            state = state * 6364136223846793005UL + 1442695040888963407UL;
            double y = (double)(state >> 33) * 0x1p-31;
            if (x * x + y * y <= 1.0)
                inside++;
        }
    return (double)inside;
}

/* A checksum by a table. */
double checksum(long n, long times)
{
    unsigned char *data = random_bytes(n, 256, 3);
    unsigned sums[256], sum = 0;
    for (unsigned i = 0; i < 256; i++)
        sums[i] = i * 2654435761U;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            sum = sums[(sum ^ data[i]) & 255] ^ (sum >> 8);
    free(data);
    return (double)sum;
}

/* Prime numbers below n by a sieve. */
double sieve(long n, long times)
{
    char *is_composite = malloc((unsigned long)n);
    long found = 0;
    for (long t = 0; t < times; t++) {
        for (long i = 0; i < n; i++)
            is_composite[i] = 0;
        for (long i = 2; i * i < n; i++)
            if (!is_composite[i])
                for (long j = i * i; j < n; j += i)
                    is_composite[j] = 1;
        for (long i = 2; i < n; i++)
            if (!is_composite[i])
                found++;
    }
    free(is_composite);
    return (double)found;
}

/* Binary searches. */
double search(long n, long times)
{
    int *sorted = malloc((unsigned long)n * sizeof *sorted), *wanted = random_ints(n, 2 * (unsigned long)n, 2);
    long found = 0;
    for (long i = 0; i < n; i++)
        sorted[i] = (int)(2 * i);
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            long low = 0;
            for (long width = n / 2; width > 0; width /= 2)
                if (sorted[low + width] <= wanted[i])
                    low += width;
            found += low;
        }
    free(sorted);
    free(wanted);
    return (double)found;
}

/* Sums of series of exponentials. */
double series(long n, long times)
{
    double *x = random_doubles(n, 1), sum = 0;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            sum += exp(-x[i]) / (1.0 + x[i] * x[i]);
    free(x);
    return sum;
}

static long ackermann_like(long depth, long value)
{
    if (depth == 0)
        return value + 1;
    return ackermann_like(depth - 1, value * 3) + ackermann_like(depth - 1, value + 7);
}

/* A recursion of n levels with two calls each. */
double recursion(long n, long times)
{
    long sum = 0;
    for (long t = 0; t < times; t++)
        sum += ackermann_like(n, t);
    return (double)sum;
}

struct particle {
    double x, y, vx, vy;
};

/* Particles that move and are pulled back. */
double particles(long n, long times)
{
    struct particle *all = malloc((unsigned long)n * sizeof *all);
    for (long i = 0; i < n; i++) {
        all[i].x = (double)i;
        all[i].y = 1;
        all[i].vx = 0;
        all[i].vy = 0;
    }
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            all[i].vx -= 0.01 * all[i].x;
            all[i].vy -= 0.01 * all[i].y;
            all[i].x += 0.01 * all[i].vx;
            all[i].y += 0.01 * all[i].vy;
        }
    double result = all[1].x + all[1].y;
    free(all);
    return result;
}

/* Lists of eight elements each, one behind the other in memory. */
double chains(long n, long times)
{
    struct link *links = malloc(8 * (unsigned long)n * sizeof *links);
    long sum = 0;
    for (long i = 0; i < 8 * n; i++) {
        links[i].value = i;
        links[i].next = &links[(i + 1) % (8 * n)];
    }
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            const struct link *at = &links[8 * i];
            for (long k = 0; k < 8; k++) {
                sum += at->value;
                at = at->next;
            }
        }
    free(links);
    return (double)sum;
}

/* Waves that are added up. */
double waves(long n, long times)
{
    double *x = random_doubles(n, 1), sum = 0;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            sum += sqrt(x[i]) * sin(x[i]) + cos(3 * x[i]);
    free(x);
    return sum;
}

/* Remainders of numbers by each other. */
double remainders(long n, long times)
{
    int *a = random_ints(n, 1000000, 2), *b = random_ints(n, 1000, 2);
    long sum = 0;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            sum += a[i] % (b[i] + 1) + a[i] / (b[i] + 2);
    free(a);
    free(b);
    return (double)sum;
}

/* ---- Algorithms: matrices, games, transforms, trees ---- */

/* A product of matrices whose inner loop runs along rows. */
double product_by_rows(long n, long times)
{
    double *a = random_doubles(n * n, 5), *b = random_doubles(n * n, 5), *c = random_doubles(n * n, 5);
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
    double *matrix = random_doubles(n * n, 5), *a = random_doubles(n * n, 5);
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
    double *old = random_doubles(n * n * n, 5), *new = random_doubles(n * n * n, 5);
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
    int *values = random_ints(n, 1000000000, 6), *from = random_ints(n, 1, 6), *to = random_ints(n, 1, 6);
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
    int *length = random_ints(n * n, 1000, 6);
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
    double *real = random_doubles(n, 5), *imaginary = random_doubles(n, 5), *cosine = random_doubles(n, 5),
           *sine = random_doubles(n, 5);
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
    int *wanted = random_ints(n, (unsigned long)n, 6);
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
    int *digits = random_ints(n, 12, 6);
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
    double *x = random_doubles(n, 5), *p = random_doubles(n, 5), *r = random_doubles(n, 5), last = 1;
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
    double *a = random_doubles(n * n, 5), *b = random_doubles(n * n, 5);
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
    int *alive = random_ints(n * n, 2, 6);
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
    double *x = random_doubles(n, 5), *coefficients = random_doubles(16, 5), sum = 0;
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
    int *a = random_ints(n, 100000, 6), *b = random_ints(n, 70001, 6);
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

/* ---- Applications: images, texts, sparse and dense matrices, statistics ---- */

/* A picture that is blurred by 5 x 5 weights. */
double convolution(long n, long times)
{
    float *picture = random_floats(n * n, 8), *blurred = random_floats(n * n, 8), *weights = random_floats(25, 8);
    for (long t = 0; t < times; t++)
        for (long y = 2; y < n - 2; y++)
            for (long x = 2; x < n - 2; x++) {
                float sum = 0;
                for (long v = 0; v < 5; v++)
                    for (long u = 0; u < 5; u++)
                        sum += picture[(y + v - 2) * n + x + u - 2] * weights[5 * v + u];
                blurred[y * n + x] = sum;
            }
    double result = blurred[2 * n + 2];
    free(picture);
    free(blurred);
    free(weights);
    return result;
}

/* Sets that are united, as by Kruskal's algorithm; ways to their roots are halved. */
double unions(long n, long times)
{
    int *parent = random_ints(n, 1, 1), *from = random_ints(n, (unsigned long)n, 9),
        *to = random_ints(n, (unsigned long)n, 10);
    long n_sets = 0;
    for (long t = 0; t < times; t++) {
        n_sets = n;
        for (long i = 0; i < n; i++)
            parent[i] = (int)i;
        for (long i = 0; i < n; i++) {
            int a = from[i], b = to[i];
            while (parent[a] != a) {
                parent[a] = parent[parent[a]];
                a = parent[a];
            }
            while (parent[b] != b) {
                parent[b] = parent[parent[b]];
                b = parent[b];
            }
            if (a != b) {
                parent[a] = b;
                n_sets--;
            }
        }
    }
    free(parent);
    free(from);
    free(to);
    return (double)n_sets;
}

/* Occurrences of a word of six letters in a text, by Horspool's algorithm. */
double occurrences(long n, long times)
{
    unsigned char *text = random_bytes(n, 8, 11), *word = random_bytes(6, 8, 12);
    long skip[256], found = 0;
    for (long i = 0; i < 256; i++)
        skip[i] = 6;
    for (long i = 0; i < 5; i++)
        skip[word[i]] = 5 - i;
    for (long t = 0; t < times; t++) {
        long at = 0;
        while (at <= n - 6) {
            long left = 5;
            while (left >= 0 && text[at + left] == word[left])
                left--;
            if (left < 0)
                found++;
            at += skip[text[at + 5]];
        }
    }
    free(text);
    free(word);
    return (double)found;
}

/* The transpose of a sparse matrix with eight elements a row, in compressed rows. */
double sparse_transpose(long n, long times)
{
    double *values = random_doubles(8 * n, 7), *turned = random_doubles(8 * n, 7);
    int *columns = random_ints(8 * n, (unsigned long)n, 13), *rows = random_ints(8 * n, 1, 1),
        *next = random_ints(n + 1, 1, 1);
    for (long t = 0; t < times; t++) {
        for (long i = 0; i <= n; i++)
            next[i] = 0;
        for (long k = 0; k < 8 * n; k++)
            next[columns[k] + 1]++;
        for (long i = 0; i < n; i++)
            next[i + 1] += next[i];
        for (long i = 0; i < n; i++)
            for (long k = 8 * i; k < 8 * i + 8; k++) {
                int place = next[columns[k]]++;
                rows[place] = (int)i;
                turned[place] = values[k];
            }
    }
    double result = turned[1] + rows[1];
    free(values);
    free(turned);
    free(columns);
    free(rows);
    free(next);
    return result;
}

/* A grey picture whose contrast is raised, by the numbers of its greys. */
double equalisation(long n, long times)
{
    unsigned char *picture = random_bytes(n, 100, 14), *better = random_bytes(n, 1, 1);
    for (long t = 0; t < times; t++) {
        int counts[256];
        unsigned char level[256];
        for (int i = 0; i < 256; i++)
            counts[i] = 0;
        for (long i = 0; i < n; i++)
            counts[picture[i]]++;
        long sum = 0;
        for (int i = 0; i < 256; i++) {
            sum += counts[i];
            level[i] = (unsigned char)(255 * sum / n);
        }
        for (long i = 0; i < n; i++)
            better[i] = level[picture[i]];
    }
    double result = better[n / 2];
    free(picture);
    free(better);
    return result;
}

static void lorenz_slope(const double *at, double *slope)
{
    slope[0] = 10 * (at[1] - at[0]);
    slope[1] = at[0] * (28 - at[2]) - at[1];
    slope[2] = at[0] * at[1] - 8.0 / 3 * at[2];
}

/* Lorenz's equations for n starts, by the method of Runge and Kutta. */
double lorenz(long n, long times)
{
    double *all = random_doubles(3 * n, 7);
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            double *at = &all[3 * i], one[3], two[3], three[3], four[3], middle[3];
            lorenz_slope(at, one);
            for (int k = 0; k < 3; k++)
                middle[k] = at[k] + 0.005 * one[k];
            lorenz_slope(middle, two);
            for (int k = 0; k < 3; k++)
                middle[k] = at[k] + 0.005 * two[k];
            lorenz_slope(middle, three);
            for (int k = 0; k < 3; k++)
                middle[k] = at[k] + 0.01 * three[k];
            lorenz_slope(middle, four);
            for (int k = 0; k < 3; k++)
                at[k] += 0.01 / 6 * (one[k] + 2 * two[k] + 2 * three[k] + four[k]);
        }
    double result = all[1];
    free(all);
    return result;
}

/* A queue with priorities, as a binary heap: n keys come, and leave in order. */
double heap(long n, long times)
{
    int *keys = random_ints(n, 1000000000, 15), *heap = random_ints(n, 1, 1);
    long sum = 0;
    for (long t = 0; t < times; t++) {
        for (long size = 0; size < n; size++) {
            long at = size;
            while (at > 0 && heap[(at - 1) / 2] > keys[size]) {
                heap[at] = heap[(at - 1) / 2];
                at = (at - 1) / 2;
            }
            heap[at] = keys[size];
        }
        for (long size = n - 1; size > 0; size--) {
            int last = heap[size];
            long at = 0, child = 1;
            sum += heap[0] & size;
            while (child < size) {
                if (child + 1 < size && heap[child + 1] < heap[child])
                    child++;
                if (heap[child] >= last)
                    break;
                heap[at] = heap[child];
                at = child;
                child = 2 * at + 1;
            }
            heap[at] = last;
        }
    }
    free(keys);
    free(heap);
    return (double)sum;
}

/* Steps of Gauss and Seidel with overrelaxation on a square, and the largest change. */
double relaxation(long n, long times)
{
    double *grid = random_doubles(n * n, 7), most = 0;
    for (long t = 0; t < times; t++) {
        most = 0;
        for (long i = 1; i < n - 1; i++)
            for (long j = 1; j < n - 1; j++) {
                double change = 0.4 * (grid[(i - 1) * n + j] + grid[(i + 1) * n + j] + grid[i * n + j - 1] +
                                       grid[i * n + j + 1] - 4 * grid[i * n + j]);
                grid[i * n + j] += change;
                if (fabs(change) > most)
                    most = fabs(change);
            }
    }
    free(grid);
    return most;
}

/* Data as runs of equal bytes: their lengths and the byte. */
double run_lengths(long n, long times)
{
    unsigned char *data = random_bytes(n, 8, 16), *coded = random_bytes(2 * n + 2, 1, 1);
    long size = 0;
    for (long i = 1; i < n; i++)
        if (data[i] < 6)
            data[i] = data[i - 1];
    for (long t = 0; t < times; t++) {
        long length = 1;
        size = 0;
        for (long i = 1; i < n; i++)
            if (data[i] == data[i - 1] && length < 255) {
                length++;
            } else {
                coded[size] = (unsigned char)length;
                coded[size + 1] = data[i - 1];
                size += 2;
                length = 1;
            }
    }
    free(data);
    free(coded);
    return (double)size;
}

/* A step of the k-means algorithm: n points with four coordinates, ten centres. */
double means(long n, long times)
{
    float *points = random_floats(4 * n, 8), *centres = random_floats(40, 8);
    for (long t = 0; t < times; t++) {
        float sums[40];
        int counts[10];
        for (int k = 0; k < 40; k++)
            sums[k] = 0;
        for (int k = 0; k < 10; k++)
            counts[k] = 0;
        for (long i = 0; i < n; i++) {
            float least = 1e30F;
            int nearest = 0;
            for (int centre = 0; centre < 10; centre++) {
                float square = 0;
                for (int k = 0; k < 4; k++) {
                    float distance = points[4 * i + k] - centres[4 * centre + k];
                    square += distance * distance;
                }
                if (square < least) {
                    least = square;
                    nearest = centre;
                }
            }
            counts[nearest]++;
            for (int k = 0; k < 4; k++)
                sums[4 * nearest + k] += points[4 * i + k];
        }
        for (int centre = 0; centre < 10; centre++)
            for (int k = 0; k < 4; k++)
                if (counts[centre] > 0)
                    centres[4 * centre + k] = sums[4 * centre + k] / (float)counts[centre];
    }
    double result = centres[1];
    free(points);
    free(centres);
    return result;
}

/* Cholesky's decomposition, row by row. */
double cholesky(long n, long times)
{
    double *matrix = random_doubles(n * n, 7), *factor = random_doubles(n * n, 7);
    for (long i = 0; i < n; i++)
        matrix[i * n + i] += (double)n;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            for (long j = 0; j < i; j++) {
                double sum = matrix[i * n + j];
                for (long k = 0; k < j; k++)
                    sum -= factor[i * n + k] * factor[j * n + k];
                factor[i * n + j] = sum / factor[j * n + j];
            }
            double square = matrix[i * n + i];
            for (long k = 0; k < i; k++)
                square -= factor[i * n + k] * factor[i * n + k];
            factor[i * n + i] = sqrt(square);
        }
    double result = factor[n * n - 1];
    free(matrix);
    free(factor);
    return result;
}

struct order {
    int customer, amount;
};

/* Rows of two tables that have the same key, by a hash table with chains; n is a power of two. */
double join(long n, long times)
{
    struct order *orders = malloc((unsigned long)n * sizeof *orders);
    int *customers = random_ints(n, (unsigned long)n, 17), *wanted = random_ints(n, (unsigned long)n, 18),
        *first = random_ints(n, 1, 1), *next = random_ints(n, 1, 1);
    long sum = 0;
    for (long i = 0; i < n; i++) {
        orders[i].customer = customers[i];
        orders[i].amount = (int)(i % 100);
    }
    for (long t = 0; t < times; t++) {
        for (long i = 0; i < n; i++)
            first[i] = -1;
        for (long i = 0; i < n; i++) {
            unsigned bucket = (unsigned)orders[i].customer * 2654435761U & (unsigned)(n - 1);
            next[i] = first[bucket];
            first[bucket] = (int)i;
        }
        for (long i = 0; i < n; i++) {
            int at = first[(unsigned)wanted[i] * 2654435761U & (unsigned)(n - 1)];
            while (at >= 0) {
                if (orders[at].customer == wanted[i])
                    sum += orders[at].amount;
                at = next[at];
            }
        }
    }
    free(orders);
    free(customers);
    free(wanted);
    free(first);
    free(next);
    return (double)sum;
}

/* Second derivatives of a cubic spline, by elimination in a matrix of three diagonals. */
double spline(long n, long times)
{
    double *y = random_doubles(n, 7), *second = random_doubles(n, 7), *above = random_doubles(n, 7);
    for (long t = 0; t < times; t++) {
        second[0] = above[0] = 0;
        for (long i = 1; i < n - 1; i++) {
            double pivot = 0.5 * second[i - 1] + 2.0;
            second[i] = -0.5 / pivot;
            above[i] = (3.0 * (y[i + 1] - 2 * y[i] + y[i - 1]) - 0.5 * above[i - 1]) / pivot;
        }
        second[n - 1] = 0;
        for (long i = n - 2; i >= 0; i--)
            second[i] = second[i] * second[i + 1] + above[i];
    }
    double result = second[n / 2];
    free(y);
    free(second);
    free(above);
    return result;
}

enum { SPACE, LETTER, DIGIT, SIGN };

/* The tokens of a program's text: names, of which hashes are made, numbers, and signs. */
double tokens(long n, long times)
{
    unsigned char *text = random_bytes(n, 64, 19), kinds[256];
    unsigned hash = 0;
    long count = 0, number = 0;
    int state = SPACE;
    for (int i = 0; i < 256; i++)
        kinds[i] = i < 8 ? SPACE : i < 40 ? LETTER : i < 56 ? DIGIT : SIGN;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++) {
            int kind = kinds[text[i]];
            switch (state) {
            case LETTER:
                if (kind == LETTER || kind == DIGIT) {
                    hash = 31 * hash + text[i];
                } else {
                    count++;
                    state = kind;
                }
                break;
            case DIGIT:
                if (kind == DIGIT) {
                    number = 10 * number + text[i] - 40;
                } else {
                    count++;
                    hash ^= (unsigned)number;
                    number = 0;
                    state = kind;
                }
                break;
            case SIGN:
                count++;
                state = kind;
                break;
            default:
                state = kind;
                break;
            }
        }
    free(text);
    return (double)count + (double)hash;
}
