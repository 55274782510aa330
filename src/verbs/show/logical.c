/* SPDX-License-Identifier: BSD-3-Clause */
/* See logical.h. */
#include "verbs/show/logical.h"

#include "base/vec.h"
#include "verbs/show/grid.h"
#include "verbs/show/picture_grid.h"
#include <inttypes.h>
#include <string.h>

/* ---- text ---- */

static uint32_t row_of(const void *self, size_t cell)
{
    return ((const Excerpt *)self)->events[cell].process;
}

static void write_cell(const void *self, size_t cell, char text[96])
{
    comm_type_format(((const Excerpt *)self)->events[cell].type, text);
}

static bool is_receive(const void *self, size_t cell)
{
    return comm_type_kind(((const Excerpt *)self)->events[cell].type) == TYPE_RECV;
}

static const char *more_text(const Excerpt *excerpt, Arena *arena)
{
    uint64_t end = excerpt->range.end_tick;
    if (!excerpt->more)
        return "the trace ends here\n";
    return arena_printf(arena, "more follows: --ticks %" PRIu64 ":%" PRIu64 "\n", end, end + excerpt->n_ticks - 1);
}

const char *logical_text(const Excerpt *excerpt, uint32_t rows_limit, size_t columns, bool color, Arena *arena)
{
    GridColumn *grid_columns = arena_new_array(arena, GridColumn, excerpt->n_ticks);
    for (size_t i = 0; i < excerpt->n_ticks; i++) {
        const ExcerptTick *tick = &excerpt->ticks[i];
        grid_columns[i] = (GridColumn){{tick->number, tick->lt}, tick->first_event, tick->n_events};
    }
    const Grid grid = {.corners = {"tick", "LT"},
                       .first_row = excerpt->range.first_process,
                       .end_row = excerpt->range.end_process,
                       .rows_limit = rows_limit,
                       .option = "--ranks",
                       .n_columns = excerpt->n_ticks,
                       .columns = grid_columns,
                       .self = excerpt,
                       .row_of = row_of,
                       .write = write_cell,
                       .is_dim = is_receive};
    return arena_printf(arena, "%s\n%s order%s; +K sends to process K, -K receives from it; %s",
                        grid_text(&grid, columns, color, arena), excerpt->order,
                        excerpt->range.receives ? "" : " without receives", more_text(excerpt, arena));
}

/* ---- JSON ---- */

static json_t *type_json(const FieldContext *context, const void *record)
{
    char type[64];
    (void)context;
    comm_type_format(((const LogicalEvent *)record)->type, type);
    return json_string(type);
}

static json_t *mpi_json(const FieldContext *context, const void *record)
{
    const LogicalEvent *event = record;
    (void)context;
    return json_real((double)(event->leave_ns - event->enter_ns) / 1e9);
}

static const FieldList event_fields =
    FIELDS(LogicalEvent, FIELD(LogicalEvent, process, "rank in MPI_COMM_WORLD"),
           FIELD_OWN("type", SHAPE_ONE, type_json, NULL, "as in a signature's `events`", .noun = "text"),
           FIELD(LogicalEvent, bytes, "its volume"),
           FIELD_AS(LogicalEvent, number, "send_event", "how many of the process's send-like events are before it"),
           FIELD_AS(LogicalEvent, compute_ns, "compute_s", "computation before it"),
           FIELD_OWN("mpi_s", SHAPE_ONE, mpi_json, NULL, "its call's time", .noun = "number"));

static json_t *tick_events_json(const FieldContext *context, const void *record)
{
    const ExcerptTick *tick = record;
    const Excerpt *excerpt = context->root;
    return fields_to_json_array(&event_fields, &excerpt->events[tick->first_event], tick->n_events, 0);
}

static const char *const kind_names[] = {[TICK_RECV] = "recv", [TICK_SEND] = "send", [TICK_MIXED] = "mixed", NULL};

static const FieldList tick_fields = FIELDS(
    ExcerptTick, FIELD_AS(ExcerptTick, number, "tick", "its number, from 0"), FIELD(ExcerptTick, lt, "logical time"),
    FIELD(ExcerptTick, kind, "`send`, `recv`, `mixed`: what its events are", .choices = kind_names),
    FIELD_OWN("events", SHAPE_LIST, tick_events_json, NULL, "by process", .of = &event_fields));

const FieldList logical_fields = FIELDS(Excerpt, FIELD(Excerpt, order, "`pas2p` or `lamport`"),
                                        FIELD_AS(Excerpt, range.receives, "receives", "false: receives are left out"),
                                        FIELD(Excerpt, more, "whether ticks follow"),
                                        FIELD_LIST(Excerpt, ticks, n_ticks, "ticks", "ascending", .of = &tick_fields));

json_t *logical_json(const Excerpt *excerpt)
{
    return fields_to_json(&logical_fields, excerpt, 0);
}

/* ---- picture ---- */

/* Where the process's event stands in the tick, or NULL. */
static const LogicalEvent *find_event(const Excerpt *excerpt, const ExcerptTick *tick, uint32_t process)
{
    size_t at = 0;
    const LogicalEvent *events = excerpt->events + tick->first_event;
    vec_bisect(at, tick->n_events, events[at].process < process);
    return at < tick->n_events && events[at].process == process ? &events[at] : NULL;
}

/* Only the PAS2P order tells a receive's send: that of its source, one LT before. There is at most
 * one. */
static void add_arrows(const Excerpt *excerpt, PictureGrid *picture, Arena *arena)
{
    size_t n_events = excerpt->ticks[excerpt->n_ticks - 1].first_event + excerpt->ticks[excerpt->n_ticks - 1].n_events;
    PictureArrow *arrows = arena_new_array(arena, PictureArrow, n_events);
    size_t n_arrows = 0, send_tick = excerpt->n_ticks;
    for (size_t i = 0; i < excerpt->n_ticks; i++) {
        const ExcerptTick *tick = &excerpt->ticks[i];
        if (tick->kind == TICK_SEND)
            send_tick = i;
        if (tick->kind != TICK_RECV || send_tick == excerpt->n_ticks || excerpt->ticks[send_tick].lt + 1 != tick->lt)
            continue;
        for (size_t j = 0; j < tick->n_events; j++) {
            const LogicalEvent *receive = &excerpt->events[tick->first_event + j];
            uint32_t source = comm_type_peer(receive->type);
            const LogicalEvent *send = find_event(excerpt, &excerpt->ticks[send_tick], source);
            if (send && send->type == comm_type_message(TYPE_SEND, receive->process))
                arrows[n_arrows++] = (PictureArrow){send_tick, i, source, receive->process};
        }
    }
    picture->arrows = arrows;
    picture->n_arrows = n_arrows;
}

bool logical_picture(const Excerpt *excerpt, const char *name, Arena *arena, const char **picture, Err *err)
{
    const ExcerptTick *last = &excerpt->ticks[excerpt->n_ticks - 1];
    size_t n_cells = last->first_event + last->n_events;
    PictureColumn *columns = arena_new_array(arena, PictureColumn, excerpt->n_ticks);
    PictureCell *cells = arena_new_array(arena, PictureCell, n_cells);
    for (size_t i = 0; i < excerpt->n_ticks; i++) {
        const ExcerptTick *tick = &excerpt->ticks[i];
        columns[i] = (PictureColumn){tick->number, tick->lt};
        for (size_t j = 0; j < tick->n_events; j++) {
            const LogicalEvent *event = &excerpt->events[tick->first_event + j];
            cells[tick->first_event + j] = (PictureCell){i, event->process, event->type};
        }
    }
    PictureGrid grid = {.title = arena_printf(arena, "%s: logical trace, %s order", name, excerpt->order),
                        .first_row = excerpt->range.first_process,
                        .end_row = excerpt->range.end_process,
                        .has_times = true,
                        .n_columns = excerpt->n_ticks,
                        .columns = columns,
                        .n_cells = n_cells,
                        .cells = cells};
    if (strcmp(excerpt->order, "pas2p") == 0 && excerpt->range.receives)
        add_arrows(excerpt, &grid, arena);
    return picture_grid(&grid, arena, picture, err);
}
