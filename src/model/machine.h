/* SPDX-License-Identifier: BSD-3-Clause */
/* A model of a machine (machine.json): its hosts, and what messages, collectives and operations
 * cost on it. `firma comm` and `firma machine cpu` create it. Mapping and cost models read it. JSON
 * form: docs/FORMATS.md. Method: docs/METHOD.md §12. */
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

/* A message of n bytes takes latency + n · s_per_byte, for from_bytes <= n < the next segment's
 * from_bytes. Neither parameter is negative. */
typedef struct CostSegment {
    uint64_t from_bytes;
    Estimated latency_s;
    Estimated s_per_byte;
    double error; /* relative: the median of |fit / measured - 1| over the segment's sizes */
} CostSegment;

/* The costs of messages of one configuration between two hosts. If both are the same host: between
 * two processes there. */
typedef struct MachinePath {
    CommConfiguration configuration;
    uint32_t from_host, to_host;
    const char *level; /* as of a CommSeries */
    uint32_t n_segments;
    const CostSegment *segments; /* ascending by from_bytes; the first one's from_bytes is 0 */
    bool linear;                 /* false: these segments don't describe the measurement; don't extrapolate */
    double largest_error;        /* relative: the largest of |fit / measured - 1| over all sizes */
    uint64_t largest_bytes;      /* the largest size that was measured */
} MachinePath;

/* The cost of a collective by message size and number of processes: the candidate model that fits
 * best. */
typedef struct MachineCollective {
    CommConfiguration configuration;
    const char *operation;
    const char *model;                /* name of a candidate of comm/candidates.h */
    Estimated latency_s, s_per_byte;  /* the model's α and 1/β */
    double error;                     /* relative: median over all measured points */
    uint32_t least_ranks, most_ranks; /* range of the measured numbers of processes */
} MachineCollective;

/* Bounds of what a machine's noise may say: shares, and lengths of its shortest stretch. */
#define NOISE_LIMIT 10.0
#define NOISE_LEAST_S 1e-6
#define NOISE_MOST_S 3600.0

/* How much the time of the same work differs from moment to moment on a host's processors, while all
 * work: Allan deviations, relative (signature/noise/noise.h). */
typedef struct MachineNoise {
    const char *host, *date, *command;
    uint32_t n_processors;
    double duration_s;       /* of the measurement */
    double base_s;           /* the shortest stretch */
    uint32_t n_levels;       /* at least 1 */
    const double *deviation; /* [n_levels] of stretches of base_s · 2^level */
} MachineNoise;

typedef struct MachineModel {
    const char *date, *command; /* of the measurement on which the model is based */
    CommStatistic statistic;    /* the times that paths and collectives describe */
    uint32_t n_hosts, n_paths, n_collectives;
    const CommHost *hosts;
    const MachinePath *paths;
    const MachineCollective *collectives;
    uint32_t n_processors;
    const CpuModel *processors; /* costs of computing, one entry for each kind of machine */
    uint32_t n_noises;
    const MachineNoise *noises; /* at most one of a host */
} MachineModel;

#define MACHINE_FORMAT "firma machine"
#define MACHINE_VERSION 1

DOCUMENT(machine, MachineModel);

extern const FieldList machine_noise_fields;

/* The first path of a configuration between two hosts, or NULL. */
const MachinePath *machine_find_path(const MachineModel *machine, const CommConfiguration *configuration,
                                     uint32_t from_host, uint32_t to_host);

/* The path of a series of ping-pongs, or NULL. */
const MachinePath *machine_find_path_of(const MachineModel *machine, const CommConfiguration *configuration,
                                        const CommSeries *series);

/* The costs of a collective in a configuration, or NULL. */
const MachineCollective *machine_find_collective(const MachineModel *machine, const CommConfiguration *configuration,
                                                 const char *operation);

/* The kind of machine with this name, or NULL. */
const CpuModel *machine_find_processor(const MachineModel *machine, const char *name);

/* Whether a kind of machine has costs of operations in the context of compiled code. NULL: false. */
bool machine_has_context(const MachineModel *machine);

/* The noise of the host, or NULL. */
const MachineNoise *machine_find_noise(const MachineModel *machine, const char *host);

/* The different configurations of the model's paths: "`openmpi tcp`, `os tcp`". "" if the model has
 * no paths. */
const char *machine_configuration_names(const MachineModel *machine, Arena *arena);

/* The error if the model lacks the configuration of --configuration. ERR_USAGE names the
 * configurations that it has. ERR_INPUT: it has none at all. */
bool machine_refuse_configuration(const MachineModel *machine, const char *name, Arena *arena, Err *err);

/* Bytes per second of the longest messages, without their latency. Infinite: bytes cost nothing. */
double machine_path_rate(const MachinePath *path);

/* The segment that holds a size. The path must have segments. */
const CostSegment *machine_path_segment(const MachinePath *path, double bytes);

/* The time of a message on a path, by the segment that holds its size. */
double machine_message_s(const MachinePath *path, double bytes);
