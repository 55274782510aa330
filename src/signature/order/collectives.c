/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives. The n-th collective of a communicator is one send-like event in all its members, at
 * the same logical time. A process can come to the next one only after this one got its time. */
#include "signature/order/engine.h"
#include <assert.h>

static int compare_ranks(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static const uint32_t *sorted_members(const Comm *comm, CommState *state)
{
    if (state->sorted)
        return state->sorted;
    if (!state->is_sorted) {
        uint32_t i = 1;
        while (i < comm->n_members && comm->members[i - 1] < comm->members[i])
            i++;
        state->is_sorted = i >= comm->n_members;
    }
    if (state->is_sorted)
        return comm->members;
    state->sorted = memory_resize(NULL, comm->n_members * sizeof(uint32_t));
    memcpy(state->sorted, comm->members, comm->n_members * sizeof(uint32_t));
    qsort(state->sorted, comm->n_members, sizeof(uint32_t), compare_ranks);
    return state->sorted;
}

static bool is_member(const Comm *comm, CommState *state, uint32_t process)
{
    if (process < comm->n_members && comm->members[process] == process)
        return true;
    return comm->n_members &&
           bsearch(&process, sorted_members(comm, state), comm->n_members, sizeof(uint32_t), compare_ranks);
}

/* The number of its process's next collective on the communicator. */
static uint64_t *next_instance(Order *order, uint32_t comm, Sequence *sequence)
{
    if (sequence->last_comm != comm) {
        sequence->last_comm = comm;
        sequence->last_membership =
            (uint32_t)map_number(&order->memberships, (MapKey){comm, sequence->process}, order->next_instance.count);
        if (sequence->last_membership == order->next_instance.count)
            *vec_push(&order->next_instance) =
                is_member(&order->trace->comms[comm], &order->comms[comm], sequence->process) ? 0 : NOT_A_MEMBER;
    }
    assert(sequence->last_membership < order->next_instance.count);
    return &order->next_instance.items[sequence->last_membership];
}

static Instance *instance_at(Order *order, CommState *comm, uint64_t number)
{
    assert(number >= comm->first_number); /* an instance is kept until every member has left it */
    size_t i = comm->first + (size_t)(number - comm->first_number);
    assert(i <= comm->instances.count);
    if (i == comm->instances.count) {
        assert(!order_open_instance(comm)); /* a process that comes to the next instance has left
                                               the last one, so that has a time */
        size_t capacity = comm->instances.capacity;
        *vec_push(&comm->instances) =
            (Instance){.n_gone = comm->n_gone, .first = NO_SEQUENCE, .first_waiter = NO_SEQUENCE};
        order->instance_bytes += (comm->instances.capacity - capacity) * sizeof(Instance);
    }
    return &comm->instances.items[i];
}

Instance *order_open_instance(CommState *comm)
{
    if (comm->first == comm->instances.count)
        return NULL;
    Instance *last = &comm->instances.items[comm->instances.count - 1];
    return last->placed ? NULL : last;
}

/* Forgets the instances that every member has left. */
static void drop_instances(CommState *comm, uint32_t n_members)
{
    while (comm->first < comm->instances.count) {
        const Instance *oldest = &comm->instances.items[comm->first];
        if (!oldest->placed || oldest->n_left + oldest->n_gone < n_members)
            break;
        comm->first++;
        comm->first_number++;
    }
    if (comm->first == comm->instances.count) {
        comm->first = comm->instances.count = 0;
    } else if (comm->first > 64 && 2 * comm->first > comm->instances.count) {
        comm->instances.count -= comm->first;
        memmove(comm->instances.items, comm->instances.items + comm->first, comm->instances.count * sizeof(Instance));
        comm->first = 0;
    }
}

/* The instance's time is final: wakes all sequences that wait for it. */
static void place_instance(Order *order, Instance *instance)
{
    assert(!instance->placed);
    instance->placed = true;
    if (instance->lt < order->ticks.from)
        instance->lt = order->ticks.from; /* earlier ticks have been handed on; this happens only
                                             by force */
    for (uint32_t i = instance->first_waiter; i != NO_SEQUENCE; i = order->sequences[i].next_waiter)
        order_wake(order, i);
    instance->first_waiter = NO_SEQUENCE;
}

static void force_instance(Order *order, Instance *instance, OrderProblemKind kind)
{
    assert(instance->first != NO_SEQUENCE); /* an instance exists only if a member arrived */
    const Sequence *first = &order->sequences[instance->first];
    order_report_problem(order->report, kind, first->process, order_head_event(order, first));
    place_instance(order, instance);
}

void order_force_collective(Order *order, uint32_t comm, OrderProblemKind kind)
{
    Instance *instance = order_open_instance(&order->comms[comm]);
    assert(instance);
    force_instance(order, instance, kind);
}

static void arrive(Order *order, Instance *instance, uint32_t n_members, uint32_t number)
{
    Sequence *sequence = &order->sequences[number];
    const Event *event = order_head_event(order, sequence);
    sequence->arrived = true;
    instance->n_arrived++;
    if (instance->placed)
        return; /* the instance was forced before this member arrived */
    if (instance->lt < sequence->floor)
        instance->lt = sequence->floor;
    Path path = path_after(sequence->path, event);
    instance->path = path_longest(instance->path, path);
    if (event->peer == sequence->process)
        instance->root_path = path;
    if (instance->first > number)
        instance->first = number;
    if (instance->n_arrived + instance->n_gone >= n_members) {
        if (instance->n_gone)
            force_instance(order, instance, PROBLEM_PARTIAL_COLLECTIVE);
        else
            place_instance(order, instance);
    } else {
        sequence->next_waiter = instance->first_waiter;
        instance->first_waiter = number;
    }
}

/* The process isn't a member of the communicator, so the trace is broken. Treats the collective as
 * if the process were the only member. */
static bool pass_alone(Order *order, uint32_t number)
{
    const Sequence *sequence = &order->sequences[number];
    if (!order_fits_window(order, number, sequence->floor))
        return false;
    const Event *event = order_head_event(order, sequence);
    order_report_problem(order->report, PROBLEM_PARTIAL_COLLECTIVE, sequence->process, event);
    order_place_send(order, number, event, sequence->floor, (Path){0});
    return true;
}

/* The path of the members that the process waits for in the collective. */
static Path awaited_path(const Instance *instance, const Event *event, uint32_t process)
{
    if (event->peer != NO_ROOT && collective_is_from_root((Collective)event->collective))
        return instance->root_path;
    bool is_for_root = event->peer != NO_ROOT && collective_is_to_root((Collective)event->collective);
    return is_for_root && event->peer != process ? (Path){0} : instance->path;
}

bool order_pass_collective(Order *order, uint32_t number)
{
    Sequence *sequence = &order->sequences[number];
    const Event *event = order_head_event(order, sequence);
    uint32_t n_members = order->trace->comms[event->comm].n_members;
    CommState *comm = &order->comms[event->comm];
    uint64_t *next = next_instance(order, event->comm, sequence);
    if (*next == NOT_A_MEMBER)
        return pass_alone(order, number);
    Instance *instance = instance_at(order, comm, *next);
    if (!sequence->arrived)
        arrive(order, instance, n_members, number);
    if (!instance->placed)
        return false;
    uint64_t lt = instance->lt > sequence->floor ? instance->lt : sequence->floor;
    if (!order_fits_window(order, number, lt))
        return false;
    Path awaited = awaited_path(instance, event, sequence->process);
    order_place_send(order, number, event, lt, awaited);
    sequence->arrived = false;
    ++*next;
    instance->n_left++;
    assert(instance->n_left <= instance->n_arrived);
    if (instance->n_left + instance->n_gone >= n_members)
        drop_instances(comm, n_members);
    return true;
}

void order_leave_comm(Order *order, uint32_t number, uint32_t process)
{
    CommState *comm = &order->comms[number];
    uint32_t n_members = order->trace->comms[number].n_members;
    const uint64_t *membership = map_get(&order->memberships, (MapKey){number, process});
    uint64_t next = membership ? order->next_instance.items[*membership] : 0;
    comm->n_gone++;
    for (size_t i = comm->first; i < comm->instances.count; i++) {
        Instance *instance = &comm->instances.items[i];
        if (comm->first_number + (i - comm->first) < next)
            continue;
        instance->n_gone++;
        if (instance->placed)
            continue;
        if (instance->n_arrived + instance->n_gone >= n_members)
            force_instance(order, instance, PROBLEM_PARTIAL_COLLECTIVE);
        else /* fewer members are missing now, so a component of stall.c may have lost its way
                out */
            order_add_candidate(order, instance->first_waiter);
    }
    drop_instances(comm, n_members);
}
