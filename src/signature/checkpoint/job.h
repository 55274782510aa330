/* SPDX-License-Identifier: BSD-3-Clause */
/* A job as /proc shows it: its processes, and the files that must be saved with it. Private to
 * checkpoint/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include <stdint.h>
#include <sys/types.h>

typedef struct JobThread {
    int64_t id;
    const char *cpus; /* see cpus.h */
} JobThread;

typedef struct JobProcess {
    int64_t id, rank; /* rank -1: none */
    VEC(JobThread) threads;
} JobProcess;

typedef enum JobPathKind {
    JOB_PATH_SHARED,  /* a segment in /dev/shm */
    JOB_PATH_SESSION, /* a directory that the launcher removes when it ends */
    JOB_PATH_HELD,    /* a file that is open for writing */
    JOB_PATH_ASKED    /* the caller asked for it */
} JobPathKind;

typedef struct JobPath {
    const char *path;
    JobPathKind kind;
} JobPath;

typedef struct Job {
    VEC(JobProcess) processes; /* the launcher first */
    VEC(JobPath) paths;        /* none lies below another */
} Job;                         /* zero-initialise */

void job_free(Job *job);

/* Adds the launcher and all its descendants. ERR_ENVIRONMENT: the launcher doesn't exist, or its
 * /proc can't be read. */
bool job_find_processes(pid_t launcher, Arena *arena, Job *job, Err *err);

/* The name of a program, as the kernel shortens it. "" if the process has ended. */
const char *job_program(pid_t process, Arena *arena);

/* Adds the paths that the processes hold. Leaves out those below `except` (NULL: none), unless they
 * belong to the launcher's session. Paths that the caller asks for must be added before. */
void job_find_paths(Job *job, const char *except, Arena *arena);

/* A file that a process has mapped. access: "r-xp", as the kernel lists it. */
typedef void JobMappingVisit(void *self, const char *path, const char *access);
void job_visit_mappings(pid_t process, JobMappingVisit *visit, void *self);

void job_add_path(Job *job, const char *path, JobPathKind kind, Arena *arena);
