/* SPDX-License-Identifier: BSD-3-Clause */
/* See records.h. */
#include "cost/cpu/records.h"

#include "base/vec.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LOW_SHARE = 0.1, HIGH_SHARE = 0.9;
enum { NAME_BYTES = 64 };
#define NAME_SCAN "%63s"

/* The samples of a kernel, or of a program of the set. */
typedef struct Series {
    char name[NAME_BYTES], way[NAME_BYTES]; /* operation and type; "" as way in the set */
    CpuOperation operation;
    CpuType type;
    VEC(double) samples_s;
} Series;

typedef VEC(Series) SeriesList;

struct CpuRecords {
    SeriesList series, set;
    const char *compiler, *other;
    bool is_free[CPU_OPERATIONS][CPU_TYPES];
    VEC(double) slowdowns; /* wall-clock time over CPU time, of each round */
    bool is_done;
    Arena *arena;
};

CpuRecords *cpu_records_new(Arena *arena)
{
    CpuRecords *records = arena_alloc(arena, sizeof *records);
    *records = (CpuRecords){.arena = arena, .compiler = "", .other = ""};
    return records;
}

void cpu_records_free(CpuRecords *records)
{
    for (size_t i = 0; i < records->series.count; i++)
        vec_free(&records->series.items[i].samples_s);
    for (size_t i = 0; i < records->set.count; i++)
        vec_free(&records->set.items[i].samples_s);
    vec_free(&records->series);
    vec_free(&records->set);
    vec_free(&records->slowdowns);
}

const char *cpu_records_other(const CpuRecords *records)
{
    return records->other;
}

bool cpu_records_are_done(const CpuRecords *records)
{
    return records->is_done;
}

static bool is_time(double seconds)
{
    return isfinite(seconds) && seconds >= 0;
}

/* Adds a sample to the series of the same name and way, or to a new series. */
static void add_sample(SeriesList *list, const Series *new, double seconds)
{
    size_t i = 0;
    while (i < list->count &&
           (strcmp(list->items[i].name, new->name) != 0 || strcmp(list->items[i].way, new->way) != 0))
        i++;
    if (i == list->count)
        *vec_push(list) = *new;
    *vec_push(&list->items[i].samples_s) = seconds;
}

static bool take_sample(CpuRecords *records, const char *line)
{
    Series new = {0};
    double seconds;
    if (sscanf(line, "sample " NAME_SCAN " " NAME_SCAN " %lf", new.name, new.way, &seconds) != 3 || !is_time(seconds) ||
        !cpu_find(new.name, &new.operation, &new.type))
        return false;
    add_sample(&records->series, &new, seconds);
    return true;
}

static bool take_set(CpuRecords *records, const char *line)
{
    Series new = {0};
    double seconds;
    if (sscanf(line, "set " NAME_SCAN " %lf", new.name, &seconds) != 2 || !is_time(seconds))
        return false;
    add_sample(&records->set, &new, seconds);
    return true;
}

static bool take_free(CpuRecords *records, const char *name)
{
    CpuOperation operation;
    CpuType type;
    if (!cpu_find(name, &operation, &type))
        return false;
    records->is_free[operation][type] = true;
    return true;
}

static bool take_round(CpuRecords *records, const char *line)
{
    double wall_s, own_s;
    if (sscanf(line, "round %lf %lf", &wall_s, &own_s) != 2 || !is_time(wall_s) || !is_time(own_s) || own_s <= 0)
        return false;
    *vec_push(&records->slowdowns) = fmax(1, wall_s / own_s);
    return true;
}

static bool take(CpuRecords *records, const char *line)
{
    if (strncmp(line, "sample ", 7) == 0)
        return take_sample(records, line);
    if (strncmp(line, "set ", 4) == 0)
        return take_set(records, line);
    if (strncmp(line, "free ", 5) == 0)
        return take_free(records, line + 5);
    if (strncmp(line, "round ", 6) == 0)
        return take_round(records, line);
    bool is_compiler = strncmp(line, "compiler ", 9) == 0;
    bool is_done = strcmp(line, "done") == 0;
    if (is_compiler)
        records->compiler = arena_strdup(records->arena, line + 9);
    records->is_done = records->is_done || is_done;
    return is_compiler || is_done;
}

bool cpu_records_take(CpuRecords *records, const char *line)
{
    if (take(records, line))
        return true;
    records->other = arena_strdup(records->arena, line);
    return false;
}

/* Sorts the values. */
static double quantile(double *values, size_t count, double share)
{
    gsl_sort(values, 1, count);
    return gsl_stats_quantile_from_sorted_data(values, 1, count, share);
}

static void add_to_interval(const Series *series, const Interval *slowdown, Interval *cost_s)
{
    double *samples_s = series->samples_s.items;
    double low_s = quantile(samples_s, series->samples_s.count, LOW_SHARE) * slowdown->low;
    double high_s = quantile(samples_s, series->samples_s.count, HIGH_SHARE) * slowdown->high;
    bool is_first = cost_s->high < cost_s->low;
    *cost_s = is_first ? (Interval){low_s, high_s} : interval_hull(*cost_s, (Interval){low_s, high_s});
}

bool cpu_records_finish(const CpuRecords *records, const char *language, Arena *arena, CpuCosts *costs, Err *err)
{
    double *slowdowns = records->slowdowns.items;
    size_t rounds = records->slowdowns.count;
    if (!rounds || !records->series.count || !records->set.count)
        return err_set(err, ERR_ENVIRONMENT, "%s: nothing was measured%s%s", language, *records->other ? ": " : "",
                       records->other);
    *costs = (CpuCosts){.language = arena_strdup(arena, language),
                        .options = "",
                        .scheduler = "",
                        .compiler = arena_strdup(arena, records->compiler)};
    const Interval slowdown = {quantile(slowdowns, rounds, LOW_SHARE), quantile(slowdowns, rounds, HIGH_SHARE)};
    for (size_t i = 0; i < CPU_OPERATIONS; i++)
        for (size_t j = 0; j < CPU_TYPES; j++)
            costs->cost_s[i][j] = records->is_free[i][j] ? (Interval){0, 0} : (Interval){0, -1};
    for (size_t i = 0; i < records->series.count; i++) {
        const Series *series = &records->series.items[i];
        add_to_interval(series, &slowdown, &costs->cost_s[series->operation][series->type]);
    }
    for (size_t i = 0; i < records->set.count; i++)
        costs->benchmark_s +=
            quantile(records->set.items[i].samples_s.items, records->set.items[i].samples_s.count, 0.5);
    costs->benchmark_s *= quantile(slowdowns, rounds, 0.5);
    costs->guess = (Interval){1, 1};
    return true;
}
