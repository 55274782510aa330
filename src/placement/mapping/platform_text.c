/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes platforms from a line of text, for what-if questions: "4x8:2us,10GB/s:0.5us,20GB/s". */
#include "placement/mapping/platform.h"

#include "base/text.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Unit {
    const char *name;
    double factor;
} Unit;

static const Unit time_units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}, {NULL, 0}};
static const Unit rate_units[] = {{"B/s", 1},      {"kB/s", 1e3},     {"MB/s", 1e6},     {"GB/s", 1e9}, {"TB/s", 1e12},
                                  {"kbit/s", 125}, {"Mbit/s", 125e3}, {"Gbit/s", 125e6}, {NULL, 0}};

/* Reads a number with its unit. *text moves past both. */
static bool read_quantity(const char **text, const Unit *units, double *value)
{
    char *end;
    double number = text_number(*text, &end);
    if (end == *text || !isfinite(number) || number < 0)
        return false;
    size_t length = strcspn(end, ",:");
    for (const Unit *unit = units; unit->name; unit++) {
        if (strlen(unit->name) == length && memcmp(unit->name, end, length) == 0) {
            *value = number * unit->factor;
            *text = end + length;
            return true;
        }
    }
    return false;
}

/* Larger values are typing errors. */
static const double MOST_LATENCY_S = 1e6, MOST_RATE = 1e18;

/* Reads ":2us,10GB/s" as a path of one segment. */
static bool read_path(const char **text, Arena *arena, const MachinePath **path)
{
    double latency_s, rate_bytes_per_s;
    if (*(*text)++ != ':' || !read_quantity(text, time_units, &latency_s) || *(*text)++ != ',' ||
        !read_quantity(text, rate_units, &rate_bytes_per_s) || latency_s > MOST_LATENCY_S || rate_bytes_per_s < 1 ||
        rate_bytes_per_s > MOST_RATE)
        return false;
    *path = platform_make_path(latency_s, 1 / rate_bytes_per_s, arena);
    return true;
}

static bool read_count(const char **text, uint64_t limit, uint32_t *count)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    unsigned long long value = strtoull(*text, &end, 10);
    if (value < 1 || value > limit)
        return false;
    *count = (uint32_t)value;
    *text = end;
    return true;
}

static void make_nodes(Platform *platform, uint32_t cores, const MachinePath *path, const MachinePath *inside,
                       Arena *arena)
{
    uint32_t n = platform->n_nodes;
    const char **nodes = arena_new_array(arena, const char *, n);
    Processor *processors = arena_new_array(arena, Processor, (size_t)n * cores);
    const MachinePath **between = arena_new_array(arena, const MachinePath *, (size_t)n *n);
    for (uint32_t i = 0; i < n; i++) {
        nodes[i] = arena_printf(arena, "n%u", i);
        for (uint32_t k = 0; k < cores; k++)
            processors[i * cores + k] =
                (Processor){.node = nodes[i], .node_index = i, .core = k, .cpu = -1, .speed = 1};
        for (uint32_t k = 0; k < n; k++)
            between[(size_t)i * n + k] = i == k ? NULL : path;
    }
    platform->n_processors = n * cores;
    platform->nodes = nodes;
    platform->processors = processors;
    platform_connect(platform, inside, between, arena);
}

/* Reads the paths behind NODESxCORES. One pair is enough if all messages go the same way. */
static bool read_paths(const char **text, uint32_t nodes, uint32_t cores, Arena *arena, const MachinePath **between,
                       const MachinePath **inside)
{
    const MachinePath *paths[2] = {NULL, NULL};
    int n = 0;
    bool has_between = nodes > 1, has_inside = cores > 1;
    for (; n < 2 && **text; n++)
        if (!read_path(text, arena, &paths[n]))
            return false;
    if (**text || n < has_between + has_inside)
        return false;
    *between = has_between ? paths[0] : NULL;
    *inside = has_inside ? paths[n - 1] : NULL;
    return true;
}

bool platform_from_text(const char *text, Arena *arena, Platform **platform, Err *err)
{
    const char *at = text;
    uint32_t nodes = 0, cores = 0;
    const MachinePath *between = NULL, *inside = NULL;
    bool ok = read_count(&at, NODES_LIMIT, &nodes) && *at++ == 'x' &&
              read_count(&at, PROCESSORS_LIMIT / nodes, &cores) &&
              read_paths(&at, nodes, cores, arena, &between, &inside);
    if (!ok) {
        err_set(err, ERR_USAGE, "--platform %s: cannot be read from character %zu on", text, (size_t)(at - text) + 1);
        return err_hint(
            err,
            "write NODESxCORES:LATENCY,RATE:LATENCY,RATE, such as 4x8:2us,10GB/s:0.5us,20GB/s: first between, "
            "then within nodes; at most %d nodes and %d cores; one node: 1x8:0.5us,20GB/s; nodes of one core: "
            "8x1:2us,10GB/s",
            NODES_LIMIT, PROCESSORS_LIMIT);
    }
    Platform *made = arena_new_array(arena, Platform, 1);
    made->description = arena_strdup(arena, text);
    made->n_nodes = nodes;
    make_nodes(made, cores, between, inside, arena);
    *platform = made;
    return true;
}
