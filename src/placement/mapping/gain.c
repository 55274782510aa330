/* SPDX-License-Identifier: BSD-3-Clause */
/* How much a mapping gains, and how sure that is (mapping.h). Nobody knows exactly what messages and
 * computations will cost, and when MPI makes a sender wait. So the gain is found again in variants of
 * the world: in each, one of these differs. Variants are simulated with shortened loops, so only
 * the difference that they make counts. docs/METHOD.md, section 14. */
#include "placement/mapping/mapping.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

/* The cost of messages may be wrong by this factor. */
#define COST_FACTOR 1.25
/* Standard deviation of the paces: two runs differ by as much (signature/noise/drift.c). */
#define PACE_DEVIATION 0.027
/* The model itself may be wrong by this share of the gain. Nine of ten intervals hold then, on the programs
 * with which the model was made: bench/mapping_effect.py. */
#define MODEL_SHARE (1.0 / 3)

static const World worlds[] = {{1, 1, 0, NULL},
                               {1, 1, HUGE_VAL, NULL},
                               {COST_FACTOR, 1, PLATFORM_EAGER_BYTES, NULL},
                               {1 / COST_FACTOR, 1, PLATFORM_EAGER_BYTES, NULL},
                               {1, COST_FACTOR, PLATFORM_EAGER_BYTES, NULL},
                               {1, 1 / COST_FACTOR, PLATFORM_EAGER_BYTES, NULL}};

/* In further variants, the tasks' paces are drawn at random. */
enum { N_WORLDS = sizeof worlds / sizeof *worlds, N_DRAWS = 6, N_VARIANTS = N_WORLDS + N_DRAWS };
/* If all variants have more steps, because loops can't be shortened, they aren't simulated. */
#define VARIED_STEPS_AT_MOST 1e8

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

static World variant(const MappingProblem *problem, uint32_t number, Arena *arena)
{
    if (number < N_WORLDS)
        return worlds[number];
    World world = WORLD_AS_IT_IS;
    world.paces = draw_paces(problem->tasks->n_tasks, number - N_WORLDS + 1, arena);
    return world;
}

const Mapping *mapping_find(const Mapping *mappings, uint32_t n, const char *mapper)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(mappings[i].mapper, mapper) == 0)
            return &mappings[i];
    return NULL;
}

/* Fills in gains[n] with shortened loops, in the world that the simulation is in. */
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
        const World world = variant(problem, k, arena);
        simulation_move(problem->simulation, &world);
        find_gains(problem->simulation, mappings, n, usual, varied);
        for (uint32_t i = 0; i < n; i++)
            widen(&mappings[i], varied[i] - as_it_is[i]);
    }
    simulation_move(problem->simulation, &WORLD_AS_IT_IS);
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
