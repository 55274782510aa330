/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives in task graphs: the number and the bytes of their messages; graphs run to their end;
 * a barrier holds all members back; what is left out. */
#include "placement/graph/graph.h"
#include "property/memory_trace.h"
#include "unit/fixture.h"

#include <math.h>

static Err err;

enum { BYTES = 840 };

static const uint32_t sizes[] = {2, 4, 7};

/* What one member of n gives and gets. Each member's part has BYTES bytes. */
static Event call_of(Collective collective, uint32_t n, uint32_t member)
{
    uint32_t root = collective == COLLECTIVE_BARRIER ? NO_ROOT : n - 1;
    Event event = {.kind = EVENT_COLLECTIVE, .collective = (uint8_t)collective, .peer = root, .request = NO_REQUEST};
    bool is_root = member == root;
    switch (collective) {
    case COLLECTIVE_BCAST:
        event.bytes = is_root ? BYTES : 0;
        event.bytes_received = is_root ? 0 : BYTES;
        break;
    case COLLECTIVE_GATHER:
    case COLLECTIVE_GATHERV:
        event.bytes = BYTES;
        event.bytes_received = is_root ? (uint64_t)n * BYTES : 0;
        break;
    case COLLECTIVE_SCATTER:
    case COLLECTIVE_SCATTERV:
        event.bytes = is_root ? (uint64_t)n * BYTES : 0;
        event.bytes_received = BYTES;
        break;
    case COLLECTIVE_ALLGATHER:
    case COLLECTIVE_ALLGATHERV:
        event.bytes = BYTES;
        event.bytes_received = (uint64_t)n * BYTES;
        break;
    case COLLECTIVE_ALLTOALL:
    case COLLECTIVE_ALLTOALLV:
    case COLLECTIVE_ALLTOALLW:
        event.bytes = event.bytes_received = (uint64_t)n * BYTES;
        break;
    case COLLECTIVE_REDUCE_SCATTER:
    case COLLECTIVE_REDUCE_SCATTER_BLOCK:
        event.bytes = (uint64_t)n * BYTES;
        event.bytes_received = BYTES;
        break;
    case COLLECTIVE_ALLREDUCE:
    case COLLECTIVE_REDUCE:
    case COLLECTIVE_SCAN:
    case COLLECTIVE_EXSCAN:
        event.bytes = BYTES;
        break;
    default:
        break;
    }
    return event;
}

static TaskGraph *read_graph(MemoryTrace *trace, GraphCollectives way)
{
    TaskGraph *graph;
    if (!graph_read(memory_trace_source(trace), way, NULL, arena, &graph, &err))
        fail_msg("%s", err.message);
    if (!graph_check_waits(graph, NULL, &err))
        fail_msg("%s", err.message);
    return graph;
}

static TaskGraph *graph_as(GraphCollectives way, Collective collective, uint32_t n, uint64_t scale)
{
    MemoryTrace *trace = memory_trace_new(n);
    for (uint32_t i = 0; i < n; i++) {
        Event event = call_of(collective, n, i);
        event.bytes *= scale;
        event.bytes_received *= scale;
        memory_trace_add(trace, i, event);
    }
    TaskGraph *graph = read_graph(trace, way);
    memory_trace_free(trace);
    return graph;
}

static TaskGraph *graph_of(Collective collective, uint32_t n, uint64_t scale)
{
    return graph_as(COLLECTIVES_EXPANDED, collective, n, scale);
}

/* `parts` are the bytes of all messages, in units of a member's part. */
static void check(Collective collective, uint64_t scale, const uint64_t messages[3], const double parts[3])
{
    for (int i = 0; i < 3; i++) {
        const TaskGraph *graph = graph_of(collective, sizes[i], scale);
        double bytes = parts[i] * BYTES * (double)scale;
        if (graph_size(graph).n_messages != messages[i] || fabs(graph->collective_bytes - bytes) > 1e-6 * bytes)
            fail_msg("%s of %u: %lu messages of %g B, not %lu of %g B", collective_name(collective), sizes[i],
                     (unsigned long)graph_size(graph).n_messages, graph->collective_bytes, (unsigned long)messages[i],
                     bytes);
        assert_int_equal(graph->n_collective_messages, messages[i]);
        assert_int_equal(graph->n_collectives, 1);
        assert_int_equal(graph->n_collectives_left_out, 0);
        assert_int_equal(graph->n_unmatched, 0);
    }
}

#define THREE(...) ((const uint64_t[3]){__VA_ARGS__})
#define PARTS(...) ((const double[3]){__VA_ARGS__})

static void a_barrier_is_empty_messages_of_each_to_log_n_others(void **state)
{
    check(COLLECTIVE_BARRIER, 1, THREE(2, 8, 21), PARTS(0, 0, 0));
    check(COLLECTIVE_CREATE_HANDLE, 1, THREE(2, 8, 21), PARTS(0, 0, 0));
}

static void a_tree_reaches_each_but_the_root_once(void **state)
{
    check(COLLECTIVE_BCAST, 1, THREE(1, 3, 6), PARTS(1, 3, 6));
    check(COLLECTIVE_REDUCE, 1, THREE(1, 3, 6), PARTS(1, 3, 6));
}

static void a_gather_hands_on_what_its_subtree_gave(void **state)
{
    /* With 7 members, in a binomial tree: 1, 3, 5 and 6 send one part each, 2 sends 2, 4 sends
     * 3. */
    check(COLLECTIVE_GATHER, 1, THREE(1, 3, 6), PARTS(1, 4, 9));
    check(COLLECTIVE_SCATTER, 1, THREE(1, 3, 6), PARTS(1, 4, 9));
    check(COLLECTIVE_GATHERV, 1, THREE(1, 3, 6), PARTS(1, 3, 6));
    check(COLLECTIVE_SCATTERV, 1, THREE(1, 3, 6), PARTS(1, 3, 6));
}

static void an_allgather_brings_each_all_others_parts(void **state)
{
    check(COLLECTIVE_ALLGATHER, 1, THREE(2, 8, 21), PARTS(2, 12, 42));
    check(COLLECTIVE_ALLGATHERV, 1, THREE(2, 8, 21), PARTS(2, 12, 42));
    check(COLLECTIVE_ALLGATHER, 1000, THREE(2, 12, 42), PARTS(2, 12, 42));
    check(COLLECTIVE_ALLGATHERV, 1000, THREE(2, 12, 42), PARTS(2, 12, 42));
}

static void an_alltoall_is_a_message_of_each_to_each(void **state)
{
    check(COLLECTIVE_ALLTOALL, 1, THREE(2, 12, 42), PARTS(2, 12, 42));
    check(COLLECTIVE_ALLTOALL, 1000, THREE(2, 12, 42), PARTS(2, 12, 42));
    check(COLLECTIVE_ALLTOALLV, 1, THREE(2, 12, 42), PARTS(2, 12, 42));
    check(COLLECTIVE_ALLTOALLW, 1, THREE(2, 12, 42), PARTS(2, 12, 42));
}

static void an_allreduce_doubles_or_halves_among_a_power_of_two(void **state)
{
    check(COLLECTIVE_ALLREDUCE, 1000, THREE(4, 16, 22), PARTS(2, 6, 12));
    /* With 7 members: three hand over all 7 parts, four halve them, and three get one part. */
    check(COLLECTIVE_REDUCE_SCATTER, 1, THREE(2, 8, 14), PARTS(2, 12, 45));
    check(COLLECTIVE_REDUCE_SCATTER_BLOCK, 1, THREE(2, 8, 14), PARTS(2, 12, 45));
}

static void a_scan_doubles(void **state)
{
    check(COLLECTIVE_SCAN, 1, THREE(2, 8, 18), PARTS(2, 8, 18));
    check(COLLECTIVE_EXSCAN, 1, THREE(2, 8, 18), PARTS(2, 8, 18));
}

static void freeing_waits_for_nobody(void **state)
{
    check(COLLECTIVE_DESTROY_HANDLE, 1, THREE(0, 0, 0), PARTS(0, 0, 0));
}

static void small_parts_for_many_go_by_way_of_others(void **state)
{
    MemoryTrace *trace = memory_trace_new(9);
    for (uint32_t i = 0; i < 9; i++)
        memory_trace_add(trace, i,
                         (Event){.kind = EVENT_COLLECTIVE,
                                 .collective = COLLECTIVE_ALLTOALL,
                                 .peer = NO_ROOT,
                                 .bytes = 90,
                                 .bytes_received = 90,
                                 .request = NO_REQUEST});
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    assert_int_equal(graph->n_collective_messages, 9 * 4);
    assert_true(fabs(graph->collective_bytes - 9 * (4 + 4 + 4 + 1) * 10) < 1e-6);
    memory_trace_free(trace);
}

static void what_differs_between_members_is_what_each_gave_and_got(void **state)
{
    MemoryTrace *trace = memory_trace_new(3);
    /* 0 gives 100 bytes to 1 only, and 2 gives 50 bytes to 1. */
    const uint64_t sent[] = {100, 0, 50}, received[] = {0, 150, 0};
    for (uint32_t i = 0; i < 3; i++)
        memory_trace_add(trace, i,
                         (Event){.kind = EVENT_COLLECTIVE,
                                 .collective = COLLECTIVE_ALLTOALLV,
                                 .peer = NO_ROOT,
                                 .bytes = sent[i],
                                 .bytes_received = received[i],
                                 .request = NO_REQUEST});
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    assert_int_equal(graph->n_collective_messages, 2);
    assert_true(graph->guessed_share > 0 && graph->guessed_share <= 1);
    assert_true(graph->left_out_share == 0);
    assert_int_equal(graph->tasks[0].n_steps, 1);
    assert_int_equal(graph->tasks[0].steps[0].peer, 1);
    assert_true(fabs(graph->tasks[0].steps[0].bytes - 100) < 1e-9);
    assert_true(fabs(graph->tasks[2].steps[0].bytes - 50) < 1e-9);
    memory_trace_free(trace);
}

/* The number of tasks that run to their ends if one task stops before a step. */
static uint32_t ended_without(const TaskGraph *graph, uint32_t stopped)
{
    enum { MOST = 8 };
    uint32_t at[MOST] = {0}, n = 0, sent[MOST][MOST] = {{0}}, got[MOST][MOST] = {{0}};
    for (bool moves = true; moves;) {
        moves = false;
        for (uint32_t i = 0; i < graph->n_tasks; i++)
            for (; i != stopped && at[i] < graph->tasks[i].n_steps; at[i]++, moves = true) {
                const Step *step = &graph->tasks[i].steps[at[i]];
                if (step->kind == STEP_SEND)
                    sent[i][step->peer]++;
                else if (step->kind == STEP_RECV && got[step->peer][i] == sent[step->peer][i])
                    break;
                else if (step->kind == STEP_RECV)
                    got[step->peer][i]++;
            }
    }
    for (uint32_t i = 0; i < graph->n_tasks; i++)
        n += at[i] == graph->tasks[i].n_steps;
    return n;
}

static void nobody_passes_a_barrier_before_all_have_come(void **state)
{
    static const Collective all[] = {COLLECTIVE_BARRIER, COLLECTIVE_ALLREDUCE, COLLECTIVE_ALLGATHER,
                                     COLLECTIVE_ALLTOALL};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        for (int i = 0; i < 3; i++)
            for (uint32_t stopped = 0; stopped < sizes[i]; stopped++) {
                const TaskGraph *graph = graph_of(all[k], sizes[i], 1);
                assert_int_equal(ended_without(graph, stopped), 0);
                assert_int_equal(ended_without(graph, UINT32_MAX), sizes[i]);
            }
}

/* The next step of a kind between a task and a peer, from *at on; NULL: none. */
static const Step *next_of(const Task *task, StepKind kind, uint32_t peer, uint32_t *at)
{
    for (; *at < task->n_steps; ++*at)
        if (task->steps[*at].kind == kind && task->steps[*at].peer == peer)
            return &task->steps[(*at)++];
    return NULL;
}

static void check_sizes_agree(const TaskGraph *graph, const char *name)
{
    for (uint32_t from = 0; from < graph->n_tasks; from++)
        for (uint32_t to = 0; to < graph->n_tasks; to++) {
            uint32_t at_sender = 0, at_receiver = 0;
            for (;;) {
                const Step *sent = next_of(&graph->tasks[from], STEP_SEND, to, &at_sender);
                const Step *got = next_of(&graph->tasks[to], STEP_RECV, from, &at_receiver);
                if (!sent && !got)
                    break;
                if (!sent || !got || fabs(sent->bytes - got->bytes) > 1e-6 * (1 + got->bytes))
                    fail_msg("%s of %u: from %u to %u, %g B are sent and %g B received", name, graph->n_tasks, from, to,
                             sent ? sent->bytes : -1, got ? got->bytes : -1);
            }
        }
}

static void sender_and_receiver_agree_on_each_message_of_every_library(void **state)
{
    static const uint32_t members[] = {1, 2, 3, 4, 7, 8, 17};
    static const uint64_t scales[] = {1, 40, 2000};
    for (GraphCollectives way = COLLECTIVES_OF_OPENMPI; way <= COLLECTIVES_OF_SMPI; way++)
        for (Collective collective = 0; collective <= COLLECTIVE_EXSCAN; collective++)
            for (size_t i = 0; i < sizeof members / sizeof *members * 3; i++) {
                const TaskGraph *graph = graph_as(way, collective, members[i / 3], scales[i % 3]);
                assert_int_equal(graph->n_collectives_left_out, 0);
                assert_int_equal(graph->n_unmatched, 0);
                check_sizes_agree(graph, collective_name(collective));
            }
}

static uint64_t messages_as(GraphCollectives way, Collective collective, uint32_t n, uint64_t scale, double *bytes)
{
    const TaskGraph *graph = graph_as(way, collective, n, scale);
    uint64_t count = graph->n_collective_messages;
    *bytes = graph->collective_bytes / BYTES / (double)scale;
    return count;
}

static void libraries_cut_up_long_broadcasts_in_their_own_ways(void **state)
{
    double parts;
    /* Open MPI: a star of 7. MPICH: 3 + 4 messages scatter 8 parts, and 7 rounds hand them on. */
    assert_int_equal(messages_as(COLLECTIVES_OF_OPENMPI, COLLECTIVE_BCAST, 8, 100, &parts), 7);
    assert_true(fabs(parts - 7) < 1e-9);
    assert_int_equal(messages_as(COLLECTIVES_OF_MPICH, COLLECTIVE_BCAST, 8, 1000, &parts), 7 + 8 * 7);
    assert_true(fabs(parts - (12.0 / 8 + 7)) < 1e-9);
    assert_int_equal(messages_as(COLLECTIVES_OF_MPICH, COLLECTIVE_BCAST, 8, 100, &parts), 7 + 8 * 3);
    assert_true(fabs(parts - (12.0 / 8 + 7)) < 1e-9);
    assert_int_equal(messages_as(COLLECTIVES_OF_SMPI, COLLECTIVE_REDUCE, 8, 1000, &parts), 7);
    assert_int_equal(messages_as(COLLECTIVES_OF_MPICH, COLLECTIVE_REDUCE, 8, 1000, &parts), 8 * 3 + 7);
}

static void the_library_of_the_trace_decides(void **state)
{
    static const struct {
        const char *library;
        uint64_t messages;
    } cases[] = {
        {"Open MPI v4.1.4, package: Debian", 7}, {"MPICH Version:\t4.0.2", 31}, {"SMPI Version 3.32", 7}, {"", 31}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MemoryTrace *trace = memory_trace_new(8);
        trace->trace.application.mpi_library = cases[i].library;
        for (uint32_t rank = 0; rank < 8; rank++) {
            Event event = call_of(COLLECTIVE_BCAST, 8, rank);
            event.bytes *= 100;
            event.bytes_received *= 100;
            memory_trace_add(trace, rank, event);
        }
        assert_int_equal(read_graph(trace, COLLECTIVES_EXPANDED)->n_collective_messages, cases[i].messages);
        memory_trace_free(trace);
    }
}

static void members_of_a_communicator_alone_take_part(void **state)
{
    MemoryTrace *trace = memory_trace_new(5);
    uint32_t comm = memory_trace_add_comm(trace, (const uint32_t[]){4, 1}, 2);
    for (uint32_t i = 1; i < 5; i += 3)
        memory_trace_add(trace, i,
                         (Event){.kind = EVENT_COLLECTIVE,
                                 .collective = COLLECTIVE_BCAST,
                                 .comm = comm,
                                 .peer = 4,
                                 .bytes = i == 4 ? 8 : 0,
                                 .bytes_received = i == 4 ? 0 : 8,
                                 .request = NO_REQUEST});
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    assert_int_equal(graph->n_collective_messages, 1);
    assert_int_equal(graph->tasks[4].steps[0].kind, STEP_SEND);
    assert_int_equal(graph->tasks[4].steps[0].peer, 1);
    assert_true(graph->tasks[4].steps[0].bytes > 7);
    memory_trace_free(trace);
}

static void loops_of_collectives_are_folded(void **state)
{
    MemoryTrace *trace = memory_trace_new(4);
    for (int k = 0; k < 1000; k++)
        for (uint32_t i = 0; i < 4; i++) {
            memory_trace_add(trace, i, call_of(COLLECTIVE_ALLTOALL, 4, i))->compute_ns = 1000;
            add_collective(trace, i, 0, COLLECTIVE_BARRIER, 0);
        }
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    GraphSize size = graph_size(graph);
    assert_int_equal(size.n_messages, 1000 * (12 + 8));
    assert_true(size.n_steps < 100);
    assert_int_equal(graph->n_collectives, 2000);
    memory_trace_free(trace);
}

static void what_members_do_not_agree_on_is_left_out_and_counted(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    add_collective(trace, 0, 0, COLLECTIVE_BARRIER, 0);
    add_collective(trace, 1, 0, COLLECTIVE_ALLREDUCE, 8);
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    assert_int_equal(graph->n_collectives, 0);
    assert_int_equal(graph->n_collectives_left_out, 1);
    assert_int_equal(graph_size(graph).n_messages, 0);
    assert_true(graph->left_out_share > 0 && graph->left_out_share <= 1);
    memory_trace_free(trace);
}

static void neighbourhoods_without_a_topology_are_left_out_and_counted(void **state)
{
    const TaskGraph *graph = graph_of(COLLECTIVE_NEIGHBOR_ALLTOALL, 4, 1);
    assert_true(graph->has_collectives);
    assert_int_equal(graph->n_collectives_left_out, 1);
    assert_int_equal(graph_size(graph).n_messages, 0);
}

/* A chain. The last member is a neighbour of itself: it sends itself nothing. */
static void neighbourhoods_follow_the_topology(void **state)
{
    static const uint32_t next[4] = {1, 2, 3, 3}, before[4] = {0, 0, 1, 2}, none[1];
    CommNeighbours members[4];
    MemoryTrace *trace = memory_trace_new(4);
    uint32_t ring = memory_trace_add_comm(trace, (const uint32_t[]){0, 1, 2, 3}, 4);
    for (uint32_t i = 0; i < 4; i++) {
        members[i] = (CommNeighbours){i > 0, 1, i ? &before[i] : none, &next[i]};
        add_collective(trace, i, ring, COLLECTIVE_NEIGHBOR_ALLTOALL, 8);
        add_collective(trace, i, ring, COLLECTIVE_NEIGHBOR_ALLGATHER, 5);
    }
    trace->comms.items[ring].neighbours = members;
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    assert_int_equal(graph->n_collectives_left_out, 0);
    assert_int_equal(graph->n_unmatched, 0);
    assert_int_equal(graph_size(graph).n_messages, 2 * 3);
    assert_int_equal(graph->tasks[1].steps[0].peer, 2);
    assert_true(graph->tasks[1].steps[0].bytes == 8);
    memory_trace_free(trace);
}

static void too_many_messages_are_left_out_and_counted(void **state)
{
    const TaskGraph *graph = graph_of(COLLECTIVE_ALLTOALL, 1000, 1);
    assert_int_equal(graph->n_collectives_left_out, 1);
    graph = graph_of(COLLECTIVE_ALLGATHER, 1000, 1000);
    assert_int_equal(graph->n_collectives_left_out, 0);
}

static void all_are_left_out_where_that_is_asked_for(void **state)
{
    MemoryTrace *trace = memory_trace_new(4);
    for (uint32_t i = 0; i < 4; i++)
        memory_trace_add(trace, i, call_of(COLLECTIVE_ALLREDUCE, 4, i))->compute_ns = 1000;
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_LEFT_OUT);
    assert_false(graph->has_collectives);
    assert_int_equal(graph->n_collectives_left_out, 1);
    assert_int_equal(graph_size(graph).n_steps, 4);
    memory_trace_free(trace);
}

static void a_trace_that_ends_amid_a_collective_has_a_graph(void **state)
{
    MemoryTrace *trace = memory_trace_new(4);
    for (int k = 0; k < 5; k++)
        for (uint32_t i = 0; i < 4; i++)
            if (k < 4 || i != 2)
                memory_trace_add(trace, i, call_of(COLLECTIVE_ALLREDUCE, 4, i));
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    assert_int_equal(graph->n_collectives, 5);
    assert_int_equal(graph->n_unmatched, 4);
    memory_trace_free(trace);
}

/* Between a nonblocking barrier's posts: 0 sends a message behind its post, and 3 needs this
 * message before its own post. */
static void a_nonblocking_one_never_locks_the_graph(void **state)
{
    MemoryTrace *trace = memory_trace_new(8);
    for (uint32_t i = 0; i < 8; i++) {
        Event post = call_of(COLLECTIVE_BARRIER, 8, i);
        post.request = 1;
        if (i == 3)
            add_recv(trace, 3, 0, 0, 8);
        memory_trace_add(trace, i, post);
        if (i == 0)
            add_send(trace, 0, 3, 0, 8);
        add_collective(trace, i, 0, COLLECTIVE_ALLREDUCE, 8);
    }
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    assert_int_equal(graph->n_collectives, 1);
    assert_int_equal(graph->n_collectives_left_out, 1);
    memory_trace_free(trace);
}

static uint32_t add_window(MemoryTrace *trace, uint32_t n)
{
    uint32_t members[8];
    for (uint32_t i = 0; i < n; i++)
        members[i] = i;
    uint32_t window = memory_trace_add_comm(trace, members, n);
    trace->comms.items[window].is_window = true;
    return window;
}

static void add_one_sided(MemoryTrace *trace, uint32_t process, uint32_t window, uint32_t target, uint64_t put,
                          uint64_t got)
{
    memory_trace_add(trace, process,
                     (Event){.kind = EVENT_ONE_SIDED,
                             .comm = window,
                             .peer = target,
                             .bytes = put,
                             .bytes_received = got,
                             .request = NO_REQUEST});
}

static void add_sync(MemoryTrace *trace, uint32_t process, uint32_t window, WindowSync sync, uint32_t peer,
                     uint64_t request)
{
    memory_trace_add(
        trace, process,
        (Event){.kind = EVENT_WINDOW_SYNC, .collective = sync, .comm = window, .peer = peer, .request = request});
}

/* The bytes of a task's messages of a kind with another task, over all iterations. */
static double bytes_of(StepKind kind, const Step *steps, uint32_t n_steps, uint32_t with, double runs)
{
    double bytes = 0;
    for (uint32_t i = 0; i < n_steps; i++) {
        if (steps[i].kind == STEP_LOOP)
            bytes += bytes_of(kind, steps[i].body, steps[i].n_body, with, runs * (double)steps[i].times);
        else if (steps[i].kind == kind && steps[i].peer == with)
            bytes += steps[i].bytes * runs;
    }
    return bytes;
}

/* Checks what goes from one task to another, whoever moves it. */
static void check_bytes(const TaskGraph *graph, uint32_t from, uint32_t to, double bytes)
{
    const Task *sender = &graph->tasks[from], *receiver = &graph->tasks[to];
    double found = bytes_of(STEP_SEND, sender->steps, sender->n_steps, to, 1) +
                   bytes_of(STEP_PUT, sender->steps, sender->n_steps, to, 1) +
                   bytes_of(STEP_GET, receiver->steps, receiver->n_steps, from, 1);
    if (fabs(found - bytes) > 1e-6 * (1 + bytes))
        fail_msg("from %u to %u: %g B, not %g", from, to, found, bytes);
}

static void check_steps(const Task *task, size_t n, const Step expected[])
{
    assert_int_equal(task->n_steps, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(task->steps[i].kind, expected[i].kind);
        assert_int_equal(task->steps[i].peer, expected[i].peer);
        assert_true(task->steps[i].bytes == expected[i].bytes);
        assert_int_equal(task->steps[i].blocks, expected[i].blocks);
    }
}

/* In each of 50 rounds, 0 puts twice into 1, and 2 gets from 1, between two fences. */
static void fences_turn_one_sided_operations_into_messages(void **state)
{
    MemoryTrace *trace = memory_trace_new(3);
    uint32_t window = add_window(trace, 3);
    for (int round = 0; round < 50; round++)
        for (uint32_t i = 0; i < 3; i++) {
            add_collective(trace, i, window, COLLECTIVE_BARRIER, 0);
            if (i == 0) {
                add_one_sided(trace, 0, window, 1, 100, 0);
                add_one_sided(trace, 0, window, 1, 200, 0);
            } else if (i == 2) {
                add_one_sided(trace, 2, window, 1, 0, 40);
            }
            add_collective(trace, i, window, COLLECTIVE_BARRIER, 0);
        }
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    assert_int_equal(graph->n_one_sided_left_out, 0);
    assert_int_equal(graph->n_unmatched, 0);
    check_bytes(graph, 0, 1, 50 * 300);
    check_bytes(graph, 1, 2, 50 * 40);
    check_bytes(graph, 2, 1, 0);
    assert_int_equal(graph->n_collective_messages, 100 * 6);
    assert_true(graph_size(graph).n_steps < 60);
    memory_trace_free(trace);
}

/* 0 locks 1 and 2: what it puts and gets is complete at an unlock, all of a target in one message. */
static void locks_complete_what_was_put_and_got(void **state)
{
    MemoryTrace *trace = memory_trace_new(3);
    uint32_t window = add_window(trace, 3);
    add_one_sided(trace, 0, window, 1, 100, 0);
    add_one_sided(trace, 0, window, 1, 20, 7);
    add_one_sided(trace, 0, window, 2, 0, 30);
    add_one_sided(trace, 0, window, 0, 9, 0); /* its own memory: no message */
    add_sync(trace, 0, window, WINDOW_SYNC_COMPLETE, 2, NO_REQUEST);
    add_sync(trace, 0, window, WINDOW_SYNC_COMPLETE, EVERY_PEER, NO_REQUEST);
    add_sync(trace, 0, window, WINDOW_SYNC_COMPLETE, EVERY_PEER, NO_REQUEST);
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    assert_int_equal(graph->n_one_sided_left_out, 0);
    check_steps(&graph->tasks[0], 3,
                (const Step[]){{.kind = STEP_GET, .peer = 2, .bytes = 30, .blocks = true},
                               {.kind = STEP_PUT, .peer = 1, .bytes = 120},
                               {.kind = STEP_GET, .peer = 1, .bytes = 7, .blocks = true}});
    assert_int_equal(graph->tasks[1].n_steps + graph->tasks[2].n_steps, 0);
    check_bytes(graph, 2, 0, 30);
    memory_trace_free(trace);
}

static void a_request_completes_its_operation_alone(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    uint32_t window = add_window(trace, 2);
    for (uint64_t request = 1; request <= 2; request++)
        memory_trace_add(trace, 0,
                         (Event){.kind = EVENT_ONE_SIDED,
                                 .comm = window,
                                 .peer = 1,
                                 .bytes_received = 10 * request,
                                 .request = request});
    add_sync(trace, 0, window, WINDOW_SYNC_COMPLETE, EVERY_PEER, 2);
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    check_steps(&graph->tasks[0], 1, (const Step[]){{.kind = STEP_GET, .peer = 1, .bytes = 20, .blocks = true}});
    assert_int_equal(graph->n_one_sided_left_out, 1);
    memory_trace_free(trace);
}

/* 1 and 2 expose their windows to 0, which puts into 1 alone. */
static void post_and_complete_notify_start_and_wait(void **state)
{
    MemoryTrace *trace = memory_trace_new(3);
    uint32_t window = add_window(trace, 3);
    for (uint32_t target = 1; target < 3; target++) {
        add_sync(trace, target, window, WINDOW_SYNC_NOTIFY, 0, NO_REQUEST);
        add_sync(trace, target, window, WINDOW_SYNC_AWAIT, EVERY_PEER, NO_REQUEST);
        add_sync(trace, 0, window, WINDOW_SYNC_AWAIT, target, NO_REQUEST);
    }
    add_one_sided(trace, 0, window, 1, 100, 0);
    add_sync(trace, 0, window, WINDOW_SYNC_COMPLETE, EVERY_PEER, NO_REQUEST);
    add_sync(trace, 0, window, WINDOW_SYNC_NOTIFY, EVERY_PEER, NO_REQUEST);
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    check_steps(&graph->tasks[0], 5,
                (const Step[]){{.kind = STEP_RECV, .peer = 1, .blocks = true},
                               {.kind = STEP_RECV, .peer = 2, .blocks = true},
                               {.kind = STEP_PUT, .peer = 1, .bytes = 100, .blocks = true},
                               {.kind = STEP_SEND, .peer = 1},
                               {.kind = STEP_SEND, .peer = 2}});
    for (uint32_t target = 1; target < 3; target++)
        check_steps(&graph->tasks[target], 2, (const Step[]){{.kind = STEP_SEND}, {.kind = STEP_RECV, .blocks = true}});
    assert_int_equal(graph->n_unmatched, 0);
    memory_trace_free(trace);
}

static void one_sided_operations_that_nothing_completes_are_left_out_and_counted(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    uint32_t window = add_window(trace, 2);
    add_one_sided(trace, 0, window, 1, 100, 0);
    add_one_sided(trace, 0, window, 1, 100, 0);
    const TaskGraph *graph = read_graph(trace, COLLECTIVES_EXPANDED);
    assert_int_equal(graph->n_one_sided_left_out, 2);
    check_bytes(graph, 0, 1, 0);
    memory_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(a_barrier_is_empty_messages_of_each_to_log_n_others),
        fixture_test(a_tree_reaches_each_but_the_root_once),
        fixture_test(a_gather_hands_on_what_its_subtree_gave),
        fixture_test(an_allgather_brings_each_all_others_parts),
        fixture_test(an_alltoall_is_a_message_of_each_to_each),
        fixture_test(an_allreduce_doubles_or_halves_among_a_power_of_two),
        fixture_test(a_scan_doubles),
        fixture_test(freeing_waits_for_nobody),
        fixture_test(small_parts_for_many_go_by_way_of_others),
        fixture_test(what_differs_between_members_is_what_each_gave_and_got),
        fixture_test(nobody_passes_a_barrier_before_all_have_come),
        fixture_test(sender_and_receiver_agree_on_each_message_of_every_library),
        fixture_test(libraries_cut_up_long_broadcasts_in_their_own_ways),
        fixture_test(the_library_of_the_trace_decides),
        fixture_test(members_of_a_communicator_alone_take_part),
        fixture_test(loops_of_collectives_are_folded),
        fixture_test(what_members_do_not_agree_on_is_left_out_and_counted),
        fixture_test(neighbourhoods_without_a_topology_are_left_out_and_counted),
        fixture_test(neighbourhoods_follow_the_topology),
        fixture_test(too_many_messages_are_left_out_and_counted),
        fixture_test(all_are_left_out_where_that_is_asked_for),
        fixture_test(a_trace_that_ends_amid_a_collective_has_a_graph),
        fixture_test(a_nonblocking_one_never_locks_the_graph),
        fixture_test(fences_turn_one_sided_operations_into_messages),
        fixture_test(locks_complete_what_was_put_and_got),
        fixture_test(a_request_completes_its_operation_alone),
        fixture_test(post_and_complete_notify_start_and_wait),
        fixture_test(one_sided_operations_that_nothing_completes_are_left_out_and_counted),
    };
    return cmocka_run_group_tests_name("collectives in task graphs", tests, NULL, NULL);
}
