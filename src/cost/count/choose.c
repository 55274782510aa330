/* SPDX-License-Identifier: BSD-3-Clause */
/* See choose.h. Of several runs, the one at the nearest size counts: sizes are apart by the ratios of the application's
 * parameters. Two runs that differ in one parameter tell the power with which a number grows. */
#include "cost/count/choose.h"

#include <math.h>
#include <string.h>

bool task_counts_may_grow(CountKind kind)
{
    return kind == COUNT_ITERATIONS || kind == COUNT_CALLS || kind == COUNT_MEAN;
}

static const TaskCountsValue *value_of(const TaskCountsRun *run, const char *name)
{
    for (size_t i = 0; i < run->n_values; i++)
        if (strcmp(run->values[i].name, name) == 0)
            return &run->values[i];
    return NULL;
}

static const TaskCountsSize *size_of(const TaskCountsSize *sizes, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(sizes[i].name, name) == 0)
            return &sizes[i];
    return NULL;
}

/* How far a parameter is from another value. */
static double distance(double a, double b)
{
    return a == b ? 0 : a > 0 && b > 0 ? fabs(log(a / b)) : fabs(a - b);
}

static double distance_of(const TaskCountsRun *run, const TaskCountsSize *sizes, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < run->n_sizes; i++) {
        const TaskCountsSize *now = size_of(sizes, n, run->sizes[i].name);
        sum += now ? distance(run->sizes[i].value, now->value) : 0;
    }
    return sum;
}

/* The only size in which two runs differ. NULL: there is none, or several. */
static const TaskCountsSize *only_difference(const TaskCountsRun *a, const TaskCountsRun *b)
{
    const TaskCountsSize *found = NULL;
    for (size_t i = 0; i < a->n_sizes; i++) {
        const TaskCountsSize *other = size_of(b->sizes, b->n_sizes, a->sizes[i].name);
        if (!other || (other->value != a->sizes[i].value && found))
            return NULL;
        if (other->value != a->sizes[i].value)
            found = &a->sizes[i];
    }
    return found;
}

/* By the run that is the nearest to the chosen one, among those that differ in one size. */
static void find_growth(const TaskCountsBatch *batch, const char *name, const TaskCountsSize *sizes, size_t n_sizes,
                        TaskCountsChosen *chosen)
{
    double nearest = INFINITY;
    for (size_t i = 0; i < batch->n_runs; i++) {
        const TaskCountsRun *run = &batch->runs[i];
        const TaskCountsValue *value = value_of(run, name);
        const TaskCountsSize *size = run == chosen->run ? NULL : only_difference(chosen->run, run), *now;
        if (!size || !value || !(value->value > 0) || !(chosen->value->value > 0) ||
            !(now = size_of(sizes, n_sizes, size->name)))
            continue;
        const double other = size_of(run->sizes, run->n_sizes, size->name)->value;
        if (!(other > 0 && size->value > 0 && now->value > 0) || distance(other, size->value) >= nearest)
            continue;
        nearest = distance(other, size->value);
        chosen->grows_with = size->name;
        chosen->power = log(value->value / chosen->value->value) / log(other / size->value);
        chosen->number = chosen->value->value * pow(now->value / size->value, chosen->power);
    }
}

static bool ran_at(const TaskCountsBatch *batch, const char *name, const TaskCountsSize *sizes, size_t n_sizes)
{
    for (size_t i = 0; i < batch->n_runs; i++)
        if (value_of(&batch->runs[i], name) && distance_of(&batch->runs[i], sizes, n_sizes) == 0)
            return true;
    return false;
}

bool task_counts_choose(const TaskCountsBatch *batch, const char *name, const TaskCountsSize *sizes, size_t n_sizes,
                        TaskCountsChosen *chosen)
{
    double nearest = INFINITY;
    bool is_there = false;
    *chosen = (TaskCountsChosen){0};
    for (size_t i = 0; i < batch->n_runs; i++) {
        const TaskCountsValue *value = value_of(&batch->runs[i], name);
        is_there = is_there || value;
        if (!value || isnan(value->value) || distance_of(&batch->runs[i], sizes, n_sizes) >= nearest)
            continue;
        nearest = distance_of(&batch->runs[i], sizes, n_sizes);
        *chosen = (TaskCountsChosen){.value = value, .run = &batch->runs[i], .number = value->value};
    }
    chosen->is_other_size = chosen->value ? nearest > 0 : !ran_at(batch, name, sizes, n_sizes);
    if (chosen->value && chosen->is_other_size && task_counts_may_grow(chosen->value->kind))
        find_growth(batch, name, sizes, n_sizes, chosen);
    return is_there;
}
