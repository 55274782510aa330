/* SPDX-License-Identifier: BSD-3-Clause */
/* Folding sequences into loops: expanding gives back the sequence, loops are found, and memory
 * stays small. */
#include "../property/memory_trace.h"
#include "signature/phases/grid.h"
#include "unit/fixture.h"

typedef VEC(uint32_t) Sequence;

static void expand(const Loop *loop, Sequence *sequence)
{
    for (uint64_t i = 0; i < loop->count; i++) {
        if (loop->phase)
            *vec_push(sequence) = loop->phase;
        for (uint32_t b = 0; b < loop->n_body; b++)
            expand(&loop->body[b], sequence);
    }
}

static uint64_t count_nodes(const Loop *loop)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < loop->n_body; i++)
        n += count_nodes(&loop->body[i]);
    return n;
}

/* The id of a phase is its index + 1. */
static Loop fold(const Sequence *sequence)
{
    uint32_t ids[256];
    for (uint32_t i = 0; i < 256; i++)
        ids[i] = i + 1;
    Loops loops = {0};
    for (size_t i = 0; i < sequence->count; i++)
        loops_append(&loops, sequence->items[i] - 1);
    Loop folded = loops_finish(&loops, ids, arena);
    loops_free(&loops);
    return folded;
}

static void assert_expands_to(const Loop *loop, const Sequence *sequence)
{
    Sequence expanded = {0};
    expand(loop, &expanded);
    assert_int_equal(expanded.count, sequence->count);
    if (sequence->count)
        assert_memory_equal(expanded.items, sequence->items, sequence->count * sizeof(uint32_t));
    vec_free(&expanded);
}

/* A random nest of loops over few phases. */
static void add_random(Sequence *sequence, uint64_t *random, int depth)
{
    for (uint32_t part = 1 + random_below(random, 3); part; part--) {
        size_t first = sequence->count;
        if (depth && random_below(random, 3))
            add_random(sequence, random, depth - 1);
        else
            *vec_push(sequence) = 1 + random_below(random, 4);
        size_t length = sequence->count - first;
        for (uint32_t repeat = random_below(random, 4); repeat && sequence->count < 20000; repeat--)
            for (size_t i = 0; i < length; i++) {
                vec_reserve(sequence, 1);
                sequence->items[sequence->count++] = sequence->items[first + i];
            }
    }
}

static void expanding_gives_back_the_sequence(void **state)
{
    for (uint64_t seed = 1; seed <= 500; seed++) {
        uint64_t random = seed;
        Sequence sequence = {0};
        if (seed % 3)
            add_random(&sequence, &random, 4);
        else
            for (uint32_t n = random_below(&random, 3000); n; n--)
                *vec_push(&sequence) = 1 + random_below(&random, 1 + (uint32_t)seed % 5);
        Loop loop = fold(&sequence);
        assert_expands_to(&loop, &sequence);
        vec_free(&sequence);
    }
}

static void nested_loops_come_out_nested(void **state)
{
    Sequence sequence = {0};
    for (int outer = 0; outer < 30; outer++) {
        for (int inner = 0; inner < 25; inner++) {
            *vec_push(&sequence) = 1;
            *vec_push(&sequence) = 2;
        }
        *vec_push(&sequence) = 3;
    }
    Loop loop = fold(&sequence);
    assert_expands_to(&loop, &sequence);
    assert_int_equal(loop.count, 30);
    assert_int_equal(loop.n_body, 2);
    assert_int_equal(loop.body[0].count, 25);
    assert_int_equal(loop.body[0].n_body, 2);
    assert_int_equal(loop.body[1].phase, 3);
    vec_free(&sequence);
}

static void runs_of_one_phase_are_one_leaf(void **state)
{
    Sequence sequence = {0};
    for (int i = 0; i < 1000; i++)
        *vec_push(&sequence) = 4;
    Loop loop = fold(&sequence);
    assert_int_equal(loop.count, 1000);
    assert_int_equal(loop.phase, 4);
    assert_int_equal(loop.n_body, 0);
    vec_free(&sequence);
}

static void an_empty_sequence_is_an_empty_body(void **state)
{
    Sequence sequence = {0};
    Loop loop = fold(&sequence);
    assert_int_equal(loop.n_body, 0);
    assert_int_equal(loop.phase, 0);
}

static void a_prologue_and_an_epilogue_stay_outside_the_loop(void **state)
{
    Sequence sequence = {0};
    *vec_push(&sequence) = 9;
    for (int i = 0; i < 5000; i++) {
        *vec_push(&sequence) = 1;
        *vec_push(&sequence) = 2;
        *vec_push(&sequence) = 2;
        *vec_push(&sequence) = 3;
    }
    *vec_push(&sequence) = 8;
    Loop loop = fold(&sequence);
    assert_expands_to(&loop, &sequence);
    assert_int_equal(loop.n_body, 3);
    assert_int_equal(loop.body[1].count, 5000);
    assert_int_equal(count_nodes(&loop), 7);
    vec_free(&sequence);
}

static void a_loop_with_a_body_of_a_thousand_phases_is_found(void **state)
{
    uint64_t random = 3;
    uint32_t body[1000];
    for (int i = 0; i < 1000; i++)
        body[i] = 1 + random_below(&random, 200);
    Sequence sequence = {0};
    for (int i = 0; i < 40 * 1000; i++)
        *vec_push(&sequence) = body[i % 1000];
    Loop loop = fold(&sequence);
    assert_expands_to(&loop, &sequence);
    assert_true(count_nodes(&loop) < 2500);
    vec_free(&sequence);
}

static void the_outermost_loop_that_goes_on_is_known_while_it_does(void **state)
{
    Loops loops = {0};
    uint64_t start = 0, length = 0;
    const uint32_t body[] = {1, 2, 2, 3, 2, 3}; /* the inner loop is (2 3) */
    loops_append(&loops, 0);
    assert_false(loops_period(&loops, &start, &length));
    for (int i = 0; i < 50 * 6 + 4; i++) {
        loops_append(&loops, body[i % 6]);
        if (i < 3 * 6)
            continue;
        assert_true(loops_period(&loops, &start, &length));
        assert_int_equal(length, 6);
        assert_true(start < 1 + 6);
    }
    loops_free(&loops);
}

static void milestones_come_at_whole_periods(void **state)
{
    for (uint32_t period = 2; period <= 1000; period = period * 3 - 1) {
        Loops loops = {0};
        Grid grid = grid_start;
        uint64_t kept_from, start, length;
        uint32_t n = 0;
        for (; n < 4 * period + 3; n++)
            loops_append(&loops, n < 3 ? 1000 : (n - 3) % period);
        assert_true(loops_period(&loops, &start, &length));
        assert_int_equal(length, period);
        for (int halvings = 0; halvings < 12; halvings++) {
            Grid before = grid;
            grid = grid_coarser(&grid, &loops, &kept_from);
            assert_true(grid.length * before.n_parts >= 2 * before.length * grid.n_parts);
            assert_int_equal(grid.length % period, 0);
            uint64_t at = grid.origin, next_at = 0;
            for (uint64_t part = 0; part < grid.n_parts; part++) {
                next_at = grid_next(&grid, at + 1);
                assert_true(next_at > at);
                assert_int_equal(grid_next(&grid, at), at);
                /* The finer grid has all milestones of the coarser grid. */
                assert_int_equal(grid_next(&before, at), at);
                at = next_at;
            }
            assert_int_equal(at, grid.origin + grid.length);
        }
        loops_free(&loops);
    }
}

/* After 3000 × 1, 400 × (2 3 3): a grid that was laid for the first loop adapts to the second. */
static void milestones_follow_the_program_into_another_loop(void **state)
{
    Loops loops = {0};
    Grid grid = {0, 8, 1};
    uint64_t last = 0, n_whole = 0;
    for (uint64_t n = 0; n < 3000 + 3 * 400; n++) {
        if (grid_next(&grid, n) == n) {
            n_whole += n > 3100 && (n - last) % 3 == 0;
            last = n;
            grid_follow(&grid, &loops);
        }
        loops_append(&loops, n < 3000 ? 0 : 1 + ((n - 3000) % 3 != 0));
    }
    assert_true(n_whole >= 1090 / 9);
    assert_int_equal((grid.origin - 3000) % 3, 0);
    assert_int_equal(grid.length, 9); /* as dense as before, but at whole periods */
    loops_free(&loops);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(expanding_gives_back_the_sequence),
        fixture_test(nested_loops_come_out_nested),
        fixture_test(runs_of_one_phase_are_one_leaf),
        fixture_test(an_empty_sequence_is_an_empty_body),
        fixture_test(a_prologue_and_an_epilogue_stay_outside_the_loop),
        fixture_test(a_loop_with_a_body_of_a_thousand_phases_is_found),
        fixture_test(the_outermost_loop_that_goes_on_is_known_while_it_does),
        fixture_test(milestones_come_at_whole_periods),
        fixture_test(milestones_follow_the_program_into_another_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
