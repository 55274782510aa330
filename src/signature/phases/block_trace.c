/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows and times of a trace of blocks (block_trace.h). Blocks contain receives, but receives
 * aren't timed, for two reasons. Startpoints and endpoints are numbers of send-like events, so
 * nothing else can be timed in another run. And the tick of a late receive stands before sends that
 * the process made earlier. */
#include "signature/phases/block_trace.h"

#include "signature/phases/similarity.h"

#include <assert.h>

enum { TIMES_MEMORY_BYTES = 128 << 20, COMPUTATIONS_MEMORY_BYTES = 32 << 20, TICK_LIMIT = INT32_MAX };

/* Limit of "phases × processes", the cells of a table that the signature holds: 2 GiB at 64 bytes
 * each. */
#define PHASE_CELL_LIMIT (UINT64_C(1) << 25)

/* Of a send-like event. */
typedef struct EventTimes {
    int64_t enter_ns;
    Path path;
} EventTimes;

/* The processes that take part in the occurrences of a phase, by their send-like events. All
 * occurrences have the same shapes, tick by tick. */
typedef struct Members {
    Participants participants;
    uint32_t n_events;
    bool listed;
} Members;

typedef struct Timing {
    BlockTrace *trace;
    Durations *durations;
    Loops *loops;
    Members *members;  /* [phases] of phases that occur more than once; listed at their first
                          occurrence */
    Members last;      /* of an occurrence that isn't like others of its phase */
    uint32_t *places;  /* [n_processes] scratch: the participant's number + 1 */
    uint64_t *n_sends; /* [n_processes] send-like events so far */
    VEC(Touch) touches;
} Timing;

void block_trace_init(BlockTrace *trace, uint32_t n_processes)
{
    *trace = (BlockTrace){.n_processes = n_processes,
                          .times = spool_new(1, sizeof(EventTimes), TIMES_MEMORY_BYTES),
                          .computations = spool_new(1, sizeof(float), COMPUTATIONS_MEMORY_BYTES)};
}

void block_trace_free(BlockTrace *trace)
{
    rows_free(&trace->rows);
    vec_free(&trace->ticks);
    spool_free(trace->times);
    spool_free(trace->computations);
}

static bool is_send_like(CommType type)
{
    return comm_type_kind(type) != TYPE_RECV;
}

bool block_trace_add(BlockTrace *trace, const LogicalEvent *events, const float *computations, size_t count, Err *err)
{
    size_t n = trace->ticks.count;
    if (n == TICK_LIMIT)
        return err_set(err, ERR_INPUT, "the trace has more ticks than --similarity block can handle: the limit is %d",
                       (int)TICK_LIMIT) ||
               err_hint(err, "use --similarity phase");
    uint32_t row = rows_find(&trace->rows, n ? trace->ticks.items[n - 1] : NO_ROW, events, count);
    *vec_push(&trace->ticks) = row;
    for (size_t i = 0; i < count; i++) {
        const EventTimes times = {events[i].enter_ns, path_of_event(&events[i])};
        if (is_send_like(events[i].type) && !spool_write(trace->times, 0, &times, err))
            return false;
        if (n && !spool_write(trace->computations, 0, &computations[i], err))
            return false;
    }
    return true;
}

static void list_members(Timing *timing, size_t first_tick, size_t n_ticks, Members *members)
{
    *members = (Members){.participants = members->participants, .listed = true};
    members->participants.count = 0;
    for (size_t tick = first_tick; tick < first_tick + n_ticks; tick++) {
        uint32_t row = timing->trace->ticks.items[tick], n = row_shape(&timing->trace->rows, row)->n_events;
        const RowCell *cells = row_cells(&timing->trace->rows, row);
        for (uint32_t i = 0; i < n; i++) {
            if (!is_send_like(cells[i].type))
                continue;
            uint32_t *place = &timing->places[cells[i].process];
            if (!*place) {
                *vec_push(&members->participants) = (Participant){cells[i].process, members->n_events, 0};
                *place = (uint32_t)members->participants.count;
            }
            members->participants.items[*place - 1].n_events++;
            members->n_events++;
        }
    }
    for (size_t i = 0; i < members->participants.count; i++)
        timing->places[members->participants.items[i].process] = 0;
}

static bool time_occurrence(Timing *timing, uint32_t phase, const Members *members, Err *err)
{
    timing->touches.count = 0;
    for (uint32_t i = 0; i < members->n_events; i++) {
        EventTimes times;
        bool is_there;
        if (!spool_read(timing->trace->times, &times, &is_there, err))
            return false;
        assert(is_there);
        *vec_push(&timing->touches) = (Touch){.enter_ns = times.enter_ns, .path = times.path};
    }
    for (size_t i = 0; i < members->participants.count; i++) {
        const Participant *participant = &members->participants.items[i];
        timing->touches.items[participant->first].number = timing->n_sends[participant->process];
        timing->n_sends[participant->process] += participant->n_events;
    }
    while (timing->durations->phases.count <= phase)
        durations_add_phase(timing->durations);
    durations_add(timing->durations, phase, phase + 1, 1, &members->participants, timing->touches.items);
    loops_append(timing->loops, phase);
    return true;
}

static bool time_occurrences(Timing *timing, const BlockPhases *found, Err *err)
{
    size_t tick = 0;
    for (size_t i = 0; i < found->sequence.count; i++) {
        uint32_t phase = found->sequence.items[i];
        const BlockPhase *block_phase = &found->phases.items[phase];
        bool ends_trace = i + 1 == found->sequence.count;
        bool is_like_others = !ends_trace && block_phase->weight > 1;
        Members *members = is_like_others ? &timing->members[phase] : &timing->last;
        size_t n_ticks = block_phase->n_blocks + ends_trace;
        if (!is_like_others || !members->listed)
            list_members(timing, tick, n_ticks, members);
        if (!time_occurrence(timing, phase, members, err))
            return false;
        tick += n_ticks;
    }
    return true;
}

bool block_trace_time(BlockTrace *trace, const BlockPhases *found, const ProcessSpan *spans, Loops *loops,
                      Durations *durations, Err *err)
{
    Timing timing = {.trace = trace,
                     .durations = durations,
                     .loops = loops,
                     .members = memory_zeroed(found->phases.count, sizeof(Members)),
                     .places = memory_zeroed(trace->n_processes, sizeof(uint32_t)),
                     .n_sends = memory_zeroed(trace->n_processes, sizeof(uint64_t))};
    durations->loops = loops;
    spool_start(trace->times, 0);
    bool timed = time_occurrences(&timing, found, err);
    if (timed)
        durations_finish(durations, spans);
    for (size_t i = 0; i < found->phases.count; i++)
        vec_free(&timing.members[i].participants);
    vec_free(&timing.last.participants);
    free(timing.members);
    free(timing.places);
    free(timing.n_sends);
    vec_free(&timing.touches);
    return timed;
}

static uint64_t count_events(const BlockTrace *trace, size_t first_tick, size_t n_ticks)
{
    uint64_t n = 0;
    for (size_t tick = first_tick; tick < first_tick + n_ticks; tick++)
        n += row_shape(&trace->rows, trace->ticks.items[tick])->n_events;
    return n;
}

static const PhaseEvent *copy_events(const BlockTrace *trace, size_t first_tick, size_t n_ticks, PhaseEvent *events)
{
    PhaseEvent *event = events;
    for (size_t tick = first_tick; tick < first_tick + n_ticks; tick++) {
        uint32_t row = trace->ticks.items[tick];
        const RowCell *cells = row_cells(&trace->rows, row);
        const uint64_t *volumes = row_volumes(&trace->rows, row);
        for (uint32_t i = 0; i < row_shape(&trace->rows, row)->n_events; i++)
            *event++ = (PhaseEvent){(uint32_t)(tick - first_tick), cells[i].process, cells[i].type, volumes[i]};
    }
    return events;
}

bool block_trace_content(const BlockTrace *trace, const BlockPhases *phases, Arena *arena, FoundPhase **found, Err *err)
{
    size_t n = phases->phases.count;
    if ((uint64_t)n * trace->n_processes > PHASE_CELL_LIMIT)
        return err_set(err, ERR_INPUT,
                       "the blocks hardly repeat: %zu phases on %u processes; phases × processes is limited to %lu", n,
                       trace->n_processes, (unsigned long)PHASE_CELL_LIMIT) ||
               err_hint(err,
                        "use a larger --compute-tolerance, which makes more blocks similar, or --similarity phase");
    FoundPhase *all = arena_new_array(arena, FoundPhase, n);
    for (size_t i = 0; i < n; i++) {
        const BlockPhase *phase = &phases->phases.items[i];
        bool ends_trace = phase->first_block + phase->n_blocks + 1 == trace->ticks.count;
        uint32_t n_ticks = phase->n_blocks + ends_trace;
        uint64_t n_events = count_events(trace, phase->first_block, n_ticks);
        if (n_events > UINT32_MAX)
            return err_set(err, ERR_INPUT, "phase %zu has %lu events: the limit is %lu", i + 1, (unsigned long)n_events,
                           (unsigned long)UINT32_MAX);
        PhaseEvent *events = arena_new_array(arena, PhaseEvent, n_events);
        all[i] = (FoundPhase){(uint32_t)i + 1, n_ticks, (uint32_t)n_events,
                              copy_events(trace, phase->first_block, n_ticks, events)};
    }
    *found = all;
    return true;
}
