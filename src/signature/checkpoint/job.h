/* SPDX-License-Identifier: BSD-3-Clause */
/* What a job consists of, as /proc tells: its processes, and the files that have to be saved with it. Private to
 * checkpoint/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include <stdint.h>
#include <sys/types.h>

typedef struct JobThread {
    int64_t id;
    const char *cpus; /* cpus.h */
} JobThread;

typedef struct JobProcess {
    int64_t id, rank; /* -1: none */
    VEC(JobThread) threads;
} JobProcess;

typedef enum JobPathKind {
    JOB_PATH_SHARED,  /* a segment in /dev/shm */
    JOB_PATH_SESSION, /* a directory that the launcher removes at its end */
    JOB_PATH_HELD,    /* a file that is open for writing */
    JOB_PATH_ASKED    /* who saves wants it */
} JobPathKind;

typedef struct JobPath {
    const char *path;
    JobPathKind kind;
} JobPath;

typedef struct Job {
    VEC(JobProcess) processes; /* the launcher first */
    VEC(JobPath) paths;        /* none is below another */
} Job;                         /* zero-initialise */

void job_free(Job *job);

/* Adds the launcher and all that descends from it. ERR_ENVIRONMENT: not there, or not to be looked into. */
bool job_find_processes(pid_t launcher, Arena *arena, Job *job, Err *err);

/* Adds the paths that its processes hold, but for those in `except` (NULL: none) that aren't of the launcher's session.
 * Those asked for should be in already. */
void job_find_paths(Job *job, const char *except, Arena *arena);

/* What a process has mapped of files; access: "r-xp", as the kernel lists it. */
typedef void JobMappingVisit(void *self, const char *path, const char *access);
void job_visit_mappings(pid_t process, JobMappingVisit *visit, void *self);

void job_add_path(Job *job, const char *path, JobPathKind kind, Arena *arena);
