/* SPDX-License-Identifier: BSD-3-Clause */
/* What DMTCP's coordinator tells of a job's processes, its peers. Private to checkpoint/. */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "signature/checkpoint/job.h"

typedef struct Peer {
    pid_t id;           /* as it is here */
    const char *unique; /* as DMTCP calls it, whatever its id */
    bool runs;
} Peer;

typedef VEC(Peer) Peers;

/* Where a coordinator listens, from the file that it writes. False as long as there is none. */
bool coordinator_port(const char *path, char port[8]);

/* What it says of its peers; `command` is dmtcp_command. False: it doesn't answer, and *list says why. */
bool coordinator_list(const char *command, const char *port, Arena *arena, char **list);

/* Adds the peers in such a list. The caller frees them (vec_free). */
void peers_parse(const char *list, Peers *peers, Arena *arena);

/* Adds those of `peers` that have begun to run; some may have ended before the last has. */
void peers_add_running(Peers *running, const Peers *peers);

/* ids[i]: what the job's i-th process, which was one of `before`, is among `now`; 0: it has ended already. */
void peers_find_ids(const Job *job, const Peers *before, const Peers *now, pid_t ids[]);
