/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives on an ideal network: which members wait for which.
 *
 *     bcast, scatter   all but the root wait for the root   reduce, gather   the root waits for all
 *     neighbours       aren't known: no process waits       others           all wait for all
 *
 * A nonblocking collective is joined where it is posted. The process waits where it completes it.
 *
 * If a member left before another came in the trace, it can't have waited for the other, whatever
 * the kind. So the replay doesn't let it wait, either. Therefore a collective without data for a
 * member makes it wait only for members for which it can have waited in the trace. And the replayed
 * run is never longer than the traced one. */
#include "signature/replay/walk.h"

#define NOT_A_MEMBER UINT64_MAX

typedef enum WaitsFor { WAITS_FOR_NONE, WAITS_FOR_ROOT, WAITS_FOR_ALL } WaitsFor;

static bool is_member(const Comm *comm, uint32_t process)
{
    return comm_place(comm, process) < comm->n_members;
}

static uint64_t *next_instance(Replay *replay, uint32_t process, uint32_t comm)
{
    Walker *walker = &replay->walkers[process];
    if (walker->last_comm != comm) {
        bool is_new;
        uint64_t *membership = map_put(&replay->memberships, (MapKey){comm, process}, &is_new);
        if (is_new) {
            *membership = replay->next_instance.count;
            *vec_push(&replay->next_instance) = is_member(&replay->trace->comms[comm], process) ? 0 : NOT_A_MEMBER;
        }
        walker->last_comm = comm;
        walker->membership = (uint32_t)*membership;
    }
    return &replay->next_instance.items[walker->membership];
}

static Instance *instance_at(CommInstances *comm, uint64_t number)
{
    size_t i = comm->first + (size_t)(number - comm->first_number);
    while (comm->instances.count <= i)
        *vec_push(&comm->instances) =
            (Instance){.latest_enter_ns = INT64_MIN, .latest_ns = INT64_MIN, .root = {.process = NO_WALKER}};
    return &comm->instances.items[i];
}

static void drop_instances(CommInstances *comm, uint32_t n_members)
{
    while (comm->first < comm->instances.count && comm->instances.items[comm->first].n_left == n_members) {
        vec_free(&comm->instances.items[comm->first].arrivals);
        comm->first++;
        comm->first_number++;
    }
    if (2 * comm->first > comm->instances.count) {
        comm->instances.count -= comm->first;
        memmove(comm->instances.items, comm->instances.items + comm->first, comm->instances.count * sizeof(Instance));
        comm->first = 0;
    }
}

static WaitsFor waits_for(const Event *event, uint32_t process)
{
    switch ((Collective)event->collective) {
    case COLLECTIVE_BCAST:
    case COLLECTIVE_SCATTER:
    case COLLECTIVE_SCATTERV:
        return event->peer == NO_ROOT ? WAITS_FOR_ALL : event->peer == process ? WAITS_FOR_NONE : WAITS_FOR_ROOT;
    case COLLECTIVE_GATHER:
    case COLLECTIVE_GATHERV:
    case COLLECTIVE_REDUCE:
        return event->peer == NO_ROOT || event->peer == process ? WAITS_FOR_ALL : WAITS_FOR_NONE;
    case COLLECTIVE_NEIGHBOR_ALLGATHER:
    case COLLECTIVE_NEIGHBOR_ALLGATHERV:
    case COLLECTIVE_NEIGHBOR_ALLTOALL:
    case COLLECTIVE_NEIGHBOR_ALLTOALLV:
    case COLLECTIVE_NEIGHBOR_ALLTOALLW:
        return WAITS_FOR_NONE;
    default:
        return WAITS_FOR_ALL;
    }
}

static bool is_of_neighbours(const Event *event)
{
    return event->collective >= COLLECTIVE_NEIGHBOR_ALLGATHER && event->collective <= COLLECTIVE_NEIGHBOR_ALLTOALLW;
}

/* Wakes the processes that wait in this collective. Processes that wait in a later one of the
 * communicator are woken, too, and wait again. */
static void wake_all(Replay *replay, const Instance *instance, uint32_t comm)
{
    for (size_t i = 0; i < instance->arrivals.count; i++) {
        uint32_t process = instance->arrivals.items[i].process;
        const Walker *walker = &replay->walkers[process];
        if (walker->waits && walker->awaited_comm == comm)
            replay_wake(replay, process);
    }
}

static void arrive(Replay *replay, Instance *instance, uint32_t process, const Event *event)
{
    Walker *walker = &replay->walkers[process];
    const Arrival arrival = {event->enter_ns, event->leave_ns, walker->clock_ns, 0, process};
    walker->has_arrived = true;
    *vec_push(&instance->arrivals) = arrival;
    instance->is_sorted = false;
    if (arrival.enter_ns > instance->latest_enter_ns)
        instance->latest_enter_ns = arrival.enter_ns;
    if (arrival.ideal_ns > instance->latest_ns)
        instance->latest_ns = arrival.ideal_ns;
    if (event->peer == process)
        instance->root = arrival;
    if (event->peer == process || instance->arrivals.count == replay->trace->comms[event->comm].n_members)
        wake_all(replay, instance, event->comm);
    replay->result->n_neighborhood += is_of_neighbours(event);
}

static int compare_entries(const void *left, const void *right)
{
    const Arrival *a = left, *b = right;
    if (a->enter_ns != b->enter_ns)
        return a->enter_ns < b->enter_ns ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

static void sort_arrivals(Instance *instance)
{
    Arrival *arrivals = instance->arrivals.items;
    int64_t latest_ns = INT64_MIN;
    qsort(arrivals, instance->arrivals.count, sizeof *arrivals, compare_entries);
    for (size_t i = 0; i < instance->arrivals.count; i++)
        arrivals[i].latest_ns = latest_ns = arrivals[i].ideal_ns > latest_ns ? arrivals[i].ideal_ns : latest_ns;
    instance->is_sorted = true;
}

/* The latest ideal time of the members that came before `leave_ns` in the trace. The calling
 * process is one of them. */
static int64_t latest_before(Instance *instance, int64_t leave_ns)
{
    if (leave_ns >= instance->latest_enter_ns)
        return instance->latest_ns;
    if (!instance->is_sorted)
        sort_arrivals(instance);
    size_t low = 0, high = instance->arrivals.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (instance->arrivals.items[middle].enter_ns <= leave_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? instance->arrivals.items[low - 1].latest_ns : INT64_MIN;
}

/* Whether all that the process waits for has come. If so, lets it wait until then, and leave. */
static bool leave(Replay *replay, Instance *instance, uint32_t process, const Event *event)
{
    Walker *walker = &replay->walkers[process];
    uint32_t n_members = replay->trace->comms[event->comm].n_members;
    WaitsFor what = waits_for(event, process);
    bool is_there = what == WAITS_FOR_NONE || (what == WAITS_FOR_ROOT && instance->root.process != NO_WALKER) ||
                    (what == WAITS_FOR_ALL && instance->arrivals.count == n_members);
    if (!is_there && !walker->is_released) {
        walker->awaited_comm = event->comm;
        return false;
    }
    walker->awaited_comm = NO_COMM;
    replay->result->n_incomplete += !is_there;
    if (what == WAITS_FOR_ALL)
        replay_wait_until(walker, latest_before(instance, event->leave_ns));
    else if (what == WAITS_FOR_ROOT && is_there && instance->root.enter_ns <= event->leave_ns)
        replay_wait_until(walker, instance->root.ideal_ns);
    instance->n_left++;
    drop_instances(&replay->comms[event->comm], n_members);
    return true;
}

bool replay_pass_collective(Replay *replay, uint32_t process, const Event *event)
{
    Walker *walker = &replay->walkers[process];
    CommInstances *comm = &replay->comms[event->comm];
    uint64_t *next = next_instance(replay, process, event->comm);
    if (*next == NOT_A_MEMBER) { /* the trace is broken: the process passes alone */
        replay->result->n_incomplete++;
        return true;
    }
    Instance *instance = instance_at(comm, *next);
    if (!walker->has_arrived)
        arrive(replay, instance, process, event);
    if (event->request != NO_REQUEST)
        *vec_push(&walker->pending) = (Pending){*event, *next};
    else if (!leave(replay, instance, process, event))
        return false;
    walker->has_arrived = false;
    ++*next;
    return true;
}

bool replay_pass_completion(Replay *replay, uint32_t process, const Event *event)
{
    Walker *walker = &replay->walkers[process];
    size_t i = 0;
    while (i < walker->pending.count && walker->pending.items[i].event.request != event->request)
        i++;
    if (i == walker->pending.count) /* a send's request */
        return true;
    Pending *pending = &walker->pending.items[i];
    pending->event.leave_ns = event->leave_ns;
    Instance *instance = instance_at(&replay->comms[pending->event.comm], pending->number);
    if (!leave(replay, instance, process, &pending->event))
        return false;
    *pending = walker->pending.items[--walker->pending.count];
    return true;
}

void replay_free_collectives(Replay *replay)
{
    for (uint32_t i = 0; i < replay->n_processes; i++)
        vec_free(&replay->walkers[i].pending);
    for (uint32_t i = 0; i < replay->trace->n_comms; i++) {
        CommInstances *comm = &replay->comms[i];
        for (size_t k = comm->first; k < comm->instances.count; k++)
            vec_free(&comm->instances.items[k].arrivals);
        vec_free(&comm->instances);
    }
    free(replay->comms);
    map_free(&replay->memberships);
    vec_free(&replay->next_instance);
}
