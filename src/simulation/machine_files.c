/* SPDX-License-Identifier: BSD-3-Clause */
/* See machine_files.h. On the route of a message stand a link with the costs of its path, where messages of the pair
 * of processors follow each other, and the links that they share with others:
 *
 *     p0 ── path 0 (latency, rate) ── node 0 up (rate) ── node 1 down (rate) ── p4
 *
 * A path's segments are factors of its link, which the engine takes from the link's properties. */
#include "simulation/machine_files.h"

#include "base/files.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "model/rendezvous.h"
#include "simulation/link_costs.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double FLOPS = 1e9, HEADER_BYTES = 16;
/* SimGrid knows no links that take no time. */
static const double LEAST_LATENCY_S = 1e-12, LEAST_S_PER_BYTE = 1e-15;
/* With more processors, pairs share the links of paths: one for each pair would be too many. */
enum { ROUTES_LIMIT = 1 << 22, QUEUES_LIMIT = 256 };

typedef VEC(uint32_t) Used;

typedef struct Writing {
    const Platform *platform;
    Used used; /* processors, ascending */
    VEC(const MachinePath *) paths;
    Map path_numbers;
    uint64_t eager_bytes;
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

/* Whether each pair of processors has a link of its own. */
static bool has_queues(const Writing *writing)
{
    return writing->used.count <= QUEUES_LIMIT;
}

static size_t path_number(Writing *writing, const MachinePath *path, size_t from, size_t to)
{
    uint64_t pair = has_queues(writing) ? 1 + from * writing->used.count + to : 0;
    size_t number = map_number(&writing->path_numbers, (MapKey){(uintptr_t)path, pair}, writing->paths.count);
    if (number == writing->paths.count)
        *vec_push(&writing->paths) = path;
    return number;
}

static const Route *route_between(const Writing *writing, size_t from, size_t to)
{
    return platform_route(writing->platform, writing->used.items[from], writing->used.items[to]);
}

/* ---- the file ---- */

static void add_path(Writing *writing, size_t number)
{
    const MachinePath *path = writing->paths.items[number];
    double latency_s = latency_of(&path->segments[0]), s_per_byte = s_per_byte_of(last_segment(path));
    text_add(&writing->text,
             "<link id=\"path%zu\" bandwidth=\"%.12gBps\" latency=\"%.12gs\" sharing_policy=\"FATPIPE\">"
             "<prop id=\"" COSTS_PROPERTY "\" value=\"",
             number, 1 / s_per_byte, latency_s);
    for (uint32_t i = 0; i < path->n_segments; i++) {
        const CostSegment *segment = &path->segments[i];
        double from_bytes = i ? (double)segment->from_bytes + HEADER_BYTES : 0;
        text_add(&writing->text, "%.12g %.12g %.12g ", from_bytes, latency_of(segment) / latency_s,
                 s_per_byte / s_per_byte_of(segment));
    }
    text_add(&writing->text, "\"/>%s</link>\n",
             has_queues(writing) ? "<prop id=\"" QUEUE_PROPERTY "\" value=\"inf\"/>" : "");
}

static void add_route(Writing *writing, size_t from, size_t to)
{
    const Route *route = from == to ? NULL : route_between(writing, from, to);
    text_add(&writing->text, "<route src=\"p%u\" dst=\"p%u\" symmetrical=\"NO\">", writing->used.items[from],
             writing->used.items[to]);
    if (route)
        text_add(&writing->text, "<link_ctn id=\"path%zu\"/>", path_number(writing, route->path, from, to));
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
                path_number(writing, route_between(writing, i, k)->path, i, k);
    for (size_t i = 0; i < writing->paths.count; i++)
        add_path(writing, i);
    for (uint32_t i = 0; i < writing->platform->n_links; i++)
        text_add(&writing->text,
                 "<link id=\"link%u\" bandwidth=\"%.12gBps\" latency=\"0s\" sharing_policy=\"SHARED\">"
                 "<prop id=\"" QUEUE_PROPERTY "\" value=\"%" PRIu64 "\"/></link>\n",
                 i, fmin(1 / LEAST_S_PER_BYTE, writing->platform->link_rates[i]), writing->eager_bytes);
    text_add(&writing->text,
             "<link id=\"memory0\" bandwidth=\"%.12gBps\" latency=\"%.12gs\" sharing_policy=\"FATPIPE\"/>\n",
             1 / LEAST_S_PER_BYTE, LEAST_LATENCY_S);
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

/* The size that the user gives, or else that of the first path whose costs show it: between nodes, or within them. */
static void choose_eager(const Writing *writing, uint64_t given_bytes, MachineFiles *files)
{
    size_t n = writing ? writing->used.count : 0;
    files->eager_bytes = given_bytes ? given_bytes : RENDEZVOUS_DEFAULT_BYTES;
    files->eager_source = given_bytes ? EAGER_GIVEN : EAGER_DEFAULT;
    for (int within = 0; within < 2; within++)
        for (size_t i = 0; i < n * n && files->eager_source == EAGER_DEFAULT; i++) {
            const Route *route = i / n == i % n ? NULL : route_between(writing, i / n, i % n);
            if (route && (route->n_links == 0) == within && rendezvous_find(route->path, &files->eager_bytes))
                files->eager_source = EAGER_MEASURED;
        }
}

static void choose_settings(MachineFiles *files, Arena *arena)
{
    const char *const words[] = {arena_printf(arena, "--cfg=smpi/async-small-thresh:%" PRIu64, files->eager_bytes),
                                 arena_printf(arena, "--cfg=smpi/send-is-detached-thresh:%" PRIu64, files->eager_bytes),
                                 "--cfg=smpi/coll-selector:default",
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
    files->settings = arena_copy_array(arena, words, sizeof words / sizeof *words, sizeof *words);
}

/* ---- both ---- */

static void collect_used(const Platform *platform, const uint32_t *processors, uint32_t n, Used *used)
{
    Arena *arena = arena_new();
    bool *is_used = arena_new_array(arena, bool, platform->n_processors);
    for (uint32_t i = 0; i < n; i++)
        is_used[processors[i]] = true;
    for (uint32_t i = 0; i < platform->n_processors; i++)
        if (is_used[i])
            *vec_push(used) = i;
    arena_free(arena);
}

bool simulation_check_processors(const Platform *platform, const uint32_t *processors, uint32_t n, Err *err)
{
    Used used = {0};
    if (platform->simgrid_file)
        return true;
    collect_used(platform, processors, n, &used);
    size_t n_used = used.count;
    vec_free(&used);
    return n_used * n_used <= ROUTES_LIMIT ||
           err_set(err, ERR_INPUT, "processes run on %zu processors; the limit for simulating is 2048", n_used);
}

static bool check_names(const MachineFiles *files, uint32_t n, Err *err)
{
    enum { HOST_LIMIT = 255 };
    for (uint32_t i = 0; i < n; i++)
        if (strlen(files->hosts[i]) > HOST_LIMIT)
            return err_set(err, ERR_INPUT, "%s: the name of host %s is too long", files->platform, files->hosts[i]);
    return true;
}

static bool use_file(const Platform *platform, const uint32_t *processors, uint32_t n, uint64_t eager_bytes,
                     Arena *arena, MachineFiles *files, Err *err)
{
    const char **hosts = arena_new_array(arena, const char *, n);
    for (uint32_t i = 0; i < n; i++)
        hosts[i] = platform->processors[processors[i]].node;
    *files = (MachineFiles){.platform = platform->simgrid_file, .hosts = hosts, .reference = platform->reference};
    choose_eager(NULL, eager_bytes, files);
    choose_settings(files, arena);
    return check_names(files, n, err);
}

bool machine_files_write(const Platform *platform, const uint32_t *processors, uint32_t n_processes,
                         uint64_t eager_bytes, const char *directory, Arena *arena, MachineFiles *files, Err *err)
{
    if (platform->simgrid_file)
        return use_file(platform, processors, n_processes, eager_bytes, arena, files, err);
    if (!simulation_check_processors(platform, processors, n_processes, err))
        return false;
    Writing writing = {.platform = platform};
    collect_used(platform, processors, n_processes, &writing.used);
    const char **hosts = arena_new_array(arena, const char *, n_processes);
    for (uint32_t i = 0; i < n_processes; i++)
        hosts[i] = arena_printf(arena, "p%u", processors[i]);
    *files = (MachineFiles){
        .platform = arena_printf(arena, "%s/platform.xml", directory), .hosts = hosts, .reference = "traced"};
    choose_eager(&writing, eager_bytes, files);
    writing.eager_bytes = files->eager_bytes;
    choose_settings(files, arena);
    bool ok = files_save_text(files->platform, platform_text(&writing, arena), err);
    vec_free(&writing.used);
    vec_free(&writing.paths);
    map_free(&writing.path_numbers);
    return ok;
}
