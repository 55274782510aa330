/* SPDX-License-Identifier: BSD-3-Clause */
/* See views.h. Texts are made while the archive is open, because they hold its names. */
#include "verbs/show/views.h"

#include "base/files.h"
#include "cli/analysis.h"
#include "signature/profile/excerpt.h"
#include "signature/profile/profile.h"
#include "verbs/phases/text.h"
#include "verbs/report/from_signature.h"
#include "verbs/report/from_trace.h"
#include "verbs/report/pictures.h"
#include "verbs/show/blocks.h"
#include "verbs/show/events.h"
#include "verbs/show/grid.h"
#include "verbs/show/logical.h"
#include "verbs/show/matrix.h"
#include "verbs/show/occurrence.h"
#include "verbs/show/overview.h"
#include "verbs/show/phase.h"
#include "verbs/show/waits.h"
#include <inttypes.h>

/* ---- traces ---- */

/* The application's name, or the trace's. */
static const char *name_of(const Cli *cli, const ShowRequest *request, const Reading *reading)
{
    const char *name = files_base_name(reading->source->trace->application.executable);
    return *name ? arena_strdup(cli->arena, name) : files_base_name(request->input);
}

static void make_overview(Cli *cli, const ShowRequest *request, const Reading *reading, const Profile *profile,
                          Shown *shown)
{
    const OverviewView view = {request->all, cli->color};
    if (cli->json)
        shown->document = overview_json(profile, reading->source->trace, cli->arena);
    else
        shown->text = overview_text(profile, reading->source->trace, &view, cli->arena);
}

static void make_matrix(Cli *cli, const ShowRequest *request, const Reading *reading, const Profile *profile,
                        Shown *shown)
{
    const MatrixView view = {request->messages, request->all, cli->color, cli_columns()};
    if (cli->json)
        shown->document = matrix_json(profile, reading->source->trace, cli->arena);
    else
        shown->text = matrix_text(profile, reading->source->trace, &view, cli->arena);
    if (!request->wants_picture)
        return;
    json_t *document = matrix_json(profile, reading->source->trace, cli->arena);
    shown->picture = matrix_file(document, !request->messages,
                                 arena_printf(cli->arena, "%s: %s from each process to each",
                                              name_of(cli, request, reading), request->messages ? "messages" : "bytes"),
                                 cli->arena);
    json_decref(document);
}

static bool show_profile(Cli *cli, const ShowRequest *request,
                         void (*make)(Cli *, const ShowRequest *, const Reading *, const Profile *, Shown *),
                         Shown *shown, Err *err)
{
    Reading reading;
    Profile profile;
    if (!reading_open(cli, request->input, &request->order, &reading, err))
        return false;
    bool ok = profile_read(reading.source, &reading.progress, cli->arena, &profile, err);
    if (ok)
        make(cli, request, &reading, &profile, shown);
    reading_close(cli, &reading);
    return ok;
}

static const char *activity_picture(const ActivityGrid *grid, const Signature *signature, const char *name,
                                    Arena *arena)
{
    json_t *activity = activity_json(grid, signature->application.n_processes);
    json_t *timeline = signature->n_milestones > 1 ? timeline_json(signature) : NULL;
    const char *file =
        activity_file(activity, timeline, arena_printf(arena, "%s: what each process does when", name), NULL, arena);
    json_decref(activity);
    json_decref(timeline);
    return file;
}

static bool draw_overview(Cli *cli, const ShowRequest *request, Shown *shown, Err *err)
{
    enum { COLUMNS = 320, ROWS_LIMIT = 64 };
    Reading reading;
    Profile profile;
    Waits waits;
    if (!reading_open(cli, request->input, &request->order, &reading, err))
        return false;
    const char *name = name_of(cli, request, &reading);
    ProfileWatch *watch = profile_watch_new(reading.source);
    ActivityRecord *record = activity_record_new(reading.source->trace->application.n_processes, ROWS_LIMIT);
    bool ok = waits_find(profile_watch_source(watch), &request->parameters, &request->order, record, &reading.progress,
                         cli->arena, &waits, err);
    if (ok) {
        profile_watch_finish(watch, cli->arena, &profile);
        const ActivityGrid grid = activity_record_finish(record, &profile, COLUMNS, cli->arena);
        shown->picture = activity_picture(&grid, waits.signature, name, cli->arena);
    }
    activity_record_free(record);
    profile_watch_free(watch);
    reading_close(cli, &reading);
    return ok;
}

bool show_matrix(Cli *cli, const ShowRequest *request, Shown *shown, Err *err)
{
    return show_profile(cli, request, make_matrix, shown, err);
}

static bool no_process(const char *option, uint64_t number, uint32_t n_processes, Err *err)
{
    return err_set(err, ERR_USAGE, "%s: there is no process %" PRIu64 " in this trace: they are 0 to %u", option,
                   number, n_processes - 1);
}

/* Reads ticks of the logical trace, and one more if `extra`. */
static bool read_excerpt(Cli *cli, const ShowRequest *request, bool extra, Excerpt *excerpt, const char **name,
                         Err *err)
{
    Reading reading;
    if (!reading_open(cli, request->input, &request->order, &reading, err))
        return false;
    uint32_t n = reading.source->trace->application.n_processes;
    const Range *ranks = &request->ranks;
    const ExcerptRange range = {.first_tick = request->ticks.first,
                                .end_tick = request->ticks.end + (extra && request->ticks.end < UINT64_MAX),
                                .first_process = (uint32_t)ranks->first,
                                .end_process = ranks->end < n ? (uint32_t)ranks->end : n,
                                .receives = request->receives};
    *name = name_of(cli, request, &reading);
    bool ok = ranks->first < n || no_process("--ranks", ranks->first, n, err);
    ok = ok && excerpt_read(reading.source, request->parameters.order, &range, &request->order, &reading.progress,
                            cli->arena, excerpt, err);
    reading_close(cli, &reading);
    return ok;
}

/* If the user names processes, all of these are shown. */
static uint32_t rows_limit(const ShowRequest *request)
{
    return request->ranks.first == 0 && request->ranks.end == UINT64_MAX ? GRID_SHOWN_ROWS : 0;
}

bool show_ticks(Cli *cli, const ShowRequest *request, Shown *shown, Err *err)
{
    const char *name;
    Excerpt excerpt;
    if (!read_excerpt(cli, request, false, &excerpt, &name, err))
        return false;
    if (cli->json)
        shown->document = logical_json(&excerpt);
    else
        shown->text = logical_text(&excerpt, rows_limit(request), cli_columns(), cli->color, cli->arena);
    return !request->wants_picture || logical_picture(&excerpt, name, cli->arena, &shown->picture, err);
}

bool show_blocks(Cli *cli, const ShowRequest *request, Shown *shown, Err *err)
{
    const char *name;
    Excerpt excerpt;
    if (!read_excerpt(cli, request, true, &excerpt, &name, err))
        return false;
    if (excerpt.n_ticks < 2)
        return err_set(err, ERR_USAGE, "--blocks: the trace has no block from number %" PRIu64 " on",
                       request->ticks.first);
    if (cli->json)
        shown->document = blocks_json(&excerpt, cli->arena);
    else
        shown->text = blocks_text(&excerpt, rows_limit(request), cli->color, cli->arena);
    return true;
}

/* Orders the trace, from its start again. */
static bool place_events(Cli *cli, const ShowRequest *request, const ProcessEvents *events, EventPlace *places,
                         Err *err)
{
    Reading reading;
    if (!reading_open(cli, request->input, &request->order, &reading, err))
        return false;
    bool ok = event_places_find(reading.source, events, &request->order, &reading.progress, places, err);
    reading_close(cli, &reading);
    return ok;
}

bool show_process(Cli *cli, const ShowRequest *request, Shown *shown, Err *err)
{
    Reading reading;
    if (!reading_open(cli, request->input, &request->order, &reading, err))
        return false;
    uint32_t n = reading.source->trace->application.n_processes;
    ProcessEvents events;
    bool ok = request->rank < n || no_process("--rank", request->rank, n, err);
    ok = ok && profile_read_events(reading.source, (uint32_t)request->rank, request->events.first, request->events.end,
                                   cli->arena, &events, err);
    EventPlace *places = ok ? arena_new_array(cli->arena, EventPlace, events.count) : NULL;
    ok = ok && place_events(cli, request, &events, places, err);
    if (ok && cli->json)
        shown->document = events_json(&events, places, reading.source->trace, cli->arena);
    else if (ok)
        shown->text = events_text(&events, places, reading.source->trace, cli->color, cli->arena);
    if (ok && request->wants_picture)
        shown->picture = events_picture(&events, name_of(cli, request, &reading), cli->arena);
    reading_close(cli, &reading);
    return ok;
}

/* ---- phases: of a signature, or of a trace that is analysed now ---- */

static bool read_signature(Cli *cli, const ShowRequest *request, Signature **signature, Err *err)
{
    OrderReport report = {0};
    return request->is_signature
               ? analysis_load_signature(cli, request->input, signature, err)
               : analysis_run(cli, request->input, &request->parameters, &request->order, signature, &report, err);
}

static bool no_phase(const Signature *signature, uint64_t id, Err *err)
{
    err_set(err, ERR_USAGE, "--phase: there is no phase %" PRIu64, id);
    return signature->n_phases
               ? err_hint(err, "they are numbered from %u to %u; `firma phases` and `firma show app.firma` list them",
                          signature->phases[0].id, signature->phases[signature->n_phases - 1].id)
               : err_hint(err, "no phase was found at all");
}

static bool show_occurrence(Cli *cli, const ShowRequest *request, Shown *shown, Err *err)
{
    Reading reading;
    PhaseOccurrence *occurrence;
    const OccurrenceNumber number = {request->phase, request->occurrence};
    if (!reading_open(cli, request->input, &request->order, &reading, err))
        return false;
    const char *name = name_of(cli, request, &reading);
    bool ok = occurrences_find(reading.source, &request->parameters, &request->order, &number, 1, &reading.progress,
                               cli->arena, &occurrence, err);
    reading_close(cli, &reading);
    if (!ok)
        return false;
    const OccurrenceLook look = {request->all, cli->color};
    if (cli->json)
        shown->document = occurrence_json(occurrence, cli->arena);
    else
        shown->text = occurrence_text(occurrence, &look, cli->arena);
    if (request->wants_picture)
        shown->picture = occurrence_picture(occurrence, name, cli->arena);
    return true;
}

bool show_phase(Cli *cli, const ShowRequest *request, Shown *shown, Err *err)
{
    Signature *signature;
    if (request->occurrence != UINT64_MAX)
        return show_occurrence(cli, request, shown, err);
    if (!read_signature(cli, request, &signature, err))
        return false;
    uint32_t index = signature_find_phase(signature, request->phase);
    if (index == signature->n_phases)
        return no_phase(signature, request->phase, err);
    const Phase *phase = &signature->phases[index];
    const PhaseView view = {request->all, cli->color, cli_columns()};
    if (cli->json)
        shown->document = phase_json(signature, phase);
    else
        shown->text = phase_text(signature, phase, &view, cli->arena);
    return !request->wants_picture || phase_picture(signature, phase, cli->arena, &shown->picture, err);
}

bool show_waits(Cli *cli, const ShowRequest *request, Shown *shown, Err *err)
{
    Reading reading;
    Waits waits;
    if (!reading_open(cli, request->input, &request->order, &reading, err))
        return false;
    bool ok = waits_find(reading.source, &request->parameters, &request->order, NULL, &reading.progress, cli->arena,
                         &waits, err);
    reading_close(cli, &reading);
    if (!ok)
        return false;
    const WaitsView view = {request->all, cli->color};
    if (cli->json)
        shown->document = waits_json(&waits, cli->arena);
    else
        shown->text = waits_text(&waits, &view, cli->arena);
    return true;
}

bool show_overview(Cli *cli, const ShowRequest *request, Shown *shown, Err *err)
{
    Signature *signature;
    if (!request->is_signature)
        return show_profile(cli, request, make_overview, shown, err) &&
               (!request->wants_picture || draw_overview(cli, request, shown, err));
    if (!read_signature(cli, request, &signature, err))
        return false;
    const PhasesView view = {request->all, cli->color, cli_columns()};
    if (cli->json)
        shown->document = phases_json(signature, NULL, cli->arena);
    else
        shown->text = phases_text(signature, NULL, &view, cli->arena);
    if (request->wants_picture)
        shown->picture = phases_picture(signature, cli->arena);
    return true;
}
