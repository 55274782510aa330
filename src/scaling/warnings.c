/* SPDX-License-Identifier: BSD-3-Clause */
/* See warnings.h. */
#include "scaling/warnings.h"

#include "base/vec.h"
#include <math.h>

enum { PROCESSES_FOR_LAW = 3, PROCESSES_FOR_CHOICE = 5, NAMED_MOST = 4 };

/* Repeats that differ by more disagree. */
static const double DISAGREEMENT = 0.1;
/* A law that is further off what was measured doesn't describe it. */
static const double POOR_FIT = 0.05;
static const double FAR = 4, LEAST_SPAN = 4;

typedef struct Warnings {
    VEC(const char *) texts;
    const Scaling *scaling;
    Arena *arena;
} Warnings;

#define warn(warnings, ...) (*vec_push(&(warnings)->texts) = arena_printf((warnings)->arena, __VA_ARGS__))

/* "n = 100: ", if there are several sizes. */
static const char *of_size(const Warnings *warnings, const SizeScaling *size)
{
    return warnings->scaling->n_sizes > 1 ? arena_printf(warnings->arena, "n = %g: ", size->n) : "";
}

static double largest_p(const SizeScaling *size)
{
    return size->points[size->n_points - 1].run->p;
}

static void warn_of_counts(Warnings *warnings, const SizeScaling *size)
{
    const char *prefix = of_size(warnings, size);
    uint32_t n = size->n_points, least = size->points[0].run->p;
    if (n == 1) {
        if (warnings->scaling->n_weak == 0)
            warn(warnings, "%sonly one number of processes was run: there is no speedup", prefix);
        return;
    }
    if (n < PROCESSES_FOR_LAW)
        warn(warnings, "%s%u numbers of processes are too few for any law: run %d at least", prefix, n,
             PROCESSES_FOR_LAW);
    else if (n < PROCESSES_FOR_CHOICE)
        warn(warnings, "%s%u numbers of processes can't tell laws apart: %d or more do", prefix, n,
             PROCESSES_FOR_CHOICE);
    else if (largest_p(size) < LEAST_SPAN * least)
        warn(warnings, "%sthe numbers of processes span less than a factor of %g: laws differ little there", prefix,
             LEAST_SPAN);
    if (least > 1)
        warn(warnings, "%swas not run on one process: speedups take the efficiency on %u processes as 1", prefix,
             least);
}

static void warn_of_repeats(Warnings *warnings)
{
    const Runs *runs = warnings->scaling->runs;
    const char *worst = "";
    uint32_t n = 0, once = 0;
    double largest = 0;
    for (uint32_t i = 0; i < runs->n_points; i++) {
        const RunPoint *run = &runs->points[i];
        double spread = (run->times_s[run->n_times - 1] - run->times_s[0]) / run->median_s;
        once += run->n_times == 1;
        n += spread > DISAGREEMENT;
        if (spread > DISAGREEMENT && spread > largest) {
            largest = spread;
            worst = runs->has_sizes ? arena_printf(warnings->arena, "n = %g, p = %u", run->n, run->p)
                                    : arena_printf(warnings->arena, "p = %u", run->p);
        }
    }
    if (n)
        warn(warnings, "repeats disagree by more than %g %% at %u of %u points; most, by %.0f %%, at %s",
             100 * DISAGREEMENT, n, runs->n_points, 100 * largest, worst);
    if (once == runs->n_points)
        warn(warnings, "nothing was run twice: how far times vary is known from the laws' fit alone");
    else if (once)
        warn(warnings, "%u of %u points were run once", once, runs->n_points);
}

static void warn_of_laws(Warnings *warnings, const SizeScaling *size)
{
    const char *prefix = of_size(warnings, size);
    if (size->n_laws == 0)
        return;
    const LawFit *best = &size->laws[0];
    if (best->error > POOR_FIT && (best->linear.lacks_fit || best->error > 2 * POOR_FIT))
        warn(warnings,
             "%sno law describes these times: the best one is %.0f %% off; something changes with p "
             "(nodes, caches, algorithms)",
             prefix, 100 * best->error);
    const LawFit *amdahl = NULL;
    for (uint32_t i = 0; i < size->n_laws; i++)
        if (size->laws[i].kind == LAW_AMDAHL)
            amdahl = &size->laws[i];
    if (amdahl && !amdahl->plausible)
        warn(warnings, "%sAmdahl's law predicts worse than %s: take 1/s as a description, not as a bound", prefix,
             best->name);
    else if (amdahl && amdahl->values[1].value > 0 && amdahl->values[1].low == 0)
        warn(warnings, "%sthe serial share can't be told from 0: there may be no bound", prefix);
}

static void warn_of_far(Warnings *warnings, const SizeScaling *size)
{
    const char *prefix = of_size(warnings, size);
    bool is_far = size->most_is_extrapolated && size->most_processes > FAR * largest_p(size);
    for (uint32_t i = 0; i < size->n_predictions; i++)
        is_far |= size->predictions[i].is_far;
    if (is_far)
        warn(warnings, "%swhat is said of more than %g processes is beyond %g times the most that were run", prefix,
             FAR * largest_p(size), FAR);
}

static void warn_of_sizes(Warnings *warnings)
{
    const Scaling *scaling = warnings->scaling;
    if (scaling->n_sizes > 1 && scaling->isoefficiency.n_points == 0 && scaling->n_weak == 0)
        warn(warnings, "no two sizes were run on the same two numbers of processes: no isoefficiency");
    for (uint32_t i = 0; i < scaling->isoefficiency.n_points; i++)
        if (scaling->isoefficiency.points[i].is_extrapolated) {
            warn(warnings, "sizes marked * are beyond those that were run");
            break;
        }
}

void warnings_make(Scaling *scaling, uint32_t left_out, Arena *arena)
{
    Warnings warnings = {.scaling = scaling, .arena = arena};
    for (uint32_t i = 0; i < scaling->n_sizes; i++)
        warn_of_counts(&warnings, &scaling->sizes[i]);
    warn_of_repeats(&warnings);
    if (left_out)
        warn(&warnings, "laws are fitted without %u run%s far off the others of %s point", left_out,
             left_out > 1 ? "s that lie" : " that lies", left_out > 1 ? "their" : "its");
    for (uint32_t i = 0; i < scaling->n_sizes; i++) {
        warn_of_laws(&warnings, &scaling->sizes[i]);
        warn_of_far(&warnings, &scaling->sizes[i]);
    }
    warn_of_sizes(&warnings);
    const char **texts = arena_new_array(arena, const char *, warnings.texts.count);
    for (size_t i = 0; i < warnings.texts.count; i++)
        texts[i] = warnings.texts.items[i];
    scaling->n_warnings = (uint32_t)warnings.texts.count;
    scaling->warnings = texts;
    vec_free(&warnings.texts);
}
