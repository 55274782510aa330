/* SPDX-License-Identifier: BSD-3-Clause */
/* The definitions of a Trace's communicators, for an archive that is written from its events.
 * Private to trace/.
 *
 * A Trace has MPI_COMM_SELF as one communicator for each process; the archive has a single one. The
 * same holds for duplicates of MPI_COMM_SELF. A Trace has an intercommunicator with the members of
 * both groups, and so has the archive: events name world ranks, and all members take part in
 * collectives. */
#pragma once

#include "trace/writer/comms.h"

typedef struct TraceComms {
    const Trace *trace;
    CommTable table;      /* only its lists and comms are used */
    bool has_self;        /* COMM_SELF is used */
    UnifiedComm *unified; /* [table.n_comms] */
    uint32_t *defined;    /* [n_comms of the trace]: index into table.comms */
    uint64_t **members;   /* [n_comms of the trace]: world rank << 32 | rank, sorted; NULL: not needed yet */
} TraceComms;

void trace_comms_build(const Trace *trace, Arena *arena, TraceComms *comms);

/* The rank of a process in a communicator of the trace, or OUTSIDE_RANK if it isn't a member. */
uint32_t trace_comms_rank(TraceComms *comms, uint32_t comm, uint32_t process, Arena *arena);
