/* SPDX-License-Identifier: BSD-3-Clause */
/* A platform: the processors onto which tasks are mapped, and the cost of messages between them.
 *
 * Its processors are a tree. A level cuts each unit of the level above into smaller ones:
 *
 *    switch > node > package > L3 > core
 *
 * Within a node, the cost of a message depends on the outermost level at which its ends are apart. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/machine.h"

typedef struct Processor {
    const char *node; /* host name */
    uint32_t node_index;
    uint32_t core; /* its number on the node, as launchers count: the logical core */
    int cpu;       /* the operating system's number of its first PU; -1: not known */
    double speed;  /* relative to the traced machine: 1 takes the traced time, 2 half of it */
    int socket;    /* number of its package on the node, from 1; 0: not known */
} Processor;

/* The way of a message from one processor to another. */
typedef struct Route {
    /* a message of n bytes that is alone takes latency + n · s_per_byte, by the segment for n */
    const MachinePath *path;
    uint32_t n_links;
    const uint32_t *links; /* those that it shares with other messages */
} Route;

typedef struct Level {
    const char *name;      /* of a unit: "node", "package", "L3", "core" */
    const uint32_t *units; /* [n_processors] the unit of each processor, in their order from 0 */
} Level;

typedef struct Platform {
    const char *description;  /* source of the costs: "openmpi shm within nodes, openmpi tcp
                                between" */
    const char *simgrid_file; /* SimGrid's platform file from which it was read; NULL: none */
    const char *reference;    /* of such a platform, the node as fast as the traced machine */
    uint32_t n_nodes, n_processors;
    const char *const *nodes;
    const Processor *processors; /* node by node */
    uint32_t n_levels;           /* from the outermost on; on the last, each processor is a unit */
    const Level *levels;
    uint32_t node_level; /* at least one level is within the nodes */
    uint32_t n_routes, n_links;
    const Route *routes;
    const double *link_rates; /* bytes/s */
} Platform;

/* Longer messages wait until their receivers wait for them: the limit of Open MPI's and MPICH's
 * transports over TCP, and of SMPI. */
#define PLATFORM_EAGER_BYTES 65536.0

/* Switches of a level, each with a link up and a link down. */
typedef struct Switches {
    uint32_t n_nodes; /* below each */
    double rate;      /* of a link, bytes/s */
} Switches;

/* From what platform_connect() makes routes. */
typedef struct Paths {
    const MachinePath *const *inside;  /* one for each level within nodes; NULL: none has two units there */
    const MachinePath *const *between; /* [n_nodes × n_nodes] */
    uint32_t n_switches;               /* number of levels above the nodes */
    const Switches *switches;          /* of each, the outermost first */
} Paths;

enum { PROCESSORS_LIMIT = 1 << 20, NODES_LIMIT = 1 << 10 };

/* Time of a message. It is 0 on one processor, where tasks share memory and caches. */
double platform_message_s(const Platform *platform, uint32_t from_processor, uint32_t to_processor, double bytes);

/* The way between two processors. NULL: they are the same. */
const Route *platform_route(const Platform *platform, uint32_t from_processor, uint32_t to_processor);

/* Makes routes and links. Each node has a link for the bytes that it sends to other nodes and one for
 * those that it receives, as fast as the fastest of its paths. Between nodes, messages also cross the
 * links of the switches that don't have both below them. Within a node, they share nothing. */
void platform_connect(Platform *platform, const Paths *paths, Arena *arena);

/* Number of routes of a platform: those of each pair of nodes, and for each node those of its levels. */
uint32_t platform_count_routes(const Platform *platform);
/* The number of the route between two processors of a node that are apart from this level on. */
uint32_t platform_inside(const Platform *platform, uint32_t node, uint32_t level);

/* Makes the levels of nodes without structure: "node" and "core". */
void platform_make_flat(Platform *platform, Arena *arena);
Level platform_node_level(const Platform *platform, Arena *arena);
Level platform_core_level(const Platform *platform, Arena *arena);

/* The outermost level at which two different processors are apart. */
uint32_t platform_level(const Platform *platform, uint32_t processor, uint32_t other);

/* The end of the unit that begins with this processor: the next one's first. */
uint32_t platform_unit_end(const Platform *platform, uint32_t first, uint32_t level);

/* Index of a node's first processor. That of n_nodes is n_processors. */
uint32_t platform_first(const Platform *platform, uint32_t node);

/* Processors as a tree with branches of equal size. */
typedef struct PlatformTree {
    uint32_t n; /* levels, the outermost first; those on which each unit has one part are left out */
    uint32_t *sizes;
    uint32_t *distances; /* the time of a message between units of the level, over that of the fastest level */
    uint32_t *leaves;    /* of each processor; without gaps if all branches of the platform have this size */
    uint32_t n_leaves;
} PlatformTree;

/* The tree of the first n processors, in their order. */
PlatformTree platform_tree(const Platform *platform, uint32_t n, Arena *arena);

/* A path on which each message takes latency + n · s_per_byte. */
const MachinePath *platform_make_path(double latency_s, double s_per_byte, Arena *arena);

/* Makes a platform from machine.json. `hosts`: NULL for all, or names ("b,a") in the wanted order.
 * `cores`: processors of each host; 0: its n_cpus. `configuration`: "openmpi tcp"; NULL: of the MPI
 * whose messages of 8 KiB are fastest. Within and between hosts, takes the fastest paths of the
 * configuration that were measured between these hosts or, if none were, between others. `speeds`:
 * see platform_set_speeds(), or NULL. ERR_INPUT: two hosts have the same name, or needed paths
 * weren't measured. Result in the arena. */
bool platform_from_machine(const MachineModel *machine, const char *hosts, const char *configuration, uint32_t cores,
                           const char *const *speeds, Arena *arena, Platform **platform, Err *err);

/* Makes a platform from a line of text, for what-if questions: "4x8:2us,10GB/s:0.5us,20GB/s" are 4
 * nodes of 8 cores, "2/4x2x8:…" are 2 switches of 4 nodes of 2 packages of 8 cores. Costs follow, from
 * the outermost level to the innermost; levels with one unit need none. The nodes are called n0, n1, …
 * ERR_USAGE: not of this form. Result in the arena. */
bool platform_from_text(const char *text, Arena *arena, Platform **platform, Err *err);

/* Whether the text names a file: it ends in ".xml". */
bool platform_is_file(const char *text);

/* Makes a platform from an XML file: of `lstopo` (topology.h), or of SimGrid. ERR_INPUT, or
 * ERR_ENVIRONMENT: a library that is needed is missing. Result in the arena. */
bool platform_from_file(const char *file, Arena *arena, Platform **platform, Err *err);

/* Of SimGrid: each host is a node. Links share as the file says, also within a host. */
bool platform_from_simgrid(const char *file, Arena *arena, Platform **platform, Err *err);

/* ERR_USAGE: the word isn't NODE=FACTOR with a valid factor. */
bool platform_check_speed(const char *word, Err *err);

/* Sets the speed of nodes' processors by words "NODE=FACTOR", NULL-terminated. ERR_USAGE: no such
 * node, or no valid factor. */
bool platform_set_speeds(Platform *platform, const char *const *speeds, Arena *arena, Err *err);

/* Reads names of nodes ("b,a"). Fills in their numbers, order[n_nodes] and *n. ERR_USAGE: no such
 * node, or a node is named twice. */
bool platform_read_names(const char *const *nodes, uint32_t n_nodes, const char *names, Arena *arena, uint32_t *order,
                         uint32_t *n, Err *err);

/* A platform of only these nodes, in this order ("b,a"). ERR_USAGE: no such node, or a node is
 * named twice. Result in the arena. */
bool platform_choose_nodes(const Platform *platform, const char *names, Arena *arena, Platform **chosen, Err *err);
