/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks to processors: mappers, and the simulation that judges them all alike. Public interface of the folder; spec 4
 * §4.3. */
#ifndef FIRMA_MAPPING_MAPPING_H
#define FIRMA_MAPPING_MAPPING_H

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "mapping/platform.h"
#include "model/ttig.h"

typedef struct Mapping {
    const char *mapper;
    const uint32_t *processors; /* [n_tasks] */
    double completion_s;        /* predicted */
} Mapping;

/* A task graph prepared to be simulated many times. */
typedef struct Simulation Simulation;

/* ERR_INPUT: tasks wait for each other in a circle: they are named. */
bool simulation_new(const TaskGraph *graph, const Platform *platform, Arena *arena, Simulation **simulation, Err *err);

typedef struct Outcome {
    double completion_s;
    double busy_s;       /* computation, all processors */
    double remote_bytes; /* between nodes */
    double local_bytes;  /* within nodes, between processors */
    double overlap;      /* busy time over (completion × processors that are used) */
} Outcome;

/* Sends don't block and cost their processor nothing but the latency of handing over; a message arrives after its
 * path's time, and a path between two nodes carries one at a time; a receive waits. Tasks on one processor take turns:
 * whoever was ready first runs until it waits. Deterministic. */
Outcome simulate(Simulation *simulation, const uint32_t *processors);

typedef struct MappingProblem {
    const Ttig *ttig; /* with tasks */
    const Platform *platform;
    Simulation *simulation;
    uint32_t slots_per_processor; /* tasks that one may hold: 1, or more where there are more tasks than processors */
    uint32_t seed;
} MappingProblem;

typedef struct Mapper {
    const char *name;        /* "block", "round-robin", "scotch", "list", "ttig", "exhaustive" */
    const char *description; /* half a line */
    bool (*map)(const MappingProblem *problem, uint32_t *processors, Err *err);
    bool (*is_applicable)(const MappingProblem *problem); /* NULL: always */
} Mapper;

extern const Mapper mappers[];
extern const unsigned n_mappers;

/* All mappers' results, simulated, best first; the local search starts from the best of them and from TTIG's, and is
 * never worse. The default (what launchers do: block) is among them. */
bool mapping_compare(const MappingProblem *problem, const Progress *progress, Arena *arena, const Mapping **mappings,
                     uint32_t *n, Err *err);

#endif
