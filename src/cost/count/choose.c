/* SPDX-License-Identifier: BSD-3-Clause */
/* See choose.h. Of several runs, the one at the nearest size counts: sizes are apart by the ratios of the application's
 * parameters. Runs that differ in one parameter tell how a number grows: two a power of the size; three also how that
 * power changes, or that the number grows exponentially. Source: docs/METHOD.md, section 17, *Counts*. */
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

static const TaskSize *size_of(const TaskSize *sizes, size_t n, const char *name)
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

static double distance_of(const TaskCountsRun *run, const TaskSize *sizes, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < run->n_sizes; i++) {
        const TaskSize *now = size_of(sizes, n, run->sizes[i].name);
        sum += now ? distance(run->sizes[i].value, now->value) : 0;
    }
    return sum;
}

/* The only size in which two runs differ. NULL: there is none, or several. */
static const TaskSize *only_difference(const TaskCountsRun *a, const TaskCountsRun *b)
{
    const TaskSize *found = NULL;
    for (size_t i = 0; i < a->n_sizes; i++) {
        const TaskSize *other = size_of(b->sizes, b->n_sizes, a->sizes[i].name);
        if (!other || (other->value != a->sizes[i].value && found))
            return NULL;
        if (other->value != a->sizes[i].value)
            found = &a->sizes[i];
    }
    return found;
}

/* A number's logarithm at a size that was counted. */
typedef struct CountedPoint {
    double size, log_value;
} CountedPoint;

typedef struct CountedPoints {
    double now; /* the size that is predicted */
    size_t n;   /* at most 3, the nearest first */
    CountedPoint of[3];
} CountedPoints;

static void add_point(CountedPoints *points, CountedPoint point)
{
    size_t at = points->n;
    while (at > 0 && distance(point.size, points->now) < distance(points->of[at - 1].size, points->now))
        at--;
    if (at == 3)
        return;
    points->n += points->n < 3;
    memmove(&points->of[at + 1], &points->of[at], (points->n - 1 - at) * sizeof points->of[0]);
    points->of[at] = point;
}

static bool is_positive(const TaskCountsValue *value)
{
    return value && value->value > 0;
}

/* At the sizes of the chosen run, but for this one. */
static CountedPoints points_of(const TaskCountsBatch *batch, const char *name, const char *size, double now,
                               const TaskCountsRun *chosen)
{
    CountedPoints points = {.now = now};
    for (size_t i = 0; i < batch->n_runs; i++) {
        const TaskCountsRun *run = &batch->runs[i];
        const TaskCountsValue *value = value_of(run, name);
        const TaskSize *only = run == chosen ? NULL : only_difference(chosen, run);
        const TaskSize *here = size_of(run->sizes, run->n_sizes, size);
        bool is_comparable = run == chosen || (only && strcmp(only->name, size) == 0);
        if (is_comparable && here && here->value > 0 && is_positive(value))
            add_point(&points, (CountedPoint){here->value, log(value->value)});
    }
    return points;
}

/* By how much the number's logarithm grows from the nearest size to the predicted one, if its slope is that between the
 * two nearest sizes. With three, also if it is that between the nearest and the farthest, and if it changes on as it
 * changed: to the end where the number grows less and less, but not beyond 0; once more where it grows faster. */
typedef struct Extrapolated {
    double slope, straight, low, high;
} Extrapolated;

/* Numbers that grow and fall among three sizes neither grow nor fall: they vary. */
static Extrapolated varied(const CountedPoints *points)
{
    Extrapolated found = {0};
    for (size_t i = 1; i < points->n; i++) {
        double other = points->of[i].log_value - points->of[0].log_value;
        found.low = fmin(found.low, other);
        found.high = fmax(found.high, other);
    }
    return found;
}

static Extrapolated extrapolate(const CountedPoints *points, double (*axis)(double))
{
    double x[3] = {0}, y[3] = {0}, now = axis(points->now);
    for (size_t i = 0; i < points->n; i++) {
        x[i] = axis(points->of[i].size);
        y[i] = points->of[i].log_value;
    }
    double beyond = now - x[0], slope = (y[1] - y[0]) / (x[1] - x[0]);
    Extrapolated found = {slope, slope * beyond, slope * beyond, slope * beyond};
    if (points->n < 3)
        return found;
    double before = (y[2] - y[1]) / (x[2] - x[1]), whole = (y[2] - y[0]) / (x[2] - x[0]);
    if ((slope > 0 && before < 0) || (slope < 0 && before > 0))
        return varied(points);
    double steps = fabs(slope) < fabs(before) ? fabs((now - x[1]) / (x[2] - x[0])) : 1;
    double changed = slope + steps * (slope - before), bent = slope > 0 ? fmax(0, changed) : fmin(0, changed);
    found.low = fmin(found.straight, fmin(bent * beyond, whole * beyond));
    found.high = fmax(found.straight, fmax(bent * beyond, whole * beyond));
    return found;
}

static double as_it_is(double size)
{
    return size;
}

/* How the number grows with a size. False: fewer than two runs tell it. */
static bool grow(const TaskCountsBatch *batch, const char *name, const char *size, double now, Arena *arena,
                 TaskCountsChosen *chosen)
{
    const CountedPoints points = points_of(batch, name, size, now, chosen->run);
    if (!(now > 0) || points.n < 2)
        return false;
    Extrapolated power = extrapolate(&points, log), exponential = extrapolate(&points, as_it_is);
    bool is_power = points.n < 3 || power.high - power.low <= exponential.high - exponential.low;
    Extrapolated found = is_power ? power : exponential;
    const char *before = chosen->growth ? arena_printf(arena, "%s · ", chosen->growth) : "";
    chosen->growth = is_power ? arena_printf(arena, "%s%s^%.3g", before, size, found.slope)
                              : arena_printf(arena, "%s%.3g^%s", before, exp(found.slope), size);
    chosen->n_known = points.n < chosen->n_known || !chosen->n_known ? points.n : chosen->n_known;
    chosen->low *= exp(found.low);
    chosen->high *= exp(found.high);
    return true;
}

static void find_growth(const TaskCountsBatch *batch, const char *name, const TaskSize *sizes, size_t n_sizes,
                        Arena *arena, TaskCountsChosen *chosen)
{
    for (size_t i = 0; i < chosen->run->n_sizes; i++) {
        const TaskSize *then = &chosen->run->sizes[i], *now = size_of(sizes, n_sizes, then->name);
        if (now && now->value != then->value && !grow(batch, name, then->name, now->value, arena, chosen))
            chosen->unknown = then->name;
    }
    chosen->number = sqrt(chosen->low) * sqrt(chosen->high);
}

static bool ran_at(const TaskCountsBatch *batch, const char *name, const TaskSize *sizes, size_t n_sizes)
{
    for (size_t i = 0; i < batch->n_runs; i++)
        if (value_of(&batch->runs[i], name) && distance_of(&batch->runs[i], sizes, n_sizes) == 0)
            return true;
    return false;
}

bool task_counts_choose(const TaskCountsBatch *batch, const char *name, const TaskSize *sizes, size_t n_sizes,
                        Arena *arena, TaskCountsChosen *chosen)
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
        *chosen = (TaskCountsChosen){
            .value = value, .run = &batch->runs[i], .low = value->value, .number = value->value, .high = value->value};
    }
    chosen->is_other_size = chosen->value ? nearest > 0 : !ran_at(batch, name, sizes, n_sizes);
    if (is_positive(chosen->value) && chosen->is_other_size && task_counts_may_grow(chosen->value->kind))
        find_growth(batch, name, sizes, n_sizes, arena, chosen);
    return is_there;
}
