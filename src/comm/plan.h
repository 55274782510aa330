/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans a measurement: which configurations, in which launches of workers, and each launch's share
 * of the time. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "comm/hosts.h"
#include "model/comm.h"
#include <stdbool.h>

#define PLAN_ALL_OPERATIONS "all"

/* The user's request. */
typedef struct CommRequest {
    Hosts hosts;
    bool all_pairs;  /* false: the root with each other host */
    double budget_s; /* for the whole measurement */
    double target;   /* half the width of the median's 95 % interval over the median */
    uint32_t n_sizes, n_collective_sizes;
    const uint64_t *sizes, *collective_sizes; /* bytes, ascending */
    bool has_named_sizes;                     /* the user chose them */
    uint32_t n_ranks;
    const uint32_t *ranks; /* of collectives: ascending, from 2 on */
    const char *const
        *operations; /* NULL-terminated names of comm/protocol.h, or PLAN_ALL_OPERATIONS; NULL: the usual */
    /* NULL-terminated: "openmpi", "openmpi:tcp", "pvm:direct:raw"; NULL: all configurations. */
    const char *const *only;
    uint32_t n_percentiles;
    const uint64_t *percentiles; /* from 0 to 100, ascending */
    const char *method;          /* of collectives: COMM_METHOD_… */
    uint64_t rotate_bytes;       /* 0: the same buffers each time */
    bool untouched;              /* buffers aren't written before measuring */
    uint32_t rounds;             /* launches of each kind; 0: as many as the budget allows */
} CommRequest;

/* What a configuration must move its bytes through, if that is known. */
typedef enum CommMedium { MEDIUM_ANY, MEDIUM_MEMORY, MEDIUM_NETWORK } CommMedium;

/* A configuration that firma knows, whether or not this machine has it. */
typedef struct CommWay {
    CommConfiguration names;
    bool crosses_hosts, stays_local;
    CommMedium medium;
    const char *const *exchanges;   /* between two processes, NULL-terminated */
    bool has_pairs;                 /* the operation `pairs` */
    const char *const *collectives; /* NULL-terminated; NULL: none */
    bool is_alone;                  /* the other host's kernel answers, not a process */
    uint64_t most_bytes;            /* of a message; 0: no limit */
    uint64_t least_bytes;           /* of a message; 1: a stream of bytes has no empty ones */
} CommWay;

/* Where a launch's processes run. */
typedef enum LaunchPlace {
    PLACE_LOCAL,  /* all on the root's host */
    PLACE_SPREAD, /* on several hosts: as `hosts` of the launch says, or one on each, in the hosts' order */
} LaunchPlace;

/* One start of a worker. */
typedef struct PlannedLaunch {
    uint32_t configuration;
    LaunchPlace place;
    uint32_t n_ranks;
    const char *const *operations; /* NULL-terminated */
    double weight;                 /* of its share of the time */
    const uint32_t *hosts;         /* [n_ranks] of each rank; NULL: as `place` says */
    const HostPair *pair;          /* ping-pong on one host: where; NULL: on the host's first processors */
} PlannedLaunch;

typedef struct CommPlan {
    uint32_t n_configurations, n_launches; /* of one round */
    const CommConfiguration *configurations;
    const CommWay *const *ways; /* one for each configuration */
    const PlannedLaunch *launches;
} CommPlan;

/* The index of the host on which a rank of a launch runs. */
uint32_t plan_host(const PlannedLaunch *launch, uint32_t rank);

/* How many ranks of a launch run on that rank's host; *before, if it isn't NULL, is the number of those with a lower
 * rank. */
uint32_t plan_beside(const PlannedLaunch *launch, uint32_t rank, uint32_t *before);

/* Whether a configuration has messages of this size. */
bool plan_has_size(const CommWay *way, uint64_t bytes);

/* Whether a launch measures messages between more than two hosts at once. */
bool plan_is_splittable(const PlannedLaunch *launch);

/* Sets launches[0], launches[1] … to one launch for each pair of hosts of such a launch, and returns their number. With
 * `launches` NULL, only counts them. */
uint32_t plan_split(const CommRequest *request, const PlannedLaunch *launch, PlannedLaunch *launches, Arena *arena);

/* What `only` of a CommRequest may hold: "os", "os:unix", … "pvm:direct:raw". NULL after the last. */
const char *plan_selection_name(size_t index);

/* Whether a configuration is selected that measures one of the request's collectives. */
bool plan_selects_collectives(const CommRequest *request);

/* Selects configurations by the request's `only`, and plans the launches of a round. ERR_USAGE:
 * `only` or `operations` hold an unknown name, or select nothing. */
bool plan_make(const CommRequest *request, Arena *arena, CommPlan *plan, Err *err);
