/* SPDX-License-Identifier: BSD-3-Clause */
/* See events.h. */
#include "verbs/show/events.h"

#include "model/logical.h"
#include "report/format.h"
#include "report/lanes.h"
#include "report/table.h"
#include <inttypes.h>
#include <math.h>

static const char *type_text(const Event *event, const Trace *trace, char text[64])
{
    switch ((EventKind)event->kind) {
    case EVENT_RECV_POST:
        return "post";
    case EVENT_RECV_CANCEL:
        return "cancelled";
    case EVENT_WINDOW_SYNC:
        return window_sync_name(event->collective);
    default:
        comm_type_format(comm_type_of_event(trace, event), text);
    }
    return text;
}

static bool is_message(const Event *event)
{
    return event->kind == EVENT_SEND || event->kind == EVENT_RECV;
}

static const char *comm_text(const Event *event, const Trace *trace, Arena *arena)
{
    const char *name = event_is_in_order(event) ? trace->comms[event->comm].name : "";
    return event_is_in_order(event) && !(name && *name) ? arena_printf(arena, "%u", event->comm) : name;
}

static const char *place_text(uint64_t number, Arena *arena)
{
    return number == NO_PLACE ? "" : arena_printf(arena, "%" PRIu64, number);
}

const char *events_text(const ProcessEvents *events, const EventPlace *places, const Trace *trace, bool color,
                        Arena *arena)
{
    if (!events->count)
        return arena_printf(arena, "process %u has no events\n", events->process);
    Table *table = table_new(arena);
    table_columns(table,
                  ">event|>send event|>since MPI_Init|>computed|>in MPI|>LT|>tick|call|type|>partner|>bytes|>tag|"
                  "communicator");
    for (size_t i = 0; i < events->count; i++) {
        const ProcessEvent *one = &events->events[i];
        const Event *event = &one->event;
        char type[64];
        bool is_first = one->mpi_ns > 0 || i == 0 || !event_is_of_call(event, &events->events[i - 1].event);
        table_cells(table, "%" PRIu64 "|%" PRIu64 "|%.9f s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s", one->number, one->send_event,
                    (double)one->since_ns / 1e9, is_first ? format_seconds(arena, (double)event->compute_ns / 1e9) : "",
                    is_first ? format_seconds(arena, (double)one->mpi_ns / 1e9) : "", place_text(places[i].lt, arena),
                    place_text(places[i].tick, arena), is_first ? call_kind_name(one->kind) : "\"",
                    type_text(event, trace, type), place_text(places[i].partner, arena),
                    event_is_in_order(event) ? format_count(arena, event_volume_bytes(event)) : "",
                    is_message(event) ? arena_printf(arena, "%u", event->tag) : "", comm_text(event, trace, arena));
        table_row_style(table, event_is_in_order(event) ? TABLE_PLAIN : TABLE_DIM);
    }
    uint64_t end = events->from + events->count;
    const char *more = events->more ? arena_printf(arena, "more follows: --events %" PRIu64 ":%" PRIu64 "\n", end,
                                                   end + events->count - 1)
                                    : "the process has no further events\n";
    return arena_printf(arena,
                        "%s\nLT: logical time; partner: the number of the message's other end among the events of "
                        "its process\n%s",
                        table_text(table, color), more);
}

/* ---- JSON ---- */

typedef struct EventRow {
    const ProcessEvent *event;
    const char *call, *type;
    const Comm *comm; /* NULL: of a posted or cancelled receive, which has none */
    uint64_t bytes, bytes_received;
    EventPlace place;
    uint32_t comm_number, tag;
} EventRow;

typedef struct EventsDocument {
    const ProcessEvents *events;
    const EventRow *rows;
    size_t n_rows;
} EventsDocument;

static const FieldList event_fields =
    FIELDS(ProcessEvent, FIELD_AS(ProcessEvent, number, "event", "its number in the process, from 0"),
           FIELD(ProcessEvent, send_event, "how many send-like events are before it"),
           FIELD_AS(ProcessEvent, since_ns, "since_init_s", "when its call was entered, since MPI_Init"),
           FIELD_AS(ProcessEvent, event.compute_ns, "compute_s", "computation before it"),
           FIELD_AS(ProcessEvent, mpi_ns, "mpi_s", "its call's time; 0 for the call's further events"));

static const FieldList comm_fields =
    FIELDS(Comm, FIELD_AS(Comm, name, "communicator_name", "its name; absent without `bytes`"));

static const FieldList row_fields = FIELDS(
    EventRow, FIELD_INLINE_POINTED(EventRow, event, event_fields),
    FIELD(EventRow, call, "the call's kind, as in the overview"),
    FIELD(EventRow, type, "as in a signature's `events`; or `post`, `cancelled`: of a receive"),
    FIELD(EventRow, bytes, "its volume; absent if `type` is `post` or `cancelled`", .flags = FIELD_ABSENT),
    FIELD_AS(EventRow, comm_number, "communicator",
             "its number, as firma counts; each process's MPI_COMM_SELF is one of its own; absent without `bytes`",
             .flags = FIELD_ABSENT),
    FIELD_INLINE_POINTED(EventRow, comm, comm_fields),
    FIELD_AS(EventRow, bytes_received, "received_bytes", "of a collective: what the process receives",
             .flags = FIELD_ABSENT),
    FIELD(EventRow, tag, "of a message", .flags = FIELD_ABSENT),
    FIELD_AS(EventRow, place.lt, "lt", "logical time in PAS2P order; absent: it has none", .flags = FIELD_ABSENT),
    FIELD_AS(EventRow, place.tick, "tick", "as `firma show --ticks` numbers them", .flags = FIELD_ABSENT),
    FIELD_AS(EventRow, place.partner, "partner_event",
             "of a message: the number of its other end among the events of that process; absent: the trace "
             "lacks it",
             .flags = FIELD_ABSENT));

static const FieldList range_fields = FIELDS(ProcessEvents, FIELD(ProcessEvents, process, "rank in MPI_COMM_WORLD"),
                                             FIELD(ProcessEvents, more, "whether others follow"));

const FieldList events_fields =
    FIELDS(EventsDocument, FIELD_INLINE_POINTED(EventsDocument, events, range_fields),
           FIELD_LIST(EventsDocument, rows, n_rows, "events", "in the process's order", .of = &row_fields));

static EventRow event_row(const ProcessEvent *one, const EventPlace *place, const Trace *trace, Arena *arena)
{
    const Event *event = &one->event;
    char type[64];
    EventRow row = {.event = one,
                    .place = *place,
                    .call = call_kind_name(one->kind),
                    .type = arena_strdup(arena, type_text(event, trace, type)),
                    .bytes = UINT64_MAX,
                    .bytes_received = event->kind == EVENT_COLLECTIVE ? event->bytes_received : UINT64_MAX,
                    .comm_number = UINT32_MAX,
                    .tag = is_message(event) ? event->tag : UINT32_MAX};
    if (event_is_in_order(event)) {
        row.comm = &trace->comms[event->comm];
        row.comm_number = event->comm;
        row.bytes = event->bytes;
    }
    return row;
}

json_t *events_json(const ProcessEvents *events, const EventPlace *places, const Trace *trace, Arena *arena)
{
    EventRow *rows = arena_new_array(arena, EventRow, events->count);
    for (size_t i = 0; i < events->count; i++)
        rows[i] = event_row(&events->events[i], &places[i], trace, arena);
    const EventsDocument document = {events, rows, events->count};
    return fields_to_json(&events_fields, &document, 0);
}

/* ---- picture ---- */

/* Rows of the kinds that occur, below that of computation, and their names. Returns the number of rows. */
static size_t find_rows(const ProcessEvents *events, size_t rows[CALL_KIND_COUNT],
                        const char *names[CALL_KIND_COUNT + 1])
{
    bool occurs[CALL_KIND_COUNT] = {false};
    size_t n = 0;
    names[n++] = "computation";
    for (size_t i = 0; i < events->count; i++)
        occurs[events->events[i].kind] = true;
    for (uint32_t kind = 0; kind < CALL_KIND_COUNT; kind++)
        if (occurs[kind]) {
            rows[kind] = n;
            names[n++] = call_kind_name(kind);
        }
    return n;
}

static double entry_s(const ProcessEvent *event)
{
    return 1e-9 * (double)event->since_ns;
}

static void draw_event(Text *body, const Lanes *lanes, const ProcessEvent *one, size_t row, double begin_s,
                       Arena *arena)
{
    double from_s = entry_s(one) - begin_s, mpi_s = 1e-9 * (double)one->mpi_ns,
           compute_s = 1e-9 * (double)one->event.compute_ns;
    const char *number = arena_printf(arena, "event %" PRIu64, one->number);
    if (compute_s > 0)
        lanes_box(body, lanes, 0, from_s - compute_s, from_s, "computation",
                  arena_printf(arena, "before %s: computes %s", number, format_seconds(arena, compute_s)), arena);
    if (mpi_s > 0)
        lanes_box(body, lanes, row, from_s, from_s + mpi_s, "transfer",
                  arena_printf(arena, "%s: %s, %s", number, call_kind_name(one->kind), format_seconds(arena, mpi_s)),
                  arena);
}

const char *events_picture(const ProcessEvents *events, const char *name, Arena *arena)
{
    size_t rows[CALL_KIND_COUNT], n = events->count;
    const char *names[CALL_KIND_COUNT + 1];
    const ProcessEvent *first = events->events;
    double begin_s = n ? entry_s(first) - 1e-9 * (double)first->event.compute_ns : 0, end_s = begin_s;
    size_t n_rows = find_rows(events, rows, names);
    Text body = {0};
    for (size_t i = 0; i < n; i++)
        end_s = fmax(end_s, entry_s(&events->events[i]) + 1e-9 * (double)events->events[i].mpi_ns);
    const char *heading = arena_printf(arena, "%s: process %u, events %" PRIu64 " to %" PRIu64, name, events->process,
                                       events->from, events->from + (n ? n - 1 : 0));
    double top = svg_heading(&body, heading, NULL, arena);
    Lanes lanes = lanes_new("call", names, n_rows, end_s - begin_s, top, false);
    lanes.axis.title = arena_printf(arena, "time since %.9g s after MPI_Init", begin_s);
    double below = lanes_begin(&body, &lanes, arena);
    for (size_t i = 0; i < n; i++)
        draw_event(&body, &lanes, &events->events[i], rows[events->events[i].kind], begin_s, arena);
    return svg_file(&body, SVG_WIDTH, below, heading, arena);
}
