/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract between the recorder (inside the user's program) and the archive writer (outside it): fixed-size
 * records in mapped files, so that what was recorded survives the process, however it ends. Internal: written and read
 * by the same version of firma on the same kind of machine; SEGMENT_VERSION guards it.
 *
 * In the recording directory:
 *   control                  one ControlFile, made by firma before the launch, mapped by every process
 *   stops                    where processes shall go to sleep: a StopsFile, made and mapped likewise; absent: nowhere
 *   HOST-PID.process         one ProcessFile, made when MPI_Init returns
 *   HOST-PID.comms           CommRecords, appended when a communicator is made
 *   HOST-PID-THREAD.segment  one file per thread that calls MPI:
 *
 *     | SegmentHeader | half 0 | half 1 | stored records … |
 *
 * The halves are mapped, and records go into one of them; when it is full, it is written behind what is stored, and the
 * other one takes over. So what was recorded is what is stored (stored_bytes), then the records of half
 * stored_bytes / SEGMENT_HALF_BYTES % 2. Writing costs a third of what mapping ever new pages does.
 *
 * Records:
 *
 *   CALL MPI_Send  | SEND | CALL MPI_Waitall | RECV | RECV | SEND_DONE | CPU | CALL … | (zeros: the end)
 *
 * A CALL stands before what happened in it. It is stored at the entry as a CALL_OPEN, of which only call and enter_ns
 * count (the process ended inside it), and completed at the return. If a blocking message or collective happened in it,
 * nothing before it, and all fits, the two are one CALL_SEND, CALL_RECV or CALL_COLLECTIVE: half the bytes; likewise
 * CALL_ONE_SIDED. CPU records stand where the clock of the processor time was read: see recorder/clock. An ASLEEP
 * stands between calls, between two CPU records of the same times.
 *
 * Times are those of CLOCK_MONOTONIC, plus the control file's shift: where a process was saved and restored, its time
 * goes on from when it was saved. */
#pragma once

#include <stdint.h>

#define SEGMENT_MAGIC "firmaSEG"
#define PROCESS_MAGIC "firmaPRO"
#define CONTROL_MAGIC "firmaCTL"
#define STOPS_MAGIC "firmaSTP"
#define STOPS_NAME "stops"
#define SEGMENT_VERSION 4u
#define SEGMENT_HEADER_BYTES 4096
#define SEGMENT_HALF_BYTES (128 << 10)
#define SEGMENT_STORED_OFFSET (SEGMENT_HEADER_BYTES + 2 * SEGMENT_HALF_BYTES)
#define RECORD_BYTES 32
#define CALL_LIMIT 1024 /* call numbers are below it */

/* The environment variable that names the recording directory; absent: the library does nothing. */
#define RECORD_DIRECTORY_VARIABLE "FIRMA_RECORD_DIRECTORY"

typedef enum RecordKind {
    RECORD_NONE = 0, /* end of what was recorded */
    RECORD_CALL,
    RECORD_CPU,
    RECORD_SEND,            /* MessageRecord; request != 0: nonblocking */
    RECORD_SEND_DONE,       /* MessageRecord: request only */
    RECORD_RECV_POST,       /* MessageRecord: request only (a nonblocking receive, or a matched probe) */
    RECORD_RECV,            /* MessageRecord, as completed; request != 0: the post */
    RECORD_CANCEL,          /* MessageRecord: request only */
    RECORD_COLLECTIVE,      /* CollectiveRecord; request != 0: nonblocking, at its posting */
    RECORD_COLLECTIVE_DONE, /* CollectiveRecord: the completion of a nonblocking one */
    RECORD_CALL_OPEN,
    RECORD_CALL_SEND, /* CallEventRecord, as the next two */
    RECORD_CALL_RECV,
    RECORD_CALL_COLLECTIVE,
    RECORD_ONE_SIDED,      /* CollectiveRecord: collective is a OneSided, comm a window, root the target */
    RECORD_ONE_SIDED_DONE, /* CollectiveRecord: the completion of one that has a request */
    RECORD_CALL_ONE_SIDED, /* CallEventRecord */
    RECORD_ASLEEP,         /* AsleepRecord */
    RECORD_KIND_COUNT
} RecordKind;

typedef enum OneSided {
    ONE_SIDED_PUT,
    ONE_SIDED_GET,
    ONE_SIDED_ACCUMULATE,
    ONE_SIDED_GET_ACCUMULATE,
    ONE_SIDED_FETCH_AND_OP,
    ONE_SIDED_COMPARE_AND_SWAP,
    ONE_SIDED_COUNT
} OneSided;

typedef struct CallRecord {
    uint8_t kind;
    uint8_t reserved;
    uint16_t call;    /* number in the table made from calls.def */
    uint32_t repeats; /* further polls (of this or other kinds) folded into this one: they found nothing, less than 1 µs
                         apart */
    int64_t enter_ns; /* CLOCK_MONOTONIC */
    int64_t leave_ns; /* 0: the process ended inside the call */
    int64_t reserved_too;
} CallRecord;

typedef struct CpuRecord {
    uint8_t kind;
    uint8_t reserved[7];
    int64_t time_ns; /* CLOCK_MONOTONIC */
    int64_t cpu_ns;  /* CLOCK_THREAD_CPUTIME_ID at the same moment */
    int64_t reserved_too;
} CpuRecord;

/* The thread slept before an MPI call, because the process had come to a stop. */
typedef struct AsleepRecord {
    uint8_t kind;
    uint8_t reserved[3];
    uint32_t stop;
    int64_t begin_ns;
    int64_t end_ns; /* 0: it hasn't woken */
    int64_t reserved_too;
} AsleepRecord;

typedef struct MessageRecord {
    uint8_t kind;
    uint8_t reserved[3];
    uint32_t comm; /* number in .comms of this process */
    int32_t peer;  /* rank in the communicator; of an intercommunicator: in the remote group */
    int32_t tag;
    uint64_t bytes;
    uint64_t request; /* 0: blocking; otherwise unique in the process, from 1 */
} MessageRecord;

typedef struct CollectiveRecord {
    uint8_t kind;
    uint8_t collective; /* Collective of model/event.h */
    uint16_t reserved;
    uint32_t comm;
    int32_t root;     /* rank in the communicator; or one of the ROOT_ values below */
    uint32_t request; /* 0: blocking; otherwise from the same numbers as messages */
    uint64_t bytes_sent;
    uint64_t bytes_received;
} CollectiveRecord;

/* A CALL with the first thing that happened in it, blocking. */
typedef struct CallEventRecord {
    uint8_t kind;
    uint8_t collective; /* Collective or OneSided */
    uint16_t call;
    uint32_t duration_ns; /* leave_ns - enter_ns */
    int64_t enter_ns;
    uint32_t comm;
    int32_t peer;   /* of a message; the root of a collective; the target of a one-sided operation */
    uint32_t bytes; /* of a message; bytes_sent of the others */
    union {
        int32_t tag;
        uint32_t bytes_received;
    };
} CallEventRecord;

/* Any of them. */
typedef union Record {
    uint8_t kind;
    uint64_t words[4];
    CallRecord call;
    CpuRecord cpu;
    MessageRecord message;
    CollectiveRecord collective;
    CallEventRecord call_event;
    AsleepRecord asleep;
} Record;

/* Roots that are no rank of the communicator. In a rooted collective on an intercommunicator: the root itself, the
 * others of its group, and ranks of the remote group. */
#define ROOT_NONE (-1)
#define ROOT_SELF (-2)      /* MPI_ROOT */
#define ROOT_BYSTANDER (-3) /* MPI_PROC_NULL */

_Static_assert(sizeof(CallRecord) == RECORD_BYTES && sizeof(CpuRecord) == RECORD_BYTES, "fixed size");
_Static_assert(sizeof(CallEventRecord) == RECORD_BYTES && sizeof(AsleepRecord) == RECORD_BYTES, "fixed size");
_Static_assert(sizeof(MessageRecord) == RECORD_BYTES && sizeof(CollectiveRecord) == RECORD_BYTES, "fixed size");

typedef struct SegmentHeader {
    char magic[8];
    uint32_t version;
    uint32_t thread; /* 0 is the thread that called MPI_Init */
    int32_t pid;
    uint8_t reserved[44];
    /* its own cache line, written at each send-like event (sends and collectives): how many there were */
    _Alignas(64) uint64_t send_events;
    uint64_t stored_bytes; /* a multiple of SEGMENT_HALF_BYTES */
} SegmentHeader;

_Static_assert(sizeof(SegmentHeader) <= SEGMENT_HEADER_BYTES, "header fits");

typedef enum MpiFlavour { MPI_FLAVOUR_NONE, MPI_FLAVOUR_OPENMPI, MPI_FLAVOUR_MPICH, MPI_FLAVOUR_SMPI } MpiFlavour;

/* Why recording ended before the program did. */
typedef enum RecordingEnd { RECORDING_WHOLE, RECORDING_NO_SPACE, RECORDING_NO_MEMORY, RECORDING_SPAWNED } RecordingEnd;

typedef struct ProcessFile {
    char magic[8];
    uint32_t version;
    uint32_t flavour; /* MpiFlavour */
    int32_t pid;
    int32_t rank, n_processes; /* in MPI_COMM_WORLD */
    uint32_t n_threads;        /* segments made so far */
    uint32_t n_comms;          /* records in .comms so far */
    uint32_t recording_end;    /* RecordingEnd */
    int32_t recording_errno;
    uint32_t thread_level;                /* MPI_THREAD_… provided: 0 single … 3 multiple */
    int64_t init_enter_ns, init_leave_ns; /* CLOCK_MONOTONIC; 0: didn't happen */
    int64_t finalize_enter_ns, finalize_leave_ns;
    int64_t abort_ns;
    int64_t realtime_offset_ns; /* CLOCK_REALTIME - CLOCK_MONOTONIC when MPI_Init returned */
    char host[256];
    char mpi_library[256];
    uint32_t build_id_bytes;
    uint8_t build_id[64];
    char executable[4096];
    uint32_t arguments_bytes;     /* NUL-separated, from /proc/self/cmdline, the program's name included */
    uint32_t arguments_truncated; /* 1: there were more */
    char arguments[8192];
    uint64_t counted[CALL_LIMIT]; /* calls that were made but not recorded as events, by call number */
    uint32_t asleep; /* 1 + the last stop at which it went to sleep: it sleeps if that stop isn't released; 0: none */
} ProcessFile;

/* In .comms: this header, then n_ranges ranges; members are ranks of MPI_COMM_WORLD (the process's own group first,
 * then, for an intercommunicator, the remote group). Numbers of communicators count from 0 in order of the file;
 * MPI_COMM_WORLD is always 0 and MPI_COMM_SELF 1. Members outside MPI_COMM_WORLD (spawned processes) are OUTSIDE_WORLD.
 * An RMA window is a communicator here: the group is its own, and what synchronises it is counted apart from the
 * collectives of others. */
typedef struct CommRecord {
    uint32_t n_local, n_remote; /* group sizes; n_remote 0: intracommunicator */
    uint32_t n_ranges;
    uint32_t is_window; /* 0 or 1 */
} CommRecord;

typedef struct CommRange {
    int32_t first, stride;
    uint32_t count; /* a range does not cross from the own into the remote group */
} CommRange;

#define OUTSIDE_WORLD (-1)

typedef struct ControlFile {
    char magic[8];
    uint32_t version;
    int32_t owner_pid; /* the firma that started the launcher */
    char owner_host[256];
    uint32_t stop; /* set by firma: at its next MPI call each process waits until it is ended (prefix measurement) */
    uint32_t adoptions;     /* how often a firma has taken over saved processes, which then can't see the owner's pid */
    int64_t settled_ns;     /* the recording's time when all processes slept or waited, the last time; 0: never */
    int64_t clock_shift_ns; /* CLOCK_MONOTONIC -> the recording's time; changes only while no process runs */
} ControlFile;

/* Stop s is before the send-like event number counts[s * n_processes + rank] of each process (from 0, all threads
 * taken together): the thread that would make it sleeps until s is released, and so does any other that comes to such
 * an event. A call that makes several (MPI_Startall) is not entered if one of them is it. Numbers don't decrease from
 * stop to stop. Processes that have no such event don't sleep. */
typedef struct StopsFile {
    char magic[8];
    uint32_t version;
    uint32_t n_processes, n_stops;
    uint32_t released; /* so many stops are over; only grows; the only field that changes */
    uint8_t reserved[40];
    uint64_t counts[];
} StopsFile;

#define STOPS_LIMIT 1024

_Static_assert(sizeof(StopsFile) == 64, "fixed size");
