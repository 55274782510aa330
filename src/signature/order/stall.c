/* SPDX-License-Identifier: BSD-3-Clause */
/* What to do when no sequence can go on and none is paused. There are two causes.
 *
 * Processes ended without joining a collective (killed, or the trace is cut off). The collective is
 * then ordered with the members that arrived. From the first stall on, all communicators of a
 * process learn of its end, so that later collectives don't stall again.
 *
 * Processes wait in a circle. A process outside the circle that waits for the circle goes on when
 * the circle is broken. So only circles that wait for nothing else are broken. These are the
 * strongly connected components without an outgoing edge in this graph of waits:
 *
 *    process in a receive     ->  source of the message
 *    process in a collective  ->  collective  ->  members that haven't arrived
 *
 * The nodes of a process with several sequences are these. Each edge to the process goes to all of them
 * that haven't ended. Sequence 0 waits for the others until they come to its event, and they for it then.
 *
 * In each component, receives are left out if their send isn't in the source's events. The source
 * is read ahead to find out. If all sends exist, the collective with the lowest time is ordered
 * with the members that arrived. Without any collective, the receive of the process with the lowest
 * time is left out. (The walk itself leaves out receives from a process that has ended.) All these
 * decisions depend on the state alone, and so on the trace alone.
 *
 * A new circle contains a process that began to wait since the last stall, or a collective with
 * fewer missing members than then. The search starts from these candidates. */
#include "signature/order/engine.h"
#include <assert.h>

typedef struct Frame {
    uint32_t node;
    uint32_t next, next_sequence; /* next edge to follow: of a communicator, a member, and in it a sequence */
} Frame;

typedef struct Stall {
    /* The communicators of each process. Made when a process ends early. */
    uint32_t *comms_of, *first_comm; /* comms_of[first_comm[p] .. first_comm[p + 1]) */
    bool *told;                      /* [n_processes] its communicators know that the process has
                                        ended */
    /* Tarjan's algorithm. Nodes are sequences, then communicators (each has at most one open
     * instance). */
    uint64_t n_visited;          /* numbers of visits go on over all stalls: lower ones belong to
                                    an earlier search */
    uint64_t *visit, *low;       /* [n_nodes] */
    bool *on_path, *has_way_out; /* [n_nodes] */
    VEC(uint32_t) path;
    VEC(Frame) frames;
    VEC(uint32_t) circles;               /* nodes of components without an outgoing edge … */
    VEC(size_t) circle_ends;             /* … and where each component ends */
    VEC(uint32_t) collectives, receives; /* what to force: communicators, sequences */
} Stall;

static Stall *stall_new(const Order *order)
{
    Stall *stall = memory_zeroed(1, sizeof *stall);
    size_t n_nodes = (size_t)order->n_sequences + order->trace->n_comms;
    stall->told = memory_zeroed(order->n_processes, sizeof(bool));
    stall->visit = memory_zeroed(n_nodes, sizeof(uint64_t));
    stall->low = memory_zeroed(n_nodes, sizeof(uint64_t));
    stall->on_path = memory_zeroed(n_nodes, sizeof(bool));
    stall->has_way_out = memory_zeroed(n_nodes, sizeof(bool));
    return stall;
}

void order_stall_free(Stall *stall)
{
    if (!stall)
        return;
    free(stall->comms_of);
    free(stall->first_comm);
    free(stall->told);
    free(stall->visit);
    free(stall->low);
    free(stall->on_path);
    free(stall->has_way_out);
    vec_free(&stall->path);
    vec_free(&stall->frames);
    vec_free(&stall->circles);
    vec_free(&stall->circle_ends);
    vec_free(&stall->collectives);
    vec_free(&stall->receives);
    free(stall);
}

static void list_comms(const Order *order, Stall *stall)
{
    const Trace *trace = order->trace;
    uint32_t n = order->n_processes;
    uint32_t *first = memory_zeroed((size_t)n + 2, sizeof(uint32_t)); /* shifted by one while filling */
    for (uint32_t c = 0; c < trace->n_comms; c++)
        for (uint32_t i = 0; i < trace->comms[c].n_members; i++)
            if (trace->comms[c].members[i] < n)
                first[trace->comms[c].members[i] + 2]++;
    for (uint32_t p = 0; p < n; p++)
        first[p + 2] += first[p + 1];
    stall->comms_of = memory_resize(NULL, first[n + 1] * sizeof(uint32_t));
    for (uint32_t c = 0; c < trace->n_comms; c++)
        for (uint32_t i = 0; i < trace->comms[c].n_members; i++)
            if (trace->comms[c].members[i] < n)
                stall->comms_of[first[trace->comms[c].members[i] + 1]++] = c;
    stall->first_comm = first;
}

void order_note_end(Order *order, uint32_t process)
{
    Stall *stall = order->stall;
    if (!stall->comms_of)
        list_comms(order, stall);
    if (stall->told[process])
        return;
    stall->told[process] = true;
    for (uint32_t i = stall->first_comm[process]; i < stall->first_comm[process + 1]; i++)
        order_leave_comm(order, stall->comms_of[i], process);
}

/* The next sequence of the process, from number `*next` on, that hasn't ended. False: no more. */
static bool next_sequence(const Order *order, uint32_t rank, uint32_t *next, uint32_t *target)
{
    const Process *process = &order->processes[rank];
    while (*next < process->n_sequences) {
        *target = process->first + (*next)++;
        if (order->sequences[*target].state != SEQUENCE_ENDED)
            return true;
    }
    return false;
}

/* Sequence 0 waits for those that aren't at its event yet; they wait for it. */
static bool next_in_process(const Order *order, const Sequence *sequence, uint32_t *next, uint32_t *target)
{
    if (sequence->number) {
        *target = order->processes[sequence->process].first;
        return !(*next)++;
    }
    if (!*next)
        *next = 1;
    while (next_sequence(order, sequence->process, next, target))
        if (order->sequences[*target].state != SEQUENCE_IN_PROCESS)
            return true;
    return false;
}

static bool has_come(const Order *order, uint32_t rank, uint32_t comm)
{
    const Process *process = &order->processes[rank];
    for (uint32_t i = process->first; i < process->first + process->n_sequences; i++) {
        const Sequence *sequence = &order->sequences[i];
        if (sequence->state == SEQUENCE_IN_COLLECTIVE && order_head_event(order, sequence)->comm == comm)
            return true;
    }
    return false;
}

/* Finds the next node that `frame` waits for. False: no more. */
static bool next_edge(const Order *order, Frame *frame, uint32_t *target)
{
    if (frame->node < order->n_sequences) {
        const Sequence *sequence = &order->sequences[frame->node];
        if (sequence->state == SEQUENCE_IN_PROCESS)
            return next_in_process(order, sequence, &frame->next, target);
        const Event *event = order_head_event(order, sequence);
        if (sequence->state == SEQUENCE_IN_RECEIVE)
            return next_sequence(order, event->peer, &frame->next, target);
        *target = order->n_sequences + event->comm;
        return !frame->next++;
    }
    uint32_t number = frame->node - order->n_sequences;
    const Comm *comm = &order->trace->comms[number];
    while (frame->next < comm->n_members) {
        uint32_t member = comm->members[frame->next];
        if (member < order->n_processes && (frame->next_sequence || !has_come(order, member, number)) &&
            next_sequence(order, member, &frame->next_sequence, target))
            return true;
        frame->next++;
        frame->next_sequence = 0;
    }
    return false;
}

static void visit_node(Stall *stall, uint32_t node)
{
    stall->visit[node] = stall->low[node] = ++stall->n_visited;
    stall->on_path[node] = true;
    stall->has_way_out[node] = false;
    *vec_push(&stall->path) = node;
    *vec_push(&stall->frames) = (Frame){.node = node};
}

static void note_circle(Stall *stall, const uint32_t *nodes, size_t n)
{
    assert(n);
    for (size_t i = 0; i < n; i++)
        *vec_push(&stall->circles) = nodes[i];
    *vec_push(&stall->circle_ends) = stall->circles.count;
}

/* The top frame has followed all its edges. */
static void leave_node(Stall *stall)
{
    uint32_t node = stall->frames.items[--stall->frames.count].node;
    bool is_root = stall->low[node] == stall->visit[node];
    if (is_root) {
        size_t first = stall->path.count;
        bool has_way_out = false;
        do {
            assert(first);
            uint32_t member = stall->path.items[--first];
            stall->on_path[member] = false;
            has_way_out |= stall->has_way_out[member];
        } while (stall->path.items[first] != node);
        if (!has_way_out)
            note_circle(stall, stall->path.items + first, stall->path.count - first);
        stall->path.count = first;
    }
    if (!stall->frames.count)
        return;
    uint32_t parent = stall->frames.items[stall->frames.count - 1].node;
    if (is_root)
        stall->has_way_out[parent] = true;
    else if (stall->low[node] < stall->low[parent])
        stall->low[parent] = stall->low[node];
}

static void search_from(const Order *order, Stall *stall, uint32_t start, uint64_t before)
{
    if (stall->visit[start] > before)
        return;
    visit_node(stall, start);
    while (stall->frames.count) {
        Frame *frame = &stall->frames.items[stall->frames.count - 1];
        uint32_t node = frame->node, target;
        if (!next_edge(order, frame, &target))
            leave_node(stall);
        else if (stall->visit[target] <= before)
            visit_node(stall, target);
        else if (!stall->on_path[target])
            stall->has_way_out[node] = true;
        else if (stall->visit[target] < stall->low[node])
            stall->low[node] = stall->visit[target];
    }
}

static bool is_waiting(const Sequence *sequence)
{
    return sequence->state == SEQUENCE_IN_RECEIVE || sequence->state == SEQUENCE_IN_COLLECTIVE ||
           sequence->state == SEQUENCE_IN_PROCESS;
}

/* How far a process is read ahead to find a send, in queued events. */
enum { SEARCH_REACH_EVENTS = 1 << 22 };

/* Finds out whether the send that the sequence waits for comes later in its source. */
static bool find_send(Order *order, uint32_t number, bool *found, Err *err)
{
    const Event *event = order_head_event(order, &order->sequences[number]);
    uint32_t stream = queued_stream(event), ordinal = queued_ordinal(event);
    const Queue *source = &order->processes[event->peer].queue;
    while ((int32_t)(stream_at(&order->streams, stream)->seen - ordinal) <= 0) {
        *found = false;
        if (source->exhausted || source->tail - source->head > SEARCH_REACH_EVENTS)
            return true;
        if (!order_read(order, event->peer, err))
            return false;
    }
    *found = true;
    return true;
}

static bool leave_out_receives_without_a_send(Order *order, const uint32_t *nodes, size_t n, Err *err)
{
    Stall *stall = order->stall;
    for (size_t i = 0; i < n; i++) {
        if (nodes[i] >= order->n_sequences || order->sequences[nodes[i]].state != SEQUENCE_IN_RECEIVE)
            continue;
        bool found = true;
        if (!find_send(order, nodes[i], &found, err))
            return false;
        if (!found)
            *vec_push(&stall->receives) = nodes[i];
    }
    return true;
}

static bool is_lower(uint64_t lt, uint32_t number, uint64_t lowest_lt, uint32_t lowest)
{
    return lowest == UINT32_MAX || lt < lowest_lt || (lt == lowest_lt && number < lowest);
}

/* Every send that the circle waits for exists: chooses what to force. */
static void force_lowest(const Order *order, const uint32_t *nodes, size_t n)
{
    Stall *stall = order->stall;
    uint32_t collective = UINT32_MAX, receive = UINT32_MAX;
    uint64_t collective_lt = 0, receive_lt = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_comm = nodes[i] >= order->n_sequences;
        uint32_t number = is_comm ? nodes[i] - order->n_sequences : nodes[i];
        assert(!is_comm || order_open_instance(&order->comms[number]));
        uint64_t lt = is_comm ? order_open_instance(&order->comms[number])->lt : order->sequences[number].floor;
        if (!is_comm && order->sequences[number].state == SEQUENCE_IN_RECEIVE &&
            is_lower(lt, number, receive_lt, receive)) {
            receive = number;
            receive_lt = lt;
        } else if (is_comm && is_lower(lt, number, collective_lt, collective)) {
            collective = number;
            collective_lt = lt;
        }
    }
    assert(collective != UINT32_MAX || receive != UINT32_MAX);
    if (collective != UINT32_MAX)
        *vec_push(&stall->collectives) = collective;
    else
        *vec_push(&stall->receives) = receive;
}

static bool break_circle(Order *order, const uint32_t *nodes, size_t n, Err *err)
{
    size_t n_before = order->stall->receives.count;
    if (!leave_out_receives_without_a_send(order, nodes, n, err))
        return false;
    if (order->stall->receives.count == n_before)
        force_lowest(order, nodes, n);
    return true;
}

static bool break_circles(Order *order, Err *err)
{
    Stall *stall = order->stall;
    assert(!stall->path.count && !stall->frames.count);
    uint64_t before = stall->n_visited;
    for (size_t i = 0; i < order->candidates.count; i++) {
        uint32_t number = order->candidates.items[i];
        order->sequences[number].is_candidate = false;
        if (is_waiting(&order->sequences[number]))
            search_from(order, stall, number, before);
    }
    order->candidates.count = 0;
    for (size_t c = 0, first = 0; c < stall->circle_ends.count; first = stall->circle_ends.items[c++])
        if (!break_circle(order, stall->circles.items + first, stall->circle_ends.items[c] - first, err))
            return false;
    for (size_t i = 0; i < stall->collectives.count; i++)
        order_force_collective(order, stall->collectives.items[i], PROBLEM_CYCLE);
    for (size_t i = 0; i < stall->receives.count; i++) {
        order_drop_receive(order, stall->receives.items[i]);
        order_wake(order, stall->receives.items[i]);
    }
    stall->circles.count = stall->circle_ends.count = stall->collectives.count = stall->receives.count = 0;
    return true;
}

bool order_resolve_stall(Order *order, Err *err)
{
    if (!order->stall) {
        order->stall = stall_new(order);
        for (uint32_t i = 0; i < order->n_sequences; i++)
            order_add_candidate(order, i);
        for (uint32_t i = 0; i < order->n_processes; i++)
            if (process_has_ended(&order->processes[i]))
                order_note_end(order, i);
    }
    if (!order->n_runnable && !break_circles(order, err))
        return false;
    return order->n_runnable ||
           err_set(err, ERR_BUG,
                   "ordering the trace can't go on: no process can run, and no circle of waits was found");
}
