/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of functions of the C library that work on blocks of memory, on texts, and that sort. */
#include "cost/cpu/worker/worker.h"

#include "cost/cpu/worker/barrier.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A block fits in the first cache, or in the second. */
enum { NEAR_BYTES = 4096, FAR_BYTES = 128 << 10, WORD_BYTES = 8, SHORT_BYTES = 24 };
static char one[FAR_BYTES + 1], other[FAR_BYTES + 1];

static size_t block_of(size_t bytes)
{
    memset(one, 'a', bytes);
    memset(other, 'a', bytes);
    one[bytes] = other[bytes] = '\0';
    BARRIER_whole(bytes);
    return bytes;
}

#define DEFINE_BLOCK(name, size, ...)                                                                                  \
    static void name(uint64_t n)                                                                                       \
    {                                                                                                                  \
        const size_t bytes = block_of(size);                                                                           \
        for (; n; n--) {                                                                                               \
            intptr_t result = (intptr_t)(__VA_ARGS__);                                                                 \
            BARRIER_whole(result);                                                                                     \
            __asm__ volatile("" : : "r"(one), "r"(other) : "memory");                                                  \
        }                                                                                                              \
    }
#define DEFINE_BLOCKS(name, ...)                                                                                       \
    DEFINE_BLOCK(name##_near, NEAR_BYTES, __VA_ARGS__)                                                                 \
    DEFINE_BLOCK(name##_far, FAR_BYTES, __VA_ARGS__)                                                                   \
    DEFINE_BLOCK(name##_short, SHORT_BYTES, __VA_ARGS__)
DEFINE_BLOCKS(fill, memset(one, (int)n, bytes))
DEFINE_BLOCKS(copy, memcpy(one, other, bytes))
DEFINE_BLOCKS(look, strlen(one) + bytes)
DEFINE_BLOCKS(compare, memcmp(one, other, bytes))

/* ---- Sorting ---- */

enum { FEW = 64, FEW_STEPS = FEW * 6, MANY = 4096, MANY_STEPS = MANY * 12 };

static int by_value(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* is_same: numbers whose order a processor learns. */
static void sort(uint64_t n, size_t count, bool is_same)
{
    static int64_t values[MANY];
    uint64_t state = 1;
    for (; n; n--) {
        state = is_same ? 1 : state;
        for (size_t i = 0; i < count; i++) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            values[i] = (int64_t)(state >> 33);
        }
        qsort(values, count, sizeof *values, by_value);
    }
}

static void sort_few(uint64_t n)
{
    sort(n, FEW, false);
}

static void sort_again(uint64_t n)
{
    sort(n, FEW, true);
}

static void sort_many(uint64_t n)
{
    sort(n, MANY, false);
}

#define WORDS(bytes) ((bytes) / WORD_BYTES)

const Kernel block_kernels[] = {
    {"block_int8", "near", fill_near, WORDS(NEAR_BYTES), ""},
    {"block_int8", "far", fill_far, WORDS(FAR_BYTES), ""},
    {"block_int16", "near", copy_near, WORDS(NEAR_BYTES), ""},
    {"block_int16", "far", copy_far, WORDS(FAR_BYTES), ""},
    {"block_int32", "near", look_near, WORDS(NEAR_BYTES), ""},
    {"block_int32", "far", look_far, WORDS(FAR_BYTES), ""},
    {"block_int64", "near", compare_near, WORDS(NEAR_BYTES), ""},
    {"block_int64", "far", compare_far, WORDS(FAR_BYTES), ""},
    {"block_double", "again", sort_again, FEW_STEPS, ""},
    {"block_double", "few", sort_few, FEW_STEPS, ""},
    {"block_double", "many", sort_many, MANY_STEPS, ""},
    {"block_reference", "fill", fill_short, 1, ""},
    {"block_reference", "copy", copy_short, 1, ""},
    {"block_reference", "look", look_short, 1, ""},
    {"block_reference", "compare", compare_short, 1, ""},
};
const size_t n_block_kernels = sizeof block_kernels / sizeof *block_kernels;
