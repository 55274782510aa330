/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that are written down for any number of processes: what is extrapolated from small runs is what they do in
 * large ones. */
#include "property/memory_trace.h"
#include "scaling/extrapolate/extrapolate.h"
#include "test.h"

enum { STEPS = 6, RUNS = 3, LARGE = 64 };

/* What one process does in one step. */
typedef void Step(MemoryTrace *trace, uint32_t p, uint32_t process);

static MemoryTrace *make_run(Step *step, uint32_t p)
{
    MemoryTrace *trace = memory_trace_new(p);
    for (uint32_t i = 0; i < p; i++) {
        add_begin(trace, i);
        for (int k = 0; k < STEPS; k++) {
            step(trace, p, i);
            add_collective(trace, i, 0, COLLECTIVE_ALLREDUCE, 8);
        }
        add_end(trace, i);
    }
    return trace;
}

static bool extrapolate_from(const uint32_t *counts, Step *step, uint32_t p, Arena *arena, Extrapolated *found,
                             Err *err)
{
    MemoryTrace *traces[RUNS];
    ExtrapolationRun runs[RUNS];
    for (int i = 0; i < RUNS; i++) {
        traces[i] = make_run(step, counts[i]);
        runs[i] = (ExtrapolationRun){"run", memory_trace_source(traces[i])};
    }
    bool ok = extrapolate(runs, RUNS, p, NULL, arena, found, err);
    for (int i = 0; i < RUNS; i++)
        memory_trace_free(traces[i]);
    return ok;
}

static void assert_same_event(const Event *found, const Event *expected)
{
    assert_int_equal(found->kind, expected->kind);
    assert_int_equal(found->collective, expected->collective);
    assert_int_equal(found->bytes, expected->bytes);
    if (found->kind == EVENT_SEND || found->kind == EVENT_RECV)
        assert_int_equal(found->peer, expected->peer);
}

static void assert_extrapolates_from(const uint32_t *counts, Step *step, const char *layout)
{
    Arena *arena = arena_new();
    Extrapolated found;
    Err err = {0};
    MemoryTrace *expected = make_run(step, LARGE);
    if (!extrapolate_from(counts, step, LARGE, arena, &found, &err))
        fail_msg("%s", err.message);
    assert_string_equal(found.layout, layout);
    for (uint32_t i = 0; i < LARGE; i++) {
        assert_int_equal(found.counts[i], expected->processes[i].events.count);
        for (size_t k = 0; k < found.counts[i]; k++)
            assert_same_event(&found.events[i][k], &expected->processes[i].events.items[k]);
    }
    memory_trace_free(expected);
    arena_free(arena);
}

/* Runs of 4, 8 and 16 tell all of the run of 64. */
static void assert_extrapolates(Step *step, const char *layout)
{
    static const uint32_t counts[RUNS] = {4, 8, 16};
    assert_extrapolates_from(counts, step, layout);
}

static void exchange(MemoryTrace *trace, uint32_t process, uint32_t to, uint32_t from, uint64_t bytes)
{
    add_send(trace, process, to, 0, bytes);
    add_recv(trace, process, from, 0, bytes);
}

static void ring(MemoryTrace *trace, uint32_t p, uint32_t process)
{
    exchange(trace, process, (process + 1) % p, (process + p - 1) % p, 1 << 20);
}

static void a_ring_stays_a_ring(void **state)
{
    assert_extrapolates(ring, "a ring");
}

/* Blocks travel around half of the ring, so the number of hops grows with p. */
static void systolic(MemoryTrace *trace, uint32_t p, uint32_t process)
{
    for (uint32_t hop = 0; hop < p / 2; hop++)
        ring(trace, p, process);
    exchange(trace, process, (process + p / 2) % p, (process + p - p / 2) % p, 100);
}

static void loops_grow_as_over_the_runs(void **state)
{
    assert_extrapolates(systolic, "a ring");
}

/* Around half of the ring, each hop in one call. The second hop computes longer before, so the loop of the others begins
 * within a call. */
static void sendrecv_hops(MemoryTrace *trace, uint32_t p, uint32_t process)
{
    for (uint32_t hop = 0; hop < p / 2; hop++) {
        ring(trace, p, process);
        Event *last = &trace->processes[process].events.items[trace->processes[process].events.count - 1];
        last[-1].compute_ns = hop == 1 ? 1000 : 10;
        last->enter_ns = last[-1].enter_ns;
        last[-1].leave_ns = last->leave_ns;
    }
}

static void events_of_one_call_stay_together(void **state)
{
    static const uint32_t counts[RUNS] = {8, 16, 32};
    Arena *arena = arena_new();
    Extrapolated found;
    Err err = {0};
    (void)state;
    if (!extrapolate_from(counts, sendrecv_hops, LARGE, arena, &found, &err))
        fail_msg("%s", err.message);
    for (uint32_t i = 0; i < LARGE; i++)
        for (size_t k = 0; k + 1 < found.counts[i]; k++)
            if (found.events[i][k].kind == EVENT_SEND)
                assert_true(event_is_of_call(&found.events[i][k + 1], &found.events[i][k]));
    arena_free(arena);
}

static void line(MemoryTrace *trace, uint32_t p, uint32_t process)
{
    uint64_t bytes = (UINT64_C(1) << 20) / p;
    if (process + 1 < p)
        add_send(trace, process, process + 1, 0, bytes);
    if (process > 0)
        add_recv(trace, process, process - 1, 0, bytes);
}

static void ends_of_a_line_stay_ends_and_volumes_shrink(void **state)
{
    assert_extrapolates(line, "a line");
}

/* As of MPI_Dims_create: the largest divisor up to the root. */
static uint32_t columns_of(uint32_t p)
{
    uint32_t columns = 1;
    for (uint32_t i = 1; i * i <= p; i++)
        columns = p % i ? columns : i;
    return columns;
}

/* Open on all sides. */
static void grid(MemoryTrace *trace, uint32_t p, uint32_t process)
{
    uint32_t columns = columns_of(p), rows = p / columns, row = process / columns, column = process % columns;
    uint64_t across = 4096 / columns, along = 4096 / rows;
    if (row > 0)
        exchange(trace, process, process - columns, process - columns, across);
    if (row + 1 < rows)
        exchange(trace, process, process + columns, process + columns, across);
    if (column > 0)
        exchange(trace, process, process - 1, process - 1, along);
    if (column + 1 < columns)
        exchange(trace, process, process + 1, process + 1, along);
}

static void corners_edges_and_inner_processes_of_a_grid_stay_such(void **state)
{
    assert_extrapolates(grid, "a grid");
}

static void butterfly(MemoryTrace *trace, uint32_t p, uint32_t process)
{
    for (uint32_t distance = 1; distance < p; distance *= 2)
        exchange(trace, process, process ^ distance, process ^ distance, 4096 * distance / p);
}

/* Closed on all sides. */
static void torus(MemoryTrace *trace, uint32_t p, uint32_t process)
{
    uint32_t columns = columns_of(p), rows = p / columns, row = process / columns, column = process % columns;
    uint32_t down = (row + 1) % rows * columns + column, up = (row + rows - 1) % rows * columns + column,
             right = row * columns + (column + 1) % columns, left = row * columns + (column + columns - 1) % columns;
    add_send(trace, process, down, 1, 4096 / columns);
    add_recv(trace, process, up, 1, 4096 / columns);
    add_send(trace, process, up, 2, 4096 / columns);
    add_recv(trace, process, down, 2, 4096 / columns);
    add_send(trace, process, right, 3, 4096 / rows);
    add_recv(trace, process, left, 3, 4096 / rows);
    add_send(trace, process, left, 4, 4096 / rows);
    add_recv(trace, process, right, 4, 4096 / rows);
}

static void both_directions_of_a_torus_stay_apart(void **state)
{
    assert_extrapolates(torus, "a torus");
}

/* Runs of 2, 4 and 8 have both ends of the short side, and nothing between them. */
static void between_two_ends_both_are_put_together(void **state)
{
    static const uint32_t counts[RUNS] = {2, 4, 8};
    assert_extrapolates_from(counts, grid, "a grid");
}

static void a_hypercube_gets_further_bits(void **state)
{
    assert_extrapolates(butterfly, "a hypercube");
}

static void tree(MemoryTrace *trace, uint32_t p, uint32_t process)
{
    if (process)
        add_recv(trace, process, (process - 1) / 2, 0, 100);
    for (uint32_t child = 2 * process + 1; child < p && child <= 2 * process + 2; child++)
        add_send(trace, process, child, 0, 100);
}

static void a_tree_gets_further_levels(void **state)
{
    assert_extrapolates(tree, "a binary tree");
}

static void star(MemoryTrace *trace, uint32_t p, uint32_t process)
{
    for (uint32_t i = 1; i < p && process == 0; i++)
        add_recv(trace, process, i, 0, 50);
    if (process)
        add_send(trace, process, 0, 0, 50);
}

static void a_first_process_hears_all_workers(void **state)
{
    assert_extrapolates(star, "a first process with workers");
}

static uint32_t scatter(uint32_t process, uint32_t p)
{
    return (process * process * 7 + process / 3 * 2 + 1) % p;
}

/* Partners that no layout has. */
static void scattered(MemoryTrace *trace, uint32_t p, uint32_t process)
{
    uint32_t partner = scatter(process, p);
    add_send(trace, process, partner, 0, 100);
    for (uint32_t i = 0; i < p; i++)
        if (scatter(i, p) == process)
            add_recv(trace, process, i, 0, 100);
}

static void partners_without_a_layout_are_refused(void **state)
{
    static const uint32_t counts[RUNS] = {4, 8, 16};
    Arena *arena = arena_new();
    Extrapolated found;
    Err err = {0};
    assert_false(extrapolate_from(counts, scattered, LARGE, arena, &found, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    arena_free(arena);
}

/* Whatever the number of processes is, there are events or an error. */
static void any_number_of_processes_has_events_or_is_refused(void **state)
{
    static Step *const steps[] = {ring, systolic, line, grid, torus, butterfly, tree, star, scattered};
    static const uint32_t counts[RUNS] = {1, 2, 5}, others[] = {1, 2, 3, 7, 12, 30};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            Arena *arena = arena_new();
            Extrapolated found;
            Err err = {0};
            if (!extrapolate_from(counts, steps[i], others[k], arena, &found, &err))
                assert_int_equal(err.kind, ERR_INPUT);
            else
                assert_int_equal(found.trace.application.n_processes, others[k]);
            arena_free(arena);
        }
}

static void assert_same_partners(const Extrapolated *found, Step *step, uint32_t p)
{
    MemoryTrace *expected = make_run(step, p);
    for (uint32_t i = 0; i < p; i++) {
        assert_int_equal(found->counts[i], expected->processes[i].events.count);
        for (size_t k = 0; k < found->counts[i]; k++) {
            const Event *event = &found->events[i][k], *known = &expected->processes[i].events.items[k];
            assert_int_equal(event->kind, known->kind);
            if (event->kind == EVENT_SEND || event->kind == EVENT_RECV)
                assert_int_equal(event->peer, known->peer);
        }
    }
    memory_trace_free(expected);
}

/* Between the runs' numbers of processes and beyond them. A grid of 7 processes is a line, and not a torus whose
 * processes are their own neighbours. */
static void partners_are_right_or_refused(void **state)
{
    static Step *const steps[] = {ring, line, grid, torus, tree, star};
    static const uint32_t counts[][RUNS] = {{2, 4, 8}, {4, 8, 16}, {8, 16, 32}};
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            for (uint32_t p = 2; p < 20; p++) {
                Arena *arena = arena_new();
                Extrapolated found;
                Err err = {0};
                if (extrapolate_from(counts[k], steps[i], p, arena, &found, &err))
                    assert_same_partners(&found, steps[i], p);
                else
                    assert_int_equal(err.kind, ERR_INPUT);
                arena_free(arena);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_stays_a_ring),
        cmocka_unit_test(loops_grow_as_over_the_runs),
        cmocka_unit_test(events_of_one_call_stay_together),
        cmocka_unit_test(ends_of_a_line_stay_ends_and_volumes_shrink),
        cmocka_unit_test(corners_edges_and_inner_processes_of_a_grid_stay_such),
        cmocka_unit_test(both_directions_of_a_torus_stay_apart),
        cmocka_unit_test(between_two_ends_both_are_put_together),
        cmocka_unit_test(a_hypercube_gets_further_bits),
        cmocka_unit_test(a_tree_gets_further_levels),
        cmocka_unit_test(a_first_process_hears_all_workers),
        cmocka_unit_test(any_number_of_processes_has_events_or_is_refused),
        cmocka_unit_test(partners_are_right_or_refused),
        cmocka_unit_test(partners_without_a_layout_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
