/* SPDX-License-Identifier: BSD-3-Clause */
/* An open archive: its definitions, and how far each of its locations has been read. Each other
 * header of this folder does one task on it. Private to trace/. */
#pragma once

#include "base/map.h"
#include "base/vec.h"
#include "trace/archive.h"
#include "trace/reader/packed.h"
#include "trace/reader/ref_table.h"
#include <otf2/otf2.h>

/* The kinds of regions. Archive.regions maps a region's ref to one of these, */
typedef enum RegionKind { REGION_OTHER, REGION_MPI, REGION_INIT, REGION_FINALIZE, REGION_IO } RegionKind;
#define REGION_KIND_BITS 3
#define REGION_KIND_MASK 7u
/* … combined by | with (neighbourhood collective + 1) << REGION_KIND_BITS, if OTF2 has no name for
 * the region's collective. */

/* Maps an OTF2 communicator's ranks to ranks of the world, and the communicator itself to an index
 * into Trace.comms. */
typedef struct ReadComm {
    uint32_t first; /* index into Trace.comms */
    bool is_self;   /* MPI_COMM_SELF: the index is first + process, and the only rank is 0 */
    bool is_inter;  /* intercommunicator: ranks belong to the group that the process isn't in */
    uint32_t n_a, n_b;
    const uint32_t *a, *b; /* world ranks */
    const uint8_t *in_a;   /* intercommunicator: [n_processes] bits; set: the process is in group a */
} ReadComm;

typedef VEC(struct HeldCollective {
    uint64_t request;
    size_t event; /* index into Location.events */
}) HeldCollectives;

/* A location of a process, and how far it has been read. */
typedef struct Location {
    Archive *archive;
    OTF2_LocationRef ref;
    uint64_t n_promised; /* number of events by its definition */
    uint32_t process;
    bool is_main; /* the location that represents the process in COMM_LOCATIONS */
    bool started, ended;
    OTF2_Reader *shelf;             /* the OTF2 reader that `reader` belongs to */
    OTF2_EvtReader *reader;         /* NULL: closed */
    struct Location *newer, *older; /* neighbours in the list of open locations, by last use */
    uint64_t n_read;

    Event *events; /* [count]: events that are not packed */
    size_t count, capacity;
    Event *outgoing; /* [head, ready) can be delivered; points to `events` or to `unpacked` */
    size_t head, ready;
    Packed packed; /* with very many locations: events behind `outgoing` and before `events` */
    Event *unpacked;

    /* the current outermost MPI call: */
    uint32_t depth;
    uint32_t region;   /* its value in Archive.regions */
    size_t call_first; /* index of its first event */
    uint64_t enter_ns;
    uint64_t last_ns;       /* time of the last record */
    uint64_t free_since_ns; /* return of the last call */
    uint64_t begin_ns;      /* beginning of a collective or RMA operation outside any region */
    uint32_t io_depth;      /* depth of MPI's file operations, which count as computation */
    uint64_t io_since_ns;

    /* CPU time: see calls.h */
    uint64_t compute_ns, mpi_ns; /* mpi_ns: time in calls and file operations since the last sample */
    uint64_t lost_ns;            /* what samples took off compute_ns */
    uint64_t sample_time_ns, sample_cpu_ns;
    bool sampled;

    HeldCollectives held; /* nonblocking collectives whose completion will tell what they are */
    bool failed;
    Err err;          /* of a callback */
    int64_t merge_ns; /* with several locations, the largest key delivered so far */
    uint8_t sequence; /* of its events that aren't common; 0: it has none (sequences.h) */
} Location;

typedef struct Process {
    uint32_t n_locations;
    Location *locations; /* consecutive in Archive.locations */
} Process;

struct Archive {
    EventSource source; /* the first member, so that pointers to both convert */
    Arena *arena;
    Trace trace;
    const char *anchor;      /* path of the anchor file, for messages */
    const char *events_path; /* directory of the .evt files */
    bool compressed;
    OTF2_Reader *reader;   /* reader of the definitions */
    OTF2_Reader **shelves; /* readers of events: see files.c */
    OTF2_EvtReaderCallbacks *callbacks;
    RefTable regions, contexts, comms, windows; /* contexts: calling context -> region value; windows -> communicator */
    VEC(ReadComm) read_comms;
    uint64_t resolution, offset; /* of the clock */
    bool tells_completions;      /* of sends and collectives */
    bool has_init, has_finalize; /* regions with these names are defined */
    uint32_t cpu_metric;         /* OTF2_UNDEFINED_METRIC: the archive has none */
    OTF2_AttributeRef attribute_collective, attribute_comm, attribute_root, attribute_sent, attribute_received;
    uint32_t n_processes;
    Process *processes;
    Location *locations;
    size_t n_locations;
    size_t visit_bytes;   /* bytes of a location to pack at a time; 0: locations stay open, and nothing is packed */
    Event *shared_events; /* [shared_capacity]: buffer for the location that is being packed */
    size_t shared_capacity;
    uint32_t n_open, open_limit;
    Location *newest, *oldest; /* ends of the list of open locations */
    uint64_t n_read, n_total;
    Map common; /* the kinds of events that stand in the common order of their process (sequences.h) */
};
