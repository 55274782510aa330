/* SPDX-License-Identifier: BSD-3-Clause */
/* Graph partitioning. Scotch maps the graph of volumes onto the tree of nodes and processors, as
 * other tools do. It balances the load, but knows no slots. A task for which a processor has no
 * slot moves to the nearest processor with a free one. */
#include "placement/mapping/mappers.h"

#include "placement/mapping/neighbours.h"
#include "placement/mapping/room.h"
#include <stdint.h>

#include <scotch/scotch.h>

/* Weights are whole numbers. Their sum stays far below SCOTCH_Num's limit. */
#define WEIGHTS_SUM 1e8

/* These replace Scotch's own functions, which print. Return values tell firma what failed. */
void SCOTCH_errorProg(const char *name)
{
    (void)name;
}

void SCOTCH_errorPrint(const char *format, ...)
{
    (void)format;
}

void SCOTCH_errorPrintW(const char *format, ...)
{
    (void)format;
}

typedef struct Source {
    SCOTCH_Num n, *first, *loads, *ends, *volumes;
} Source;

static Source source_of(const MappingProblem *problem, const Neighbours *neighbours, Arena *arena)
{
    uint32_t n = problem->ttig->n_nodes, n_ends = neighbours->first[n];
    Source source = {.n = (SCOTCH_Num)n,
                     .first = arena_new_array(arena, SCOTCH_Num, n + 1),
                     .loads = arena_new_array(arena, SCOTCH_Num, n),
                     .ends = arena_new_array(arena, SCOTCH_Num, n_ends),
                     .volumes = arena_new_array(arena, SCOTCH_Num, n_ends)};
    double work_s = 0, bytes = 0;
    for (uint32_t i = 0; i < n; i++)
        work_s += problem->ttig->nodes[i].seconds;
    for (uint32_t i = 0; i < n_ends; i++)
        bytes += neighbours->items[i].bytes;
    /* with one slot on each processor, tasks are counted, not weighed */
    bool weighs = problem->slots_per_processor > 1 && work_s > 0;
    for (uint32_t i = 0; i < n; i++) {
        source.first[i + 1] = (SCOTCH_Num)neighbours->first[i + 1];
        source.loads[i] = weighs ? 1 + (SCOTCH_Num)(problem->ttig->nodes[i].seconds / work_s * WEIGHTS_SUM) : 1;
    }
    for (uint32_t i = 0; i < n_ends; i++) {
        source.ends[i] = (SCOTCH_Num)neighbours->items[i].task;
        source.volumes[i] = 1 + (bytes > 0 ? (SCOTCH_Num)(neighbours->items[i].bytes / bytes * WEIGHTS_SUM) : 0);
    }
    return source;
}

/* The target are the platform's processors in order, at most as many as there are tasks. */
static bool build_target(const MappingProblem *problem, SCOTCH_Arch *whole, SCOTCH_Arch *target, Arena *arena)
{
    const Platform *platform = problem->platform;
    uint32_t n = problem->ttig->n_nodes < platform->n_processors ? problem->ttig->n_nodes : platform->n_processors;
    const PlatformTree tree = platform_tree(platform, n, arena);
    SCOTCH_Num *sizes = arena_new_array(arena, SCOTCH_Num, tree.n),
               *distances = arena_new_array(arena, SCOTCH_Num, tree.n);
    SCOTCH_Num *leaves = arena_new_array(arena, SCOTCH_Num, n);
    for (uint32_t i = 0; i < tree.n; i++) {
        sizes[i] = (SCOTCH_Num)tree.sizes[i];
        distances[i] = (SCOTCH_Num)tree.distances[i];
    }
    for (uint32_t i = 0; i < n; i++)
        leaves[i] = (SCOTCH_Num)tree.leaves[i];
    return SCOTCH_archTleaf(whole, (SCOTCH_Num)tree.n, sizes, distances) == 0 &&
           SCOTCH_archSub(target, whole, (SCOTCH_Num)n, leaves) == 0;
}

static bool run_scotch(const MappingProblem *problem, const Source *source, SCOTCH_Num *parts, Arena *arena)
{
    SCOTCH_Graph graph;
    SCOTCH_Arch tree, target;
    SCOTCH_Strat strategy;
    SCOTCH_graphInit(&graph);
    SCOTCH_archInit(&tree);
    SCOTCH_archInit(&target);
    SCOTCH_stratInit(&strategy);
    SCOTCH_randomSeed((SCOTCH_Num)problem->seed);
    SCOTCH_randomReset();
    bool ok = SCOTCH_graphBuild(&graph, 0, source->n, source->first, NULL, source->loads, NULL,
                                source->first[source->n], source->ends, source->volumes) == 0 &&
              build_target(problem, &tree, &target, arena) && SCOTCH_graphMap(&graph, &target, &strategy, parts) == 0;
    SCOTCH_stratExit(&strategy);
    SCOTCH_archExit(&target);
    SCOTCH_archExit(&tree);
    SCOTCH_graphExit(&graph);
    return ok;
}

/* The same processor, or one of its node, or of the nodes that follow. */
static uint32_t nearest_with_room(const Room *room, uint32_t processor)
{
    if (room_is_on(room, processor))
        return processor;
    uint32_t node = room->platform->processors[processor].node_index, found = NOWHERE;
    for (uint32_t i = 0; i < room->platform->n_nodes && found == NOWHERE; i++)
        found = room_on_node(room, (node + i) % room->platform->n_nodes);
    return found;
}

bool map_scotch(const MappingProblem *problem, uint32_t *processors, Err *err)
{
    Arena *arena = arena_new();
    uint32_t n = problem->ttig->n_nodes;
    Neighbours neighbours = neighbours_new(problem->ttig, problem->tasks, arena);
    Source source = source_of(problem, &neighbours, arena);
    SCOTCH_Num *parts = arena_new_array(arena, SCOTCH_Num, n);
    bool ok = run_scotch(problem, &source, parts, arena);
    if (!ok)
        err_set(err, ERR_ENVIRONMENT, "Scotch could not map the graph");
    Room room = room_new(problem->platform, problem->slots_per_processor, arena);
    for (uint32_t i = 0; ok && i < n; i++) {
        processors[i] = nearest_with_room(&room, (uint32_t)parts[i]);
        room_take(&room, processors[i], problem->ttig->nodes[i].seconds);
    }
    arena_free(arena);
    return ok;
}
