/* SPDX-License-Identifier: BSD-3-Clause */
/* See block_trace.h. Ticks of the PAS2P order aren't in program order: a message that is received late stands before
 * sends that were made earlier.
 *
 *      program   send 1   send 2   send 3   recv (of a send at 0)      entered 10 20 30 40
 *      ticks     send 1   recv     send 2   send 3                     entered 10 40 20 30
 *      settled                                                                 10 20 20 30
 *
 * So the time at which a process comes to a tick is the earliest entry of its events from there on. That never goes
 * back, and is the event's own entry wherever ticks are in program order. */
#include "phases/block_trace.h"

#include "phases/similarity.h"

enum { ENTRIES_MEMORY_BYTES = 64 << 20, TICK_LIMIT = INT32_MAX };

/* Cells of the tables "phases × processes" that a signature holds: at 64 bytes each, 2 GiB. */
#define PHASE_CELL_LIMIT (UINT64_C(1) << 25)

/* Who takes part in the occurrences of a phase. All of them have the same shapes, tick by tick. */
typedef struct Members {
    Participants participants; /* `first` is a place in `offsets` */
    VEC(uint64_t) offsets;     /* of a participant's first event, in events of the occurrence */
    uint64_t n_events;
} Members;

typedef struct Timing {
    BlockTrace *trace;
    Durations *durations;
    Members *members;  /* [phases] of those that come more than once, when they have come */
    Members last;      /* of an occurrence that isn't like others */
    uint32_t *places;  /* [n_processes] scratch: the participant's number + 1 */
    uint64_t *n_sends; /* [n_processes] send-like events so far */
    VEC(Touch) touches;
} Timing;

void block_trace_init(BlockTrace *trace, uint32_t n_processes)
{
    *trace = (BlockTrace){.n_processes = n_processes, .last_ns = memory_resize(NULL, n_processes * sizeof(int64_t))};
    for (uint32_t process = 0; process < n_processes; process++)
        trace->last_ns[process] = INT64_MIN;
    entries_init(&trace->entries, ENTRIES_MEMORY_BYTES);
}

void block_trace_free(BlockTrace *trace)
{
    rows_free(&trace->rows);
    vec_free(&trace->ticks);
    entries_free(&trace->entries);
    free(trace->last_ns);
}

bool block_trace_add(BlockTrace *trace, const LogicalEvent *events, size_t count, Err *err)
{
    size_t n = trace->ticks.count;
    if (n == TICK_LIMIT)
        return err_set(err, ERR_INPUT, "the trace has more ticks than blocks can be compared: the limit is %d",
                       (int)TICK_LIMIT) ||
               err_hint(err, "phases are found with --similarity phase");
    uint32_t row = rows_find(&trace->rows, n ? trace->ticks.items[n - 1] : NO_ROW, events, count);
    *vec_push(&trace->ticks) = row;
    for (size_t i = 0; i < count; i++) {
        int64_t *last_ns = &trace->last_ns[events[i].process];
        if (*last_ns < events[i].enter_ns)
            *last_ns = events[i].enter_ns;
        int64_t *enter_ns;
        if (!entries_at(&trace->entries, trace->n_events++, &enter_ns, err))
            return false;
        *enter_ns = events[i].enter_ns;
    }
    return true;
}

/* See above. Walks from the end to the start; then spans[] have the processes' first entries. */
static bool settle(BlockTrace *trace, ProcessSpan *spans, Err *err)
{
    for (uint32_t process = 0; process < trace->n_processes; process++)
        if (trace->last_ns[process] != INT64_MIN)
            spans[process].first_ns = spans[process].last_ns = trace->last_ns[process];
    uint64_t number = trace->n_events;
    for (size_t tick = trace->ticks.count; tick-- > 0;) {
        const RowCell *cells = row_cells(&trace->rows, trace->ticks.items[tick]);
        for (uint32_t i = row_shape(&trace->rows, trace->ticks.items[tick])->n_events; i-- > 0;) {
            int64_t *first_ns = &spans[cells[i].process].first_ns, *enter_ns;
            if (!entries_at(&trace->entries, --number, &enter_ns, err))
                return false;
            if (*enter_ns < *first_ns)
                *first_ns = *enter_ns;
            else
                *enter_ns = *first_ns;
        }
    }
    return true;
}

static bool is_send_like(CommType type)
{
    return comm_type_kind(type) != TYPE_RECV;
}

static void list_members(Timing *timing, size_t first_tick, size_t n_ticks, Members *members)
{
    members->participants.count = members->offsets.count = 0;
    members->n_events = 0;
    for (size_t tick = first_tick; tick < first_tick + n_ticks; tick++) {
        uint32_t row = timing->trace->ticks.items[tick], n = row_shape(&timing->trace->rows, row)->n_events;
        const RowCell *cells = row_cells(&timing->trace->rows, row);
        for (uint32_t i = 0; i < n; i++, members->n_events++) {
            uint32_t *place = &timing->places[cells[i].process];
            if (!*place) {
                uint32_t number = (uint32_t)members->participants.count;
                *vec_push(&members->participants) = (Participant){cells[i].process, number, 0};
                *vec_push(&members->offsets) = members->n_events;
                *place = number + 1;
            }
            members->participants.items[*place - 1].n_events += is_send_like(cells[i].type);
        }
    }
    for (size_t i = 0; i < members->participants.count; i++)
        timing->places[members->participants.items[i].process] = 0;
}

static bool time_occurrence(Timing *timing, uint32_t phase, const Members *members, uint64_t first_event, Err *err)
{
    size_t n = members->participants.count;
    timing->touches.count = 0;
    vec_reserve(&timing->touches, n);
    for (size_t i = 0; i < n; i++) {
        const Participant *participant = &members->participants.items[i];
        Touch *touch = vec_push(&timing->touches);
        int64_t *enter_ns;
        if (!entries_at(&timing->trace->entries, first_event + members->offsets.items[i], &enter_ns, err))
            return false;
        /* processor time isn't kept */
        *touch = (Touch){.enter_ns = *enter_ns, .number = timing->n_sends[participant->process]};
        timing->n_sends[participant->process] += participant->n_events;
    }
    while (timing->durations->phases.count <= phase)
        durations_add_phase(timing->durations);
    durations_add(timing->durations, phase, phase + 1, 1, &members->participants, timing->touches.items, n);
    return true;
}

static bool time_occurrences(Timing *timing, const BlockPhases *found, Err *err)
{
    uint64_t first_event = 0;
    size_t tick = 0;
    for (size_t i = 0; i < found->sequence.count; i++) {
        uint32_t phase = found->sequence.items[i];
        const BlockPhase *block_phase = &found->phases.items[phase];
        bool ends_trace = i + 1 == found->sequence.count;
        bool is_like_others = !ends_trace && block_phase->weight > 1;
        Members *members = is_like_others ? &timing->members[phase] : &timing->last;
        size_t n_ticks = block_phase->n_blocks + ends_trace;
        if (!is_like_others || !members->n_events)
            list_members(timing, tick, n_ticks, members);
        if (!time_occurrence(timing, phase, members, first_event, err))
            return false;
        first_event += members->n_events;
        tick += n_ticks;
    }
    return true;
}

static void free_members(Members *members)
{
    vec_free(&members->participants);
    vec_free(&members->offsets);
}

bool block_trace_time(BlockTrace *trace, const BlockPhases *found, ProcessSpan *spans, Durations *durations, Err *err)
{
    Timing timing = {.trace = trace,
                     .durations = durations,
                     .members = memory_zeroed(found->phases.count, sizeof(Members)),
                     .places = memory_zeroed(trace->n_processes, sizeof(uint32_t)),
                     .n_sends = memory_zeroed(trace->n_processes, sizeof(uint64_t))};
    bool timed = settle(trace, spans, err);
    trace->entries.is_last_reading = true;
    timed = timed && time_occurrences(&timing, found, err);
    if (timed)
        durations_finish(durations, spans);
    for (size_t i = 0; i < found->phases.count; i++)
        free_members(&timing.members[i]);
    free_members(&timing.last);
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
        return err_set(
                   err, ERR_INPUT,
                   "the blocks hardly repeat: %zu phases on %u processes, and phases × processes may be %lu at most", n,
                   trace->n_processes, (unsigned long)PHASE_CELL_LIMIT) ||
               err_hint(err, "a larger --compute-tolerance makes more of them similar; or take --similarity phase");
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
