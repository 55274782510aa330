/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces that can't be ordered by the method: missing events are named, and the rest is ordered. */
#include "../property/memory_trace.h"
#include "test.h"

static uint64_t lt_of_send(const Collector *collector, uint32_t process, uint64_t number)
{
    for (size_t i = 0; i < collector->events.count; i++) {
        const CollectedEvent *event = &collector->events.items[i];
        if (event->kind == TICK_SEND && event->event.process == process && event->event.number == number)
            return event->lt;
    }
    return UINT64_MAX;
}

static void a_receive_without_a_send_is_left_out_and_reported(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    add_recv(trace, 1, 0, 3, 64);
    add_send(trace, 1, 0, 0, 8);
    add_recv(trace, 0, 1, 0, 8);
    Collector collector;
    OrderReport report;
    collect(trace, true, &collector, &report);
    assert_int_equal(report.n_problems, 1);
    assert_int_equal(report.problems[0].kind, PROBLEM_UNMATCHED_RECV);
    assert_int_equal(report.problems[0].process, 1);
    assert_memory_equal(&report.problems[0].event, &trace->processes[1].events.items[0], sizeof(Event));
    assert_int_equal(collector.events.count, 2);
    collector_free(&collector);
    memory_trace_free(trace);
}

static void sends_that_nobody_receives_are_counted(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    for (int i = 0; i < 5; i++)
        add_send(trace, 0, 1, 0, 8);
    add_recv(trace, 1, 0, 0, 8);
    Collector collector;
    OrderReport report;
    collect(trace, true, &collector, &report);
    assert_int_equal(report.n_unmatched_sends, 4);
    assert_int_equal(report.n_problems, 0);
    collector_free(&collector);
    memory_trace_free(trace);
}

static void a_collective_without_a_killed_member_is_ordered_with_the_others(void **state)
{
    MemoryTrace *trace = memory_trace_new(3);
    add_send(trace, 1, 2, 0, 8);
    for (uint32_t p = 0; p < 2; p++)
        add_collective(trace, p, 0, COLLECTIVE_BARRIER, 0);
    add_recv(trace, 2, 1, 0, 8); /* the process's last event */
    Collector collector;
    OrderReport report;
    collect(trace, false, &collector, &report);
    assert_int_equal(report.n_problems, 1);
    assert_int_equal(report.problems[0].kind, PROBLEM_PARTIAL_COLLECTIVE);
    assert_int_equal(lt_of_send(&collector, 0, 0), 1);
    assert_int_equal(lt_of_send(&collector, 1, 1), 1);
    collector_free(&collector);
    memory_trace_free(trace);
}

/* A legal program: process 0 starts a barrier and then sends; process 1 receives before it reaches
 * the barrier. */
static MemoryTrace *circle(uint32_t n_pairs, int iterations)
{
    MemoryTrace *trace = memory_trace_new(2 * n_pairs);
    for (uint32_t pair = 0; pair < n_pairs; pair++) {
        uint32_t comm = memory_trace_add_comm(trace, (uint32_t[]){2 * pair, 2 * pair + 1}, 2);
        for (int i = 0; i < iterations; i++) {
            add_collective(trace, 2 * pair, comm, COLLECTIVE_BARRIER, 0);
            add_send(trace, 2 * pair, 2 * pair + 1, 0, 8);
            add_recv(trace, 2 * pair + 1, 2 * pair, 0, 8);
            add_collective(trace, 2 * pair + 1, comm, COLLECTIVE_BARRIER, 0);
        }
    }
    return trace;
}

static void a_circle_is_broken_at_its_collective_and_the_late_member_comes_later(void **state)
{
    MemoryTrace *trace = circle(1, 1);
    Collector collector;
    OrderReport report;
    collect(trace, true, &collector, &report);
    assert_int_equal(report.n_problems, 1);
    assert_int_equal(report.problems[0].kind, PROBLEM_CYCLE);
    assert_int_equal(report.problems[0].process, 0);
    assert_int_equal(lt_of_send(&collector, 0, 0), 0); /* the barrier in process 0 */
    assert_int_equal(lt_of_send(&collector, 0, 1), 1); /* its send: received at 2 */
    assert_int_equal(lt_of_send(&collector, 1, 0), 2); /* the barrier in process 1 */
    collector_free(&collector);
    memory_trace_free(trace);
}

static void what_waits_for_a_circle_is_not_forced_itself(void **state)
{
    MemoryTrace *trace = circle(2, 1);
    /* Process 3, like all others, reaches a world collective only after its circle. */
    for (uint32_t p = 0; p < 4; p++)
        add_collective(trace, p, 0, COLLECTIVE_ALLREDUCE, 8);
    Collector collector;
    OrderReport report;
    collect(trace, true, &collector, &report);
    assert_int_equal(report.n_problems, 2);
    for (uint32_t p = 0; p < 4; p++)
        assert_int_equal(lt_of_send(&collector, p, p % 2 ? 1 : 2), 3);
    collector_free(&collector);
    memory_trace_free(trace);
}

static void a_circle_in_every_iteration_takes_no_quadratic_time(void **state)
{
    MemoryTrace *trace = circle(8, 20000);
    Collector collector;
    OrderReport report;
    collect(trace, false, &collector, &report);
    assert_int_equal(report.n_problems, 8 * 20000);
    assert_int_equal(collector.events.count, 8 * 20000 * 3);
    collector_free(&collector);
    memory_trace_free(trace);
}

static void a_rank_killed_early_in_a_long_trace_takes_no_quadratic_time(void **state)
{
    enum { N = 16, STEPS = 20000 };
    MemoryTrace *trace = memory_trace_new(N);
    for (uint32_t p = 0; p < N; p++) {
        for (int step = 0; step < (p == 3 ? 10 : STEPS); step++) {
            add_send(trace, p, (p + 1) % N, 0, 8);
            add_recv(trace, p, (p + N - 1) % N, 0, 8);
            add_collective(trace, p, 0, COLLECTIVE_ALLREDUCE, 8);
        }
    }
    Collector collector;
    OrderReport report;
    collect(trace, false, &collector, &report);
    assert_int_equal(report.n_unmatched_sends, STEPS - 10);
    assert_int_equal(report.n_problems, 2 * (STEPS - 10)); /* receives of process 4, and the collectives */
    assert_int_equal(collector.events.count, ((N - 1) * STEPS + 10) * 2);
    collector_free(&collector);
    memory_trace_free(trace);
}

static void receives_in_a_circle_are_broken_where_the_time_is_lowest(void **state)
{
    MemoryTrace *trace = memory_trace_new(2); /* broken: no run can have this trace */
    for (uint32_t p = 0; p < 2; p++) {
        add_recv(trace, p, 1 - p, 0, 8);
        add_send(trace, p, 1 - p, 0, 8);
    }
    Collector collector;
    OrderReport report;
    collect(trace, true, &collector, &report);
    assert_int_equal(report.n_problems, 1);
    assert_int_equal(report.problems[0].kind, PROBLEM_UNMATCHED_RECV);
    assert_int_equal(report.problems[0].process, 0);
    assert_int_equal(lt_of_send(&collector, 1, 0), 1);
    collector_free(&collector);
    memory_trace_free(trace);
}

static void a_collective_of_a_process_outside_the_communicator_stands_alone(void **state)
{
    MemoryTrace *trace = memory_trace_new(3);
    uint32_t comm = memory_trace_add_comm(trace, (uint32_t[]){1, 0}, 2);
    for (uint32_t p = 0; p < 3; p++)
        add_collective(trace, p, comm, COLLECTIVE_BARRIER, 0);
    Collector collector;
    OrderReport report;
    collect(trace, false, &collector, &report);
    assert_int_equal(report.n_problems, 1);
    assert_int_equal(report.problems[0].process, 2);
    assert_int_equal(collector.events.count, 3);
    collector_free(&collector);
    memory_trace_free(trace);
}

static void a_partner_outside_the_world_is_bad_input(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    add_send(trace, 0, 2, 0, 8);
    TickSink sink = {0};
    OrderReport report;
    Err err = {0};
    assert_false(order_trace("pas2p", memory_trace_source(trace), &sink, NULL, NULL, trace->arena, &report, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    memory_trace_free(trace);
}

static void spans_say_when_each_process_began_and_ended(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    add_begin(trace, 0);         /* 0 to 10 */
    add_post(trace, 0, 1);       /* 10 to 20 */
    add_send(trace, 0, 1, 0, 8); /* 20 to 30 */
    add_send(trace, 0, 1, 0, 8); /* 30 to 40 */
    add_cancel(trace, 0, 1);     /* 40 to 50 */
    add_end(trace, 0);           /* 50 to 60 */
    add_recv(trace, 1, 0, 0, 8); /* 60 to 70: without beginning and end */
    Collector collector;
    OrderReport report;
    collect(trace, false, &collector, &report);
    const ProcessSpan *a = &report.processes[0], *b = &report.processes[1];
    assert_int_equal(a->begin_ns, 10);
    assert_int_equal(a->first_ns, 20);
    assert_int_equal(a->last_ns, 30);
    assert_int_equal(a->end_ns, 50);
    assert_true(a->finished);
    assert_int_equal(b->begin_ns, 60);
    assert_int_equal(b->end_ns, 70);
    assert_int_equal(b->n_recvs, 1);
    assert_false(b->finished);
    collector_free(&collector);
    memory_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_receive_without_a_send_is_left_out_and_reported),
        cmocka_unit_test(sends_that_nobody_receives_are_counted),
        cmocka_unit_test(a_collective_without_a_killed_member_is_ordered_with_the_others),
        cmocka_unit_test(a_circle_is_broken_at_its_collective_and_the_late_member_comes_later),
        cmocka_unit_test(what_waits_for_a_circle_is_not_forced_itself),
        cmocka_unit_test(a_circle_in_every_iteration_takes_no_quadratic_time),
        cmocka_unit_test(a_rank_killed_early_in_a_long_trace_takes_no_quadratic_time),
        cmocka_unit_test(receives_in_a_circle_are_broken_where_the_time_is_lowest),
        cmocka_unit_test(a_collective_of_a_process_outside_the_communicator_stands_alone),
        cmocka_unit_test(a_partner_outside_the_world_is_bad_input),
        cmocka_unit_test(spans_say_when_each_process_began_and_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
