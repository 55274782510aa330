/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks hwloc for the cores of a machine (topology.h). */
#include "placement/platform/topology.h"

#include "base/text.h"
#include <errno.h>
#include <hwloc.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { HOST_NAME_ROOM = 256 };

/* path: an XML file. NULL: this machine, or what hwloc's environment variables say. */
static bool load_topology(const char *path, hwloc_topology_t *topology, Err *err)
{
    if (hwloc_topology_init(topology) != 0)
        return err_set(err, ERR_ENVIRONMENT, "hwloc cannot be used: %s", strerror(errno));
    if ((!path || hwloc_topology_set_xml(*topology, path) == 0) && hwloc_topology_load(*topology) == 0)
        return true;
    hwloc_topology_destroy(*topology);
    return path ? err_set(err, ERR_INPUT, "%s: hwloc cannot read it as a machine", path) ||
                      err_hint(err, "`lstopo FILE.xml` writes such files")
                : err_set(err, ERR_ENVIRONMENT, "hwloc cannot find this machine's processors: %s", strerror(errno));
}

/* Some cores of a machine. If hwloc knows no cores, the PUs. */
typedef struct Cores {
    uint32_t n;
    const uint32_t *logical; /* [n] numbers among all cores, allowed or not, as launchers count */
    const int *cpus;         /* [n] number of the first allowed PU */
    const int *sockets;      /* [n] from 1 */
    uint32_t n_levels;       /* those that tell cores apart; the last is that of the cores */
    const Level *levels;
    int n_packages, n_caches;
    const char *cache; /* the largest kind of cache: "L3" */
    const char *host;  /* NULL: not known */
    bool is_here;      /* it is the machine that firma runs on */
} Cores;

static hwloc_obj_type_t core_type(hwloc_topology_t topology)
{
    return hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
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

static void collect_cores(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, Cores *cores, Arena *arena)
{
    hwloc_obj_type_t type = core_type(topology);
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

/* What people call an object of hwloc. */
static const char *unit_name(hwloc_obj_t object, Arena *arena)
{
    if (object->type == HWLOC_OBJ_PACKAGE)
        return "package";
    if (hwloc_obj_type_is_cache(object->type))
        return arena_printf(arena, "L%u", object->attr->cache.depth);
    for (hwloc_obj_t memory = object->memory_first_child; memory; memory = memory->next_sibling)
        if (memory->type == HWLOC_OBJ_NUMANODE)
            return "NUMA node";
    return object->type == HWLOC_OBJ_DIE ? "die" : "group";
}

/* Numbers the objects of this depth in which the cores are, and returns how many there are. A core that
 * is in none counts as one. *name: what the objects are called. */
static uint32_t number_units(hwloc_topology_t topology, const Cores *cores, int depth, uint32_t *units,
                             const char **name, Arena *arena)
{
    hwloc_obj_t before = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < cores->n; i++) {
        hwloc_obj_t core = hwloc_get_obj_by_type(topology, core_type(topology), cores->logical[i]);
        hwloc_obj_t object = hwloc_get_ancestor_obj_by_depth(topology, depth, core);
        n += !i || !object || object != before;
        units[i] = n - 1;
        if (object)
            *name = unit_name(object, arena);
        before = object;
    }
    return n;
}

/* The levels that cut the cores into smaller units than the level above. */
static void find_levels(hwloc_topology_t topology, Cores *cores, Arena *arena)
{
    int end = hwloc_get_type_depth(topology, core_type(topology));
    Level *levels = arena_new_array(arena, Level, (size_t)end + 1);
    uint32_t n_before = 1;
    for (int depth = 1; depth <= end; depth++) {
        uint32_t *units = arena_new_array(arena, uint32_t, cores->n);
        const char *name = "group";
        uint32_t n = depth < end ? number_units(topology, cores, depth, units, &name, arena) : cores->n;
        bool is_last = n == cores->n;
        for (uint32_t i = 0; is_last && i < n; i++)
            units[i] = i;
        if (n > n_before || is_last)
            levels[cores->n_levels++] = (Level){is_last ? "core" : name, units};
        if (is_last)
            break;
        n_before = n;
    }
    cores->levels = levels;
}

/* `allowed`: NULL for all that the topology allows. */
static void read_cores(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, Cores *cores, Arena *arena)
{
    *cores = (Cores){0};
    collect_cores(topology, allowed ? allowed : hwloc_topology_get_allowed_cpuset(topology), cores, arena);
    if (cores->n)
        find_levels(topology, cores, arena);
    const char *host = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "HostName");
    cores->host = host ? arena_strdup(arena, host) : NULL;
}

static bool find_cores(Cores *cores, bool must_be_here, Arena *arena, Err *err)
{
    hwloc_topology_t topology;
    if (!load_topology(NULL, &topology, err))
        return false;
    hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
    bool is_here = hwloc_topology_is_thissystem(topology);
    bool is_bound = is_here && hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) == 0;
    read_cores(topology, is_bound ? allowed : NULL, cores, arena);
    cores->is_here = is_here;
    hwloc_bitmap_free(allowed);
    hwloc_topology_destroy(topology);
    if (must_be_here && !is_here)
        return err_set(err, ERR_USAGE,
                       "a variable such as HWLOC_SYNTHETIC describes another machine, on which "
                       "nothing can run");
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

/* Each level farther out makes messages slower by this factor, where nothing was measured. */
static const double GUESSED_STEP = 1.5;

static double guessed_factor(uint32_t n_levels, uint32_t level)
{
    return pow(GUESSED_STEP, n_levels - 1 - level);
}

static const char *guesses_text(const Cores *cores, Arena *arena)
{
    Text text = {0};
    for (uint32_t i = 0; i < cores->n_levels; i++) {
        double factor = guessed_factor(cores->n_levels, i);
        text_add(&text, "%s%.2g µs, %.2g GB/s", i ? "; " : "", TOPOLOGY_GUESSED_LATENCY_S * factor * 1e6,
                 TOPOLOGY_GUESSED_RATE_BYTES_PER_S / factor / 1e9);
        if (cores->n_levels > 1)
            text_add(&text, " between %ss", cores->levels[i].name);
    }
    return text_take(&text, arena);
}

static const char *describe(const Cores *cores, const char *machine, Arena *arena)
{
    const char *caches = cores->n_caches ? arena_printf(arena, ", %d %s cache%s", cores->n_caches, cores->cache,
                                                        text_plural(cores->n_caches))
                                         : "";
    return arena_printf(arena,
                        "%s: %u core%s in %d package%s%s; message costs are guesses (%s), `firma comm` measures them",
                        machine, cores->n, text_plural(cores->n), cores->n_packages, text_plural(cores->n_packages),
                        caches, guesses_text(cores, arena));
}

static void make_levels(Platform *platform, const Cores *cores, Arena *arena)
{
    Level *levels = arena_new_array(arena, Level, cores->n_levels + 1);
    levels[0] = platform_node_level(platform, arena);
    memcpy(levels + 1, cores->levels, cores->n_levels * sizeof *levels);
    platform->n_levels = cores->n_levels + 1;
    platform->levels = levels;
    platform->node_level = 0;
}

static void connect_by_guesses(Platform *platform, const Cores *cores, Arena *arena)
{
    const MachinePath **inside = arena_new_array(arena, const MachinePath *, cores->n_levels);
    for (uint32_t i = 0; i < cores->n_levels; i++) {
        double factor = guessed_factor(cores->n_levels, i);
        inside[i] =
            platform_make_path(TOPOLOGY_GUESSED_LATENCY_S * factor, factor / TOPOLOGY_GUESSED_RATE_BYTES_PER_S, arena);
    }
    platform_connect(platform, &(Paths){.inside = inside}, arena);
}

static Platform *make_platform(const Cores *cores, const char *name, const char *description, Arena *arena)
{
    Platform *made = arena_new_array(arena, Platform, 1);
    const char **names = arena_new_array(arena, const char *, 1);
    Processor *processors = arena_new_array(arena, Processor, cores->n);
    names[0] = name;
    for (uint32_t i = 0; i < cores->n; i++)
        processors[i] = (Processor){
            .node = name, .core = cores->logical[i], .cpu = cores->cpus[i], .speed = 1, .socket = cores->sockets[i]};
    *made = (Platform){
        .description = description, .n_nodes = 1, .n_processors = cores->n, .nodes = names, .processors = processors};
    make_levels(made, cores, arena);
    connect_by_guesses(made, cores, arena);
    return made;
}

bool topology_local(bool must_be_here, Arena *arena, Platform **platform, Err *err)
{
    Cores cores;
    if (!find_cores(&cores, must_be_here, arena, err))
        return false;
    const char *machine = cores.is_here ? "this machine" : "another machine, by hwloc's environment variables";
    *platform = make_platform(&cores, own_name(arena), describe(&cores, machine, arena), arena);
    return true;
}

bool topology_from_file(const char *path, Arena *arena, Platform **platform, Err *err)
{
    hwloc_topology_t topology;
    Cores cores;
    if (!load_topology(path, &topology, err))
        return false;
    read_cores(topology, NULL, &cores, arena);
    hwloc_topology_destroy(topology);
    if (!cores.n)
        return err_set(err, ERR_INPUT, "%s: hwloc finds no processor in it", path);
    *platform = make_platform(&cores, cores.host ? cores.host : "n0", describe(&cores, path, arena), arena);
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
    if (n == 0 || !find_cores(&cores, false, arena, &ignored))
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
