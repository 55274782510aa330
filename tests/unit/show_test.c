/* SPDX-License-Identifier: BSD-3-Clause */
/* The drawings and sums of `firma show`: the logical trace as in the thesis's figures, calls, pairs
 * of processes, events of a process. */
#include "../property/memory_trace.h"
#include "../property/random_trace.h"
#include "cli/values.h"
#include "signature/profile/excerpt.h"
#include "signature/profile/profile.h"
#include "test.h"
#include "verbs/show/events.h"
#include "verbs/show/logical.h"
#include "verbs/show/matrix.h"
#include "verbs/show/overview.h"

/* An iteration of SMG2000, as in figure 3.10. s2 is a send to process 2; processes count from 1
 * there. */
static const char *const SMG2000[4] = {"s2 r2 r3 r4 s3 s4", "s1 r1 s3 r3 r4 s4", "s1 s2 r1 r2 s4 r4",
                                       "s1 s2 s3 r1 r2 r3"};

static MemoryTrace *smg2000(int iterations)
{
    MemoryTrace *trace = memory_trace_new(4);
    for (int i = 0; i < iterations; i++)
        for (uint32_t p = 0; p < 4; p++)
            for (const char *c = SMG2000[p]; *c; c += c[2] ? 3 : 2)
                (c[0] == 's' ? add_send : add_recv)(trace, p, (uint32_t)(c[1] - '1'), 0, 20);
    return trace;
}

static Excerpt read_excerpt(MemoryTrace *trace, ExcerptRange range)
{
    Err err = {0};
    Excerpt excerpt;
    if (!excerpt_read(memory_trace_source(trace), "pas2p", &range, NULL, NULL, trace->arena, &excerpt, &err))
        fail_msg("%s", err.message);
    return excerpt;
}

static Profile read_profile(MemoryTrace *trace)
{
    Err err = {0};
    Profile profile;
    if (!profile_read(memory_trace_source(trace), NULL, trace->arena, &profile, &err))
        fail_msg("%s", err.message);
    return profile;
}

/* ---- the logical trace ---- */

static void an_iteration_of_smg2000_is_drawn_as_figure_3_15_has_it(void **state)
{
    MemoryTrace *trace = smg2000(2);
    Excerpt excerpt = read_excerpt(trace, (ExcerptRange){0, 11, 0, 4, true});
    assert_string_equal(logical_text(&excerpt, 0, 100, false, trace->arena),
                        "tick   0   1   2   3   4   5   6   7   8   9  10\n"
                        "LT     0   1   1   1   1   2   2   2   3   3   3\n"
                        "0     +1  -1  -2  -3  +2   .   .  +3   .   .   .\n"
                        "1     +0  -0   .   .  +2  -2  -3  +3   .   .   .\n"
                        "2     +0   .   .   .  +1  -0  -1  +3  -3   .   .\n"
                        "3     +0   .   .   .  +1   .   .  +2  -0  -1  -2\n"
                        "\npas2p order; +K sends to process K, -K receives from it; more follows: --ticks 11:21\n");
    memory_trace_free(trace);
}

static void a_narrow_terminal_gets_the_columns_in_blocks(void **state)
{
    MemoryTrace *trace = smg2000(1);
    Excerpt excerpt = read_excerpt(trace, (ExcerptRange){0, 11, 2, 4, true});
    assert_string_equal(logical_text(&excerpt, 0, 26, false, trace->arena),
                        "tick   0  1  2  3   4   5\nLT     0  1  1  1   1   2\n"
                        "2     +0  .  .  .  +1  -0\n3     +0  .  .  .  +1   .\n\n"
                        "tick   6   7   8   9  10\nLT     2   2   3   3   3\n"
                        "2     -1  +3  -3   .   .\n3      .  +2  -0  -1  -2\n"
                        "\npas2p order; +K sends to process K, -K receives from it; the trace ends here\n");
    memory_trace_free(trace);
}

static void without_receives_only_ticks_of_sends_are_counted(void **state)
{
    MemoryTrace *trace = smg2000(2);
    Excerpt excerpt = read_excerpt(trace, (ExcerptRange){4, 100, 0, 1, false});
    assert_int_equal(excerpt.n_ticks, 2);
    assert_int_equal(excerpt.ticks[0].number, 4);
    assert_int_equal(excerpt.ticks[0].lt, 4);
    assert_false(excerpt.more);
    memory_trace_free(trace);
}

static void what_lies_behind_the_range_is_not_read(void **state)
{
    MemoryTrace *trace = smg2000(200000);
    Excerpt excerpt = read_excerpt(trace, (ExcerptRange){5, 8, 0, 4, true});
    assert_int_equal(excerpt.n_ticks, 3);
    assert_true(excerpt.more);
    assert_true(trace->processes[0].n_read < trace->processes[0].events.count / 2);
    memory_trace_free(trace);
}

static void a_range_behind_the_end_says_how_many_ticks_there_are(void **state)
{
    MemoryTrace *trace = smg2000(1);
    Err err = {0};
    Excerpt excerpt;
    const ExcerptRange range = {11, 12, 0, 4, true};
    assert_false(excerpt_read(memory_trace_source(trace), "pas2p", &range, NULL, NULL, trace->arena, &excerpt, &err));
    assert_error(err, ERR_USAGE, "11 ticks");
    memory_trace_free(trace);
}

static void a_range_larger_than_the_limit_is_an_error(void **state)
{
    enum { PROCESSES = 4096, EXCHANGES = EXCERPT_CELL_LIMIT / PROCESSES / 2 + 1 };
    MemoryTrace *trace = memory_trace_new(PROCESSES);
    for (uint32_t i = 0; i < EXCHANGES; i++) {
        add_send(trace, 0, 1, 0, 8);
        add_recv(trace, 1, 0, 0, 8);
        add_send(trace, 1, 0, 0, 8);
        add_recv(trace, 0, 1, 0, 8);
    }
    Err err = {0};
    Excerpt excerpt;
    const ExcerptRange range = {0, UINT64_MAX, 0, PROCESSES, true};
    assert_false(excerpt_read(memory_trace_source(trace), "pas2p", &range, NULL, NULL, trace->arena, &excerpt, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    memory_trace_free(trace);
}

/* In random traces, each range holds the same as this range of the whole logical trace. */
static void a_range_is_a_part_of_the_whole_logical_trace(void **state)
{
    uint64_t random = 7;
    for (uint64_t seed = 1; seed < 40; seed++) {
        MemoryTrace *trace = random_trace(seed, 5, 80);
        Collector collector;
        OrderReport report;
        collect(trace, true, &collector, &report);
        uint64_t first = random_below(&random, (uint32_t)report.n_ticks), length = 1 + random_below(&random, 30);
        Excerpt excerpt = read_excerpt(trace, (ExcerptRange){first, first + length, 0, 5, true});
        size_t event = 0;
        for (size_t i = 0; i < collector.events.count; i++) {
            const CollectedEvent *whole = &collector.events.items[i];
            if (whole->tick < first || whole->tick >= first + length)
                continue;
            assert_memory_equal(&whole->event, &excerpt.events[event], sizeof(LogicalEvent));
            event++;
        }
        const ExcerptTick *last = &excerpt.ticks[excerpt.n_ticks - 1];
        assert_int_equal(event, last->first_event + last->n_events);
        collector_free(&collector);
        memory_trace_free(trace);
    }
}

/* ---- profile ---- */

static Event *set_times(Event *event, int64_t enter_ns, int64_t leave_ns, int64_t compute_ns)
{
    event->enter_ns = enter_ns;
    event->leave_ns = leave_ns;
    event->compute_ns = compute_ns;
    return event;
}

/* Process 0 posts two receives, sends, waits for both in one call, and enters a barrier. Process 1
 * sends, and enters the barrier. */
static MemoryTrace *two_processes(void)
{
    MemoryTrace *trace = memory_trace_new(2);
    static const Event begin = {.kind = EVENT_BEGIN}, end = {.kind = EVENT_END};
    Event post = {.kind = EVENT_RECV_POST}, receive = {.kind = EVENT_RECV, .peer = 1, .bytes = 100},
          send = {.kind = EVENT_SEND, .peer = 1, .bytes = 30, .request = NO_REQUEST},
          barrier = {.kind = EVENT_COLLECTIVE, .collective = COLLECTIVE_BARRIER, .peer = NO_ROOT};
    set_times(memory_trace_add(trace, 0, begin), 0, 100, 0);
    post.request = 1;
    set_times(memory_trace_add(trace, 0, post), 110, 120, 10);
    post.request = 2;
    set_times(memory_trace_add(trace, 0, post), 125, 130, 5);
    set_times(memory_trace_add(trace, 0, send), 200, 250, 70);
    receive.request = 1;
    set_times(memory_trace_add(trace, 0, receive), 300, 400, 50);
    receive.request = 2;
    set_times(memory_trace_add(trace, 0, receive), 300, 400, 0);
    set_times(memory_trace_add(trace, 0, barrier), 500, 700, 100);
    set_times(memory_trace_add(trace, 0, end), 800, 810, 100);
    set_times(memory_trace_add(trace, 1, begin), 0, 100, 0);
    send.peer = 0;
    send.bytes = 100;
    set_times(memory_trace_add(trace, 1, send), 150, 160, 50);
    set_times(memory_trace_add(trace, 1, send), 160, 170, 0);
    receive.peer = 0;
    receive.bytes = 30;
    receive.request = NO_REQUEST;
    set_times(memory_trace_add(trace, 1, receive), 200, 300, 30);
    set_times(memory_trace_add(trace, 1, barrier), 500, 700, 200);
    set_times(memory_trace_add(trace, 1, end), 900, 910, 200);
    return trace;
}

static void a_call_that_completes_two_receives_counts_once(void **state)
{
    MemoryTrace *trace = two_processes();
    Profile profile = read_profile(trace);
    const CallProfile *wait = &profile.calls[CALL_WAIT];
    assert_int_equal(wait->n_calls, 1);
    assert_int_equal(wait->time_ns, 100);
    assert_int_equal(wait->bytes_received, 200);
    assert_int_equal(profile.calls[CALL_IRECV].n_calls, 2);
    assert_int_equal(profile.calls[CALL_SEND].n_calls, 3);
    assert_int_equal(profile.calls[CALL_RECV].n_calls, 1);
    assert_int_equal(profile.calls[CALL_COLLECTIVE + COLLECTIVE_BARRIER].n_calls, 2);
    assert_int_equal(profile.n_messages, 3);
    memory_trace_free(trace);
}

static void the_time_of_a_process_is_computation_and_calls_from_init_to_finalize(void **state)
{
    MemoryTrace *trace = two_processes();
    Profile profile = read_profile(trace);
    const ProcessProfile *process = &profile.processes[0];
    assert_int_equal(process->lifetime.begin_ns, 100);
    assert_int_equal(process->lifetime.end_ns, 800);
    assert_int_equal(process->compute_ns, 335);
    assert_int_equal(process->mpi_ns, 10 + 5 + 50 + 100 + 200);
    assert_int_equal(process->compute_ns + process->mpi_ns, process->lifetime.end_ns - process->lifetime.begin_ns);
    assert_true(process->lifetime.finished);
    memory_trace_free(trace);
}

static void a_cut_off_process_ends_with_its_last_return(void **state)
{
    MemoryTrace *trace = memory_trace_new(1);
    add_begin(trace, 0);
    add_send(trace, 0, 0, 0, 8);
    Profile profile = read_profile(trace);
    assert_false(profile.processes[0].lifetime.finished);
    assert_int_equal(profile.processes[0].lifetime.begin_ns, 10);
    assert_int_equal(profile.processes[0].lifetime.end_ns, 20);
    memory_trace_free(trace);
}

static void a_process_without_records_has_no_time(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    add_begin(trace, 0);
    add_end(trace, 0);
    Profile profile = read_profile(trace);
    const OverviewView view = {false, false};
    assert_int_equal(profile.processes[1].lifetime.end_ns, profile.processes[1].lifetime.begin_ns);
    assert_non_null(strstr(overview_text(&profile, &trace->trace, &view, trace->arena),
                           "the records of 1 end before MPI_Finalize"));
    memory_trace_free(trace);
}

static void pairs_hold_what_was_sent_in_order_of_processes(void **state)
{
    MemoryTrace *trace = two_processes();
    Profile profile = read_profile(trace);
    assert_int_equal(profile.n_pairs, 2);
    assert_int_equal(profile.pairs[0].source, 0);
    assert_int_equal(profile.pairs[0].bytes, 30);
    assert_int_equal(profile.pairs[1].source, 1);
    assert_int_equal(profile.pairs[1].n_messages, 2);
    assert_int_equal(profile.pairs[1].bytes, 200);
    memory_trace_free(trace);
}

static void one_sided_communication_is_apart_from_messages(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    memory_trace_add(trace, 0, (Event){.kind = EVENT_ONE_SIDED, .peer = 1, .bytes = 64, .request = NO_REQUEST});
    Profile profile = read_profile(trace);
    assert_int_equal(profile.n_messages, 0);
    assert_int_equal(profile.n_pairs, 1);
    assert_int_equal(profile.pairs[0].n_one_sided, 1);
    assert_int_equal(profile.pairs[0].one_sided_bytes, 64);
    memory_trace_free(trace);
}

static void a_large_matrix_is_summed_up_in_blocks(void **state)
{
    MemoryTrace *trace = memory_trace_new(1000);
    for (uint32_t i = 0; i < 1000; i++)
        add_send(trace, i, (i + 1) % 1000, 0, 1000);
    Profile profile = read_profile(trace);
    const MatrixView view = {.columns = 60};
    const char *text = matrix_text(&profile, &trace->trace, &view, trace->arena);
    assert_non_null(strstr(text, "blocks of 256 processes"));
    assert_non_null(strstr(text, "0-255       255 kB  1.00 kB        .        .\n"));
    assert_non_null(strstr(text, "768-999    1.00 kB        .        .   231 kB\n"));
    memory_trace_free(trace);
}

/* ---- events of a process ---- */

static void events_are_numbered_and_cut_to_the_range(void **state)
{
    MemoryTrace *trace = two_processes();
    Err err = {0};
    ProcessEvents events;
    assert_true(profile_read_events(memory_trace_source(trace), 0, 2, 4, trace->arena, &events, &err));
    assert_int_equal(events.count, 2);
    assert_true(events.more);
    assert_int_equal(events.events[0].number, 2);
    assert_int_equal(events.events[0].send_event, 0);
    assert_int_equal(events.events[0].since_ns, 100);
    assert_int_equal(events.events[0].kind, CALL_SEND);
    assert_int_equal(events.events[1].send_event, 1);
    assert_int_equal(events.events[1].kind, CALL_WAIT);
    assert_int_equal(events.events[1].mpi_ns, 100);
    memory_trace_free(trace);
}

static void a_range_may_begin_in_the_middle_of_a_call(void **state)
{
    MemoryTrace *trace = two_processes();
    Err err = {0};
    ProcessEvents events;
    assert_true(profile_read_events(memory_trace_source(trace), 0, 4, 100, trace->arena, &events, &err));
    assert_int_equal(events.count, 2);
    assert_false(events.more);
    assert_int_equal(events.events[0].kind, CALL_WAIT);
    assert_int_equal(events.events[0].mpi_ns, 0);
    assert_int_equal(events.events[1].kind, CALL_COLLECTIVE + COLLECTIVE_BARRIER);
    memory_trace_free(trace);
}

static void events_that_are_not_there_are_an_error_that_counts_them(void **state)
{
    MemoryTrace *trace = two_processes();
    Err err = {0};
    ProcessEvents events;
    assert_false(profile_read_events(memory_trace_source(trace), 0, 6, 9, trace->arena, &events, &err));
    assert_error(err, ERR_USAGE, "6 events");
    memory_trace_free(trace);
}

/* ---- options and pictures ---- */

static void ranges_are_read_in_all_their_forms(void **state)
{
    static const struct {
        const char *text;
        Range range;
    } good[] = {{"3:7", {3, 8}}, {"3:", {3, UINT64_MAX}}, {":7", {0, 8}}, {"3", {3, 4}}, {"3:3", {3, 4}}};
    static const char *const bad[] = {"",     ":", "7:3", "3:7:9", "1:8x2",
                                      "-1:3", "a", "3:b", " 3",    "99999999999999999999"};
    Range range;
    Err err = {0};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(range_option_parse("--ticks", good[i].text, &range, &err));
        assert_int_equal(range.first, good[i].range.first);
        assert_int_equal(range.end, good[i].range.end);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(range_option_parse("--ticks", bad[i], &range, &err));
        assert_error(err, ERR_USAGE, "--ticks");
    }
}

static void a_process_without_events_has_a_picture(void **state)
{
    Arena *arena = arena_new();
    const ProcessEvents none = {.process = 1};
    const char *picture = events_picture(&none, "<script>", arena);
    assert_non_null(strstr(picture, "&lt;script&gt;: process 1"));
    assert_null(strstr(picture, "<script"));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_iteration_of_smg2000_is_drawn_as_figure_3_15_has_it),
        cmocka_unit_test(a_narrow_terminal_gets_the_columns_in_blocks),
        cmocka_unit_test(without_receives_only_ticks_of_sends_are_counted),
        cmocka_unit_test(what_lies_behind_the_range_is_not_read),
        cmocka_unit_test(a_range_behind_the_end_says_how_many_ticks_there_are),
        cmocka_unit_test(a_range_larger_than_the_limit_is_an_error),
        cmocka_unit_test(a_range_is_a_part_of_the_whole_logical_trace),
        cmocka_unit_test(a_call_that_completes_two_receives_counts_once),
        cmocka_unit_test(the_time_of_a_process_is_computation_and_calls_from_init_to_finalize),
        cmocka_unit_test(a_cut_off_process_ends_with_its_last_return),
        cmocka_unit_test(a_process_without_records_has_no_time),
        cmocka_unit_test(pairs_hold_what_was_sent_in_order_of_processes),
        cmocka_unit_test(one_sided_communication_is_apart_from_messages),
        cmocka_unit_test(a_large_matrix_is_summed_up_in_blocks),
        cmocka_unit_test(events_are_numbered_and_cut_to_the_range),
        cmocka_unit_test(a_range_may_begin_in_the_middle_of_a_call),
        cmocka_unit_test(events_that_are_not_there_are_an_error_that_counts_them),
        cmocka_unit_test(ranges_are_read_in_all_their_forms),
        cmocka_unit_test(a_process_without_events_has_a_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
