/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts to measure, and how to start programs on them. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/comm.h"
#include <stdint.h>

enum { HOSTS_LIMIT = 1024, HOST_CPUS_LIMIT = 1024 };

/* Two processors of a host that are apart at a level. */
typedef struct HostPair {
    const char *level;
    int cpus[2];
} HostPair;

typedef struct Host {
    const char *name;    /* for launchers and reports */
    const char *address; /* for sockets; the name, if no address is given */
    uint32_t n_cpus;
    const int *cpus;  /* processes are bound to these in order; no CPUs: processes aren't bound */
    uint32_t n_slots; /* processes that may run there at once, at most */
    uint32_t n_levels, n_pairs;
    const HostLevel *levels; /* as of a CommHost */
    const HostPair *pairs;   /* one for each level, the innermost first; none: all cores are alike, or
                                it isn't known */
} Host;

typedef struct Hosts {
    uint32_t n;
    const Host *items; /* the first host is the root's */
    /* Words of a command that, followed by a host's name, executes a command there ("ssh").
     * NULL-terminated. NULL: this host is the only one. */
    const char *const *agent;
} Hosts;

/* Reads a file with one host a line: NAME [ADDRESS] [CPU,CPU…] [slots=N]; `#` begins a comment. ERR_INPUT:
 * with file and line. */
bool hosts_load(const char *path, const char *const *agent, Arena *arena, Hosts *hosts, Err *err);

/* The slots of all hosts. */
uint32_t hosts_slots(const Hosts *hosts);

/* This host alone, with the CPUs on which firma may run: first one CPU of each core, then the other
 * hardware threads of the cores. */
Hosts hosts_own(Arena *arena);
