/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps tasks to processors: the mappers, and the simulation that judges them all. Public interface
 * of the folder. docs/METHOD.md, section 14. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/ttig.h"
#include "placement/mapping/schedule.h"
#include "placement/platform/platform.h"

/* The result of simulating a mapping. */
typedef struct Outcome {
    double completion_s;
    double busy_s;       /* computation, summed over all processors */
    double remote_bytes; /* sent between nodes */
    double local_bytes;  /* sent within nodes, between processors */
    double overlap;      /* busy_s / (completion_s × number of used processors) */
} Outcome;

typedef struct Mapping {
    const char *mapper;
    const uint32_t *processors; /* [n_tasks] */
    double completion_s;        /* predicted: outcome.completion_s */
    Outcome outcome;
    double gain; /* share of the default's time that it saves; below 0: it takes longer */
    double gain_low, gain_high;
    double simgrid_s; /* what SimGrid makes of the traced run on this mapping; NaN: it wasn't asked */
} Mapping;

/* A task graph, prepared for many simulations. */
typedef struct Simulation Simulation;

/* Most steps that are simulated, with loops run through. */
#define SIMULATION_STEPS_LIMIT 200000000.0

/* If there are more steps than the limit, loops are shortened (model/shortening.h), and times are extrapolated.
 * ERR_INPUT: tasks wait for each other in a circle (the message names them), or there are too many steps even so. */
bool simulation_new(const TaskGraph *graph, const Platform *platform, Arena *arena, Simulation **simulation, Err *err);

/* The same with another limit. */
bool simulation_new_within(const TaskGraph *graph, const Platform *platform, double limit, Arena *arena,
                           Simulation **simulation, Err *err);

/* Simulates a mapping. Sends don't block, and cost the processor nothing. Messages that cross a link
 * at the same time share its rate max-min. A message arrives after it has crossed its links, and
 * the latency of its path. Messages of a pair cross links one after the other. Receives wait. Tasks
 * on one processor take turns: the task that was ready first runs until it waits. The result is
 * deterministic. */
Outcome simulate(Simulation *simulation, const uint32_t *processors);

/* The same; also fills in the schedule: what each task does, and when. Shortened loops stay short there. */
Outcome simulate_watched(Simulation *simulation, const uint32_t *processors, Schedule *schedule);

/* The same with long loops shortened. This is fast enough to compare mappings while searching, but the times are no
 * predictions. */
Outcome simulate_briefly(Simulation *simulation, const uint32_t *processors);

/* How what is simulated differs from what the platform and the steps say. */
typedef struct World {
    double latency, s_per_byte; /* factors of all messages' latencies, and of their seconds per byte */
    double eager_bytes;         /* longer messages wait for their receivers */
    const double *paces;        /* [n_tasks] how many times as long each computes; NULL: as long as its steps say */
} World;

#define WORLD_AS_IT_IS ((World){1, 1, PLATFORM_EAGER_BYTES, NULL})

/* From now on, simulates in another world. */
void simulation_move(Simulation *simulation, const World *world);

/* Number of steps of all tasks, with loops run through. */
double simulation_steps(const Simulation *simulation);

/* The same of what simulate() runs through. Fewer: times are extrapolated. */
double simulation_run_steps(const Simulation *simulation);

/* The same of what simulate_briefly() runs through. */
double simulation_brief_steps(const Simulation *simulation);

/* Makes tasks for a TTIG that was written by hand without tasks. For each predecessor, a task
 * computes the share p of its work that may overlap with this predecessor, and then waits for its
 * message. It computes the rest, and sends. Messages from later tasks are received at the end. The
 * levels decide which tasks are predecessors. */
const TaskGraph *mapping_make_tasks(const Ttig *ttig, Arena *arena);

typedef struct MappingProblem {
    const Ttig *ttig;
    const TaskGraph *tasks; /* the graph's tasks, or made ones */
    const Platform *platform;
    Simulation *simulation;
    uint32_t slots_per_processor; /* most tasks on one processor: 1, or more if there are more
                                     tasks than processors */
    uint32_t seed;
    double evaluations; /* most simulations of the local search; 0: as many as take a few seconds */
    double full_steps;  /* most steps for simulating all mappers' results in full; 0: half a
                           minute's worth */
} MappingProblem;

/* slots: 0 for as many as needed. ERR_INPUT: the tasks don't fit, or as of simulation_new(). Result
 * in the arena. */
bool mapping_problem_new(const Ttig *ttig, const Platform *platform, uint32_t slots, Arena *arena,
                         MappingProblem **problem, Err *err);

typedef struct Mapper {
    const char *name;        /* "block", "round-robin", "scotch", "list", "ttig", "grow", "exhaustive" */
    const char *description; /* for a table, half a line */
    bool (*map)(const MappingProblem *problem, uint32_t *processors, Err *err);
    bool (*is_applicable)(const MappingProblem *problem); /* NULL: always applicable */
} Mapper;

extern const Mapper mappers[];
extern const unsigned n_mappers;

/* The names of the mappers, the local search last. NULL: there are no more. */
const char *mapping_mapper_name(size_t index);

/* What launchers do by default. */
#define MAPPING_DEFAULT "block"
/* The name of the local search among the mappers. */
#define MAPPING_SEARCH "search"
/* Two runs of the same program differ by about this share. So no smaller gain is promised. */
#define MAPPING_LEAST_GAIN 0.01

/* Fills in the mappings' gains over the default, which is among them. The intervals hold what isn't
 * known exactly: costs of messages and computations, whether long messages wait for their receivers,
 * and what the graph leaves out. */
void mapping_find_gains(const MappingProblem *problem, Mapping *mappings, uint32_t n);

/* Whether the graph is too long to try what isn't known, so that intervals hold the model's error alone. */
bool mapping_gains_are_rough(const MappingProblem *problem, uint32_t n);

/* 1: the mapping is faster than the default; the gain matters, and its whole interval is above 0. -1: it
 * is slower. 0: no difference is expected. */
int mapping_sign(const Mapping *mapping);

/* The mapper's mapping, or NULL. */
const Mapping *mapping_find(const Mapping *mappings, uint32_t n, const char *mapper);

/* Runs all mappers that are applicable, the default included, and simulates their results. Then
 * runs the local search from the best result, and from the result of `ttig`. Mappings are sorted by
 * completion, equal ones in the order of the table. If the graph has very many steps, only the
 * mappings that are best with shortened loops are simulated in full, and the search starts once.
 * *left_out then names the other mappers, ended by NULL. Results in the arena. */
bool mapping_compare(const MappingProblem *problem, const Progress *progress, Arena *arena, const Mapping **mappings,
                     uint32_t *n, const char *const **left_out, Err *err);

/* Runs one mapper, and simulates its result. ERR_USAGE: unknown mapper. ERR_INPUT: it can't map
 * this graph. */
bool mapping_by_name(const MappingProblem *problem, const char *name, const Progress *progress, Arena *arena,
                     Mapping *mapping, Err *err);
