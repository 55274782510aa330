/* SPDX-License-Identifier: BSD-3-Clause */
/* A third set of kernels that were kept aside, in the varied style of programs as people write them:
 * helper functions, structs, rows by pointers, recursions, early exits, checks of allocations. Whoever
 * works on predictions doesn't look at them. Sizes and what a prediction asks for: fresh.pasl. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

typedef struct {
    uint32_t state;
} Rng;

/* Xorshift with 32 bits. */
static uint32_t rng_next(Rng *rng)
{
    uint32_t x = rng->state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    rng->state = x;
    return x;
}

static double rng_uniform(Rng *rng)
{
    return rng_next(rng) * (1.0 / 4294967296.0);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = malloc(count * size);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static double **new_matrix(long rows, long columns)
{
    double **matrix = allocate((size_t)rows, sizeof(double *));
    for (long i = 0; i < rows; i++)
        matrix[i] = allocate((size_t)columns, sizeof(double));
    return matrix;
}

static void free_matrix(double **matrix, long rows)
{
    for (long i = 0; i < rows; i++)
        free(matrix[i]);
    free(matrix);
}

/* One colour of a step of Gauss and Seidel for Poisson's equation; returns the sum of squared changes. */
static double relax_colour(long n, double u[n][n], double f[n][n], int colour)
{
    const double h2 = 1.0 / (double)((n - 1) * (n - 1));
    double changes = 0.0;
    for (long i = 1; i < n - 1; i++) {
        for (long j = 1 + (i + colour) % 2; j < n - 1; j += 2) {
            double old = u[i][j];
            u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - h2 * f[i][j]);
            changes += (u[i][j] - old) * (u[i][j] - old);
        }
    }
    return changes;
}

/* Gauss-Seidel in red-black order, on arrays of variable length. */
double red_black(long n, long times)
{
    double(*u)[n] = malloc(sizeof(double[n][n]));
    double(*f)[n] = malloc(sizeof(double[n][n]));
    if (!u || !f)
        return -1.0;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            u[i][j] = i == 0 ? 1.0 : 0.0;
            f[i][j] = (double)(i - j) / (double)n;
        }
    double changes = 0.0;
    for (long t = 0; t < times; t++) {
        changes = relax_colour(n, u, f, 0);
        changes += relax_colour(n, u, f, 1);
    }
    free(u);
    free(f);
    return sqrt(changes);
}

static void swap_ints(int *a, int *b)
{
    int old = *a;
    *a = *b;
    *b = old;
}

static void sort_range(int *a, long low, long high)
{
    if (high - low < 12) {
        for (long i = low + 1; i <= high; i++) {
            int key = a[i];
            long j = i - 1;
            while (j >= low && a[j] > key) {
                a[j + 1] = a[j];
                j--;
            }
            a[j + 1] = key;
        }
        return;
    }
    int pivot = a[low + (high - low) / 2];
    long i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            swap_ints(&a[i], &a[j]);
            i++;
            j--;
        }
    }
    if (low < j)
        sort_range(a, low, j);
    if (i < high)
        sort_range(a, i, high);
}

/* Quick sort, recursive, with short parts sorted by insertion. */
double quick_sort(long n, long times)
{
    Rng rng = {12345};
    int *original = allocate((size_t)n, sizeof(int));
    int *a = allocate((size_t)n, sizeof(int));
    for (long i = 0; i < n; i++)
        original[i] = (int)(rng_next(&rng) >> 1);
    for (long t = 0; t < times; t++) {
        memcpy(a, original, (size_t)n * sizeof(int));
        sort_range(a, 0, n - 1);
    }
    double result = a[n / 2];
    free(original);
    free(a);
    return result;
}

struct item {
    long key;
    struct item *next;
};

static struct item *merge_two(struct item *a, struct item *b)
{
    struct item head, *tail = &head;
    while (a != NULL && b != NULL) {
        if (a->key <= b->key) {
            tail->next = a;
            a = a->next;
        } else {
            tail->next = b;
            b = b->next;
        }
        tail = tail->next;
    }
    tail->next = a != NULL ? a : b;
    return head.next;
}

/* Two sorted lists of n elements that become one. */
double merge_lists(long n, long times)
{
    Rng rng = {777};
    struct item *pool = allocate((size_t)(2 * n), sizeof *pool);
    long key = 0, sum = 0;
    for (long i = 0; i < 2 * n; i++) {
        if (i == n)
            key = 0;
        key += (long)(rng_next(&rng) % 10);
        pool[i].key = key;
    }
    for (long t = 0; t < times; t++) {
        for (long i = 0; i < 2 * n; i++)
            pool[i].next = i == n - 1 || i == 2 * n - 1 ? NULL : &pool[i + 1];
        struct item *merged = merge_two(&pool[0], &pool[n]);
        sum += merged->next->key;
    }
    free(pool);
    return (double)sum;
}

static int max_of_three(int a, int b, int c)
{
    int most = a > b ? a : b;
    return most > c ? most : c;
}

/* The score of the best local alignment of two sequences, with affine gaps (Smith, Waterman, Gotoh). */
double smith_waterman(long n, long times)
{
    const int open = 5, extend = 1;
    char *a = malloc((size_t)n), *b = malloc((size_t)n);
    int *score = malloc((size_t)(n + 1) * sizeof(int));
    int *gap = malloc((size_t)(n + 1) * sizeof(int));
    int best = 0;
    if (!a || !b || !score || !gap)
        return -1;
    Rng rng = {42};
    for (long i = 0; i < n; i++) {
        a[i] = "ACGT"[rng_next(&rng) >> 30];
        b[i] = rng_next(&rng) % 4 ? a[i] : "ACGT"[rng_next(&rng) >> 30];
    }
    for (long t = 0; t < times; t++) {
        best = 0;
        for (long j = 0; j <= n; j++) {
            score[j] = 0;
            gap[j] = -1000;
        }
        for (long i = 1; i <= n; i++) {
            int diagonal = 0, across = -1000;
            for (long j = 1; j <= n; j++) {
                int match = diagonal + (a[i - 1] == b[j - 1] ? 3 : -2);
                gap[j] = MAX(gap[j] - extend, score[j] - open);
                across = MAX(across - extend, score[j - 1] - open);
                diagonal = score[j];
                int here = max_of_three(match, gap[j], across);
                score[j] = here > 0 ? here : 0;
                if (score[j] > best)
                    best = score[j];
            }
        }
    }
    free(a);
    free(b);
    free(score);
    free(gap);
    return best;
}

/* y = A x along rows, then x = A^T y by walking down columns; x is normalized. */
double matrix_vector(long n, long times)
{
    double **a = new_matrix(n, n);
    double *x = allocate((size_t)n, sizeof(double)), *y = allocate((size_t)n, sizeof(double));
    Rng rng = {5};
    for (long i = 0; i < n; i++) {
        x[i] = 1.0;
        for (long j = 0; j < n; j++)
            a[i][j] = rng_uniform(&rng);
    }
    double norm = 0;
    for (long t = 0; t < times; t++) {
        for (long i = 0; i < n; i++) {
            double sum = 0;
            for (long j = 0; j < n; j++)
                sum += a[i][j] * x[j];
            y[i] = sum;
        }
        norm = 0;
        for (long j = 0; j < n; j++) {
            double sum = 0;
            for (long i = 0; i < n; i++)
                sum += a[i][j] * y[i];
            x[j] = sum;
            norm += sum * sum;
        }
        norm = sqrt(norm);
        for (long j = 0; j < n; j++)
            x[j] /= norm;
    }
    free_matrix(a, n);
    free(x);
    free(y);
    return norm;
}

static long packed(long i, long j)
{
    return i * (i + 1) / 2 + j;
}

/* Forward and back substitution with a lower triangle that is stored without zeros. */
double triangular_solve(long n, long times)
{
    double *lower = allocate((size_t)packed(n, 0), sizeof(double));
    double *b = allocate((size_t)n, sizeof(double));
    Rng rng = {99};
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < i; j++)
            lower[packed(i, j)] = (rng_uniform(&rng) - 0.5) / (double)n;
        lower[packed(i, i)] = 1.0 + 0.001 * rng_uniform(&rng);
        b[i] = 1.0;
    }
    for (long t = 0; t < times; t++) {
        for (long i = 0; i < n; i++) {
            double sum = b[i];
            for (long j = 0; j < i; j++)
                sum -= lower[packed(i, j)] * b[j];
            b[i] = sum / lower[packed(i, i)];
        }
        for (long i = n - 1; i >= 0; i--) {
            b[i] /= lower[packed(i, i)];
            for (long j = 0; j < i; j++)
                b[j] -= lower[packed(i, j)] * b[i];
        }
    }
    double result = b[n - 1];
    free(lower);
    free(b);
    return result;
}

#define N_BUCKETS 1024

typedef struct Entry {
    const char *word;
    int length, count;
    struct Entry *next;
} Entry;

static int same_word(const char *a, const char *b, int length)
{
    for (int i = 0; i < length; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

static Entry *find_word(Entry *bucket, const char *word, int length)
{
    for (Entry *entry = bucket; entry != NULL; entry = entry->next)
        if (entry->length == length && same_word(entry->word, word, length))
            return entry;
    return NULL;
}

/* How often each word occurs in a text of n characters, by a hash table with chains. */
double word_counts(long n, long times)
{
    char *text = allocate((size_t)n + 1, 1);
    Entry *pool = allocate(8000, sizeof *pool), *buckets[N_BUCKETS];
    Rng rng = {31};
    long n_words = 0, length = 0;
    for (long i = 0; i < n; i++) {
        if (length >= 4 || (length > 0 && rng_next(&rng) % 8 == 0)) {
            text[i] = ' ';
            length = 0;
        } else {
            text[i] = (char)('a' + rng_next(&rng) % 8);
            length++;
        }
    }
    text[n] = '\0';
    for (long t = 0; t < times; t++) {
        n_words = 0;
        for (int k = 0; k < N_BUCKETS; k++)
            buckets[k] = NULL;
        const char *at = text;
        while (*at != '\0') {
            while (*at == ' ')
                at++;
            const char *start = at;
            unsigned hash = 5381;
            while (*at != ' ' && *at != '\0') {
                hash = 33 * hash + (unsigned char)*at;
                at++;
            }
            if (at == start)
                break;
            int size = (int)(at - start);
            Entry **bucket = &buckets[hash % N_BUCKETS];
            Entry *found = find_word(*bucket, start, size);
            if (found != NULL) {
                found->count++;
            } else {
                Entry *entry = &pool[n_words++];
                entry->word = start;
                entry->length = size;
                entry->count = 1;
                entry->next = *bucket;
                *bucket = entry;
            }
        }
    }
    free(text);
    free(pool);
    return (double)n_words;
}

typedef struct {
    int n_vertices;
    int *first; /* of each vertex, in targets; one more at the end */
    int *targets;
} Graph;

static Graph random_graph(int n, Rng *rng)
{
    Graph graph = {n, allocate((size_t)n + 1, sizeof(int)), allocate((size_t)n * 8, sizeof(int))};
    int n_edges = 0;
    for (int i = 0; i < n; i++) {
        graph.first[i] = n_edges;
        int degree = 1 + (int)(rng_next(rng) % 8);
        for (int k = 0; k < degree; k++)
            graph.targets[n_edges++] = (int)(rng_next(rng) % (uint32_t)n);
    }
    graph.first[n] = n_edges;
    return graph;
}

/* Levels of a random graph's vertices, by breadth-first search, level by level. */
double breadth_first(long n, long times)
{
    Rng rng = {2024};
    Graph graph = random_graph((int)n, &rng);
    int *level = allocate((size_t)n, sizeof(int));
    int *frontier = allocate((size_t)n, sizeof(int)), *next = allocate((size_t)n, sizeof(int));
    int depth = 0;
    for (long t = 0; t < times; t++) {
        for (int i = 0; i < graph.n_vertices; i++)
            level[i] = -1;
        int n_frontier = 1;
        frontier[0] = 0;
        level[0] = 0;
        depth = 0;
        while (n_frontier > 0) {
            int n_next = 0;
            depth++;
            for (int i = 0; i < n_frontier; i++) {
                int u = frontier[i];
                for (int e = graph.first[u]; e < graph.first[u + 1]; e++) {
                    int v = graph.targets[e];
                    if (level[v] == -1) {
                        level[v] = depth;
                        next[n_next++] = v;
                    }
                }
            }
            int *other = frontier;
            frontier = next;
            next = other;
            n_frontier = n_next;
        }
    }
    free(graph.first);
    free(graph.targets);
    free(level);
    free(frontier);
    free(next);
    return depth;
}

typedef struct {
    unsigned key;
    int left, right, count;
} TreeNode;

/* Random keys that are put into a binary search tree, whose nodes stand in an array. */
double tree_insertion(long n, long times)
{
    TreeNode *nodes = allocate((size_t)n, sizeof(TreeNode));
    int deepest = 0;
    for (long t = 0; t < times; t++) {
        Rng rng = {1234567};
        int n_nodes = 0;
        deepest = 0;
        for (long i = 0; i < n; i++) {
            unsigned key = rng_next(&rng);
            int *link = NULL, at = n_nodes > 0 ? 0 : -1, depth = 0;
            while (at >= 0 && nodes[at].key != key) {
                link = key < nodes[at].key ? &nodes[at].left : &nodes[at].right;
                at = *link;
                depth++;
            }
            if (at >= 0) {
                nodes[at].count++;
                continue;
            }
            if (link)
                *link = n_nodes;
            nodes[n_nodes++] = (TreeNode){key, -1, -1, 1};
            if (depth > deepest)
                deepest = depth;
        }
    }
    free(nodes);
    return deepest;
}

typedef struct {
    double x, y, mass;
} Body;

typedef struct {
    double x, y, mass; /* centre of mass */
    double size;
    int child[4]; /* -1 is none */
} Cell;

/* Builds the cell of bodies first to end, which it sorts by quadrants; returns the cell's index. */
static int build_cell(Cell *cells, int *n_cells, Body *bodies, long first, long end, double x, double y, double size)
{
    int index = (*n_cells)++;
    Cell *cell = &cells[index];
    *cell = (Cell){0, 0, 0, size, {-1, -1, -1, -1}};
    for (long i = first; i < end; i++) {
        cell->x += bodies[i].mass * bodies[i].x;
        cell->y += bodies[i].mass * bodies[i].y;
        cell->mass += bodies[i].mass;
    }
    cell->x /= cell->mass;
    cell->y /= cell->mass;
    if (end - first <= 4 || size < 1e-6)
        return index;
    double half = 0.5 * size;
    long start = first;
    for (int quadrant = 0; quadrant < 4; quadrant++) {
        double left = x + (quadrant & 1 ? half : 0), below = y + (quadrant & 2 ? half : 0);
        long stop = start;
        for (long i = start; i < end; i++) {
            Body body = bodies[i];
            if (body.x >= left && body.x < left + half && body.y >= below && body.y < below + half) {
                bodies[i] = bodies[stop];
                bodies[stop++] = body;
            }
        }
        if (stop > start)
            cell->child[quadrant] = build_cell(cells, n_cells, bodies, start, stop, left, below, half);
        start = stop;
    }
    return index;
}

static double potential(const Cell *cells, int index, const Body *body)
{
    const Cell *cell = &cells[index];
    double dx = cell->x - body->x, dy = cell->y - body->y;
    double distance = sqrt(dx * dx + dy * dy + 1e-4);
    int leaf = cell->child[0] < 0 && cell->child[1] < 0 && cell->child[2] < 0 && cell->child[3] < 0;
    if (leaf || cell->size < 0.5 * distance)
        return -cell->mass / distance;
    double sum = 0;
    for (int k = 0; k < 4; k++)
        if (cell->child[k] >= 0)
            sum += potential(cells, cell->child[k], body);
    return sum;
}

/* The potential of bodies in a plane, by the tree of Barnes and Hut. */
double tree_potential(long n, long times)
{
    Body *bodies = allocate((size_t)n, sizeof(Body));
    Cell *cells = allocate((size_t)n * 4 + 16, sizeof(Cell));
    Rng rng = {8};
    double sum = 0;
    for (long i = 0; i < n; i++)
        bodies[i] = (Body){rng_uniform(&rng), rng_uniform(&rng), 1.0 / (double)n};
    for (long t = 0; t < times; t++) {
        int n_cells = 0;
        int root = build_cell(cells, &n_cells, bodies, 0, n, 0, 0, 1);
        sum = 0;
        for (long i = 0; i < n; i++)
            sum += potential(cells, root, &bodies[i]);
    }
    free(bodies);
    free(cells);
    return sum;
}

static long place_queens(unsigned all, unsigned columns, unsigned left, unsigned right)
{
    if (columns == all)
        return 1;
    long solutions = 0;
    unsigned possible = all & ~(columns | left | right);
    while (possible) {
        unsigned bit = possible & -possible;
        possible ^= bit;
        solutions += place_queens(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return solutions;
}

/* In how many ways n queens stand on a board of n x n fields. */
double queens(long n, long times)
{
    long solutions = 0;
    for (long t = 0; t < times; t++)
        solutions += place_queens((1U << n) - 1, 0, 0, 0);
    return (double)solutions;
}

/* The number below n with the longest sequence of Collatz. */
double collatz(long n, long times)
{
    long longest = 0, where = 0;
    for (long t = 0; t < times; t++) {
        longest = 0;
        for (long start = 1; start < n; start++) {
            long x = start, steps = 0;
            while (x != 1) {
                if (x % 2 == 0)
                    x /= 2;
                else
                    x = 3 * x + 1;
                steps++;
            }
            if (steps > longest) {
                longest = steps;
                where = start;
            }
        }
    }
    return (double)where;
}

#define ROTATE(x, k) ((x) >> (k) | (x) << (32 - (k)))

/* The compression function of SHA-256; constants are made up, which costs the same. */
static void digest_block(uint32_t state[8], const uint32_t constants[64], const unsigned char *block)
{
    uint32_t w[64];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               (uint32_t)block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = ROTATE(w[i - 15], 7) ^ ROTATE(w[i - 15], 18) ^ (w[i - 15] >> 3);
        uint32_t s1 = ROTATE(w[i - 2], 17) ^ ROTATE(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25);
        uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[i] + w[i];
        uint32_t s0 = ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22);
        uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

/* A cryptographic digest of n bytes; n is a multiple of 64. */
double digest(long n, long times)
{
    unsigned char *message = allocate((size_t)n, 1);
    uint32_t state[8] = {1, 2, 3, 4, 5, 6, 7, 8}, constants[64];
    Rng rng = {64};
    for (int i = 0; i < 64; i++)
        constants[i] = rng_next(&rng);
    for (long i = 0; i < n; i++)
        message[i] = (unsigned char)rng_next(&rng);
    for (long t = 0; t < times; t++)
        for (long at = 0; at + 64 <= n; at += 64)
            digest_block(state, constants, message + at);
    free(message);
    return state[0];
}

enum { HASH_BITS = 14, SHORTEST = 4, LONGEST = 255 };

static unsigned hash_of(const unsigned char *at)
{
    unsigned word = at[0] | (unsigned)at[1] << 8 | (unsigned)at[2] << 16 | (unsigned)at[3] << 24;
    return word * 2654435761U >> (32 - HASH_BITS);
}

/* Compression by references to what was there before, which a hash table finds. */
double lempel_ziv(long n, long times)
{
    unsigned char *in = allocate((size_t)n, 1), *out = allocate((size_t)(2 * n), 1);
    long *last = allocate(1L << HASH_BITS, sizeof(long));
    Rng rng = {17};
    long size = 0;
    for (long i = 0; i < n; i++)
        if (i >= 64 && i / 32 % 2 == 1)
            in[i] = in[i - 64 + i / 64 % 32]; /* repeats what stands a little before */
        else
            in[i] = (unsigned char)(rng_next(&rng) >> 24);
    for (long t = 0; t < times; t++) {
        for (long k = 0; k < 1L << HASH_BITS; k++)
            last[k] = -1;
        size = 0;
        long i = 0;
        while (i + SHORTEST <= n) {
            unsigned hash = hash_of(in + i);
            long candidate = last[hash], length = 0;
            last[hash] = i;
            if (candidate >= 0 && i - candidate < 65536)
                while (length < LONGEST && i + length < n && in[candidate + length] == in[i + length])
                    length++;
            if (length >= SHORTEST) {
                long distance = i - candidate;
                out[size++] = 1;
                out[size++] = (unsigned char)length;
                out[size++] = (unsigned char)(distance >> 8);
                out[size++] = (unsigned char)distance;
                i += length;
            } else {
                out[size++] = 0;
                out[size++] = in[i++];
            }
        }
    }
    double result = (double)size + out[size / 2];
    free(in);
    free(out);
    free(last);
    return result;
}

typedef struct {
    double x, y, z;
} Vec3;

static Vec3 subtract(Vec3 a, Vec3 b)
{
    return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static Vec3 scale(Vec3 a, double factor)
{
    return (Vec3){factor * a.x, factor * a.y, factor * a.z};
}

static double dot(Vec3 a, Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

typedef struct {
    Vec3 centre;
    double radius, brightness;
} Sphere;

/* Distance along a ray to a sphere, or -1 if the ray misses it. */
static double intersect(const Sphere *sphere, Vec3 origin, Vec3 direction)
{
    Vec3 way = subtract(sphere->centre, origin);
    double along = dot(way, direction);
    if (along < 0)
        return -1;
    double square = dot(way, way) - along * along;
    if (square > sphere->radius * sphere->radius)
        return -1;
    return along - sqrt(sphere->radius * sphere->radius - square);
}

/* A picture of 20 spheres, n x n rays. */
double ray_spheres(long n, long times)
{
    enum { N_SPHERES = 20 };
    Sphere spheres[N_SPHERES];
    Rng rng = {3};
    double light = 0;
    for (int k = 0; k < N_SPHERES; k++) {
        spheres[k].centre = (Vec3){4 * rng_uniform(&rng) - 2, 4 * rng_uniform(&rng) - 2, 3 + 6 * rng_uniform(&rng)};
        spheres[k].radius = 0.2 + 0.3 * rng_uniform(&rng);
        spheres[k].brightness = rng_uniform(&rng);
    }
    for (long t = 0; t < times; t++) {
        light = 0;
        for (long row = 0; row < n; row++) {
            for (long column = 0; column < n; column++) {
                Vec3 origin = {0, 0, 0};
                Vec3 direction = {2.0 * (double)column / (double)n - 1, 2.0 * (double)row / (double)n - 1, 2};
                direction = scale(direction, 1 / sqrt(dot(direction, direction)));
                const Sphere *nearest = NULL;
                double least = 1e30;
                for (int k = 0; k < N_SPHERES; k++) {
                    double distance = intersect(&spheres[k], origin, direction);
                    if (distance > 0 && distance < least) {
                        least = distance;
                        nearest = &spheres[k];
                    }
                }
                if (nearest == NULL)
                    continue;
                Vec3 normal = subtract(scale(direction, least), nearest->centre);
                light -= nearest->brightness * dot(normal, direction) / nearest->radius;
            }
        }
    }
    return light;
}

struct particles {
    double *x, *y, *z, *fx, *fy, *fz;
    int *first, *neighbours;
};

/* Forces between neighbours of which a list tells, each pair once; returns the energy. */
static double pair_forces(struct particles *p, long n, double cutoff)
{
    double energy = 0.0;
    for (long i = 0; i < n; i++)
        p->fx[i] = p->fy[i] = p->fz[i] = 0.0;
    for (long i = 0; i < n; i++) {
        for (int k = p->first[i]; k < p->first[i + 1]; k++) {
            int j = p->neighbours[k];
            double dx = p->x[i] - p->x[j], dy = p->y[i] - p->y[j], dz = p->z[i] - p->z[j];
            double square = dx * dx + dy * dy + dz * dz;
            if (square >= cutoff * cutoff)
                continue;
            double inverse = 1.0 / square;
            double sixth = inverse * inverse * inverse;
            double force = 24.0 * inverse * sixth * (2.0 * sixth - 1.0);
            energy += 4.0 * sixth * (sixth - 1.0);
            p->fx[i] += force * dx;
            p->fy[i] += force * dy;
            p->fz[i] += force * dz;
            p->fx[j] -= force * dx;
            p->fy[j] -= force * dy;
            p->fz[j] -= force * dz;
        }
    }
    return energy;
}

/* Molecular dynamics after Lennard and Jones: forces and moves of a cube of n x n x n atoms. */
double lennard_jones(long n, long times)
{
    long count = n * n * n, n_pairs = 0;
    struct particles p;
    double **fields[] = {&p.x, &p.y, &p.z, &p.fx, &p.fy, &p.fz};
    for (int k = 0; k < 6; k++)
        *fields[k] = allocate((size_t)count, sizeof(double));
    p.first = allocate((size_t)count + 1, sizeof(int));
    p.neighbours = allocate((size_t)count * 13, sizeof(int));
    Rng rng = {1001};
    for (long i = 0; i < count; i++) {
        p.x[i] = 1.15 * (double)(i / (n * n)) + 0.1 * rng_uniform(&rng);
        p.y[i] = 1.15 * (double)(i / n % n) + 0.1 * rng_uniform(&rng);
        p.z[i] = 1.15 * (double)(i % n) + 0.1 * rng_uniform(&rng);
    }
    for (long a = 0; a < n; a++)
        for (long b = 0; b < n; b++)
            for (long c = 0; c < n; c++) {
                p.first[(a * n + b) * n + c] = (int)n_pairs;
                for (long k = 14; k < 27; k++) {
                    long u = a + k / 9 - 1, v = b + k / 3 % 3 - 1, w = c + k % 3 - 1;
                    if (u < n && v >= 0 && v < n && w >= 0 && w < n)
                        p.neighbours[n_pairs++] = (int)((u * n + v) * n + w);
                }
            }
    p.first[count] = (int)n_pairs;
    double energy = 0.0;
    for (long t = 0; t < times; t++) {
        energy = pair_forces(&p, count, 1.7);
        for (long i = 0; i < count; i++) {
            p.x[i] += 1e-7 * p.fx[i];
            p.y[i] += 1e-7 * p.fy[i];
            p.z[i] += 1e-7 * p.fz[i];
        }
    }
    for (int k = 0; k < 6; k++)
        free(*fields[k]);
    free(p.first);
    free(p.neighbours);
    return energy;
}

/* Sixteen vectors that are made orthogonal and short, by the modified method of Gram and Schmidt. */
double gram_schmidt(long n, long times)
{
    const int k = 16;
    double **v = new_matrix(k, n);
    double trace = 0;
    Rng rng = {16};
    for (int i = 0; i < k; i++)
        for (long j = 0; j < n; j++)
            v[i][j] = rng_uniform(&rng) - 0.5;
    for (long t = 0; t < times; t++) {
        trace = 0;
        for (int i = 0; i < k; i++) {
            double *a = v[i], norm = 0;
            for (long j = 0; j < n; j++)
                norm += a[j] * a[j];
            norm = sqrt(norm);
            trace += norm;
            for (long j = 0; j < n; j++)
                a[j] = a[j] / norm;
            for (int other = i + 1; other < k; other++) {
                double *b = v[other], product = 0;
                for (long j = 0; j < n; j++)
                    product += a[j] * b[j];
                for (long j = 0; j < n; j++)
                    b[j] -= product * a[j];
            }
        }
    }
    free_matrix(v, k);
    return trace;
}

/* A matrix with five diagonals, two of which are `far` away from the middle, times a vector. */
static void banded_product(const double *x, double *y, int n, int far)
{
    for (int i = 0; i < n; i++) {
        double sum = 4.1 * x[i];
        if (i > 0)
            sum -= x[i - 1];
        if (i < n - 1)
            sum -= x[i + 1];
        if (i >= far)
            sum -= x[i - far];
        if (i < n - far)
            sum -= x[i + far];
        y[i] = sum;
    }
}

static double inner(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The method of conjugate gradients until the residual is small, or for 20 steps. */
double conjugate_gradient(long size, long times)
{
    int n = (int)size, far = (int)sqrt((double)size), steps = 0;
    double *x = allocate((size_t)n, sizeof *x), *r = allocate((size_t)n, sizeof *r);
    double *p = allocate((size_t)n, sizeof *p), *q = allocate((size_t)n, sizeof *q);
    for (long t = 0; t < times; t++) {
        for (int i = 0; i < n; i++) {
            x[i] = 0;
            r[i] = p[i] = i % 7 == 0 ? 1.0 : 0.5;
        }
        double rho = inner(r, r, n);
        for (steps = 0; steps < 20; steps++) {
            banded_product(p, q, n, far);
            double alpha = rho / inner(p, q, n);
            for (int i = 0; i < n; i++) {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
            }
            double next = inner(r, r, n);
            if (sqrt(next) < 1e-12)
                break;
            double beta = next / rho;
            rho = next;
            for (int i = 0; i < n; i++)
                p[i] = r[i] + beta * p[i];
        }
    }
    double result = x[n / 2] + steps;
    free(x);
    free(r);
    free(p);
    free(q);
    return result;
}

typedef struct {
    int width, height;
    unsigned char *pixels; /* red, green, blue */
} Image;

static Image new_image(int width, int height)
{
    return (Image){width, height, allocate((size_t)width * (size_t)height * 3, 1)};
}

static void enlarge(const Image *from, Image *to)
{
    float step_x = (float)(from->width - 1) / (float)to->width;
    float step_y = (float)(from->height - 1) / (float)to->height;
    for (int y = 0; y < to->height; y++) {
        float source_y = (float)y * step_y;
        int y0 = (int)source_y;
        float v = source_y - (float)y0;
        const unsigned char *upper = from->pixels + (size_t)y0 * (size_t)from->width * 3;
        const unsigned char *lower = upper + from->width * 3;
        unsigned char *out = to->pixels + (size_t)y * (size_t)to->width * 3;
        for (int x = 0; x < to->width; x++) {
            float source_x = (float)x * step_x;
            int x0 = (int)source_x;
            float u = source_x - (float)x0;
            for (int c = 0; c < 3; c++) {
                float top = (float)upper[3 * x0 + c] * (1 - u) + (float)upper[3 * x0 + 3 + c] * u;
                float bottom = (float)lower[3 * x0 + c] * (1 - u) + (float)lower[3 * x0 + 3 + c] * u;
                *out++ = (unsigned char)(top * (1 - v) + bottom * v + 0.5F);
            }
        }
    }
}

/* A coloured picture that is made one and a half times as wide and high, by bilinear interpolation. */
double bilinear(long n, long times)
{
    Image small = new_image((int)n, (int)n), large = new_image((int)(3 * n / 2), (int)(3 * n / 2));
    Rng rng = {255};
    for (long i = 0; i < 3 * n * n; i++)
        small.pixels[i] = (unsigned char)rng_next(&rng);
    for (long t = 0; t < times; t++)
        enlarge(&small, &large);
    double result = large.pixels[n];
    free(small.pixels);
    free(large.pixels);
    return result;
}

static float median_of_nine(float *window)
{
    for (int i = 1; i < 9; i++) {
        float value = window[i];
        int j = i;
        for (; j > 0 && window[j - 1] > value; j--)
            window[j] = window[j - 1];
        window[j] = value;
    }
    return window[4];
}

/* A picture without its noise: each point is the median of nine. */
double median_filter(long n, long times)
{
    float *in = allocate((size_t)(n * n), sizeof(float)), *out = allocate((size_t)(n * n), sizeof(float));
    Rng rng = {9};
    for (long i = 0; i < n * n; i++)
        out[i] = in[i] = (float)(i % n) + 100.0F * (float)rng_uniform(&rng);
    for (long t = 0; t < times; t++) {
        for (long y = 1; y < n - 1; y++) {
            for (long x = 1; x < n - 1; x++) {
                float window[9];
                int size = 0;
                for (long dy = -1; dy <= 1; dy++)
                    for (long dx = -1; dx <= 1; dx++)
                        window[size++] = in[(y + dy) * n + (x + dx)];
                out[y * n + x] = median_of_nine(window);
            }
        }
    }
    double result = out[n + 1];
    free(in);
    free(out);
    return result;
}

/* Two normal random numbers, by Box and Muller. */
static void normal_pair(Rng *rng, double *a, double *b)
{
    double radius = sqrt(-2.0 * log(1.0 - rng_uniform(rng)));
    double angle = 6.283185307179586 * rng_uniform(rng);
    *a = radius * cos(angle);
    *b = radius * sin(angle);
}

/* The price of an option by Monte Carlo, with antithetic paths. */
double option_price(long n, long times)
{
    const double start = 100, strike = 105, rate = 0.03, volatility = 0.2, years = 0.5;
    const double drift = (rate - 0.5 * volatility * volatility) * years, spread = volatility * sqrt(years);
    double price = 0;
    for (long t = 0; t < times; t++) {
        Rng rng = {4711};
        double sum = 0;
        for (long i = 0; i < n; i++) {
            double a, b;
            normal_pair(&rng, &a, &b);
            double up = start * exp(drift + spread * a), down = start * exp(drift - spread * a);
            double other = start * exp(drift + spread * b);
            if (up > strike)
                sum += up - strike;
            if (down > strike)
                sum += down - strike;
            sum += MAX(other - strike, 0.0);
        }
        price = exp(-rate * years) * sum / (3.0 * (double)n);
    }
    return price;
}

enum { RING = 256, TELLERS = 4 };

typedef struct {
    long arrived;
    int work;
} Customer;

typedef struct {
    Customer customers[RING];
    int head, count;
} Queue;

static int queue_push(Queue *queue, Customer customer)
{
    if (queue->count == RING)
        return 0;
    queue->customers[(queue->head + queue->count) % RING] = customer;
    queue->count++;
    return 1;
}

static Customer queue_pop(Queue *queue)
{
    Customer customer = queue->customers[queue->head];
    queue->head = (queue->head + 1) % RING;
    queue->count--;
    return customer;
}

/* A bank with four tellers and one queue, minute by minute. */
double bank_queue(long n, long times)
{
    long waited = 0, served = 0, sent_away = 0;
    for (long t = 0; t < times; t++) {
        Queue queue;
        int busy_for[TELLERS] = {0};
        Rng rng = {600613};
        queue.head = queue.count = 0;
        for (long minute = 0; minute < n; minute++) {
            if (rng_next(&rng) % 10 < 5) {
                Customer customer = {minute, 1 + (int)(rng_next(&rng) % 11)};
                if (!queue_push(&queue, customer))
                    sent_away++;
            }
            for (int teller = 0; teller < TELLERS; teller++) {
                if (busy_for[teller] > 0) {
                    busy_for[teller]--;
                } else if (queue.count > 0) {
                    Customer next = queue_pop(&queue);
                    busy_for[teller] = next.work;
                    waited += minute - next.arrived;
                    served++;
                }
            }
        }
    }
    return (double)waited / (double)(served + 1) + (double)sent_away;
}

static float dot_product(const float *a, const float *b, int n)
{
    float sum = 0.0F;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Which of n documents is most similar to a question: vectors of 64 features, in single precision. */
double similarity(long n, long times)
{
    enum { FEATURES = 64 };
    float *documents = allocate((size_t)(n * FEATURES), sizeof(float)), question[FEATURES];
    long best = -1;
    Rng rng = {63};
    for (long i = 0; i < n * FEATURES; i++)
        documents[i] = (float)rng_uniform(&rng) - 0.5F;
    for (long t = 0; t < times; t++) {
        for (int k = 0; k < FEATURES; k++)
            question[k] = (float)((t + k) % 5) - 2.0F;
        float highest = -2.0F;
        for (long i = 0; i < n; i++) {
            const float *document = &documents[i * FEATURES];
            float norm = sqrtf(dot_product(document, document, FEATURES));
            float cosine = dot_product(document, question, FEATURES) / norm;
            if (cosine > highest) {
                highest = cosine;
                best = i;
            }
        }
    }
    free(documents);
    return (double)best;
}

struct complex {
    double re, im;
};

static struct complex c_add(struct complex a, struct complex b)
{
    struct complex sum = {a.re + b.re, a.im + b.im};
    return sum;
}

static struct complex c_multiply(struct complex a, struct complex b)
{
    struct complex product;
    product.re = a.re * b.re - a.im * b.im;
    product.im = a.re * b.im + a.im * b.re;
    return product;
}

/* The product of two complex matrices. */
double complex_product(long n, long times)
{
    size_t bytes = (size_t)(n * n) * sizeof(struct complex);
    struct complex *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    if (a == NULL || b == NULL || c == NULL) {
        free(a);
        free(b);
        free(c);
        return -1;
    }
    for (long i = 0; i < n * n; i++) {
        a[i].re = (double)(i % 10);
        a[i].im = 1.0 / (double)(i + 1);
        b[i].re = (double)(i % 3) - 1.0;
        b[i].im = 0.5;
    }
    for (long t = 0; t < times; t++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) {
                struct complex sum = {0, 0};
                for (long k = 0; k < n; k++)
                    sum = c_add(sum, c_multiply(a[i * n + k], b[k * n + j]));
                c[i * n + j] = sum;
            }
    double result = c[n + 1].re + c[n + 1].im;
    free(a);
    free(b);
    free(c);
    return result;
}

typedef enum { LETTER, PARCEL, BOOK, PALLET } Kind;

typedef struct {
    Kind kind;
    int grams, zone, insured;
    double value;
} Shipment;

static double postage(const Shipment *shipment)
{
    double price;
    switch (shipment->kind) {
    case LETTER:
        if (shipment->grams <= 20)
            price = 0.95;
        else if (shipment->grams <= 50)
            price = 1.10;
        else if (shipment->grams <= 500)
            price = 1.80;
        else
            price = 2.90;
        break;
    case BOOK:
        price = 1.2 + 0.002 * shipment->grams;
        break;
    case PARCEL:
        price = 4.0 + (shipment->grams + 999) / 1000 * 0.85;
        break;
    case PALLET:
        price = 60.0;
        if (shipment->grams > 20000)
            price += 0.0015 * (shipment->grams - 20000);
        break;
    default:
        return 0.0;
    }
    if (shipment->zone == 2)
        price *= 1.5;
    else if (shipment->zone >= 3)
        price *= 2.25;
    if (shipment->insured && shipment->value > 100.0)
        price += 0.01 * shipment->value;
    return price;
}

/* What shipments cost, by a tariff with many cases. */
double tariff(long n, long times)
{
    Shipment *shipments = allocate((size_t)n, sizeof(Shipment));
    double total = 0.0;
    Rng rng = {1};
    for (long i = 0; i < n; i++) {
        shipments[i].kind = (Kind)(rng_next(&rng) >> 30);
        shipments[i].grams = (int)(rng_next(&rng) % 1000) * (shipments[i].kind == PALLET ? 40 : 1);
        shipments[i].zone = 1 + (int)(rng_next(&rng) % 3);
        shipments[i].insured = rng_next(&rng) % 4 == 0;
        shipments[i].value = 200.0 * rng_uniform(&rng);
    }
    for (long t = 0; t < times; t++) {
        total = 0.0;
        for (long i = 0; i < n; i++)
            total += postage(&shipments[i]);
    }
    free(shipments);
    return total;
}

typedef struct {
    int operation;
    double left, right;
} Task;

static double task_add(double a, double b)
{
    return a + b;
}

static double task_multiply(double a, double b)
{
    return a * b;
}

static double task_larger(double a, double b)
{
    return a > b ? a : b;
}

static double task_length(double a, double b)
{
    return sqrt(a * a + b * b);
}

/* Operations that a table of function pointers chooses. */
double callbacks(long n, long times)
{
    static double (*const operations[])(double, double) = {task_add, task_multiply, task_larger, task_length};
    Task *tasks = allocate((size_t)n, sizeof(Task));
    double sum = 0;
    Rng rng = {404};
    for (long i = 0; i < n; i++) {
        Task *task = tasks + i;
        task->operation = (int)(rng_next(&rng) % 4);
        task->left = rng_uniform(&rng);
        task->right = rng_uniform(&rng);
    }
    for (long t = 0; t < times; t++) {
        sum = 0;
        for (long i = 0; i < n; i++)
            sum += operations[tasks[i].operation](tasks[i].left, tasks[i].right);
    }
    free(tasks);
    return sum;
}

/* A gas on a lattice, with nine directions (D2Q9), after Bhatnagar, Gross and Krook; edges are periodic. */
double lattice_boltzmann(long n, long times)
{
    static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    static const double weight[9] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                     1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
    double *old = allocate((size_t)(9 * n * n), sizeof(double)), *new = allocate((size_t)(9 * n * n), sizeof(double));
    for (long i = 0; i < n * n; i++)
        for (int k = 0; k < 9; k++)
            old[9 * i + k] = weight[k] * (i % n == n / 2 ? 1.1 : 1.0);
    for (long t = 0; t < times; t++) {
        for (long y = 0; y < n; y++) {
            for (long x = 0; x < n; x++) {
                const double *f = &old[9 * (y * n + x)];
                double density = 0, ux = 0, uy = 0;
                for (int k = 0; k < 9; k++) {
                    density += f[k];
                    ux += cx[k] * f[k];
                    uy += cy[k] * f[k];
                }
                ux /= density;
                uy /= density;
                double square = 1.5 * (ux * ux + uy * uy);
                for (int k = 0; k < 9; k++) {
                    double along = 3 * (cx[k] * ux + cy[k] * uy);
                    double balance = weight[k] * density * (1 + along + 0.5 * along * along - square);
                    long to_x = (x + cx[k] + n) % n, to_y = (y + cy[k] + n) % n;
                    new[9 * (to_y * n + to_x) + k] = f[k] + 0.6 * (balance - f[k]);
                }
            }
        }
        double *swapped = old;
        old = new;
        new = swapped;
    }
    double result = old[9 * n + 1];
    free(old);
    free(new);
    return result;
}

/* Spins on a square that turn, or not, after Metropolis; the temperature is near the critical one. */
double ising(long n, long times)
{
    int *spin = allocate((size_t)(n * n), sizeof(int));
    double accept[5];
    Rng rng = {5150};
    long magnetization = 0;
    for (int k = 0; k < 5; k++)
        accept[k] = exp(-2.0 * (2 * k - 4) / 2.3);
    for (long i = 0; i < n * n; i++)
        spin[i] = rng_next(&rng) & 0x10000 ? 1 : -1;
    for (long t = 0; t < times; t++)
        for (long y = 0; y < n; y++) {
            long above = (y == 0 ? n - 1 : y - 1) * n, below = (y == n - 1 ? 0 : y + 1) * n;
            for (long x = 0; x < n; x++) {
                long left = x == 0 ? n - 1 : x - 1, right = x == n - 1 ? 0 : x + 1;
                int sum = spin[above + x] + spin[below + x] + spin[y * n + left] + spin[y * n + right];
                int energy = spin[y * n + x] * sum;
                if (energy <= 0 || rng_uniform(&rng) < accept[energy / 2 + 2])
                    spin[y * n + x] = -spin[y * n + x];
            }
        }
    for (long i = 0; i < n * n; i++)
        magnetization += spin[i];
    free(spin);
    return (double)magnetization;
}

typedef struct {
    double height, momentum;
} Water;

static Water physical_flux(Water water)
{
    double speed = water.momentum / water.height;
    return (Water){water.momentum, water.momentum * speed + 0.5 * 9.81 * water.height * water.height};
}

static double fastest(Water water)
{
    return fabs(water.momentum / water.height) + sqrt(9.81 * water.height);
}

/* The flux between two columns of water, after Rusanov. */
static Water flux_between(Water left, Water right)
{
    double speed = fmax(fastest(left), fastest(right));
    Water a = physical_flux(left), b = physical_flux(right);
    return (Water){0.5 * (a.height + b.height) - 0.5 * speed * (right.height - left.height),
                   0.5 * (a.momentum + b.momentum) - 0.5 * speed * (right.momentum - left.momentum)};
}

/* Shallow water in a channel behind a broken dam, by finite volumes. */
double shallow_water(long n, long times)
{
    Water *water = allocate((size_t)n, sizeof(Water)), *flux = allocate((size_t)n + 1, sizeof(Water));
    for (long i = 0; i < n; i++)
        water[i] = (Water){i < n / 2 ? 2.0 : 1.0, 0.0};
    for (long t = 0; t < times; t++) {
        const double ratio = 0.05; /* of the steps in time and space */
        for (long i = 1; i < n; i++)
            flux[i] = flux_between(water[i - 1], water[i]);
        for (long i = 1; i < n - 1; i++) {
            water[i].height -= ratio * (flux[i + 1].height - flux[i].height);
            water[i].momentum -= ratio * (flux[i + 1].momentum - flux[i].momentum);
        }
    }
    double result = water[n / 2].height;
    free(water);
    free(flux);
    return result;
}

typedef struct {
    long rows;
    long *start;
    int *column;
    double *value;
} SparseMatrix;

static void sparse_multiply(const SparseMatrix *m, const double *restrict x, double *restrict y)
{
    for (long row = 0; row < m->rows; row++) {
        double sum = 0.0;
        for (long k = m->start[row]; k < m->start[row + 1]; k++)
            sum += m->value[k] * x[m->column[k]];
        y[row] = sum;
    }
}

/* Steps of Jacobi's method for a sparse matrix in compressed rows, of 1 to 15 elements near the diagonal. */
double compressed_rows(long n, long times)
{
    SparseMatrix m = {n, allocate((size_t)n + 1, sizeof(long)), allocate((size_t)n * 15, sizeof(int)),
                      allocate((size_t)n * 15, sizeof(double))};
    double *x = allocate((size_t)n, sizeof(double)), *y = allocate((size_t)n, sizeof(double));
    Rng rng = {1789};
    long k = 0;
    for (long row = 0; row < n; row++) {
        m.start[row] = k;
        x[row] = rng_uniform(&rng);
        long width = 1 + (long)(rng_next(&rng) % 15);
        for (long i = 0; i < width; i++) {
            long column = row + (long)(rng_next(&rng) % 200) - 100;
            m.column[k] = (int)MIN(MAX(column, 0), n - 1);
            m.value[k] = 1.0 / (double)width;
            k++;
        }
    }
    m.start[n] = k;
    for (long t = 0; t < times; t++) {
        sparse_multiply(&m, x, y);
        for (long row = 0; row < n; row++)
            x[row] += 0.5 * (y[row] - x[row]);
    }
    double result = x[n / 2];
    free(m.start);
    free(m.column);
    free(m.value);
    free(x);
    free(y);
    return result;
}
