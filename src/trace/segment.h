/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract between the recorder (inside the user's program) and the archive writer (outside
 * it): records of fixed size in mapped files. So a recording survives its process, however the
 * process ends. The format is internal: the same version of firma writes and reads it on the same
 * kind of machine. SEGMENT_VERSION guards it.
 *
 * In the recording directory:
 *   control                  a ControlFile, which firma creates before the launch and every process maps
 *   stops                    a StopsFile, which says where processes go to sleep; created and mapped likewise; optional
 *   notes                    sentences for the user, a line each, about an imported trace; optional
 *   HOST-PID.process         a ProcessFile, created when MPI_Init returns
 *   HOST-PID.comms           CommRecords, one appended for each new communicator
 *   HOST-PID.tasks           TaskRecords of a PVM task, one appended for each task that it spawned
 *   HOST-PID-THREAD.segment  one file for each thread that calls MPI, or for several such threads, of
 *                            which each began after the one before had ended:
 *
 *     | SegmentHeader | half 0 | half 1 | stored records … |
 *
 * The halves are mapped, and records go into one of them. When it is full, the recorder writes it
 * to the end of the stored records, and goes on in the other half. So the recording is the stored
 * records (stored_bytes), followed by the records of half stored_bytes / SEGMENT_HALF_BYTES % 2.
 * Writing costs a third of mapping new pages again and again.
 *
 * Records:
 *
 *   CALL MPI_Send  | SEND | CALL MPI_Waitall | RECV | RECV | SEND_DONE | CPU | CALL … | (zeros: the end)
 *
 * A CALL stands before the events that happened in it. At its entry, the recorder stores a
 * CALL_OPEN, in which only call and enter_ns are valid. At its return, the CALL_OPEN becomes a
 * CALL. A CALL_OPEN in a finished recording means that the process ended inside the call. If the
 * call's first event is a blocking message, collective or one-sided operation, and all values fit,
 * one record holds both, with half the bytes: CALL_SEND, CALL_RECV, CALL_COLLECTIVE or
 * CALL_ONE_SIDED. CPU records stand where the recorder read the CPU clock: see recorder/clock.h. An
 * ASLEEP stands between calls, between two CPU records of the same times.
 *
 * A PVM task knows neither its rank nor the number of tasks, so its records name other tasks by their
 * PVM task ids: `peer` is a task id, and `comm` is 0. Collectives of groups have the number
 * GROUP_COMMS + the group's place in the ProcessFile as `comm`, and an instance number in the group
 * as `root`. trace/tasks.h gives each task its rank when the records are read.
 *
 * Times are CLOCK_MONOTONIC plus the control file's shift. The shift lets a saved process's time go
 * on, after it is restored, from the moment when it was saved. */
#pragma once

#include <stdint.h>

#define SEGMENT_MAGIC "firmaSEG"
#define PROCESS_MAGIC "firmaPRO"
#define CONTROL_MAGIC "firmaCTL"
#define STOPS_MAGIC "firmaSTP"
#define STOPS_NAME "stops"
#define NOTES_NAME "notes"
#define SEGMENT_VERSION 16u
#define SEGMENT_HEADER_BYTES 4096
#define SEGMENT_HALF_BYTES (128 << 10)
#define SEGMENT_STORED_OFFSET (SEGMENT_HEADER_BYTES + 2 * SEGMENT_HALF_BYTES)
#define RECORD_BYTES 32
#define CALL_LIMIT 1024       /* all call numbers are below it */
#define PROCESSORS_NOTED 8192 /* of a host: the most that a Linux kernel can be configured for */

/* The environment variable that names the recording directory. Without it, the library does
 * nothing. */
#define RECORD_DIRECTORY_VARIABLE "FIRMA_RECORD_DIRECTORY"

typedef enum RecordKind {
    RECORD_NONE = 0, /* end of the recording */
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
    RECORD_CALL_SEND, /* CallEventRecord, like the next two */
    RECORD_CALL_RECV,
    RECORD_CALL_COLLECTIVE,
    RECORD_ONE_SIDED,      /* CollectiveRecord: collective is a OneSided, comm a window, root the target */
    RECORD_ONE_SIDED_DONE, /* CollectiveRecord: the completion of an operation with a request */
    RECORD_CALL_ONE_SIDED, /* CallEventRecord */
    RECORD_ASLEEP,         /* AsleepRecord */
    RECORD_WINDOW_SYNC,    /* CollectiveRecord: collective is a WindowSync, comm a window, root a member; -1: see
                           EVERY_PEER */
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
    uint16_t call; /* number of the call in the table generated from calls.def */
    /* further polls, of this or other kinds, that this record stands for. They found nothing, and
     * were less than 1 µs apart */
    uint32_t repeats;
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

/* The thread slept before an MPI call, because the process had reached a stop. */
typedef struct AsleepRecord {
    uint8_t kind;
    uint8_t reserved[3];
    uint32_t stop;
    int64_t begin_ns;
    int64_t end_ns; /* 0: the thread is still asleep */
    int64_t reserved_too;
} AsleepRecord;

typedef struct MessageRecord {
    uint8_t kind;
    uint8_t reserved[3];
    uint32_t comm; /* number of the communicator in .comms of this process */
    int32_t peer;  /* rank in the communicator; for an intercommunicator, rank in the remote group */
    int32_t tag;
    uint64_t bytes;
    uint64_t request; /* 0: blocking; otherwise unique among the process's open requests, from 1 */
} MessageRecord;

typedef struct CollectiveRecord {
    uint8_t kind;
    uint8_t collective; /* Collective of model/event.h */
    uint16_t request_high;
    uint32_t comm;
    int32_t root;         /* rank in the communicator, or one of the ROOT_ values below */
    uint32_t request_low; /* see collective_request() */
    uint64_t bytes_sent;
    uint64_t bytes_received;
} CollectiveRecord;

/* Ids of requests have this many bits. After the last id, they begin again at 1. */
#define REQUEST_BITS 48

/* 0: blocking; otherwise a number from the same sequence as messages' requests. */
static inline uint64_t collective_request(const CollectiveRecord *record)
{
    return (uint64_t)record->request_high << 32 | record->request_low;
}

/* A CALL together with its first event, which is blocking. */
typedef struct CallEventRecord {
    uint8_t kind;
    uint8_t collective; /* Collective or OneSided */
    uint16_t call;
    uint32_t duration_ns; /* leave_ns - enter_ns */
    int64_t enter_ns;
    uint32_t comm;
    int32_t peer;   /* the peer of a message, the root of a collective, or the target of a one-sided operation */
    uint32_t bytes; /* bytes of a message; bytes_sent of other events */
    union {
        int32_t tag;
        uint32_t bytes_received;
    };
} CallEventRecord;

/* Any record. */
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

/* Values of `root` that are no rank of the communicator. ROOT_NONE: the collective has no root. The
 * others are for rooted collectives on an intercommunicator: the root itself has ROOT_SELF, and the
 * others of its group have ROOT_BYSTANDER. Members of the remote group give the root's rank. */
#define ROOT_NONE (-1)
#define ROOT_SELF (-2)      /* MPI_ROOT */
#define ROOT_BYSTANDER (-3) /* MPI_PROC_NULL */

_Static_assert(sizeof(CallRecord) == RECORD_BYTES && sizeof(CpuRecord) == RECORD_BYTES, "fixed size");
_Static_assert(sizeof(CallEventRecord) == RECORD_BYTES && sizeof(AsleepRecord) == RECORD_BYTES, "fixed size");
_Static_assert(sizeof(MessageRecord) == RECORD_BYTES && sizeof(CollectiveRecord) == RECORD_BYTES, "fixed size");

typedef struct SegmentHeader {
    char magic[8];
    uint32_t version;
    uint32_t thread; /* of the first thread; 0 is the thread that called MPI_Init */
    int32_t pid;
    uint8_t reserved[44];
    /* On a cache line of its own: the number of send-like events so far, updated at each one. */
    _Alignas(64) uint64_t send_events;
    uint64_t stored_bytes; /* a multiple of SEGMENT_HALF_BYTES */
} SegmentHeader;

_Static_assert(sizeof(SegmentHeader) <= SEGMENT_HEADER_BYTES, "header fits");

/* PVM isn't an MPI, but another kind of what a program may communicate with. */
typedef enum MpiFlavour {
    MPI_FLAVOUR_NONE,
    MPI_FLAVOUR_OPENMPI,
    MPI_FLAVOUR_MPICH,
    MPI_FLAVOUR_SMPI,
    MPI_FLAVOUR_PVM
} MpiFlavour;

/* The reason why recording ended before the program did. */
typedef enum RecordingEnd {
    RECORDING_WHOLE,
    RECORDING_FAILED, /* a record could not be stored; recording_errno tells why */
    RECORDING_SPAWNED,
    RECORDING_INTERRUPTED,
    RECORDING_RESUMED,
    RECORDING_CLOCKLESS,
    RECORDING_CONFINED,
    RECORDING_END_COUNT
} RecordingEnd;

/* The reason in words. NULL: an errno tells it. */
static inline const char *recording_end_reason(RecordingEnd end)
{
    switch (end) {
    case RECORDING_INTERRUPTED:
        return "a thread was cancelled, or jumped out of a signal handler, inside the recorder";
    case RECORDING_RESUMED:
        return "an MPI call that the program had left returned after all, as coroutines do";
    case RECORDING_CLOCKLESS:
        return "the program forbids reading the processor's time stamp counter (PR_SET_TSC)";
    case RECORDING_CONFINED:
        return "the program restricts its system calls (PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP)";
    default:
        return 0;
    }
}

/* A PVM group as its collectives see it. Barriers name the number of tasks that meet in them, so
 * barriers of different numbers are different groups here; the other collectives are of the whole
 * group. */
typedef struct GroupRecord {
    uint64_t name_hash;
    char name[48];    /* perhaps cut off; for messages alone */
    int32_t count;    /* of a barrier's tasks; 0: the whole group */
    int32_t instance; /* this task's number in the group; -1: not known */
    uint64_t n_calls; /* number of calls that have returned */
} GroupRecord;

#define GROUPS_LIMIT 64 /* of a process */
#define GROUP_COMMS 2   /* behind the world and self */

typedef struct ProcessFile {
    char magic[8];
    uint32_t version;
    uint32_t flavour; /* MpiFlavour */
    int32_t pid;
    int32_t rank, n_processes; /* in MPI_COMM_WORLD; of PVM: not known, 0 */
    int32_t task, parent;      /* task ids of PVM; parent <= 0: a task that was not spawned */
    uint32_t n_threads;        /* number of segments so far */
    uint32_t n_comms;          /* number of records in .comms so far */
    uint32_t recording_end;    /* RecordingEnd */
    int32_t recording_errno;
    uint32_t thread_level;                /* MPI_THREAD_… provided: 0 single … 3 multiple */
    int64_t init_enter_ns, init_leave_ns; /* CLOCK_MONOTONIC; 0: not reached */
    int64_t finalize_enter_ns, finalize_leave_ns;
    int64_t abort_ns;
    int64_t realtime_offset_ns; /* CLOCK_REALTIME - CLOCK_MONOTONIC when MPI_Init returned */
    char host[256];
    char mpi_library[256];
    uint32_t build_id_bytes;
    uint8_t build_id[64];
    char executable[4096];
    uint32_t arguments_bytes;     /* separated by NULs, from /proc/self/cmdline, with the program's name */
    uint32_t arguments_truncated; /* 1: arguments were cut off */
    char arguments[8192];
    uint64_t counted[CALL_LIMIT]; /* number of calls, by call number, that were not recorded as events */
    /* 1 + the last stop at which the process went to sleep, 0: none. It sleeps until that stop is
     * released. */
    uint32_t asleep;
    uint32_t ready;           /* the ControlFile's adoptions when the process was last ready to be released */
    int64_t recording_end_ns; /* the recording's time when the recording ended; 0: not known */
    uint64_t start_ticks;     /* field 22 of the process's /proc/PID/stat; 0: not known */
    uint8_t
        processors[PROCESSORS_NOTED / 8]; /* a bit for each that the process may use after MPI_Init; none: not known */
    int64_t processor_ns;                 /* processor time of the process when it came to MPI_Finalize; 0: not known */
    /* CPU time for storing halves of segments, and their number. */
    uint64_t storing_ns, n_stored;
    /* What recording takes on this machine, without storing: a call with its events, and a CPU
     * record. 0: not known, or nothing. */
    uint32_t call_cost_ns, sample_cost_ns;
    uint32_t n_groups;
    GroupRecord groups[GROUPS_LIMIT]; /* PVM */
} ProcessFile;

/* A task that a PVM task spawned. */
typedef struct TaskRecord {
    int64_t time_ns; /* CLOCK_MONOTONIC: the return of pvm_spawn */
    int32_t task;
    int32_t reserved;
} TaskRecord;

/* A communicator in .comms: this header, followed by n_ranges ranges, and by neighbours. Members are ranks of
 * MPI_COMM_WORLD: first the process's own group, then, for an intercommunicator, the remote group.
 * Communicators are numbered from 0 in the order of the file. MPI_COMM_WORLD is 0, MPI_COMM_SELF is
 * 1. A member outside MPI_COMM_WORLD (a spawned process) is OUTSIDE_WORLD. An RMA window also has
 * such a record, with a group of its own. So its synchronising collectives are numbered separately
 * from those of other communicators. */
typedef struct CommRecord {
    uint32_t n_local, n_remote; /* group sizes; n_remote 0: intracommunicator */
    uint32_t n_ranges;
    uint32_t is_window; /* 0 or 1 */
    /* The process's neighbours in the communicator's topology. Their ranks, as int32_t, follow the
     * ranges: the sources, then the destinations, without MPI_PROC_NULL. */
    uint32_t has_neighbours; /* 0 or 1 */
    uint32_t n_sources, n_destinations;
} CommRecord;

typedef struct CommRange {
    int32_t first, stride;
    uint32_t count; /* a range lies in one group */
} CommRange;

#define OUTSIDE_WORLD (-1)

typedef struct ControlFile {
    char magic[8];
    uint32_t version;
    int32_t owner_pid; /* process id of the firma that started the launcher; 0: it has ended as it should */
    char owner_host[256];
    uint32_t stop; /* set by firma: each process waits at its next MPI call until it is ended (prefix measurement) */
    uint32_t adoptions; /* how often firma has adopted saved processes, which then can't see the owner's process id */
    int64_t settled_ns; /* the recording's time when all processes last slept or waited; 0: never */
    int64_t clock_shift_ns; /* shift from CLOCK_MONOTONIC to the recording's time; changes only while no process runs */
    int32_t ranks_began;    /* 1: a process that a launcher started as a rank has loaded the recorder */
    int32_t record_errno;   /* the reason why a process that returned from MPI_Init could not record; 0: none */
    uint64_t owner_start_ticks;   /* field 22 of the owner's /proc/PID/stat; 0: not known */
    uint64_t owner_pid_namespace; /* inode of the owner's PID namespace; 0: not known */
    double slowdown;  /* factor by which other programs may have slowed the job down; 0: not known. Set at its end */
    char local[3072]; /* where each node keeps records until processes end (gathering.h); "": nowhere */
} ControlFile;

/* Stop s lies before the send-like event with number counts[s * n_processes + rank] of each
 * process. Numbers count from 0, over all threads. The thread that would make this event sleeps
 * until s is released, and so does any other thread that comes to such an event. A call that makes
 * several events (MPI_Startall) isn't entered if one of them is this event. Numbers never decrease
 * from stop to stop. Processes without such an event don't sleep. */
typedef struct StopsFile {
    char magic[8];
    uint32_t version;
    uint32_t n_processes, n_stops;
    uint32_t released; /* number of released stops; only grows; the only field that changes */
    uint8_t reserved[40];
    uint64_t counts[];
} StopsFile;

#define STOPS_LIMIT 1024

_Static_assert(sizeof(StopsFile) == 64, "fixed size");
