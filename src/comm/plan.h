/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured: which configurations, in which launches of workers, and how long each. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "comm/hosts.h"
#include "model/comm.h"
#include <stdbool.h>

/* What a user asks for. */
typedef struct CommRequest {
    Hosts hosts;
    bool all_pairs;  /* else the root with each other host */
    double budget_s; /* for everything */
    double target;   /* half width of the median's 95 % interval, relative */
    uint32_t n_sizes, n_collective_sizes;
    const uint64_t *sizes, *collective_sizes; /* bytes, ascending */
    uint32_t n_ranks;
    const uint32_t *ranks;         /* of collectives, ascending, from 2 on */
    const char *const *operations; /* of comm/protocol.h, NULL ends; NULL: all */
    const char *const *only;       /* "openmpi", "openmpi:tcp", "pvm:direct:raw", NULL ends; NULL: all configurations */
    const char *method;            /* of collectives */
    uint64_t rotate_bytes;         /* 0: the same buffers each time */
    bool untouched;                /* buffers aren't written before */
    uint32_t rounds;               /* launches of each kind; 0: as many as the budget allows */
} CommRequest;

/* By what a way must move its bytes, if that is known. */
typedef enum CommMedium { MEDIUM_ANY, MEDIUM_MEMORY, MEDIUM_NETWORK } CommMedium;

/* A way to communicate that firma knows, whether or not the machine has it. */
typedef struct CommWay {
    CommConfiguration names;
    bool crosses_hosts, stays_local;
    CommMedium medium;
    const char *const *collectives; /* NULL ends; NULL: none */
    bool is_alone;                  /* the other host's system answers, and no process of ours */
    uint64_t most_bytes;            /* of a message; 0: no limit */
} CommWay;

/* Where the processes of a launch run. */
typedef enum LaunchPlace {
    PLACE_LOCAL,  /* all of them on the root's host */
    PLACE_SPREAD, /* one a host, in the hosts' order */
} LaunchPlace;

/* One start of a worker. */
typedef struct PlannedLaunch {
    uint32_t configuration;
    LaunchPlace place;
    uint32_t n_ranks;
    const char *const *operations; /* NULL ends */
    double weight;                 /* of its share of time */
} PlannedLaunch;

typedef struct CommPlan {
    uint32_t n_configurations, n_launches; /* launches of one round */
    const CommConfiguration *configurations;
    const CommWay *const *ways; /* of the configurations */
    const PlannedLaunch *launches;
} CommPlan;

/* Configurations that the request's `only` selects, and the launches of a round. ERR_USAGE: `only` or `operations` name something unknown, or nothing is left. */
bool plan_make(const CommRequest *request, Arena *arena, CommPlan *plan, Err *err);
