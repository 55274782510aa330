/* SPDX-License-Identifier: BSD-3-Clause */
/* The thesis's figures: logical times and ticks of SMG2000 (3.10 to 3.12), its phases (3.27),
 * figures 3.20 to 3.25, and the exchanges of CG in both orders (3.2 to 3.6). Ranks count from 0
 * here, processes in the thesis from 1. */
#include "../property/memory_trace.h"
#include "signature/phases/finder.h"
#include "test.h"

#include <stdio.h>

static const PhaseParameters PARAMETERS = PHASE_PARAMETERS_DEFAULT;

/* An iteration in the figure's notation: s2 is a send to process 2, r3 a receive from process 3. */
static const char *const SMG2000[4] = {"s2 r2 r3 r4 s3 s4", "s1 r1 s3 r3 r4 s4", "s1 s2 r1 r2 s4 r4",
                                       "s1 s2 s3 r1 r2 r3"};

static MemoryTrace *make_trace(const char *const *programs, uint32_t n_processes, int iterations)
{
    MemoryTrace *trace = memory_trace_new(n_processes);
    for (int i = 0; i < iterations; i++)
        for (uint32_t p = 0; p < n_processes; p++)
            for (const char *c = programs[p]; *c; c += *c == ' ')
                for (char kind = *c; *c && *c != ' '; c++)
                    if (c[1] == ' ' || !c[1])
                        (kind == 's' ? add_send : add_recv)(trace, p, (uint32_t)(*c - '1'), 0, 20);
    return trace;
}

static uint64_t lt_of(const Collector *collector, uint32_t process, CommType type, size_t occurrence)
{
    for (size_t i = 0; i < collector->events.count; i++) {
        const CollectedEvent *event = &collector->events.items[i];
        if (event->event.process == process && event->event.type == type && !occurrence--)
            return event->lt;
    }
    return UINT64_MAX;
}

static void smg2000_has_the_logical_times_of_figure_3_10(void **state)
{
    static const struct {
        uint32_t process, peer;
        CommTypeKind kind;
        uint64_t lt;
    } expected[] = {
        {1, 2, TYPE_SEND, 0}, {1, 3, TYPE_SEND, 1}, {1, 4, TYPE_SEND, 2}, {1, 2, TYPE_RECV, 1}, {1, 3, TYPE_RECV, 1},
        {1, 4, TYPE_RECV, 1}, {2, 1, TYPE_SEND, 0}, {2, 3, TYPE_SEND, 1}, {2, 4, TYPE_SEND, 2}, {2, 1, TYPE_RECV, 1},
        {2, 3, TYPE_RECV, 2}, {2, 4, TYPE_RECV, 2}, {3, 1, TYPE_SEND, 0}, {3, 2, TYPE_SEND, 1}, {3, 4, TYPE_SEND, 2},
        {3, 1, TYPE_RECV, 2}, {3, 2, TYPE_RECV, 2}, {3, 4, TYPE_RECV, 3}, {4, 1, TYPE_SEND, 0}, {4, 2, TYPE_SEND, 1},
        {4, 3, TYPE_SEND, 2}, {4, 1, TYPE_RECV, 3}, {4, 2, TYPE_RECV, 3}, {4, 3, TYPE_RECV, 3},
    };
    MemoryTrace *trace = make_trace(SMG2000, 4, 2);
    Collector collector;
    OrderReport report;
    collect(trace, true, &collector, &report);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        for (size_t iteration = 0; iteration < 2; iteration++)
            assert_int_equal(lt_of(&collector, expected[i].process - 1,
                                   comm_type_message(expected[i].kind, expected[i].peer - 1), iteration),
                             expected[i].lt + 3 * iteration);
    collector_free(&collector);
    memory_trace_free(trace);
}

/* Compares rows of a logical trace, one string for each process: "2", "-3", "." for no event. */
static void check_rows(const Collector *collector, uint32_t n_processes, const char *const *expected)
{
    for (uint32_t p = 0; p < n_processes; p++) {
        char row[512] = "";
        size_t length = 0;
        for (uint64_t tick = 0; tick < collector->n_ticks; tick++) {
            char cell[8] = ".";
            for (size_t i = 0; i < collector->events.count; i++) {
                const CollectedEvent *event = &collector->events.items[i];
                if (event->tick == tick && event->event.process == p)
                    snprintf(cell, sizeof cell, "%s%u", comm_type_kind(event->event.type) == TYPE_RECV ? "-" : "",
                             comm_type_peer(event->event.type) + 1);
            }
            length += (size_t)snprintf(row + length, sizeof row - length, "%s%s", tick ? " " : "", cell);
        }
        assert_string_equal(row, expected[p]);
    }
}

static void smg2000_has_eleven_ticks_an_iteration_as_figure_3_15_draws_them(void **state)
{
    static const char *const rows[4] = {"2 -2 -3 -4 3 . . 4 . . .", "1 -1 . . 3 -3 -4 4 . . .",
                                        "1 . . . 2 -1 -2 4 -4 . .", "1 . . . 2 . . 3 -1 -2 -3"};
    MemoryTrace *trace = make_trace(SMG2000, 4, 1);
    Collector collector;
    OrderReport report;
    collect(trace, true, &collector, &report);
    assert_int_equal(collector.n_ticks, 11);
    check_rows(&collector, 4, rows);
    collector_free(&collector);
    memory_trace_free(trace);
}

static void two_iterations_of_smg2000_have_22_ticks(void **state)
{
    MemoryTrace *trace = make_trace(SMG2000, 4, 2);
    Collector collector;
    OrderReport report;
    collect(trace, true, &collector, &report);
    assert_int_equal(collector.n_ticks, 22);
    assert_int_equal(report.n_ticks, 22);
    assert_int_equal(report.n_events, 48);
    collector_free(&collector);
    memory_trace_free(trace);
}

static void any_legal_order_of_receives_gives_the_same_logical_trace(void **state)
{
    /* A possible real run: each receive comes anywhere behind the sends before it, so the sends
     * don't move. */
    static const char *const shuffled[4] = {"s2 r4 r2 r3 s3 s4", "s1 r1 s3 r4 r3 s4", "s1 s2 r2 r1 s4 r4",
                                            "s1 s2 s3 r3 r1 r2"};
    MemoryTrace *traces[2] = {make_trace(SMG2000, 4, 2), make_trace(shuffled, 4, 2)};
    Collector collectors[2];
    OrderReport reports[2];
    for (int i = 0; i < 2; i++)
        collect(traces[i], true, &collectors[i], &reports[i]);
    assert_int_equal(collectors[0].events.count, collectors[1].events.count);
    for (size_t i = 0; i < collectors[0].events.count; i++) {
        const CollectedEvent *a = &collectors[0].events.items[i], *b = &collectors[1].events.items[i];
        assert_int_equal(a->tick, b->tick);
        assert_int_equal(a->event.process, b->event.process);
        assert_int_equal(a->event.type, b->event.type);
    }
    for (int i = 0; i < 2; i++) {
        collector_free(&collectors[i]);
        memory_trace_free(traces[i]);
    }
}

static Signature *find(MemoryTrace *trace)
{
    Signature *signature = NULL;
    OrderReport report;
    Err err = {0};
    if (!phases_find(memory_trace_source(trace), &PARAMETERS, NULL, NULL, trace->arena, &signature, &report, &err))
        fail_msg("%s", err.message);
    return signature;
}

static void smg2000_is_one_phase_that_comes_twice(void **state)
{
    MemoryTrace *trace = make_trace(SMG2000, 4, 2);
    const Signature *signature = find(trace);
    assert_int_equal(signature->n_phases, 1);
    assert_int_equal(signature->phases[0].weight, 2);
    assert_int_equal(signature->phases[0].n_ticks, 3);
    assert_int_equal(signature->n_occurrences, 2);
    memory_trace_free(trace);
}

static void send_row(PhaseFinder *finder, uint64_t tick, const int *peers, uint32_t n_processes)
{
    LogicalEvent events[8];
    size_t n = 0;
    for (uint32_t p = 0; p < n_processes; p++)
        if (peers[p])
            events[n++] = (LogicalEvent){.process = p,
                                         .type = comm_type_message(TYPE_SEND, (uint32_t)peers[p] - 1),
                                         .bytes = 8,
                                         .enter_ns = (int64_t)tick};
    Err err;
    TickSink *sink = phase_finder_sink(finder);
    assert_true(sink->tick(sink, tick, TICK_SEND, events, n, &err));
}

static void figure_3_25_has_three_phases(void **state)
{
    static const int first_process[] = {0, 2, 3, 4, 2, 3, 4, 2, 3, 4, 3};
    Arena *arena = arena_new();
    PhaseFinder *finder = phase_finder_new(&PARAMETERS, 4, NULL, 0);
    for (uint64_t tick = 0; tick < 11; tick++)
        send_row(finder, tick, (int[4]){first_process[tick], tick == 0, tick == 0, tick == 0}, 4);
    ProcessSpan spans[4] = {{.end_ns = 11, .last_ns = 10}, {.end_ns = 11}, {.end_ns = 11}, {.end_ns = 11}};
    OrderReport report = {.processes = spans};
    Signature signature = {0};
    Err err;
    assert_true(phase_finder_finish(finder, &report, arena, &signature, &err));
    static const struct {
        uint32_t n_ticks, n_events;
        uint64_t weight;
    } expected[] = {{1, 3, 1}, {3, 3, 3}, {1, 1, 1}};
    assert_int_equal(signature.n_phases, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(signature.phases[i].n_ticks, expected[i].n_ticks);
        assert_int_equal(signature.phases[i].n_events, expected[i].n_events);
        assert_int_equal(signature.phases[i].weight, expected[i].weight);
    }
    assert_int_equal(signature.sequence.n_body, 3);
    assert_int_equal(signature.sequence.body[1].phase, 2);
    assert_int_equal(signature.sequence.body[1].count, 3);
    phase_finder_free(finder);
    arena_free(arena);
}

/* CG's four exchanges an iteration, with different volumes (figure 3.14): partner and bytes,
 * process by process. */
static MemoryTrace *make_cg(int iterations)
{
    static const uint32_t partners[4][4] = {{2, 2, 1, 2}, {1, 1, 3, 1}, {4, 4, 2, 4}, {3, 3, 4, 3}};
    static const uint64_t bytes[4] = {1000, 2000, 4000, 8};
    MemoryTrace *trace = memory_trace_new(4);
    for (int i = 0; i < iterations; i++)
        for (uint32_t p = 0; p < 4; p++)
            for (int exchange = 0; exchange < 4; exchange++) {
                add_send(trace, p, partners[p][exchange] - 1, 0, bytes[exchange]);
                add_recv(trace, p, partners[p][exchange] - 1, 0, bytes[exchange]);
            }
    return trace;
}

static void check_rows_of_cg(const char *method)
{
    static const char *const rows[4] = {
        "2 -2 2 -2 1 -1 2 -2 2 -2 2 -2 1 -1 2 -2", "1 -1 1 -1 3 -3 1 -1 1 -1 1 -1 3 -3 1 -1",
        "4 -4 4 -4 2 -2 4 -4 4 -4 4 -4 2 -2 4 -4", "3 -3 3 -3 4 -4 3 -3 3 -3 3 -3 4 -4 3 -3"};
    MemoryTrace *trace = make_cg(2);
    Collector collector;
    OrderReport report;
    collect_ordered(trace, method, true, &collector, &report);
    assert_int_equal(collector.n_ticks, 16);
    check_rows(&collector, 4, rows);
    collector_free(&collector);
    memory_trace_free(trace);
}

static void cg_alternates_sends_and_receives(void **state)
{
    check_rows_of_cg("pas2p");
}

static void cg_in_lamport_order_has_the_16_ticks_of_figure_3_6(void **state)
{
    check_rows_of_cg("lamport");
}

static void smg2000_in_lamport_order_stands_as_its_processes_went(void **state)
{
    /* By hand: process 1 receives at 1, 2, 3 what was sent at 0, and sends to 3 at 4. Process 3
     * receives this at 5 … */
    static const char *const rows[4] = {"2 -2 -3 -4 3 4 . . .", "1 -1 3 -3 -4 4 . . .", "1 2 . . . -1 -2 4 -4",
                                        "1 2 3 . . . -1 -2 -3"};
    MemoryTrace *trace = make_trace(SMG2000, 4, 1);
    Collector collector;
    OrderReport report;
    collect_ordered(trace, "lamport", true, &collector, &report);
    check_rows(&collector, 4, rows);
    for (size_t i = 0; i < collector.events.count; i++)
        assert_int_equal(collector.events.items[i].kind, TICK_MIXED);
    collector_free(&collector);
    memory_trace_free(trace);
}

static void cg_repeats_the_phases_of_an_iteration(void **state)
{
    MemoryTrace *trace = make_cg(100);
    const Signature *signature = find(trace);
    assert_int_equal(signature->n_ticks, 400);
    /* Ticks of an iteration: 1000 bytes to 2 | 2000 to 2, 4000 to 1 | 8 to 2. At each bar, a type
     * repeats. */
    static const uint32_t n_ticks[3] = {1, 2, 1};
    assert_int_equal(signature->n_phases, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(signature->phases[i].n_ticks, n_ticks[i]);
        assert_int_equal(signature->phases[i].weight, 100);
    }
    assert_int_equal(signature->sequence.count, 100);
    assert_int_equal(signature->sequence.n_body, 3);
    memory_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smg2000_has_the_logical_times_of_figure_3_10),
        cmocka_unit_test(smg2000_has_eleven_ticks_an_iteration_as_figure_3_15_draws_them),
        cmocka_unit_test(two_iterations_of_smg2000_have_22_ticks),
        cmocka_unit_test(any_legal_order_of_receives_gives_the_same_logical_trace),
        cmocka_unit_test(smg2000_is_one_phase_that_comes_twice),
        cmocka_unit_test(figure_3_25_has_three_phases),
        cmocka_unit_test(cg_alternates_sends_and_receives),
        cmocka_unit_test(cg_in_lamport_order_has_the_16_ticks_of_figure_3_6),
        cmocka_unit_test(smg2000_in_lamport_order_stands_as_its_processes_went),
        cmocka_unit_test(cg_repeats_the_phases_of_an_iteration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
