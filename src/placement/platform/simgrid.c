/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes platforms from SimGrid's platform files. SimGrid itself reads them and finds the routes, in the
 * program firma-simgrid-routes, whose output is read here. */
#include "placement/platform/platform.h"

#include "base/libraries.h"
#include "base/process.h"
#include "base/vec.h"
#include <jansson.h>
#include <math.h>

enum { POLL_MS = 1000 };

typedef struct Reading {
    const char *file;
    Arena *arena;
    Platform *platform;
    Route *routes;
    double *link_rates;
    const int *cores;               /* [n_nodes] */
    uint32_t n_read;                /* hosts whose routes are read */
    VEC(const MachinePath *) paths; /* the different ones so far */
    const char *message;            /* SimGrid's; NULL: none */
} Reading;

/* Routes of equal cost have the same path, by which firma recognises interchangeable hosts. */
static const MachinePath *path_of(Reading *reading, double latency_s, double s_per_byte)
{
    enum { COMPARED = 64 };
    for (size_t i = reading->paths.count, n = 0; i-- && n < COMPARED; n++) {
        const CostSegment *segment = reading->paths.items[i]->segments;
        if (segment->latency_s.value == latency_s && segment->s_per_byte.value == s_per_byte)
            return reading->paths.items[i];
    }
    return *vec_push(&reading->paths) = platform_make_path(latency_s, s_per_byte, reading->arena);
}

static bool is_rate(double value)
{
    return value > 0 && isfinite(value);
}

static bool read_hosts(Reading *reading, const json_t *hosts, Err *err)
{
    Platform *platform = reading->platform;
    Arena *arena = reading->arena;
    size_t n = json_array_size(hosts);
    const char **nodes = arena_new_array(arena, const char *, n);
    int *cores = arena_new_array(arena, int, n);
    double *speeds = arena_new_array(arena, double, n);
    uint64_t n_processors = 0;
    if (n < 1 || n > NODES_LIMIT)
        return err_set(err, ERR_INPUT, "%s: has %zu hosts; for mapping, a platform has 1 to %d", reading->file, n,
                       NODES_LIMIT);
    for (size_t i = 0; i < n; i++) {
        const char *name = "";
        json_unpack(json_array_get(hosts, i), "{s: s, s: i, s: F}", "name", &name, "cores", &cores[i], "speed",
                    &speeds[i]);
        nodes[i] = arena_strdup(arena, name);
        if (!is_rate(speeds[i]))
            return err_set(err, ERR_INPUT, "%s: the speed of host %s isn't above 0", reading->file, nodes[i]);
        n_processors += (uint64_t)cores[i];
    }
    if (n_processors > PROCESSORS_LIMIT)
        return err_set(err, ERR_INPUT, "%s: has %llu cores; the limit for mapping is %d", reading->file,
                       (unsigned long long)n_processors, PROCESSORS_LIMIT);
    Processor *processors = arena_new_array(arena, Processor, n_processors);
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < cores[i]; k++)
            processors[platform->n_processors++] = (Processor){
                .node = nodes[i], .node_index = i, .core = (uint32_t)k, .cpu = -1, .speed = speeds[i] / speeds[0]};
    platform->n_nodes = (uint32_t)n;
    platform->nodes = nodes;
    platform->processors = processors;
    reading->cores = cores;
    platform_make_flat(platform, arena);
    platform->n_routes = platform_count_routes(platform);
    platform->routes = reading->routes = arena_new_array(arena, Route, platform->n_routes);
    return true;
}

static bool read_links(Reading *reading, const json_t *links, Err *err)
{
    size_t n = json_array_size(links);
    double *rates = arena_new_array(reading->arena, double, n);
    for (size_t i = 0; i < n; i++) {
        const char *name = "";
        json_unpack(json_array_get(links, i), "{s: s, s: F}", "name", &name, "rate", &rates[i]);
        if (!is_rate(rates[i]))
            return err_set(err, ERR_INPUT, "%s: the bandwidth of link %s isn't above 0", reading->file, name);
    }
    reading->platform->n_links = (uint32_t)n;
    reading->platform->link_rates = rates;
    return true;
}

static bool read_route(Reading *reading, const json_t *route, uint32_t from, uint32_t to, Route *read, Err *err)
{
    double latency_s = 0, rate = 0;
    json_t *numbers = NULL;
    const char *const *nodes = reading->platform->nodes;
    if (json_is_false(route))
        return err_set(err, ERR_INPUT, "%s: there is no route from host %s to host %s", reading->file, nodes[from],
                       nodes[to]);
    if (json_unpack((json_t *)route, "{s: F, s: F, s: o}", "latency", &latency_s, "rate", &rate, "links", &numbers) !=
        0) { /* a host with one core, to itself */
        *read = (Route){.path = path_of(reading, 0, 0)};
        return true;
    }
    if (!(latency_s >= 0 && isfinite(latency_s)))
        return err_set(err, ERR_INPUT, "%s: the latency from host %s to host %s is below 0", reading->file, nodes[from],
                       nodes[to]);
    uint32_t n = (uint32_t)json_array_size(numbers), *links = arena_new_array(reading->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        links[i] = (uint32_t)json_integer_value(json_array_get(numbers, i));
    *read = (Route){path_of(reading, latency_s, rate > 0 ? 1 / rate : 0), n, links};
    return true;
}

static bool read_routes(Reading *reading, const json_t *routes, Err *err)
{
    const Platform *platform = reading->platform;
    uint32_t from = reading->n_read++, n = platform->n_nodes;
    bool ok = true;
    for (uint32_t to = 0; ok && to < n && from < n; to++) {
        uint32_t at = from == to ? platform_inside(platform, from, platform->node_level + 1) : from * n + to;
        ok = read_route(reading, json_array_get(routes, to), from, to, &reading->routes[at], err);
    }
    return ok;
}

static bool read_line(Reading *reading, const char *line, Err *err)
{
    json_t *root = *line == '{' || *line == '[' ? json_loads(line, 0, NULL) : NULL;
    bool ok = true;
    if (json_is_object(root)) {
        ok = read_hosts(reading, json_object_get(root, "hosts"), err) &&
             read_links(reading, json_object_get(root, "links"), err);
    } else if (json_is_array(root) && reading->cores) {
        ok = read_routes(reading, root, err);
    } else if (!reading->message) {
        reading->message = arena_strdup(reading->arena, line);
    }
    json_decref(root);
    return ok;
}

static bool read_all(Reading *reading, const char *program, Err *err)
{
    const char *const words[] = {program, reading->file, NULL};
    const ProcessOptions how = {.words = words, .output = PROCESS_PIPE, .dumps_no_core = true};
    Process *process;
    const char *line;
    bool ok = true;
    if (!process_start(&how, reading->arena, &process, err))
        return false;
    for (ProcessNews news; ok && (news = process_read(process, POLL_MS, &line)) != PROCESS_ENDED;)
        ok = news == PROCESS_QUIET || read_line(reading, line, err);
    process_stop(process);
    if (!ok)
        return false;
    return (reading->cores && reading->n_read == reading->platform->n_nodes) ||
           err_set(err, ERR_INPUT, "%s: SimGrid cannot read it: %s", reading->file,
                   reading->message ? reading->message : "it doesn't say why");
}

bool platform_from_simgrid(const char *file, Arena *arena, Platform **platform, Err *err)
{
    const char *program = libraries_find_program("firma-simgrid-routes", "placement/platform", arena);
    if (!program)
        return err_set(err, ERR_ENVIRONMENT, "%s: SimGrid reads such files, and firma was built without it", file) ||
               err_hint(err, "install SimGrid's headers (Debian: libsimgrid-dev) and build firma again");
    Reading reading = {.file = file, .arena = arena, .platform = arena_new_array(arena, Platform, 1)};
    bool ok = read_all(&reading, program, err);
    vec_free(&reading.paths);
    if (!ok)
        return false;
    reading.platform->simgrid_file = arena_strdup(arena, file);
    reading.platform->reference = reading.platform->nodes[0];
    reading.platform->description = arena_printf(arena, "%s; the speed of %s counts as that of the traced machine",
                                                 file, reading.platform->nodes[0]);
    *platform = reading.platform;
    return true;
}
