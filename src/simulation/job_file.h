/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes work as a job for firma-simgrid-replay, and maps the job's file to read its results. Private to
 * the folder. */
#pragma once

#include "placement/graph/rules.h"
#include "simulation/job.h"
#include "simulation/work.h"

/* On what the processes run. */
typedef struct JobMachine {
    const char *const *hosts; /* [n_processes] */
    const char *reference;    /* the host by whose speed computation is told */
    double latency_factor, bandwidth_factor, compute_factor;
    CollectiveLibrary library; /* whose collectives are simulated */
} JobMachine;

/* ERR_INPUT: receives without sends, messages of more than 2 GiB, or neighbourhood collectives. */
bool job_prepare(Work *work, Err *err);

/* Writes the prepared work to `path`. */
bool job_write(const Work *work, const JobMachine *machine, const char *path, Err *err);

/* A job's file in memory. */
typedef struct JobFile {
    Job job;
    size_t size_bytes;
} JobFile;

bool job_map(const char *path, JobFile *file, Err *err);
void job_unmap(JobFile *file);
