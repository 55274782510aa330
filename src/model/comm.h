/* SPDX-License-Identifier: BSD-3-Clause */
/* What `firma comm` measured (comm.json). A series of points belongs to one configuration, one
 * operation and one set of processes. JSON form: docs/FORMATS.md. Method: docs/METHOD.md §11, after
 * Tinetti and Barbieri. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/fields.h"
#include <stdbool.h>
#include <stdint.h>

/* The middlewares that firma can measure. A file may name others. */
typedef enum Middleware {
    MIDDLEWARE_OS, /* the operating system's own sockets and ICMP */
    MIDDLEWARE_OPENMPI,
    MIDDLEWARE_MPICH,
    MIDDLEWARE_PVM,
    MIDDLEWARES
} Middleware;

/* The transport that an MPI chooses by itself. */
#define COMM_DEFAULT "default"

typedef struct MiddlewareKind {
    const char *name; /* the name in files and on the command line, such as "openmpi" */
    bool is_mpi;
} MiddlewareKind;
extern const MiddlewareKind comm_middlewares[MIDDLEWARES];

/* A way to communicate: middleware × transport × packing. */
typedef struct CommConfiguration {
    const char *middleware; /* a name of comm_middlewares, or another one */
    const char *transport;  /* "shm", "tcp", COMM_DEFAULT; "unix", "icmp"; "direct", "daemon" */
    const char *packing;    /* of PVM: "xdr", "raw", "inplace"; else "" */
    const char *library;    /* the library's version text; "" if the library never answered */
} CommConfiguration;

/* A level that tells a host's cores apart, such as that of its packages. */
typedef struct HostLevel {
    const char *name; /* of a unit: "package", "L3" */
    uint32_t n_cores;
    const uint32_t *units; /* of each core, in the order of launchers: from 0, ascending */
} HostLevel;

typedef struct CommHost {
    const char *name;
    const char *system;    /* kernel and machine, as `uname` prints them; "" if not known */
    const char *processor; /* model name; "" if not known */
    uint32_t n_cpus;
    uint32_t n_levels; /* the outermost first; 0: none, or not known */
    const HostLevel *levels;
    /* The most processes besides firma's own that wanted to run while it measured, on an average of a minute. NAN: not
     * known. */
    double load;
} CommHost;

/* How much of a nonblocking collective computing between start and wait hides. */
typedef struct CommOverlap {
    double compute_s;                    /* for how long each process computed: median */
    double exposed_s;                    /* median of the time beyond that */
    double share, share_low, share_high; /* 1 - exposed_s / median_s, not below 0, and its interval; NAN: none */
} CommOverlap;

/* A percentile that the user asked for. */
typedef struct CommPercentile {
    uint32_t percent;
    double time_s; /* NAN: no sample lies beyond it, so it can't be told */
} CommPercentile;

/* What a stream of messages carries, in both directions and by all pairs together. */
typedef struct CommRate {
    double bytes_per_s, messages_per_s;
    double low_messages_per_s, high_messages_per_s; /* 95 % interval */
    double most_bytes_per_s, most_messages_per_s;   /* in the shortest sample */
} CommRate;

/* Fewer samples give no 95 % interval of their median. */
enum { COMM_SAMPLES_OF_AN_INTERVAL = 6 };

/* One message size. Each time is of one operation: half a round trip, a message of a stream, or a whole collective. */
typedef struct CommPoint {
    uint64_t bytes;
    uint64_t n_samples;
    uint32_t n_launches; /* in which they were taken */
    double minimum_s, median_s, mean_s;
    double minimum_high_s; /* the largest of the launches' own minima */
    double low_s, high_s;  /* 95 % interval of the median */
    double p5_s, p90_s, p95_s, p99_s, maximum_s;
    double p90_low_s, p90_high_s; /* 95 % interval of the 90th percentile */
    bool reached;                 /* the interval is as narrow as the user asked for */
    double skew_s;                /* collectives: median of (latest start - earliest start); 0 elsewhere */
    uint64_t late;                /* collectives: repetitions that were dropped, because a process started late */
    uint32_t batch;               /* the most operations over which one sample is a mean */
    const CommRate *rate;         /* of a stream; else NULL */
    const CommOverlap *overlap;   /* of a nonblocking collective; else NULL */
    uint32_t n_percentiles;
    const CommPercentile *percentiles; /* ascending */
    const double *samples_s;           /* [n_samples], or NULL if the samples weren't kept */
    const uint32_t *launches;          /* [n_samples]: the launch in which each sample was taken; may be NULL */
} CommPoint;

/* What of the samples of a size becomes the model. */
typedef enum CommStatistic { COMM_MEDIAN, COMM_MINIMUM } CommStatistic;
extern const char *const comm_statistic_names[];   /* ends with NULL */
CommStatistic comm_statistic_of(const char *name); /* a name among these */

double comm_point_s(const CommPoint *point, CommStatistic statistic);

/* The 95 % interval of that time; of the minimum, what the launches found. */
void comm_point_interval(const CommPoint *point, CommStatistic statistic, double *low_s, double *high_s);

typedef struct CommSeries {
    uint32_t configuration;
    const char *operation; /* a name of comm/protocol.h */
    const char *method;    /* collectives: "window", "barrier"; "" elsewhere */
    uint32_t n_ranks;
    uint32_t from_host,
        to_host; /* ping-pong: the two processes' hosts; else the hosts of the root and of the last rank */
    /* Within a host with levels: the outermost one at which the two processors are apart, or "core".
     * NULL: not known. */
    const char *level;
    /* The way of the bytes, by the counters of network interfaces: "memory", "lo", "eth0"; "" if
     * not known. */
    const char *path;
    const char *parts; /* of the library, through which the messages went: "ob1 vader"; "" if not known */
    double elsewhere;  /* share of the bytes that went by other interfaces than that of the hosts' addresses */
    bool is_doubtful;  /* the bytes didn't go where they should have; a problem says why */
    uint32_t n_points;
    const CommPoint *points; /* ascending in bytes */
} CommSeries;

/* What could not be measured, or isn't to be trusted, with the reason. */
typedef struct CommProblem {
    uint32_t configuration; /* index; UINT32_MAX: the problem concerns no single configuration */
    const char *message;
} CommProblem;

typedef struct CommMeasurement {
    const char *date;    /* ISO 8601, UTC */
    const char *command; /* the command line */
    double elapsed_s;
    uint32_t n_hosts, n_configurations, n_series, n_problems;
    /* These three aren't in the document. */
    const char *missing;   /* which hosts or pairs of hosts have no results, and why; NULL: all have some */
    uint32_t n_broken;     /* launches whose processes ended while they measured */
    bool is_time_up;       /* more time would have given more precise results */
    const CommHost *hosts; /* the root's host comes first */
    const CommConfiguration *configurations;
    const CommSeries *series;
    const CommProblem *problems;
} CommMeasurement;

#define COMM_VERSION 1

DOCUMENT(comm, CommMeasurement);

/* Whether an operation goes on between two processes: ping-pongs and the like. */
bool comm_is_exchange(const char *operation);

/* Whether it is a stream of messages, whose time is that of one of them. */
bool comm_is_stream(const char *operation);

/* Whether it is a put or a get. An empty one does nothing, so they begin with 1 byte. */
bool comm_is_one_sided(const char *operation);

/* Whether it is one of the other ones, such as a broadcast. */
bool comm_is_collective(const char *operation);

/* Whether two measuring processes lack a processor of their own, because of others' load. */
bool comm_host_is_busy(const CommHost *host);

extern const FieldList comm_host_fields, comm_configuration_fields, comm_overlap_fields, comm_rate_fields;
extern const FieldList comm_names_fields; /* those of the configuration without its library */

bool comm_configuration_is_of(const CommConfiguration *configuration, Middleware middleware);

/* True if both are the same way to communicate, in any version of the library. */
bool comm_configuration_is_same(const CommConfiguration *one, const CommConfiguration *other);

/* NULL is the same as NULL alone. */
bool comm_level_is_same(const char *one, const char *other);

/* "openmpi tcp", "pvm direct raw". */
const char *comm_configuration_name(const CommConfiguration *configuration, Arena *arena);
