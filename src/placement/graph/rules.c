/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies the rules (rules.h). */
#include "placement/graph/rules.h"

#include <string.h>

static const struct {
    const char *version; /* how MPI_Get_library_version begins */
    const CollectiveRule *rules;
    bool counts_all; /* in allgather(v) and reduce_scatter(_block), limits are for all parts together */
} libraries[] = {
    [LIBRARY_OPENMPI] = {"Open MPI", openmpi_rules, false},
    [LIBRARY_MPICH] = {"MPICH", mpich_rules, true},
    [LIBRARY_SMPI] = {"SMPI", smpi_rules, false},
};

CollectiveLibrary collective_library(const char *mpi_library)
{
    for (CollectiveLibrary i = 0; i < LIBRARY_COUNT; i++)
        if (strncmp(mpi_library, libraries[i].version, strlen(libraries[i].version)) == 0)
            return i;
    return LIBRARY_MPICH;
}

CollectiveLibrary graph_collective_library(const Trace *trace, GraphCollectives way)
{
    switch (way) {
    case COLLECTIVES_OF_OPENMPI:
        return LIBRARY_OPENMPI;
    case COLLECTIVES_OF_MPICH:
        return LIBRARY_MPICH;
    case COLLECTIVES_OF_SMPI:
        return LIBRARY_SMPI;
    default:
        return collective_library(trace->application.mpi_library ? trace->application.mpi_library : "");
    }
}

bool collective_needs_shares(Collective collective)
{
    switch (collective) {
    case COLLECTIVE_GATHERV:
    case COLLECTIVE_SCATTERV:
    case COLLECTIVE_ALLGATHERV:
    case COLLECTIVE_ALLTOALLV:
    case COLLECTIVE_ALLTOALLW:
        return true;
    default:
        return false;
    }
}

/* The bytes that limits count. All members agree on them. */
static double deciding_bytes(Collective collective, uint32_t n, MemberShare own, bool counts_all)
{
    double parts = counts_all ? n : 1;
    switch (collective) {
    case COLLECTIVE_BCAST:
        return own.received > 0 ? own.received : own.sent;
    case COLLECTIVE_GATHER:
    case COLLECTIVE_REDUCE:
    case COLLECTIVE_ALLREDUCE:
    case COLLECTIVE_REDUCE_SCATTER:
        return own.sent;
    case COLLECTIVE_SCATTER:
        return own.received;
    case COLLECTIVE_ALLGATHER:
        return own.sent * parts;
    case COLLECTIVE_ALLGATHERV:
        return own.received / n * parts;
    case COLLECTIVE_ALLTOALL:
        return own.sent / n;
    case COLLECTIVE_REDUCE_SCATTER_BLOCK:
        return own.sent / n * parts;
    default:
        return 0;
    }
}

static const CollectiveAlgorithm *by_size(const CollectiveRule *rule, double bytes)
{
    const CollectiveAlgorithm *found = NULL;
    for (uint32_t i = 0; i < RULE_SIZES && rule->sizes[i].algorithm && bytes >= rule->sizes[i].least_bytes; i++)
        found = rule->sizes[i].algorithm;
    return found;
}

static bool fits(const CollectiveRule *rule, Collective collective, uint32_t n, MemberShare own)
{
    return rule->collective == collective && n >= (rule->least_members & ~(POWERS_OF_TWO | UNEVEN_PARTS)) &&
           (!(rule->least_members & POWERS_OF_TWO) || is_power_of_two(n)) &&
           (!(rule->least_members & UNEVEN_PARTS) || own.received * n != own.sent);
}

/* A communicator of one member has the rules of two, and becomes no messages. */
static const CollectiveRule *find_rule(const CollectiveRule *rules, Collective collective, uint32_t n, MemberShare own)
{
    const CollectiveRule *found = NULL;
    for (const CollectiveRule *rule = rules; rule->collective != COLLECTIVE_COUNT; rule++)
        if (fits(rule, collective, n < 2 ? 2 : n, own))
            found = rule;
    return found;
}

const CollectiveAlgorithm *collective_algorithm(CollectiveLibrary library, Collective collective, uint32_t n_members,
                                                MemberShare own)
{
    const CollectiveRule *rule = n_members ? find_rule(libraries[library].rules, collective, n_members, own) : NULL;
    if (!rule && library == LIBRARY_SMPI)
        return collective_algorithm(LIBRARY_OPENMPI, collective, n_members, own);
    if (!rule)
        return NULL;
    const CollectiveAlgorithm *found =
        by_size(rule, deciding_bytes(collective, n_members, own, libraries[library].counts_all));
    return found && found->is_quadratic && n_members > QUADRATIC_MEMBERS_LIMIT ? found->instead : found;
}

const CollectiveAlgorithm *collective_algorithm_in(CollectiveLibrary library, Collective collective, const Comm *comm,
                                                   MemberShare own)
{
    const bool has_neighbours = comm && comm->neighbours;
    switch (collective) {
    case COLLECTIVE_NEIGHBOR_ALLGATHER:
    case COLLECTIVE_NEIGHBOR_ALLGATHERV:
        return has_neighbours ? &neighbour_gather : NULL;
    case COLLECTIVE_NEIGHBOR_ALLTOALL:
    case COLLECTIVE_NEIGHBOR_ALLTOALLV:
    case COLLECTIVE_NEIGHBOR_ALLTOALLW:
        return has_neighbours ? &neighbour_exchange : NULL;
    default:
        return collective_algorithm(library, collective, comm ? comm->n_members : 0, own);
    }
}
