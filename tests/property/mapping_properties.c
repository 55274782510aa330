/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of every mapping, on random task graphs of four families (layers, fork and join,
 * pipelines, stencils) and random platforms. */
#include "placement/mapping/mapping.h"
#include "property/rounds.h"
#include "test.h"
#include "unit/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRAPHS = ROUNDS(60), TASKS_MOST = 14, STEPS_MOST = 200 };

typedef enum Family { LAYERS, FORK_JOIN, PIPELINE, STENCIL, N_FAMILIES } Family;

/* Builds a graph message by message, in an order in which it can run. So tasks can't wait in a
 * circle. */
typedef struct Builder {
    uint32_t n_tasks;
    Step steps[TASKS_MOST][STEPS_MOST], loops[TASKS_MOST];
    Task tasks[TASKS_MOST];
    uint32_t n_steps[TASKS_MOST];
    double seconds[TASKS_MOST], bytes[TASKS_MOST][TASKS_MOST];
    uint64_t random;
} Builder;

static double uniform(Builder *builder)
{
    builder->random ^= builder->random << 13;
    builder->random ^= builder->random >> 7;
    builder->random ^= builder->random << 17;
    return (double)(builder->random >> 11) / 9007199254740992.0;
}

static uint32_t below(Builder *builder, uint32_t n)
{
    return (uint32_t)(uniform(builder) * n);
}

static void add(Builder *builder, uint32_t task, Step step)
{
    assert_true(builder->n_steps[task] < STEPS_MOST);
    builder->steps[task][builder->n_steps[task]++] = step;
}

static void compute(Builder *builder, uint32_t task)
{
    double seconds = 0.1 + uniform(builder);
    builder->seconds[task] += seconds;
    add(builder, task, (Step){.kind = STEP_COMPUTE, .seconds = seconds, .times = 1});
}

static void message(Builder *builder, uint32_t from, uint32_t to)
{
    double bytes = 1 + below(builder, 1000);
    builder->bytes[from][to] += bytes;
    add(builder, from, (Step){.kind = STEP_SEND, .peer = to, .bytes = bytes, .times = 1});
    add(builder, to, (Step){.kind = STEP_RECV, .peer = from, .bytes = bytes, .times = 1});
}

static void add_iteration(Builder *builder, Family family)
{
    uint32_t n = builder->n_tasks, layer = 1 + n / 3;
    for (uint32_t i = 0; i < n && (family == STENCIL || i == 0); i++)
        compute(builder, i);
    for (uint32_t i = 1; i < n; i++) {
        if (family == PIPELINE) {
            message(builder, i - 1, i);
            compute(builder, i);
        } else if (family == FORK_JOIN) {
            message(builder, 0, i);
            compute(builder, i);
        } else if (family == STENCIL) {
            message(builder, i - 1, i);
            message(builder, i, i - 1);
        } else {
            uint32_t begin = i / layer ? (i / layer - 1) * layer : 0, end = i / layer * layer;
            for (uint32_t k = begin; k < end; k++)
                if (uniform(builder) < 0.6)
                    message(builder, k, i);
            compute(builder, i);
        }
    }
    for (uint32_t i = 1; i < n && family == FORK_JOIN; i++)
        message(builder, i, 0);
}

static Ttig *finish(Builder *builder, Arena *arena)
{
    uint32_t n = builder->n_tasks, times = 1 + below(builder, 6);
    TaskGraph *graph = arena_new_array(arena, TaskGraph, 1);
    Ttig *ttig = arena_new_array(arena, Ttig, 1);
    TtigNode *nodes = arena_new_array(arena, TtigNode, n);
    TtigEdge *edges = arena_new_array(arena, TtigEdge, n * n);
    *ttig = (Ttig){.source = "", .n_nodes = n, .nodes = nodes, .edges = edges, .tasks = graph};
    for (uint32_t i = 0; i < n; i++) {
        builder->loops[i] =
            (Step){.kind = STEP_LOOP, .times = times, .n_body = builder->n_steps[i], .body = builder->steps[i]};
        builder->tasks[i] = (Task){"t", builder->n_steps[i] ? 1 : 0, &builder->loops[i]};
        nodes[i] = (TtigNode){"t", times * builder->seconds[i]};
        for (uint32_t k = 0; k < n; k++)
            if (builder->bytes[i][k] > 0)
                edges[ttig->n_edges++] = (TtigEdge){i, k, times * builder->bytes[i][k], times, uniform(builder)};
    }
    *graph = (TaskGraph){.source = "", .n_tasks = n, .tasks = builder->tasks};
    return ttig;
}

static Ttig *random_ttig(Builder *builder, unsigned number, uint32_t tasks_most, Arena *arena)
{
    memset(builder, 0, sizeof *builder);
    builder->random = 88172645463325252u + 7919 * number;
    for (int i = 0; i < 10; i++)
        uniform(builder);
    builder->n_tasks = 2 + below(builder, tasks_most - 1);
    for (uint32_t i = 1 + below(builder, 2); i; i--)
        add_iteration(builder, number % N_FAMILIES);
    return finish(builder, arena);
}

static Platform *random_platform(Builder *builder, Arena *arena)
{
    static const char *const texts[] = {"2x2:50ms,1kB/s:1ms,100kB/s", "4x2:5ms,10kB/s:1ms,100kB/s", "1x3:1ms,10kB/s",
                                        "5x1:100ms,300B/s", "3x4:1ms,1MB/s:1ms,1MB/s"};
    Platform *made;
    Err err;
    assert_true(platform_from_text(texts[below(builder, 5)], arena, &made, &err));
    if (below(builder, 2))
        assert_true(platform_set_speeds(made, (const char *const[]){"n0=0.5", NULL}, arena, &err));
    return made;
}

static MappingProblem *random_problem(Builder *builder, unsigned number, uint32_t tasks_most, Arena *arena)
{
    MappingProblem *problem;
    Err err;
    Ttig *ttig = random_ttig(builder, number, tasks_most, arena);
    assert_true(mapping_problem_new(ttig, random_platform(builder, arena), below(builder, 2) ? 0 : TASKS_MOST, arena,
                                    &problem, &err));
    problem->evaluations = 300;
    return problem;
}

/* What all mappers make of a problem. */
typedef struct Compared {
    Arena *arena;
    MappingProblem *problem;
    const Mapping *mappings;
    uint32_t n;
} Compared;

static Compared compare(unsigned number, uint32_t tasks_most)
{
    static Builder builder;
    const char *const *left_out;
    Err err;
    Compared made = {.arena = arena_new()};
    made.problem = random_problem(&builder, number, tasks_most, made.arena);
    assert_true(mapping_compare(made.problem, NULL, made.arena, &made.mappings, &made.n, &left_out, &err));
    return made;
}

static const Mapping *find(const Compared *made, const char *name)
{
    return mapping_find(made->mappings, made->n, name);
}

static void search_is_never_worse_than_any_baseline(void **state)
{
    for (unsigned number = 0; number < GRAPHS; number++) {
        const Compared made = compare(number, TASKS_MOST);
        const Mapping *search = find(&made, MAPPING_SEARCH);
        assert_non_null(search);
        for (uint32_t i = 0; i < made.n; i++) {
            assert_true(i == 0 || made.mappings[i - 1].completion_s <= made.mappings[i].completion_s);
            if (strcmp(made.mappings[i].mapper, "exhaustive") != 0)
                assert_true(search->completion_s <= made.mappings[i].completion_s);
        }
        arena_free(made.arena);
    }
}

static void exhaustive_is_a_lower_bound(void **state)
{
    double sum = 0, largest = 0;
    unsigned n_cases = 0, n_optimal = 0;
    for (unsigned number = 0; number < GRAPHS; number++) {
        const Compared made = compare(number, 6);
        const Mapping *best = find(&made, "exhaustive");
        for (uint32_t i = 0; best && i < made.n; i++)
            assert_true(best->completion_s <= made.mappings[i].completion_s * (1 + 1e-12));
        if (best) {
            double distance = find(&made, MAPPING_SEARCH)->completion_s / best->completion_s - 1;
            sum += distance;
            largest = fmax(largest, distance);
            n_optimal += distance < 1e-9;
            n_cases++;
        }
        arena_free(made.arena);
    }
    assert_true(n_cases > GRAPHS / 3);
    printf("# the search reaches the optimum in %u of %u cases; it is %.2f %% away in the mean, %.2f %% at most\n",
           n_optimal, n_cases, 100 * sum / n_cases, 100 * largest);
}

static void mappers_keep_to_the_slots(void **state)
{
    for (unsigned number = 0; number < GRAPHS; number++) {
        const Compared made = compare(number, TASKS_MOST);
        for (uint32_t i = 0; i < made.n; i++) {
            uint32_t held[64] = {0};
            for (uint32_t k = 0; k < made.problem->ttig->n_nodes; k++) {
                assert_true(made.mappings[i].processors[k] < made.problem->platform->n_processors);
                assert_true(++held[made.mappings[i].processors[k]] <= made.problem->slots_per_processor);
            }
        }
        arena_free(made.arena);
    }
}

static void nothing_is_faster_than_its_computation(void **state)
{
    for (unsigned number = 0; number < GRAPHS; number++) {
        const Compared made = compare(number, TASKS_MOST);
        for (uint32_t i = 0; i < made.n; i++) {
            assert_true(made.mappings[i].outcome.overlap <= 1 + 1e-9);
            for (uint32_t k = 0; k < made.problem->ttig->n_nodes; k++)
                assert_true(made.problem->ttig->nodes[k].seconds /
                                made.problem->platform->processors[made.mappings[i].processors[k]].speed <=
                            made.mappings[i].completion_s * (1 + 1e-9));
        }
        arena_free(made.arena);
    }
}

static void result_is_the_same_each_time(void **state)
{
    for (unsigned number = 0; number < GRAPHS; number += 5) {
        const Compared first = compare(number, TASKS_MOST), second = compare(number, TASKS_MOST);
        assert_int_equal(first.n, second.n);
        for (uint32_t i = 0; i < first.n; i++) {
            assert_string_equal(first.mappings[i].mapper, second.mappings[i].mapper);
            assert_memory_equal(first.mappings[i].processors, second.mappings[i].processors,
                                first.problem->ttig->n_nodes * sizeof *first.mappings[i].processors);
        }
        arena_free(first.arena);
        arena_free(second.arena);
    }
}

/* Alike processors are exchanged: the first node's with the last node's, and each node's cores in
 * reverse order. */
static void alike_processors_may_change_places(void **state)
{
    for (unsigned number = 0; number < GRAPHS; number++) {
        static Builder builder;
        Arena *arena = arena_new();
        uint32_t here[TASKS_MOST], there[TASKS_MOST];
        Platform *platform;
        Simulation *simulation;
        Err err;
        Ttig *ttig = random_ttig(&builder, number, TASKS_MOST, arena);
        assert_true(platform_from_text("4x3:5ms,10kB/s:1ms,100kB/s", arena, &platform, &err));
        assert_true(simulation_new(ttig->tasks, platform, arena, &simulation, &err));
        for (uint32_t i = 0; i < ttig->n_nodes; i++) {
            here[i] = below(&builder, platform->n_processors);
            there[i] = platform->n_processors - 1 - here[i];
        }
        assert_near(simulate(simulation, here).completion_s, simulate(simulation, there).completion_s, 0);
        arena_free(arena);
    }
}

/* Each task runs its body in two loops. Every other task of some graphs runs through two bodies in an iteration. */
static const TaskGraph *lengthened(Builder *builder, const TaskGraph *graph, Arena *arena)
{
    TaskGraph *longer = arena_new_array(arena, TaskGraph, 1);
    Task *tasks = arena_copy_array(arena, graph->tasks, graph->n_tasks, sizeof *tasks);
    uint64_t times[] = {2 * (5000 + below(builder, 1000)), 2 * (10 + below(builder, 1000))};
    uint32_t n_coarse = below(builder, 3);
    *longer = *graph;
    longer->tasks = tasks;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        if (!tasks[i].n_steps)
            continue;
        const Step *once = tasks[i].steps->body;
        uint32_t n = tasks[i].steps->n_body, rate = i % 3 < n_coarse ? 2 : 1;
        Step *body = arena_new_array(arena, Step, 2 * n), *steps = arena_new_array(arena, Step, 3);
        for (uint32_t k = 0; k < 2 * n; k++)
            body[k] = once[k % n];
        steps[0] = (Step){.kind = STEP_COMPUTE, .seconds = uniform(builder), .times = 1};
        for (uint32_t k = 0; k < 2; k++)
            steps[k + 1] = (Step){.kind = STEP_LOOP, .times = times[k] / rate, .n_body = rate * n, .body = body};
        tasks[i].n_steps = 3;
        tasks[i].steps = steps;
    }
    return longer;
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* How far off the extrapolated time is, as a share. */
static double extrapolation_error(Builder *builder, unsigned number, Arena *arena)
{
    Simulation *whole, *excerpts;
    Err err;
    uint32_t processors[TASKS_MOST];
    const TaskGraph *graph = lengthened(builder, random_ttig(builder, number, TASKS_MOST, arena)->tasks, arena);
    const Platform *platform = random_platform(builder, arena);
    for (uint32_t i = 0; i < graph->n_tasks; i++)
        processors[i] = below(builder, platform->n_processors);
    assert_true(simulation_new(graph, platform, arena, &whole, &err));
    assert_true(simulation_new_within(graph, platform, 0.9 * simulation_steps(whole), arena, &excerpts, &err));
    assert_true(simulation_run_steps(excerpts) < simulation_steps(whole) / 2);
    Outcome right = simulate(whole, processors), told = simulate(excerpts, processors);
    assert_near(told.busy_s, right.busy_s, 0);
    assert_near(told.remote_bytes, right.remote_bytes, 0);
    return fabs(told.completion_s / right.completion_s - 1);
}

static void two_shortened_simulations_tell_the_time_of_the_whole(void **state)
{
    double errors[GRAPHS];
    for (unsigned number = 0; number < GRAPHS; number++) {
        static Builder builder;
        Arena *arena = arena_new();
        errors[number] = extrapolation_error(&builder, number, arena);
        arena_free(arena);
    }
    qsort(errors, GRAPHS, sizeof *errors, compare_numbers);
    printf("# extrapolated times: error %.3f %% in 9 of 10 graphs, %.2f %% at most\n", 100 * errors[GRAPHS * 9 / 10],
           100 * errors[GRAPHS - 1]);
    assert_true(errors[GRAPHS * 9 / 10] < 0.01);
    assert_true(errors[GRAPHS - 1] < 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_is_never_worse_than_any_baseline),
        cmocka_unit_test(exhaustive_is_a_lower_bound),
        cmocka_unit_test(mappers_keep_to_the_slots),
        cmocka_unit_test(nothing_is_faster_than_its_computation),
        cmocka_unit_test(result_is_the_same_each_time),
        cmocka_unit_test(alike_processors_may_change_places),
        cmocka_unit_test(two_shortened_simulations_tell_the_time_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
