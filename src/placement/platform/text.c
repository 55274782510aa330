/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes platforms from a line of text, for what-if questions: "2/4x2x8:5us,10GB/s:2us,5GB/s:1us,10GB/s:0.5us,20GB/s". */
#include "placement/platform/platform.h"

#include "base/text.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static bool skip(const char **text, char expected)
{
    if (**text != expected)
        return false;
    ++*text;
    return true;
}

/* Reads ":2us,10GB/s" as a path of one segment. */
static bool read_path(const char **text, Arena *arena, const MachinePath **path)
{
    double latency_s, rate_bytes_per_s;
    if (!skip(text, ':') || !read_quantity(text, time_units, &latency_s) || !skip(text, ',') ||
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

enum { MOST_LEVELS = 8 };

/* What the text says. */
typedef struct Shape {
    uint32_t n; /* levels, the outermost first */
    uint32_t node_level;
    uint32_t counts[MOST_LEVELS];          /* of units in each unit of the level above */
    const MachinePath *paths[MOST_LEVELS]; /* between them; NULL: not given */
} Shape;

/* The number of units that make up one of this level. */
static uint32_t units_in(const Shape *shape, uint32_t level, uint32_t inner_level)
{
    uint32_t n = 1;
    while (level++ < inner_level)
        n *= shape->counts[level];
    return n;
}

/* Reads "2/4x2x8". */
static bool read_counts(const char **text, Shape *shape)
{
    uint64_t nodes = 1, cores = 1;
    bool is_inside = false;
    for (;; ++*text) {
        if (shape->n == MOST_LEVELS ||
            !read_count(text, is_inside ? PROCESSORS_LIMIT / (nodes * cores) : NODES_LIMIT / nodes,
                        &shape->counts[shape->n]))
            return false;
        *(is_inside ? &cores : &nodes) *= shape->counts[shape->n++];
        if (!is_inside && **text == 'x')
            shape->node_level = shape->n - 1;
        if (**text != 'x' && (is_inside || **text != '/'))
            return is_inside;
        is_inside = is_inside || **text == 'x';
    }
}

/* Reads the costs behind the counts. */
static bool read_paths(const char **text, Shape *shape, Arena *arena)
{
    const MachinePath *paths[MOST_LEVELS];
    uint32_t n = 0, n_needed = 0, at = 0;
    for (uint32_t i = 0; i < shape->n; i++)
        n_needed += shape->counts[i] > 1;
    for (; n < shape->n && **text; n++)
        if (!read_path(text, arena, &paths[n]))
            return false;
    if (**text || (n != n_needed && n != shape->n))
        return false;
    for (uint32_t i = 0; i < shape->n; i++)
        if (n == shape->n || shape->counts[i] > 1)
            shape->paths[i] = paths[at++];
    return true;
}

/* The path between units of a level, if messages also cross the links of the levels down to the nodes. */
static const MachinePath *path_through(const Shape *shape, uint32_t level, Arena *arena)
{
    const CostSegment *own = shape->paths[level]->segments;
    double s_per_byte = own->s_per_byte.value;
    for (uint32_t i = level + 1; i <= shape->node_level; i++)
        if (shape->counts[i] > 1)
            s_per_byte = fmax(s_per_byte, shape->paths[i]->segments->s_per_byte.value);
    return platform_make_path(own->latency_s.value, s_per_byte, arena);
}

static const MachinePath *const *find_between(const Shape *shape, uint32_t n, Arena *arena)
{
    const MachinePath **between = arena_new_array(arena, const MachinePath *, (size_t)n *n);
    for (uint32_t level = 0; level <= shape->node_level; level++) {
        if (shape->counts[level] == 1)
            continue;
        const MachinePath *path = path_through(shape, level, arena);
        uint32_t size = units_in(shape, level, shape->node_level), above = size * shape->counts[level];
        for (uint32_t i = 0; i < n * n; i++)
            if (i / n / size != i % n / size && i / n / above == i % n / above)
                between[i] = path;
    }
    return between;
}

static void connect_all(Platform *platform, const Shape *shape, Arena *arena)
{
    Switches switches[MOST_LEVELS];
    uint32_t n_switches = 0;
    for (uint32_t level = 0; level < shape->node_level; level++)
        if (shape->counts[level] > 1)
            switches[n_switches++] =
                (Switches){units_in(shape, level, shape->node_level), machine_path_rate(shape->paths[level])};
    const Paths paths = {.inside = &shape->paths[shape->node_level + 1],
                         .between = find_between(shape, platform->n_nodes, arena),
                         .n_switches = n_switches,
                         .switches = switches};
    platform_connect(platform, &paths, arena);
}

static const char *name_of(const Shape *shape, uint32_t level)
{
    if (level <= shape->node_level)
        return level < shape->node_level ? "switch" : "node";
    return level + 1 == shape->n ? "core" : level == shape->node_level + 1 ? "package" : "cache";
}

static void make_levels(Platform *platform, const Shape *shape, Arena *arena)
{
    Level *levels = arena_new_array(arena, Level, shape->n);
    for (uint32_t level = 0; level < shape->n; level++) {
        uint32_t *units = arena_new_array(arena, uint32_t, platform->n_processors);
        uint32_t size = units_in(shape, level, shape->n - 1);
        for (uint32_t i = 0; i < platform->n_processors; i++)
            units[i] = i / size;
        levels[level] = (Level){name_of(shape, level), units};
    }
    platform->n_levels = shape->n;
    platform->levels = levels;
    platform->node_level = shape->node_level;
}

static void make_processors(Platform *platform, const Shape *shape, Arena *arena)
{
    uint32_t cores = units_in(shape, shape->node_level, shape->n - 1);
    uint32_t in_package = units_in(shape, shape->node_level + 1, shape->n - 1);
    bool has_packages = shape->node_level + 2 < shape->n;
    const char **nodes = arena_new_array(arena, const char *, platform->n_nodes);
    Processor *processors = arena_new_array(arena, Processor, platform->n_processors);
    for (uint32_t i = 0; i < platform->n_nodes; i++)
        nodes[i] = arena_printf(arena, "n%u", i);
    for (uint32_t i = 0; i < platform->n_processors; i++)
        processors[i] = (Processor){.node = nodes[i / cores],
                                    .node_index = i / cores,
                                    .core = i % cores,
                                    .cpu = -1,
                                    .speed = 1,
                                    .socket = has_packages ? 1 + (int)(i % cores / in_package) : 0};
    platform->nodes = nodes;
    platform->processors = processors;
}

bool platform_from_text(const char *text, Arena *arena, Platform **platform, Err *err)
{
    const char *at = text;
    Shape shape = {0};
    if (!read_counts(&at, &shape) || !read_paths(&at, &shape, arena)) {
        if (*at)
            err_set(err, ERR_USAGE, "--platform %s: `%s` cannot be read", text, at);
        else
            err_set(err, ERR_USAGE, "--platform %s: the text ends too early", text);
        return err_hint(
            err,
            "write NODESxCORES:LATENCY,RATE:LATENCY,RATE, such as 4x8:2us,10GB/s:0.5us,20GB/s: first between, "
            "then within nodes. Packages within nodes: 4x2x4; 2 switches of 4 nodes: 2/4x8. Each number has its "
            "costs, or each but 1. Units are ns, us, ms, s; kB/s, MB/s, GB/s, TB/s, or kbit/s, Mbit/s, Gbit/s. At most "
            "%d nodes and %d cores",
            NODES_LIMIT, PROCESSORS_LIMIT);
    }
    Platform *made = arena_new_array(arena, Platform, 1);
    made->description = arena_strdup(arena, text);
    made->n_nodes = shape.counts[0] * units_in(&shape, 0, shape.node_level);
    made->n_processors = shape.counts[0] * units_in(&shape, 0, shape.n - 1);
    make_processors(made, &shape, arena);
    make_levels(made, &shape, arena);
    connect_all(made, &shape, arena);
    *platform = made;
    return true;
}
