/* SPDX-License-Identifier: BSD-3-Clause */
/* When nothing can go on and nobody is paused. There are two reasons:
 *
 *   Processes ended without coming to a collective (killed, or cut off): it is ordered with those who came. From the
 *   first stall on, each end is told to all communicators of the process, so that later ones don't stall again.
 *
 *   Processes wait in a circle. Whoever waits for a circle is released by it, so only circles that wait for nothing
 * else are broken: the strongly connected components without a way out in the graph
 *
 *       process in a receive -> source        process in a collective -> collective -> members that haven't come
 *
 *   In each of them the collective with the lowest time is ordered with those who came; if there is none, the receive
 * of the process with the lowest time is left out. (Receives that wait for a process that has ended are never here: the
 *   walk leaves them out.) All that decides is the state, which depends on the trace alone. A new circle has in it a
 *   process that began to wait since the last stall, or a collective that waits for fewer than then: the search starts
 * from those. */
#include "order/pas2p.h"

typedef struct Frame {
    uint32_t node, next; /* next edge to follow */
} Frame;

typedef struct Stall {
    /* The communicators of each process, made if a process ended before its time. */
    uint32_t *comms_of, *first_comm; /* comms_of[first_comm[p] .. first_comm[p + 1]) */
    bool *told;                      /* [n_processes] the communicators know that it has ended */
    /* Tarjan's algorithm; nodes are processes, then communicators (each has at most one open instance). */
    uint64_t n_visited;          /* numbers of visits go on over all stalls: older ones are of an earlier search */
    uint64_t *visit, *low;       /* [n_nodes] */
    bool *on_path, *has_way_out; /* [n_nodes] */
    VEC(uint32_t) path;
    VEC(Frame) frames;
    VEC(uint32_t) collectives, receives; /* what is to be forced: communicators, processes */
} Stall;

static Stall *stall_new(const Order *order)
{
    Stall *stall = memory_zeroed(1, sizeof *stall);
    uint32_t n = order->n_processes;
    size_t n_nodes = (size_t)n + order->trace->n_comms;
    stall->told = memory_zeroed(n, sizeof(bool));
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

/* The next node that `frame` waits for; false: no more. */
static bool next_edge(const Order *order, Frame *frame, uint32_t *target)
{
    if (frame->node < order->n_processes) {
        const Process *process = &order->processes[frame->node];
        if (frame->next++)
            return false;
        const Event *event = order_head_event(process);
        *target = process->state == PROCESS_IN_RECEIVE ? event->peer : order->n_processes + event->comm;
        return true;
    }
    uint32_t number = frame->node - order->n_processes;
    const Comm *comm = &order->trace->comms[number];
    while (frame->next < comm->n_members) {
        uint32_t member = comm->members[frame->next++];
        if (member >= order->n_processes)
            continue;
        const Process *process = &order->processes[member];
        bool came = process->state == PROCESS_IN_COLLECTIVE && order_head_event(process)->comm == number;
        if (came || process->state == PROCESS_ENDED)
            continue;
        *target = member;
        return true;
    }
    return false;
}

static void visit_node(Stall *stall, uint32_t node)
{
    stall->visit[node] = stall->low[node] = ++stall->n_visited;
    stall->on_path[node] = true;
    stall->has_way_out[node] = false;
    *vec_push(&stall->path) = node;
    *vec_push(&stall->frames) = (Frame){node, 0};
}

/* A component without a way out: chooses what to force. */
static void break_circle(const Order *order, Stall *stall, const uint32_t *nodes, size_t n)
{
    uint32_t collective = UINT32_MAX, receive = UINT32_MAX;
    uint64_t collective_lt = 0, receive_lt = 0;
    for (size_t i = 0; i < n; i++) {
        if (nodes[i] < order->n_processes) {
            uint64_t lt = order->processes[nodes[i]].floor;
            if (receive == UINT32_MAX || lt < receive_lt || (lt == receive_lt && nodes[i] < receive)) {
                receive = nodes[i];
                receive_lt = lt;
            }
            continue;
        }
        uint32_t comm = nodes[i] - order->n_processes;
        uint64_t lt = order_open_instance(&order->comms[comm])->lt;
        if (collective == UINT32_MAX || lt < collective_lt || (lt == collective_lt && comm < collective)) {
            collective = comm;
            collective_lt = lt;
        }
    }
    if (collective != UINT32_MAX)
        *vec_push(&stall->collectives) = collective;
    else
        *vec_push(&stall->receives) = receive;
}

/* The top frame has followed all its edges. */
static void leave_node(const Order *order, Stall *stall)
{
    uint32_t node = stall->frames.items[--stall->frames.count].node;
    bool is_root = stall->low[node] == stall->visit[node];
    if (is_root) {
        size_t first = stall->path.count;
        bool has_way_out = false;
        do {
            uint32_t member = stall->path.items[--first];
            stall->on_path[member] = false;
            has_way_out |= stall->has_way_out[member];
        } while (stall->path.items[first] != node);
        if (!has_way_out)
            break_circle(order, stall, stall->path.items + first, stall->path.count - first);
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
            leave_node(order, stall);
        else if (stall->visit[target] <= before)
            visit_node(stall, target);
        else if (!stall->on_path[target])
            stall->has_way_out[node] = true;
        else if (stall->visit[target] < stall->low[node])
            stall->low[node] = stall->visit[target];
    }
}

static bool is_waiting(const Process *process)
{
    return process->state == PROCESS_IN_RECEIVE || process->state == PROCESS_IN_COLLECTIVE;
}

static void break_circles(Order *order)
{
    Stall *stall = order->stall;
    uint64_t before = stall->n_visited;
    for (size_t i = 0; i < order->candidates.count; i++) {
        uint32_t number = order->candidates.items[i];
        order->processes[number].is_candidate = false;
        if (is_waiting(&order->processes[number]))
            search_from(order, stall, number, before);
    }
    order->candidates.count = 0;
    for (size_t i = 0; i < stall->collectives.count; i++)
        order_force_collective(order, stall->collectives.items[i], PROBLEM_CYCLE);
    for (size_t i = 0; i < stall->receives.count; i++) {
        order_drop_receive(order, stall->receives.items[i]);
        order_wake(order, stall->receives.items[i]);
    }
    stall->collectives.count = stall->receives.count = 0;
}

bool order_resolve_stall(Order *order, Err *err)
{
    if (!order->stall) {
        order->stall = stall_new(order);
        for (uint32_t i = 0; i < order->n_processes; i++) {
            order_add_candidate(order, i);
            if (order->processes[i].state == PROCESS_ENDED)
                order_note_end(order, i);
        }
    }
    if (!order->n_runnable)
        break_circles(order);
    return order->n_runnable || err_set(err, ERR_BUG, "ordering the trace cannot go on");
}
