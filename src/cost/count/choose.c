/* SPDX-License-Identifier: BSD-3-Clause */
/* See choose.h. Of several runs, the one at the nearest size counts: sizes are apart by the ratios of the application's
 * parameters. Runs that differ in one parameter tell how a number grows: two a power of the size; three, which laws are
 * possible. Source: docs/METHOD.md, section 18, *Counting*. */
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

/* The number at a size that was counted. */
typedef struct CountedPoint {
    double size, number, noise; /* its relative deviation, if what was counted is independent */
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
            add_point(&points, (CountedPoint){here->value, value->value, 1 / sqrt(fmax(1, value->reached))});
    }
    return points;
}

/* Laws that are straight lines of an axis and a scale: v = a N^b, a + b N, a + b ln N, a b^N. */
typedef struct Law {
    double (*axis)(double), (*scale)(double), (*number)(double);
} Law;

static double same(double value)
{
    return value;
}

enum { LAW_POWER, LAW_LINE, LAW_LOGARITHM, LAW_EXPONENTIAL, LAWS };
static const Law laws[LAWS] = {[LAW_POWER] = {log, log, exp},
                               [LAW_LINE] = {same, same, same},
                               [LAW_LOGARITHM] = {log, same, same},
                               [LAW_EXPONENTIAL] = {same, log, exp}};

static double slope_of(const Law *law, const CountedPoint *a, const CountedPoint *b)
{
    return (law->scale(b->number) - law->scale(a->number)) / (law->axis(b->size) - law->axis(a->size));
}

/* By the law through the first point with this slope. */
static double number_by(const Law *law, const CountedPoint *first, double slope, double size)
{
    return law->number(law->scale(first->number) + slope * (law->axis(size) - law->axis(first->size)));
}

/* At the predicted size, by the law between the two nearest sizes, and between the nearest and the farthest. */
static Interval numbers_by(const Law *law, const CountedPoints *points)
{
    double near = number_by(law, &points->of[0], slope_of(law, &points->of[0], &points->of[1]), points->now);
    double whole =
        number_by(law, &points->of[0], slope_of(law, &points->of[0], &points->of[points->n - 1]), points->now);
    return (Interval){fmin(near, whole), fmax(near, whole)};
}

/* How far the third size's number is from the law through the two others, as a factor's logarithm. */
static double misfit(const Law *law, const CountedPoints *points)
{
    const CountedPoint *third = &points->of[2];
    double number = number_by(law, &points->of[0], slope_of(law, &points->of[0], &points->of[1]), third->size);
    return number > 0 ? fabs(log(number / third->number)) : INFINITY;
}

/* Half of their range beyond the least and the largest. */
static Interval varied(const CountedPoints *points)
{
    Interval all = {points->of[0].number, points->of[0].number};
    for (size_t i = 1; i < points->n; i++)
        all = interval_hull(all, (Interval){points->of[i].number, points->of[i].number});
    double margin = (all.high - all.low) / 2;
    return (Interval){fmax(all.low / 2, all.low - margin), all.high + margin};
}

/* Far from the counted sizes, these say much more than the others. */
static bool is_steep(size_t law)
{
    return law == LAW_LINE || law == LAW_EXPONENTIAL;
}

/* A number that grows: all laws that meet the third size as well as the best one, apart from noise; a steep one only if
 * it is the best, and either no other explains the numbers by noise, or it says no more than the power law. */
static Interval grown(const CountedPoints *points, bool may_be_exponential)
{
    size_t n = may_be_exponential ? LAWS : LAW_EXPONENTIAL;
    double misfits[LAWS], best = INFINITY, best_flat = INFINITY;
    for (size_t i = 0; i < n; i++) {
        misfits[i] = misfit(&laws[i], points);
        best = fmin(best, misfits[i]);
        best_flat = is_steep(i) ? best_flat : fmin(best_flat, misfits[i]);
    }
    double noise = fmax(points->of[0].noise, fmax(points->of[1].noise, points->of[2].noise));
    Interval found = {INFINITY, -INFINITY};
    const double most = numbers_by(&laws[LAW_POWER], points).high;
    for (size_t i = 0; i < n; i++) {
        Interval own = numbers_by(&laws[i], points);
        bool is_possible = is_steep(i) ? misfits[i] <= best && (best_flat > noise || own.high <= most)
                                       : misfits[i] <= 2 * best + noise;
        if (is_possible)
            found = interval_hull(found, own);
    }
    return found;
}

/* Three sizes: whether the number goes one way, and its power changes by less than it is. */
typedef struct Trend {
    bool is_steady, is_sure;
    double power; /* between the two nearest sizes */
} Trend;

static Trend trend_of(const CountedPoints *points)
{
    const Law *power = &laws[LAW_POWER];
    double near = slope_of(power, &points->of[0], &points->of[1]),
           far = slope_of(power, &points->of[1], &points->of[2]);
    double whole = slope_of(power, &points->of[0], &points->of[2]);
    return (Trend){(near >= 0 && far >= 0) || (near <= 0 && far <= 0), fabs(near - far) < fabs(whole), near};
}

/* A probability or a share, which stays if its trend isn't sure. */
static Interval continued(const CountedPoints *points, Trend trend)
{
    const CountedPoint *nearest = &points->of[0];
    double number = trend.is_steady && trend.is_sure ? number_by(&laws[LAW_POWER], nearest, trend.power, points->now)
                                                     : nearest->number;
    return (Interval){fmin(1, number), fmin(1, number)};
}

static Interval extrapolated(const CountedPoints *points, CountKind kind, Trend trend)
{
    if (points->n < 3)
        return numbers_by(&laws[LAW_POWER], points);
    if (!task_counts_may_grow(kind))
        return continued(points, trend);
    Interval found = varied(points);
    if (!trend.is_steady)
        return found;
    double held = points->of[0].number;
    Interval power = numbers_by(&laws[LAW_POWER], points);
    Interval moved = power.high <= held ? (Interval){power.low, held} : grown(points, kind == COUNT_CALLS);
    return trend.is_sure ? moved : interval_hull(found, moved);
}

/* How the number changes with a size. False: the runs don't tell it. */
static bool grow(const TaskCountsBatch *batch, const char *name, const char *size, double now, Arena *arena,
                 TaskCountsChosen *chosen)
{
    const CountedPoints points = points_of(batch, name, size, now, chosen->run);
    CountKind kind = chosen->value->kind;
    if (!(now > 0) || points.n < 2 || (points.n < 3 && !task_counts_may_grow(kind)))
        return false;
    Trend trend = points.n < 3 ? (Trend){true, true, slope_of(&laws[LAW_POWER], &points.of[0], &points.of[1])}
                               : trend_of(&points);
    Interval found = extrapolated(&points, kind, trend);
    if (!task_counts_may_grow(kind) && found.high >= 1) /* a probability that would reach 1 stops somewhere */
        found.low = fmin(found.low, points.of[0].number);
    bool goes_on = trend.is_steady && (trend.is_sure || task_counts_may_grow(kind));
    chosen->growth = arena_printf(arena, "%s%s%s^%.3g", chosen->growth ? chosen->growth : "",
                                  chosen->growth ? " · " : "", size, goes_on ? trend.power : 0);
    chosen->n_known = points.n < chosen->n_known || !chosen->n_known ? points.n : chosen->n_known;
    chosen->low *= found.low / points.of[0].number;
    chosen->high *= found.high / points.of[0].number;
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
    if (is_positive(chosen->value) && chosen->is_other_size)
        find_growth(batch, name, sizes, n_sizes, arena, chosen);
    return is_there;
}
