/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks to processors: mappers, and the simulation that judges them all alike. Public interface of the folder; spec 4
 * §4.3. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "model/ttig.h"
#include "placement/mapping/platform.h"
#include "placement/mapping/schedule.h"

/* What a mapping leads to, as simulated. */
typedef struct Outcome {
    double completion_s;
    double busy_s;       /* computation, all processors */
    double remote_bytes; /* between nodes */
    double local_bytes;  /* within nodes, between processors */
    double overlap;      /* busy time over (completion × processors that are used) */
} Outcome;

typedef struct Mapping {
    const char *mapper;
    const uint32_t *processors; /* [n_tasks] */
    double completion_s;        /* predicted; the outcome's */
    Outcome outcome;
} Mapping;

/* A task graph prepared to be simulated many times. */
typedef struct Simulation Simulation;

/* Loops are simulated iteration by iteration: so many steps at most. */
#define SIMULATION_STEPS_LIMIT 200000000.0

/* ERR_INPUT: tasks wait for each other in a circle: they are named; it has more steps than the limit. */
bool simulation_new(const TaskGraph *graph, const Platform *platform, Arena *arena, Simulation **simulation, Err *err);

/* Sends don't block and cost their processor nothing; a message arrives after its path's time. A node sends the bytes
 * of one message to other nodes at a time, in the order in which they were sent, and takes those of one at a time, as
 * they reach it; messages of a pair don't overtake each other; a receive waits. Tasks on one processor take turns:
 * whoever was ready first runs until it waits. Deterministic. */
Outcome simulate(Simulation *simulation, const uint32_t *processors);

/* The same, and what each task does when. */
Outcome simulate_watched(Simulation *simulation, const uint32_t *processors, Schedule *schedule);

/* The same with long loops shortened, all by the same factor: quick, to compare mappings while searching. Its times
 * are no predictions. */
Outcome simulate_briefly(Simulation *simulation, const uint32_t *processors);

double simulation_steps(const Simulation *simulation);       /* steps of all tasks, loops expanded */
double simulation_brief_steps(const Simulation *simulation); /* those of simulate_briefly */

/* Tasks for a graph that was written by hand without: each computes the share p of its work that may overlap with its
 * predecessor, waits for its message, computes the rest, sends; what it receives from later ones it receives at its
 * end. Levels say who is earlier. */
const TaskGraph *mapping_make_tasks(const Ttig *ttig, Arena *arena);

typedef struct MappingProblem {
    const Ttig *ttig;
    const TaskGraph *tasks; /* the graph's, or made ones */
    const Platform *platform;
    Simulation *simulation;
    uint32_t slots_per_processor; /* tasks that one may hold: 1, or more where there are more tasks than processors */
    uint32_t seed;
    double evaluations; /* the most that the local search may simulate; 0: as many as take a few seconds */
    double full_steps;  /* the most in which all mappers' results may be simulated in full; 0: half a minute's worth */
} MappingProblem;

/* Checks that the tasks fit: ERR_INPUT. slots: 0 means as many as are needed. */
bool mapping_problem_new(const Ttig *ttig, const Platform *platform, uint32_t slots, Arena *arena,
                         MappingProblem **problem, Err *err);

typedef struct Mapper {
    const char *name;        /* "block", "round-robin", "scotch", "list", "ttig", "exhaustive" */
    const char *description; /* half a line */
    bool (*map)(const MappingProblem *problem, uint32_t *processors, Err *err);
    bool (*is_applicable)(const MappingProblem *problem); /* NULL: always */
} Mapper;

extern const Mapper mappers[];
extern const unsigned n_mappers;

/* The names of the mappers, the local search last; NULL behind it. */
const char *mapping_mapper_name(size_t index);

/* What launchers do if they aren't told otherwise. */
#define MAPPING_DEFAULT "block"
/* The local search's name among the mappings. */
#define MAPPING_SEARCH "search"
/* A gain below this share is within what two runs of the same differ by: none that may be promised. */
#define MAPPING_LEAST_GAIN 0.01

/* All mappers' results, simulated, best first (of equal ones the plainest); the local search starts from the best of
 * them and from TTIG's, and is never worse. The default is among them. Of a graph with very many steps only the best by
 * shortened loops are simulated in full, and the search starts once: the other mappers' names are in *left_out, which
 * NULL ends. */
bool mapping_compare(const MappingProblem *problem, const Progress *progress, Arena *arena, const Mapping **mappings,
                     uint32_t *n, const char *const **left_out, Err *err);

/* One mapper's, simulated. ERR_USAGE: no such one; ERR_INPUT: it can't map this. */
bool mapping_by_name(const MappingProblem *problem, const char *name, const Progress *progress, Arena *arena,
                     Mapping *mapping, Err *err);
