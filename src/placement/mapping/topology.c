/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks hwloc for this machine's cores (topology.h). */
#include "placement/mapping/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <string.h>
#include <unistd.h>

enum { HOST_NAME_ROOM = 256 };

/* The cores that this process may run on. If hwloc knows no cores, the PUs. */
typedef struct Cores {
    uint32_t n;
    const uint32_t *logical; /* [n] numbers among all cores, allowed or not, as launchers count */
    const int *cpus;         /* [n] number of the first allowed PU */
    const int *sockets;      /* [n] from 1 */
    int n_packages, n_caches;
    const char *cache; /* the largest kind of cache: "L3" */
} Cores;

static bool load_topology(hwloc_topology_t *topology, Err *err)
{
    if (hwloc_topology_init(topology) != 0)
        return err_set(err, ERR_ENVIRONMENT, "hwloc cannot be used: %s", strerror(errno));
    if (hwloc_topology_load(*topology) == 0)
        return true;
    err_set(err, ERR_ENVIRONMENT, "hwloc cannot find this machine's processors: %s", strerror(errno));
    hwloc_topology_destroy(*topology);
    return false;
}

static void count_caches(hwloc_topology_t topology, Cores *cores, Arena *arena)
{
    cores->cache = "";
    for (int level = 5; level > 0; level--) {
        int depth = hwloc_get_cache_type_depth(topology, (unsigned)level, HWLOC_OBJ_CACHE_UNIFIED);
        int n = depth < 0 ? 0 : (int)hwloc_get_nbobjs_by_depth(topology, depth);
        if (n > 0) {
            cores->n_caches = n;
            cores->cache = arena_printf(arena, "L%d", level);
            return;
        }
    }
}

static void collect_cores(hwloc_topology_t topology, const hwloc_bitmap_t allowed, Cores *cores, Arena *arena)
{
    hwloc_obj_type_t type = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    unsigned n = (unsigned)hwloc_get_nbobjs_by_type(topology, type);
    uint32_t *logical = arena_new_array(arena, uint32_t, n);
    int *cpus = arena_new_array(arena, int, n);
    int *sockets = arena_new_array(arena, int, n);
    hwloc_bitmap_t own = hwloc_bitmap_alloc();
    for (unsigned i = 0; i < n; i++) {
        hwloc_obj_t core = hwloc_get_obj_by_type(topology, type, i);
        hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, core);
        hwloc_bitmap_and(own, core->cpuset, allowed);
        if (hwloc_bitmap_iszero(own))
            continue;
        logical[cores->n] = i;
        sockets[cores->n] = package ? 1 + (int)package->logical_index : 1;
        cpus[cores->n++] = hwloc_bitmap_first(own);
    }
    hwloc_bitmap_free(own);
    cores->logical = logical;
    cores->cpus = cpus;
    cores->sockets = sockets;
    int packages = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE);
    cores->n_packages = packages > 0 ? packages : 1;
    count_caches(topology, cores, arena);
}

static bool find_cores(Cores *cores, Arena *arena, Err *err)
{
    hwloc_topology_t topology;
    if (!load_topology(&topology, err))
        return false;
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
    *cores = (Cores){0};
    if (hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) != 0)
        hwloc_bitmap_copy(allowed, hwloc_topology_get_allowed_cpuset(topology));
    collect_cores(topology, allowed, cores, arena);
    hwloc_bitmap_free(allowed);
    hwloc_topology_destroy(topology);
    return cores->n > 0 || err_set(err, ERR_ENVIRONMENT, "hwloc finds no processor that firma may run on");
}

static const char *own_name(Arena *arena)
{
    char name[HOST_NAME_ROOM];
    if (gethostname(name, sizeof name) != 0)
        return "localhost";
    name[sizeof name - 1] = '\0';
    return arena_strdup(arena, name);
}

static const char *describe(const Cores *cores, Arena *arena)
{
    const char *caches = cores->n_caches ? arena_printf(arena, ", %d %s cache%s", cores->n_caches, cores->cache,
                                                        cores->n_caches == 1 ? "" : "s")
                                         : "";
    return arena_printf(arena,
                        "this machine: %u core%s in %d package%s%s; message costs are guesses (%.2g µs, %.2g GB/s), "
                        "`firma comm` measures them",
                        cores->n, cores->n == 1 ? "" : "s", cores->n_packages, cores->n_packages == 1 ? "" : "s",
                        caches, TOPOLOGY_GUESSED_LATENCY_S * 1e6, TOPOLOGY_GUESSED_RATE_BYTES_PER_S / 1e9);
}

bool topology_local(Arena *arena, Platform **platform, Err *err)
{
    Cores cores;
    if (!find_cores(&cores, arena, err))
        return false;
    Platform *local = arena_new_array(arena, Platform, 1);
    const char **name = arena_new_array(arena, const char *, 1);
    Processor *processors = arena_new_array(arena, Processor, cores.n);
    name[0] = own_name(arena);
    for (uint32_t i = 0; i < cores.n; i++)
        processors[i] = (Processor){
            .node = name[0], .core = cores.logical[i], .cpu = cores.cpus[i], .speed = 1, .socket = cores.sockets[i]};
    *local = (Platform){.description = describe(&cores, arena),
                        .n_nodes = 1,
                        .n_processors = cores.n,
                        .nodes = name,
                        .processors = processors};
    platform_connect(local,
                     platform_make_path(TOPOLOGY_GUESSED_LATENCY_S, 1 / TOPOLOGY_GUESSED_RATE_BYTES_PER_S, arena), NULL,
                     arena);
    *platform = local;
    return true;
}

/* Compares whole names or, if one has no dot, the parts before the first dot. */
static bool names_same_host(const char *left, const char *right)
{
    size_t n = strcspn(left, "."), m = strcspn(right, ".");
    return strcmp(left, right) == 0 || ((!left[n] || !right[m]) && n == m && memcmp(left, right, n) == 0);
}

/* n_nodes: the platform has no such node. */
static uint32_t find_node(const Platform *platform, const char *name)
{
    uint32_t node = 0;
    while (node < platform->n_nodes && !names_same_host(platform->nodes[node], name))
        node++;
    return node;
}

TopologyFinding topology_find_cpus(Platform *platform, Arena *arena, uint32_t *n_cores)
{
    Err ignored;
    Cores cores;
    uint32_t node = find_node(platform, own_name(arena));
    uint32_t first = platform_first(platform, node), n = platform_first(platform, node + 1) - first;
    *n_cores = 0;
    if (n == 0 || !find_cores(&cores, arena, &ignored))
        return TOPOLOGY_ABSENT;
    *n_cores = cores.n;
    if (n > cores.n)
        return TOPOLOGY_FEWER;
    Processor *processors = arena_copy_array(arena, platform->processors, platform->n_processors, sizeof *processors);
    for (uint32_t i = 0; i < n; i++) {
        processors[first + i].core = cores.logical[i];
        processors[first + i].cpu = cores.cpus[i];
        processors[first + i].socket = cores.sockets[i];
    }
    platform->processors = processors;
    return TOPOLOGY_FOUND;
}
