/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a policy of Open MPI (policy.h). Simulates each policy as Open MPI 4.1.4 works,
 * observed with its simulated nodes: the next core of a node, or of a socket, gets the next rank
 * there. */
#include "placement/launching/policy.h"

#include <string.h>

#define NOWHERE UINT32_MAX

/* A node with ranks. */
typedef struct Used {
    uint32_t first, n_cores; /* its processors */
    uint32_t n_ranks;
    int n_sockets; /* 0: not known */
} Used;

typedef struct Playing {
    const Platform *platform;
    const uint32_t *wanted; /* [n_tasks] */
    uint32_t n_tasks, n_used;
    Used *used;
    bool *is_taken; /* [n_processors] */
} Playing;

static void find_used(Playing *playing)
{
    const Platform *platform = playing->platform;
    for (uint32_t node = 0; node < platform->n_nodes; node++) {
        uint32_t end = platform_first(platform, node + 1);
        Used used = {.first = platform_first(platform, node)};
        for (uint32_t i = used.first; i < end; i++)
            if (platform->processors[i].socket > used.n_sockets)
                used.n_sockets = platform->processors[i].socket;
        used.n_cores = end - used.first;
        for (uint32_t i = 0; i < playing->n_tasks; i++)
            used.n_ranks += playing->wanted[i] >= used.first && playing->wanted[i] < end;
        if (used.n_ranks)
            playing->used[playing->n_used++] = used;
    }
}

/* The node's first free core on that socket (0: any), which is then taken. NOWHERE: none. */
static uint32_t next_core(Playing *playing, const Used *node, int socket)
{
    for (uint32_t i = node->first; i < node->first + node->n_cores; i++) {
        if (playing->is_taken[i] || (socket && playing->platform->processors[i].socket != socket))
            continue;
        playing->is_taken[i] = true;
        return i;
    }
    return NOWHERE;
}

/* Fills node after node. per_socket: this many ranks on one socket, then on the next; 1: sockets in
 * turn; 0: sockets don't matter. */
static bool fills_nodes(Playing *playing, uint32_t per_socket)
{
    uint32_t rank = 0;
    memset(playing->is_taken, 0, playing->platform->n_processors * sizeof *playing->is_taken);
    for (const Used *node = playing->used; node < playing->used + playing->n_used; node++) {
        for (uint32_t i = 0; i < node->n_ranks; i++) {
            int socket = per_socket ? 1 + (int)(i / per_socket % (uint32_t)node->n_sockets) : 0;
            if (next_core(playing, node, socket) != playing->wanted[rank++])
                return false;
        }
    }
    return true;
}

static bool takes_turns(Playing *playing)
{
    uint32_t rank = 0;
    memset(playing->is_taken, 0, playing->platform->n_processors * sizeof *playing->is_taken);
    for (uint32_t i = 0; rank < playing->n_tasks; i++)
        if (next_core(playing, &playing->used[i % playing->n_used], 0) != playing->wanted[rank++])
            return false;
    return true;
}

/* Number of ranks on each socket, if all have the same number. 0: they don't, or sockets aren't
 * known. */
static uint32_t ranks_per_socket(const Playing *playing)
{
    uint32_t sockets = (uint32_t)playing->used[0].n_sockets;
    for (uint32_t i = 0; i < playing->n_used; i++)
        if (!sockets || playing->used[i].n_sockets != (int)sockets || playing->used[i].n_ranks % sockets ||
            playing->used[i].n_ranks != playing->used[0].n_ranks)
            return 0;
    return playing->used[0].n_ranks / sockets;
}

static bool knows_sockets(const Playing *playing)
{
    for (uint32_t i = 0; i < playing->n_used; i++)
        if (!playing->used[i].n_sockets)
            return false;
    return true;
}

const char *launch_policy_find(const uint32_t *processors, uint32_t n_tasks, const Platform *platform, Arena *arena)
{
    Playing playing = {.platform = platform,
                       .wanted = processors,
                       .n_tasks = n_tasks,
                       .used = arena_new_array(arena, Used, platform->n_nodes),
                       .is_taken = arena_new_array(arena, bool, platform->n_processors)};
    find_used(&playing);
    if (fills_nodes(&playing, 0))
        return "core";
    if (takes_turns(&playing))
        return "node";
    if (knows_sockets(&playing) && fills_nodes(&playing, 1))
        return "socket";
    uint32_t per_socket = ranks_per_socket(&playing);
    return per_socket && fills_nodes(&playing, per_socket) ? arena_printf(arena, "ppr:%u:socket", per_socket) : NULL;
}
