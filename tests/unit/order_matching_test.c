/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives get the sends of their stream in the order in which the receives were posted, not in the
 * order in which they complete. */
#include "../property/memory_trace.h"
#include "test.h"

/* Process 0 sends `n` messages to process 1 with bytes 1, 2, …: at LT 0, 1, … */
static MemoryTrace *sender(uint64_t n)
{
    MemoryTrace *trace = memory_trace_new(3);
    for (uint64_t i = 1; i <= n; i++)
        add_send(trace, 0, 1, 7, i);
    return trace;
}

/* Checks that the receive with these bytes has LT = 1 + LT of the `ordinal`-th send. */
static void assert_receives(const Collector *collector, uint64_t bytes, uint64_t ordinal)
{
    for (size_t i = 0; i < collector->events.count; i++) {
        const CollectedEvent *event = &collector->events.items[i];
        if (event->kind == TICK_RECV && event->event.bytes == bytes) {
            assert_int_equal(event->lt, ordinal + 1);
            return;
        }
    }
    fail_msg("no receive of %u bytes", (unsigned)bytes);
}

static void check_and_free(MemoryTrace *trace, const uint64_t *ordinals, uint64_t n)
{
    Collector collector;
    OrderReport report;
    collect(trace, true, &collector, &report);
    assert_int_equal(report.n_problems, 0);
    for (uint64_t i = 0; i < n; i++)
        assert_receives(&collector, 101 + i, ordinals[i]);
    collector_free(&collector);
    memory_trace_free(trace);
}

/* Receives have bytes 101, 102, … in the order of completion, so that a wrong match would be
 * found. */

static void receives_that_complete_in_reverse_match_in_the_order_of_posting(void **state)
{
    MemoryTrace *trace = sender(3);
    for (uint64_t request = 0; request < 3; request++)
        add_post(trace, 1, request);
    for (uint64_t i = 0; i < 3; i++)
        add_completion(trace, 1, 0, 7, 101 + i, 2 - i);
    check_and_free(trace, (uint64_t[]){2, 1, 0}, 3);
}

static void a_blocking_receive_after_a_post_matches_after_it(void **state)
{
    MemoryTrace *trace = sender(2);
    add_post(trace, 1, 5);
    add_recv(trace, 1, 0, 7, 101);
    add_completion(trace, 1, 0, 7, 102, 5);
    check_and_free(trace, (uint64_t[]){1, 0}, 2);
}

static void a_cancelled_receive_takes_no_send(void **state)
{
    MemoryTrace *trace = sender(2);
    add_post(trace, 1, 1);
    add_post(trace, 1, 2);
    add_completion(trace, 1, 0, 7, 101, 2);
    add_cancel(trace, 1, 1);
    add_recv(trace, 1, 0, 7, 102);
    check_and_free(trace, (uint64_t[]){0, 1}, 2);
}

static void a_receive_that_never_completes_takes_no_send(void **state)
{
    MemoryTrace *trace = sender(1);
    add_post(trace, 1, 1);
    add_post(trace, 1, 2);
    add_completion(trace, 1, 0, 7, 101, 2);
    check_and_free(trace, (uint64_t[]){0}, 1);
}

static void numbers_of_requests_may_be_used_again(void **state)
{
    MemoryTrace *trace = sender(4);
    for (int round = 0; round < 2; round++) {
        add_post(trace, 1, 8);
        add_post(trace, 1, 4);
        add_completion(trace, 1, 0, 7, (uint64_t)(101 + 2 * round), 4);
        add_completion(trace, 1, 0, 7, (uint64_t)(102 + 2 * round), 8);
    }
    check_and_free(trace, (uint64_t[]){1, 0, 3, 2}, 4);
}

static void streams_differ_by_tag(void **state)
{
    MemoryTrace *trace = sender(1);
    add_send(trace, 0, 1, 8, 9);
    add_recv(trace, 1, 0, 8, 101);
    add_recv(trace, 1, 0, 7, 102);
    check_and_free(trace, (uint64_t[]){1, 0}, 2);
}

static void a_post_that_stays_open_too_long_is_skipped_and_counted(void **state)
{
    enum { N = 70000 };
    MemoryTrace *trace = sender(N);
    add_post(trace, 1, 1);
    for (uint64_t i = 0; i + 1 < N; i++)
        add_recv(trace, 1, 0, 7, 101 + i);
    add_completion(trace, 1, 0, 7, 101 + N - 1, 1);
    Collector collector;
    OrderReport report;
    collect(trace, true, &collector, &report);
    assert_int_equal(report.n_skipped_posts, 1);
    assert_int_equal(report.n_problems, 0);
    assert_receives(&collector, 101, 0);
    assert_receives(&collector, 101 + N - 1, N - 1);
    collector_free(&collector);
    memory_trace_free(trace);
}

static void many_receives_that_complete_out_of_order_take_no_quadratic_time(void **state)
{
    enum { N = 30000 };
    MemoryTrace *trace = sender(N);
    for (uint64_t request = 0; request < N; request++)
        add_post(trace, 1, request * 4096); /* looks like an address */
    for (uint64_t i = 0; i < N; i++)
        add_completion(trace, 1, 0, 7, 101 + i, (N - 1 - i) * 4096);
    Collector collector;
    OrderReport report;
    collect(trace, true, &collector, &report);
    assert_int_equal(report.n_problems, 0);
    assert_receives(&collector, 101, N - 1);
    collector_free(&collector);
    memory_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(receives_that_complete_in_reverse_match_in_the_order_of_posting),
        cmocka_unit_test(a_blocking_receive_after_a_post_matches_after_it),
        cmocka_unit_test(a_cancelled_receive_takes_no_send),
        cmocka_unit_test(a_receive_that_never_completes_takes_no_send),
        cmocka_unit_test(numbers_of_requests_may_be_used_again),
        cmocka_unit_test(streams_differ_by_tag),
        cmocka_unit_test(a_post_that_stays_open_too_long_is_skipped_and_counted),
        cmocka_unit_test(many_receives_that_complete_out_of_order_take_no_quadratic_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
