/* SPDX-License-Identifier: BSD-3-Clause */
/* Warnings of what makes the laws over several runs doubtful: other programs, incomplete or disturbed runs, too few points, noise. */
#include "scaling/counts/rows.h"

#include "base/files.h"
#include "base/text.h"
#include "base/vec.h"
#include <math.h>
#include <string.h>

/* Rows and parts of a smaller share of the time aren't worth a warning. */
static const double WORTH_SHARE = 0.05;
/* Noise alone makes efficiencies of a little more than 1. */
static const double SUPERLINEAR = 1.02;

/* ---- the programs ---- */

static bool is_named_the_same(const Application *a, const Application *b)
{
    const char *left = files_base_name(a->executable), *right = files_base_name(b->executable);
    return !*left || !*right || strcmp(left, right) == 0;
}

static bool is_same_build(const Application *a, const Application *b)
{
    return *a->build_id && strcmp(a->build_id, b->build_id) == 0;
}

static bool has_same_library(const Application *a, const Application *b)
{
    return strcmp(a->mpi_library, b->mpi_library) == 0;
}

bool counts_check_programs(const char *const *paths, const Application *applications, uint32_t n_runs, Err *err)
{
    for (uint32_t i = 1; i < n_runs; i++) {
        const Application *first = &applications[0], *other = &applications[i];
        if (!is_named_the_same(first, other) && !is_same_build(first, other) && has_same_library(first, other))
            return err_set(err, ERR_INPUT, "%s is a run of %s, and %s of %s: these are two programs", paths[0],
                           files_base_name(first->executable), paths[i], files_base_name(other->executable)) ||
                   err_hint(err, "if they are one program under two names, add --accept-differences");
    }
    return true;
}

/* ---- the list ---- */

typedef struct Warnings {
    VEC(const char *) items;
    const Counts *counts;
    Arena *arena;
} Warnings;

#define warn(warnings, ...) (*vec_push(&(warnings)->items) = arena_printf((warnings)->arena, __VA_ARGS__))

static const Application *application_of(const CountRun *run)
{
    return &run->waits.signature->application;
}

static const char *run_text(const Counts *counts, uint32_t i, Arena *arena)
{
    return arena_printf(arena, "%c = %.15g", counts->scaling == COUNT_SIZES ? 'n' : 'p', counts->runs[i].x);
}

/* The runs in which `name_of` isn't that of the first run: "heat with p = 4, heat with p = 8". */
static const char *others_text(const Warnings *warnings, bool (*is_same)(const Application *, const Application *),
                               const char *(*name_of)(const Application *))
{
    const Counts *counts = warnings->counts;
    Text text = {0};
    uint32_t n = 0;
    for (uint32_t i = 1; i < counts->n_runs; i++)
        if (!is_same(application_of(&counts->runs[0]), application_of(&counts->runs[i])))
            text_add(&text, "%s%s with %s", n++ ? ", " : "", name_of(application_of(&counts->runs[i])),
                     run_text(counts, i, warnings->arena));
    return text_take(&text, warnings->arena);
}

static const char *program_of(const Application *application)
{
    return files_base_name(application->executable);
}

static const char *library_of(const Application *application)
{
    return application->mpi_library;
}

static void warn_of_programs(Warnings *warnings)
{
    const Counts *counts = warnings->counts;
    const Application *first = application_of(&counts->runs[0]);
    const char *programs = others_text(warnings, is_named_the_same, program_of),
               *libraries = others_text(warnings, has_same_library, library_of);
    if (*programs)
        warn(warnings, "the runs are of programs with different names: %s with %s, but %s", program_of(first),
             run_text(counts, 0, warnings->arena), programs);
    if (*libraries)
        warn(warnings, "the runs had different MPI libraries, whose messages may cost otherwise: %s with %s, but %s",
             library_of(first), run_text(counts, 0, warnings->arena), libraries);
}

/* ---- the runs ---- */

static double ranks_per_processor(const CountRun *run)
{
    return run->waits.signature->ranks_per_processor;
}

static double slowdown(const CountRun *run)
{
    return run->waits.signature->slowdown;
}

/* The runs where a factor is above 1: "2 with p = 4". "": there are none. */
static const char *factors_text(const Warnings *warnings, double (*factor)(const CountRun *))
{
    const Counts *counts = warnings->counts;
    Text text = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < counts->n_runs; i++)
        if (factor(&counts->runs[i]) > 1)
            text_add(&text, "%s%.2g with %s", n++ ? ", " : "", factor(&counts->runs[i]),
                     run_text(counts, i, warnings->arena));
    return text_take(&text, warnings->arena);
}

static void warn_of_runs(Warnings *warnings)
{
    const char *shared = factors_text(warnings, ranks_per_processor), *busy = factors_text(warnings, slowdown);
    if (*shared)
        warn(warnings,
             "processes shared processors (how many each: %s): transfer and waiting contain waits for a processor, so "
             "their laws hold only where processors are shared likewise",
             shared);
    if (*busy)
        warn(warnings, "other programs kept processors busy, and may have slowed runs down (by a factor of up to: %s)",
             busy);
}

/* ---- efficiencies ---- */

static void warn_of_scaling(Warnings *warnings)
{
    if (warnings->counts->scaling == COUNT_UNKNOWN)
        warn(warnings, "the runs hold little computation, so nothing tells whether the problem grew with p, and there "
                       "are no efficiencies: say --scaling strong or weak");
}

static double first_part_s(const Counts *counts, int part)
{
    double sum_s = counts->rest.parts[part].values[0];
    for (uint32_t i = 0; i < counts->n_phases; i++)
        sum_s += counts->phases[i].parts[part].values[0];
    return sum_s;
}

/* An efficiency above 1 needs a reason: the part of the time that is shortest, compared with what it should be. */
static void warn_of_superlinear(Warnings *warnings)
{
    const Counts *counts = warnings->counts;
    const CountPrediction *highest = NULL;
    double most_s = 0;
    int because = 0;
    for (uint32_t i = 0; i < counts->n_predictions; i++)
        if (counts->predictions[i].efficiency > (highest ? highest->efficiency : SUPERLINEAR))
            highest = &counts->predictions[i];
    for (int part = 0; highest && part < COUNT_PARTS; part++) {
        double saved_s = row_ideal_s(counts, first_part_s(counts, part), highest->p) - highest->parts_s[part];
        because = saved_s > most_s ? part : because;
        most_s = fmax(most_s, saved_s);
    }
    if (highest)
        warn(
            warnings,
            "efficiencies go up to %.0f %% (p = %u), because %s takes %.3g s less than it should by p = %g: %s, the run "
            "with p = %g was slowed down, or the work doesn't grow as the scaling says",
            100 * highest->efficiency, highest->p, count_part_names[because], most_s, counts->runs[0].x,
            because == COUNT_COMPUTATION ? "a process's data fit the cache now" : "processes paused",
            counts->runs[0].x);
}

static void warn_of_incomplete(Warnings *warnings)
{
    const Counts *counts = warnings->counts;
    for (uint32_t i = 0; i < counts->n_runs; i++) {
        const Signature *signature = counts->runs[i].waits.signature;
        for (uint32_t k = 0; k < signature->n_incomplete; k++)
            warn(warnings, "the trace with %s isn't of a whole run, so its times may be too short: %s",
                 run_text(counts, i, warnings->arena), signature->incomplete[k]);
    }
}

/* ---- the laws ---- */

static double share_of(const Counts *counts, const CountSeries *series)
{
    const CountRun *last = &counts->runs[counts->n_runs - 1];
    return series->values[counts->n_runs - 1] / last->time_s;
}

typedef struct Doubts {
    uint32_t n, n_few, n_noisy;
    double worst;
    const char *worst_name;
} Doubts;

static void count_doubts(const Warnings *warnings, const CountPhase *row, const char *name, Doubts *doubts)
{
    for (int part = 0; part <= (int)row->together_from; part++) {
        bool is_together = part == (int)row->together_from;
        const CountSeries *series = is_together ? &row->together : &row->parts[part];
        if (!series->n_laws || share_of(warnings->counts, series) < WORTH_SHARE)
            continue;
        const LawFit *law = &series->laws[0];
        doubts->n++;
        doubts->n_few += law->has_few_points;
        doubts->n_noisy += law->is_noisy;
        if (law->is_noisy && law->error > doubts->worst) {
            doubts->worst = law->error;
            doubts->worst_name = arena_printf(warnings->arena, "%s of %s",
                                              !is_together                ? count_part_names[part]
                                              : part == COUNT_COMPUTATION ? "time"
                                                                          : "communication",
                                              name);
        }
    }
}

static const char *off_text(double off, Arena *arena)
{
    return off > 1 ? arena_printf(arena, "a factor of %.3g", 1 + off) : arena_printf(arena, "%.0f %%", 100 * off);
}

static void warn_of_laws(Warnings *warnings)
{
    const Counts *counts = warnings->counts;
    Doubts doubts = {0};
    for (uint32_t i = 0; i < counts->n_phases; i++)
        count_doubts(warnings, &counts->phases[i], arena_printf(warnings->arena, "`%s`", counts->phases[i].structure),
                     &doubts);
    count_doubts(warnings, &counts->rest, "the others", &doubts);
    if (doubts.n_few)
        warn(warnings,
             "%u of %u laws that matter go through %u runs with nearly as many parameters, so nothing tells how near "
             "they are: add runs",
             doubts.n_few, doubts.n, counts->n_runs);
    if (doubts.n_noisy)
        warn(warnings, "%u of %u laws that matter are more than %.0f %% off the runs; worst is %s, by %s",
             doubts.n_noisy, doubts.n, 100 * LAW_NOISY, doubts.worst_name, off_text(doubts.worst, warnings->arena));
}

static void warn_of_distance(Warnings *warnings)
{
    double farthest = 1;
    for (uint32_t i = 0; i < warnings->counts->n_predictions; i++)
        farthest = fmax(farthest, warnings->counts->predictions[i].distance.times);
    if (farthest > LAW_FAR)
        warn(warnings, "predictions go up to %.3g times beyond the runs", farthest);
}

void counts_warn(Counts *counts, Arena *arena)
{
    Warnings warnings = {.counts = counts, .arena = arena};
    warn_of_programs(&warnings);
    warn_of_incomplete(&warnings);
    warn_of_runs(&warnings);
    warn_of_scaling(&warnings);
    warn_of_superlinear(&warnings);
    warn_of_laws(&warnings);
    warn_of_distance(&warnings);
    counts->n_warnings = (uint32_t)warnings.items.count;
    counts->warnings = vec_copy(&warnings.items, arena);
    vec_free(&warnings.items);
}
