/* SPDX-License-Identifier: BSD-3-Clause */
/* See block_floor.h. */
#include "signature/phases/block_floor.h"

#include <gsl/gsl_sort_float.h>
#include <gsl/gsl_statistics_float.h>
#include <math.h>

/* A class tells its lag only if it has as many differences as lags. */
enum { LEAST_BLOCKS = 2 * FLOOR_LAGS, DIFFERENCES_MEMORY_BYTES = 64 << 20 };

typedef struct FloorClass {
    uint64_t n_blocks;
    size_t first_recent;     /* in BlockFloor.recent */
    double sums[FLOOR_LAGS]; /* of log(1 + difference), for each lag */
} FloorClass;

/* How a block differs from its predecessors in its class: for each lag, the largest difference over
 * processes that the tolerance doesn't cover, in ns. */
typedef struct Differences {
    uint32_t class;
    float by_lag[FLOOR_LAGS];
} Differences;

void block_floor_init(BlockFloor *floor, double tolerance)
{
    *floor = (BlockFloor){.tolerance = tolerance,
                          .differences = spool_new(1, sizeof(Differences), DIFFERENCES_MEMORY_BYTES)};
}

void block_floor_free(BlockFloor *floor)
{
    map_free(&floor->class_of);
    vec_free(&floor->classes);
    vec_free(&floor->recent);
    spool_free(floor->differences);
}

static FloorClass *find_class(BlockFloor *floor, uint32_t entry, uint32_t exit, uint32_t n_times)
{
    size_t number = map_number(&floor->class_of, (MapKey){entry, exit}, floor->classes.count);
    if (number == floor->classes.count) {
        *vec_push(&floor->classes) = (FloorClass){.first_recent = floor->recent.count};
        size_t n = (size_t)n_times * FLOOR_LAGS;
        vec_reserve(&floor->recent, n);
        floor->recent.count += n;
    }
    return &floor->classes.items[number];
}

static float largest_difference(const float *a, const float *b, uint32_t n, double tolerance)
{
    float largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        float difference = fabsf(a[i] - b[i]);
        if (difference > largest && difference > tolerance * fmaxf(a[i], b[i]))
            largest = difference;
    }
    return largest;
}

bool block_floor_add(BlockFloor *floor, uint32_t entry, uint32_t exit, const float *times, uint32_t n_times, Err *err)
{
    FloorClass *class = find_class(floor, entry, exit, n_times);
    float *recent = floor->recent.items + class->first_recent;
    bool ok = true;
    if (class->n_blocks >= FLOOR_LAGS) {
        Differences differences = {.class = (uint32_t)(class - floor->classes.items)};
        for (uint32_t lag = 1; lag <= FLOOR_LAGS; lag++) {
            const float *before = recent + (class->n_blocks - lag) % FLOOR_LAGS * n_times;
            float difference = largest_difference(times, before, n_times, floor->tolerance);
            differences.by_lag[lag - 1] = difference;
            class->sums[lag - 1] += log1p(difference);
        }
        ok = spool_write(floor->differences, 0, &differences, err);
    }
    memcpy(recent + class->n_blocks++ % FLOOR_LAGS * n_times, times, n_times * sizeof *times);
    return ok;
}

static uint32_t best_lag(const FloorClass *class)
{
    uint32_t best = 0;
    for (uint32_t lag = 1; lag < FLOOR_LAGS; lag++)
        if (class->sums[lag] < class->sums[best])
            best = lag;
    return best;
}

bool block_floor_find(BlockFloor *floor, double *floor_ns, Err *err)
{
    VEC(float) noise = {0};
    Differences differences;
    bool is_there, ok;
    spool_start(floor->differences, 0);
    while ((ok = spool_read(floor->differences, &differences, &is_there, err)) && is_there) {
        const FloorClass *class = &floor->classes.items[differences.class];
        if (class->n_blocks >= LEAST_BLOCKS)
            *vec_push(&noise) = differences.by_lag[best_lag(class)];
    }
    *floor_ns = 0;
    if (ok && noise.count) {
        gsl_sort_float(noise.items, 1, noise.count);
        *floor_ns = gsl_stats_float_quantile_from_sorted_data(noise.items, 1, noise.count, FLOOR_SHARE);
    }
    vec_free(&noise);
    return ok;
}
