/* SPDX-License-Identifier: BSD-3-Clause */
/* See guidelines.h. Träff, Gropp and Thakur, "Self-consistent MPI performance guidelines" (2010); Hunold and
 * Carpen-Amarie, "Tuning MPI collectives by verifying performance guidelines" (2018, PGMPI).
 *
 * A rule says how a library's user could replace an operation by others, on vectors of n bytes as comm/protocol.h
 * ("Sizes") counts them. There, the root's vector of a gather is as long as the result of an allgather, as each
 * process's vector of an alltoall, and as that of a reduction in which each process fills its own part. So n is the
 * same on both sides of each rule. */
#include "comm/guidelines.h"

#include "base/vec.h"
#include "comm/estimates.h"
#include <math.h>
#include <string.h>

typedef struct Rule {
    const char *name;
    const char *operation, *first, *second; /* second NULL: there is one */
} Rule;

static const Rule rules[] = {
    {"allgather ≤ gather + broadcast", "allgather", "gather", "broadcast"},
    {"allgather ≤ alltoall", "allgather", "alltoall", NULL},
    {"allgather ≤ allreduce", "allgather", "allreduce", NULL},
    {"allreduce ≤ reduce + broadcast", "allreduce", "reduce", "broadcast"},
    {"broadcast ≤ scatter + allgather", "broadcast", "scatter", "allgather"},
    {"gather ≤ allgather", "gather", "allgather", NULL},
    {"gather ≤ reduce", "gather", "reduce", NULL},
    {"reduce ≤ allreduce", "reduce", "allreduce", NULL},
    {"scatter ≤ broadcast", "scatter", "broadcast", NULL},
};
enum { N_RULES = sizeof rules / sizeof *rules, MONOTONY = N_RULES, SPLIT, N_GUIDELINES };

static const char *name_of(unsigned guideline)
{
    return guideline == MONOTONY ? "monotony" : guideline == SPLIT ? "split" : rules[guideline].name;
}

typedef struct Checking {
    const CommMeasurement *measurement;
    CommStatistic statistic;
    bool is_checked[N_GUIDELINES];
    uint32_t n_checks;
    VEC(GuidelineViolation) violations;
} Checking;

static bool is_collective(const CommSeries *series)
{
    return comm_is_collective(series->operation);
}

/* The series of another operation under the same conditions. */
static const CommSeries *find_series(const Checking *checking, const CommSeries *series, const char *operation)
{
    for (uint32_t i = 0; i < checking->measurement->n_series; i++) {
        const CommSeries *other = &checking->measurement->series[i];
        if (strcmp(other->operation, operation) == 0 && other->configuration == series->configuration &&
            other->n_ranks == series->n_ranks && other->from_host == series->from_host &&
            other->to_host == series->to_host && strcmp(other->method, series->method) == 0)
            return other;
    }
    return NULL;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* The size that was requested together with `bytes`: workers round it up to a multiple of the number of processes, or to
 * whole doubles. */
static const CommPoint *find_size(const CommSeries *series, uint64_t bytes)
{
    const uint64_t rounding = series->n_ranks > sizeof(double) ? series->n_ranks : sizeof(double);
    const CommPoint *nearest = NULL;
    for (uint32_t i = 0; i < series->n_points; i++) {
        const CommPoint *point = &series->points[i];
        if (distance(point->bytes, bytes) < rounding &&
            (!nearest || distance(point->bytes, bytes) < distance(nearest->bytes, bytes)))
            nearest = point;
    }
    return nearest;
}

/* The time of another operation on as many bytes. If its size was rounded to less, the time grows in proportion, which is
 * an upper bound. So no rule seems violated by rounding alone. */
static bool time_of(const Checking *checking, const CommSeries *series, uint64_t bytes, uint64_t *found_bytes,
                    Estimated *time_s)
{
    const CommPoint *point = series ? find_size(series, bytes) : NULL;
    if (!point || !point->bytes || !estimate_of_point(point, checking->statistic, time_s))
        return false;
    if (point->bytes < bytes)
        *time_s = estimate_times((double)bytes / (double)point->bytes, *time_s);
    *found_bytes = point->bytes;
    return true;
}

static void check(Checking *checking, unsigned guideline, const GuidelineViolation *at, Estimated time_s,
                  Estimated bound_s)
{
    GuidelineViolation violation = *at;
    violation.guideline = name_of(guideline);
    violation.time_s = time_s.value;
    violation.bound_s = bound_s.value;
    violation.factor = estimate_ratio(time_s, bound_s);
    checking->is_checked[guideline] = true;
    checking->n_checks++;
    if (violation.factor.low > 1)
        *vec_push(&checking->violations) = violation;
}

static void check_rules(Checking *checking, const CommSeries *series, const CommPoint *point, Estimated time_s)
{
    for (unsigned i = 0; i < N_RULES; i++) {
        GuidelineViolation at = {.series = series, .bytes = point->bytes, .parts = 1};
        Estimated bound_s, second_s;
        if (strcmp(rules[i].operation, series->operation) != 0 || !point->bytes ||
            !time_of(checking, find_series(checking, series, rules[i].first), point->bytes, &at.bound_bytes, &bound_s))
            continue;
        if (rules[i].second) {
            if (!time_of(checking, find_series(checking, series, rules[i].second), point->bytes, &at.bound_bytes,
                         &second_s))
                continue;
            bound_s = estimate_sum(bound_s, second_s);
        }
        check(checking, i, &at, time_s, bound_s);
    }
}

/* A larger vector could hold the smaller one. */
static void check_monotony(Checking *checking, const CommSeries *series, uint32_t i, Estimated time_s)
{
    Estimated bound_s;
    if (i + 1 == series->n_points || !estimate_of_point(&series->points[i + 1], checking->statistic, &bound_s))
        return;
    check(
        checking, MONOTONY,
        &(GuidelineViolation){
            .series = series, .bytes = series->points[i].bytes, .bound_bytes = series->points[i + 1].bytes, .parts = 1},
        time_s, bound_s);
}

/* The vector could be sent in parts of the size before. */
static void check_split(Checking *checking, const CommSeries *series, uint32_t i, Estimated time_s)
{
    Estimated part_s;
    if (i == 0 || !series->points[i - 1].bytes ||
        !estimate_of_point(&series->points[i - 1], checking->statistic, &part_s))
        return;
    double parts = ceil((double)series->points[i].bytes / (double)series->points[i - 1].bytes);
    check(checking, SPLIT,
          &(GuidelineViolation){.series = series,
                                .bytes = series->points[i].bytes,
                                .bound_bytes = series->points[i - 1].bytes,
                                .parts = (uint32_t)fmin(parts, UINT32_MAX)},
          time_s, estimate_times(parts, part_s));
}

GuidelineCheck guidelines_check(const CommMeasurement *measurement, CommStatistic statistic, Arena *arena)
{
    Checking checking = {.measurement = measurement, .statistic = statistic};
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        for (uint32_t k = 0; is_collective(series) && k < series->n_points; k++) {
            Estimated time_s;
            if (!estimate_of_point(&series->points[k], statistic, &time_s))
                continue;
            check_rules(&checking, series, &series->points[k], time_s);
            check_monotony(&checking, series, k, time_s);
            check_split(&checking, series, k, time_s);
        }
    }
    GuidelineCheck result = {.n_checks = checking.n_checks,
                             .n_violations = (uint32_t)checking.violations.count,
                             .violations = vec_copy(&checking.violations, arena)};
    for (unsigned i = 0; i < N_GUIDELINES; i++)
        result.n_guidelines += checking.is_checked[i];
    vec_free(&checking.violations);
    return result;
}
