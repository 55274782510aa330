/* SPDX-License-Identifier: BSD-3-Clause */
/* See order.h. Tasks in the order of their processors are what a launch in the default order
 * needs. Cray's file is described in its manual page intro_mpi, at MPICH_RANK_REORDER_METHOD. */
#include "placement/launching/order.h"

#include "base/text.h"
#include "placement/launching/policy.h"
#include <stdlib.h>
#include <string.h>

static int by_processor(const void *left, const void *right)
{
    const PlacedTask *a = left, *b = right;
    if (a->processor != b->processor)
        return a->processor < b->processor ? -1 : 1;
    return a->task < b->task ? -1 : a->task > b->task;
}

const PlacedTask *launch_order_tasks(const uint32_t *processors, uint32_t n_tasks, Arena *arena)
{
    PlacedTask *places = arena_new_array(arena, PlacedTask, n_tasks);
    for (uint32_t i = 0; i < n_tasks; i++)
        places[i] = (PlacedTask){processors[i], i};
    qsort(places, n_tasks, sizeof *places, by_processor);
    return places;
}

/* The tasks, with one separator between those of a node, and a newline behind each node. */
static const char *tasks_text(const PlacedTask *places, uint32_t n_tasks, const Platform *platform, char separator,
                              Arena *arena)
{
    Text text = {0};
    for (uint32_t i = 0; i < n_tasks; i++) {
        bool ends_node = i + 1 == n_tasks || platform->processors[places[i + 1].processor].node_index !=
                                                 platform->processors[places[i].processor].node_index;
        text_add(&text, "%u%c", places[i].task, ends_node ? '\n' : separator);
    }
    return text_take(&text, arena);
}

/* Fills in the number of ranks on each node that has any, and returns how many nodes those are. */
static uint32_t count_ranks(const PlacedTask *places, uint32_t n_tasks, const Platform *platform, uint32_t *counts,
                            Text *text)
{
    uint32_t n_nodes = 0;
    for (uint32_t i = 0, begin = 0; i < n_tasks; i++) {
        uint32_t node = platform->processors[places[i].processor].node_index;
        if (i + 1 < n_tasks && platform->processors[places[i + 1].processor].node_index == node)
            continue;
        counts[n_nodes++] = i + 1 - begin;
        text_add(text, "%s%s:%u", n_nodes > 1 ? "," : "", platform->nodes[node], i + 1 - begin);
        begin = i + 1;
    }
    return n_nodes;
}

/* Whether the launcher's k-th rank is on the k-th of these processors, if it fills cores in order. */
static bool fills_cores(const PlacedTask *places, uint32_t n_tasks, const Platform *platform, Arena *arena)
{
    uint32_t *sorted = arena_new_array(arena, uint32_t, n_tasks);
    for (uint32_t i = 0; i < n_tasks; i++) {
        sorted[i] = places[i].processor;
        if (i && sorted[i] == sorted[i - 1])
            return false;
    }
    const char *policy = launch_policy_find(sorted, n_tasks, platform, arena);
    return policy && strcmp(policy, "core") == 0;
}

static bool are_equal(const uint32_t *counts, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (counts[i] != counts[0])
            return false;
    return true;
}

LaunchOrder launch_order_make(const uint32_t *processors, uint32_t n_tasks, const Platform *platform,
                              const char *prefix, Arena *arena)
{
    const PlacedTask *places = launch_order_tasks(processors, n_tasks, arena);
    uint32_t *counts = arena_new_array(arena, uint32_t, platform->n_nodes);
    Text text = {0};
    uint32_t n_nodes = count_ranks(places, n_tasks, platform, counts, &text);
    LaunchOrder order = {.file = launch_order_path(prefix, arena),
                         .text = tasks_text(places, n_tasks, platform, '\n', arena),
                         .cray_file = launch_order_cray_path(prefix, arena),
                         .cray_text = tasks_text(places, n_tasks, platform, ',', arena),
                         .counts = text_take(&text, arena)};
    if (fills_cores(places, n_tasks, platform, arena))
        order.line =
            arena_printf(arena, "mpirun --host %s --map-by core --bind-to core -n %u ./app", order.counts, n_tasks);
    if (are_equal(counts, n_nodes))
        order.cray_line =
            arena_printf(arena, "srun --nodes=%u --ntasks=%u --ntasks-per-node=%u ./app", n_nodes, n_tasks, counts[0]);
    return order;
}

const char *launch_order_path(const char *prefix, Arena *arena)
{
    return arena_printf(arena, "%s.ranks", prefix);
}

const char *launch_order_cray_path(const char *prefix, Arena *arena)
{
    return arena_printf(arena, "%s.rank-order", prefix);
}
