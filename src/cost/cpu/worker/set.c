/* SPDX-License-Identifier: BSD-3-Clause */
/* The set of benchmarks for relative performance: each is a fixed amount of work, the same as in
 * Java. */
#include "cost/cpu/worker/worker.h"

#include <stdlib.h>
#include <string.h>

enum { MATRIX = 96, SIEVE = 300000, POINTS = 400000, SORTED = 40000, CHAIN = 1 << 15, LETTERS = 1 << 18 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return *state >> 33;
}

static uint64_t multiply_matrices(void)
{
    static double a[MATRIX][MATRIX], b[MATRIX][MATRIX], c[MATRIX][MATRIX];
    for (int i = 0; i < MATRIX; i++)
        for (int j = 0; j < MATRIX; j++)
            a[i][j] = i + j, b[i][j] = i - j;
    for (int i = 0; i < MATRIX; i++)
        for (int j = 0; j < MATRIX; j++) {
            double sum = 0;
            for (int k = 0; k < MATRIX; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    return (uint64_t)c[MATRIX - 1][0];
}

static uint64_t find_primes(void)
{
    static char is_composite[SIEVE];
    uint64_t found = 0;
    memset(is_composite, 0, sizeof is_composite);
    for (int i = 2; i < SIEVE; i++) {
        if (is_composite[i])
            continue;
        found++;
        for (int64_t k = (int64_t)i * i; k < SIEVE; k += i)
            is_composite[k] = 1;
    }
    return found;
}

static uint64_t throw_points(void)
{
    uint64_t state = 1, inside = 0;
    for (int i = 0; i < POINTS; i++) {
        double x = (double)next_random(&state) / 2147483648.0, y = (double)next_random(&state) / 2147483648.0;
        if (x * x + y * y <= 1)
            inside++;
    }
    return inside;
}

static void sift(int32_t *heap, int at, int n)
{
    for (int child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && heap[child + 1] > heap[child];
        if (heap[at] >= heap[child])
            return;
        int32_t other = heap[at];
        heap[at] = heap[child];
        heap[child] = other;
    }
}

static uint64_t sort_numbers(void)
{
    static int32_t heap[SORTED];
    uint64_t state = 2;
    for (int i = 0; i < SORTED; i++)
        heap[i] = (int32_t)next_random(&state);
    for (int i = SORTED / 2; i >= 0; i--)
        sift(heap, i, SORTED);
    for (int n = SORTED - 1; n > 0; n--) {
        int32_t largest = heap[0];
        heap[0] = heap[n];
        heap[n] = largest;
        sift(heap, 0, n);
    }
    return (uint64_t)heap[SORTED / 2];
}

struct link {
    struct link *next;
    uint64_t value;
};

/* The links follow a random generator with full period, so each leads far away. */
static uint64_t follow_chain(void)
{
    static struct link links[CHAIN];
    uint64_t sum = 0;
    for (uint64_t i = 0; i < CHAIN; i++)
        links[i] = (struct link){&links[(i * 12869 + 6925) % CHAIN], i};
    const struct link *at = links;
    for (int i = 0; i < 4 * CHAIN; i++, at = at->next)
        sum += at->value;
    return sum;
}

static uint64_t count_words(void)
{
    static char text[LETTERS];
    uint64_t state = 3, words = 0;
    for (int i = 0; i < LETTERS; i++)
        text[i] = (char)(next_random(&state) % 6 ? 'a' + next_random(&state) % 26 : ' ');
    for (int i = 1; i < LETTERS; i++)
        words += text[i] == ' ' && text[i - 1] != ' ';
    return words;
}

const SetProgram set_programs[] = {
    {"matrices", multiply_matrices}, {"primes", find_primes}, {"points", throw_points},
    {"sort", sort_numbers},          {"chain", follow_chain}, {"words", count_words},
};
const size_t n_set_programs = sizeof set_programs / sizeof *set_programs;
