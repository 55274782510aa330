/* SPDX-License-Identifier: BSD-3-Clause */
/* How much a mapping gains, and how sure that is (mapping.h). Nobody knows exactly what messages and
 * computations will cost, and when MPI makes a sender wait. So the gain is found again in variants of
 * the platform: in each, one of these differs. Variants are simulated with shortened loops, so only
 * the difference that they make counts. docs/METHOD.md, section 14. */
#include "placement/mapping/mapping.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

/* Factors of all messages' latencies and of their seconds per byte, the longest message that doesn't
 * wait for its receiver, and the numbers from which the tasks' paces come; 0: their steps say how long
 * they compute. */
typedef struct Variant {
    double latency, s_per_byte, eager_bytes;
    unsigned seed;
} Variant;

/* The cost of messages may be wrong by this factor. */
#define COST_FACTOR 1.25
/* Standard deviation of the paces: two runs differ by as much (signature/noise/drift.c). */
#define PACE_DEVIATION 0.027
/* The model itself may be wrong by this share of the gain. Nine of ten intervals hold then, on the programs
 * with which the model was made: bench/mapping_effect.py. */
#define MODEL_SHARE (1.0 / 3)

static const Variant variants[] = {{1, 1, 0, 0},
                                   {1, 1, HUGE_VAL, 0},
                                   {COST_FACTOR, 1, PLATFORM_EAGER_BYTES, 0},
                                   {1 / COST_FACTOR, 1, PLATFORM_EAGER_BYTES, 0},
                                   {1, COST_FACTOR, PLATFORM_EAGER_BYTES, 0},
                                   {1, 1 / COST_FACTOR, PLATFORM_EAGER_BYTES, 0},
                                   {1, 1, PLATFORM_EAGER_BYTES, 1},
                                   {1, 1, PLATFORM_EAGER_BYTES, 2},
                                   {1, 1, PLATFORM_EAGER_BYTES, 3},
                                   {1, 1, PLATFORM_EAGER_BYTES, 4},
                                   {1, 1, PLATFORM_EAGER_BYTES, 5},
                                   {1, 1, PLATFORM_EAGER_BYTES, 6}};

enum { N_VARIANTS = sizeof variants / sizeof *variants };
/* If all variants have more steps, because loops can't be shortened, they aren't simulated. */
#define VARIED_STEPS_AT_MOST 1e8

static const MachinePath *vary_path(const MachinePath *path, const Variant *variant, Arena *arena)
{
    MachinePath *varied = arena_copy_array(arena, path, 1, sizeof *path);
    CostSegment *segments = arena_copy_array(arena, path->segments, path->n_segments, sizeof *segments);
    for (uint32_t i = 0; i < path->n_segments; i++) {
        segments[i].latency_s.value *= variant->latency;
        segments[i].s_per_byte.value *= variant->s_per_byte;
    }
    varied->segments = segments;
    return varied;
}

static void vary_routes(Platform *platform, const Variant *variant, Arena *arena)
{
    Route *routes = arena_copy_array(arena, platform->routes, platform->n_routes, sizeof *routes);
    double *rates = arena_copy_array(arena, platform->link_rates, platform->n_links, sizeof *rates);
    for (uint32_t i = 0; i < platform->n_routes; i++)
        if (routes[i].path)
            routes[i].path = vary_path(routes[i].path, variant, arena);
    for (uint32_t i = 0; i < platform->n_links; i++)
        rates[i] /= variant->s_per_byte;
    platform->routes = routes;
    platform->link_rates = rates;
}

static const double *draw_paces(uint32_t n_tasks, unsigned seed, Arena *arena)
{
    double *paces = arena_new_array(arena, double, n_tasks);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus);
    gsl_rng_set(random, seed);
    for (uint32_t i = 0; i < n_tasks; i++)
        paces[i] = exp(gsl_ran_gaussian(random, PACE_DEVIATION));
    gsl_rng_free(random);
    return paces;
}

static World vary(const MappingProblem *problem, const Variant *variant, Arena *arena)
{
    Platform *varied = arena_copy_array(arena, problem->platform, 1, sizeof *problem->platform);
    vary_routes(varied, variant, arena);
    return (World){varied, variant->eager_bytes,
                   variant->seed ? draw_paces(problem->tasks->n_tasks, variant->seed, arena) : NULL};
}

const Mapping *mapping_find(const Mapping *mappings, uint32_t n, const char *mapper)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(mappings[i].mapper, mapper) == 0)
            return &mappings[i];
    return NULL;
}

/* Fills in gains[n] with shortened loops, on the platform that the simulation is on. */
static void find_gains(Simulation *simulation, const Mapping *mappings, uint32_t n, const Mapping *usual, double *gains)
{
    double usual_s = simulate_briefly(simulation, usual->processors).completion_s;
    for (uint32_t i = 0; i < n; i++)
        gains[i] = usual_s > 0 ? 1 - simulate_briefly(simulation, mappings[i].processors).completion_s / usual_s : 0;
}

static void widen(Mapping *mapping, double difference)
{
    mapping->gain_low = fmin(mapping->gain_low, mapping->gain + difference);
    mapping->gain_high = fmax(mapping->gain_high, mapping->gain + difference);
}

/* Above the gain, by the same factor of the time that remains, since no time is below 0. */
static void add_error(Mapping *mapping, double error)
{
    double remaining = 1 - mapping->gain_high;
    mapping->gain_low -= error;
    mapping->gain_high = remaining > 0 ? 1 - remaining * remaining / (remaining + error) : 1;
}

static void widen_by_variants(const MappingProblem *problem, Mapping *mappings, uint32_t n, const Mapping *usual)
{
    Arena *arena = arena_new();
    double *as_it_is = arena_new_array(arena, double, n), *varied = arena_new_array(arena, double, n);
    find_gains(problem->simulation, mappings, n, usual, as_it_is);
    for (uint32_t k = 0; k < N_VARIANTS; k++) {
        const World world = vary(problem, &variants[k], arena);
        simulation_move(problem->simulation, &world);
        find_gains(problem->simulation, mappings, n, usual, varied);
        for (uint32_t i = 0; i < n; i++)
            widen(&mappings[i], varied[i] - as_it_is[i]);
    }
    simulation_move(problem->simulation, &(World){problem->platform, PLATFORM_EAGER_BYTES, NULL});
    arena_free(arena);
}

bool mapping_gains_are_rough(const MappingProblem *problem, uint32_t n)
{
    return simulation_brief_steps(problem->simulation) * n * N_VARIANTS > VARIED_STEPS_AT_MOST;
}

void mapping_find_gains(const MappingProblem *problem, Mapping *mappings, uint32_t n)
{
    const Mapping *usual = mapping_find(mappings, n, MAPPING_DEFAULT);
    for (uint32_t i = 0; i < n; i++) {
        double gain = usual->completion_s > 0 ? 1 - mappings[i].completion_s / usual->completion_s : 0;
        mappings[i].gain = mappings[i].gain_low = mappings[i].gain_high = gain;
        mappings[i].simgrid_s = NAN;
    }
    if (!mapping_gains_are_rough(problem, n))
        widen_by_variants(problem, mappings, n, usual);
    for (uint32_t i = 0; i < n; i++)
        if (&mappings[i] != usual)
            add_error(&mappings[i], MODEL_SHARE * fabs(mappings[i].gain) + problem->tasks->left_out_share +
                                        problem->tasks->guessed_share);
}

int mapping_sign(const Mapping *mapping)
{
    return (mapping->gain >= MAPPING_LEAST_GAIN && mapping->gain_low > 0) -
           (mapping->gain <= -MAPPING_LEAST_GAIN && mapping->gain_high < 0);
}
