/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of branches, random numbers and allocations. */
#include "cost/cpu/worker/worker.h"

#include "cost/cpu/worker/barrier.h"
#include "cost/cpu/worker/operations.h"
#include <stdbool.h>
#include <stdlib.h>

/* So many that a processor can't learn the direction of each. */
enum { WAYS = 1 << 16 };
static volatile int8_t random_ways[WAYS], equal_ways[WAYS];
static size_t way;

/* Both sides differ for the compiler, so it makes a branch. */
#define TAKE_BRANCH(ways)                                                                                              \
    if (ways[i++ % WAYS])                                                                                              \
        __asm__ volatile("# one way");                                                                                 \
    else                                                                                                               \
        __asm__ volatile("# the other way");

static void branch_that_is_known(uint64_t n)
{
    size_t i = way;
    for (; n; n--) {
        REPEAT_32(TAKE_BRANCH(equal_ways))
    }
    way = i;
}

static void branch_that_is_random(uint64_t n)
{
    size_t i = way;
    static bool is_drawn;
    for (size_t k = 0; k < WAYS && !is_drawn; k++)
        random_ways[k] = rand() >> 16 & 1;
    is_drawn = true;
    for (; n; n--) {
        REPEAT_32(TAKE_BRANCH(random_ways))
    }
    way = i;
}

static unsigned short random_state[3] = {1, 2, 3};
static unsigned random_seed = 1;

#define DEFINE_RANDOM(name, type, call)                                                                                \
    static void name(uint64_t n)                                                                                       \
    {                                                                                                                  \
        for (; n; n--) {                                                                                               \
            C_##type x = call;                                                                                         \
            BARRIER_##type(x);                                                                                         \
        }                                                                                                              \
    }
DEFINE_RANDOM(random_of_rand, int32, rand())
DEFINE_RANDOM(random_of_rand_r, int32, rand_r(&random_seed))
DEFINE_RANDOM(random_of_random, int64, random())
DEFINE_RANDOM(random_of_lrand48, int64, lrand48())
DEFINE_RANDOM(random_of_drand48, double, drand48())
DEFINE_RANDOM(random_of_erand48, double, erand48(random_state))

#define DEFINE_ALLOCATE(bytes)                                                                                         \
    static void allocate_##bytes(uint64_t n)                                                                           \
    {                                                                                                                  \
        for (; n; n--) {                                                                                               \
            void *block = malloc(bytes);                                                                               \
            BARRIER_whole(block);                                                                                      \
            free(block);                                                                                               \
        }                                                                                                              \
    }
DEFINE_ALLOCATE(32)
DEFINE_ALLOCATE(4096)
DEFINE_ALLOCATE(65536)

const Kernel other_kernels[] = {
    {"branch_int32", "known", branch_that_is_known, 32, "access_int8 load"},
    {"branch_int32", "random", branch_that_is_random, 32, "access_int8 load"},
    {"random_int32", "rand", random_of_rand, 1, ""},
    {"random_int32", "rand_r", random_of_rand_r, 1, ""},
    {"random_int64", "random", random_of_random, 1, ""},
    {"random_int64", "lrand48", random_of_lrand48, 1, ""},
    {"random_double", "drand48", random_of_drand48, 1, ""},
    {"random_double", "erand48", random_of_erand48, 1, ""},
    {"allocate_reference", "32", allocate_32, 1, ""},
    {"allocate_reference", "4096", allocate_4096, 1, ""},
    {"allocate_reference", "65536", allocate_65536, 1, ""},
};
const size_t n_other_kernels = sizeof other_kernels / sizeof *other_kernels;
