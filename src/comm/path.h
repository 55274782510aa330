/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out through which network interfaces messages went: a library may use shared memory although
 * it was told to use TCP, or another network than that of the hosts' addresses. Compares the byte counters of the root host's interfaces with the bytes
 * that rank 0 sent and received. */
#pragma once

#include "base/arena.h"
#include "comm/plan.h"
#include <jansson.h>
#include <stdbool.h>

typedef struct PathEvidence {
    bool is_known;
    double payload_bytes;  /* sent and received by rank 0 */
    double loopback_bytes; /* through the loopback interface of rank 0's host */
    double network_bytes;  /* through all other interfaces of that host */
    char interface[64];    /* the busiest of the other interfaces */
    /* Of any rank whose host has an interface of the hosts' addresses: the largest share of its payload that other
     * interfaces carried. */
    double elsewhere;
    char named[64], other[64]; /* that interface, and the busiest of the others */
} PathEvidence;

/* Adds an `interfaces` record. Of ranks other than 0, only `elsewhere` counts. */
void path_note(PathEvidence *evidence, const json_t *record);

/* Of a library's loaded parts ("ob1 sm tcp vader"), those that carried messages along this path ("ob1 vader"). `line` is
 * UCX's own word about a connection, "… ep_cfg[1]: tag(sysv/memory cma/memory) …", or "". */
const char *path_parts(const char *loaded, const char *path, const char *line, Arena *arena);

/* "memory", "lo" or "eth0"; "" if too few bytes were moved, or the path is unknown. */
const char *path_name(const PathEvidence *evidence, Arena *arena);

/* Whether so many bytes went by other interfaces that the result is doubtful. */
bool path_is_elsewhere(const PathEvidence *evidence);

/* Why messages can't have used this medium; NULL if there is no reason for doubt. */
const char *path_doubt(const PathEvidence *evidence, CommMedium medium, bool between_hosts, Arena *arena);
