/* SPDX-License-Identifier: BSD-3-Clause */
/* Which occurrences firma simulate chooses, and whether what is left over is a run that can happen. */
#include "../property/memory_trace.h"
#include "simulation/calibrate.h"
#include "simulation/calls.h"
#include "simulation/creations.h"
#include "simulation/job_file.h"
#include "simulation/surrogate.h"
#include "test.h"

#include <math.h>

enum { STEPS = 40, BYTES = 8 };

static void assert_weights(const Loop *loop, uint64_t iterations, uint64_t block)
{
    Sample sample = {0};
    double sum = 0;
    sample_choose(loop, iterations, block, &sample);
    for (size_t i = 0; i < sample.count; i++) {
        sum += sample.items[i].weight;
        assert_true(!i || sample.items[i].occurrence > sample.items[i - 1].occurrence);
    }
    assert_true(fabs(sum / (double)loop_length(loop) - 1) < 1e-12);
    assert_int_equal(sample.items[0].occurrence, 0);
    assert_int_equal(sample.items[sample.count - 1].occurrence, loop_length(loop) - 1);
    assert_true(sample.items[0].weight == 1 && sample.items[sample.count - 1].weight == 1);
    vec_free(&sample);
}

static void a_sample_stands_for_all_occurrences(void **state)
{
    const Loop inner[] = {{.count = 7, .phase = 1}, {.count = 100, .phase = 2}};
    const Loop body[] = {{.count = 50, .body = inner, .n_body = 2}, {.count = 1, .phase = 3}};
    const Loop loop = {.count = 30, .body = body, .n_body = 2};
    for (uint64_t iterations = 3; iterations < 200; iterations *= 2)
        for (uint64_t block = 1; block < 64; block *= 4)
            assert_weights(&loop, iterations, block);
}

static void a_sample_of_everything_has_weights_of_one(void **state)
{
    const Loop loop = {.count = 30, .phase = 1};
    Sample sample = {0};
    sample_choose(&loop, 0, 1, &sample);
    assert_int_equal(sample.count, 30);
    for (size_t i = 0; i < sample.count; i++)
        assert_true(sample.items[i].occurrence == i && sample.items[i].weight == 1);
    vec_free(&sample);
}

static void a_block_stands_for_others_by_its_second_half_without_the_last_iteration(void **state)
{
    const Loop loop = {.count = 400, .phase = 1};
    Sample sample = {0};
    size_t i = 0, n_blocks = 0;
    sample_choose(&loop, 96, 8, &sample);
    while (sampled_is_known(&sample.items[i]))
        i++;
    for (; !sampled_is_known(&sample.items[i]); i += 8, n_blocks++)
        for (size_t k = 0; k < 8; k++) {
            assert_int_equal(sample.items[i + k].occurrence, sample.items[i].occurrence + k);
            assert_true(sampled_is_drawn(&sample.items[i + k]) == (k >= 4 && k < 7));
            assert_true(k < 4 || k > 6 || sample.items[i + k].unit.iteration == sample.items[i].occurrence);
        }
    assert_true(n_blocks >= 8 && i == sample.count - 1);
    vec_free(&sample);
}

/* Each step sends to the other process, and receives what was posted in the step before. extra: a step that
 * sends twice, so that it can't be left out. */
static MemoryTrace *exchange(int extra)
{
    MemoryTrace *trace = memory_trace_new(2);
    for (uint32_t process = 0; process < 2; process++) {
        add_begin(trace, process);
        add_post(trace, process, 0);
        for (int step = 0; step < STEPS; step++) {
            uint64_t request = (uint64_t)step + 1;
            add_send(trace, process, 1 - process, 5, BYTES);
            add_post(trace, process, request);
            add_completion(trace, process, 1 - process, 5, BYTES, request - 1);
            if (step == extra)
                add_send(trace, process, 1 - process, 6, BYTES);
            if (step == extra + 10)
                add_recv(trace, process, 1 - process, 6, BYTES);
        }
        add_cancel(trace, process, STEPS);
        add_end(trace, process);
    }
    return trace;
}

/* Each step is an occurrence. */
static Cuts cuts_of(int extra)
{
    Cuts cuts = {.n_processes = 2, .n_occurrences = STEPS};
    for (uint64_t step = 0; step <= STEPS; step++)
        for (uint32_t process = 0; process < 2; process++)
            *vec_push(&cuts.rows) = step + (extra >= 0 && step > (uint64_t)extra);
    for (uint64_t step = 0; step < STEPS; step++)
        *vec_push(&cuts.phases) = 1;
    return cuts;
}

static uint32_t count_kind(const RankWork *rank, EventKind kind)
{
    uint32_t n = 0;
    for (size_t i = 0; i < rank->events.count; i++)
        n += rank->events.items[i].kind == kind;
    return n;
}

static void work_of(MemoryTrace *trace, int extra, const Sample *sample, Work *work)
{
    Cuts cuts = cuts_of(extra);
    Err err = {0};
    assert_true(work_read(memory_trace_source(trace), &cuts, sample, NULL, work, &err));
    cuts_drop(&cuts);
}

static void receives_behind_a_gap_complete_what_was_posted_before_it(void **state)
{
    MemoryTrace *trace = exchange(-100);
    Sampled kept[] = {{.weight = 1},
                      {.occurrence = 17, .weight = 19},
                      {.occurrence = 30, .weight = 19},
                      {.occurrence = STEPS - 1, .weight = 1}};
    const Sample sample = {.items = kept, .count = 4};
    Work work;
    Err err = {0};
    work_of(trace, -1, &sample, &work);
    assert_null(work.misfit);
    assert_true(job_prepare(&work, &err));
    assert_false(work.has_unreceived);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(count_kind(&work.ranks[i], EVENT_SEND), 4);
        assert_int_equal(count_kind(&work.ranks[i], EVENT_RECV), 4);
        assert_int_equal(count_kind(&work.ranks[i], EVENT_RECV_POST), 4); /* the fifth is cancelled */
        assert_true(work.ranks[i].n_slots <= 3);
    }
    assert_int_equal(work.starts.count, 8);
    work_free(&work);
    memory_trace_free(trace);
}

static void a_message_across_a_gap_is_noticed(void **state)
{
    MemoryTrace *trace = exchange(16);
    Sampled kept[] = {{.weight = 1}, {.occurrence = 16, .weight = 38}, {.occurrence = STEPS - 1, .weight = 1}};
    const Sample sample = {.items = kept, .count = 3};
    Work work;
    Err err = {0};
    work_of(trace, 16, &sample, &work);
    assert_true(job_prepare(&work, &err));
    assert_true(work.has_unreceived);
    work_free(&work);
    memory_trace_free(trace);
}

static void a_receive_without_a_send_is_refused(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    Sampled kept[] = {{.weight = 1}};
    const Sample sample = {.items = kept, .count = 1};
    Cuts cuts = {.n_processes = 2};
    Work work;
    Err err = {0};
    add_recv(trace, 0, 1, 5, BYTES);
    assert_true(work_read(memory_trace_source(trace), &cuts, &sample, NULL, &work, &err));
    assert_false(job_prepare(&work, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    work_free(&work);
    memory_trace_free(trace);
}

/* Every third step computes ten times as long. */
static double step_compute_ns(uint64_t step)
{
    return step % 3 ? 100 : 1000;
}

static void weights_make_a_sample_compute_as_long_as_all_steps(void **state)
{
    TracedTime traced[STEPS] = {{0}}, kept[STEPS] = {{0}};
    Sample sample = {0};
    Cuts cuts = cuts_of(-1);
    const Loop loop = {.count = STEPS, .phase = 1};
    double all_ns = 0, all_ideal_ns = 0, found_ns = 0, found_ideal_ns = 0, n = 0;
    sample_choose(&loop, 28, 1, &sample);
    for (uint64_t step = 0; step < STEPS; step++) {
        traced[step] = (TracedTime){step_compute_ns(step), 50 + (double)step, 70 + (double)(step * 7 % 11)};
        all_ns += traced[step].compute_ns;
        all_ideal_ns += traced[step].ideal_ns;
    }
    for (size_t i = 0; i < sample.count; i++)
        kept[i] = traced[sample.items[i].occurrence];
    calibrate(&(Work){.traced = traced, .kept = kept}, &cuts, &sample);
    for (size_t i = 0; i < sample.count; i++) {
        assert_true(sample.items[i].weight > 0);
        assert_true(sampled_is_drawn(&sample.items[i]) || sample.items[i].weight == 1);
        found_ns += sample.items[i].weight * kept[i].compute_ns;
        found_ideal_ns += sample.items[i].weight * kept[i].ideal_ns;
        n += sample.items[i].weight;
    }
    assert_true(fabs(found_ns / all_ns - 1) < 1e-9);
    assert_true(fabs(found_ideal_ns / all_ideal_ns - 1) < 1e-9);
    assert_true(fabs(n / STEPS - 1) < 1e-9);
    vec_free(&sample);
    cuts_drop(&cuts);
}

enum { RING = 4, ROUNDS = 600 };

/* In each round, a process computes longer than the others, and each waits for the one before it. */
static MemoryTrace *ring(bool moves)
{
    MemoryTrace *trace = memory_trace_new(RING);
    for (uint32_t process = 0; process < RING; process++)
        add_begin(trace, process);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t process = 0; process < RING; process++) {
            const int64_t compute_ns = process == (moves ? round % RING : 0) ? 2000 : 1000;
            trace->now_ns += compute_ns;
            memory_trace_add(
                trace, process,
                (Event){.kind = EVENT_SEND, .peer = (process + 1) % RING, .bytes = BYTES, .request = NO_REQUEST})
                ->compute_ns = compute_ns;
        }
        for (uint32_t process = 0; process < RING; process++)
            add_recv(trace, process, (process + RING - 1) % RING, 0, BYTES);
    }
    for (uint32_t process = 0; process < RING; process++)
        add_end(trace, process);
    return trace;
}

/* By how much samples of such blocks last longer or shorter than in the run. */
static double context_of(MemoryTrace *trace, uint64_t block)
{
    const Loop loop = {.count = ROUNDS, .phase = 1};
    const double factors[RING] = {1, 1, 1, 1};
    Cuts cuts = {.n_processes = RING, .n_occurrences = ROUNDS};
    Surrogate surrogate = {.cuts = &cuts, .factors = factors};
    Sample sample = {0};
    Work work;
    Err err = {0};
    for (uint64_t round = 0; round <= ROUNDS; round++) {
        for (uint32_t process = 0; process < RING; process++)
            *vec_push(&cuts.rows) = round;
        *vec_push(&cuts.phases) = 1;
    }
    sample_choose(&loop, 120, block, &sample);
    assert_true(surrogate_run(&surrogate, memory_trace_source(trace), NULL, trace->arena, &err));
    assert_true(work_read(memory_trace_source(trace), &cuts, &sample, NULL, &work, &err));
    const double context = surrogate_compare(&surrogate, &work, &sample);
    work_free(&work);
    cuts_drop(&cuts);
    vec_free(&sample);
    return context;
}

static void iterations_are_drawn_in_blocks_if_the_load_moves(void **state)
{
    MemoryTrace *moving = ring(true), *steady = ring(false);
    assert_true(context_of(moving, 1) > 0.05);
    assert_true(context_of(moving, 12) < 0.001);
    assert_true(context_of(steady, 1) < 0.001);
    memory_trace_free(moving);
    memory_trace_free(steady);
}

enum { SENDS = 30 };

static void add_work(RankWork *rank, Event event, int64_t enter_ns, int64_t leave_ns)
{
    event.bytes = 1000;
    event.request = NO_REQUEST;
    event.enter_ns = enter_ns;
    event.leave_ns = leave_ns;
    *vec_push(&rank->events) = event;
    *vec_push(&rank->occurrences) = 0;
    *vec_push(&rank->sent_ns) = 0;
}

static void add_sends(RankWork *rank, int64_t duration_ns)
{
    for (int i = 0; i < SENDS; i++)
        add_work(rank, (Event){.kind = EVENT_SEND}, i * 2 * duration_ns, (i * 2 + 1) * duration_ns);
}

static void free_work(RankWork *rank)
{
    vec_free(&rank->events);
    vec_free(&rank->occurrences);
    vec_free(&rank->sent_ns);
}

/* How long a call is busy in a program of sends that all take so long. */
static int64_t busy_ns(double ranks_per_processor, int64_t duration_ns)
{
    const Trace trace = {.ranks_per_processor = ranks_per_processor};
    const double factor = 1;
    RankWork rank = {.n_slots = 0};
    Work work = {.trace = &trace, .n_processes = 1, .ranks = &rank};
    add_sends(&rank, duration_ns);
    calls_cost(&work, 1 << 16, &factor, NULL, NULL);
    int64_t busy_ns = event_lost_ns(&rank.events.items[SENDS / 2]);
    free_work(&rank);
    return busy_ns;
}

static void calls_that_waited_for_a_processor_do_not_tell_how_long_calls_are_busy(void **state)
{
    const int64_t short_ns = 512, long_ns = 1 << 22;
    assert_int_equal(busy_ns(1, short_ns), short_ns);
    assert_int_equal(busy_ns(4, short_ns), short_ns);
    assert_int_equal(busy_ns(1, long_ns), long_ns);
    assert_int_equal(busy_ns(4, long_ns), 0);
}

/* A receive that waits ends when the send could be over there, whose calls take longer like the computation. */
static void calls_of_slower_processors_take_longer_on_both_sides(void **state)
{
    enum { SEND_NS = 512 };
    const Trace trace = {.n_comms = 0};
    const uint32_t processors[] = {0, 1};
    const double factor = 3;
    RankWork ranks[2] = {{.n_slots = 0}};
    Work work = {.trace = &trace, .n_processes = 2, .ranks = ranks};
    Arena *arena = arena_new();
    Platform *platform;
    Err err = {0};
    assert_true(platform_from_text("2x1:1ns,1000GB/s", arena, &platform, &err));
    add_sends(&ranks[0], SEND_NS);
    add_work(&ranks[1], (Event){.kind = EVENT_RECV}, 0, SEND_NS);
    calls_cost(&work, 1 << 16, &factor, platform, processors);
    assert_int_equal(event_lost_ns(&ranks[0].events.items[0]), 3 * SEND_NS);
    assert_int_equal(ranks[1].events.items[0].bytes_received, 3 * SEND_NS - 2); /* less the latency and 1 ns of bytes */
    free_work(&ranks[0]);
    free_work(&ranks[1]);
    arena_free(arena);
}

static void add_creation(MemoryTrace *trace, uint32_t process, int64_t enter_ns, int64_t leave_ns)
{
    Event *event = memory_trace_add(
        trace, process,
        (Event){
            .kind = EVENT_COLLECTIVE, .collective = COLLECTIVE_CREATE_HANDLE, .peer = NO_ROOT, .request = NO_REQUEST});
    event->enter_ns = enter_ns;
    event->leave_ns = leave_ns;
}

static void a_communicator_is_gathered_if_nobody_returned_before_the_last_began(void **state)
{
    MemoryTrace *trace = memory_trace_new(2);
    Sampled kept[] = {{.weight = 1}};
    const Sample sample = {.items = kept, .count = 1};
    Cuts cuts = {.n_processes = 2};
    Work work;
    Err err = {0};
    const uint32_t made = memory_trace_add_comm(trace, (const uint32_t[]){1, 0}, 2);
    for (uint32_t process = 0; process < 2; process++) {
        add_creation(trace, process, 10 * process, 30 + process);
        add_creation(trace, process, 100 + 10 * process, 105 + 10 * process);
        add_collective(trace, process, made, COLLECTIVE_BARRIER, 0);
    }
    assert_true(work_read(memory_trace_source(trace), &cuts, &sample, NULL, &work, &err));
    creations_prepare(&work);
    for (uint32_t process = 0; process < 2; process++) {
        assert_int_equal(work.ranks[process].events.items[0].bytes, CREATION_BYTES);
        assert_int_equal(work.ranks[process].events.items[0].tag, made);
        assert_int_equal(work.ranks[process].events.items[1].bytes, 0);
        assert_int_equal(work.ranks[process].events.items[1].tag, 0);
    }
    work_free(&work);
    memory_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_stands_for_all_occurrences),
        cmocka_unit_test(a_sample_of_everything_has_weights_of_one),
        cmocka_unit_test(a_block_stands_for_others_by_its_second_half_without_the_last_iteration),
        cmocka_unit_test(receives_behind_a_gap_complete_what_was_posted_before_it),
        cmocka_unit_test(a_message_across_a_gap_is_noticed),
        cmocka_unit_test(a_receive_without_a_send_is_refused),
        cmocka_unit_test(calls_that_waited_for_a_processor_do_not_tell_how_long_calls_are_busy),
        cmocka_unit_test(calls_of_slower_processors_take_longer_on_both_sides),
        cmocka_unit_test(weights_make_a_sample_compute_as_long_as_all_steps),
        cmocka_unit_test(iterations_are_drawn_in_blocks_if_the_load_moves),
        cmocka_unit_test(a_communicator_is_gathered_if_nobody_returned_before_the_last_began),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
