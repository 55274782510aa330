/* SPDX-License-Identifier: BSD-3-Clause */
/* See occurrence.h. */
#include "verbs/show/occurrence.h"

#include "report/format.h"
#include "report/table.h"
#include "verbs/report/pictures.h"
#include <inttypes.h>

enum { SHOWN_EVENTS = 100 };

static double since_s(const PhaseOccurrence *occurrence, int64_t time_ns)
{
    return 1e-9 * (double)(time_ns - occurrence->begin_ns);
}

/* ---- text ---- */

static void add_event(Table *table, const PhaseOccurrence *occurrence, size_t i, Arena *arena)
{
    const OccurrenceEvent *one = &occurrence->events[i];
    const LogicalEvent *event = &one->event;
    bool is_first = !i || event->process != occurrence->events[i - 1].event.process;
    char type[64];
    comm_type_format(event->type, type);
    table_cells(table, "%s|%s|%s|%s|%" PRIu64 "|%s|%s", is_first ? arena_printf(arena, "%u", event->process) : "",
                format_seconds(arena, since_s(occurrence, event->enter_ns)),
                event->compute_ns ? format_seconds(arena, 1e-9 * (double)event->compute_ns) : "",
                format_seconds(arena, 1e-9 * (double)(event->leave_ns - event->enter_ns)), one->lt, type,
                format_count(arena, event->bytes));
}

const char *occurrence_text(const PhaseOccurrence *occurrence, const OccurrenceLook *look, Arena *arena)
{
    size_t shown = look->all || occurrence->n_events <= SHOWN_EVENTS ? occurrence->n_events : SHOWN_EVENTS;
    Table *table = table_new(arena);
    table_columns(table, ">process|>at|>computes before|>in MPI|>LT|event|>bytes");
    for (size_t i = 0; i < shown; i++)
        add_event(table, occurrence, i, arena);
    const char *others = shown < occurrence->n_events ? arena_printf(arena, "%s more events (--all)\n",
                                                                     format_count(arena, occurrence->n_events - shown))
                                                      : "";
    return arena_printf(
        arena,
        "phase         %u\n"
        "occurrence    %s, from 0; number %s of those of all phases\n"
        "begins        %s after MPI_Init\n"
        "lasts         %s, from the first process's beginning to the last one's end\n\n%s%s"
        "\nLT: logical time; +K sends to process K, -K receives from it\n",
        occurrence->phase, format_count(arena, occurrence->which), format_count(arena, occurrence->number),
        format_seconds(arena, 1e-9 * (double)occurrence->since_ns),
        format_seconds(arena, since_s(occurrence, occurrence->end_ns)), table_text(table, look->color), others);
}

/* ---- JSON ---- */

typedef struct EventRow {
    uint32_t process;
    const char *type;
    uint64_t lt, bytes;
    double at_s, compute_s, mpi_s;
} EventRow;

typedef struct SpanRow {
    uint32_t process;
    double begin_s, end_s;
} SpanRow;

typedef struct OccurrenceDocument {
    uint32_t phase, n_spans;
    uint64_t number;
    double since_init_s, duration_s;
    const SpanRow *spans;
    size_t n_events;
    const EventRow *events;
} OccurrenceDocument;

static const FieldList span_fields =
    FIELDS(SpanRow, FIELD(SpanRow, process, "rank in MPI_COMM_WORLD"),
           FIELD(SpanRow, begin_s, "entry of its first event, since the occurrence began"),
           FIELD(SpanRow, end_s, "entry of its first event in a later occurrence"));

static const FieldList event_fields =
    FIELDS(EventRow, FIELD(EventRow, process, "rank in MPI_COMM_WORLD"),
           FIELD(EventRow, type, "as in the signature's `events`"), FIELD(EventRow, lt, "logical time"),
           FIELD(EventRow, at_s, "entry of its call, since the occurrence began"),
           FIELD(EventRow, compute_s, "computation before it"), FIELD(EventRow, mpi_s, "its call's time"),
           FIELD(EventRow, bytes, "its volume"));

const FieldList occurrence_fields =
    FIELDS(OccurrenceDocument, FIELD(OccurrenceDocument, phase, "its id"),
           FIELD_AS(OccurrenceDocument, number, "occurrence", "among those of all phases, from 0"),
           FIELD(OccurrenceDocument, since_init_s, "its beginning, since the first return of MPI_Init"),
           FIELD(OccurrenceDocument, duration_s, "from the first process's beginning to the last one's end"),
           FIELD_LIST(OccurrenceDocument, spans, n_spans, "processes", "those that take part", .of = &span_fields),
           FIELD_LIST(OccurrenceDocument, events, n_events, "events", "by process, then time", .of = &event_fields));

json_t *occurrence_json(const PhaseOccurrence *occurrence, Arena *arena)
{
    SpanRow *spans = arena_new_array(arena, SpanRow, occurrence->n_processes);
    EventRow *events = arena_new_array(arena, EventRow, occurrence->n_events);
    uint32_t n_spans = 0;
    for (uint32_t i = 0; i < occurrence->n_processes; i++)
        if (occurrence->spans[i].is_there)
            spans[n_spans++] = (SpanRow){i, since_s(occurrence, occurrence->spans[i].begin_ns),
                                         since_s(occurrence, occurrence->spans[i].end_ns)};
    for (size_t i = 0; i < occurrence->n_events; i++) {
        const LogicalEvent *event = &occurrence->events[i].event;
        char type[64];
        comm_type_format(event->type, type);
        events[i] = (EventRow){event->process,
                               arena_strdup(arena, type),
                               occurrence->events[i].lt,
                               event->bytes,
                               since_s(occurrence, event->enter_ns),
                               1e-9 * (double)event->compute_ns,
                               1e-9 * (double)(event->leave_ns - event->enter_ns)};
    }
    const OccurrenceDocument document = {occurrence->phase,
                                         n_spans,
                                         occurrence->number,
                                         1e-9 * (double)occurrence->since_ns,
                                         since_s(occurrence, occurrence->end_ns),
                                         spans,
                                         occurrence->n_events,
                                         events};
    return fields_to_json(&occurrence_fields, &document, 0);
}

/* ---- picture ---- */

const char *occurrence_picture(const PhaseOccurrence *occurrence, const char *name, Arena *arena)
{
    json_t *document = occurrence_json(occurrence, arena);
    const char *file = occurrence_file(document,
                                       arena_printf(arena, "%s: phase %u, occurrence %" PRIu64 ", since its beginning",
                                                    name, occurrence->phase, occurrence->which),
                                       arena);
    json_decref(document);
    return file;
}
