/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the topologies of communicators as a property of the archive. Private to trace/. */
#pragma once

#include "trace/writer/comms.h"
#include "trace/writer/output.h"

typedef struct Topology {
    uint32_t comm; /* the communicator's number in the archive */
    uint32_t n_members;
    const CommNeighbours *members; /* [n_members] */
} Topology;

typedef VEC(Topology) Topologies;

/* Finds the topologies of a recording's communicators. A communicator of which some member's
 * neighbours aren't known has none. */
Topologies topologies_find(const Recording *recording, const CommTable *comms, Arena *arena);

/* Writes them, and frees the list. Topologies beyond a limit of neighbours are left out. */
bool topologies_write(ArchiveOutput *output, Topologies *topologies, Err *err);
