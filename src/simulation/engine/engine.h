/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of firma-simgrid-replay share. */
#pragma once

#include "placement/graph/rules.h"
#include "simulation/job.h"
#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <smpi/mpi.h>

typedef struct Replay {
    Job job;
    double reference_flops; /* computed in a second by the reference host */
    char *out, *in;         /* as large as any message; never touched */
    size_t buffer_bytes;
    struct Instances *instances;
} Replay;

/* A process that runs through its events. */
typedef struct Rank {
    const Replay *replay;
    uint32_t number;
    Event *events;
    MPI_Request *slots;
    MPI_Comm *comms;         /* [n_comms] MPI_COMM_NULL: no collective of this process uses it */
    MPI_Win *windows;        /* [n_comms] MPI_WIN_NULL: it isn't a window, or not of this process */
    uint64_t *n_collectives; /* [n_comms] so far */
    uint64_t last_call;      /* the first event of the last call */
    int64_t owed_ns;         /* of what this call does on the processor, still to be done */
} Rank;

static inline double to_seconds(int64_t ns)
{
    return 1e-9 * (double)ns;
}

/* Collects what each member gives to each collective, and gets from it. */
struct Instances *instances_collect(const Job *job);

/* Takes part in a collective. request: NULL, and it returns when the collective is over; or where the
 * nonblocking collective's request is put. */
void collective_run(Rank *rank, const Event *event, MPI_Request *request);

/* Takes part in a blocking collective by the messages of a library's algorithm. `number`: of the collective, on its
 * communicator. False: they aren't known. */
bool messages_run(const Replay *replay, MPI_Comm comm, Collective collective, const CollectivePart *part,
                  uint64_t number);

/* Makes a window of the communicator with this number. */
void window_make(Rank *rank, uint32_t comm);
/* Starts a put, get or accumulate; waits for those to the event's peer. */
void one_sided_start(const Rank *rank, const Event *event);
void one_sided_complete(const Rank *rank, const Event *event);
