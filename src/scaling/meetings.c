/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives on an ideal network: who waits for whom.
 *
 *      bcast, scatter   all but the root wait for the root          reduce, gather   the root waits for all
 *      neighbours       aren't known: nobody waits                  others           all wait for all
 *
 * A member that had left before another came can't have waited for it, whatever the kind: such waits are left out. So
 * a nonblocking collective, or one that has nothing to say to a member, binds nobody whom it didn't bind in the traced
 * run, and the replayed run is never longer than the traced one. */
#include "scaling/walk.h"

#define NOT_A_MEMBER UINT64_MAX

typedef enum WaitsFor { WAITS_FOR_NONE, WAITS_FOR_ROOT, WAITS_FOR_ALL } WaitsFor;

static bool is_member(const Comm *comm, uint32_t process)
{
    if (process < comm->n_members && comm->members[process] == process)
        return true;
    for (uint32_t i = 0; i < comm->n_members; i++)
        if (comm->members[i] == process)
            return true;
    return false;
}

static uint64_t *next_meeting(Replay *replay, uint32_t process, uint32_t comm)
{
    Walker *walker = &replay->walkers[process];
    if (walker->last_comm != comm) {
        bool is_new;
        uint64_t *membership = map_put(&replay->memberships, (MapKey){comm, process}, &is_new);
        if (is_new) {
            *membership = replay->next_meeting.count;
            *vec_push(&replay->next_meeting) = is_member(&replay->trace->comms[comm], process) ? 0 : NOT_A_MEMBER;
        }
        walker->last_comm = comm;
        walker->membership = (uint32_t)*membership;
    }
    return &replay->next_meeting.items[walker->membership];
}

static Meeting *meeting_at(MeetingPlace *place, uint64_t number)
{
    size_t i = place->first + (size_t)(number - place->first_number);
    while (place->meetings.count <= i)
        *vec_push(&place->meetings) =
            (Meeting){.latest_enter_ns = INT64_MIN, .latest_ns = INT64_MIN, .root = {.process = NO_WALKER}};
    return &place->meetings.items[i];
}

static void drop_meetings(MeetingPlace *place, uint32_t n_members)
{
    while (place->first < place->meetings.count && place->meetings.items[place->first].n_left == n_members) {
        vec_free(&place->meetings.items[place->first].arrivals);
        place->first++;
        place->first_number++;
    }
    if (2 * place->first > place->meetings.count) {
        place->meetings.count -= place->first;
        memmove(place->meetings.items, place->meetings.items + place->first, place->meetings.count * sizeof(Meeting));
        place->first = 0;
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

/* Those who wait here; one that waits at a later meeting of the communicator just waits on. */
static void wake_all(Replay *replay, const Meeting *meeting, uint32_t comm)
{
    for (size_t i = 0; i < meeting->arrivals.count; i++) {
        uint32_t process = meeting->arrivals.items[i].process;
        const Walker *walker = &replay->walkers[process];
        if (walker->waits && walker->has_arrived && walker->last_comm == comm)
            replay_wake(replay, process);
    }
}

static void arrive(Replay *replay, Meeting *meeting, uint32_t process, const Event *event)
{
    Walker *walker = &replay->walkers[process];
    const Arrival arrival = {event->enter_ns, event->leave_ns, walker->clock_ns, 0, process};
    walker->has_arrived = true;
    *vec_push(&meeting->arrivals) = arrival;
    meeting->is_sorted = false;
    if (arrival.enter_ns > meeting->latest_enter_ns)
        meeting->latest_enter_ns = arrival.enter_ns;
    if (arrival.ideal_ns > meeting->latest_ns)
        meeting->latest_ns = arrival.ideal_ns;
    if (event->peer == process)
        meeting->root = arrival;
    if (event->peer == process || meeting->arrivals.count == replay->trace->comms[event->comm].n_members)
        wake_all(replay, meeting, event->comm);
    replay->result->n_neighborhood += is_of_neighbours(event);
}

static int compare_entries(const void *left, const void *right)
{
    const Arrival *a = left, *b = right;
    if (a->enter_ns != b->enter_ns)
        return a->enter_ns < b->enter_ns ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

static void sort_arrivals(Meeting *meeting)
{
    Arrival *arrivals = meeting->arrivals.items;
    int64_t latest_ns = INT64_MIN;
    qsort(arrivals, meeting->arrivals.count, sizeof *arrivals, compare_entries);
    for (size_t i = 0; i < meeting->arrivals.count; i++)
        arrivals[i].latest_ns = latest_ns = arrivals[i].ideal_ns > latest_ns ? arrivals[i].ideal_ns : latest_ns;
    meeting->is_sorted = true;
}

/* The latest ideal time of those that came before `leave_ns` of the traced run. Whoever asks is among them. */
static int64_t latest_before(Meeting *meeting, int64_t leave_ns)
{
    if (leave_ns >= meeting->latest_enter_ns)
        return meeting->latest_ns;
    if (!meeting->is_sorted)
        sort_arrivals(meeting);
    size_t low = 0, high = meeting->arrivals.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (meeting->arrivals.items[middle].enter_ns <= leave_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? meeting->arrivals.items[low - 1].latest_ns : INT64_MIN;
}

/* What the process waits for is there, and it has waited. */
static bool has_waited(Replay *replay, Meeting *meeting, uint32_t process, const Event *event)
{
    Walker *walker = &replay->walkers[process];
    WaitsFor what = waits_for(event, process);
    bool is_there = what == WAITS_FOR_NONE || (what == WAITS_FOR_ROOT && meeting->root.process != NO_WALKER) ||
                    (what == WAITS_FOR_ALL && meeting->arrivals.count == replay->trace->comms[event->comm].n_members);
    if (!is_there && !walker->is_released)
        return false;
    replay->result->n_incomplete += !is_there;
    if (what == WAITS_FOR_ALL)
        replay_wait_until(walker, latest_before(meeting, event->leave_ns));
    else if (what == WAITS_FOR_ROOT && is_there && meeting->root.enter_ns <= event->leave_ns)
        replay_wait_until(walker, meeting->root.ideal_ns);
    return true;
}

bool replay_meet(Replay *replay, uint32_t process, const Event *event)
{
    Walker *walker = &replay->walkers[process];
    MeetingPlace *place = &replay->places[event->comm];
    uint64_t *next = next_meeting(replay, process, event->comm);
    if (*next == NOT_A_MEMBER) { /* a broken trace: it stands for itself */
        replay->result->n_incomplete++;
        return true;
    }
    Meeting *meeting = meeting_at(place, *next);
    if (!walker->has_arrived)
        arrive(replay, meeting, process, event);
    if (!has_waited(replay, meeting, process, event))
        return false;
    walker->has_arrived = false;
    ++*next;
    meeting->n_left++;
    drop_meetings(place, replay->trace->comms[event->comm].n_members);
    return true;
}

void replay_free_meetings(Replay *replay)
{
    for (uint32_t i = 0; i < replay->trace->n_comms; i++) {
        MeetingPlace *place = &replay->places[i];
        for (size_t k = place->first; k < place->meetings.count; k++)
            vec_free(&place->meetings.items[k].arrivals);
        vec_free(&place->meetings);
    }
    free(replay->places);
    map_free(&replay->memberships);
    vec_free(&replay->next_meeting);
}
