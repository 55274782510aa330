/* SPDX-License-Identifier: BSD-3-Clause */
/* An open archive: what its definitions say, and how far each of its locations is read. Each header
 * beside this one is one job on it. Private to trace/. */
#pragma once

#include "base/vec.h"
#include "trace/archive.h"
#include "trace/reader/packed.h"
#include "trace/reader/ref_table.h"
#include <otf2/otf2.h>

/* What matters of a region. By region ref, the value in Archive.regions is one of these: */
typedef enum RegionKind { REGION_OTHER, REGION_MPI, REGION_INIT, REGION_FINALIZE, REGION_IO } RegionKind;
#define REGION_KIND_BITS 3
#define REGION_KIND_MASK 7u
/* … or'ed with (neighbourhood collective + 1) << REGION_KIND_BITS, for regions whose collectives have no name in OTF2.
 */

/* How an OTF2 communicator's ranks become ranks of the world, and its events' comm an index into Trace.comms. */
typedef struct ReadComm {
    uint32_t first; /* into Trace.comms */
    bool is_self;   /* then the process is added to first, and is rank 0 */
    bool is_inter;  /* then ranks are of the group that the process isn't in */
    uint32_t n_a, n_b;
    const uint32_t *a, *b; /* world ranks */
    const uint8_t *in_a;   /* of an intercommunicator: [n_processes] bits */
} ReadComm;

typedef VEC(struct HeldCollective {
    uint64_t request;
    size_t event; /* index into Location.events */
}) HeldCollectives;

/* A location that belongs to a process, and how far it is read. */
typedef struct Location {
    Archive *archive;
    OTF2_LocationRef ref;
    uint64_t n_promised; /* events, as its definition says */
    uint32_t process;
    bool is_main; /* the one that stands for the process in COMM_LOCATIONS */
    bool started, ended;
    OTF2_Reader *shelf;             /* that holds the reader */
    OTF2_EvtReader *reader;         /* NULL: closed */
    struct Location *newer, *older; /* among those with a reader */
    uint64_t n_read;

    Event *events; /* [count] as far as they are known */
    size_t count, capacity;
    Event *outgoing; /* [head, ready) can be handed on; they are the first of events, or of what was unpacked */
    size_t head, ready;
    Packed packed; /* with very many locations: what comes after outgoing and before events */
    Event *unpacked;

    /* the outermost MPI call at hand */
    uint32_t depth;
    uint32_t region;   /* value of Archive.regions */
    size_t call_first; /* its first event */
    uint64_t enter_ns;
    uint64_t last_ns;       /* of the last record */
    uint64_t free_since_ns; /* when the last call returned */
    uint64_t begin_ns;      /* of a collective or RMA operation outside any region */
    uint32_t io_depth;      /* of MPI's file operations, which are computation */
    uint64_t io_since_ns;

    /* processor time: see calls.h */
    uint64_t compute_ns, mpi_ns; /* mpi_ns: in calls of either kind since the last sample */
    uint64_t sample_time_ns, sample_cpu_ns;
    bool sampled;

    HeldCollectives held; /* nonblocking ones whose completion tells what they are */
    bool failed;
    Err err;          /* of a callback */
    int64_t merge_ns; /* the largest key handed on, when a process has several locations */
} Location;

typedef struct Process {
    uint32_t n_locations;
    Location *locations; /* consecutive in Archive.locations */
} Process;

struct Archive {
    EventSource source; /* first, so that the two convert */
    Arena *arena;
    Trace trace;
    const char *anchor;      /* path, for messages */
    const char *events_path; /* directory of the .evt files */
    bool compressed;
    OTF2_Reader *reader;   /* of the definitions */
    OTF2_Reader **shelves; /* of events: files.c */
    OTF2_EvtReaderCallbacks *callbacks;
    RefTable regions, contexts, comms, windows; /* contexts: calling context -> region value; windows -> comm */
    VEC(ReadComm) read_comms;
    uint64_t resolution, offset; /* of the clock */
    bool has_init, has_finalize; /* regions of these names are defined */
    uint32_t cpu_metric;         /* OTF2_UNDEFINED_METRIC: none */
    OTF2_AttributeRef attribute_collective, attribute_comm, attribute_root, attribute_sent, attribute_received;
    uint32_t n_processes;
    Process *processes;
    Location *locations;
    size_t n_locations;
    size_t visit_bytes;   /* how much of a location is packed at a time; 0: it stays open, and nothing is */
    Event *shared_events; /* [shared_capacity] lent to the location that is packed */
    size_t shared_capacity;
    uint32_t n_open, open_limit;
    Location *newest, *oldest; /* open readers */
    uint64_t n_read, n_total;
};
