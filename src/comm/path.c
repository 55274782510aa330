/* SPDX-License-Identifier: BSD-3-Clause */
/* See path.h. An interface carried the messages if it counted at least half of their bytes in both
 * directions. */
#include "comm/path.h"

#include <stdio.h>
#include <string.h>

/* Fewer bytes than this may be hidden by the launchers' own traffic. */
static const double LEAST_BYTES = 1e6;
/* Share of the moved bytes that an interface must have counted, in both directions. */
static const double CARRIED = 0.5;

void path_note(PathEvidence *evidence, const json_t *record)
{
    const char *name;
    json_t *counters, *all = json_object_get(record, "counters");
    double busiest = 0;
    if (json_integer_value(json_object_get(record, "rank")) != 0)
        return;
    evidence->is_known = json_is_object(all);
    evidence->payload_bytes = json_number_value(json_object_get(record, "payload_bytes"));
    json_object_foreach(all, name, counters)
    {
        double bytes = json_number_value(json_array_get(counters, 0)) + json_number_value(json_array_get(counters, 1));
        if (strcmp(name, "lo") == 0) {
            evidence->loopback_bytes += bytes / 2; /* it counts each byte as sent and as received */
            continue;
        }
        evidence->network_bytes += bytes;
        if (bytes > busiest) {
            busiest = bytes;
            snprintf(evidence->interface, sizeof evidence->interface, "%s", name);
        }
    }
}

static bool carried(const PathEvidence *evidence, double bytes)
{
    return bytes > CARRIED * evidence->payload_bytes;
}

const char *path_name(const PathEvidence *evidence, Arena *arena)
{
    if (!evidence->is_known || evidence->payload_bytes < LEAST_BYTES)
        return "";
    if (carried(evidence, evidence->network_bytes))
        return arena_strdup(arena, evidence->interface);
    return carried(evidence, evidence->loopback_bytes) ? "lo" : "memory";
}

const char *path_doubt(const PathEvidence *evidence, CommMedium medium, bool between_hosts, Arena *arena)
{
    const char *name = path_name(evidence, arena);
    bool is_memory = strcmp(name, "memory") == 0;
    if (!*name)
        return NULL;
    if (medium == MEDIUM_MEMORY && !is_memory)
        return arena_printf(arena,
                            "doubtful: meanwhile, the network interface %s carried as many bytes; either the messages "
                            "did not go through memory, or other programs used the network",
                            name);
    if (medium == MEDIUM_NETWORK && is_memory)
        return "not to be trusted: no network interface carried the messages";
    if (medium == MEDIUM_NETWORK && between_hosts && strcmp(name, "lo") == 0)
        return "not to be trusted: the messages did not leave the host";
    return NULL;
}
