/* SPDX-License-Identifier: BSD-3-Clause */
/* See calibrate.h. With x the times of an occurrence in the trace, X their sum over all occurrences of the phase
 * that the drawn ones stand for, and w the weights, this is the calibration estimator of survey sampling:
 *
 *     w' = w · (1 + Σ l z),  l = (X - Σ w x) / Σ w z²
 *
 * z are the times less their mean; of the second, also less what the first one tells of it. */
#include "simulation/calibrate.h"

#include "base/map.h"
#include <math.h>
#include <stdlib.h>

/* So many drawn occurrences are needed for the first feature, for two, and for all. */
static const size_t LEAST_DRAWN[SAMPLE_FEATURES] = {4, 8, 16};
static const double LEAST_DEVIATION = 1e-6;         /* of a feature, of an occurrence's time */
static const double MOST_LOSS = 0.9, MOST_GAIN = 9; /* of a weight: it becomes between 1/10 and 10 times as large */

typedef struct Group {
    VEC(size_t) drawn;            /* indices into the sample */
    double left[SAMPLE_FEATURES]; /* of all occurrences but those that stand for themselves alone */
} Group;

static void times_of(const TracedTime *traced, double times[SAMPLE_FEATURES])
{
    times[0] = traced->compute_ns;
    times[1] = traced->mpi_ns;
    times[2] = traced->ideal_ns;
}

static double product(const Group *group, const Sample *sample, size_t j, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < group->drawn.count; i++) {
        const Sampled *sampled = &sample->items[group->drawn.items[i]];
        sum += sampled->weight * sampled->features[j] * sampled->features[k];
    }
    return sum;
}

/* Takes off from feature k what feature j tells of it. */
static void take_off(const Group *group, Sample *sample, size_t j, size_t k, double square,
                     double left[SAMPLE_FEATURES])
{
    const double slope = product(group, sample, j, k) / square;
    left[k] -= slope * left[j];
    for (size_t i = 0; i < group->drawn.count; i++) {
        double *features = sample->items[group->drawn.items[i]].features;
        features[k] -= slope * features[j];
    }
}

/* The features, centred and orthogonal. squares: 0 for a feature that can't be used. */
static void find_features(const Group *group, const Work *work, Sample *sample, double left[SAMPLE_FEATURES],
                          double squares[SAMPLE_FEATURES])
{
    double weight = 0, means[SAMPLE_FEATURES] = {0};
    for (size_t i = 0; i < group->drawn.count; i++) {
        Sampled *sampled = &sample->items[group->drawn.items[i]];
        times_of(&work->kept[group->drawn.items[i]], sampled->features);
        weight += sampled->weight;
        for (size_t k = 0; k < SAMPLE_FEATURES; k++)
            means[k] += sampled->weight * sampled->features[k];
    }
    for (size_t k = 0; k < SAMPLE_FEATURES; k++) {
        left[k] = group->left[k] - means[k];
        means[k] /= weight;
    }
    for (size_t i = 0; i < group->drawn.count; i++) {
        Sampled *sampled = &sample->items[group->drawn.items[i]];
        for (size_t k = 0; k < SAMPLE_FEATURES; k++)
            sampled->features[k] -= means[k];
    }
    const double least = weight * pow(LEAST_DEVIATION * (means[0] + means[1]), 2);
    for (size_t k = 0; k < SAMPLE_FEATURES; k++) {
        for (size_t j = 0; j < k; j++)
            if (squares[j] > 0)
                take_off(group, sample, j, k, squares[j], left);
        squares[k] = product(group, sample, k, k);
        if (group->drawn.count < LEAST_DRAWN[k] || squares[k] <= least)
            squares[k] = 0;
    }
}

static double change_of(const Sampled *sampled, const double factors[SAMPLE_FEATURES])
{
    double change = 0;
    for (size_t k = 0; k < SAMPLE_FEATURES; k++)
        change += factors[k] * sampled->features[k];
    return change;
}

/* Returns the time by which the group still differs. */
static double calibrate_group(const Group *group, const Work *work, Sample *sample)
{
    double left[SAMPLE_FEATURES], squares[SAMPLE_FEATURES] = {0}, factors[SAMPLE_FEATURES], excess = 1, rest_ns = 0;
    if (!group->drawn.count)
        return 0;
    find_features(group, work, sample, left, squares);
    for (size_t k = 0; k < SAMPLE_FEATURES; k++)
        factors[k] = squares[k] > 0 ? left[k] / squares[k] : 0;
    for (size_t i = 0; i < group->drawn.count; i++) {
        double change = change_of(&sample->items[group->drawn.items[i]], factors);
        excess = fmax(excess, fmax(change / MOST_GAIN, -change / MOST_LOSS));
    }
    for (size_t i = 0; i < group->drawn.count; i++) {
        Sampled *sampled = &sample->items[group->drawn.items[i]];
        sampled->weight *= 1 + change_of(sampled, factors) / excess;
        for (size_t k = 0; k < SAMPLE_FEATURES; k++)
            sampled->features[k] = squares[k] > 0 ? sampled->features[k] : 0;
    }
    for (size_t k = 0; k < SAMPLE_FEATURES; k++)
        rest_ns += fabs(left[k]) * (squares[k] > 0 ? 1 - 1 / excess : 1);
    return rest_ns;
}

double calibrate(const Work *work, const Cuts *cuts, Sample *sample)
{
    Map numbers = {0};
    VEC(Group) groups = {0};
    double all_ns = 0, rest_ns = 0;
    for (uint64_t i = 0; i < cuts->n_occurrences; i++) {
        size_t at = map_number(&numbers, (MapKey){cuts->phases.items[i], 0}, groups.count);
        double times[SAMPLE_FEATURES];
        if (at == groups.count)
            *vec_push(&groups) = (Group){0};
        times_of(&work->traced[i], times);
        for (size_t k = 0; k < SAMPLE_FEATURES; k++)
            groups.items[at].left[k] += times[k], all_ns += times[k];
    }
    for (size_t i = 0; i < sample->count; i++) {
        Group *group = &groups.items[*map_get(&numbers, (MapKey){cuts->phases.items[sample->items[i].occurrence], 0})];
        double times[SAMPLE_FEATURES];
        times_of(&work->kept[i], times);
        if (sampled_is_drawn(&sample->items[i]))
            *vec_push(&group->drawn) = i;
        for (size_t k = 0; k < SAMPLE_FEATURES && sampled_is_known(&sample->items[i]); k++)
            group->left[k] -= times[k];
    }
    for (size_t i = 0; i < groups.count; i++) {
        rest_ns += calibrate_group(&groups.items[i], work, sample);
        vec_free(&groups.items[i].drawn);
    }
    vec_free(&groups);
    map_free(&numbers);
    return all_ns > 0 ? rest_ns / all_ns : 0;
}
