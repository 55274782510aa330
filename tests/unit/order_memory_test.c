/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordering within a limit of memory: ticks that wait for receives go to a file. If other data
 * exceeds the limit, an error says so. */
#include "../property/memory_trace.h"
#include "test.h"

enum { LIMIT_BYTES = 1 << 20, WINDOW_TICKS = 64 };

static const OrderOptions LIMITED = {.memory_bytes = LIMIT_BYTES, .window_ticks = WINDOW_TICKS};

/* Process 0 sends one message first, and process 1 receives it last. So all ticks in between are
 * held. */
static MemoryTrace *one_late_receive(int n_exchanges)
{
    MemoryTrace *trace = memory_trace_new(3);
    add_send(trace, 0, 1, 9, 5);
    for (int i = 0; i < n_exchanges; i++) {
        for (uint32_t p = 0; p < 3; p++)
            add_send(trace, p, (p + 1) % 3, 0, 8);
        for (uint32_t p = 0; p < 3; p++)
            add_recv(trace, p, (p + 2) % 3, 0, 8);
    }
    add_recv(trace, 1, 0, 9, 5);
    return trace;
}

/* Every 100th message is received 20 000 messages later. So receives reach windows long after these
 * went to the file. */
static MemoryTrace *receives_that_lag(int n_messages)
{
    enum { EVERY = 100, LAG = 20000 };
    MemoryTrace *trace = memory_trace_new(2);
    for (int i = 0; i < n_messages + LAG; i++) {
        if (i < n_messages)
            add_send(trace, 0, 1, i % EVERY == 0, 8 + (uint64_t)i);
        if (i < n_messages && i % EVERY != 0)
            add_recv(trace, 1, 0, 0, 8 + (uint64_t)i);
        if (i >= LAG && i % EVERY == 0)
            add_recv(trace, 1, 0, 1, 8 + (uint64_t)(i - LAG));
    }
    return trace;
}

static bool order_limited(MemoryTrace *trace, const OrderOptions *options, bool wants_receives, Err *err)
{
    Collector collector = {.sink = {wants_receives, collect_tick}};
    OrderReport report;
    bool ok =
        order_trace("pas2p", memory_trace_source(trace), &collector.sink, options, NULL, trace->arena, &report, err);
    collector_free(&collector);
    return ok;
}

static void check_that_the_limit_changes_nothing(MemoryTrace *trace)
{
    Collector unlimited, limited;
    OrderReport report;
    collect(trace, true, &unlimited, &report);
    collect_with(trace, "pas2p", &LIMITED, true, &limited, &report);
    assert_int_equal(report.n_problems, 0);
    assert_same_ticks(&unlimited, &limited);
    setenv("TMPDIR", "/nowhere/at/all", 1); /* without the file, this would succeed */
    Err err = {0};
    assert_false(order_limited(trace, &LIMITED, true, &err));
    assert_non_null(strstr(err.message, "/nowhere/at/all"));
    unsetenv("TMPDIR");
    collector_free(&unlimited);
    collector_free(&limited);
    memory_trace_free(trace);
}

static void ticks_behind_a_late_receive_are_spilled_and_come_back_the_same(void **state)
{
    check_that_the_limit_changes_nothing(one_late_receive(20000));
}

static void receives_that_come_to_spilled_ticks_are_not_lost(void **state)
{
    check_that_the_limit_changes_nothing(receives_that_lag(60000));
}

static void without_receives_nothing_is_spilled(void **state)
{
    MemoryTrace *trace = one_late_receive(20000);
    setenv("TMPDIR", "/nowhere/at/all", 1);
    Err err = {0};
    assert_true(order_limited(trace, &LIMITED, false, &err));
    unsetenv("TMPDIR");
    memory_trace_free(trace);
}

static void messages_under_way_that_do_not_fit_are_an_error_that_says_so(void **state)
{
    enum { N = 400000 };
    MemoryTrace *trace = memory_trace_new(3);
    for (int i = 0; i < N; i++)
        add_send(trace, 0, 1, 0, 8);
    add_send(trace, 0, 2, 0, 8);
    add_recv(trace, 2, 0, 0, 8);
    add_send(trace, 2, 1, 0, 8);
    add_recv(trace, 1, 2, 0, 8); /* process 1 reaches the others only now */
    for (int i = 0; i < N; i++)
        add_recv(trace, 1, 0, 0, 8);
    Err err = {0};
    assert_false(order_limited(trace, &LIMITED, false, &err));
    assert_error(err, ERR_ENVIRONMENT, "messages in flight");
    assert_non_null(strstr(err.hint, "--memory"));
    const OrderOptions roomy = {.memory_bytes = 16 << 20, .window_ticks = WINDOW_TICKS};
    assert_true(order_limited(trace, &roomy, false, &err));
    memory_trace_free(trace);
}

static void a_small_limit_is_told_in_a_unit_that_shows_it(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    for (int i = 0; i < 1000; i++)
        add_send(trace, 0, 1, 0, 8);
    Err err = {0};
    const OrderOptions tiny = {.memory_bytes = 10 << 10, .window_ticks = WINDOW_TICKS};
    assert_false(order_limited(trace, &tiny, false, &err));
    assert_non_null(strstr(err.message, "the limit is 10.0 KiB"));
    memory_trace_free(trace);
}

static void events_read_ahead_that_do_not_fit_are_an_error(void **state)
{
    enum { N = 60000 };
    MemoryTrace *trace = memory_trace_new(2);
    add_post(trace, 1, 1); /* stays open: later receives have to wait */
    for (int i = 0; i < N; i++) {
        add_send(trace, 0, 1, 0, 8);
        add_recv(trace, 1, 0, 0, 8);
    }
    add_cancel(trace, 1, 1);
    Err err = {0};
    assert_false(order_limited(trace, &LIMITED, false, &err));
    assert_non_null(strstr(err.message, "read ahead"));
    memory_trace_free(trace);
}

static void a_limit_below_what_the_window_takes_is_an_error(void **state)
{
    MemoryTrace *trace = one_late_receive(1);
    const OrderOptions tiny = {.memory_bytes = 1000};
    Err err = {0};
    assert_false(order_limited(trace, &tiny, false, &err));
    assert_non_null(strstr(err.message, "ticks being put together"));
    memory_trace_free(trace);
}

/* The n-th message has the tag n. Each process's messages of one step arrive in the next step. So
 * forgetting a tag too early would show. */
static void a_new_tag_for_each_message_takes_no_more_memory_the_longer_it_goes_on(void **state)
{
    enum { STEPS = 200000, OLD_TAG = STEPS };
    MemoryTrace *trace = memory_trace_new(3);
    add_send(trace, 0, 1, OLD_TAG, 1); /* on its way all the time */
    for (uint32_t step = 0; step < STEPS; step++) {
        for (uint32_t p = 0; p < 3; p++)
            add_send(trace, p, (p + 1) % 3, step, 8 + step);
        for (uint32_t p = 0; p < 3; p++)
            add_recv(trace, p, (p + 2) % 3, step, 8 + step);
        if (step % 1000 == 0) /* a tag that comes again */
            for (uint32_t p = 0; p < 3; p++)
                add_send(trace, p, p, OLD_TAG + 1, 8);
        if (step % 1000 == 999)
            for (uint32_t p = 0; p < 3; p++)
                add_recv(trace, p, p, OLD_TAG + 1, 8);
    }
    add_recv(trace, 1, 0, OLD_TAG, 1);
    Collector collector;
    OrderReport report;
    const OrderOptions options = {.memory_bytes = 48 << 20};
    collect_with(trace, "lamport", &options, true, &collector, &report);
    assert_int_equal(report.n_problems, 0);
    assert_int_equal(report.n_unmatched_sends, 0);
    assert_int_equal(collector.events.count, 6 * STEPS + 6 * STEPS / 1000 + 2);
    collector_free(&collector);
    memory_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_behind_a_late_receive_are_spilled_and_come_back_the_same),
        cmocka_unit_test(receives_that_come_to_spilled_ticks_are_not_lost),
        cmocka_unit_test(without_receives_nothing_is_spilled),
        cmocka_unit_test(messages_under_way_that_do_not_fit_are_an_error_that_says_so),
        cmocka_unit_test(a_small_limit_is_told_in_a_unit_that_shows_it),
        cmocka_unit_test(events_read_ahead_that_do_not_fit_are_an_error),
        cmocka_unit_test(a_new_tag_for_each_message_takes_no_more_memory_the_longer_it_goes_on),
        cmocka_unit_test(a_limit_below_what_the_window_takes_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
