/* SPDX-License-Identifier: BSD-3-Clause */
/* A model of a machine (machine.json): its hosts, what a message costs between two processes, what collectives cost,
 * what operations cost. `firma comm` and `firma machine cpu` make it; mapping, cost models and simulation read it. JSON
 * form: docs/FORMATS.md. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/comm.h"
#include "model/cpu.h"
#include <stdbool.h>
#include <stdint.h>

/* A fitted value and its 95 % interval. */
typedef struct Estimated {
    double value, low, high;
} Estimated;

/* t(n) = latency + n · s_per_byte for from_bytes <= n < the next segment's from_bytes. Neither is ever negative. */
typedef struct CostSegment {
    uint64_t from_bytes;
    Estimated latency_s;
    Estimated s_per_byte;
    double error; /* relative: median over the segment's sizes of |fit / measured - 1| */
} CostSegment;

/* What messages of one configuration cost between two hosts (the same host twice: two processes on it). */
typedef struct MachinePath {
    CommConfiguration configuration;
    uint32_t from_host, to_host;
    uint32_t n_segments;
    const CostSegment *segments; /* ascending; the first one's from_bytes is 0 */
    bool linear;            /* segments describe it within `error`; false: no line of these does, don't extrapolate */
    double largest_error;   /* relative, over all sizes */
    uint64_t largest_bytes; /* measured up to here */
} MachinePath;

/* A collective's cost over message size and number of processes, as the candidate model that is nearest. */
typedef struct MachineCollective {
    CommConfiguration configuration;
    const char *operation;
    const char *model;                /* comm/candidates.h */
    Estimated latency_s, s_per_byte;  /* α and β⁻¹ in the model */
    double error;                     /* relative: median over what was measured */
    uint32_t least_ranks, most_ranks; /* measured from, to */
} MachineCollective;

typedef struct MachineModel {
    const char *date, *command; /* of the measurement that it was made from */
    uint32_t n_hosts, n_paths, n_collectives;
    const CommHost *hosts;
    const MachinePath *paths;
    const MachineCollective *collectives;
    uint32_t n_processors;
    const CpuModel *processors; /* kinds of machines, by what computing costs on them */
} MachineModel;

#define MACHINE_FORMAT "firma machine"
#define MACHINE_VERSION 1

DOCUMENT(machine, MachineModel);

/* The path of a configuration between two hosts; NULL: it has none. */
const MachinePath *machine_find_path(const MachineModel *machine, const CommConfiguration *configuration,
                                     uint32_t from_host, uint32_t to_host);

/* The same of a collective. */
const MachineCollective *machine_find_collective(const MachineModel *machine, const CommConfiguration *configuration,
                                                 const char *operation);

/* A kind of machine by its name; NULL: it has none. */
const CpuModel *machine_find_processor(const MachineModel *machine, const char *name);

/* "`openmpi tcp`, `os tcp`": the configurations of its paths, each once; "" if it has none. */
const char *machine_configuration_names(const MachineModel *machine, Arena *arena);

/* What --configuration asks for isn't there. ERR_USAGE with the names that are; ERR_INPUT: there are none at all. */
bool machine_refuse_configuration(const MachineModel *machine, const char *name, Arena *arena, Err *err);

/* Time of a message of so many bytes on a path, by its segments. */
double machine_message_s(const MachinePath *path, double bytes);
