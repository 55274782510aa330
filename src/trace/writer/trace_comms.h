/* SPDX-License-Identifier: BSD-3-Clause */
/* The communicators of a Trace, to be defined in an archive that is written from its events. Private to trace/.
 *
 * MPI_COMM_SELF stands in a Trace as one communicator for each process, and becomes one again; so do its duplicates.
 * An intercommunicator stands there with the members of both groups, and becomes a communicator of these: events name
 * world ranks, and collectives are of all members. */
#pragma once

#include "trace/writer/comms.h"

typedef struct TraceComms {
    const Trace *trace;
    CommTable table;      /* of its fields only lists and comms */
    bool has_self;        /* COMM_SELF is used */
    UnifiedComm *unified; /* [table.n_comms] */
    uint32_t *defined;    /* [n_comms of the trace] into table.comms */
    uint64_t **members;   /* [n_comms of the trace] world rank << 32 | rank, sorted; NULL: not needed yet */
} TraceComms;

void trace_comms_build(const Trace *trace, Arena *arena, TraceComms *comms);

/* The rank that a process has in a communicator of the trace; of no member: OUTSIDE_RANK. */
uint32_t trace_comms_rank(TraceComms *comms, uint32_t comm, uint32_t process, Arena *arena);
