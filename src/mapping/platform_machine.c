/* SPDX-License-Identifier: BSD-3-Clause */
/* Platforms from a measured machine (machine.json). */
#include "mapping/platform.h"

#include <math.h>
#include <string.h>

/* Configurations are compared by a message of this size, between short and long. */
#define TYPICAL_BYTES 8192.0

/* Which paths may be taken: those of a configuration's name, else those of a middleware. */
typedef struct Wanted {
    const MachineModel *machine;
    const char *configuration; /* NULL: any of the middleware */
    const char *middleware;
    Arena *arena;
} Wanted;

static bool is_wanted(const Wanted *wanted, const MachinePath *path)
{
    if (!path->n_segments)
        return false;
    if (wanted->configuration)
        return strcmp(comm_configuration_name(&path->configuration, wanted->arena), wanted->configuration) == 0;
    return strcmp(path->configuration.middleware, wanted->middleware) == 0;
}

/* The fastest path within (or between) hosts; from, to: of these two, in either direction; UINT32_MAX: any. */
static const MachinePath *fastest(const Wanted *wanted, bool within, uint32_t from, uint32_t to)
{
    const MachinePath *best = NULL;
    for (uint32_t i = 0; i < wanted->machine->n_paths; i++) {
        const MachinePath *path = &wanted->machine->paths[i];
        bool fits = from == UINT32_MAX || (path->from_host == from && path->to_host == to) ||
                    (path->from_host == to && path->to_host == from);
        if (fits && (path->from_host == path->to_host) == within && is_wanted(wanted, path) &&
            (!best || machine_message_s(path, TYPICAL_BYTES) < machine_message_s(best, TYPICAL_BYTES)))
            best = path;
    }
    return best;
}

/* What messages within and between hosts cost together; infinite where a needed one wasn't measured. */
static double typical_cost(const Wanted *wanted, bool needs_inside, bool needs_between)
{
    const MachinePath *inside = fastest(wanted, true, UINT32_MAX, UINT32_MAX);
    const MachinePath *between = fastest(wanted, false, UINT32_MAX, UINT32_MAX);
    if ((needs_inside && !inside) || (needs_between && !between))
        return HUGE_VAL;
    return (inside ? machine_message_s(inside, TYPICAL_BYTES) : 0) +
           (between ? machine_message_s(between, TYPICAL_BYTES) : 0);
}

static bool choose_middleware(Wanted *wanted, bool needs_inside, bool needs_between, Err *err)
{
    static const char *const middlewares[] = {"openmpi", "mpich"};
    double least = HUGE_VAL;
    const char *best = NULL;
    if (wanted->configuration) {
        if (typical_cost(wanted, needs_inside, needs_between) < HUGE_VAL)
            return true;
        return err_set(err, ERR_INPUT, "the machine has no messages of \"%s\" measured %s", wanted->configuration,
                       needs_between ? "both within and between its hosts" : "within a host");
    }
    for (size_t i = 0; i < sizeof middlewares / sizeof *middlewares; i++) {
        wanted->middleware = middlewares[i];
        double cost = typical_cost(wanted, needs_inside, needs_between);
        if (cost < least) {
            least = cost;
            best = middlewares[i];
        }
    }
    wanted->middleware = best;
    if (best)
        return true;
    err_set(err, ERR_INPUT, "the machine has no MPI's messages measured %s",
            needs_between ? (needs_inside ? "both within and between its hosts" : "between its hosts")
                          : "within a host");
    return err_hint(err,
                    "name another configuration that was measured with --configuration, or measure with firma comm");
}

static uint32_t cores_of(const CommHost *host, uint32_t cores)
{
    return cores ? cores : host->n_cpus;
}

static bool make_processors(const MachineModel *machine, uint32_t cores, Arena *arena, Platform *platform, Err *err)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < machine->n_hosts; i++)
        n += cores_of(&machine->hosts[i], cores);
    if (machine->n_hosts > NODES_LIMIT || n > PROCESSORS_LIMIT)
        return err_set(err, ERR_INPUT, "the machine has %u hosts and %llu processors; mapping takes up to %d and %d",
                       machine->n_hosts, (unsigned long long)n, NODES_LIMIT, PROCESSORS_LIMIT);
    if (!n) {
        err_set(err, ERR_INPUT, "the machine has no processors");
        return err_hint(err, "say with --cores how many a host has");
    }
    const char **nodes = arena_new_array(arena, const char *, machine->n_hosts);
    Processor *processors = arena_new_array(arena, Processor, n);
    for (uint32_t i = 0; i < machine->n_hosts; i++) {
        nodes[i] = arena_strdup(arena, machine->hosts[i].name);
        for (uint32_t k = 0; k < cores_of(&machine->hosts[i], cores); k++)
            processors[platform->n_processors++] =
                (Processor){.node = nodes[i], .node_index = i, .core = k, .cpu = -1, .speed = 1};
    }
    platform->n_nodes = machine->n_hosts;
    platform->nodes = nodes;
    platform->processors = processors;
    return true;
}

static const char *describe(const Platform *platform, const MachinePath *between, Arena *arena)
{
    const char *inside_name =
        platform->inside ? comm_configuration_name(&platform->inside->configuration, arena) : NULL;
    const char *between_name = between ? comm_configuration_name(&between->configuration, arena) : NULL;
    if (inside_name && between_name)
        return arena_printf(arena, "%s within nodes, %s between", inside_name, between_name);
    return inside_name    ? arena_printf(arena, "%s within the node", inside_name)
           : between_name ? arena_printf(arena, "%s between nodes", between_name)
                          : "one processor";
}

static void set_paths(const Wanted *wanted, Platform *platform)
{
    uint32_t n = platform->n_nodes;
    const MachinePath *any = n > 1 ? fastest(wanted, false, UINT32_MAX, UINT32_MAX) : NULL;
    const MachinePath **between = arena_new_array(wanted->arena, const MachinePath *, (size_t)n *n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = i + 1; k < n; k++) {
            const MachinePath *path = fastest(wanted, false, i, k);
            between[(size_t)i * n + k] = between[(size_t)k * n + i] = path ? path : any;
        }
    }
    platform->inside = fastest(wanted, true, UINT32_MAX, UINT32_MAX);
    platform->between = between;
    platform->description = describe(platform, any, wanted->arena);
}

/* Has a host several processors? */
static bool has_several_on_a_node(const Platform *platform)
{
    for (uint32_t i = 1; i < platform->n_processors; i++)
        if (platform->processors[i].node_index == platform->processors[i - 1].node_index)
            return true;
    return false;
}

bool platform_from_machine(const MachineModel *machine, const char *configuration, uint32_t cores,
                           const char *const *speeds, Arena *arena, Platform **platform, Err *err)
{
    Platform *made = arena_new_array(arena, Platform, 1);
    Wanted wanted = {.machine = machine, .configuration = configuration, .arena = arena};
    if (!make_processors(machine, cores, arena, made, err) ||
        !choose_middleware(&wanted, has_several_on_a_node(made), made->n_nodes > 1, err))
        return false;
    set_paths(&wanted, made);
    if (!platform_set_speeds(made, speeds, arena, err))
        return false;
    *platform = made;
    return true;
}
