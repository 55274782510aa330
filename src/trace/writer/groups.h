/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the members of PVM's groups. A task doesn't know who else is in a group, and asking PVM's
 * group server would change the program's times. So the members of a collective are the tasks that
 * called it. That holds for groups that don't change while they are used:
 *
 *   - The number of tasks is the one that the barrier names. Of the other collectives, the tasks'
 *     numbers in the group are 0, 1, 2 …, each once.
 *   - Each task that has ended by itself called the collectives of the group equally often.
 *
 * Collectives of all other groups have no place in the order of events, so the archive holds only
 * their time. Private to trace/. */
#pragma once

#include "trace/writer/recording.h"

typedef struct Group {
    uint32_t number;          /* of the group, among all in the recording */
    uint32_t n_members;       /* 0: not known */
    const CommRange *members; /* [n_members] of one rank each, in the order of their numbers in the group */
} Group;

typedef struct Groups {
    const Group *const *of; /* [n_processes][GROUPS_LIMIT]: by the places in the process's groups */
} Groups;

/* Of an MPI program: none. */
void groups_find(const Recording *recording, Arena *arena, Groups *groups);

static inline const Group *groups_get(const Groups *groups, uint32_t rank, uint32_t place)
{
    return groups->of[(size_t)rank * GROUPS_LIMIT + place];
}
