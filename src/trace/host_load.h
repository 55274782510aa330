/* SPDX-License-Identifier: BSD-3-Clause */
/* How busy this host is: whether a run that begins now would be disturbed. */
#pragma once

#include "base/arena.h"
#include "trace/launch.h"
#include <stdint.h>

typedef struct HostLoad {
    uint32_t n_processors; /* that this process may use */
    /* Processors that other programs keep busy, in the mean of a moment: more than n_processors if
     * programs wait for a processor. */
    double busy_processors;
    uint64_t throttles; /* how often a processor was too hot during the run, and slowed down */
} HostLoad;

/* Looks for a tenth of a second. Nothing is busy where /proc/stat doesn't tell. */
HostLoad host_load(void);

/* How busy other programs keep this host while a job runs. */
typedef struct HostWatch {
    double begin_s;          /* by CLOCK_MONOTONIC */
    double busy_s;           /* of the processors that this process may use */
    double firma_s, ended_s; /* processor time of firma, and of its children that have ended */
    double load_average;     /* of the last minute */
    uint64_t throttles;      /* throttle_count() */
} HostWatch;

HostWatch host_watch_begin(void);

/* Sets load->busy_processors to what other programs than firma and its job kept busy since the watch
 * began; after less than a second, only if this is more. Sets load->throttles. */
void host_watch_end(const HostWatch *watch, const LaunchUsage *job, HostLoad *load);

/* A sentence if other programs would make a run clearly slower. NULL: they wouldn't. */
const char *host_load_text(const HostLoad *load, Arena *arena);

/* A sentence if processors were too hot. NULL: they weren't. */
const char *host_throttle_text(const HostLoad *load, Arena *arena);
