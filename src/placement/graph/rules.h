/* SPDX-License-Identifier: BSD-3-Clause */
/* Which algorithm an MPI library uses for a collective, by the number of members and the size.
 * For this folder, formats/ and simulation/. */
#pragma once

#include "placement/graph/algorithms.h"
#include "placement/graph/graph.h"

/* Most sizes at which the choice of a rule changes. */
enum { RULE_SIZES = 10 };

#define POWERS_OF_TWO (UINT32_C(1) << 31)
#define UNEVEN_PARTS (UINT32_C(1) << 30)

typedef struct CollectiveRule {
    Collective collective;
    uint32_t least_members; /* | POWERS_OF_TWO: only such numbers of members; | UNEVEN_PARTS: only
                               reduce_scatter with parts that differ */
    /* By size: each algorithm is for its least bytes and more. What the bytes are: rules.c. */
    struct {
        double least_bytes;
        const CollectiveAlgorithm *algorithm; /* NULL: no more */
    } sizes[RULE_SIZES];
} CollectiveRule;

/* Of the rules of a collective that fit the number of members, the last one counts. The table ends
 * with COLLECTIVE_COUNT. */
extern const CollectiveRule openmpi_rules[], mpich_rules[], smpi_rules[];

/* The library whose rules fit what MPI_Get_library_version says. Most libraries are made of MPICH,
 * so an unknown one, or "", gets its rules. */
CollectiveLibrary collective_library(const char *mpi_library);

/* The library whose rules turn a trace's collectives into messages. */
CollectiveLibrary graph_collective_library(const Trace *trace, GraphCollectives way);

/* Whether members' shares may differ, so that messages depend on the shares of all. */
bool collective_needs_shares(Collective collective);

/* The algorithm of a collective. All members find the same one, because the choice depends on what
 * MPI makes them agree on: the bytes of a share if all are equal, or of all shares together if
 * every member receives them. NULL: the messages aren't known, or are too many. */
const CollectiveAlgorithm *collective_algorithm(CollectiveLibrary library, Collective collective, uint32_t n_members,
                                                MemberShare own);

/* The same, also for neighbourhood collectives, whose messages the communicator's topology tells. comm: NULL: not
 * known. */
const CollectiveAlgorithm *collective_algorithm_in(CollectiveLibrary library, Collective collective, const Comm *comm,
                                                   MemberShare own);
