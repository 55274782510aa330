/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out through which network interface messages went: a library may use shared memory although
 * it was told to use TCP. Compares the byte counters of the root host's interfaces with the bytes
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
} PathEvidence;

/* Adds an `interfaces` record. */
void path_note(PathEvidence *evidence, const json_t *record);

/* "memory", "lo" or "eth0"; "" if too few bytes were moved, or the path is unknown. */
const char *path_name(const PathEvidence *evidence, Arena *arena);

/* Why messages can't have used this medium; NULL if there is no reason for doubt. */
const char *path_doubt(const PathEvidence *evidence, CommMedium medium, bool between_hosts, Arena *arena);
