/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of the orders of legal traces, tested on many random traces. A test's state is the
 * name of the order. */
#include "property/rounds.h"
#include "random_trace.h"
#include "test.h"

enum { N_TRACES = ROUNDS(300) };

static MemoryTrace *nth_trace(int i)
{
    uint64_t state = (uint64_t)i * 77 + 5;
    return random_trace((uint64_t)i + 1, 1 + random_below(&state, 7), 20 + (int)random_below(&state, 1200));
}

static bool is_send_like(const Event *event)
{
    return event->kind == EVENT_SEND || event->kind == EVENT_COLLECTIVE || event->kind == EVENT_ONE_SIDED;
}

static bool is_receive(const CollectedEvent *event)
{
    return comm_type_kind(event->event.type) == TYPE_RECV;
}

/* Logical times of collected events, indexed by their bytes. Process, kind and bytes together are
 * unique. */
static uint64_t *times_by_bytes(const Collector *collector, uint32_t n_processes, bool receives, size_t n_bytes)
{
    uint64_t *lts = memory_resize(NULL, n_processes * n_bytes * sizeof *lts);
    memset(lts, 0xff, n_processes * n_bytes * sizeof *lts);
    for (size_t i = 0; i < collector->events.count; i++) {
        const CollectedEvent *event = &collector->events.items[i];
        if (is_receive(event) == receives)
            lts[event->event.process * n_bytes + event->event.bytes] = event->lt;
    }
    return lts;
}

static size_t count_events(const MemoryTrace *trace)
{
    size_t n = 1;
    for (uint32_t p = 0; p < trace->trace.application.n_processes; p++)
        n += trace->processes[p].events.count;
    return n;
}

static void check_against_reference(MemoryTrace *trace, const char *method, const Collector *collector)
{
    uint32_t n = trace->trace.application.n_processes;
    size_t n_bytes = count_events(trace), n_ordered = 0;
    uint64_t *sends = times_by_bytes(collector, n, false, n_bytes);
    uint64_t *receives = times_by_bytes(collector, n, true, n_bytes);
    uint64_t **expected = reference_times(trace, method);
    for (uint32_t p = 0; p < n; p++) {
        for (size_t i = 0; i < trace->processes[p].events.count; i++) {
            const Event *event = &trace->processes[p].events.items[i];
            if (is_send_like(event))
                assert_int_equal(sends[p * n_bytes + event->bytes], expected[p][i]);
            else if (event->kind == EVENT_RECV)
                assert_int_equal(receives[p * n_bytes + event->bytes], expected[p][i]);
            n_ordered += is_send_like(event) || event->kind == EVENT_RECV;
        }
        free(expected[p]);
    }
    assert_int_equal(collector->events.count, n_ordered);
    free(expected);
    free(sends);
    free(receives);
}

static void gives_the_logical_times_of_the_definition(void **state)
{
    for (int i = 0; i < N_TRACES; i++) {
        MemoryTrace *trace = nth_trace(i);
        Collector collector;
        OrderReport report;
        collect_ordered(trace, *state, true, &collector, &report);
        assert_int_equal(report.n_problems, 0);
        check_against_reference(trace, *state, &collector);
        collector_free(&collector);
        memory_trace_free(trace);
    }
}

/* The previous event in its process, and the send of a receive, have lower times. */
static void the_lamport_order_extends_happens_before(void **state)
{
    for (int i = 0; i < N_TRACES; i++) {
        MemoryTrace *trace = nth_trace(i);
        uint32_t n = trace->trace.application.n_processes;
        size_t n_bytes = count_events(trace);
        Collector collector;
        OrderReport report;
        collect_ordered(trace, *state, true, &collector, &report);
        uint64_t *sends = times_by_bytes(&collector, n, false, n_bytes);
        uint64_t *receives = times_by_bytes(&collector, n, true, n_bytes);
        for (uint32_t p = 0; p < n; p++) {
            uint64_t least = 0;
            for (size_t e = 0; e < trace->processes[p].events.count; e++) {
                const Event *event = &trace->processes[p].events.items[e];
                bool received = event->kind == EVENT_RECV;
                if (!received && !is_send_like(event))
                    continue;
                uint64_t lt = (received ? receives : sends)[p * n_bytes + event->bytes];
                assert_true(lt >= least && (!received || lt > sends[event->peer * n_bytes + event->bytes]));
                least = lt + 1;
            }
        }
        free(sends);
        free(receives);
        collector_free(&collector);
        memory_trace_free(trace);
    }
}

static void a_tick_has_at_most_one_event_of_a_process_in_ascending_order(void **state)
{
    for (int i = 0; i < N_TRACES; i++) {
        MemoryTrace *trace = nth_trace(i);
        Collector collector;
        OrderReport report;
        collect_ordered(trace, *state, true, &collector, &report);
        for (size_t e = 1; e < collector.events.count; e++) {
            const CollectedEvent *a = &collector.events.items[e - 1], *b = &collector.events.items[e];
            if (a->tick == b->tick)
                assert_true(a->event.process < b->event.process && a->lt == b->lt && a->kind == b->kind);
            else
                assert_true(a->tick + 1 == b->tick && (a->lt < b->lt || (a->lt == b->lt && a->kind <= b->kind)));
        }
        collector_free(&collector);
        memory_trace_free(trace);
    }
}

static void a_process_receives_ascending_by_source_tag_and_bytes_within_a_tick(void **state)
{
    for (int i = 0; i < N_TRACES; i++) {
        MemoryTrace *trace = nth_trace(i);
        Collector collector;
        OrderReport report;
        collect_ordered(trace, *state, true, &collector, &report);
        const CollectedEvent *last[8] = {0};
        for (size_t e = 0; e < collector.events.count; e++) {
            const CollectedEvent *event = &collector.events.items[e];
            const CollectedEvent *before = last[event->event.process];
            if (before && event->kind == TICK_RECV && before->kind == TICK_RECV && before->lt == event->lt)
                assert_true(before->event.type <= event->event.type);
            last[event->event.process] = event;
        }
        collector_free(&collector);
        memory_trace_free(trace);
    }
}

static void numbers_count_the_send_like_events_of_a_process(void **state)
{
    for (int i = 0; i < N_TRACES; i++) {
        MemoryTrace *trace = nth_trace(i);
        Collector collector;
        OrderReport report;
        collect_ordered(trace, *state, false, &collector, &report);
        uint64_t next[8] = {0};
        for (size_t e = 0; e < collector.events.count; e++)
            assert_int_equal(collector.events.items[e].event.number, next[collector.events.items[e].event.process]++);
        for (uint32_t p = 0; p < trace->trace.application.n_processes; p++)
            assert_int_equal(report.processes[p].n_send_events, next[p]);
        collector_free(&collector);
        memory_trace_free(trace);
    }
}

/* Cuts off each process at a random place. So sends get lost, and collectives lack members. */
static void cut_off(MemoryTrace *trace, uint64_t seed)
{
    for (uint32_t p = 0; p < trace->trace.application.n_processes; p++)
        trace->processes[p].events.count = random_below(&seed, (uint32_t)trace->processes[p].events.count + 1);
}

static void the_result_does_not_depend_on_how_the_source_is_read(void **state)
{
    for (int i = 0; i < N_TRACES; i++) {
        MemoryTrace *trace = nth_trace(i);
        OrderReport report;
        Collector whole, other;
        collect_ordered(trace, *state, true, &whole, &report);
        for (int way = 0; way < 3; way++) {
            trace->largest_batch = way == 0 ? 1 : way == 1 ? 7 : 0;
            trace->random = way == 2 ? (uint64_t)i + 99 : 0;
            collect_ordered(trace, *state, true, &other, &report);
            assert_same_ticks(&whole, &other);
            collector_free(&other);
        }
        collector_free(&whole);
        memory_trace_free(trace);
    }
}

static void the_result_does_not_depend_on_how_many_ticks_are_put_together_at_a_time(void **state)
{
    static const uint32_t lengths[] = {1, 2, 5, 64};
    for (int i = 0; i < N_TRACES; i++) {
        MemoryTrace *trace = nth_trace(i);
        if (i % 3 == 2)
            cut_off(trace, (uint64_t)i);
        for (int receives = 0; receives < 2; receives++) {
            OrderReport report, other_report;
            Collector whole, other;
            collect_ordered(trace, *state, receives, &whole, &report);
            const OrderOptions options = {.window_ticks = lengths[i % 4]};
            collect_with(trace, *state, &options, receives, &other, &other_report);
            if (!report.n_problems) /* ticks that follow a forced tick depend on the window at that moment */
                assert_same_ticks(&whole, &other);
            assert_int_equal(report.n_problems, other_report.n_problems);
            collector_free(&whole);
            collector_free(&other);
        }
        memory_trace_free(trace);
    }
}

/* Renumbers the processes. So the order stage visits and reads them in another order. */
static MemoryTrace *renumber(const MemoryTrace *trace, const uint32_t *number)
{
    uint32_t n = trace->trace.application.n_processes;
    MemoryTrace *other = memory_trace_new(n);
    for (uint32_t c = 1; c < trace->comms.count; c++) {
        uint32_t members[8];
        for (uint32_t i = 0; i < trace->comms.items[c].n_members; i++)
            members[i] = number[trace->comms.items[c].members[i]];
        memory_trace_add_comm(other, members, trace->comms.items[c].n_members);
    }
    for (uint32_t p = 0; p < n; p++) {
        for (size_t i = 0; i < trace->processes[p].events.count; i++) {
            Event event = trace->processes[p].events.items[i];
            if (event.kind == EVENT_SEND || event.kind == EVENT_RECV || event.kind == EVENT_ONE_SIDED)
                event.peer = number[event.peer];
            *vec_push(&other->processes[number[p]].events) = event;
        }
    }
    return other;
}

static void the_result_does_not_depend_on_which_process_is_walked_first(void **state)
{
    for (int i = 0; i < N_TRACES; i++) {
        MemoryTrace *trace = nth_trace(i);
        uint32_t n = trace->trace.application.n_processes, number[8];
        for (uint32_t p = 0; p < n; p++)
            number[p] = (p * (n == 4 || n == 2 || n == 6 ? n - 1 : 2) + 1) % n; /* some permutation, or all to one */
        bool seen[8] = {0}, is_permutation = true;
        for (uint32_t p = 0; p < n; p++) {
            is_permutation &= !seen[number[p]];
            seen[number[p]] = true;
        }
        for (uint32_t p = 0; p < n && !is_permutation; p++)
            number[p] = n - 1 - p;
        MemoryTrace *other = renumber(trace, number);
        Collector collector;
        OrderReport report;
        collect_ordered(other, *state, true, &collector, &report);
        check_against_reference(other, *state, &collector);
        collector_free(&collector);
        memory_trace_free(other);
        memory_trace_free(trace);
    }
}

static void traces_that_were_cut_off_are_ordered_the_same_way_however_they_are_read(void **state)
{
    for (int i = 0; i < N_TRACES; i++) {
        MemoryTrace *trace = nth_trace(i);
        cut_off(trace, (uint64_t)i);
        Collector whole, other;
        OrderReport report, other_report;
        collect_ordered(trace, *state, true, &whole, &report);
        uint64_t n_kept = report.n_events;
        for (uint64_t p = 0; p < report.n_problems && p < 16; p++)
            assert_int_not_equal(report.problems[p].kind, PROBLEM_CYCLE);
        assert_true(whole.events.count <= n_kept && whole.events.count + report.n_problems >= n_kept);
        trace->random = (uint64_t)i + 3;
        collect_ordered(trace, *state, true, &other, &other_report);
        assert_same_ticks(&whole, &other);
        assert_int_equal(report.n_problems, other_report.n_problems);
        assert_int_equal(report.n_unmatched_sends, other_report.n_unmatched_sends);
        assert_memory_equal(report.problems, other_report.problems, sizeof report.problems);
        collector_free(&whole);
        collector_free(&other);
        memory_trace_free(trace);
    }
}

static void without_receives_the_send_ticks_are_the_same(void **state)
{
    for (int i = 0; i < N_TRACES; i++) {
        MemoryTrace *trace = nth_trace(i);
        if (i % 2)
            cut_off(trace, (uint64_t)i);
        Collector all, sends;
        OrderReport report;
        collect_ordered(trace, *state, true, &all, &report);
        collect_ordered(trace, *state, false, &sends, &report);
        assert_int_equal(report.n_ticks, sends.n_ticks); /* empty ticks are not delivered */
        size_t s = 0;
        for (size_t e = 0; e < all.events.count; e++) {
            const CollectedEvent *event = &all.events.items[e];
            if (is_receive(event))
                continue;
            assert_int_equal(event->lt, sends.events.items[s].lt);
            assert_memory_equal(&event->event, &sends.events.items[s].event, sizeof(LogicalEvent));
            s++;
        }
        assert_int_equal(s, sends.events.count);
        collector_free(&all);
        collector_free(&sends);
        memory_trace_free(trace);
    }
}

#define PAS2P(test)                                                                                                    \
    {                                                                                                                  \
#test " (pas2p)", test, NULL, NULL, "pas2p"                                                                    \
    }
#define LAMPORT(test)                                                                                                  \
    {                                                                                                                  \
#test " (lamport)", test, NULL, NULL, "lamport"                                                                \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        PAS2P(gives_the_logical_times_of_the_definition),
        PAS2P(a_tick_has_at_most_one_event_of_a_process_in_ascending_order),
        PAS2P(a_process_receives_ascending_by_source_tag_and_bytes_within_a_tick),
        PAS2P(numbers_count_the_send_like_events_of_a_process),
        PAS2P(the_result_does_not_depend_on_how_the_source_is_read),
        PAS2P(the_result_does_not_depend_on_how_many_ticks_are_put_together_at_a_time),
        PAS2P(the_result_does_not_depend_on_which_process_is_walked_first),
        PAS2P(traces_that_were_cut_off_are_ordered_the_same_way_however_they_are_read),
        PAS2P(without_receives_the_send_ticks_are_the_same),
        LAMPORT(gives_the_logical_times_of_the_definition),
        LAMPORT(the_lamport_order_extends_happens_before),
        LAMPORT(a_tick_has_at_most_one_event_of_a_process_in_ascending_order),
        LAMPORT(numbers_count_the_send_like_events_of_a_process),
        LAMPORT(the_result_does_not_depend_on_how_the_source_is_read),
        LAMPORT(the_result_does_not_depend_on_how_many_ticks_are_put_together_at_a_time),
        LAMPORT(the_result_does_not_depend_on_which_process_is_walked_first),
        LAMPORT(traces_that_were_cut_off_are_ordered_the_same_way_however_they_are_read),
        LAMPORT(without_receives_the_send_ticks_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
