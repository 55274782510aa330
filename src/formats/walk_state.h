/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to walk.c and walk_collectives.c. */
#pragma once

#include "base/map.h"
#include "formats/walk.h"

/* What is noted when all is told. */
typedef struct WalkCounts {
    uint64_t n_open_sends;                 /* no event tells their completion */
    uint64_t n_one_sided, n_window_syncs;  /* left out */
    uint64_t n_nonblocking;                /* collectives */
    uint64_t n_cut;                        /* collectives that became messages */
    uint64_t n_left_out[COLLECTIVE_COUNT]; /* of kinds that can't be told */
} WalkCounts;

/* A collective that is posted, and not yet told. */
typedef struct Posted {
    size_t event;
    bool is_world;
} Posted;

struct TraceWalk {
    const Trace *trace;
    WalkOptions options;
    KeptTrace *kept;
    WalkCounts counts;
    Map tag_of;      /* (communicator, tag) -> number, but for the first communicator's */
    uint64_t handle; /* of messages that collectives become */
    /* of the current process: */
    uint32_t process;
    ActionSink *sink;
    KeptProcess events;
    double compute_ns;       /* since the last action */
    Map sends;               /* request -> index of its send + 1; 0: complete */
    VEC(Posted) collectives; /* in the order of posting */
    VEC(size_t) beside;      /* sends of the current call that are waited for when it returns */
};

/* Tells the computation before the next action. */
void walk_flush(TraceWalk *walk);

/* The tag of messages in a communicator; COLLECTIVE_TAG: of those that its collectives become. */
#define COLLECTIVE_TAG UINT32_MAX
int32_t walk_tag(TraceWalk *walk, uint32_t comm, uint32_t tag);

/* Whether the communicator has all processes, in their order. */
bool walk_is_world(const TraceWalk *walk, uint32_t comm);

/* Tells a collective that is whole. */
void walk_collective(TraceWalk *walk, const KeptEvent *event);
