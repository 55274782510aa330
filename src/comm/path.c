/* SPDX-License-Identifier: BSD-3-Clause */
/* See path.h. */
#include "comm/path.h"

#include <stdio.h>
#include <string.h>

/* Less than this may be drowned by what launchers say to each other. */
static const double LEAST_BYTES = 1e6;
/* Of what was moved, an interface that carried it saw at least so much, in both directions. */
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
            evidence->loopback_bytes += bytes / 2; /* what it sends, it receives */
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
                            "doubtful: the interface %s carried as many bytes meanwhile; either these did not go "
                            "through memory, or other programs were at work",
                            name);
    if (medium == MEDIUM_NETWORK && is_memory)
        return "not to be trusted: the bytes went through no network interface";
    if (medium == MEDIUM_NETWORK && between_hosts && strcmp(name, "lo") == 0)
        return "not to be trusted: the bytes did not leave the host";
    return NULL;
}
