/* SPDX-License-Identifier: BSD-3-Clause */
/* See scheduling.h. */
#include "simulation/scheduling.h"

static void add(Scheduling *scheduling, uint32_t process, uint32_t phase, ChartKind kind, int64_t from_ns,
                int64_t to_ns)
{
    if (to_ns > from_ns)
        *vec_push(&scheduling->bars) = (ChartBar){process, phase, kind, from_ns, to_ns};
}

/* The phase of the occurrence in which an event of a process lies. */
static uint32_t phase_at(const Scheduling *scheduling, const RankWork *rank, size_t event, size_t first_send)
{
    bool is_inside = scheduling->sample->count && event >= first_send && event < rank->last_send;
    return is_inside
               ? scheduling->cuts->phases.items[scheduling->sample->items[rank->occurrences.items[event]].occurrence]
               : 0;
}

static void take_process(Scheduling *scheduling, uint32_t process)
{
    const RankWork *rank = &scheduling->replayed->work->ranks[process];
    const Event *events = replayed_events(scheduling->replayed, process);
    size_t first_send = 0, n = rank->events.count;
    while (first_send < n && !event_is_send_like(&events[first_send]))
        first_send++;
    for (size_t i = 0; i < n; i++) {
        uint32_t before = i ? phase_at(scheduling, rank, i - 1, first_send) : 0;
        bool is_new = !i || !event_is_of_call(&events[i], &events[i - 1]);
        add(scheduling, process, before, CHART_COMPUTATION, events[i].enter_ns - events[i].compute_ns,
            events[i].enter_ns);
        if (is_new)
            add(scheduling, process, phase_at(scheduling, rank, i, first_send), CHART_TRANSFER, events[i].enter_ns,
                events[i].leave_ns);
    }
}

/* An occurrence begins in a process with one of its send-like events. */
static void take_occurrences(Scheduling *scheduling)
{
    const Work *work = scheduling->replayed->work;
    const Sample *sample = scheduling->sample;
    size_t *at = memory_zeroed(work->n_processes, sizeof *at),
           *n_sends = memory_zeroed(work->n_processes, sizeof *n_sends);
    for (size_t i = 0, end; i < work->starts.count; i = end) {
        double sum_s = 0;
        uint64_t number = work->starts.items[i].occurrence;
        for (end = i; end < work->starts.count && work->starts.items[end].occurrence == number; end++) {
            const OccurrenceStart *start = &work->starts.items[end];
            const Event *events = replayed_events(scheduling->replayed, start->process);
            size_t *event = &at[start->process], *n = &n_sends[start->process];
            while (!event_is_send_like(&events[*event]) || *n < start->send_event)
                *n += event_is_send_like(&events[(*event)++]);
            sum_s += 1e-9 * (double)events[*event].enter_ns;
        }
        uint64_t before = number ? sample->items[number - 1].occurrence + 1 : 0;
        *vec_push(&scheduling->occurrences) =
            (ChartOccurrence){sum_s / (double)(end - i), sample->items[number].occurrence - before};
    }
    free(at);
    free(n_sends);
}

void scheduling_begin(const Replayed *replayed, const Sample *sample, const Cuts *cuts, Scheduling *scheduling)
{
    *scheduling = (Scheduling){.replayed = replayed, .sample = sample, .cuts = cuts};
    for (uint32_t i = 0; i < replayed->work->n_processes; i++)
        take_process(scheduling, i);
    take_occurrences(scheduling);
}

void scheduling_add_wait(void *self, uint32_t process, int64_t from_ns, int64_t to_ns)
{
    add(self, process, 0, CHART_WAITING, from_ns, to_ns);
}

const Chart *scheduling_end(Scheduling *scheduling, Arena *arena)
{
    Chart *schedule = arena_new_array(arena, Chart, 1);
    *schedule = (Chart){.n_processes = scheduling->replayed->work->n_processes,
                        .n_bars = scheduling->bars.count,
                        .n_occurrences = scheduling->occurrences.count,
                        .bars = vec_copy(&scheduling->bars, arena),
                        .occurrences = vec_copy(&scheduling->occurrences, arena)};
    for (size_t i = 0; i < schedule->n_bars; i++)
        if (1e-9 * (double)schedule->bars[i].to_ns > schedule->end_s)
            schedule->end_s = 1e-9 * (double)schedule->bars[i].to_ns;
    vec_free(&scheduling->bars);
    vec_free(&scheduling->occurrences);
    return schedule;
}
