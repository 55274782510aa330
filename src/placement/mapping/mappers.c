/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of mappers, the plainest first. */
#include "placement/mapping/mappers.h"

#include "config.h"

const Mapper mappers[] = {
    {"block", "node by node, as launchers do by default", map_block, NULL},
    {"round-robin", "one on each node in turn", map_round_robin, NULL},
#if FIRMA_HAS_SCOTCH
    {"scotch", "graph partitioning by volume onto the tree of nodes (Scotch)", map_scotch, NULL},
#endif
    {"list", "list scheduling, earliest finish first (after HEFT)", map_list, NULL},
    {"ttig", "list mapping by gain, volume against parallelism (after MATE)", map_ttig, NULL},
    {"grow", "greedy growing by load, links and messages", map_grow, NULL},
    {"exhaustive", "every mapping, for a few tasks", map_exhaustive, exhaustive_is_applicable},
};

const unsigned n_mappers = sizeof mappers / sizeof *mappers;

const char *mapping_mapper_name(size_t index)
{
    return index < n_mappers ? mappers[index].name : index == n_mappers ? MAPPING_SEARCH : NULL;
}
