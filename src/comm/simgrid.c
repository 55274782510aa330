/* SPDX-License-Identifier: BSD-3-Clause */
/* See simgrid.h. For a message of s bytes over a link with latency L and bandwidth B, SMPI computes
 *
 *     T(s) = lat_factor · L + (s + 16) / (bw_factor · B)
 *
 * A factor that is given for a threshold holds if s + 16 is above the threshold (seen with SimGrid
 * 3.32). So a segment α + s/β from F bytes on has lat_factor = (α - 16/β) / L and bw_factor = β /
 * B, from the threshold F + 15 on. */
#include "comm/simgrid.h"

#include "base/files.h"
#include "base/text.h"
#include "comm/line.h"
#include "model/rendezvous.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static const double HEADER_BYTES = 16;
/* Instead of 0, by which factors can't scale. */
static const double LEAST_S_PER_BYTE = 1e-15, LEAST_LATENCY_S = 1e-12;
enum { GRID_LIMIT = 256 };

typedef struct Link {
    const MachinePath *path;
    double latency_s, bytes_per_s;
    double error; /* relative, the largest over the sizes */
} Link;

typedef struct Platform {
    const MachineModel *machine;
    Arena *arena;
    const CommConfiguration *configuration;
    Link *links;
    uint32_t n_links;
    const MachinePath *shape;
    double shape_latency_s, shape_bytes_per_s; /* of the shape's own link */
} Platform;

static bool is_local(const MachinePath *path)
{
    return path->from_host == path->to_host;
}

static const char *path_name(const MachineModel *machine, const MachinePath *path, Arena *arena)
{
    return arena_printf(arena, "%s – %s", machine->hosts[path->from_host].name, machine->hosts[path->to_host].name);
}

static const Link *find_link(const Platform *platform, uint32_t from_host, uint32_t to_host)
{
    for (uint32_t i = 0; i < platform->n_links; i++)
        if (platform->links[i].path->from_host == from_host && platform->links[i].path->to_host == to_host)
            return &platform->links[i];
    return NULL;
}

/* ---- which paths ----------------------------------------------------------------------------- */

static bool is_asked_for(const CommConfiguration *configuration, const char *middleware, const char *transport,
                         const char *packing)
{
    return strcmp(configuration->middleware, middleware) == 0 && strcmp(configuration->transport, transport) == 0 &&
           (!packing || strcmp(configuration->packing, packing) == 0);
}

static bool add_link(Platform *platform, const MachinePath *path, Err *err)
{
    if (!platform->configuration)
        platform->configuration = &path->configuration;
    if (strcmp(platform->configuration->packing, path->configuration.packing) != 0)
        return err_set(err, ERR_INPUT, "the machine model has several packings of `%s %s`",
                       path->configuration.middleware, path->configuration.transport) ||
               err_hint(err, "name one of them: `%s`, `%s`", platform->configuration->packing,
                        path->configuration.packing);
    if (!path->n_segments)
        return err_set(err, ERR_INPUT, "the machine model has no costs of messages between %s",
                       path_name(platform->machine, path, platform->arena)) ||
               err_hint(err, "measure more sizes, or export another transport");
    if (path->level && find_link(platform, path->from_host, path->to_host))
        return true; /* SimGrid's hosts have no levels: their first path counts, that of neighbours */
    if (find_link(platform, path->from_host, path->to_host))
        return err_set(err, ERR_INPUT, "the machine model has two paths between %s",
                       path_name(platform->machine, path, platform->arena));
    platform->links[platform->n_links++] = (Link){.path = path};
    return true;
}

static bool check_hosts(const MachineModel *machine, Err *err)
{
    for (uint32_t i = 0; i < machine->n_hosts; i++)
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(machine->hosts[i].name, machine->hosts[k].name) == 0)
                return err_set(err, ERR_INPUT, "two hosts of the machine model are called %s", machine->hosts[i].name);
    return true;
}

/* ---- the shape of costs, and the links that scale it ----------------------------------------- */

static double latency_of(const CostSegment *segment)
{
    return fmax(0, segment->latency_s.value - HEADER_BYTES * segment->s_per_byte.value);
}

static double s_per_byte_of(const CostSegment *segment)
{
    return fmax(LEAST_S_PER_BYTE, segment->s_per_byte.value);
}

/* Chooses the path that gives the shape: one between two hosts, or else one within a host. Its link
 * has the latency of its smallest messages, and the bandwidth of its largest. */
static void choose_shape(Platform *platform)
{
    const MachinePath *shape = platform->links[0].path;
    assert(platform->n_links > 0);
    for (uint32_t i = 0; i < platform->n_links && is_local(shape); i++)
        if (!is_local(platform->links[i].path))
            shape = platform->links[i].path;
    platform->shape = shape;
    platform->shape_latency_s = LEAST_LATENCY_S;
    for (uint32_t i = 0; i < shape->n_segments && platform->shape_latency_s <= LEAST_LATENCY_S; i++)
        platform->shape_latency_s = fmax(LEAST_LATENCY_S, latency_of(&shape->segments[i]));
    platform->shape_bytes_per_s = 1 / s_per_byte_of(&shape->segments[shape->n_segments - 1]);
}

static const CostSegment *segment_at(const MachinePath *path, double bytes)
{
    uint32_t at = 0;
    while (at + 1 < path->n_segments && (double)path->segments[at + 1].from_bytes <= bytes)
        at++;
    return &path->segments[at];
}

static double latency_factor(const Platform *platform, const CostSegment *segment)
{
    return latency_of(segment) / platform->shape_latency_s;
}

static double bandwidth_factor(const Platform *platform, const CostSegment *segment)
{
    return 1 / (s_per_byte_of(segment) * platform->shape_bytes_per_s);
}

static double simulated_s(const Platform *platform, const Link *link, double bytes)
{
    const CostSegment *segment = segment_at(platform->shape, bytes);
    return latency_factor(platform, segment) * link->latency_s +
           (bytes + HEADER_BYTES) / (bandwidth_factor(platform, segment) * link->bytes_per_s);
}

/* The sizes at which a link's costs are compared: 0, powers of two, and both sides of each border
 * of the link's own segments and the shape's. */
static size_t make_grid(const Platform *platform, const MachinePath *path, double grid[GRID_LIMIT])
{
    size_t n = 0;
    double most = (double)path->largest_bytes;
    grid[n++] = 0;
    for (double bytes = 1; bytes < most; bytes *= 2)
        grid[n++] = bytes;
    grid[n++] = most;
    assert(n <= GRID_LIMIT / 2);
    const MachinePath *switching[] = {platform->shape, path};
    for (int which = 0; which < 2; which++)
        for (uint32_t i = 1; i < switching[which]->n_segments && n + 2 <= GRID_LIMIT; i++)
            for (double before = 1; before >= 0; before--) {
                double bytes = (double)switching[which]->segments[i].from_bytes - before;
                if (bytes <= most)
                    grid[n++] = bytes;
            }
    return n;
}

/* Fits a link's latency and bandwidth. Divided by the shape's latency factor, the link's costs are
 * a line with these two parameters. */
static void scale_link(const Platform *platform, Link *link)
{
    static const double least_factor = 1e-6;
    double grid[GRID_LIMIT], x[GRID_LIMIT], time_s[GRID_LIMIT], noise[GRID_LIMIT], weights[GRID_LIMIT];
    size_t n = make_grid(platform, link->path, grid);
    for (size_t i = 0; i < n; i++) {
        const CostSegment *segment = segment_at(platform->shape, grid[i]);
        double factor = fmax(least_factor, latency_factor(platform, segment));
        x[i] = (grid[i] + HEADER_BYTES) / bandwidth_factor(platform, segment) / factor;
        time_s[i] = fmax(machine_message_s(link->path, grid[i]), LEAST_LATENCY_S) / factor;
        noise[i] = 1;
    }
    const LineData data = {x, time_s, noise, n};
    Line line = line_fit(&data, weights);
    link->latency_s = line.alpha;
    link->bytes_per_s = 1 / fmax(LEAST_S_PER_BYTE, line.slope);
    if (link->path == platform->shape) {
        link->latency_s = platform->shape_latency_s;
        link->bytes_per_s = platform->shape_bytes_per_s;
    }
    for (size_t i = 0; i < n; i++) {
        double modelled_s = fmax(machine_message_s(link->path, grid[i]), LEAST_LATENCY_S);
        link->error = fmax(link->error, fabs(simulated_s(platform, link, grid[i]) / modelled_s - 1));
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static const char *xml(const char *text, Arena *arena)
{
    Text escaped = {0};
    for (const char *c = text; *c; c++) {
        if (strchr("&<>\"'", *c) || (unsigned char)*c < ' ')
            text_add(&escaped, "&#%d;", *c);
        else
            text_add(&escaped, "%c", *c);
    }
    return text_take(&escaped, arena);
}

/* The text for an XML comment, which must not contain two dashes in a row. */
static const char *comment(const char *text, Arena *arena)
{
    char *copy = arena_strdup(arena, text);
    for (char *c = copy; *c; c++)
        if (*c == '-' || (unsigned char)*c < ' ')
            *c = *c == '-' ? '_' : ' ';
    return copy;
}

static void add_route(Text *text, const Platform *platform, uint32_t from, uint32_t to, uint32_t link, const char *way)
{
    const CommHost *hosts = platform->machine->hosts;
    text_add(text, "    <route src=\"%s\" dst=\"%s\" symmetrical=\"NO\"><link_ctn id=\"link%u\"%s%s%s/></route>\n",
             xml(hosts[from].name, platform->arena), xml(hosts[to].name, platform->arena), link,
             *way ? " direction=\"" : "", way, *way ? "\"" : "");
}

static const char *platform_text(const Platform *platform)
{
    Text text = {0};
    Arena *arena = platform->arena;
    const MachineModel *machine = platform->machine;
    text_add(&text, "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n");
    text_add(&text, "<!-- %s, measured %s; the costs of messages hold only with the options in smpi.cfg. -->\n",
             comment(comm_configuration_name(platform->configuration, arena), arena), comment(machine->date, arena));
    text_add(
        &text,
        "<!-- Computing speed wasn't measured: 1 Gf stands for the speed of the simulating machine. Pairs of hosts "
        "that weren't measured have no route;\n     within a host that wasn't measured, SimGrid's default holds. -->\n");
    text_add(&text, "<platform version=\"4.1\">\n  <zone id=\"machine\" routing=\"Full\">\n");
    for (uint32_t i = 0; i < machine->n_hosts; i++)
        text_add(&text, "    <host id=\"%s\" speed=\"1Gf\" core=\"%u\"/>\n", xml(machine->hosts[i].name, arena),
                 machine->hosts[i].n_cpus ? machine->hosts[i].n_cpus : 1);
    for (uint32_t i = 0; i < platform->n_links; i++) {
        const Link *link = &platform->links[i];
        text_add(&text, "    <!-- %s: within %.2g %% of the machine model",
                 comment(path_name(machine, link->path, arena), arena), 100 * link->error);
        if (!link->path->linear)
            text_add(&text, ", whose pieces are up to %.2g %% off what was measured", 100 * link->path->largest_error);
        text_add(&text, " -->\n");
        text_add(&text, "    <link id=\"link%u\" bandwidth=\"%.12gBps\" latency=\"%.12gs\" sharing_policy=\"%s\"/>\n",
                 i, link->bytes_per_s, link->latency_s, is_local(link->path) ? "FATPIPE" : "SPLITDUPLEX");
    }
    for (uint32_t i = 0; i < platform->n_links; i++) {
        uint32_t from = platform->links[i].path->from_host, to = platform->links[i].path->to_host;
        add_route(&text, platform, from, to, i, from == to ? "" : "UP");
        if (from != to && !find_link(platform, to, from))
            add_route(&text, platform, to, from, i, "DOWN");
    }
    text_add(&text, "  </zone>\n</platform>\n");
    return text_take(&text, arena);
}

/* The hostfile: as many processes as a host has processors, if costs within the host are known;
 * else one. */
static const char *hosts_text(const Platform *platform)
{
    Text text = {0};
    const MachineModel *machine = platform->machine;
    for (uint32_t i = 0; i < machine->n_hosts; i++) {
        text_add(&text, "%s", machine->hosts[i].name);
        if (machine->hosts[i].n_cpus > 1 && find_link(platform, i, i))
            text_add(&text, ":%u", machine->hosts[i].n_cpus);
        text_add(&text, "\n");
    }
    return text_take(&text, platform->arena);
}

/* SMPI's names of the candidates of comm/candidates.h. Among an operation's lines, the first is the
 * default without a measurement. */
static const struct {
    const char *operation, *model, *option, *algorithm;
} algorithms[] = {
    {"broadcast", "binomial tree", "bcast", "binomial_tree"},
    {"broadcast", "p-1 sends", "bcast", "flattree"},
    {"broadcast", "scatter and allgather", "bcast", "scatter_LR_allgather"},
    {"scatter", "binomial tree", "scatter", "ompi_binomial"},
    {"scatter", "binary tree", "scatter", "ompi_binomial"},
    {"scatter", "p-1 sends", "scatter", "ompi_basic_linear"},
    {"gather", "binomial tree", "gather", "ompi_binomial"},
    {"gather", "p-1 receives", "gather", "ompi_basic_linear"},
    {"reduce", "binomial tree", "reduce", "binomial"},
    {"reduce", "p-1 receives", "reduce", "flat_tree"},
    {"reduce", "reduce-scatter and gather", "reduce", "scatter_gather"},
    {"allreduce", "recursive doubling", "allreduce", "rdb"},
    {"allreduce", "reduce and broadcast", "allreduce", "redbcast"},
    {"allreduce", "reduce-scatter and allgather", "allreduce", "rab"},
    {"allreduce", "ring", "allreduce", "lr"},
    {"allgather", "recursive doubling, or Bruck", "allgather", "bruck"},
    {"allgather", "ring", "allgather", "ring"},
    {"allgather", "gather and broadcast", "allgather", "GB"},
    {"alltoall", "pairwise exchange", "alltoall", "ring"},
    {"alltoall", "Bruck", "alltoall", "bruck"},
    {"barrier", "dissemination", "barrier", "ompi_bruck"},
    {"barrier", "tree", "barrier", "ompi_tree"},
    {"barrier", "linear", "barrier", "ompi_basic_linear"},
};
enum { N_ALGORITHMS = sizeof algorithms / sizeof *algorithms };

/* The index of a model of an operation, or of the operation's first line if `model` is NULL.
 * N_ALGORITHMS if there is none. */
static size_t find_algorithm(const char *operation, const char *model)
{
    size_t at = 0;
    while (at < N_ALGORITHMS &&
           (strcmp(algorithms[at].operation, operation) != 0 || (model && strcmp(algorithms[at].model, model) != 0)))
        at++;
    return at;
}

static void add_algorithms(Text *text, const Platform *platform)
{
    for (size_t i = 0; i < N_ALGORITHMS; i++) {
        const char *operation = algorithms[i].operation;
        if (find_algorithm(operation, NULL) != i)
            continue;
        const MachineCollective *measured =
            machine_find_collective(platform->machine, platform->configuration, operation);
        size_t nearest = measured ? find_algorithm(operation, measured->model) : N_ALGORITHMS;
        bool is_decided = measured && measured->least_ranks < measured->most_ranks;
        bool is_known = is_decided && nearest < N_ALGORITHMS;
        const char *option = is_known ? algorithms[nearest].algorithm : algorithms[i].algorithm;
        if (measured)
            text_add(text, "# %s: the best fit is `%s`%s\n", operation, measured->model,
                     is_known     ? ""
                     : is_decided ? ", which SMPI doesn't have"
                                  : ", but one number of processes can't decide that");
        else
            text_add(text, "# %s: not measured\n", operation);
        text_add(text, "--cfg=smpi/%s:%s\n", algorithms[i].option, option);
    }
    text_add(text, "--cfg=smpi/alltoallv:ring\n");
}

static const char *options_text(const Platform *platform, uint64_t eager, bool eager_was_found)
{
    Text text = {0}, latencies = {0}, bandwidths = {0};
    Arena *arena = platform->arena;
    for (uint32_t i = 0; i < platform->shape->n_segments; i++) {
        const CostSegment *segment = &platform->shape->segments[i];
        uint64_t threshold = i ? segment->from_bytes + (uint64_t)HEADER_BYTES - 1 : 0;
        text_add(&latencies, "%s%llu:%.12g", i ? ";" : "", (unsigned long long)threshold,
                 latency_factor(platform, segment));
        text_add(&bandwidths, "%s%llu:%.12g", i ? ";" : "", (unsigned long long)threshold,
                 bandwidth_factor(platform, segment));
    }
    text_add(
        &text,
        "# SMPI's options for platform.xml, which is valid only with them. In this directory, run a program built by smpicc:\n"
        "#   smpirun -np N -platform platform.xml -hostfile hostfile $(grep -v '^#' smpi.cfg) PROGRAM\n"
        "# Factors of %s; platform.xml says how well they fit the other links.\n",
        path_name(platform->machine, platform->shape, arena));
    text_add(&text, "--cfg=smpi/lat-factor:%s\n--cfg=smpi/bw-factor:%s\n", text_take(&latencies, arena),
             text_take(&bandwidths, arena));
    text_add(&text, "# %s\n--cfg=smpi/async-small-thresh:%llu\n--cfg=smpi/send-is-detached-thresh:%llu\n",
             eager_was_found ? "smaller messages don't wait for their receiver; from this size on, messages cost more"
                             : "no size was found from which messages wait for their receiver; this is SMPI's default",
             (unsigned long long)eager, (unsigned long long)eager);
    text_add(
        &text,
        "# the measured costs already include what these options would add\n"
        "--cfg=network/TCP-gamma:0\n--cfg=network/crosstraffic:0\n--cfg=smpi/os:0:0:0\n--cfg=smpi/ois:0:0:0\n--cfg=smpi/or:0:0:0\n"
        "--cfg=smpi/wtime:0\n# computing takes as long as on the simulating machine\n--cfg=smpi/host-speed:1Gf\n");
    add_algorithms(&text, platform);
    return text_take(&text, arena);
}

static bool save(const Platform *platform, const char *directory, const SimgridSummary *summary, Err *err)
{
    Arena *arena = platform->arena;
    const FileText files[] = {
        {.path = arena_printf(arena, "%s/platform.xml", directory), .text = platform_text(platform)},
        {.path = arena_printf(arena, "%s/hostfile", directory), .text = hosts_text(platform)},
        {.path = arena_printf(arena, "%s/smpi.cfg", directory),
         .text = options_text(platform, summary->eager_bytes, summary->eager_was_found)},
    };
    return files_save_texts(files, sizeof files / sizeof *files, err);
}

bool simgrid_export(const MachineModel *machine, const char *middleware, const char *transport, const char *packing,
                    const char *directory, Arena *arena, SimgridSummary *summary, Err *err)
{
    Platform platform = {.machine = machine, .arena = arena, .links = arena_new_array(arena, Link, machine->n_paths)};
    if (!check_hosts(machine, err))
        return false;
    for (uint32_t i = 0; i < machine->n_paths; i++)
        if (is_asked_for(&machine->paths[i].configuration, middleware, transport, packing) &&
            !add_link(&platform, &machine->paths[i], err))
            return false;
    const CommConfiguration asked = {middleware, transport, packing ? packing : "", ""};
    if (!platform.n_links)
        return machine_refuse_configuration(machine, comm_configuration_name(&asked, arena), arena, err);
    choose_shape(&platform);
    SimgridSummary made = {.n_links = platform.n_links, .n_factors = platform.shape->n_segments};
    made.exact = path_name(machine, platform.shape, arena);
    made.largest = made.exact;
    made.eager_bytes = RENDEZVOUS_DEFAULT_BYTES;
    made.eager_was_found = rendezvous_find(platform.shape, &made.eager_bytes);
    for (uint32_t i = 0; i < platform.n_links; i++) {
        scale_link(&platform, &platform.links[i]);
        if (platform.links[i].error > made.largest_error) {
            made.largest_error = platform.links[i].error;
            made.largest = path_name(machine, platform.links[i].path, arena);
        }
        const MachinePath *path = platform.links[i].path;
        if (!path->linear && path->largest_error >= made.measured_error) {
            made.measured_error = path->largest_error;
            made.not_linear = path_name(machine, path, arena);
        }
    }
    if (!save(&platform, directory, &made, err))
        return false;
    *summary = made;
    return true;
}
