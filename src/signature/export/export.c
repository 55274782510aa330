/* SPDX-License-Identifier: BSD-3-Clause */
/* The two passes of an export (export.h). */
#include "signature/export/export.h"

#include "signature/export/marks.h"
#include "signature/export/places.h"

enum { BATCH_EVENTS = 1024 };

/* The archive's regions. Those of the phases follow. */
enum { STARTUP_REGION, SHUTDOWN_REGION, FIRST_PHASE_REGION };
#define NO_REGION UINT32_MAX

/* The start of an occurrence in one process, as stored. */
typedef struct StoredStart {
    uint64_t occurrence;
    uint64_t send_event; /* number of its first send-like event */
    uint64_t phase;      /* id */
} StoredStart;

struct Export {
    Arena *arena;
    Signature *signature;
    OrderReport report;
    Spool *places, *starts;
};

/* The state of writing one process. */
typedef struct Walk {
    const Export *exported;
    AnnotatedArchive *archive;
    const uint32_t *phase_of_id;
    ExportSummary *summary;
    Marks marks;
    PlaceReader places;
    uint32_t process;
    uint64_t n_sends;
    uint32_t region;  /* the open one, or NO_REGION */
    StoredStart next; /* start of the next occurrence */
    bool has_next;
    int64_t last_ns;
    VEC(Event) call; /* events of the current call */
    VEC(EventPlace) call_places;
} Walk;

static bool store_tick(void *self, uint64_t tick, uint64_t lt, const LogicalEvent *events, size_t count, Err *err)
{
    const Export *exported = self;
    return places_store(exported->places, tick, lt, events, count, err);
}

static bool store_starts(void *self, const OccurrenceStart *starts, size_t count, Err *err)
{
    const Export *exported = self;
    for (size_t i = 0; i < count; i++) {
        const StoredStart stored = {starts[i].occurrence, starts[i].send_event, starts[i].phase};
        if (!spool_write(exported->starts, starts[i].process, &stored, err))
            return false;
    }
    return true;
}

bool export_analyse(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                    const Progress *progress, Export **result, Err *err)
{
    uint32_t n = source->trace->application.n_processes;
    for (uint32_t i = 0; source->trace->n_sequences && i < n; i++)
        if (source->trace->n_sequences[i] > 1)
            return err_set(err, ERR_INPUT,
                           "threads of process %u communicate at the same time; an exported process has one "
                           "sequence of events",
                           i) ||
                   err_hint(err, "`firma show --ticks` and `firma phases` show their order and phases");
    Arena *arena = arena_new();
    Export *exported = arena_new_array(arena, Export, 1);
    exported->arena = arena;
    const PhasesWatch watch = {exported, store_tick, store_starts};
    exported->places = spool_new(n, sizeof(PlaceRecord), 0);
    exported->starts = spool_new(n, sizeof(StoredStart), 0);
    bool ok = phases_find_watched(source, parameters, options, NULL, &watch, progress, arena, &exported->signature,
                                  &exported->report, err);
    if (ok)
        *result = exported;
    else
        export_free(exported);
    return ok;
}

void export_free(Export *exported)
{
    if (!exported)
        return;
    spool_free(exported->places);
    spool_free(exported->starts);
    arena_free(exported->arena);
}

/* ---- One process ---- */

static void change_region(Walk *walk, uint32_t region, int64_t time_ns, uint64_t occurrence)
{
    if (walk->region != NO_REGION)
        annotated_leave(walk->archive, walk->region, time_ns);
    if (region != NO_REGION)
        annotated_enter(walk->archive, region, time_ns, occurrence);
    walk->region = region;
}

/* The process reaches a send-like event: begins the regions that begin there. */
static bool begin_regions(Walk *walk, const Event *event, Err *err)
{
    while (walk->has_next && walk->next.send_event <= walk->n_sends) {
        change_region(walk, FIRST_PHASE_REGION + walk->phase_of_id[walk->next.phase], event->enter_ns,
                      walk->next.occurrence);
        marks_note(&walk->marks, walk->next.occurrence, event->enter_ns);
        if (!spool_read(walk->exported->starts, &walk->next, &walk->has_next, err))
            return false;
    }
    walk->n_sends++;
    if (walk->n_sends == walk->exported->report.processes[walk->process].n_send_events)
        change_region(walk, SHUTDOWN_REGION, event->enter_ns, NO_OCCURRENCE);
    return true;
}

static bool write_call(Walk *walk, Err *err)
{
    const Event *events = walk->call.items, *first = events;
    size_t n = walk->call.count;
    if (!n)
        return true;
    walk->call_places.count = 0;
    vec_reserve(&walk->call_places, n);
    annotated_reach(walk->archive, first);
    if (walk->region == NO_REGION && first->kind != EVENT_BEGIN && first->kind != EVENT_END)
        change_region(walk, STARTUP_REGION, first->enter_ns, NO_OCCURRENCE);
    if (first->kind == EVENT_END)
        change_region(walk, NO_REGION, first->enter_ns, NO_OCCURRENCE);
    for (size_t i = 0; i < n; i++) {
        EventPlace *place = &walk->call_places.items[i];
        if (!place_reader_next(&walk->places, &events[i], place, err) ||
            (event_is_send_like(&events[i]) && !begin_regions(walk, &events[i], err)))
            return false;
        walk->summary->n_events += event_is_in_order(&events[i]);
        walk->summary->n_unplaced += !place->is_placed && events[i].kind == EVENT_RECV;
    }
    annotated_call(walk->archive, events, walk->call_places.items, n);
    if (first->kind == EVENT_BEGIN)
        change_region(walk, STARTUP_REGION, first->leave_ns, NO_OCCURRENCE);
    walk->last_ns = first->leave_ns;
    walk->call.count = 0;
    return true;
}

static bool write_events(Walk *walk, EventSource *source, Err *err)
{
    Event batch[BATCH_EVENTS];
    for (size_t count = 1; count;) {
        if (!source->read(source, walk->process, batch, BATCH_EVENTS, &count, err))
            return false;
        for (size_t i = 0; i < count; i++) {
            if (walk->call.count && !event_is_of_call(&batch[i], walk->call.items) && !write_call(walk, err))
                return false;
            *vec_push(&walk->call) = batch[i];
        }
    }
    if (!write_call(walk, err))
        return false;
    change_region(walk, NO_REGION, walk->last_ns, NO_OCCURRENCE);
    return true;
}

static bool write_process(Walk *walk, EventSource *source, uint32_t process, Err *err)
{
    walk->process = process;
    walk->n_sends = 0;
    walk->region = NO_REGION;
    walk->last_ns = 0;
    walk->call.count = 0;
    place_reader_start(&walk->places, walk->exported->places, process);
    spool_start(walk->exported->starts, process);
    return annotated_begin_process(walk->archive, process, err) &&
           spool_read(walk->exported->starts, &walk->next, &walk->has_next, err) && write_events(walk, source, err) &&
           annotated_end_process(walk->archive, err);
}

/* ---- The whole archive ---- */

static const AnnotatedRegion *name_regions(const Signature *signature, Arena *arena)
{
    AnnotatedRegion *regions = arena_new_array(arena, AnnotatedRegion, FIRST_PHASE_REGION + signature->n_phases);
    regions[STARTUP_REGION] = (AnnotatedRegion){"startup", "MPI_Init to the first send-like event"};
    regions[SHUTDOWN_REGION] = (AnnotatedRegion){"shutdown", "the last send-like event to MPI_Finalize"};
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        regions[FIRST_PHASE_REGION + i] = (AnnotatedRegion){
            arena_printf(arena, "phase %u", phase->id),
            arena_printf(arena, "%s, weight %llu, %.3g %% of the time", phase->relevant ? "relevant" : "not relevant",
                         (unsigned long long)phase->weight, 100 * phase->share)};
    }
    return regions;
}

static const uint32_t *number_phases(const Signature *signature, Arena *arena)
{
    uint32_t largest = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++)
        largest = signature->phases[i].id > largest ? signature->phases[i].id : largest;
    uint32_t *phase_of_id = arena_new_array(arena, uint32_t, (size_t)largest + 1);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        phase_of_id[signature->phases[i].id] = i;
    return phase_of_id;
}

static bool finish(Walk *walk, Arena *arena, Err *err)
{
    const Signature *signature = walk->exported->signature;
    size_t n = 0;
    AnnotatedMarker *markers = arena_new_array(arena, AnnotatedMarker, walk->marks.marks.count);
    for (size_t i = 0; i < walk->marks.marks.count; i++) {
        const Mark *mark = &walk->marks.marks.items[i];
        if (mark->time_ns == INT64_MAX)
            continue;
        const char *name = arena_printf(arena, "phase %u", signature->phases[mark->phase].id);
        if (mark->count > 1)
            name = arena_printf(arena, "%s, %llu times", name, (unsigned long long)mark->count);
        markers[n++] = (AnnotatedMarker){mark->time_ns, name};
    }
    walk->summary->n_markers = n;
    walk->summary->n_markers_more = walk->marks.n_more;
    const char *note = arena_printf(arena, "phases and logical times are firma's: order %s, similarity %s",
                                    signature->parameters.order, signature->parameters.similarity);
    return annotated_finish(walk->archive, markers, n, note, err);
}

bool export_write(Export *exported, EventSource *source, const char *directory, const Progress *progress,
                  ExportSummary *summary, Err *err)
{
    Arena *arena = arena_new();
    const Signature *signature = exported->signature;
    ExportSummary result = {.n_phases = signature->n_phases};
    for (uint32_t i = 0; i < signature->n_phases; i++)
        result.n_relevant += signature->phases[i].relevant;
    Walk walk = {.exported = exported, .phase_of_id = number_phases(signature, arena), .summary = &result};
    uint32_t n_processes = source->trace->application.n_processes;
    bool ok = annotated_create(directory, source->trace, name_regions(signature, arena),
                               FIRST_PHASE_REGION + signature->n_phases, &walk.archive, err);
    if (ok) {
        marks_choose(&walk.marks, signature, walk.phase_of_id);
        for (uint32_t process = 0; ok && process < n_processes; process++) {
            ok = write_process(&walk, source, process, err);
            progress_report(progress, "writing the archive", process + 1, n_processes);
        }
        if (ok)
            ok = finish(&walk, arena, err);
        else
            annotated_abandon(walk.archive);
    }
    if (ok)
        *summary = result;
    marks_free(&walk.marks);
    place_reader_free(&walk.places);
    vec_free(&walk.call);
    vec_free(&walk.call_places);
    arena_free(arena);
    return ok;
}
