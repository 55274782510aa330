/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes platforms from a measured machine (machine.json). */
#include "placement/platform/platform.h"

#include <math.h>
#include <string.h>

/* Configurations are compared by a message of this size, between short and long ones. */
#define TYPICAL_BYTES 8192.0

/* Which paths may be used: those of a configuration, or of a middleware. */
typedef struct Wanted {
    const MachineModel *machine;
    uint32_t n_hosts;          /* number of chosen hosts … */
    const uint32_t *hosts;     /* … and their indices in the machine */
    const bool *is_chosen;     /* [machine->n_hosts] */
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

/* Whether the path is between these two hosts, in either direction. */
static bool is_between(const MachinePath *path, uint32_t from, uint32_t to)
{
    return (path->from_host == from && path->to_host == to) || (path->from_host == to && path->to_host == from);
}

/* The level of a path is this one; NULL: any. */
static bool is_at(const MachinePath *path, const char *level)
{
    return !level || comm_level_is_same(path->level, level);
}

/* The fastest path within hosts, or between hosts. `level`: only of this one; NULL: of any. If `from` isn't UINT32_MAX: only between these
 * two. Otherwise `chosen`: only of the chosen hosts. */
static const MachinePath *fastest_of(const Wanted *wanted, bool within, const char *level, uint32_t from, uint32_t to,
                                     bool chosen)
{
    const MachinePath *best = NULL;
    for (uint32_t i = 0; i < wanted->machine->n_paths; i++) {
        const MachinePath *path = &wanted->machine->paths[i];
        bool fits = from == UINT32_MAX
                        ? !chosen || (wanted->is_chosen[path->from_host] && wanted->is_chosen[path->to_host])
                        : is_between(path, from, to);
        if (fits && is_at(path, level) && (path->from_host == path->to_host) == within && is_wanted(wanted, path) &&
            (!best || machine_message_s(path, TYPICAL_BYTES) < machine_message_s(best, TYPICAL_BYTES)))
            best = path;
    }
    return best;
}

/* The fastest path of the chosen hosts or, if none was measured, of all. */
static const MachinePath *fastest_at(const Wanted *wanted, bool within, const char *level)
{
    const MachinePath *best = fastest_of(wanted, within, level, UINT32_MAX, UINT32_MAX, true);
    return best ? best : fastest_of(wanted, within, level, UINT32_MAX, UINT32_MAX, false);
}

static const MachinePath *fastest(const Wanted *wanted, bool within)
{
    return fastest_at(wanted, within, NULL);
}

/* Time of a message within a host plus that between hosts. Infinite if a needed path wasn't
 * measured. */
static double typical_cost(const Wanted *wanted, bool needs_inside, bool needs_between)
{
    const MachinePath *inside = fastest(wanted, true);
    const MachinePath *between = fastest(wanted, false);
    if ((needs_inside && !inside) || (needs_between && !between))
        return HUGE_VAL;
    return (inside ? machine_message_s(inside, TYPICAL_BYTES) : 0) +
           (between ? machine_message_s(between, TYPICAL_BYTES) : 0);
}

static bool has_configuration(const MachineModel *machine, const char *name, Arena *arena)
{
    for (uint32_t i = 0; i < machine->n_paths; i++)
        if (strcmp(comm_configuration_name(&machine->paths[i].configuration, arena), name) == 0)
            return true;
    return false;
}

/* Reports that the wanted configuration lacks needed paths, or doesn't exist. */
static bool refuse_configuration(const Wanted *wanted, bool needs_between, Err *err)
{
    const MachineModel *machine = wanted->machine;
    if (has_configuration(machine, wanted->configuration, wanted->arena))
        return err_set(err, ERR_INPUT, "the machine model has no messages of \"%s\" %s", wanted->configuration,
                       needs_between ? "both within and between its nodes" : "within a node");
    return machine_refuse_configuration(machine, wanted->configuration, wanted->arena, err);
}

static bool choose_middleware(Wanted *wanted, bool needs_inside, bool needs_between, Err *err)
{
    double least = HUGE_VAL;
    const char *best = NULL;
    if (wanted->configuration) {
        return typical_cost(wanted, needs_inside, needs_between) < HUGE_VAL ||
               refuse_configuration(wanted, needs_between, err);
    }
    for (size_t i = 0; i < MIDDLEWARES; i++) {
        if (!comm_middlewares[i].is_mpi)
            continue;
        wanted->middleware = comm_middlewares[i].name;
        double cost = typical_cost(wanted, needs_inside, needs_between);
        if (cost < least) {
            least = cost;
            best = wanted->middleware;
        }
    }
    wanted->middleware = best;
    if (best)
        return true;
    err_set(err, ERR_INPUT, "the machine model has no messages of an MPI %s",
            needs_between ? (needs_inside ? "both within and between its nodes" : "between its nodes")
                          : "within a node");
    return err_hint(err, "choose another measured configuration with --configuration, or measure with firma comm");
}

static uint32_t cores_of(const CommHost *host, uint32_t cores)
{
    return cores ? cores : host->n_cpus;
}

static bool check_names(const MachineModel *machine, Err *err)
{
    for (uint32_t i = 0; i < machine->n_hosts; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(machine->hosts[i].name, machine->hosts[k].name) == 0)
                return err_set(err, ERR_INPUT,
                               "nodes %u and %u have the same name, \"%.200s\"; launchers distinguish nodes by name", k,
                               i, machine->hosts[i].name);
    return true;
}

static bool choose_hosts(Wanted *wanted, const char *names, Err *err)
{
    const MachineModel *machine = wanted->machine;
    uint32_t *order = arena_new_array(wanted->arena, uint32_t, machine->n_hosts), n = machine->n_hosts;
    bool *is_chosen = arena_new_array(wanted->arena, bool, machine->n_hosts);
    const char **all = arena_new_array(wanted->arena, const char *, machine->n_hosts);
    if (machine->n_hosts > NODES_LIMIT)
        return err_set(err, ERR_INPUT, "the machine has %u nodes; the limit for mapping is %d", machine->n_hosts,
                       NODES_LIMIT);
    if (!check_names(machine, err))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        all[i] = machine->hosts[i].name;
        order[i] = i;
    }
    if (names && !platform_read_names(all, machine->n_hosts, names, wanted->arena, order, &n, err))
        return false;
    for (uint32_t i = 0; i < n; i++)
        is_chosen[order[i]] = true;
    wanted->n_hosts = n;
    wanted->hosts = order;
    wanted->is_chosen = is_chosen;
    return true;
}

static bool make_processors(const Wanted *wanted, uint32_t cores, Platform *platform, Err *err)
{
    Arena *arena = wanted->arena;
    uint64_t n = 0;
    for (uint32_t i = 0; i < wanted->n_hosts; i++)
        n += cores_of(&wanted->machine->hosts[wanted->hosts[i]], cores);
    if (n > PROCESSORS_LIMIT)
        return err_set(err, ERR_INPUT, "the machine has %llu processors; the limit for mapping is %d",
                       (unsigned long long)n, PROCESSORS_LIMIT);
    if (!n) {
        err_set(err, ERR_INPUT, "no processors%s are known",
                wanted->n_hosts < wanted->machine->n_hosts ? " of these nodes" : "");
        return err_hint(err, "give the number of processors of each node with --cores");
    }
    const char **nodes = arena_new_array(arena, const char *, wanted->n_hosts);
    Processor *processors = arena_new_array(arena, Processor, n);
    for (uint32_t i = 0; i < wanted->n_hosts; i++) {
        const CommHost *host = &wanted->machine->hosts[wanted->hosts[i]];
        nodes[i] = arena_strdup(arena, host->name);
        for (uint32_t k = 0; k < cores_of(host, cores); k++)
            processors[platform->n_processors++] =
                (Processor){.node = nodes[i], .node_index = i, .core = k, .cpu = -1, .speed = 1};
    }
    platform->n_nodes = wanted->n_hosts;
    platform->nodes = nodes;
    platform->processors = processors;
    return true;
}

static const char *describe(const MachinePath *inside, const MachinePath *between, Arena *arena)
{
    const char *inside_name = inside ? comm_configuration_name(&inside->configuration, arena) : NULL;
    const char *between_name = between ? comm_configuration_name(&between->configuration, arena) : NULL;
    if (inside_name && between_name)
        return arena_printf(arena, "%s within nodes, %s between", inside_name, between_name);
    return inside_name    ? arena_printf(arena, "%s within the node", inside_name)
           : between_name ? arena_printf(arena, "%s between nodes", between_name)
                          : "one processor";
}

/* The first chosen host whose levels are known. NULL: none. */
static const CommHost *host_with_levels(const Wanted *wanted)
{
    for (uint32_t i = 0; i < wanted->n_hosts; i++)
        if (wanted->machine->hosts[wanted->hosts[i]].n_levels)
            return &wanted->machine->hosts[wanted->hosts[i]];
    return NULL;
}

/* The level of this name; NULL: the host doesn't have it, or has fewer cores than the platform's node. */
static const HostLevel *level_of(const CommHost *host, const char *name, uint32_t n_cores)
{
    for (uint32_t i = 0; i < host->n_levels; i++)
        if (strcmp(host->levels[i].name, name) == 0 && host->levels[i].n_cores >= n_cores)
            return &host->levels[i];
    return NULL;
}

/* The units of a level on all nodes. A node that doesn't have the level is one unit. */
static const uint32_t *units_of(const Wanted *wanted, const Platform *platform, const char *name)
{
    uint32_t *units = arena_new_array(wanted->arena, uint32_t, platform->n_processors), next = 0;
    for (uint32_t node = 0; node < platform->n_nodes; node++) {
        uint32_t first = platform_first(platform, node), end = platform_first(platform, node + 1);
        const HostLevel *level = level_of(&wanted->machine->hosts[wanted->hosts[node]], name, end - first);
        for (uint32_t i = first; i < end; i++)
            units[i] = next + (level ? level->units[i - first] : 0);
        next = end > first ? units[end - 1] + 1 : next;
    }
    return units;
}

/* Nodes have the levels of the first host whose levels are known. */
static void make_levels(const Wanted *wanted, Platform *platform)
{
    const CommHost *host = host_with_levels(wanted);
    uint32_t n = host ? host->n_levels : 0;
    Level *levels = arena_new_array(wanted->arena, Level, n + 2);
    levels[0] = platform_node_level(platform, wanted->arena);
    for (uint32_t i = 0; i < n; i++)
        levels[i + 1] = (Level){host->levels[i].name, units_of(wanted, platform, host->levels[i].name)};
    levels[n + 1] = platform_core_level(platform, wanted->arena);
    platform->n_levels = n + 2;
    platform->levels = levels;
}

/* Of each level, the fastest path that was measured between its units. Where none was: `usual`. */
static const MachinePath *const *find_insides(const Wanted *wanted, const Platform *platform, const MachinePath *usual)
{
    const MachinePath **insides = arena_new_array(wanted->arena, const MachinePath *, platform->n_levels);
    for (uint32_t i = 1; i < platform->n_levels; i++) {
        const MachinePath *path = fastest_at(wanted, true, platform->levels[i].name);
        insides[i - 1] = path ? path : usual;
    }
    return insides;
}

static void set_paths(const Wanted *wanted, Platform *platform)
{
    uint32_t n = platform->n_nodes;
    const MachinePath *any = n > 1 ? fastest(wanted, false) : NULL;
    const MachinePath **between = arena_new_array(wanted->arena, const MachinePath *, (size_t)n *n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = i + 1; k < n; k++) {
            const MachinePath *path = fastest_of(wanted, false, NULL, wanted->hosts[i], wanted->hosts[k], true);
            between[(size_t)i * n + k] = between[(size_t)k * n + i] = path ? path : any;
        }
    }
    const MachinePath *inside = fastest(wanted, true);
    make_levels(wanted, platform);
    const MachinePath *const *insides = find_insides(wanted, platform, inside);
    platform_connect(platform, &(Paths){.inside = insides, .between = between}, wanted->arena);
    platform->description = describe(inside, any, wanted->arena);
    if (platform->n_levels > 2)
        platform->description = arena_printf(wanted->arena, "%s; %u levels of cores within nodes",
                                             platform->description, platform->n_levels - 1);
}

static bool has_several_on_a_node(const Platform *platform)
{
    for (uint32_t i = 1; i < platform->n_processors; i++)
        if (platform->processors[i].node_index == platform->processors[i - 1].node_index)
            return true;
    return false;
}

/* A file of `firma machine cpu` has neither hosts nor messages. */
static bool check_communication(const MachineModel *machine, Err *err)
{
    return machine->n_hosts || machine->n_paths || !machine->n_processors ||
           err_set(err, ERR_INPUT,
                   "holds only what operations cost on a processor, but mapping needs what messages cost") ||
           err_hint(err, "measure messages with `firma comm -o DIR`, and give DIR/machine.json");
}

bool platform_from_machine(const MachineModel *machine, const char *hosts, const char *configuration, uint32_t cores,
                           const char *const *speeds, Arena *arena, Platform **platform, Err *err)
{
    Platform *made = arena_new_array(arena, Platform, 1);
    Wanted wanted = {.machine = machine, .configuration = configuration, .arena = arena};
    if (!check_communication(machine, err) || !choose_hosts(&wanted, hosts, err) ||
        !make_processors(&wanted, cores, made, err) ||
        !choose_middleware(&wanted, has_several_on_a_node(made), made->n_nodes > 1, err))
        return false;
    set_paths(&wanted, made);
    if (!platform_set_speeds(made, speeds, arena, err))
        return false;
    *platform = made;
    return true;
}
