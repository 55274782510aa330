/* SPDX-License-Identifier: BSD-3-Clause */
/* The mappers that don't look at the graph: block and round-robin. */
#include "placement/mapping/mappers.h"
#include "placement/mapping/room.h"

/* Fills node after node, with no more slots than necessary. Launchers do so, too: whatever the
 * number of slots, they give each processor one task before any gets two. */
bool map_block(const MappingProblem *problem, uint32_t *processors, Err *err)
{
    (void)err;
    Arena *arena = arena_new();
    uint32_t node = 0, n = problem->ttig->n_nodes, n_processors = problem->platform->n_processors;
    Room room = room_new(problem->platform, (n + n_processors - 1) / n_processors, arena);
    for (uint32_t i = 0; i < n; i++) {
        while ((processors[i] = room_on_node(&room, node)) == NOWHERE)
            node++;
        room_take(&room, processors[i], 0);
    }
    arena_free(arena);
    return true;
}

bool map_round_robin(const MappingProblem *problem, uint32_t *processors, Err *err)
{
    (void)err;
    Arena *arena = arena_new();
    Room room = room_new(problem->platform, problem->slots_per_processor, arena);
    uint32_t node = 0, n_nodes = problem->platform->n_nodes;
    for (uint32_t i = 0; i < problem->ttig->n_nodes; i++) {
        while ((processors[i] = room_on_node(&room, node)) == NOWHERE)
            node = (node + 1) % n_nodes;
        room_take(&room, processors[i], 0);
        node = (node + 1) % n_nodes;
    }
    arena_free(arena);
    return true;
}
