/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of a task's steps: processes whose threads communicate at the same time, completions in any order, and
 * the last iteration of a loop. */
#include "placement/graph/graph.h"
#include "property/memory_trace.h"
#include "test.h"

#include <math.h>

enum { MS = 1000000 };

static TaskGraph *graph_of(MemoryTrace *trace, Arena *arena)
{
    Err err = {0};
    TaskGraph *graph;
    if (!graph_read(memory_trace_source(trace), COLLECTIVES_EXPANDED, NULL, arena, &graph, &err) ||
        !graph_check_waits(graph, NULL, &err))
        fail_msg("%s", err.message);
    return graph;
}

static void assert_step(const Task *task, uint32_t number, StepKind kind, double value)
{
    assert_true(number < task->n_steps);
    const Step *step = &task->steps[number];
    assert_int_equal(step->kind, kind);
    double is = kind == STEP_COMPUTE ? step->seconds : kind == STEP_LOOP ? (double)step->times : step->bytes;
    if (!(fabs(is - value) < 1e-9))
        fail_msg("step %u: %g instead of %g", number, is, value);
}

/* An event of a thread, from from_ms to to_ms, after computing for compute_ms. */
static void add_call(MemoryTrace *trace, uint32_t process, unsigned sequence, Event event, double compute_ms,
                     int64_t from_ms, int64_t to_ms)
{
    event.compute_ns = (int64_t)(compute_ms * MS);
    event.request = NO_REQUEST;
    Event *added = memory_trace_add(trace, process, event);
    added->enter_ns = from_ms * MS;
    added->leave_ns = to_ms * MS;
    in_sequence(trace, process, sequence);
}

static void a_receive_does_not_stop_the_thread_that_computes(void **state)
{
    Arena *arena = arena_new();
    Ttig *ttig;
    Err err = {0};
    MemoryTrace *trace = memory_trace_new(2);
    set_sequences(trace, 3);
    trace->trace.leading = (const uint8_t[]){1, 1};
    const Event send = {.kind = EVENT_SEND, .peer = 1, .bytes = 8}, recv = {.kind = EVENT_RECV, .bytes = 8};
    add_call(trace, 0, 0, send, 50, 50, 51); /* process 0 computes for 50 ms before it sends */
    add_call(trace, 1, 1, (Event){.kind = EVENT_SEND, .peer = 1, .bytes = 1}, 40, 40, 41);
    add_call(trace, 1, 2, recv, 0, 0, 51);
    add_call(trace, 1, 1, (Event){.kind = EVENT_RECV, .peer = 1, .bytes = 1}, 60, 101, 102);
    add_call(trace, 1, 0, (Event){.kind = EVENT_SEND, .peer = 0, .bytes = 2}, 7, 110, 111);
    const TaskGraph *graph = graph_of(trace, arena);
    const Task *task = &graph->tasks[1];
    assert_step(task, 0, STEP_COMPUTE, 0.040);
    assert_step(task, 1, STEP_SEND, 1);
    assert_step(task, 2, STEP_COMPUTE, 0.060);
    assert_step(task, 3, STEP_RECV, 1);
    assert_step(task, 4, STEP_COMPUTE, 0.007);
    assert_step(task, 5, STEP_RECV, 8); /* where the threads join */
    assert_step(task, 6, STEP_SEND, 2);
    assert_true(graph_ttig(graph, arena, &ttig, &err));
    assert_true(fabs(ttig->edges[0].parallelism - 50.0 / 107) < 1e-9);
    arena_free(arena);
    memory_trace_free(trace);
}

/* Process 0 enters the first barrier early, and another of its threads then sends. Process 1 receives that before
 * it enters the barrier. */
static void collectives_of_several_threads_wait_in_no_circle(void **state)
{
    for (uint8_t leading = 1; leading <= 2; leading++) {
        Arena *arena = arena_new();
        MemoryTrace *trace = memory_trace_new(2);
        uint32_t comm = memory_trace_add_comm(trace, (uint32_t[]){0, 1}, 2);
        set_sequences(trace, 3);
        trace->trace.leading = (const uint8_t[]){1, leading};
        const Event barrier = {
            .kind = EVENT_COLLECTIVE, .collective = COLLECTIVE_BARRIER, .comm = comm, .peer = NO_ROOT};
        add_call(trace, 0, 1, barrier, 1, 1, 9);
        add_call(trace, 0, 2, (Event){.kind = EVENT_SEND, .peer = 1, .bytes = 8}, 1, 2, 3);
        add_call(trace, 1, 2, (Event){.kind = EVENT_RECV, .peer = 0, .bytes = 8}, 1, 1, 4);
        add_call(trace, 1, 1, barrier, 1, 5, 8);
        const TaskGraph *graph = graph_of(trace, arena);
        assert_int_equal(graph->n_collectives, 1);
        assert_int_equal(graph->n_collectives_left_out, 0);
        assert_int_equal(graph_size(graph).n_messages, 3);
        arena_free(arena);
        memory_trace_free(trace);
    }
}

static void completions_in_any_order_are_one_loop(void **state)
{
    Arena *arena = arena_new();
    uint64_t random = 1;
    MemoryTrace *trace = memory_trace_new(4);
    for (int i = 0; i < 100; i++) {
        uint32_t first = 1 + random_below(&random, 3);
        for (uint32_t p = 1; p < 4; p++) {
            add_post(trace, 0, p);
            add_send(trace, p, 0, 0, 8 * p);
        }
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t p = 1 + (first + k) % 3;
            add_completion(trace, 0, p, 0, 8 * p, p);
            trace->processes[0].events.items[trace->processes[0].events.count - 1].compute_ns = k ? 1000 : 0;
        }
        add_send(trace, 0, 1, 0, 4);
        trace->processes[0].events.items[trace->processes[0].events.count - 1].compute_ns = 5000;
        add_recv(trace, 1, 0, 0, 4);
    }
    const Task *task = &graph_of(trace, arena)->tasks[0];
    assert_int_equal(task->n_steps, 1);
    assert_step(task, 0, STEP_LOOP, 100);
    const Task body = {.n_steps = task->steps[0].n_body, .steps = task->steps[0].body};
    assert_int_equal(body.n_steps, 7);
    for (uint32_t p = 1; p < 4; p++) {
        assert_step(&body, 2 * p - 2, STEP_RECV, 8 * p);
        assert_step(&body, 2 * p - 1, STEP_COMPUTE, p < 3 ? 1e-6 : 5e-6);
    }
    arena_free(arena);
    memory_trace_free(trace);
}

/* The program computes before each message. So nothing is left behind the last one. */
static void a_shorter_last_iteration_stands_alone(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(2);
    for (int i = 0; i < 10; i++) {
        memory_trace_add(trace, 0,
                         (Event){.kind = EVENT_SEND, .peer = 1, .bytes = 8, .request = NO_REQUEST, .compute_ns = MS});
        add_recv(trace, 1, 0, 0, 8);
    }
    const TaskGraph *graph = graph_of(trace, arena);
    const Task *task = &graph->tasks[0];
    assert_int_equal(task->n_steps, 3);
    assert_step(task, 0, STEP_COMPUTE, 0.001);
    assert_step(task, 1, STEP_LOOP, 9);
    assert_true(fabs(task->steps[1].body[1].seconds - 0.001) < 1e-12);
    assert_step(task, 2, STEP_SEND, 8);
    assert_step(&graph->tasks[1], 0, STEP_LOOP, 10);
    arena_free(arena);
    memory_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_receive_does_not_stop_the_thread_that_computes),
        cmocka_unit_test(collectives_of_several_threads_wait_in_no_circle),
        cmocka_unit_test(completions_in_any_order_are_one_loop),
        cmocka_unit_test(a_shorter_last_iteration_stands_alone),
    };
    return cmocka_run_group_tests_name("the order of steps", tests, NULL, NULL);
}
