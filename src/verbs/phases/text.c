/* SPDX-License-Identifier: BSD-3-Clause */
/* See phases.h. */
#include "verbs/phases/text.h"

#include "base/json.h"
#include "model/strata_json.h"
#include "report/format.h"
#include "report/strata.h"
#include "report/table.h"

#include <gsl/gsl_statistics_double.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the loop structure in one line: "1 + 25×(2 3 + 4×(5))" ---- */

typedef struct LoopText {
    char *text;
    size_t used, limit;
} LoopText;

static bool add_text(LoopText *line, const char *piece)
{
    size_t length = strlen(piece);
    if (line->used + length > line->limit)
        return false;
    memcpy(line->text + line->used, piece, length + 1);
    line->used += length;
    return true;
}

/* False when the line is full. */
static bool add_loop(LoopText *line, const Loop *loop, bool outermost)
{
    char piece[64];
    if (loop->phase) {
        if (loop->count > 1)
            snprintf(piece, sizeof piece, "%" PRIu64 "×%" PRIu32, loop->count, loop->phase);
        else
            snprintf(piece, sizeof piece, "%" PRIu32, loop->phase);
        return add_text(line, piece);
    }
    bool wrapped = !outermost || loop->count > 1;
    snprintf(piece, sizeof piece, "%" PRIu64 "×(", loop->count);
    if (wrapped && !add_text(line, piece))
        return false;
    for (uint32_t i = 0; i < loop->n_body; i++) {
        bool joins_loop = i > 0 && (loop->body[i].phase == 0 || loop->body[i - 1].phase == 0);
        if ((i > 0 && !add_text(line, joins_loop ? " + " : " ")) || !add_loop(line, &loop->body[i], false))
            return false;
    }
    return !wrapped || add_text(line, ")");
}

/* At most `columns` wide on a terminal; the end is cut off with "…". */
static char *loop_text(const Loop *sequence, size_t columns, Arena *arena)
{
    LoopText line = {.limit = 4 * columns};
    line.text = arena_alloc(arena, line.limit + 1);
    bool whole = add_loop(&line, sequence, true);
    if (whole && text_width(line.text) <= columns)
        return line.text;
    while (line.used > 0 && text_width(line.text) + 2 > columns) {
        while (line.used > 0 && (line.text[--line.used] & '\xC0') == '\x80')
            continue;
        line.text[line.used] = '\0';
    }
    return arena_printf(arena, "%s …", line.text);
}

/* ---- the phase table ---- */

static double mean_duration_s(const Signature *signature, const Phase *phase)
{
    return phase->weight ? phase->share * signature->application_s / (double)phase->weight : 0;
}

static void add_phase_row(Table *table, const Signature *signature, const Phase *phase, Arena *arena)
{
    table_cells(table, "%u|%s|%s|%s|%s|%s|%s", phase->id, format_count(arena, phase->n_ticks),
                format_count(arena, phase->weight), format_seconds(arena, mean_duration_s(signature, phase)),
                format_percent(arena, phase->share), format_percent(arena, phase->similarity),
                phase->relevant ? "yes" : "no");
    table_row_style(table, phase->relevant ? TABLE_PLAIN : TABLE_DIM);
}

typedef struct LeftOut {
    uint32_t n_phases;
    uint64_t weight;
    double share;
} LeftOut;

static void add_left_out_row(Table *table, const LeftOut *left_out, Arena *arena)
{
    table_cells(table, "%u others|%s|%s|%s|%s|%s|%s", left_out->n_phases, "", format_count(arena, left_out->weight), "",
                format_percent(arena, left_out->share), "", "no");
    table_row_style(table, TABLE_DIM);
}

static const char *phase_table(const Signature *signature, const PhasesView *view, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "phase|>ticks|>weight|>mean duration|>share of time|>similarity|relevant");
    LeftOut left_out = {0};
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        if (phase->relevant || view->all) {
            add_phase_row(table, signature, phase, arena);
        } else {
            left_out.n_phases++;
            left_out.weight += phase->weight;
            left_out.share += phase->share;
        }
    }
    if (left_out.n_phases)
        add_left_out_row(table, &left_out, arena);
    return table_text(table, view->color);
}

/* Phases whose occurrences are of several kinds, a line each. */
static const char *all_strata_text(const Signature *signature, Arena *arena)
{
    const char *text = "";
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        if (phase->n_strata)
            text = arena_printf(arena, "%s%-13s %s\n", text, arena_printf(arena, "of phase %u", phase->id),
                                strata_text(phase, arena));
    }
    return text;
}

static const char *period_text(const Signature *signature, Arena *arena)
{
    SequencePeriod period = signature_period(signature);
    if (!period.occurrences)
        return "";
    double time_s = period.time_s * (double)period.times;
    return arena_printf(arena, "%-13s %s occurrence%s, %s, %s times: %s of the time\n", "period",
                        format_count(arena, period.occurrences), period.occurrences == 1 ? "" : "s",
                        format_seconds(arena, period.time_s), format_count(arena, period.times),
                        format_percent(arena, signature->application_s > 0 ? time_s / signature->application_s : 0));
}

/* ---- problems ---- */

static const char *problem_text(const OrderProblem *problem, Arena *arena)
{
    const Event *event = &problem->event;
    switch (problem->kind) {
    case PROBLEM_UNMATCHED_RECV:
        return arena_printf(
            arena, "process %u received from %u (tag %u, %" PRIu64 " bytes) what nobody sent in this trace; left out",
            problem->process, event->peer, event->tag, event->bytes);
    case PROBLEM_PARTIAL_COLLECTIVE:
        return arena_printf(arena, "process %u entered a %s that not all members entered; ordered with those that did",
                            problem->process, collective_name(event->collective));
    case PROBLEM_CYCLE:
        return arena_printf(arena, "process %u: events wait for each other in a circle; ordered by force",
                            problem->process);
    }
    return "unknown";
}

static size_t kept_problems(const OrderReport *report)
{
    size_t limit = sizeof report->problems / sizeof *report->problems;
    return report->n_problems < limit ? (size_t)report->n_problems : limit;
}

static uint32_t count_unfinished(const Signature *signature, const OrderReport *report)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < signature->application.n_processes; i++)
        count += !report->processes[i].finished;
    return count;
}

static const char *problems_text(const Signature *signature, const OrderReport *report, Arena *arena)
{
    const char *text = "";
    if (!report)
        return text;
    uint32_t unfinished = count_unfinished(signature, report);
    if (unfinished)
        text = arena_printf(arena,
                            "note: %u of %u processes never reached MPI_Finalize; the phases are those of what ran\n",
                            unfinished, signature->application.n_processes);
    if (report->n_unmatched_sends)
        text = arena_printf(arena, "%snote: %s sent message%s received by nobody\n", text,
                            format_count(arena, report->n_unmatched_sends),
                            report->n_unmatched_sends == 1 ? " was" : "s were");
    if (signature->n_blocks_cut_short)
        text = arena_printf(arena,
                            "%snote: %s blocks were compared with some of the earlier ones only, as too many were "
                            "nearly similar; some of the distinct blocks may be similar\n",
                            text, format_count(arena, signature->n_blocks_cut_short));
    size_t kept = kept_problems(report);
    for (size_t i = 0; i < kept; i++)
        text = arena_printf(arena, "%snote: %s\n", text, problem_text(&report->problems[i], arena));
    if (report->n_problems > kept)
        text = arena_printf(arena, "%snote: … and %s more such problems\n", text,
                            format_count(arena, report->n_problems - kept));
    return text;
}

static const char *edge_text(const char *name, const char *what, const double *values, uint32_t count, Arena *arena)
{
    return arena_printf(arena, "%-13s %s on average, %s at most, %s\n", name,
                        format_seconds(arena, gsl_stats_mean(values, 1, count)),
                        format_seconds(arena, gsl_stats_max(values, 1, count)), what);
}

const char *phases_text(const Signature *signature, const OrderReport *report, const PhasesView *view, Arena *arena)
{
    uint32_t n = signature->application.n_processes, relevant = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++)
        relevant += signature->phases[i].relevant;
    const char *application =
        arena_printf(arena, "%-13s %s on %u processes, %s events, %s ticks\n", "application",
                     format_seconds(arena, signature->application_s), n, format_count(arena, signature->n_send_events),
                     format_count(arena, signature->n_ticks));
    const char *coverage = arena_printf(arena, "%-13s %s of the time is in relevant phases: %u of %u\n", "coverage",
                                        format_percent(arena, signature->coverage), relevant, signature->n_phases);
    const char *blocks = "";
    if (signature->n_blocks)
        blocks =
            arena_printf(arena, "%-13s %s parallel basic blocks, %s of them distinct\n", "blocks",
                         format_count(arena, signature->n_blocks), format_count(arena, signature->n_distinct_blocks));
    return arena_printf(arena, "%s%s\n%s%s%s%s%s%-13s %s\n%s%s", phase_table(signature, view, arena),
                        all_strata_text(signature, arena), application, blocks, coverage,
                        edge_text("startup", "from MPI_Init to the first event", signature->startup_s, n, arena),
                        edge_text("shutdown", "from the last event to MPI_Finalize", signature->shutdown_s, n, arena),
                        "sequence", loop_text(&signature->sequence, view->columns - 14, arena),
                        period_text(signature, arena), problems_text(signature, report, arena));
}

static json_t *list_of_phases(const Signature *signature)
{
    json_t *phases = json_array();
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        json_t *one = json_object();
        json_object_set_new(one, "id", json_integer(phase->id));
        json_object_set_new(one, "ticks", json_integer(phase->n_ticks));
        json_object_set_new(one, "events", json_integer(phase->n_events));
        json_object_set_new(one, "weight", json_integer((json_int_t)phase->weight));
        json_object_set_new(one, "mean_duration_s", json_real(mean_duration_s(signature, phase)));
        json_object_set_new(one, "share", json_real(phase->share));
        json_object_set_new(one, "similarity", json_real(phase->similarity));
        json_object_set_new(one, "relevant", json_boolean(phase->relevant));
        json_object_set_new(one, "strata", fields_to_json_array(&stratum_fields, phase->strata, phase->n_strata, 0));
        json_array_append_new(phases, one);
    }
    return phases;
}

json_t *phases_json(const Signature *signature, const OrderReport *report, Arena *arena)
{
    uint32_t n = signature->application.n_processes;
    json_t *document = json_object();
    json_object_set_new(document, "processes", json_integer(n));
    if (report)
        json_object_set_new(document, "processes_unfinished", json_integer(count_unfinished(signature, report)));
    json_object_set_new(document, "order", json_string(signature->parameters.order));
    json_object_set_new(document, "similarity", json_string(signature->parameters.similarity));
    json_object_set_new(document, "application_s", json_real(signature->application_s));
    json_object_set_new(document, "send_events", json_integer((json_int_t)signature->n_send_events));
    json_object_set_new(document, "ticks", json_integer((json_int_t)signature->n_ticks));
    json_object_set_new(document, "occurrences", json_integer((json_int_t)signature->n_occurrences));
    json_object_set_new(document, "blocks", json_integer((json_int_t)signature->n_blocks));
    json_object_set_new(document, "distinct_blocks", json_integer((json_int_t)signature->n_distinct_blocks));
    json_object_set_new(document, "blocks_cut_short", json_integer((json_int_t)signature->n_blocks_cut_short));
    json_object_set_new(document, "coverage", json_real(signature->coverage));
    json_object_set_new(document, "startup_s", json_real(gsl_stats_mean(signature->startup_s, 1, n)));
    json_object_set_new(document, "startup_slowest_s", json_real(gsl_stats_max(signature->startup_s, 1, n)));
    json_object_set_new(document, "shutdown_s", json_real(gsl_stats_mean(signature->shutdown_s, 1, n)));
    json_object_set_new(document, "shutdown_slowest_s", json_real(gsl_stats_max(signature->shutdown_s, 1, n)));
    json_object_set_new(document, "phases", list_of_phases(signature));
    json_object_set_new(document, "sequence", signature_loop_json(&signature->sequence));
    SequencePeriod period = signature_period(signature);
    json_object_set_new(document, "period",
                        period.occurrences
                            ? json_pack("{s:I, s:I, s:I, s:f}", "occurrences", (json_int_t)period.occurrences, "times",
                                        (json_int_t)period.times, "first_occurrence",
                                        (json_int_t)period.first_occurrence, "time_s", period.time_s)
                            : json_null());
    if (!report)
        return document;
    json_object_set_new(document, "problem_count", json_integer((json_int_t)report->n_problems));
    json_object_set_new(document, "unmatched_sends", json_integer((json_int_t)report->n_unmatched_sends));
    json_t *problems = json_array();
    for (size_t i = 0; i < kept_problems(report); i++)
        json_array_append_new(problems, json_from_text(problem_text(&report->problems[i], arena)));
    json_object_set_new(document, "problems", problems);
    return document;
}
