/* SPDX-License-Identifier: BSD-3-Clause */
/* The processors that tasks are mapped onto, and what messages between them cost. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/machine.h"

typedef struct Processor {
    const char *node; /* host name */
    uint32_t node_index;
    uint32_t core; /* number on its node, as launchers count (logical core) */
    int cpu;       /* first PU's number of the operating system; -1: not known */
    double speed;  /* relative to the machine that was traced: 1 takes the traced time, 2 half of it */
    int socket;    /* its package on its node, from 1; 0: not known */
} Processor;

/* t(n) = latency + n · s_per_byte, by size, of a message between two processors. */
typedef struct Platform {
    const char *description; /* where its costs come from: "openmpi shm within nodes, openmpi tcp between" */
    uint32_t n_nodes, n_processors;
    const char *const *nodes;
    const Processor *processors; /* node by node */
    const MachinePath *inside;   /* two processors of a node; NULL: no node has two */
    const MachinePath *
        *between; /* [n_nodes × n_nodes]; NULL where not measured: then any measured pair's stands for it */
} Platform;

enum { PROCESSORS_LIMIT = 1 << 20, NODES_LIMIT = 1 << 10 };

/* Two tasks on one processor share its memory and caches: messages between them cost nothing. */
double platform_message_s(const Platform *platform, uint32_t from_processor, uint32_t to_processor, double bytes);

/* The path of a pair of nodes; of a node with itself: within it. NULL: there's one processor alone. */
const MachinePath *platform_path(const Platform *platform, uint32_t from_node, uint32_t to_node);

/* The number of a node's first processor; the next node's first is behind its last. */
uint32_t platform_first(const Platform *platform, uint32_t node);

/* A path whose messages all cost latency + n · s_per_byte. */
const MachinePath *platform_make_path(double latency_s, double s_per_byte, Arena *arena);

/* Whether a task and its messages cost the same wherever it is: all nodes have the same processors, and all pairs of
 * nodes the same path. */
bool platform_nodes_are_alike(const Platform *platform, uint32_t first, uint32_t second);

/* From machine.json: its hosts, or those named ("b,a"), in that order (their n_cpus, or `cores` if > 0); paths of the
 * configuration ("openmpi tcp"; NULL: of the MPI whose messages of 8 kB are fastest, shared memory inside a node, else
 * TCP), as measured between these hosts, or, where nothing was, between others. Speeds: see below, or NULL. ERR_INPUT:
 * hosts of the same name. */
bool platform_from_machine(const MachineModel *machine, const char *hosts, const char *configuration, uint32_t cores,
                           const char *const *speeds, Arena *arena, Platform **platform, Err *err);

/* `nodes` nodes of `cores` cores, with these costs, for what-if: "4x8:2us,10GB/s:0.5us,20GB/s" (between, inside). One
 * node has costs inside alone, nodes of one core between alone. The nodes are n0, n1, … */
bool platform_from_text(const char *text, Arena *arena, Platform **platform, Err *err);

/* "NODE=FACTOR" words, NULL-terminated: how fast a node's processors are. ERR_USAGE: no such node, no such factor. */
bool platform_set_speeds(Platform *platform, const char *const *speeds, Arena *arena, Err *err);

/* The numbers of nodes that are named ("b,a"), into order[n_nodes] and *n. ERR_USAGE: no such node, or twice. */
bool platform_read_names(const char *const *nodes, uint32_t n_nodes, const char *names, Arena *arena, uint32_t *order,
                         uint32_t *n, Err *err);

/* Those nodes alone, in that order: "b,a". ERR_USAGE: no such node, or twice. */
bool platform_choose_nodes(const Platform *platform, const char *names, Arena *arena, Platform **chosen, Err *err);
