/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes warnings (warnings.h). */
#include "scaling/warnings.h"

#include "scaling/laws.h"

#include "base/text.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PROCESSES_FOR_LAW = 3, PROCESSES_FOR_CHOICE = 5, NAMED_MOST = 4 };

/* Repeats that differ by more than this share get a warning. */
static const double DISAGREEMENT = 0.1;
static const double LEAST_SPAN = 4;

/* A warning that several sizes share names these sizes. */
typedef struct Warning {
    const char *text;
    Text sizes;
    uint32_t n_sizes;
} Warning;

typedef struct Warnings {
    VEC(Warning) items;
    const Scaling *scaling;
    Arena *arena;
} Warnings;

/* size: NULL if the warning concerns the whole. */
static void add(Warnings *warnings, const SizeScaling *size, const char *text)
{
    Warning *warning = NULL;
    for (size_t i = 0; !warning && i < warnings->items.count; i++)
        if (strcmp(warnings->items.items[i].text, text) == 0)
            warning = &warnings->items.items[i];
    if (!warning) {
        warning = vec_push(&warnings->items);
        *warning = (Warning){.text = text};
    }
    if (size && warnings->scaling->n_sizes > 1 && warning->n_sizes++ < NAMED_MOST)
        text_add(&warning->sizes, "%s%g", warning->n_sizes > 1 ? ", " : "n = ", size->n);
}

#define warn_size(warnings, size, ...) add(warnings, size, arena_printf((warnings)->arena, __VA_ARGS__))
#define warn(warnings, ...) warn_size(warnings, NULL, __VA_ARGS__)

static double largest_p(const SizeScaling *size)
{
    return size->points[size->n_points - 1].run->p;
}

static void warn_of_counts(Warnings *warnings, const SizeScaling *size)
{
    uint32_t n = size->n_points, least = size->points[0].run->p;
    if (n == 1) {
        if (warnings->scaling->n_weak == 0)
            warn_size(warnings, size, "only one number of processes was run: there is no speedup");
        return;
    }
    if (n < PROCESSES_FOR_LAW)
        warn_size(warnings, size, "%u numbers of processes are too few for any law: run at least %d", n,
                  PROCESSES_FOR_LAW);
    else if (n < PROCESSES_FOR_CHOICE)
        warn_size(warnings, size, "%u numbers of processes can't distinguish the laws: run at least %d", n,
                  PROCESSES_FOR_CHOICE);
    else if (largest_p(size) < LEAST_SPAN * least)
        warn_size(warnings, size, "the numbers of processes span less than a factor of %g, where laws differ little",
                  LEAST_SPAN);
    if (least > 1)
        warn_size(warnings, size, "nothing was run on one process: speedups take the efficiency on %u processes as 1",
                  least);
}

static const char *point_text(const Runs *runs, const RunPoint *run, Arena *arena)
{
    return runs->has_sizes ? arena_printf(arena, "n = %g, p = %u", run->n, run->p)
                           : arena_printf(arena, "p = %u", run->p);
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
            worst = point_text(runs, run, warnings->arena);
        }
    }
    if (n)
        warn(warnings, "repeats differ by more than %g %% at %u of %u points, and by up to %.0f %% at %s",
             100 * DISAGREEMENT, n, runs->n_points, 100 * largest, worst);
    if (once == runs->n_points)
        warn(warnings, "nothing was run twice, so only the laws' fit tells how much times vary");
    else if (once)
        warn(warnings, "%u of %u points were run only once", once, runs->n_points);
}

static void warn_of_load(Warnings *warnings)
{
    const Runs *runs = warnings->scaling->runs;
    const RunPoint *worst = &runs->points[0];
    uint32_t n = 0;
    for (uint32_t i = 0; i < runs->n_points; i++) {
        worst = runs->points[i].slowdown > worst->slowdown ? &runs->points[i] : worst;
        n += runs->points[i].slowdown > 1;
    }
    if (n)
        warn(
            warnings,
            "other programs kept processors busy, and may have slowed runs down, at %u of %u points, and by a factor of "
            "up to %.2g at %s",
            n, runs->n_points, worst->slowdown, point_text(runs, worst, warnings->arena));
}

static void warn_of_laws(Warnings *warnings, const SizeScaling *size)
{
    if (size->n_laws == 0) {
        if (warnings->scaling->law && size->n_points >= PROCESSES_FOR_LAW)
            warn_size(warnings, size, "the law `%s` isn't one of runs of the same size", warnings->scaling->law);
        return;
    }
    const LawFit *best = &size->laws[0];
    if (best->error > LAW_NOISY && (best->linear.lacks_fit || best->error > 2 * LAW_NOISY))
        warn_size(warnings, size,
                  "%s: the best one is %.0f %% off; something changes with p (nodes, caches, algorithms)",
                  warnings->scaling->law ? "this law doesn't describe these times" : "no law describes these times",
                  100 * best->error);
    const LawFit *amdahl = laws_find(size->laws, size->n_laws, LAW_AMDAHL);
    if (amdahl && !amdahl->plausible)
        warn_size(warnings, size, "Amdahl's law predicts worse than %s, so it gives no bound of the speedup",
                  best->name);
    else if (amdahl && amdahl->values[1].value > 0 && amdahl->values[1].low == 0)
        warn_size(warnings, size, "the serial share may be 0, so there may be no bound");
}

static void warn_of_far(Warnings *warnings, const SizeScaling *size)
{
    bool is_far = size->most_is_extrapolated && size->most_processes > LAW_FAR * largest_p(size);
    for (uint32_t i = 0; i < size->n_predictions; i++)
        is_far |= size->predictions[i].p > LAW_FAR * largest_p(size);
    if (is_far)
        warn_size(warnings, size,
                  "predictions for more than %g processes go beyond %d times the largest number that was run",
                  LAW_FAR * largest_p(size), LAW_FAR);
}

static void warn_of_weak(Warnings *warnings, const WeakScaling *weak)
{
    bool is_far = false;
    if (weak->n_laws == 0)
        warn(warnings, "the law `%s` isn't one of runs whose size grows with p", warnings->scaling->law);
    uint32_t last = weak->points[weak->n_points - 1].run->p;
    if (weak->n_points < PROCESSES_FOR_CHOICE)
        warn(warnings, "scaled runs on %u numbers of processes can't distinguish the laws: run at least %d",
             weak->n_points, PROCESSES_FOR_CHOICE);
    for (uint32_t i = 0; i < weak->n_predictions; i++)
        is_far |= weak->predictions[i].p > LAW_FAR * last;
    if (is_far)
        warn(warnings,
             "predictions of scaled runs on more than %" PRIu64 " processes go beyond %d times the largest number that "
             "was run",
             (uint64_t)LAW_FAR * last, LAW_FAR);
}

/* Without a column n, nothing tells whether the size grew with p. */
static void warn_of_one_size(Warnings *warnings)
{
    const Scaling *scaling = warnings->scaling;
    const SizeScaling *size = &scaling->sizes[0];
    if (scaling->runs->has_sizes || size->n_points < 2)
        return;
    bool may_not_fall = size->n_laws ? laws_may_not_fall(size->laws, size->n_laws)
                                     : size->points[size->n_points - 1].run->median_s >= size->points[0].run->median_s;
    if (may_not_fall)
        warn(warnings,
             "the file has no column `n`, so its runs are taken for one size, but their times don't fall with "
             "p: if the size grew with p, add this column");
}

static void warn_of_sizes(Warnings *warnings)
{
    const Scaling *scaling = warnings->scaling;
    if (scaling->n_sizes > 1 && scaling->isoefficiency.n_points == 0 && scaling->n_weak == 0)
        warn(warnings, "no two sizes were run on the same two numbers of processes, so there is no isoefficiency");
    for (uint32_t i = 0; i < scaling->isoefficiency.n_points; i++)
        if (scaling->isoefficiency.points[i].is_extrapolated) {
            warn(warnings, "sizes marked * are beyond those that were run");
            break;
        }
}

static void warn_of_missed(Warnings *warnings)
{
    const JointScaling *joint = &warnings->scaling->joint;
    const struct {
        double share;
        const char *what;
    } missed[] = {{joint->missed_by_size, "sizes"}, {joint->missed_by_processes, "numbers of processes"}};
    for (size_t i = 0; i < sizeof missed / sizeof *missed; i++)
        if (missed[i].share > 0)
            warn(warnings,
                 "fitted without the largest %s, the model of n and p misses them by %.1f %% for each doubling: it "
                 "lacks something, and its intervals grow with that",
                 missed[i].what, 100 * missed[i].share);
}

static const char *finish(Warning *warning, Arena *arena)
{
    if (warning->n_sizes > NAMED_MOST)
        text_add(&warning->sizes, " and %u more", warning->n_sizes - NAMED_MOST);
    const char *sizes = text_take(&warning->sizes, arena);
    return warning->n_sizes ? arena_printf(arena, "%s: %s", sizes, warning->text) : warning->text;
}

void warnings_make(Scaling *scaling, uint32_t left_out, Arena *arena)
{
    Warnings warnings = {.scaling = scaling, .arena = arena};
    warn_of_one_size(&warnings);
    for (uint32_t i = 0; i < scaling->n_sizes; i++)
        warn_of_counts(&warnings, &scaling->sizes[i]);
    warn_of_repeats(&warnings);
    warn_of_load(&warnings);
    if (left_out)
        warn(&warnings, "laws are fitted without %u run%s far from the others of %s point", left_out,
             left_out > 1 ? "s that lie" : " that lies", left_out > 1 ? "their" : "its");
    for (uint32_t i = 0; i < scaling->n_sizes; i++) {
        warn_of_laws(&warnings, &scaling->sizes[i]);
        warn_of_far(&warnings, &scaling->sizes[i]);
    }
    for (uint32_t i = 0; i < scaling->n_weak; i++)
        warn_of_weak(&warnings, &scaling->weak[i]);
    warn_of_sizes(&warnings);
    warn_of_missed(&warnings);
    const char **texts = arena_new_array(arena, const char *, warnings.items.count);
    for (size_t i = 0; i < warnings.items.count; i++)
        texts[i] = finish(&warnings.items.items[i], arena);
    scaling->n_warnings = (uint32_t)warnings.items.count;
    scaling->warnings = texts;
    vec_free(&warnings.items);
}
