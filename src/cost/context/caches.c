/* SPDX-License-Identifier: BSD-3-Clause */
/* The sizes of this machine's caches, by hwloc. */
#include "cost/context/kernels.h"

#include <hwloc.h>

/* Where hwloc doesn't know a cache. */
static const ContextLimits USUAL = {.first_bytes = 32 << 10, .second_bytes = 1 << 20};

static double size_of(hwloc_topology_t topology, hwloc_obj_type_t type, double usual)
{
    hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
    return cache && cache->attr->cache.size ? (double)cache->attr->cache.size : usual;
}

ContextLimits kernels_caches(void)
{
    hwloc_topology_t topology;
    ContextLimits limits = USUAL;
    if (hwloc_topology_init(&topology) != 0)
        return limits;
    hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    if (hwloc_topology_load(topology) == 0)
        limits = (ContextLimits){.first_bytes = size_of(topology, HWLOC_OBJ_L1CACHE, USUAL.first_bytes),
                                 .second_bytes = size_of(topology, HWLOC_OBJ_L2CACHE, USUAL.second_bytes)};
    hwloc_topology_destroy(topology);
    return limits;
}
