/* SPDX-License-Identifier: BSD-3-Clause */
/* See compare.h. */
#include "comm/compare.h"

#include "comm/estimates.h"
#include <math.h>
#include <string.h>

const char *const comm_verdict_names[] = {"unsure", "same", "slower", "faster", NULL};

/* Which configurations of A and B belong together. */
typedef enum Pairing { PAIRING_NAMED, PAIRING_SAME, PAIRING_TRANSPORT } Pairing;

typedef struct Comparing {
    CommComparison *comparison;
    const char *const *names;
    Pairing pairing;
    Arena *arena;
} Comparing;

static bool has_name(const CommConfiguration *configuration, const char *name)
{
    Arena *scratch = arena_new();
    bool is_it = strcmp(comm_configuration_name(configuration, scratch), name) == 0;
    arena_free(scratch);
    return is_it;
}

bool comm_has_configuration(const CommMeasurement *measurement, const char *name)
{
    for (uint32_t i = 0; i < measurement->n_configurations; i++)
        if (has_name(&measurement->configurations[i], name))
            return true;
    return false;
}

static const CommConfiguration *configuration_of(const Comparing *comparing, int side, const CommSeries *series)
{
    return &comparing->comparison->measurements[side]->configurations[series->configuration];
}

static bool are_paired(const Comparing *comparing, const CommConfiguration *a, const CommConfiguration *b)
{
    switch (comparing->pairing) {
    case PAIRING_NAMED:
        return has_name(a, comparing->names[0]) && has_name(b, comparing->names[1]);
    case PAIRING_SAME:
        return comm_configuration_is_same(a, b);
    case PAIRING_TRANSPORT:
        return strcmp(a->transport, b->transport) == 0 && strcmp(a->packing, b->packing) == 0;
    }
    return false;
}

static Pairing choose_pairing(const CommMeasurement *const measurements[2], const char *const names[2])
{
    if (names[0])
        return PAIRING_NAMED;
    for (uint32_t i = 0; i < measurements[0]->n_series; i++)
        for (uint32_t k = 0; k < measurements[1]->n_series; k++)
            if (comm_configuration_is_same(&measurements[0]->configurations[measurements[0]->series[i].configuration],
                                           &measurements[1]->configurations[measurements[1]->series[k].configuration]))
                return PAIRING_SAME;
    return PAIRING_TRANSPORT;
}

static bool has_host(const CommMeasurement *measurement, const char *name)
{
    for (uint32_t i = 0; i < measurement->n_hosts; i++)
        if (strcmp(measurement->hosts[i].name, name) == 0)
            return true;
    return false;
}

/* By name; hosts of other names are those at the same place in the list. */
static bool is_same_host(const CommMeasurement *const measurements[2], uint32_t a, uint32_t b)
{
    const char *name = measurements[0]->hosts[a].name;
    return has_host(measurements[1], name) ? strcmp(measurements[1]->hosts[b].name, name) == 0 : a == b;
}

static bool is_same_series(const Comparing *comparing, const CommSeries *a, const CommSeries *b)
{
    const CommMeasurement *const *measurements = comparing->comparison->measurements;
    return strcmp(a->operation, b->operation) == 0 && strcmp(a->method, b->method) == 0 && a->n_ranks == b->n_ranks &&
           comm_level_is_same(a->level, b->level) && is_same_host(measurements, a->from_host, b->from_host) &&
           is_same_host(measurements, a->to_host, b->to_host) &&
           are_paired(comparing, configuration_of(comparing, 0, a), configuration_of(comparing, 1, b));
}

static const CommPoint *find_size(const CommSeries *series, uint64_t bytes)
{
    for (uint32_t i = 0; i < series->n_points; i++)
        if (series->points[i].bytes == bytes)
            return &series->points[i];
    return NULL;
}

static ComparedPoint compare_points(const CommPoint *a, const CommPoint *b, CommStatistic statistic)
{
    ComparedPoint compared = {.bytes = a->bytes, .time_s = {comm_point_s(a, statistic), comm_point_s(b, statistic)}};
    Estimated times_s[2];
    compared.ratio = (Estimated){compared.time_s[1] / compared.time_s[0], NAN, NAN};
    if (!estimate_of_point(a, statistic, &times_s[0]) || !estimate_of_point(b, statistic, &times_s[1]))
        return compared;
    compared.ratio = estimate_ratio(times_s[1], times_s[0]);
    compared.verdict = compared.ratio.low > 1 ? COMM_SLOWER : compared.ratio.high < 1 ? COMM_FASTER : COMM_SAME;
    return compared;
}

/* The sizes of a series that the other one lacks. */
static void note_lonely(const Comparing *comparing, int side, const CommSeries *series, const CommSeries *other,
                        LonelySeries *lonely)
{
    uint64_t *bytes = arena_new_array(comparing->arena, uint64_t, series->n_points);
    LonelySeries found = {.side = side, .series = series, .bytes = bytes};
    for (uint32_t i = 0; other && i < series->n_points; i++)
        if (!find_size(other, series->points[i].bytes))
            bytes[found.n_bytes++] = series->points[i].bytes;
    if (!other || found.n_bytes)
        lonely[comparing->comparison->n_lonely++] = found;
}

static void compare_series(const Comparing *comparing, const CommSeries *a, const CommSeries *b,
                           ComparedSeries *compared)
{
    CommComparison *comparison = comparing->comparison;
    ComparedPoint *points = arena_new_array(comparing->arena, ComparedPoint, a->n_points);
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->n_points; i++) {
        const CommPoint *other = find_size(b, a->points[i].bytes);
        if (!other || !(comm_point_s(&a->points[i], comparison->statistic) > 0))
            continue;
        points[n] = compare_points(&a->points[i], other, comparison->statistic);
        comparison->n_of[points[n++].verdict]++;
    }
    if (n)
        compared[comparison->n_series++] = (ComparedSeries){{a, b}, n, points};
}

static const CommSeries *find_other(const Comparing *comparing, int side, const CommSeries *series)
{
    const CommMeasurement *other = comparing->comparison->measurements[!side];
    for (uint32_t i = 0; i < other->n_series; i++)
        if (side ? is_same_series(comparing, &other->series[i], series)
                 : is_same_series(comparing, series, &other->series[i]))
            return &other->series[i];
    return NULL;
}

CommComparison comm_compare(const CommMeasurement *const measurements[2], const char *const names[2],
                            CommStatistic statistic, Arena *arena)
{
    CommComparison comparison = {.measurements = {measurements[0], measurements[1]}, .statistic = statistic};
    const Comparing comparing = {&comparison, names, choose_pairing(measurements, names), arena};
    ComparedSeries *compared = arena_new_array(arena, ComparedSeries, measurements[0]->n_series);
    LonelySeries *lonely = arena_new_array(arena, LonelySeries, measurements[0]->n_series + measurements[1]->n_series);
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < measurements[side]->n_series; i++) {
            const CommSeries *series = &measurements[side]->series[i];
            if (names[0] && !has_name(configuration_of(&comparing, side, series), names[side]))
                continue;
            const CommSeries *other = find_other(&comparing, side, series);
            if (!side && other)
                compare_series(&comparing, series, other, compared);
            note_lonely(&comparing, side, series, other, lonely);
        }
    comparison.series = compared;
    comparison.lonely = lonely;
    return comparison;
}
