/* SPDX-License-Identifier: BSD-3-Clause */
/* Unifies communicators. Each process numbers its own communicators; here they become communicators
 * of the whole program. If several processes create n communicators with exactly the same members,
 * the k-th one of each process is the same communicator. The resulting numbers depend only on the
 * members and k, so they are equal in two runs of a program. RMA windows are communicators, too,
 * but counted separately. So are groups of PVM: see groups.h. Private to trace/.
 *
 *   rank 0:  0 world  1 self  2 {0 1}  3 {0 1}          program:  0 world  1 self  2 {0 1}#0  3 {0 1}#1  4 {2 3}#0
 *   rank 2:  0 world  1 self  2 {2 3}                             rank 2's number 2 is the program's 4
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/writer/recording.h"

#define NO_MEMBERS UINT32_MAX
#define OUTSIDE_RANK UINT32_MAX
#define NO_WINDOW UINT32_MAX
#define NO_COMM UINT32_MAX

enum { COMM_WORLD = 0, COMM_SELF = 1 };

/* An ordered list of world ranks, as runs of constant stride. Equal lists have equal runs. */
typedef struct MemberList {
    uint32_t n_members;
    uint32_t n_inside; /* how many of these are in MPI_COMM_WORLD */
    uint32_t n_ranges;
    const CommRange *ranges;
    const uint32_t *inside; /* [n_members]: index among the members inside, or OUTSIDE_RANK; NULL if all are inside */
} MemberList;

/* `a` is the list of members. For an intercommunicator, `a` is the group whose first member is
 * smaller, and `b` the other group. Otherwise `b` is NO_MEMBERS. */
typedef struct UnifiedComm {
    uint32_t a, b; /* indices into CommTable.lists */
    uint32_t creation;
    uint32_t window; /* number among the RMA windows, or NO_WINDOW */
} UnifiedComm;

/* A communicator with the number that one process gave it. */
typedef struct LocalComm {
    uint32_t comm; /* index into CommTable.comms; NO_COMM: a group of PVM whose members aren't known */
    uint32_t own,
        peers; /* indices into CommTable.lists: the own group, and the group in which a message's peer has its rank */
    /* In the communicator's topology: ranks of sources, then those of destinations. NULL: not known. */
    const uint32_t *neighbours;
    uint32_t n_sources, n_destinations;
} LocalComm;

typedef struct CommTable {
    uint32_t n_lists, n_comms;
    const MemberList *lists;  /* list 0 is the world */
    const UnifiedComm *comms; /* 0 is the world; 1 is self, whose lists have no meaning */
    uint64_t *first;          /* [n_processes + 1]: index in `local` of each rank's first communicator */
    LocalComm *local;
} CommTable;

/* Reads the .comms files. ERR_INPUT, with file and offset: a file is broken. */
bool comms_unify(const Recording *recording, Arena *arena, CommTable *table, Err *err);

/* Writes the members that are in MPI_COMM_WORLD, in order, to members[n_inside]. */
void member_list_expand(const MemberList *list, uint64_t *members);
