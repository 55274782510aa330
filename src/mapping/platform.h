/* SPDX-License-Identifier: BSD-3-Clause */
/* The processors that tasks are mapped onto, and what messages between them cost. */
#ifndef FIRMA_MAPPING_PLATFORM_H
#define FIRMA_MAPPING_PLATFORM_H

#include "base/arena.h"
#include "base/err.h"
#include "model/machine.h"

typedef struct Processor {
    const char *node; /* host name */
    uint32_t node_index;
    uint32_t core; /* number on its node, as launchers count (logical core) */
    int cpu;       /* first PU's number of the operating system; -1: not known */
    double speed;  /* relative to the machine that was traced: 1 takes the traced time, 2 half of it */
} Processor;

/* t(n) = latency + n · s_per_byte, by size, of a message between two processors. */
typedef struct Platform {
    uint32_t n_nodes, n_processors;
    const char *const *nodes;
    const Processor *processors; /* node by node */
    const MachinePath *inside;   /* two processes on a node */
    const MachinePath *
        *between; /* [n_nodes × n_nodes]; NULL where not measured: then any measured pair's stands for it */
} Platform;

double platform_message_s(const Platform *platform, uint32_t from_processor, uint32_t to_processor, double bytes);

/* From machine.json: its hosts (their n_cpus, or `cores` if > 0), paths of the configuration ("openmpi tcp"; NULL: the
 * fastest measured by MPI: shared memory inside a node, else TCP). Speeds: NAME=FACTOR words, or NULL. */
bool platform_from_machine(const MachineModel *machine, const char *configuration, uint32_t cores,
                           const char *const *speeds, Arena *arena, Platform **platform, Err *err);

/* `nodes` nodes of `cores` cores, with these costs, for what-if: "4x8:2us,10GB/s:0.5us,20GB/s" (between, inside). */
bool platform_from_text(const char *text, Arena *arena, Platform **platform, Err *err);

#endif
