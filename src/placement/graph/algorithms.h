/* SPDX-License-Identifier: BSD-3-Clause */
/* The messages that collectives are made of, by the algorithms that MPI libraries commonly use (docs/METHOD.md §13).
 * Private to the folder. */
#pragma once

#include "model/event.h"
#include "model/tfg.h"

/* What a member of a communicator gives to a collective and gets from it, its own share included. */
typedef struct MemberShare {
    double sent, received;
} MemberShare;

/* A process's part in a collective. Members have places in the communicator, 0 to n - 1. */
typedef struct CollectivePart {
    uint32_t n, place, root;
    MemberShare own;
    const MemberShare *shares; /* [n] of all members, or NULL: the algorithm doesn't need them */
    double received;           /* by all of them */
} CollectivePart;

/* Takes the messages of a part in their order: STEP_SEND to, or STEP_RECV from, a place. */
typedef struct MessageSink {
    void (*put)(struct MessageSink *sink, StepKind kind, uint32_t place, double bytes);
} MessageSink;

typedef struct CollectiveAlgorithm {
    Collective collective;
    const char *name;
    uint32_t least_members, most_members; /* 0: as many as there are */
    double most_bytes;                    /* of what the choice goes by; 0: any */
    bool has_root, needs_shares;
    void (*put_messages)(const CollectivePart *part, MessageSink *sink);
} CollectiveAlgorithm;

/* Beyond, what takes a message from each member to each other has none: half a million of them would be too many. */
enum { PAIRWISE_MEMBERS_LIMIT = 724 };

/* All members of one collective find the same, by what MPI has them agree on: the bytes of their shares where these are
 * equal, of all shares together where everybody gets them. NULL: it can't be told what its messages are, or there are
 * too many. */
const CollectiveAlgorithm *collective_algorithm(Collective collective, uint32_t n_members, MemberShare own);
