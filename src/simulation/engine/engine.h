/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of firma-simgrid-replay share. */
#pragma once

#include "simulation/job.h"
#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <smpi/mpi.h>

typedef struct Replay {
    Job job;
    double reference_flops; /* computed in a second by the reference host */
    char *out, *in;         /* as large as any message; never touched */
    struct Instances *instances;
} Replay;

/* A process that runs through its events. */
typedef struct Rank {
    const Replay *replay;
    uint32_t number;
    Event *events;
    MPI_Request *slots;
    MPI_Comm *comms;         /* [n_comms] MPI_COMM_NULL: no collective of this process uses it */
    uint64_t *n_collectives; /* [n_comms] so far */
    sg_actor_t *puts;        /* that may still be on their way */
    size_t n_puts, puts_capacity;
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

/* Starts a put, get or accumulate; waits for all that were started. */
void one_sided_start(Rank *rank, const Event *event);
void one_sided_finish(Rank *rank);
