/* SPDX-License-Identifier: BSD-3-Clause */
/* See sample.h.
 *
 *     iterations of a loop    0  1  2  3  4  5  6  7  8  9
 *     kept, 4 of 10           0        3        6        9
 *     their weights           1        4        4        1
 *
 * The middle is divided into equal parts, and one iteration is drawn from each: at equal distances, a
 * program that does more work in every tenth iteration would be judged by these alone, or by none. */
#include "simulation/sample.h"

/* Numbers that look random but are the same in every run (SplitMix64's finalizer). */
static uint64_t mix(uint64_t number)
{
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

static uint64_t body_length(const Loop *loop)
{
    return loop_length(loop) / loop->count;
}

static void choose(const Loop *loop, uint64_t first, double weight, uint64_t iterations, Sample *sample);

static void choose_iteration(const Loop *loop, uint64_t first, double weight, uint64_t iterations, Sample *sample)
{
    if (loop->phase)
        *vec_push(sample) = (Sampled){first, weight};
    for (uint32_t i = 0; !loop->phase && i < loop->n_body; i++) {
        choose(&loop->body[i], first, weight, iterations, sample);
        first += loop_length(&loop->body[i]);
    }
}

static void choose(const Loop *loop, uint64_t first, double weight, uint64_t iterations, Sample *sample)
{
    const uint64_t length = body_length(loop), middle = loop->count - 2, n = iterations - 2;
    if (!iterations || loop->count <= iterations) {
        for (uint64_t i = 0; i < loop->count; i++)
            choose_iteration(loop, first + i * length, weight, iterations, sample);
        return;
    }
    choose_iteration(loop, first, weight, iterations, sample);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t from = 1 + middle * i / n, to = 1 + middle * (i + 1) / n;
        uint64_t drawn = from + mix(first + i * UINT64_C(0x9e3779b97f4a7c15)) % (to - from);
        choose_iteration(loop, first + drawn * length, weight * (double)(to - from), iterations, sample);
    }
    choose_iteration(loop, first + (loop->count - 1) * length, weight, iterations, sample);
}

void sample_choose(const Loop *sequence, uint64_t iterations, Sample *sample)
{
    sample->count = 0;
    choose(sequence, 0, 1, iterations, sample);
}
