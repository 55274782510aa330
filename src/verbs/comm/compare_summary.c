/* SPDX-License-Identifier: BSD-3-Clause */
/* What a comparison says in a sentence: stretches of sizes in which B is slower, faster or the same. */
#include "verbs/comm/compare_views.h"

#include "base/text.h"
#include "report/format.h"
#include <gsl/gsl_statistics_double.h>
#include <math.h>

/* Of times that don't differ, so many seem to: the intervals are of 95 %. */
static const double CHANCE = 0.05;

/* More stretches make no sentence. */
enum { STRETCHES_TOLD = 3, CLASSES = 65 };

/* Sizes from one to the next power of two. Sizes of collectives are rounded, so those of several numbers of processes
 * are alike rather than equal. */
typedef struct SizeClass {
    uint32_t n_of[COMM_VERDICTS];
    uint64_t largest_bytes;
} SizeClass;

typedef struct Stretch {
    CommVerdict verdict;
    unsigned first, last; /* classes */
} Stretch;

typedef struct Summing {
    const ComparedSeries *series;
    uint32_t n_series;
    SizeClass classes[CLASSES];
    Stretch stretches[CLASSES];
    uint32_t n_stretches;
    Arena *arena;
} Summing;

static unsigned class_of(uint64_t bytes)
{
    return bytes ? 1 + (unsigned)ilogb((double)bytes) : 0;
}

static uint32_t sum_of(const uint32_t *n_of)
{
    return n_of[COMM_SAME] + n_of[COMM_SLOWER] + n_of[COMM_FASTER];
}

/* A barrier has no size, so it belongs to no stretch of sizes unless there is nothing else. */
static bool has_sizes(const ComparedSeries *series)
{
    return series->n_points > 1 || series->points[0].bytes > 0;
}

static void count_classes(Summing *summing, bool with_barriers)
{
    for (uint32_t i = 0; i < summing->n_series; i++)
        for (uint32_t k = 0; k < summing->series[i].n_points; k++) {
            const ComparedPoint *point = &summing->series[i].points[k];
            SizeClass *class = &summing->classes[class_of(point->bytes)];
            if (!with_barriers && !has_sizes(&summing->series[i]))
                continue;
            class->n_of[point->verdict]++;
            class->largest_bytes = point->bytes > class->largest_bytes ? point->bytes : class->largest_bytes;
        }
}

/* What more than half of the times say. */
static CommVerdict verdict_of(const uint32_t *n_of)
{
    uint32_t n = sum_of(n_of);
    if (!n)
        return COMM_UNSURE;
    return 2 * n_of[COMM_SLOWER] > n ? COMM_SLOWER : 2 * n_of[COMM_FASTER] > n ? COMM_FASTER : COMM_SAME;
}

static void find_stretches(Summing *summing)
{
    summing->n_stretches = 0;
    for (unsigned at = 0; at < CLASSES; at++) {
        CommVerdict verdict = verdict_of(summing->classes[at].n_of);
        Stretch *last = &summing->stretches[summing->n_stretches - (summing->n_stretches > 0)];
        if (verdict == COMM_UNSURE)
            continue;
        if (summing->n_stretches && last->verdict == verdict)
            last->last = at;
        else
            summing->stretches[summing->n_stretches++] = (Stretch){verdict, at, at};
    }
}

/* The median ratio of the times in these classes; of those with one verdict alone, unless it is COMM_UNSURE. */
static double median_ratio(const Summing *summing, unsigned first, unsigned last, CommVerdict verdict)
{
    VEC(double) ratios = {0};
    for (uint32_t i = 0; i < summing->n_series; i++)
        for (uint32_t k = 0; k < summing->series[i].n_points; k++) {
            const ComparedPoint *point = &summing->series[i].points[k];
            unsigned at = class_of(point->bytes);
            if (at >= first && at <= last && (verdict == COMM_UNSURE || point->verdict == verdict))
                *vec_push(&ratios) = point->ratio.value;
        }
    double median = gsl_stats_median(ratios.items, 1, ratios.count);
    vec_free(&ratios);
    return median;
}

/* "12.0 %", "a factor of 2.5" */
static const char *amount_text(double ratio, Arena *arena)
{
    return ratio >= 2 ? arena_printf(arena, "a factor of %.3g", ratio) : format_percent(arena, fabs(ratio - 1));
}

static const char *ratio_text(double ratio, CommVerdict verdict, Arena *arena)
{
    if (verdict == COMM_SAME)
        return "the same";
    if (ratio >= 2)
        return arena_printf(arena, "%.3g times as slow", ratio);
    return arena_printf(arena, "%s %s", format_percent(arena, fabs(ratio - 1)), ratio > 1 ? "slower" : "faster");
}

/* "slower in 5 of 22 times, by 12.0 %, faster in 3, by 4.0 %, and the same in the others" */
static const char *mixed_text(const Summing *summing, const uint32_t *n_of)
{
    Text text = {0};
    for (CommVerdict verdict = COMM_SLOWER; verdict <= COMM_FASTER; verdict++) {
        if (!n_of[verdict])
            continue;
        double ratio = median_ratio(summing, 0, CLASSES, verdict);
        text_add(&text, "%s%s in %u", text.bytes.count ? ", " : "", comm_verdict_names[verdict], n_of[verdict]);
        if (verdict == COMM_SLOWER || !n_of[COMM_SLOWER])
            text_add(&text, " of %u times", sum_of(n_of));
        text_add(&text, ", by %s", amount_text(ratio, summing->arena));
    }
    text_add(&text, "%s", n_of[COMM_SAME] ? ", and the same in the others" : "");
    return text_take(&text, summing->arena);
}

static const char *stretches_text(const Summing *summing, const char *messages)
{
    Text text = {0};
    for (uint32_t i = 0; i < summing->n_stretches; i++) {
        const Stretch *stretch = &summing->stretches[i];
        double ratio = median_ratio(summing, stretch->first, stretch->last, COMM_UNSURE);
        text_add(&text, "%s%s", i ? ", " : "", ratio_text(ratio, stretch->verdict, summing->arena));
        if (i + 1 < summing->n_stretches)
            text_add(&text, "%s up to %s", i ? "" : messages,
                     format_bytes(summing->arena, (double)summing->classes[stretch->last].largest_bytes));
        else if (i)
            text_add(&text, " above");
    }
    return text_take(&text, summing->arena);
}

static bool all_are_same(const Summing *summing)
{
    for (uint32_t i = 0; i < summing->n_stretches; i++)
        if (summing->stretches[i].verdict != COMM_SAME)
            return false;
    return true;
}

static bool is_by_chance(const uint32_t *n_of)
{
    return n_of[COMM_SLOWER] + n_of[COMM_FASTER] <= CHANCE * sum_of(n_of);
}

const char *comm_comparison_phrase(const ComparedSeries *series, uint32_t n_series, const char *messages, Arena *arena)
{
    Summing summing = {.series = series, .n_series = n_series, .arena = arena};
    uint32_t n_of[COMM_VERDICTS] = {0};
    for (uint32_t i = 0; i < n_series; i++)
        for (uint32_t k = 0; k < series[i].n_points; k++)
            n_of[series[i].points[k].verdict]++;
    if (!sum_of(n_of))
        return "too few samples to tell";
    if (is_by_chance(n_of))
        return "the same";
    count_classes(&summing, false);
    find_stretches(&summing);
    if (!summing.n_stretches) {
        count_classes(&summing, true);
        find_stretches(&summing);
    }
    return summing.n_stretches > STRETCHES_TOLD || all_are_same(&summing) ? mixed_text(&summing, n_of)
                                                                          : stretches_text(&summing, messages);
}

ComparisonView comm_comparison_view(const CommComparison *comparison, const char *const files[2], Arena *arena)
{
    ComparisonView view = {.comparison = comparison, .files = {files[0], files[1]}};
    view.is_same = sum_of(comparison->n_of) && is_by_chance(comparison->n_of);
    const char *phrase = comm_comparison_phrase(comparison->series, comparison->n_series, " for messages", arena);
    if (!comparison->n_series)
        view.summary = "A and B have no times in common";
    else if (view.is_same)
        view.summary = "A and B are the same, within their intervals";
    else
        view.summary = arena_printf(arena, "%s%s", sum_of(comparison->n_of) ? "B is " : "", phrase);
    return view;
}
