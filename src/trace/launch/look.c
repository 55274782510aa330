/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells which processes sleep, wait or have ended, and whether the job stands still at a stop. */
#include "trace/launch/state.h"

#include "base/owner.h"
#include "base/text.h"
#include "trace/calls.h"
#include <assert.h>
#include <string.h>
#include <unistd.h>

#define LISTED_RANKS 16

/* True if the process has ended. firma can only tell if it can see the process's id. */
static bool has_died(const Launch *launch, const ProcessFile *process)
{
    return !launch_is_adopted(launch) && !launch->hidden_ids &&
           strncmp(process->host, launch->control->owner_host, sizeof process->host) == 0 &&
           owner_has_ended(process->pid, process->start_ticks);
}

/* The part of a process's state that doesn't depend on its threads. */
static RankState state_of_process(const Launch *launch, const ProcessFile *process)
{
    if (!process)
        return RANK_UNSEEN;
    uint32_t asleep = __atomic_load_n(&process->asleep, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&process->finalize_leave_ns, __ATOMIC_RELAXED))
        return RANK_FINISHED;
    if (has_died(launch, process)) /* it may have finished since the test above */
        return __atomic_load_n(&process->finalize_leave_ns, __ATOMIC_RELAXED) ? RANK_FINISHED : RANK_DIED;
    if (process->recording_end != RECORDING_WHOLE)
        return RANK_UNRECORDED;
    return launch->stops && asleep > launch->stops->released ? RANK_ASLEEP : RANK_RUNNING;
}

static void look_at_threads(Launch *launch, int64_t now_ns, int64_t quiet_ns, LaunchWaiting *waiting)
{
    for (size_t i = 0; i < launch->watch.segments.count; i++) {
        WatchedSegment *segment = &launch->watch.segments.items[i];
        assert(segment->rank < launch->watch.n_processes);
        LaunchRank *rank = &launch->ranks[segment->rank];
        rank->send_events += __atomic_load_n(&segment->header->send_events, __ATOMIC_RELAXED);
        activity_look(&segment->activity, segment->header, segment->path, now_ns);
        uint16_t call;
        if (activity_waits(&segment->activity, now_ns, quiet_ns, &call)) {
            waiting[segment->rank].n_waiting++;
            rank->call = call;
        }
        waiting[segment->rank].n_progressing += now_ns - segment->activity.progress_ns < quiet_ns;
    }
}

const LaunchRank *launch_look(Launch *launch, int quiet_ms, uint32_t *count)
{
    bool seen = watch_scan(&launch->watch);
    *count = launch->watch.n_processes;
    if (!seen)
        return NULL;
    if (launch->n_ranks < *count) { /* at first, and when PVM tasks are added */
        launch->n_ranks = *count;
        launch->ranks = arena_new_array(launch->arena, LaunchRank, *count);
        launch->waiting = arena_new_array(launch->arena, LaunchWaiting, *count);
    }
    memset(launch->waiting, 0, *count * sizeof *launch->waiting);
    for (uint32_t rank = 0; rank < *count; rank++)
        launch->ranks[rank] = (LaunchRank){.state = state_of_process(launch, launch->watch.processes[rank])};
    look_at_threads(launch, launch_now_ns(), quiet_ms * 1000000LL, launch->waiting);
    for (uint32_t rank = 0; rank < *count; rank++) {
        const LaunchWaiting *waiting = &launch->waiting[rank];
        if (launch->ranks[rank].state == RANK_RUNNING && waiting->n_waiting && !waiting->n_progressing)
            launch->ranks[rank].state = RANK_WAITING;
    }
    return launch->ranks;
}

/* Send-like events of the process before the stop. 0 for a process that the stops don't have. */
static uint64_t events_before(const Launch *launch, uint32_t stop, uint32_t rank)
{
    const StopsFile *stops = launch->stops;
    bool known = stops && stop < stops->n_stops && rank < stops->n_processes;
    return known ? stops->counts[stop * (size_t)stops->n_processes + rank] : 0;
}

static bool is_finalizing(const LaunchRank *rank)
{
    const char *name = rank->state == RANK_WAITING ? call_name(rank->call) : NULL;
    return name && strcmp(name, "MPI_Finalize") == 0;
}

/* True if a process has ended, or is about to end, without reaching its place at the stop. A
 * process with no events left before the stop hasn't missed anything. */
static bool has_missed(const Launch *launch, uint32_t stop, uint32_t rank)
{
    const LaunchRank *look = &launch->ranks[rank];
    if (look->state == RANK_DIED || look->state == RANK_UNRECORDED)
        return true;
    return (look->state == RANK_FINISHED || is_finalizing(look)) &&
           look->send_events < events_before(launch, stop, rank);
}

LaunchSettling launch_settled_at(Launch *launch, uint32_t stop, int quiet_ms)
{
    uint32_t count, n_asleep = 0, n_moving = 0, n_missed = 0;
    bool over = launch_wait(launch, 0);
    const LaunchRank *ranks = launch_look(launch, quiet_ms, &count);
    if (over || !launch->stops || stop >= launch->stops->n_stops || launch->stops->released > stop ||
        (ranks && count != launch->stops->n_processes))
        return LAUNCH_UNREACHABLE;
    if (!ranks)
        return LAUNCH_UNSETTLED;
    for (uint32_t rank = 0; rank < count; rank++) {
        n_asleep += ranks[rank].state == RANK_ASLEEP;
        n_moving += ranks[rank].state == RANK_RUNNING || ranks[rank].state == RANK_UNSEEN;
        n_missed += has_missed(launch, stop, rank);
    }
    if (n_missed)
        return LAUNCH_UNREACHABLE;
    if (n_moving || !n_asleep)
        return LAUNCH_UNSETTLED;
    launch->control->settled_ns = launch_now_ns() + launch->control->clock_shift_ns;
    return LAUNCH_SETTLED;
}

bool launch_is_ready(Launch *launch)
{
    uint32_t count, n_unready = 0;
    const LaunchRank *ranks = launch_look(launch, 0, &count);
    for (uint32_t rank = 0; rank < count; rank++)
        n_unready +=
            ranks[rank].state == RANK_ASLEEP &&
            __atomic_load_n(&launch->watch.processes[rank]->ready, __ATOMIC_ACQUIRE) != launch->control->adoptions;
    return ranks && !n_unready;
}

/* Describes one process, or several alike: "waits in MPI_Recv", "wait in MPI_Recv". Processes that
 * do the same get the same text. */
static const char *describe(const Launch *launch, uint32_t stop, uint32_t rank, bool one, Arena *arena)
{
    const LaunchRank *look = &launch->ranks[rank];
    const char *call = call_name(look->call);
    uint64_t before = events_before(launch, stop, rank);
    switch (look->state) {
    case RANK_ASLEEP:
        return one ? "sleeps" : "sleep";
    case RANK_WAITING:
        if (has_missed(launch, stop, rank))
            return arena_printf(arena, "waits in %s after %lu of %lu send-like events", call,
                                (unsigned long)look->send_events, (unsigned long)before);
        return arena_printf(arena, "%s in %s", one ? "waits" : "wait", call ? call : "MPI");
    case RANK_FINISHED:
    case RANK_DIED:
        return arena_printf(arena, "%s %s after %lu of %lu send-like events", one ? "has" : "have",
                            look->state == RANK_DIED ? "died" : "finished", (unsigned long)look->send_events,
                            (unsigned long)before);
    case RANK_UNRECORDED:
        return one ? "isn't recorded any more" : "aren't recorded any more";
    case RANK_UNSEEN:
        return "can't be seen from this host";
    default:
        return one ? "runs" : "run";
    }
}

static bool do_the_same(const LaunchRank *a, const LaunchRank *b)
{
    bool has_ended = a->state == RANK_FINISHED || a->state == RANK_DIED || is_finalizing(a);
    return a->state == b->state && !has_ended && (a->state != RANK_WAITING || a->call == b->call);
}

/* Describes all processes that do the same as `first`: "rank 1 sleeps", "ranks 0, 2 and 7 more
 * sleep". `first` must be the lowest of them. */
static const char *describe_alike(const Launch *launch, uint32_t stop, uint32_t first, Arena *arena)
{
    const char *list = arena_printf(arena, "%u", first);
    uint32_t n = 1;
    for (uint32_t rank = first + 1; rank < launch->watch.n_processes; rank++)
        if (do_the_same(&launch->ranks[first], &launch->ranks[rank]) && ++n <= LISTED_RANKS)
            list = arena_printf(arena, "%s, %u", list, rank);
    if (n > LISTED_RANKS)
        list = arena_printf(arena, "%s and %u more", list, n - LISTED_RANKS);
    return arena_printf(arena, "rank%s %s %s", text_plural(n), list, describe(launch, stop, first, n == 1, arena));
}

const char *launch_describe_ranks(const Launch *launch, uint32_t stop, Arena *arena)
{
    const char *text = launch->ended ? "the launcher has ended" : NULL;
    if (launch->ranks && launch->stops && launch->watch.n_processes != launch->stops->n_processes)
        return arena_printf(arena, "there are %u processes, but the stops are for %u", launch->watch.n_processes,
                            launch->stops->n_processes);
    uint32_t count = launch->ranks ? launch->watch.n_processes : 0, n_described = 0;
    for (uint32_t rank = 0; rank < count && n_described < LISTED_RANKS; rank++) {
        bool is_first = true;
        for (uint32_t i = 0; i < rank && is_first; i++)
            is_first = !do_the_same(&launch->ranks[i], &launch->ranks[rank]);
        if (!is_first)
            continue;
        const char *alike = describe_alike(launch, stop, rank, arena);
        text = text ? arena_printf(arena, "%s; %s", text, alike) : alike;
        n_described++;
    }
    return text ? text : "no process has returned from MPI_Init";
}
