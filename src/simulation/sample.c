/* SPDX-License-Identifier: BSD-3-Clause */
/* See sample.h.
 *
 *     iterations of a loop    0  1  2  3  4  5  6  7  8  9 10 11
 *     kept, 8 of 12           0  1  2     4  5        8  9    11
 *     their weights           1  1  1     2  2        2  2     1
 *
 * At first, processes get out of step with each other, so the first quarter of the kept iterations are the
 * loop's own first ones. The rest is divided into equal parts, and one iteration is drawn from each: at equal
 * distances, a program that does more work in every tenth iteration would be judged by these alone, or by
 * none. */
#include "simulation/sample.h"

enum { FIRST_SHARE = 4, OUTER_SHARE = 3, LEAST_ITERATIONS = 3, SHORTEST_BLOCK = 3 }; /* 1/4, 1/3 */

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

/* The longest loop in one iteration, with loops in it. */
static uint64_t longest_in(const Loop *loop)
{
    uint64_t longest = 1;
    for (uint32_t i = 0; i < loop->n_body; i++) {
        uint64_t length = loop->body[i].count * longest_in(&loop->body[i]);
        longest = length > longest ? length : longest;
    }
    return longest;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Processes get out of step, or into step, within a loop in a loop. So rather the outer one is cut. 0: all. */
static uint64_t own_iterations(const Loop *loop, uint64_t iterations)
{
    uint64_t longest = longest_in(loop);
    if (!iterations || loop->count == 1)
        return iterations;
    return larger(larger(iterations / longest, iterations / OUTER_SHARE), LEAST_ITERATIONS);
}

/* As many as there are `block` iterations of the innermost loops in; 1, or at least SHORTEST_BLOCK. */
static uint64_t own_block(const Loop *loop, uint64_t block)
{
    uint64_t longest = longest_in(loop);
    return block > 1 ? larger((block + longest - 1) / longest, SHORTEST_BLOCK) : 1;
}

/* What is chosen, from an occurrence on. */
typedef struct Choice {
    uint64_t iterations, block;
    double weight;
    SampleUnit unit;
} Choice;

static void choose(const Loop *loop, uint64_t first, const Choice *choice, Sample *sample);

static void choose_iteration(const Loop *loop, uint64_t first, const Choice *choice, Sample *sample)
{
    if (loop->phase)
        *vec_push(sample) = (Sampled){
            .occurrence = first, .weight = choice->weight, .drawn_weight = choice->weight, .unit = choice->unit};
    for (uint32_t i = 0; !loop->phase && i < loop->n_body; i++) {
        choose(&loop->body[i], first, choice, sample);
        first += loop_length(&loop->body[i]);
    }
}

/* The block begins with this occurrence, and stands for so many iterations. */
static void choose_block(const Loop *loop, uint64_t first, uint64_t begin, uint64_t block, uint64_t weight,
                         const Choice *choice, Sample *sample)
{
    const uint64_t from = block / 2, to = block > 1 ? block - 1 : 1;
    for (uint64_t i = 0; i < block; i++) {
        Choice drawn = *choice;
        drawn.weight *= i >= from && i < to ? (double)weight / (double)(to - from) : 0;
        if (!choice->unit.weight && drawn.weight > 0)
            drawn.unit = (SampleUnit){first, begin, (double)weight};
        choose_iteration(loop, begin + i * body_length(loop), &drawn, sample);
    }
}

static void choose(const Loop *loop, uint64_t first, const Choice *choice, Sample *sample)
{
    const uint64_t length = body_length(loop), n_kept = own_iterations(loop, choice->iterations),
                   n_first = 1 + n_kept / FIRST_SHARE, middle = loop->count - n_first - 1,
                   block = own_block(loop, choice->block), n = larger((n_kept - n_first - 1) / block, 1);
    const bool is_kept = !n_kept || loop->count <= n_kept || middle < n * block;
    for (uint64_t i = 0; i < (is_kept ? loop->count : n_first); i++)
        choose_iteration(loop, first + i * length, choice, sample);
    if (is_kept)
        return;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t from = n_first + middle * i / n, to = n_first + middle * (i + 1) / n;
        uint64_t drawn = from + mix(first + i * UINT64_C(0x9e3779b97f4a7c15)) % (to - from - block + 1);
        choose_block(loop, first, first + drawn * length, block, to - from, choice, sample);
    }
    choose_iteration(loop, first + (loop->count - 1) * length, choice, sample);
}

void sample_choose(const Loop *sequence, uint64_t iterations, uint64_t block, Sample *sample)
{
    const Choice choice = {.iterations = iterations, .block = block, .weight = 1};
    sample->count = 0;
    choose(sequence, 0, &choice, sample);
}
