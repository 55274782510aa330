/* SPDX-License-Identifier: BSD-3-Clause */
/* See machine_files.h. On the route of a message stand a link of its own for the costs of its path, which
 * messages don't share, and the links that they do share:
 *
 *     p0 ── path 0 (latency, rate) ── node 0 up (rate) ── node 1 down (rate) ── p4
 *
 * SimGrid has one list of factors by message size for all links. It is that of the path with most
 * segments; the other paths' lines are fitted to it at both ends (as in comm/simgrid.c). */
#include "simulation/machine_files.h"

#include "base/files.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include <math.h>
#include <string.h>

static const double FLOPS = 1e9, HEADER_BYTES = 16;
/* SimGrid knows no links that take no time. */
static const double LEAST_LATENCY_S = 1e-12, LEAST_S_PER_BYTE = 1e-15;
enum { ROUTES_LIMIT = 1 << 22 };

typedef struct Writing {
    const Platform *platform;
    VEC(uint32_t) used; /* processors, ascending */
    VEC(const MachinePath *) paths;
    Map path_numbers;
    const MachinePath *shape; /* its segments give the factors */
    Text text;
} Writing;

/* ---- paths ---- */

static double latency_of(const CostSegment *segment)
{
    return fmax(LEAST_LATENCY_S, segment->latency_s.value - HEADER_BYTES * segment->s_per_byte.value);
}

static double s_per_byte_of(const CostSegment *segment)
{
    return fmax(LEAST_S_PER_BYTE, segment->s_per_byte.value);
}

static const CostSegment *last_segment(const MachinePath *path)
{
    return &path->segments[path->n_segments - 1];
}

static size_t path_number(Writing *writing, const MachinePath *path)
{
    size_t number = map_number(&writing->path_numbers, (MapKey){(uintptr_t)path, 0}, writing->paths.count);
    if (number == writing->paths.count)
        *vec_push(&writing->paths) = path;
    return number;
}

static const Route *route_between(const Writing *writing, size_t from, size_t to)
{
    return platform_route(writing->platform, writing->used.items[from], writing->used.items[to]);
}

/* The path with most segments; of several, one between nodes. */
static void choose_shape(Writing *writing)
{
    for (size_t i = 0; i < writing->used.count; i++)
        for (size_t k = 0; k < writing->used.count; k++) {
            const Route *route = i == k ? NULL : route_between(writing, i, k);
            if (route && (!writing->shape || route->path->n_segments > writing->shape->n_segments ||
                          (route->path->n_segments == writing->shape->n_segments && route->n_links)))
                writing->shape = route->path;
        }
}

static double scaled_message_s(const Writing *writing, const MachinePath *path, double bytes)
{
    const CostSegment *segment = machine_path_segment(writing->shape, bytes);
    return latency_of(segment) / latency_of(&writing->shape->segments[0]) * latency_of(&path->segments[0]) +
           (bytes + HEADER_BYTES) * s_per_byte_of(segment) / s_per_byte_of(last_segment(writing->shape)) *
               s_per_byte_of(last_segment(path));
}

/* The largest relative error of the written costs, at each segment's ends. */
static double cost_error(const Writing *writing)
{
    double largest = 0;
    for (size_t i = 0; i < writing->paths.count; i++) {
        const MachinePath *path = writing->paths.items[i];
        for (uint32_t k = 0; k < path->n_segments; k++) {
            double bytes = (double)path->segments[k].from_bytes, true_s = machine_message_s(path, bytes);
            if (true_s > 0 && path != writing->shape)
                largest = fmax(largest, fabs(scaled_message_s(writing, path, bytes) / true_s - 1));
        }
    }
    return largest;
}

/* ---- the file ---- */

static void add_link(Writing *writing, const char *kind, size_t number, double rate, double latency_s,
                     const char *policy)
{
    text_add(&writing->text, "<link id=\"%s%zu\" bandwidth=\"%.12gBps\" latency=\"%.12gs\" sharing_policy=\"%s\"/>\n",
             kind, number, rate, latency_s, policy);
}

static void add_route(Writing *writing, size_t from, size_t to)
{
    const Route *route = from == to ? NULL : route_between(writing, from, to);
    text_add(&writing->text, "<route src=\"p%u\" dst=\"p%u\" symmetrical=\"NO\">", writing->used.items[from],
             writing->used.items[to]);
    if (route)
        text_add(&writing->text, "<link_ctn id=\"path%zu\"/>", path_number(writing, route->path));
    else
        text_add(&writing->text, "<link_ctn id=\"memory0\"/>");
    for (uint32_t i = 0; route && i < route->n_links; i++)
        text_add(&writing->text, "<link_ctn id=\"link%u\"/>", route->links[i]);
    text_add(&writing->text, "</route>\n");
}

static void add_hosts(Writing *writing)
{
    for (size_t i = 0; i < writing->used.count; i++)
        text_add(&writing->text, "<host id=\"p%u\" speed=\"%.12gf\"/>\n", writing->used.items[i],
                 FLOPS * writing->platform->processors[writing->used.items[i]].speed);
    /* for the reference speed alone */
    text_add(&writing->text, "<host id=\"traced\" speed=\"%.12gf\"/>\n", FLOPS);
}

static void add_links(Writing *writing)
{
    for (size_t i = 0; i < writing->used.count; i++)
        for (size_t k = 0; k < writing->used.count; k++)
            if (i != k)
                path_number(writing, route_between(writing, i, k)->path);
    for (size_t i = 0; i < writing->paths.count; i++)
        add_link(writing, "path", i, 1 / s_per_byte_of(last_segment(writing->paths.items[i])),
                 latency_of(&writing->paths.items[i]->segments[0]), "FATPIPE");
    for (uint32_t i = 0; i < writing->platform->n_links; i++)
        add_link(writing, "link", i, fmin(1 / LEAST_S_PER_BYTE, writing->platform->link_rates[i]), 0, "SHARED");
    add_link(writing, "memory", 0, 1 / LEAST_S_PER_BYTE, LEAST_LATENCY_S, "FATPIPE");
}

static const char *platform_text(Writing *writing, Arena *arena)
{
    text_add(&writing->text, "<?xml version='1.0'?>\n"
                             "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                             "<platform version=\"4.1\"><zone id=\"machine\" routing=\"Full\">\n");
    add_hosts(writing);
    add_links(writing);
    for (size_t i = 0; i < writing->used.count; i++)
        for (size_t k = 0; k < writing->used.count; k++)
            add_route(writing, i, k);
    text_add(&writing->text, "</zone></platform>\n");
    return text_take(&writing->text, arena);
}

/* ---- settings ---- */

static const char *factors_of(const MachinePath *shape, bool of_latency, Arena *arena)
{
    Text text = {0};
    for (uint32_t i = 0; shape && i < shape->n_segments; i++) {
        const CostSegment *segment = &shape->segments[i];
        uint64_t threshold = i ? segment->from_bytes + (uint64_t)HEADER_BYTES - 1 : 0;
        double factor = of_latency ? latency_of(segment) / latency_of(&shape->segments[0])
                                   : s_per_byte_of(last_segment(shape)) / s_per_byte_of(segment);
        text_add(&text, "%s%llu:%.12g", i ? ";" : "", (unsigned long long)threshold, factor);
    }
    if (!shape)
        text_add(&text, "0:1");
    return text_take(&text, arena);
}

static const char *const *settings_of(const MachinePath *shape, const char *collectives, Arena *arena)
{
    const char *const words[] = {arena_printf(arena, "--cfg=smpi/lat-factor:%s", factors_of(shape, true, arena)),
                                 arena_printf(arena, "--cfg=smpi/bw-factor:%s", factors_of(shape, false, arena)),
                                 arena_printf(arena, "--cfg=smpi/async-small-thresh:%.0f", PLATFORM_EAGER_BYTES),
                                 arena_printf(arena, "--cfg=smpi/send-is-detached-thresh:%.0f", PLATFORM_EAGER_BYTES),
                                 arena_printf(arena, "--cfg=smpi/coll-selector:%s", collectives),
                                 "--cfg=network/model:SMPI",
                                 "--cfg=network/TCP-gamma:0",
                                 "--cfg=network/crosstraffic:0",
                                 "--cfg=smpi/os:0:0:0",
                                 "--cfg=smpi/or:0:0:0",
                                 "--cfg=smpi/ois:0:0:0",
                                 "--cfg=smpi/wtime:0",
                                 "--cfg=smpi/simulate-computation:no",
                                 "--cfg=smpi/privatization:no",
                                 "--cfg=smpi/host-speed:1f",
                                 "--cfg=smpi/finalization-barrier:no",
                                 "--log=root.fmt:%m%n",
                                 "--log=root.thres:error",
                                 NULL};
    return arena_copy_array(arena, words, sizeof words / sizeof *words, sizeof *words);
}

/* ---- both ---- */

static void collect_used(Writing *writing, const uint32_t *processors, uint32_t n)
{
    Arena *arena = arena_new();
    bool *is_used = arena_new_array(arena, bool, writing->platform->n_processors);
    for (uint32_t i = 0; i < n; i++)
        is_used[processors[i]] = true;
    for (uint32_t i = 0; i < writing->platform->n_processors; i++)
        if (is_used[i])
            *vec_push(&writing->used) = i;
    arena_free(arena);
}

static bool check_names(const MachineFiles *files, uint32_t n, Err *err)
{
    enum { HOST_LIMIT = 255 };
    for (uint32_t i = 0; i < n; i++)
        if (strlen(files->hosts[i]) > HOST_LIMIT)
            return err_set(err, ERR_INPUT, "%s: the name of host %s is too long", files->platform, files->hosts[i]);
    return true;
}

static bool use_file(const Platform *platform, const uint32_t *processors, uint32_t n, const char *collectives,
                     Arena *arena, MachineFiles *files, Err *err)
{
    const char **hosts = arena_new_array(arena, const char *, n);
    for (uint32_t i = 0; i < n; i++)
        hosts[i] = platform->processors[processors[i]].node;
    *files = (MachineFiles){.platform = platform->simgrid_file,
                            .hosts = hosts,
                            .reference = platform->reference,
                            .settings = settings_of(NULL, collectives, arena)};
    return check_names(files, n, err);
}

bool machine_files_write(const Platform *platform, const uint32_t *processors, uint32_t n_processes,
                         const char *collectives, const char *directory, Arena *arena, MachineFiles *files, Err *err)
{
    if (platform->simgrid_file)
        return use_file(platform, processors, n_processes, collectives, arena, files, err);
    Writing writing = {.platform = platform};
    collect_used(&writing, processors, n_processes);
    const char **hosts = arena_new_array(arena, const char *, n_processes);
    for (uint32_t i = 0; i < n_processes; i++)
        hosts[i] = arena_printf(arena, "p%u", processors[i]);
    choose_shape(&writing);
    *files = (MachineFiles){.platform = arena_printf(arena, "%s/platform.xml", directory),
                            .hosts = hosts,
                            .reference = "traced",
                            .settings = settings_of(writing.shape, collectives, arena)};
    bool ok = writing.used.count * writing.used.count <= ROUTES_LIMIT ||
              err_set(err, ERR_INPUT, "processes run on %zu processors; the limit for simulating is 2048",
                      writing.used.count);
    ok = ok && files_save_text(files->platform, platform_text(&writing, arena), err);
    files->cost_error = writing.shape ? cost_error(&writing) : 0;
    vec_free(&writing.used);
    vec_free(&writing.paths);
    map_free(&writing.path_numbers);
    return ok;
}
