/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks DMTCP's coordinator about a job's processes, its peers. Private to checkpoint/. */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "signature/checkpoint/job.h"

typedef struct Peer {
    pid_t id;           /* its process id outside of DMTCP */
    const char *unique; /* DMTCP's name for it, which stays the same */
    bool runs;
} Peer;

typedef VEC(Peer) Peers;

/* Reads the coordinator's port from the file that it writes. False as long as there is no file. */
bool coordinator_port(const char *path, char port[8]);

/* Asks the coordinator for its list of peers; `command` is dmtcp_command. False: it doesn't answer,
 * and *list is its error message. */
bool coordinator_list(const char *command, const char *port, Arena *arena, char **list);

/* Adds the peers of such a list. The caller frees them (vec_free). */
void peers_parse(const char *list, Peers *peers, Arena *arena);

/* Adds the peers that have begun to run. All are kept, because some may end before the last one
 * runs. */
void peers_add_running(Peers *running, const Peers *peers);

/* Fills in ids[i]: the current id of the job's i-th process, which was in `before` and is in `now`;
 * 0: it has ended. */
void peers_find_ids(const Job *job, const Peers *before, const Peers *now, pid_t ids[]);
