/* SPDX-License-Identifier: BSD-3-Clause */
/* See views.h. */
#include "verbs/diff/views.h"

#include "base/text.h"
#include "report/format.h"
#include "report/table.h"

#include <math.h>

/* Rows that a table shows unless all are wanted. */
enum { ROWS_SHOWN = 12 };

static const char *const likeness_texts[] = {"the same", "another order", "one ends earlier", "other volumes",
                                             "other events"};

static uint32_t count_processes(const Difference *difference, Likeness least, bool receives)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < difference->events.n_processes; i++) {
        const ProcessDifference *process = &difference->events.processes[i];
        count += (receives ? process->receives.likeness : process->sends.likeness) >= least;
    }
    return count;
}

static const char *processes_text(uint32_t count, uint32_t all, Arena *arena)
{
    if (count == all)
        return all == 1 ? "the process" : arena_printf(arena, "all %u processes", all);
    return arena_printf(arena, "%u of %u processes", count, all);
}

/* The share of send-like events that are in both traces. */
static double common_share(const TraceDifference *events)
{
    uint64_t more = events->count[0] > events->count[1] ? events->count[0] : events->count[1];
    return more ? (double)events->common / (double)more : 1;
}

const char *difference_summary(const Difference *difference, Arena *arena)
{
    const TraceDifference *events = &difference->events;
    uint32_t n[2] = {difference->application[0]->n_processes, difference->application[1]->n_processes};
    if (n[0] != n[1])
        return arena_printf(arena, "different communication: A is of %u process%s, B of %u", n[0],
                            n[0] == 1 ? "" : "es", n[1]);
    const char *who = processes_text(count_processes(difference, LIKENESS_ORDER, false), n[0], arena);
    const char *share = format_percent(arena, common_share(events));
    switch (events->sends) {
    case LIKENESS_SAME:
        if (events->receives == LIKENESS_SAME)
            return "the same communication in the same order";
        if (events->receives == LIKENESS_ORDER)
            return arena_printf(arena, "the same communication; in %s receives complete in another order",
                                processes_text(count_processes(difference, LIKENESS_ORDER, true), n[0], arena));
        return arena_printf(arena, "the same sends and collectives, but %s receive other messages",
                            processes_text(count_processes(difference, LIKENESS_SHORTER, true), n[0], arena));
    case LIKENESS_ORDER:
        return arena_printf(arena, "the same communication in another order: %s send the same in another order", who);
    case LIKENESS_SHORTER:
        return arena_printf(arena,
                            "one trace is the beginning of the other: %s continue longer there, or communicate the "
                            "same in another order; %s of the events are in both",
                            who, share);
    case LIKENESS_VOLUMES:
        return arena_printf(arena,
                            "different communication: the same partners, but other volumes in %s; %s "
                            "of the events are in both",
                            processes_text(count_processes(difference, LIKENESS_VOLUMES, false), n[0], arena), share);
    case LIKENESS_CONTENT:
        break;
    }
    return arena_printf(arena, "different communication: %s communicate differently; %s of the events are in both",
                        processes_text(count_processes(difference, LIKENESS_CONTENT, false), n[0], arena), share);
}

/* ---- text ---- */

static const char *event_text(const ComparedEvent *event, Arena *arena)
{
    if (!event->type)
        return "nothing more";
    char type[64];
    comm_type_format(event->type, type);
    return arena_printf(arena, "%s, %s", type, format_bytes(arena, (double)event->bytes));
}

static const char *first_text(const SequenceDifference *difference, Arena *arena)
{
    if (difference->likeness == LIKENESS_SAME)
        return "";
    return arena_printf(arena, "%s: A: %s; B: %s", format_count(arena, difference->first),
                        event_text(&difference->event[0], arena), event_text(&difference->event[1], arena));
}

static void trace_rows(Table *table, const Difference *difference, Arena *arena)
{
    for (int side = 0; side < 2; side++) {
        const Application *application = difference->application[side];
        uint32_t unfinished = difference->events.n_unfinished[side];
        table_cells(table, "%c|%s|%s|%s|%s|%s", side ? 'B' : 'A', difference->trace[side],
                    format_count(arena, application->n_processes), format_count(arena, difference->events.count[side]),
                    format_seconds(arena, difference->events.application_s[side]),
                    unfinished ? arena_printf(arena, "records of %u processes end before MPI_Finalize", unfinished)
                               : "");
    }
}

static const char *traces_text(const Difference *difference, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "|trace|>processes|>events|>application|");
    trace_rows(table, difference, arena);
    return table_text(table, color);
}

static bool process_differs(const ProcessDifference *process)
{
    return process->sends.likeness != LIKENESS_SAME || process->receives.likeness != LIKENESS_SAME;
}

static void add_sequence_cells(Table *table, const SequenceDifference *difference, Arena *arena)
{
    uint64_t more = difference->count[0] > difference->count[1] ? difference->count[0] : difference->count[1];
    table_cells(table, "%s|%s|%s|%s|%s", format_count(arena, difference->count[0]),
                format_count(arena, difference->count[1]),
                format_percent(arena, more ? (double)difference->common / (double)more : 1),
                likeness_texts[difference->likeness], first_text(difference, arena));
}

/* One line for the sends of a process and one for its receives, where they differ. */
static const char *processes_table(const Difference *difference, bool all, bool color, Arena *arena)
{
    Table *table = table_new(arena);
    table_columns(table, "process|events|>A|>B|>in both|compared|first difference");
    uint32_t shown = 0, left_out = 0;
    for (uint32_t i = 0; i < difference->events.n_processes; i++) {
        const ProcessDifference *process = &difference->events.processes[i];
        if (!process_differs(process))
            continue;
        if (!all && shown == ROWS_SHOWN) {
            left_out++;
            continue;
        }
        shown++;
        table_cells(table, "%u|%s", i, "sent");
        add_sequence_cells(table, &process->sends, arena);
        table_cells(table, "%s|%s", "", "received");
        add_sequence_cells(table, &process->receives, arena);
    }
    const char *more = left_out ? arena_printf(arena, "and %u more processes (--all)\n", left_out) : "";
    return shown ? arena_printf(arena, "\n%s%s", table_text(table, color), more) : "";
}

static const char *pairs_table(const TraceDifference *events, bool color, Arena *arena)
{
    if (!events->n_different_pairs)
        return "";
    Table *table = table_new(arena);
    table_columns(table, "message|>A|>B|>bytes in A|>bytes in B");
    for (uint32_t i = 0; i < events->n_kept; i++) {
        const PairDifference *pair = &events->pairs[i];
        table_cells(table, "%u to %u|%s|%s|%s|%s", pair->source, pair->destination,
                    format_count(arena, pair->messages[0]), format_count(arena, pair->messages[1]),
                    format_bytes(arena, (double)pair->bytes[0]), format_bytes(arena, (double)pair->bytes[1]));
    }
    const char *more = events->n_different_pairs > events->n_kept ? ", which differ most in these" : "";
    return arena_printf(arena, "\n%s%s of %s pairs of processes exchange other messages%s\n", table_text(table, color),
                        format_count(arena, events->n_different_pairs), format_count(arena, events->n_pairs), more);
}

static const char *mean_text(double mean_s, Arena *arena)
{
    return isnan(mean_s) ? "-" : format_seconds(arena, mean_s);
}

static const char *remark_text(const PhaseDifference *phase, Arena *arena)
{
    if (!phase->weight[0])
        return "only in B";
    if (!phase->weight[1])
        return "only in A";
    if (!phase->resized_id)
        return "";
    return isnan(phase->volume_factor) ? "other volumes" : arena_printf(arena, "volumes × %.3g", phase->volume_factor);
}

static void add_phase_row(Table *table, const PhaseDifference *phase, Arena *arena)
{
    table_cells(table, "%u|%s|%s|%s|%s|%s|%s|%s|%s", phase->id, format_count(arena, phase->n_ticks),
                format_count(arena, phase->weight[0]), format_count(arena, phase->weight[1]),
                mean_text(phase->mean_s[0], arena), mean_text(phase->mean_s[1], arena),
                format_percent(arena, phase->share[0]), format_percent(arena, phase->share[1]),
                remark_text(phase, arena));
    table_row_style(table, phase->weight[0] == phase->weight[1] && !phase->resized_id ? TABLE_DIM : TABLE_PLAIN);
}

static const char *resized_text(const PhasesDifference *phases, Arena *arena)
{
    return phases->n_resized ? arena_printf(arena, "; with other volumes: %u", phases->n_resized) : "";
}

/* Phases that matter in either trace, or all. */
static bool is_shown(const PhaseDifference *phase, bool all)
{
    static const double LEAST_SHARE = 0.01;
    return all || phase->share[0] >= LEAST_SHARE || phase->share[1] >= LEAST_SHARE;
}

static const char *phases_table(const Difference *difference, bool all, bool color, Arena *arena)
{
    if (!difference->has_phases)
        return "";
    const PhasesDifference *phases = &difference->phases;
    Table *table = table_new(arena);
    table_columns(table, "phase|>ticks|>weight in A|>in B|>duration in A|>in B|>share in A|>in B|");
    uint32_t left_out = 0;
    for (uint32_t i = 0; i < phases->n_phases; i++) {
        if (is_shown(&phases->phases[i], all))
            add_phase_row(table, &phases->phases[i], arena);
        else
            left_out++;
    }
    const char *more =
        left_out ? arena_printf(arena, "and %u phases of less than 1 %% of the time (--all)\n", left_out) : "";
    return arena_printf(arena,
                        "\n%s%s%s of the occurrences of phases are in both%s%s; only in A: %u phases, only in B: %u\n",
                        table_text(table, color), more, format_percent(arena, phases->common),
                        phases->same_sequence ? ", in the same order" : "", resized_text(phases, arena),
                        phases->n_only[0], phases->n_only[1]);
}

const char *difference_text(const Difference *difference, bool all, bool color, Arena *arena)
{
    const char *identity = difference->identity[0] ? arena_printf(arena, "B's program differs from A's: %s\n",
                                                                  text_as_line(difference->identity, arena))
                                                   : "";
    return arena_printf(arena, "%s\n\n%s%s%s%s%s", difference_summary(difference, arena),
                        traces_text(difference, color, arena), identity, processes_table(difference, all, color, arena),
                        pairs_table(&difference->events, color, arena), phases_table(difference, all, color, arena));
}
