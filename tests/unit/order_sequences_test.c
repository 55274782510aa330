/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes whose threads communicate at the same time: each thread is ordered by itself, between events that
 * the threads share. */
#include "../property/memory_trace.h"
#include "signature/phases/phases.h"
#include "test.h"
#include <math.h>

static void threads_in_another_order_in_each_process_wait_in_no_circle(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    uint32_t comms[2];
    for (int i = 0; i < 2; i++)
        comms[i] = memory_trace_add_comm(trace, (uint32_t[]){0, 1}, 2);
    set_sequences(trace, 3);
    for (uint32_t p = 0; p < 2; p++) {
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t thread = p == 0 ? i : 1 - i;
            add_collective(trace, p, comms[thread], COLLECTIVE_BARRIER, 0);
            in_sequence(trace, p, thread + 1);
        }
        add_collective(trace, p, 0, COLLECTIVE_ALLREDUCE, 8);
    }
    for (int wants_receives = 0; wants_receives < 2; wants_receives++) {
        Collector collector;
        OrderReport report;
        collect(trace, wants_receives, &collector, &report);
        assert_int_equal(report.n_problems, 0);
        assert_int_equal(collector.events.count, 6);
        assert_int_equal(collector.n_ticks, 3); /* two of the same logical time, and one after them */
        const uint64_t expected[] = {0, 0, 0, 0, 1, 1};
        for (size_t i = 0; i < 6; i++) {
            assert_int_equal(collector.events.items[i].lt, expected[i]);
            assert_int_equal(collector.events.items[i].tick, i / 2);
            assert_int_equal(collector.events.items[i].event.number, i / 2);
            assert_int_equal(collector.events.items[i].event.type, collector.events.items[i & ~(size_t)1].event.type);
        }
        assert_true(report.processes[0].finished == report.processes[1].finished);
        collector_free(&collector);
    }
    memory_trace_free(trace);
}

static void a_thread_that_waits_for_a_send_that_never_comes_is_named(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    set_sequences(trace, 3);
    for (uint32_t p = 0; p < 2; p++) {
        add_recv(trace, p, 1 - p, 7, 8); /* nobody sends it */
        in_sequence(trace, p, 1);
        add_send(trace, p, 1 - p, 1, 8);
        in_sequence(trace, p, 2);
        add_recv(trace, p, 1 - p, 1, 8);
        in_sequence(trace, p, 2);
        add_collective(trace, p, 0, COLLECTIVE_BARRIER, 0);
    }
    Collector collector;
    OrderReport report;
    collect(trace, true, &collector, &report);
    assert_int_equal(report.n_problems, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(report.problems[i].kind, PROBLEM_UNMATCHED_RECV);
        assert_int_equal(report.problems[i].event.tag, 7);
    }
    assert_int_equal(collector.events.count, 6);
    collector_free(&collector);
    memory_trace_free(trace);
}

enum { PROCESSES = 4, THREADS = 3, ROUNDS = 6, MOST_STEPS = 4 };

/* What thread `thread` does in a round: from the seed alone, and the same in all processes. */
static uint32_t steps_of(uint64_t seed, int round, unsigned thread)
{
    uint64_t state = seed * 1000 + (uint64_t)round * 10 + thread;
    return random_below(&state, MOST_STEPS + 1);
}

static void add_step(MemoryTrace *trace, uint32_t p, unsigned thread, uint32_t step, const uint32_t *comms)
{
    uint32_t next = (p + 1) % PROCESSES, before = (p + PROCESSES - 1) % PROCESSES;
    switch ((step + thread) % 3) {
    case 0:
        add_collective(trace, p, comms[thread], COLLECTIVE_ALLREDUCE, 8 * (thread + 1));
        break;
    case 1:
        add_send(trace, p, next, thread, 100 + step);
        break;
    default:
        add_send(trace, p, before, 50 + thread, 100);
        in_sequence(trace, p, thread + 1);
        add_recv(trace, p, next, 50 + thread, 100);
    }
    in_sequence(trace, p, thread + 1);
}

/* The same program each time, but its threads take turns by chance. */
static MemoryTrace *interleave(uint64_t seed, uint64_t *random)
{
    MemoryTrace *trace = memory_trace_new(PROCESSES);
    uint32_t comms[THREADS];
    for (int i = 0; i < THREADS; i++)
        comms[i] = memory_trace_add_comm(trace, (uint32_t[]){0, 1, 2, 3}, PROCESSES);
    set_sequences(trace, THREADS + 1);
    trace->random = random_next(random);
    trace->largest_batch = 8;
    for (uint32_t p = 0; p < PROCESSES; p++) {
        for (int round = 0; round < ROUNDS; round++) {
            uint32_t done[THREADS] = {0}, left = 0;
            for (unsigned t = 0; t < THREADS; t++)
                left += steps_of(seed, round, t);
            while (left) {
                unsigned t = random_below(random, THREADS);
                if (done[t] == steps_of(seed, round, t))
                    continue;
                add_step(trace, p, t, done[t]++, comms);
                left--;
            }
            add_collective(trace, p, 0, COLLECTIVE_BARRIER, 0);
        }
    }
    return trace;
}

static void the_order_does_not_depend_on_how_threads_take_turns(void **state)
{
    uint64_t random = 1;
    const char *methods[] = {"pas2p", "lamport"};
    for (uint64_t seed = 0; seed < 200; seed++) {
        Collector collectors[2];
        for (int i = 0; i < 2; i++) {
            MemoryTrace *trace = interleave(seed, &random);
            OrderOptions options = {.window_ticks = 1 + random_below(&random, 40)};
            OrderReport report;
            collect_with(trace, methods[seed % 2], &options, seed % 4 < 2, &collectors[i], &report);
            assert_int_equal(report.n_problems, 0);
            memory_trace_free(trace);
        }
        assert_int_equal(collectors[0].events.count, collectors[1].events.count);
        for (size_t i = 0; i < collectors[0].events.count; i++) {
            const CollectedEvent *a = &collectors[0].events.items[i], *b = &collectors[1].events.items[i];
            assert_int_equal(a->lt, b->lt);
            assert_int_equal(a->tick, b->tick);
            assert_int_equal(a->event.process, b->event.process);
            assert_int_equal(a->event.type, b->event.type);
            assert_int_equal(a->event.bytes, b->event.bytes);
            if (comm_type_kind(a->event.type) != TYPE_RECV)
                assert_int_equal(a->event.number, b->event.number);
        }
        collector_free(&collectors[0]);
        collector_free(&collectors[1]);
    }
}

/* Threads that take different times drift apart, while their steps have the same logical times. */
static void phases_of_threads_that_drift_apart_last_no_negative_time(void **state)
{
    enum { STEPS = 50, DRIFTING = 2 };
    MemoryTrace *trace = memory_trace_new(2);
    Arena *arena = arena_new();
    const PhaseParameters parameters = PHASE_PARAMETERS_DEFAULT;
    uint32_t comms[DRIFTING];
    for (int i = 0; i < DRIFTING; i++)
        comms[i] = memory_trace_add_comm(trace, (uint32_t[]){0, 1}, 2);
    set_sequences(trace, DRIFTING + 1);
    for (int64_t time_ns = 0; time_ns < 3000 * STEPS; time_ns += 1000)
        for (uint32_t p = 0; p < 2; p++)
            for (uint32_t thread = 0; thread < DRIFTING; thread++) {
                int64_t step_ns = thread ? 3000 : 1000; /* the second one takes three times as long */
                if (time_ns % step_ns || time_ns >= step_ns * STEPS)
                    continue;
                trace->now_ns = time_ns + 100 * thread;
                add_collective(trace, p, comms[thread], COLLECTIVE_ALLREDUCE, 8 * (thread + 1));
                in_sequence(trace, p, thread + 1);
            }
    Signature *signature;
    OrderReport report;
    Err err = {0};
    if (!phases_find(memory_trace_source(trace), &parameters, NULL, NULL, arena, &signature, &report, &err))
        fail_msg("%s", err.message);
    double sum_s = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++)
        for (uint32_t p = 0; p < 2; p++) {
            assert_true(signature->phases[i].processes[p].total_s >= 0);
            sum_s += signature->phases[i].processes[p].total_s;
        }
    const double whole_s = 2 * (1e-9 * 3000 * (STEPS - 1) + 100e-9); /* to the last event of the later thread */
    if (fabs(sum_s - whole_s) > 1e-9)
        fail_msg("phases last %g s, not %g s", sum_s, whole_s);
    memory_trace_free(trace);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_of_threads_that_drift_apart_last_no_negative_time),
        cmocka_unit_test(threads_in_another_order_in_each_process_wait_in_no_circle),
        cmocka_unit_test(a_thread_that_waits_for_a_send_that_never_comes_is_named),
        cmocka_unit_test(the_order_does_not_depend_on_how_threads_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
