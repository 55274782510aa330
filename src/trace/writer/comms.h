/* SPDX-License-Identifier: BSD-3-Clause */
/* Unifying communicators. Each process numbers its own; here they become the communicators of the whole program: the
 * n-th one with exactly these members that a process makes is the n-th one of these members in each of them. The
 * numbers that come out depend only on the members and n, so that two runs of a program get the same. Private to
 * trace/.
 *
 * RMA windows are communicators of their own, counted apart.
 *
 *   rank 0:  0 world  1 self  2 {0 1}  3 {0 1}          program:  0 world  1 self  2 {0 1}#0  3 {0 1}#1  4 {2 3}#0
 *   rank 2:  0 world  1 self  2 {2 3}                             rank 2's number 2 is the program's 4 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/writer/recording.h"

#define NO_MEMBERS UINT32_MAX
#define OUTSIDE_RANK UINT32_MAX
#define NO_WINDOW UINT32_MAX

enum { COMM_WORLD = 0, COMM_SELF = 1 };

/* An ordered list of world ranks, as runs of constant stride: one form per list. */
typedef struct MemberList {
    uint32_t n_members;
    uint32_t n_inside; /* of these, in MPI_COMM_WORLD */
    uint32_t n_ranges;
    const CommRange *ranges;
    const uint32_t *inside; /* [n_members] rank among those inside, or OUTSIDE_RANK; NULL if all are inside */
} MemberList;

/* a: the members, or of an intercommunicator the group whose first member is smaller; b: the other, or NO_MEMBERS. */
typedef struct UnifiedComm {
    uint32_t a, b; /* into CommTable.lists */
    uint32_t creation;
    uint32_t window; /* its number among the RMA windows, or NO_WINDOW */
} UnifiedComm;

/* A communicator as one process numbers it. */
typedef struct LocalComm {
    uint32_t comm;       /* into CommTable.comms */
    uint32_t own, peers; /* into CommTable.lists: own group, and the group that a message's peer is a rank of */
} LocalComm;

typedef struct CommTable {
    uint32_t n_lists, n_comms;
    const MemberList *lists;  /* list 0 is the world */
    const UnifiedComm *comms; /* 0: world, 1: self (its lists mean nothing) */
    uint64_t *first;          /* [n_processes + 1] where a rank's communicators begin in local */
    LocalComm *local;
} CommTable;

/* Reads the .comms files. Broken ones: ERR_INPUT with file and offset. */
bool comms_unify(const Recording *recording, Arena *arena, CommTable *table, Err *err);

/* Writes the members that are in MPI_COMM_WORLD, in order. members: [n_inside] */
void member_list_expand(const MemberList *list, uint64_t *members);
