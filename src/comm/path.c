/* SPDX-License-Identifier: BSD-3-Clause */
/* See path.h. An interface carried the messages if it counted at least half of their bytes in both
 * directions. */
#include "comm/path.h"

#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Fewer bytes than this may be hidden by the launchers' own traffic. */
static const double LEAST_BYTES = 1e6;
/* Share of the moved bytes that an interface must have counted, in both directions. */
static const double CARRIED = 0.5;

/* More than this share of the payload elsewhere isn't launchers' traffic, nor headers. */
static const double ELSEWHERE = 0.1;

static double moved(const json_t *counters)
{
    return json_number_value(json_array_get(counters, 0)) + json_number_value(json_array_get(counters, 1));
}

static void note_elsewhere(PathEvidence *evidence, const json_t *record)
{
    const char *name, *named = json_string_value(json_object_get(record, "interface")), *other = "";
    double payload_bytes = json_number_value(json_object_get(record, "payload_bytes")), bytes = 0, most = 0;
    json_t *counters;
    if (!named || payload_bytes < LEAST_BYTES)
        return;
    json_object_foreach(json_object_get(record, "counters"), name, counters) {
        if (strcmp(name, "lo") == 0 || strcmp(name, named) == 0)
            continue;
        bytes += moved(counters);
        if (moved(counters) > most) {
            most = moved(counters);
            other = name;
        }
    }
    if (*evidence->named && bytes / payload_bytes <= evidence->elsewhere)
        return;
    evidence->elsewhere = bytes / payload_bytes;
    snprintf(evidence->named, sizeof evidence->named, "%s", named);
    snprintf(evidence->other, sizeof evidence->other, "%s", other);
}

bool path_is_elsewhere(const PathEvidence *evidence)
{
    return evidence->elsewhere > ELSEWHERE;
}

void path_note(PathEvidence *evidence, const json_t *record)
{
    const char *name;
    json_t *counters, *all = json_object_get(record, "counters");
    double busiest = 0;
    note_elsewhere(evidence, record);
    if (json_integer_value(json_object_get(record, "rank")) != 0)
        return;
    evidence->is_known = json_is_object(all);
    evidence->payload_bytes = json_number_value(json_object_get(record, "payload_bytes"));
    json_object_foreach(all, name, counters) {
        double bytes = moved(counters);
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
    if (path_is_elsewhere(evidence))
        return arena_printf(
            arena, "doubtful: %.0f %% of the bytes went by %s, and not by %s, the interface of the hosts' addresses",
            100 * fmin(1, evidence->elsewhere), evidence->other, evidence->named);
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

/* Open MPI's components for TCP and for memory share the messages of a job by the processes' places. */
static bool is_used(const char *part, const char *path, const char *loaded)
{
    const bool is_memory = strcmp(path, "memory") == 0;
    if (strcmp(part, "tcp") == 0)
        return !*path || !is_memory;
    if (strcmp(part, "sm") == 0 && strstr(loaded, "vader")) /* of Open MPI 4, which only names vader's successor */
        return false;
    return (strcmp(part, "vader") != 0 && strcmp(part, "sm") != 0) || !*path || is_memory;
}

const char *path_parts(const char *loaded, const char *path, const char *line, Arena *arena)
{
    Text text = {0};
    char *words = arena_strdup(arena, loaded), *rest = words;
    for (char *word; (word = strtok_r(rest, " ", &rest));)
        if (is_used(word, path, loaded))
            text_add(&text, "%s%s", text.bytes.count ? " " : "", word);
    const char *tag = strstr(line, "tag(");
    size_t length = tag ? strcspn(tag + strlen("tag("), ")") : 0;
    if (length)
        rest = arena_strndup(arena, tag + strlen("tag("), length);
    for (char *word; length && (word = strtok_r(rest, " ", &rest));) {
        const char *device = strstr(word, "/memory"); /* others are networks, such as tcp/eth0 */
        text_add(&text, "%s%.*s", text.bytes.count ? " " : "", device ? (int)(device - word) : (int)strlen(word), word);
    }
    return text_take(&text, arena);
}
