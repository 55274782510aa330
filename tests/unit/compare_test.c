/* SPDX-License-Identifier: BSD-3-Clause */
/* Differences between two made-up traces. */
#include "property/memory_trace.h"
#include "signature/compare/compare.h"
#include "test.h"

typedef struct Two {
    MemoryTrace *traces[2];
    Arena *arena;
    TraceDifference events;
} Two;

/* A ring of processes with `steps` exchanges, and a reduction after each. */
static MemoryTrace *ring(uint32_t n, uint32_t steps, uint64_t bytes)
{
    MemoryTrace *trace = memory_trace_new(n);
    for (uint32_t process = 0; process < n; process++) {
        add_begin(trace, process);
        for (uint32_t step = 0; step < steps; step++) {
            add_send(trace, process, (process + 1) % n, 7, bytes);
            add_recv(trace, process, (process + n - 1) % n, 7, bytes);
            add_collective(trace, process, 0, COLLECTIVE_ALLREDUCE, 8);
        }
        add_end(trace, process);
    }
    return trace;
}

static Two compare(MemoryTrace *a, MemoryTrace *b)
{
    Two two = {.traces = {a, b}, .arena = arena_new()};
    EventSource *const sources[2] = {memory_trace_source(a), memory_trace_source(b)};
    Err err = {0};
    if (!compare_events(sources, NULL, two.arena, &two.events, &err))
        fail_msg("%s", err.message);
    return two;
}

static PhasesDifference phases_of(const Two *two)
{
    const PhaseParameters parameters = PHASE_PARAMETERS_DEFAULT;
    EventSource *const sources[2] = {memory_trace_source(two->traces[0]), memory_trace_source(two->traces[1])};
    PhasesDifference phases = {0};
    Err err = {0};
    if (!compare_phases(sources, &two->events, &parameters, NULL, NULL, two->arena, &phases, &err))
        fail_msg("%s", err.message);
    return phases;
}

static void done(Two *two)
{
    memory_trace_free(two->traces[0]);
    memory_trace_free(two->traces[1]);
    arena_free(two->arena);
}

static void a_trace_is_the_same_as_itself(void **state)
{
    Two two = compare(ring(4, 1000, 64), ring(4, 1000, 64));
    assert_int_equal(two.events.sends, LIKENESS_SAME);
    assert_int_equal(two.events.receives, LIKENESS_SAME);
    assert_int_equal(two.events.common, 8000);
    assert_int_equal(two.events.count[1], 8000);
    assert_int_equal(two.events.n_pairs, 4);
    assert_int_equal(two.events.n_different_pairs, 0);
    assert_true(two.events.application_s[0] > 0);
    PhasesDifference phases = phases_of(&two);
    assert_true(phases.same_sequence);
    assert_true(phases.common == 1);
    done(&two);
}

static void batches_of_any_size_give_the_same_result(void **state)
{
    for (size_t batch = 1; batch <= 7; batch += 3) {
        MemoryTrace *a = ring(3, 500, 64), *b = ring(3, 500, 64);
        a->largest_batch = batch;
        b->random = 17 + batch;
        b->processes[1].events.items[750].bytes = 63;
        Two two = compare(a, b);
        const SequenceDifference *sends = &two.events.processes[1].sends;
        const SequenceDifference *receives = &two.events.processes[1].receives;
        bool is_receive = b->processes[1].events.items[750].kind == EVENT_RECV;
        assert_int_equal(sends->common + receives->common, 1499);
        assert_int_equal((is_receive ? receives : sends)->likeness, LIKENESS_VOLUMES);
        done(&two);
    }
}

static void events_in_another_order_are_found_with_their_place(void **state)
{
    MemoryTrace *a = ring(3, 100, 64), *b = ring(3, 100, 64);
    for (int i = 0; i < 2; i++) {
        MemoryTrace *trace = i ? b : a;
        add_send(trace, 0, i ? 2 : 1, 7, 8);
        add_send(trace, 0, i ? 1 : 2, 7, 8);
    }
    Two two = compare(a, b);
    const SequenceDifference *sends = &two.events.processes[0].sends;
    assert_int_equal(two.events.sends, LIKENESS_ORDER);
    assert_int_equal(sends->likeness, LIKENESS_ORDER);
    assert_int_equal(sends->first, 200);
    assert_int_equal(sends->common, 202);
    assert_int_equal(sends->event[0].type, comm_type_message(TYPE_SEND, 1));
    assert_int_equal(sends->event[1].type, comm_type_message(TYPE_SEND, 2));
    assert_int_equal(two.events.processes[1].sends.likeness, LIKENESS_SAME);
    done(&two);
}

static void receives_that_complete_in_another_order_leave_the_sends_the_same(void **state)
{
    MemoryTrace *a = ring(3, 10, 64), *b = ring(3, 10, 64);
    for (int i = 0; i < 2; i++) {
        MemoryTrace *trace = i ? b : a;
        add_recv(trace, 0, i ? 2 : 1, 7, 8);
        add_recv(trace, 0, i ? 1 : 2, 7, 8);
    }
    Two two = compare(a, b);
    assert_int_equal(two.events.sends, LIKENESS_SAME);
    assert_int_equal(two.events.receives, LIKENESS_ORDER);
    assert_int_equal(two.events.processes[0].receives.first, 10);
    done(&two);
}

static void another_volume_keeps_the_partners(void **state)
{
    Two two = compare(ring(2, 50, 64), ring(2, 50, 128));
    assert_int_equal(two.events.sends, LIKENESS_VOLUMES);
    assert_int_equal(two.events.common, 100);
    assert_int_equal(two.events.n_different_pairs, 2);
    assert_int_equal(two.events.pairs[0].bytes[1], 6400);
    done(&two);
}

static void more_steps_make_one_the_beginning_of_the_other(void **state)
{
    Two two = compare(ring(2, 50, 64), ring(2, 60, 64));
    assert_int_equal(two.events.sends, LIKENESS_SHORTER);
    assert_int_equal(two.events.processes[0].sends.first, 100);
    assert_int_equal(two.events.processes[0].sends.event[0].type, 0);
    assert_int_equal(two.events.processes[0].sends.event[1].type, comm_type_message(TYPE_SEND, 1));
    assert_int_equal(two.events.common, 200);
    PhasesDifference phases = phases_of(&two);
    assert_false(phases.same_sequence);
    assert_int_equal(phases.n_only[0], 0);
    assert_int_equal(phases.phases[0].weight[0], 50);
    assert_int_equal(phases.phases[0].weight[1], 60);
    done(&two);
}

static void other_events_are_other_content_and_other_phases(void **state)
{
    MemoryTrace *b = ring(2, 40, 64);
    for (int i = 0; i < 40; i++)
        for (uint32_t process = 0; process < 2; process++)
            add_collective(b, process, 0, COLLECTIVE_ALLTOALL, 64);
    Two two = compare(ring(2, 80, 64), b);
    assert_int_equal(two.events.sends, LIKENESS_CONTENT);
    assert_int_equal(two.events.common, 160);
    PhasesDifference phases = phases_of(&two);
    assert_int_equal(phases.n_only[1], 1);
    assert_true(phases.common < 1);
    done(&two);
}

static void a_process_that_one_trace_lacks_is_all_difference(void **state)
{
    Two two = compare(ring(3, 10, 64), ring(2, 10, 64));
    assert_int_equal(two.events.n_processes, 3);
    assert_int_equal(two.events.processes[2].sends.count[0], 20);
    assert_int_equal(two.events.processes[2].sends.count[1], 0);
    assert_int_equal(two.events.processes[2].sends.likeness, LIKENESS_SHORTER);
    done(&two);
}

static void pairs_that_differ_most_are_kept_in_order(void **state)
{
    MemoryTrace *a = memory_trace_new(30), *b = memory_trace_new(30);
    for (uint32_t peer = 1; peer < 30; peer++) {
        add_send(a, 0, peer, 1, 1000);
        add_send(b, 0, peer, 1, 1000 + peer);
    }
    Two two = compare(a, b);
    assert_int_equal(two.events.n_different_pairs, 29);
    assert_int_equal(two.events.n_kept, PAIRS_KEPT);
    for (uint32_t i = 0; i < PAIRS_KEPT; i++)
        assert_int_equal(two.events.pairs[i].destination, 29 - i);
    done(&two);
}

static void counts_by_kind(void **state)
{
    MemoryTrace *a = ring(2, 5, 8), *b = ring(2, 5, 8);
    memory_trace_add(b, 0, (Event){.kind = EVENT_ONE_SIDED, .peer = 1, .bytes = 4});
    Two two = compare(a, b);
    const ProcessDifference *process = &two.events.processes[0];
    assert_int_equal(process->count[COMPARED_SENDS][0], 5);
    assert_int_equal(process->count[COMPARED_RECEIVES][0], 5);
    assert_int_equal(process->count[COMPARED_COLLECTIVES][1], 5);
    assert_int_equal(process->count[COMPARED_ONE_SIDED][0], 0);
    assert_int_equal(process->count[COMPARED_ONE_SIDED][1], 1);
    done(&two);
}

static bool fail_to_read(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    (void)source, (void)process, (void)events, (void)capacity, (void)count;
    return err_set(err, ERR_INPUT, "broken");
}

static void a_trace_that_cannot_be_read_is_named(void **state)
{
    Two two = {.traces = {ring(2, 5, 8), ring(2, 5, 8)}, .arena = arena_new()};
    EventSource *const sources[2] = {memory_trace_source(two.traces[0]), memory_trace_source(two.traces[1])};
    sources[1]->read = fail_to_read;
    Err err = {0};
    assert_false(compare_events(sources, NULL, two.arena, &two.events, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_string_equal(err.message, "trace B: broken");
    done(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_is_the_same_as_itself),
        cmocka_unit_test(batches_of_any_size_give_the_same_result),
        cmocka_unit_test(events_in_another_order_are_found_with_their_place),
        cmocka_unit_test(receives_that_complete_in_another_order_leave_the_sends_the_same),
        cmocka_unit_test(another_volume_keeps_the_partners),
        cmocka_unit_test(more_steps_make_one_the_beginning_of_the_other),
        cmocka_unit_test(other_events_are_other_content_and_other_phases),
        cmocka_unit_test(a_process_that_one_trace_lacks_is_all_difference),
        cmocka_unit_test(pairs_that_differ_most_are_kept_in_order),
        cmocka_unit_test(counts_by_kind),
        cmocka_unit_test(a_trace_that_cannot_be_read_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
