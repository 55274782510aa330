/* SPDX-License-Identifier: BSD-3-Clause */
/* The two passes of a timeline (perfetto.h). */
#include "formats/perfetto.h"

#include "base/spool.h"
#include "formats/kept.h"
#include "formats/packets.h"
#include "signature/profile/profile.h"

/* Numbers of a process's tracks, and of names. Those of the phases follow. */
enum { TRACKS_PER_PROCESS = 256, PHASES_TRACK = 1, FIRST_THREAD_TRACK = 2 };
enum { COMPUTE_NAME = 1, INIT_NAME, FIRST_CALL_NAME };

/* The start of an occurrence in one process, as stored. */
typedef struct StoredStart {
    int64_t enter_ns;
    uint64_t occurrence, phase; /* phase: id */
} StoredStart;

struct Timeline {
    Arena *arena;
    Signature *signature;
    Spool *starts;
};

/* The calls of one thread; of a process without several, all its calls. */
typedef struct Thread {
    VEC(size_t) call; /* events of the current call */
    int64_t free_since_ns;
    bool has_track, is_begun;
} Thread;

typedef struct Drawing {
    const Timeline *timeline;
    Packets packets;
    KeptProcess events;
    uint32_t process;
    bool has_threads;
    int64_t begin_ns, end_ns; /* of the process */
    Thread threads[SEQUENCE_LIMIT];
    VEC(uint64_t) begins, ends;
} Drawing;

/* ---- First pass ---- */

static bool store_starts(void *self, const OccurrenceStart *starts, size_t count, Err *err)
{
    const Timeline *timeline = self;
    for (size_t i = 0; i < count; i++) {
        const StoredStart stored = {starts[i].enter_ns, starts[i].occurrence, starts[i].phase};
        if (!spool_write(timeline->starts, starts[i].process, &stored, err))
            return false;
    }
    return true;
}

bool timeline_find_phases(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                          const Progress *progress, Timeline **timeline, Err *err)
{
    Arena *arena = arena_new();
    Timeline *found = arena_new_array(arena, Timeline, 1);
    const PhasesWatch watch = {.self = found, .occurrences = store_starts};
    OrderReport report;
    found->arena = arena;
    found->starts = spool_new(source->trace->application.n_processes, sizeof(StoredStart), 0);
    bool ok = phases_find_watched(source, parameters, options, NULL, &watch, progress, arena, &found->signature,
                                  &report, err);
    if (ok)
        *timeline = found;
    else
        timeline_free(found);
    return ok;
}

void timeline_free(Timeline *timeline)
{
    if (!timeline)
        return;
    spool_free(timeline->starts);
    arena_free(timeline->arena);
}

/* ---- Calls ---- */

static uint64_t track_of(const Drawing *drawing, uint32_t number)
{
    return (uint64_t)(drawing->process + 1) * TRACKS_PER_PROCESS + number;
}

static uint64_t track_of_thread(Drawing *drawing, uint8_t sequence)
{
    const uint64_t track = track_of(drawing, FIRST_THREAD_TRACK + sequence);
    char name[32] = "calls";
    if (drawing->threads[sequence].has_track)
        return track;
    if (drawing->has_threads && sequence)
        snprintf(name, sizeof name, "calls of thread %u", sequence);
    drawing->threads[sequence].has_track = true;
    packets_put_track(&drawing->packets, track, track_of(drawing, 0), name);
    return track;
}

static void add_fact(Slice *slice, const char *name, uint64_t number)
{
    slice->facts[slice->n_facts++] = (SliceFact){name, number};
}

/* A call with one message tells it; another one, how many bytes it sends and receives. */
static void add_facts(Slice *slice, const KeptEvent *first, size_t n, uint64_t sent, uint64_t received)
{
    const Event *event = &first->event;
    if (event->kind == EVENT_BEGIN)
        return;
    if (n == 1 && (event->kind == EVENT_SEND || event->kind == EVENT_RECV || event->kind == EVENT_ONE_SIDED)) {
        add_fact(slice, event->kind == EVENT_RECV ? "from rank" : "to rank", event->peer);
        add_fact(slice, "tag", event->tag);
    }
    if (event->kind == EVENT_COLLECTIVE && event->peer != NO_ROOT)
        add_fact(slice, "root", event->peer);
    if (sent)
        add_fact(slice, "bytes sent", sent);
    if (received)
        add_fact(slice, "bytes received", received);
}

static uint64_t name_of_call(const Drawing *drawing, const Thread *thread)
{
    Event events[64];
    size_t n = thread->call.count < 64 ? thread->call.count : 64;
    for (size_t i = 0; i < n; i++)
        events[i] = drawing->events.events[thread->call.items[i]].event;
    return events[0].kind == EVENT_BEGIN ? INIT_NAME : FIRST_CALL_NAME + call_kind_of(events, n);
}

static void draw_computation(Drawing *drawing, const Thread *thread, const Event *event, uint64_t track)
{
    int64_t since_ns = event->enter_ns - event_outside_ns(event);
    if (!thread->is_begun || event->compute_ns <= 0)
        return;
    since_ns = since_ns > thread->free_since_ns ? since_ns : thread->free_since_ns;
    if (since_ns >= event->enter_ns)
        return;
    packets_begin_slice(&drawing->packets, since_ns,
                        &(Slice){.track = track, .name = COMPUTE_NAME, .category = "computation"});
    packets_end_slice(&drawing->packets, event->enter_ns, track);
}

static void draw_call(Drawing *drawing, uint8_t sequence)
{
    Thread *thread = &drawing->threads[sequence];
    if (!thread->call.count)
        return;
    const KeptEvent *first = &drawing->events.events[thread->call.items[0]];
    const uint64_t track = track_of_thread(drawing, sequence);
    uint64_t sent = 0, received = 0;
    drawing->begins.count = drawing->ends.count = 0;
    for (size_t i = 0; i < thread->call.count; i++) {
        const KeptEvent *event = &drawing->events.events[thread->call.items[i]];
        const bool sends = event->event.kind == EVENT_SEND, receives = event->event.kind == EVENT_RECV;
        sent += receives || event->event.kind == EVENT_RECV_POST ? 0 : event->event.bytes;
        received += receives ? event->event.bytes : event->event.bytes_received;
        if ((sends || receives) && event->is_whole)
            *(sends ? vec_push(&drawing->begins) : vec_push(&drawing->ends)) = event->number + 1;
    }
    draw_computation(drawing, thread, &first->event, track);
    if (first->event.kind != EVENT_END) {
        Slice slice = {.track = track,
                       .name = name_of_call(drawing, thread),
                       .category = "mpi",
                       .begins = drawing->begins.items,
                       .ends = drawing->ends.items,
                       .n_begins = drawing->begins.count,
                       .n_ends = drawing->ends.count};
        add_facts(&slice, first, thread->call.count, sent, received);
        packets_begin_slice(&drawing->packets, first->event.enter_ns, &slice);
        packets_end_slice(&drawing->packets, first->event.leave_ns, track);
    }
    thread->is_begun = true;
    thread->free_since_ns = first->event.leave_ns;
    thread->call.count = 0;
}

static void draw_calls(Drawing *drawing)
{
    for (size_t i = 0; i < drawing->events.n; i++) {
        const Event *event = &drawing->events.events[i].event;
        Thread *thread = &drawing->threads[event->sequence];
        if (thread->call.count && !event_is_of_call(event, &drawing->events.events[thread->call.items[0]].event))
            draw_call(drawing, event->sequence);
        *vec_push(&thread->call) = i;
        if (event->kind == EVENT_BEGIN)
            drawing->begin_ns = event->leave_ns;
        drawing->end_ns = event->leave_ns > drawing->end_ns ? event->leave_ns : drawing->end_ns;
        if (event->kind == EVENT_END)
            drawing->end_ns = event->enter_ns;
    }
    for (int i = 0; i < SEQUENCE_LIMIT; i++) {
        draw_call(drawing, (uint8_t)i);
        vec_free(&drawing->threads[i].call);
        drawing->threads[i] = (Thread){0};
    }
}

/* ---- Phases ---- */

static bool draw_phases(Drawing *drawing, const uint64_t *name_of_phase, Err *err)
{
    const uint64_t track = track_of(drawing, PHASES_TRACK);
    StoredStart start;
    bool is_there, is_open = false;
    spool_start(drawing->timeline->starts, drawing->process);
    for (;;) {
        if (!spool_read(drawing->timeline->starts, &start, &is_there, err))
            return false;
        if (is_open)
            packets_end_slice(&drawing->packets, is_there ? start.enter_ns : drawing->end_ns, track);
        if (!is_there)
            return true;
        Slice slice = {.track = track, .name = name_of_phase[start.phase], .category = "phase"};
        add_fact(&slice, "occurrence", start.occurrence);
        packets_begin_slice(&drawing->packets, start.enter_ns, &slice);
        is_open = true;
    }
}

/* Puts the names of all slices, and returns those of phases, by id. */
static const uint64_t *put_names(Packets *packets, const Signature *signature, Arena *arena)
{
    uint32_t largest = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++)
        largest = signature->phases[i].id > largest ? signature->phases[i].id : largest;
    const size_t first_phase = FIRST_CALL_NAME + CALL_KIND_COUNT;
    uint64_t *name_of_phase = arena_new_array(arena, uint64_t, (size_t)largest + 1);
    const char **names = arena_new_array(arena, const char *, first_phase + signature->n_phases);
    names[COMPUTE_NAME - 1] = "compute";
    names[INIT_NAME - 1] = "init";
    for (uint32_t i = 0; i < CALL_KIND_COUNT; i++)
        names[FIRST_CALL_NAME + i - 1] = call_kind_name(i);
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        names[first_phase + i - 1] = arena_printf(arena, "phase %u", signature->phases[i].id);
        name_of_phase[signature->phases[i].id] = first_phase + i;
    }
    packets_put_names(packets, names, first_phase + signature->n_phases - 1);
    return name_of_phase;
}

/* ---- The whole file ---- */

static bool draw_process(Drawing *drawing, KeptTrace *kept, const uint64_t *name_of_phase, Err *err)
{
    char name[32];
    if (!kept_next(kept, &drawing->events, err))
        return false;
    snprintf(name, sizeof name, "rank %u", drawing->process);
    drawing->begin_ns = drawing->end_ns = 0;
    packets_put_process(&drawing->packets, track_of(drawing, 0), (int32_t)drawing->process + 1, name);
    packets_put_track(&drawing->packets, track_of(drawing, PHASES_TRACK), track_of(drawing, 0), "phases");
    draw_calls(drawing);
    return draw_phases(drawing, name_of_phase, err);
}

static bool draw_all(Drawing *drawing, KeptTrace *kept, const Trace *trace, const Progress *progress, Err *err)
{
    const uint32_t n = trace->application.n_processes;
    const uint64_t *names = put_names(&drawing->packets, drawing->timeline->signature, drawing->timeline->arena);
    for (; drawing->process < n; drawing->process++) {
        drawing->has_threads = trace->n_sequences && trace->n_sequences[drawing->process] > 1;
        if (!draw_process(drawing, kept, names, err))
            return false;
        progress_report(progress, "writing the timeline", drawing->process + 1, n);
    }
    return true;
}

bool timeline_write(Timeline *timeline, EventSource *source, const char *path, const Progress *progress, Notes *notes,
                    TimelineSummary *summary, Err *err)
{
    KeptTrace *kept;
    if (!kept_read(source, progress, &kept, err))
        return false;
    Drawing *drawing = memory_zeroed(1, sizeof *drawing);
    drawing->timeline = timeline;
    bool ok = text_file_open(&drawing->packets.file, path, path, timeline->arena, err);
    if (ok)
        ok = text_file_close(&drawing->packets.file, draw_all(drawing, kept, source->trace, progress, err), err);
    if (ok) {
        kept_note_arrows(kept, notes);
        *summary = (TimelineSummary){.n_processes = drawing->process,
                                     .n_phases = timeline->signature->n_phases,
                                     .n_packets = drawing->packets.n};
    }
    packets_free(&drawing->packets);
    vec_free(&drawing->begins);
    vec_free(&drawing->ends);
    kept_free(kept);
    free(drawing);
    return ok;
}
