/* SPDX-License-Identifier: BSD-3-Clause */
/* See phase.h. */
#include "verbs/show/phase.h"

#include "base/files.h"
#include "base/text.h"
#include "model/strata_json.h"
#include "report/format.h"
#include "report/strata.h"
#include "report/table.h"
#include "verbs/report/from_signature.h"
#include "verbs/report/pictures.h"
#include "verbs/show/grid.h"
#include "verbs/show/picture_grid.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_PROCESSES = 32 };

static const char *application_name(const Signature *signature, Arena *arena)
{
    const char *name = files_base_name(signature->application.executable);
    return *name ? text_as_line(name, arena) : "an unknown application";
}

static double duration_s(const Phase *phase, uint32_t process)
{
    const ProcessTime *time = &phase->processes[process];
    return time->count ? time->total_s / (double)time->count : 0;
}

/* ---- content ---- */

static uint32_t row_of(const void *self, size_t cell)
{
    return ((const Phase *)self)->events[cell].process;
}

/* Volumes to three digits: "1.02k". */
static void write_volume(uint64_t bytes, char *text, size_t size)
{
    static const char units[] = " kMGTPE";
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 999.5; unit++)
        value /= 1000;
    if (!unit)
        snprintf(text, size, "%" PRIu64, bytes);
    else
        snprintf(text, size, "%.*f%c", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[unit]);
}

static void write_cell(const void *self, size_t cell, char text[96])
{
    const PhaseEvent *event = &((const Phase *)self)->events[cell];
    comm_type_format(event->type, text);
    size_t length = strlen(text);
    text[length++] = ' ';
    write_volume(event->bytes, text + length, 96 - length);
}

/* The phase's ticks as columns; their events are ordered by tick already. */
static GridColumn *find_columns(const Phase *phase, Arena *arena)
{
    GridColumn *columns = arena_new_array(arena, GridColumn, phase->n_ticks);
    uint32_t event = 0;
    for (uint32_t tick = 0; tick < phase->n_ticks; tick++) {
        columns[tick] = (GridColumn){.headers = {tick}, .first_cell = event};
        for (; event < phase->n_events && phase->events[event].tick == tick; event++)
            columns[tick].n_cells++;
    }
    return columns;
}

static const char *content_text(const Signature *signature, const Phase *phase, const PhaseView *view, Arena *arena)
{
    const Grid grid = {.corners = {"tick"},
                       .end_row = signature->application.n_processes,
                       .rows_limit = view->all ? 0 : GRID_SHOWN_ROWS,
                       .option = "--all",
                       .n_columns = phase->n_ticks,
                       .columns = find_columns(phase, arena),
                       .self = phase,
                       .row_of = row_of,
                       .write = write_cell};
    return grid_text(&grid, view->columns, view->color, arena);
}

/* ---- processes ---- */

static const char *process_table(const Signature *signature, const Phase *phase, const PhaseView *view, Arena *arena)
{
    uint32_t n = signature->application.n_processes, shown = view->all || n <= SHOWN_PROCESSES ? n : SHOWN_PROCESSES;
    Table *table = table_new(arena);
    table_columns(table, "process|>startpoint|>endpoint|>occurrences|>mean duration|>together");
    for (uint32_t i = 0; i < shown; i++) {
        table_cells(table,
                    "%" PRIu32 "|"
                    "%" PRIu64 "|%" PRIu64 "|%s|%s|%s",
                    i, phase->places[0].startpoint[i], phase->places[0].endpoint[i],
                    format_count(arena, phase->processes[i].count),
                    phase->processes[i].count ? format_seconds(arena, duration_s(phase, i)) : "-",
                    format_seconds(arena, phase->processes[i].total_s));
    }
    const char *others = shown < n ? arena_printf(arena, "%u other processes (--all)\n", n - shown) : "";
    return arena_printf(arena, "%s%s", table_text(table, view->color), others);
}

const char *phase_text(const Signature *signature, const Phase *phase, const PhaseView *view, Arena *arena)
{
    double weight = phase->weight ? (double)phase->weight : 1;
    const char *head = arena_printf(
        arena,
        "%-13s %u of %s: %s tick%s, %s event%s, %s\n"
        "%-13s %s; the first is number %s, from 0, of %s occurrences\n"
        "%-13s %s of the time; an occurrence takes %s on average, %s in its slowest process\n"
        "%-13s %s of the events are the first occurrence's, on average\n",
        "phase", phase->id, application_name(signature, arena), format_count(arena, phase->n_ticks),
        text_plural(phase->n_ticks), format_count(arena, phase->n_events), text_plural(phase->n_events),
        phase->relevant ? "relevant" : "not relevant", "weight", format_count(arena, phase->weight),
        format_count(arena, phase->first_occurrence), format_count(arena, signature->n_occurrences), "share",
        format_percent(arena, phase->share), format_seconds(arena, phase->share * signature->application_s / weight),
        format_seconds(arena, phase->slowest_total_s / weight), "similarity", format_percent(arena, phase->similarity));
    const char *strata = phase->n_strata ? arena_printf(arena, "%-13s %s\n", "strata", strata_text(phase, arena)) : "";
    return arena_printf(arena,
                        "%s%s\n%s\n%s\nin the grid: type and volume in bytes; startpoint and endpoint: numbers of the "
                        "process's send-like events\n",
                        head, strata, content_text(signature, phase, view, arena),
                        process_table(signature, phase, view, arena));
}

/* ---- JSON ---- */

static json_t *type_json(const FieldContext *context, const void *record)
{
    char type[64];
    (void)context;
    comm_type_format(((const PhaseEvent *)record)->type, type);
    return json_string(type);
}

static const FieldList event_fields =
    FIELDS(PhaseEvent, FIELD(PhaseEvent, tick, "from 0 at the phase's beginning"),
           FIELD(PhaseEvent, process, "rank in MPI_COMM_WORLD"),
           FIELD_OWN("type", SHAPE_ONE, type_json, NULL, "as in the signature's `events`", .noun = "text"),
           FIELD(PhaseEvent, bytes, "its volume"));

static const FieldList place_fields =
    FIELDS(PhasePlace,
           FIELD_EACH(PhasePlace, startpoint, "startpoint",
                      "per process: number of the send-like event at which the measured occurrence begins"),
           FIELD_EACH(PhasePlace, endpoint, "endpoint", "per process: that at which the next phase begins"));

const FieldList phase_view_fields =
    FIELDS(Phase, FIELD(Phase, id, "from 1, by first occurrence"), FIELD_AS(Phase, n_ticks, "ticks", "its length"),
           FIELD(Phase, weight, "number of its occurrences"),
           FIELD(Phase, first_occurrence, "place of the first one in the sequence"),
           FIELD(Phase, relevant, "whether its share is large enough for it to be measured"),
           FIELD(Phase, share, "of the application's time"),
           FIELD(Phase, similarity, "mean share of matching events over its occurrences"),
           FIELD(Phase, slowest_total_s, "sum over occurrences of the slowest process's duration"),
           FIELD_INLINE_POINTED(Phase, places, place_fields),
           FIELD_EACH_INNER(Phase, processes, ProcessTime, count, "occurrences",
                            "per process: occurrences with an event of the process"),
           FIELD_EACH_INNER(Phase, processes, ProcessTime, total_s, "total_s", "per process: their time"),
           FIELD_LIST(Phase, strata, n_strata, "strata", "as in the signature", .of = &stratum_fields),
           FIELD_LIST(Phase, events, n_events, "events", "the first occurrence's, by tick", .of = &event_fields));

json_t *phase_json(const Signature *signature, const Phase *phase)
{
    return fields_to_json(&phase_view_fields, phase, signature->application.n_processes);
}

/* ---- picture ---- */

bool phase_picture(const Signature *signature, const Phase *phase, Arena *arena, const char **picture, Err *err)
{
    uint32_t n = signature->application.n_processes;
    PictureColumn *columns = arena_new_array(arena, PictureColumn, phase->n_ticks);
    PictureCell *cells = arena_new_array(arena, PictureCell, phase->n_events);
    double *seconds = arena_new_array(arena, double, n);
    for (uint32_t i = 0; i < phase->n_ticks; i++)
        columns[i].tick = i;
    for (uint32_t i = 0; i < phase->n_events; i++)
        cells[i] = (PictureCell){phase->events[i].tick, phase->events[i].process, phase->events[i].type};
    for (uint32_t i = 0; i < n; i++)
        seconds[i] = duration_s(phase, i);
    const PictureGrid grid = {.title = arena_printf(arena, "%s: phase %u, weight %" PRIu64,
                                                    application_name(signature, arena), phase->id, phase->weight),
                              .end_row = n,
                              .n_columns = phase->n_ticks,
                              .columns = columns,
                              .n_cells = phase->n_events,
                              .cells = cells,
                              .seconds = seconds,
                              .seconds_title = "mean duration"};
    return picture_grid(&grid, arena, picture, err);
}

const char *phases_picture(const Signature *signature, Arena *arena)
{
    const char *name = files_base_name(signature->application.executable);
    json_t *timeline = timeline_json(signature);
    const char *file = timeline_file(timeline, signature->application_s,
                                     arena_printf(arena, "%s%s%u processes: phases along the run", name,
                                                  *name ? ", " : "", signature->application.n_processes),
                                     arena);
    json_decref(timeline);
    return file;
}
