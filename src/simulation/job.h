/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract between firma and firma-simgrid-replay: a file with what each process does, into which
 * the program writes when each event happened on the simulated machine.
 *
 *     JobHeader | JobProcess … | JobComm … | members … | Event …
 *
 * Events have their model's form (model/event.h), with these differences. `compute_ns` is on a host as
 * fast as the reference host. Of a call's first event, `lost` is how long the call keeps the processor
 * busy at least, on such a host; if it receives, `bytes_received` is how long it does so, in ns, after the
 * last message came, provided that it waited for it. Bytes and tag of a communicator's creation:
 * creations.h. A posted receive has its message's peer, tag and bytes. `request` is a slot of its process,
 * from 0, which is taken again after the request completed; or NO_REQUEST. Tags are different in different
 * communicators. Both programs run on one machine, so numbers have its byte order. */
#pragma once

#include "model/event.h"

enum { JOB_HOST_BYTES = 256 };
#define NO_COMM UINT32_MAX
#define JOB_MAGIC UINT64_C(0x31626f6a616d7266)
/* Simulated seconds after which a simulation ends without a result: 1e18 ns, and sums of a few such times, fit
 * int64_t. */
#define JOB_LONGEST_S 1e9

typedef struct JobHeader {
    uint64_t magic;
    uint32_t n_processes, n_comms;
    uint64_t n_members, n_events;
    double latency_factor, bandwidth_factor; /* by which all links of the platform are changed */
    double compute_factor;                   /* by which all computation is longer */
    uint64_t library;                        /* a CollectiveLibrary: whose collectives are simulated */
    uint64_t is_finished;                    /* written when all processes are through */
    uint64_t is_too_long;                    /* written when one would run for JOB_LONGEST_S or longer */
    char reference[JOB_HOST_BYTES];          /* the host by whose speed computation is told */
} JobHeader;

typedef struct JobProcess {
    uint64_t first_event, n_events;
    uint64_t n_slots;
    uint64_t n_done; /* events that are over; written while the process runs */
    char host[JOB_HOST_BYTES];
} JobProcess;

typedef struct JobComm {
    uint64_t first_member;
    uint32_t n_members;
    uint32_t is_used; /* by a collective */
    uint64_t is_window;
} JobComm;

/* Where its parts begin. */
typedef struct Job {
    JobHeader *header;
    JobProcess *processes;
    JobComm *comms;
    uint32_t *members;
    Event *events;
} Job;

/* The process's place among the communicator's members; n_members: it isn't one of them. */
static inline uint32_t job_member(const Job *job, const JobComm *comm, uint32_t process)
{
    uint32_t i = 0;
    while (i < comm->n_members && job->members[comm->first_member + i] != process)
        i++;
    return i;
}

static inline size_t job_members_bytes(const JobHeader *header)
{
    return (header->n_members * sizeof(uint32_t) + sizeof(Event) - 1) / sizeof(Event) * sizeof(Event);
}

static inline size_t job_bytes(const JobHeader *header)
{
    return sizeof(JobHeader) + header->n_processes * sizeof(JobProcess) + header->n_comms * sizeof(JobComm) +
           job_members_bytes(header) + header->n_events * sizeof(Event);
}

static inline Job job_at(void *memory)
{
    char *at = memory;
    Job job = {.header = memory};
    job.processes = (JobProcess *)(void *)(at += sizeof(JobHeader));
    job.comms = (JobComm *)(void *)(at += job.header->n_processes * sizeof(JobProcess));
    job.members = (uint32_t *)(void *)(at += job.header->n_comms * sizeof(JobComm));
    job.events = (Event *)(void *)(at + job_members_bytes(job.header));
    return job;
}
