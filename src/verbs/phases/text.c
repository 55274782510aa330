/* SPDX-License-Identifier: BSD-3-Clause */
/* See text.h. */
#include "verbs/phases/text.h"

#include "model/strata_json.h"
#include "report/format.h"
#include "report/strata.h"
#include "report/table_fields.h"

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

typedef struct PhaseRow {
    const Phase *phase;
    double mean_duration_s;
} PhaseRow;

static const FieldList length_fields =
    FIELDS(Phase, FIELD(Phase, id, "from 1, by first occurrence", .heading = "phase", .look = LOOK_DIGITS),
           FIELD_AS(Phase, n_ticks, "ticks", "its length", .heading = ">ticks"),
           FIELD_AS(Phase, n_events, "events", "send-like events of all processes in it"),
           FIELD(Phase, weight, "number of its occurrences", .heading = ">weight"));

static const FieldList share_fields =
    FIELDS(Phase, FIELD(Phase, share, "of the application's time", .heading = ">share of time", .look = LOOK_SHARE),
           FIELD(Phase, similarity, "mean share of matching events over its occurrences", .heading = ">similarity",
                 .look = LOOK_SHARE),
           FIELD(Phase, relevant, "whether its share is large enough for it to be measured", .heading = "relevant"),
           FIELD_LIST(Phase, strata, n_strata, "strata", "as in the signature", .of = &stratum_fields));

static const FieldList phase_fields =
    FIELDS(PhaseRow, FIELD_INLINE_POINTED(PhaseRow, phase, length_fields),
           FIELD(PhaseRow, mean_duration_s, "of an occurrence", .heading = ">mean duration"),
           FIELD_INLINE_POINTED(PhaseRow, phase, share_fields));

static PhaseRow phase_row(const Signature *signature, const Phase *phase)
{
    return (PhaseRow){phase, mean_duration_s(signature, phase)};
}

static void add_phase_row(Table *table, const Signature *signature, const Phase *phase, Arena *arena)
{
    const PhaseRow row = phase_row(signature, phase);
    table_record(table, &phase_fields, &row, "", arena);
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
    table_field_columns(table, &phase_fields);
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

/* The strata of each phase that has several, one line for each. */
static const char *all_strata_text(const Signature *signature, Arena *arena)
{
    const char *text = "";
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        if (phase->n_strata)
            text = arena_printf(arena, "%s%-13s %s\n", text, arena_printf(arena, "phase %u", phase->id),
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
                        format_count(arena, period.occurrences), text_plural(period.occurrences),
                        format_seconds(arena, period.time_s), format_count(arena, period.times),
                        format_percent(arena, signature->application_s > 0 ? time_s / signature->application_s : 0));
}

/* ---- problems ---- */

static const char *problem_text(const OrderProblem *problem, Arena *arena)
{
    const Event *event = &problem->event;
    switch (problem->kind) {
    case PROBLEM_UNMATCHED_RECV:
        return arena_printf(arena,
                            "process %u received from %u (tag %u, %" PRIu64
                            " bytes) a message without a send in this trace; left out",
                            problem->process, event->peer, event->tag, event->bytes);
    case PROBLEM_PARTIAL_COLLECTIVE:
        return arena_printf(arena, "process %u entered a %s that some members never entered; ordered without them",
                            problem->process, collective_name(event->collective));
    case PROBLEM_CYCLE:
        return arena_printf(arena,
                            "process %u: events wait for each other in a circle; firma broke the circle to order them",
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
        text = arena_printf(
            arena,
            "note: the records of %u of %u processes end before MPI_Finalize; the phases cover only what was recorded\n",
            unfinished, signature->application.n_processes);
    if (report->n_unmatched_sends)
        text = arena_printf(arena, "%snote: %s sent message%s never received\n", text,
                            format_count(arena, report->n_unmatched_sends),
                            report->n_unmatched_sends == 1 ? " was" : "s were");
    if (signature->n_blocks_cut_short)
        text = arena_printf(arena,
                            "%snote: %s blocks have too many nearly similar predecessors and were compared with only "
                            "some of them; some distinct blocks may be similar\n",
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
    const char *repeats = "";
    for (uint32_t i = 0; i < signature->n_repeats; i++)
        repeats = arena_printf(arena, "%s%s%s", repeats, i ? ", " : "; further runs took ",
                               format_seconds(arena, signature->repeats[i].application_s));
    const char *application =
        arena_printf(arena, "%-13s %s on %u processes, %s events, %s ticks%s\n", "application",
                     format_seconds(arena, signature->application_s), n, format_count(arena, signature->n_send_events),
                     format_count(arena, signature->n_ticks), repeats);
    const char *coverage = arena_printf(arena, "%-13s %s of the time is in relevant phases: %u of %u\n", "coverage",
                                        format_percent(arena, signature->coverage), relevant, signature->n_phases);
    const char *blocks = "";
    if (signature->n_blocks)
        blocks = arena_printf(
            arena, "%-13s %s parallel basic blocks, %s of them distinct: computation within %s or %s is similar\n",
            "blocks", format_count(arena, signature->n_blocks), format_count(arena, signature->n_distinct_blocks),
            format_percent(arena, signature->parameters.compute_tolerance),
            format_seconds(arena, signature->parameters.compute_floor_s));
    if (signature->n_blocks)
        blocks = arena_printf(arena, "%s%-13s %s\n", blocks, "renamed",
                              loop_text(&signature->renamed, view->columns - 14, arena));
    return arena_printf(arena, "%s%s\n%s%s%s%s%s%-13s %s\n%s%s", phase_table(signature, view, arena),
                        all_strata_text(signature, arena), application, blocks, coverage,
                        edge_text("startup", "from MPI_Init to the first event", signature->startup_s, n, arena),
                        edge_text("shutdown", "from the last event to MPI_Finalize", signature->shutdown_s, n, arena),
                        "sequence", loop_text(&signature->sequence, view->columns - 14, arena),
                        period_text(signature, arena), problems_text(signature, report, arena));
}

/* ---- JSON ---- */

/* The problems that ordering the trace met. */
typedef struct ReportView {
    const OrderReport *report;
    const char **problems;
    uint32_t n_unfinished, n_problems;
} ReportView;

typedef struct PhasesDocument {
    const Signature *signature;
    const ReportView *report; /* NULL: there is no trace to order */
    double startup_s, startup_slowest_s, shutdown_s, shutdown_slowest_s;
    const PhaseRow *phases;
    uint32_t n_phases;
    const SequencePeriod *period; /* NULL: there is none */
    const uint64_t *first_blocks;
    uint32_t n_first_blocks;
} PhasesDocument;

static const FieldList unfinished_fields =
    FIELDS(ReportView, FIELD_AS(ReportView, n_unfinished, "processes_unfinished",
                                "how many never reached MPI_Finalize; of a trace"));

static const FieldList count_fields = FIELDS(
    OrderReport, FIELD_AS(OrderReport, n_problems, "problem_count", "how many there are; of a trace"),
    FIELD_AS(OrderReport, n_unmatched_sends, "unmatched_sends", "messages that were never received; of a trace"));

static const FieldList report_fields =
    FIELDS(ReportView, FIELD_INLINE_POINTED(ReportView, report, count_fields),
           FIELD_LIST(ReportView, problems, n_problems, "problems", "the first ones, a sentence each; of a trace"));

static const FieldList method_fields =
    FIELDS(Signature, FIELD_AS(Signature, parameters.order, "order", "`pas2p` or `lamport`"),
           FIELD_AS(Signature, parameters.similarity, "similarity", "`phase` or `block`"),
           FIELD(Signature, application_s, "AET of the traced run"),
           FIELD_AS(Signature, n_send_events, "send_events", "how many send-like events there are"),
           FIELD_AS(Signature, n_ticks, "ticks", "how many ticks there are"),
           FIELD_AS(Signature, n_occurrences, "occurrences", "how many occurrences of phases"),
           FIELD_AS(Signature, n_blocks, "blocks", "similarity `block`: how many parallel basic blocks; else 0"),
           FIELD_AS(Signature, n_distinct_blocks, "distinct_blocks", "how many differ from all earlier ones"),
           FIELD_AS(Signature, parameters.compute_floor_s, "compute_floor_s",
                    "time by which the computation of similar blocks may differ, whatever it lasts; else 0"),
           FIELD_AS(Signature, n_blocks_cut_short, "blocks_cut_short",
                    "how many were compared with only some of the earlier ones"),
           FIELD(Signature, coverage, "share of the time in relevant phases"));

static const FieldList processes_fields =
    FIELDS(Signature, FIELD_AS(Signature, application.n_processes, "processes", "how many"));

static const FieldList period_fields = FIELDS(SequencePeriod, FIELD(SequencePeriod, occurrences, "of one iteration"),
                                              FIELD(SequencePeriod, times, "how many iterations"),
                                              FIELD(SequencePeriod, first_occurrence, "where the first one begins"),
                                              FIELD(SequencePeriod, time_s, "mean time of an iteration"));

static json_t *sequence_json(const FieldContext *context, const void *record)
{
    (void)context;
    return signature_loop_json(&((const PhasesDocument *)record)->signature->sequence);
}

static json_t *renamed_json(const FieldContext *context, const void *record)
{
    (void)context;
    const Signature *signature = ((const PhasesDocument *)record)->signature;
    return signature->n_blocks ? signature_loop_json(&signature->renamed) : json_null();
}

const FieldList phases_fields = FIELDS(
    PhasesDocument, FIELD_INLINE_POINTED(PhasesDocument, signature, processes_fields),
    FIELD_INLINE_POINTED(PhasesDocument, report, unfinished_fields),
    FIELD_INLINE_POINTED(PhasesDocument, signature, method_fields),
    FIELD(PhasesDocument, startup_s, "mean over processes: MPI_Init to the first event"),
    FIELD(PhasesDocument, startup_slowest_s, "the same of the slowest process"),
    FIELD(PhasesDocument, shutdown_s, "mean over processes: the last event to MPI_Finalize"),
    FIELD(PhasesDocument, shutdown_slowest_s, "the same of the slowest process"),
    FIELD_LIST(PhasesDocument, phases, n_phases, "phases", "by id", .of = &phase_fields),
    FIELD_OWN("sequence", SHAPE_ONE, sequence_json, NULL, "the occurrences in order, as in the signature",
              .noun = "object"),
    FIELD_OWN("renamed", SHAPE_ONE, renamed_json, NULL,
              "similarity `block`: the name of each block in order, from 1, in the form of `sequence`; else null",
              .noun = "object"),
    FIELD_LIST(PhasesDocument, first_blocks, n_first_blocks, "first_blocks",
               "similarity `block`: for each name, its first block, as `firma show --blocks` numbers them"),
    FIELD_POINTED(PhasesDocument, period, "period", "what the sequence repeats in the middle of the run",
                  .of = &period_fields, .flags = FIELD_NULL),
    FIELD_INLINE_POINTED(PhasesDocument, report, report_fields));

static ReportView view_report(const Signature *signature, const OrderReport *report, Arena *arena)
{
    uint32_t n = (uint32_t)kept_problems(report);
    const char **problems = arena_new_array(arena, const char *, n);
    for (uint32_t i = 0; i < n; i++)
        problems[i] = problem_text(&report->problems[i], arena);
    return (ReportView){report, problems, count_unfinished(signature, report), n};
}

json_t *phases_json(const Signature *signature, const OrderReport *report, Arena *arena)
{
    uint32_t n = signature->application.n_processes;
    SequencePeriod period = signature_period(signature);
    PhaseRow *rows = arena_new_array(arena, PhaseRow, signature->n_phases);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        rows[i] = phase_row(signature, &signature->phases[i]);
    const ReportView view = report ? view_report(signature, report, arena) : (ReportView){0};
    const PhasesDocument document = {.signature = signature,
                                     .report = report ? &view : NULL,
                                     .startup_s = gsl_stats_mean(signature->startup_s, 1, n),
                                     .startup_slowest_s = gsl_stats_max(signature->startup_s, 1, n),
                                     .shutdown_s = gsl_stats_mean(signature->shutdown_s, 1, n),
                                     .shutdown_slowest_s = gsl_stats_max(signature->shutdown_s, 1, n),
                                     .phases = rows,
                                     .n_phases = signature->n_phases,
                                     .first_blocks = signature->first_blocks,
                                     .n_first_blocks =
                                         signature->first_blocks ? (uint32_t)signature->n_distinct_blocks : 0,
                                     .period = period.occurrences ? &period : NULL};
    return fields_to_json(&phases_fields, &document, 0);
}
