/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts that are measured, and how programs are started on them. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdint.h>

enum { HOSTS_LIMIT = 1024, HOST_CPUS_LIMIT = 1024 };

typedef struct Host {
    const char *name;    /* for launchers and reports */
    const char *address; /* for sockets: the name, if none is given */
    uint32_t n_cpus;
    const int *cpus; /* to bind processes to, in this order; none: they stay as they were started */
} Host;

typedef struct Hosts {
    uint32_t n;
    const Host *items;        /* the first is the root's */
    const char *const *agent; /* words before a host's name that execute a command there; NULL ends; NULL: this host
                                 alone */
} Hosts;

/* One host a line: NAME [ADDRESS] [CPU,CPU…]; `#` begins a comment. ERR_INPUT with file and line. */
bool hosts_load(const char *path, const char *const *agent, Arena *arena, Hosts *hosts, Err *err);

/* This host alone, with one CPU of each core that firma may run on, other cores first, then their siblings. */
Hosts hosts_own(Arena *arena);

/* "0,1,4". ERR_USAGE naming the option. */
bool hosts_parse_cpus(const char *option, const char *text, Arena *arena, Host *host, Err *err);
