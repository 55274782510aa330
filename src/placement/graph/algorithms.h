/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages that collectives become, by the algorithms that MPI libraries commonly use.
 * docs/METHOD.md, section 13. Private to the folder. */
#pragma once

#include "model/event.h"
#include "model/tfg.h"

/* The bytes that a member of a communicator contributes to a collective and receives from it, its
 * own share included. */
typedef struct MemberShare {
    double sent, received;
} MemberShare;

/* A process's part in a collective. `place`: its rank in the communicator, 0 to n - 1. */
typedef struct CollectivePart {
    uint32_t n, place, root;
    MemberShare own;
    const MemberShare *shares; /* [n] of all members; NULL: the algorithm doesn't need them */
    double received;           /* by all members together */
} CollectivePart;

/* Takes the messages of a part in order: STEP_SEND to a place, or STEP_RECV from a place. */
typedef struct MessageSink {
    void (*put)(struct MessageSink *sink, StepKind kind, uint32_t place, double bytes);
} MessageSink;

typedef struct CollectiveAlgorithm {
    Collective collective;
    const char *name;
    uint32_t least_members, most_members; /* 0: no limit */
    double most_bytes;                    /* limit for deciding_bytes() (algorithms.c); 0: no
                                             limit */
    bool has_root, needs_shares;
    void (*put_messages)(const CollectivePart *part, MessageSink *sink);
} CollectiveAlgorithm;

/* With more members, a collective that takes a message from each member to each other isn't
 * expanded: that would be half a million messages. */
enum { PAIRWISE_MEMBERS_LIMIT = 724 };

/* The algorithm of a collective. All members find the same one, because the choice depends on what
 * MPI makes them agree on: the bytes of a share if all are equal, or of all shares together if
 * every member receives them. NULL: the messages aren't known, or are too many. */
const CollectiveAlgorithm *collective_algorithm(Collective collective, uint32_t n_members, MemberShare own);
