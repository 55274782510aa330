/* SPDX-License-Identifier: BSD-3-Clause */
/* What `firma comm` measured (comm.json): series of points, one series for each configuration, operation and set of
 * processes. JSON form: docs/FORMATS.md. Source: spec 3, after Tinetti and Barbieri. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/fields.h"
#include <stdbool.h>
#include <stdint.h>

/* The middlewares that firma knows. A file may name others. */
typedef enum Middleware {
    MIDDLEWARE_OS, /* the operating system's own */
    MIDDLEWARE_OPENMPI,
    MIDDLEWARE_MPICH,
    MIDDLEWARE_PVM,
    MIDDLEWARES
} Middleware;

typedef struct MiddlewareKind {
    const char *name; /* "openmpi", as files and the command line have it */
    bool is_mpi;
} MiddlewareKind;
extern const MiddlewareKind comm_middlewares[MIDDLEWARES];

/* A way to communicate: middleware × routing × packing. */
typedef struct CommConfiguration {
    const char *middleware; /* a name of comm_middlewares */
    const char *transport;  /* "shm", "tcp"; "unix", "icmp"; "direct", "daemon" */
    const char *packing;    /* "xdr", "raw", "inplace"; "" elsewhere */
    const char *library;    /* version text; "" if it never answered */
} CommConfiguration;

typedef struct CommHost {
    const char *name;
    const char *system;    /* kernel and machine, as uname has them; "" if not known */
    const char *processor; /* model name; "" if not known */
    uint32_t n_cpus;
} CommHost;

/* One message size. Times are of one operation: half a round trip, or a whole collective. */
typedef struct CommPoint {
    uint64_t bytes;
    uint64_t n_samples;
    double minimum_s, median_s, mean_s;
    double low_s, high_s; /* 95 % interval of the median */
    double p5_s, p95_s, p99_s;
    bool reached;             /* the interval is as narrow as was asked for */
    double skew_s;            /* collectives: median of latest start - earliest; 0 elsewhere */
    uint64_t late;            /* repetitions that were dropped, as a process came too late */
    uint32_t batch;           /* the most operations that one sample is the mean of */
    const double *samples_s;  /* [n_samples], or NULL if they were not kept */
    const uint32_t *launches; /* [n_samples] in which launch of the configuration each was taken, or NULL */
} CommPoint;

typedef struct CommSeries {
    uint32_t configuration;
    const char *operation; /* comm/protocol.h */
    const char *method;    /* collectives: "window", "barrier"; "" elsewhere */
    uint32_t n_ranks;
    uint32_t from_host, to_host; /* pingpong: of the two processes; else of the root, and of the last rank */
    const char
        *path; /* which way the bytes went, by the counters of interfaces: "memory", "lo", "eth0"; "" if not known */
    uint32_t n_points;
    const CommPoint *points; /* ascending in bytes */
} CommSeries;

/* What could not be measured, or isn't to be trusted, and why. */
typedef struct CommProblem {
    uint32_t configuration; /* UINT32_MAX: of none in particular */
    const char *message;
} CommProblem;

typedef struct CommMeasurement {
    const char *date;    /* ISO 8601, UTC */
    const char *command; /* the command line */
    double elapsed_s;
    uint32_t n_hosts, n_configurations, n_series, n_problems;
    const CommHost *hosts; /* the first is the root's */
    const CommConfiguration *configurations;
    const CommSeries *series;
    const CommProblem *problems;
} CommMeasurement;

#define COMM_VERSION 1

DOCUMENT(comm, CommMeasurement);
extern const FieldList comm_host_fields, comm_configuration_fields;

bool comm_configuration_is_of(const CommConfiguration *configuration, Middleware middleware);

/* The same way to communicate, whatever version of the library? */
bool comm_configuration_is_same(const CommConfiguration *one, const CommConfiguration *other);

/* "openmpi tcp", "pvm direct raw". */
const char *comm_configuration_name(const CommConfiguration *configuration, Arena *arena);
