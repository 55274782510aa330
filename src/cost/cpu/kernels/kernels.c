/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordinary kernels that `firma machine cpu` compiles with the options of an application and times,
 * to find what operations cost in their context. firma counts the kernels' operations as it counts
 * those of any task: kernels.pasl names the entries, their sizes, and their probabilities.
 * Each entry does its work `times` times on data of size n, and returns a number that depends on
 * all of it. */
#include <math.h>
#include <stdlib.h>

static unsigned long next_random(unsigned long state)
{
    return state * 6364136223846793005UL + 1442695040888963407UL;
}

static double *random_doubles(long n)
{
    double *values = malloc((unsigned long)n * sizeof *values);
    unsigned long state = 1;
    for (long i = 0; i < n; i++) {
        state = next_random(state);
        values[i] = (double)(state >> 11) / 9007199254740992.0;
    }
    return values;
}

static int *random_ints(long n, unsigned long limit)
{
    int *values = malloc((unsigned long)n * sizeof *values);
    unsigned long state = 2;
    for (long i = 0; i < n; i++) {
        state = next_random(state);
        values[i] = (int)((state >> 33) % limit);
    }
    return values;
}

static unsigned char *random_bytes(long n, unsigned long limit)
{
    unsigned char *values = malloc((unsigned long)n);
    unsigned long state = 3;
    for (long i = 0; i < n; i++) {
        state = next_random(state);
        values[i] = (unsigned char)((state >> 33) % limit);
    }
    return values;
}

/* The product of two matrices, each element as a product of a row and a column. */
double product(long n, long times)
{
    double *a = random_doubles(n * n), *b = random_doubles(n * n), *c = random_doubles(n * n);
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
    double *old = random_doubles(n * n), *new = random_doubles(n * n);
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
    int *values = random_ints(n, 1000000), *sorted = random_ints(n, 2);
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
    unsigned char *a = random_bytes(n, 4), *b = random_bytes(n + 1, 4);
    int *row = random_ints(n + 1, 1);
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
    int *values = random_ints(n, (unsigned long)n), *counts = random_ints(n, 1);
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
    int *values = random_ints(n, 100);
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
    double *values = random_doubles(8 * n), *x = random_doubles(n), *y = random_doubles(n);
    int *columns = random_ints(8 * n, (unsigned long)n);
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
    unsigned char *text = random_bytes(n, 8);
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
    int *wanted = random_ints(n, 1000000000);
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
    unsigned char *code = random_bytes(n, 6);
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
    unsigned char *data = random_bytes(n, 256);
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
    int *sorted = malloc((unsigned long)n * sizeof *sorted), *wanted = random_ints(n, 2 * (unsigned long)n);
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
    double *x = random_doubles(n), sum = 0;
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
    double *x = random_doubles(n), sum = 0;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            sum += sqrt(x[i]) * sin(x[i]) + cos(3 * x[i]);
    free(x);
    return sum;
}

/* Remainders of numbers by each other. */
double remainders(long n, long times)
{
    int *a = random_ints(n, 1000000), *b = random_ints(n, 1000);
    long sum = 0;
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            sum += a[i] % (b[i] + 1) + a[i] / (b[i] + 2);
    free(a);
    free(b);
    return (double)sum;
}
