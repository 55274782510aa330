/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of applications: images, texts, sparse and dense matrices, statistics. Sizes and probabilities:
 * kernels-3.pasl. */
#include <math.h>
#include <stdlib.h>

static unsigned long next_random(unsigned long state)
{
    return state * 6364136223846793005UL + 1442695040888963407UL;
}

static double *random_doubles(long n)
{
    double *values = malloc((unsigned long)n * sizeof *values);
    unsigned long state = 7;
    for (long i = 0; i < n; i++) {
        state = next_random(state);
        values[i] = (double)(state >> 11) / 9007199254740992.0;
    }
    return values;
}

static float *random_floats(long n)
{
    float *values = malloc((unsigned long)n * sizeof *values);
    unsigned long state = 8;
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

/* A picture that is blurred by 5 x 5 weights. */
double convolution(long n, long times)
{
    float *picture = random_floats(n * n), *blurred = random_floats(n * n), *weights = random_floats(25);
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
    double *values = random_doubles(8 * n), *turned = random_doubles(8 * n);
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
    double *all = random_doubles(3 * n);
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
    double *grid = random_doubles(n * n), most = 0;
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
    float *points = random_floats(4 * n), *centres = random_floats(40);
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
    double *matrix = random_doubles(n * n), *factor = random_doubles(n * n);
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
    double *y = random_doubles(n), *second = random_doubles(n), *above = random_doubles(n);
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
