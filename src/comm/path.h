/* SPDX-License-Identifier: BSD-3-Clause */
/* Which way the bytes went: a library that is told to use TCP may use memory all the same. The counters of the network
 * interfaces on the root's host, against what the root sent and received itself, tell. */
#pragma once

#include "base/arena.h"
#include "comm/plan.h"
#include <jansson.h>
#include <stdbool.h>

typedef struct PathEvidence {
    bool is_known;
    double payload_bytes;  /* what the root sent and received */
    double loopback_bytes; /* what its host's loopback interface did */
    double network_bytes;  /* and all others */
    char interface[64];    /* of these the busiest */
} PathEvidence;

/* An `interfaces` record. */
void path_note(PathEvidence *evidence, const json_t *record);

/* "memory", "lo", "eth0"; "" if too little was moved, or it can't be told. */
const char *path_name(const PathEvidence *evidence, Arena *arena);

/* Why a way by this medium can't have been what was measured; NULL: no reason. */
const char *path_doubt(const PathEvidence *evidence, CommMedium medium, bool between_hosts, Arena *arena);
