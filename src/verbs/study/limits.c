/* SPDX-License-Identifier: BSD-3-Clause */
/* See limits.h. */
#include "verbs/study/limits.h"

#include "report/format.h"
#include <assert.h>
#include <sched.h>
#include <unistd.h>

/* A launcher takes longer than this to start. */
static const double SHORT_RUN_S = 0.1;

/* Below this share of the time in phases that repeat, the signature is nearly the whole run. */
static const double LITTLE_REPEATED = 0.1;

const FieldList study_limit_fields = FIELDS(
    StudyLimit, FIELD(StudyLimit, limit, "`one_process`, `few_events`, `short_run`, `no_repeats`, `shared_processors`"),
    FIELD(StudyLimit, text, "a sentence: what it means for the prediction"));

static void add(StudyLimits *limits, const char *limit, const char *text)
{
    assert(limits->n < STUDY_LIMITS);
    limits->items[limits->n++] = (StudyLimit){limit, text};
}

static double repeated_share(const Signature *signature)
{
    double share = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++)
        if (signature->phases[i].weight > 1)
            share += signature->phases[i].share;
    return share;
}

static uint32_t count_processors(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (uint32_t)CPU_COUNT(&set);
    return (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
}

/* Limits of predictions by a short part of the run. */
static void find_measuring_limits(StudyLimits *limits, const Signature *signature, double application_s, Arena *arena)
{
    double repeated = repeated_share(signature);
    if (signature_events_per_s(signature) < FEW_EVENTS_PER_S)
        add(limits, "few_events",
            arena_printf(arena,
                         "The program communicates %.2g times a second; its run can be divided only there, so a short "
                         "part of it says little.",
                         signature_events_per_s(signature)));
    if (application_s < SHORT_RUN_S)
        add(limits, "short_run",
            arena_printf(arena, "The run took %s: running it again costs less than predicting it.",
                         format_seconds(arena, application_s)));
    if (repeated == 0)
        add(limits, "no_repeats", "No phase repeats: predicting the run means running nearly all of it.");
    else if (repeated < LITTLE_REPEATED)
        add(limits, "no_repeats",
            arena_printf(arena,
                         "Phases that repeat hold %s of the run's time: predicting it means running nearly all of it.",
                         format_percent(arena, repeated)));
}

StudyLimits study_find_limits(const Signature *signature, const ArchiveSummary *summary, bool measures, Arena *arena)
{
    StudyLimits limits = {0};
    uint32_t n_processors = count_processors();
    if (summary->n_processes == 1)
        add(&limits, "one_process",
            "One process has no partner to exchange messages with: only its computation is predicted.");
    if (measures)
        find_measuring_limits(&limits, signature, summary->application_s, arena);
    limits.are_tables_empty = limits.n > 0;
    if (measures && summary->n_here > n_processors) /* a simulation takes CPU times */
        add(&limits, "shared_processors",
            arena_printf(arena,
                         "%u processes shared %u processor%s: the prediction holds only if they share processors in "
                         "the same way.",
                         summary->n_here, n_processors, text_plural(n_processors)));
    return limits;
}

const char *study_limits_text(const StudyLimits *limits, Arena *arena)
{
    const char *text = "";
    for (uint32_t i = 0; i < limits->n; i++)
        text = arena_printf(arena, "%s%s\n", text, limits->items[i].text);
    return text;
}
