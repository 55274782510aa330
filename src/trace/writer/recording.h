/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the process files of a recording directory (segment.h), and finds their segments. Private
 * to trace/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "model/event.h"
#include "trace/archive_names.h"
#include "trace/segment.h"
#include "trace/tasks.h"

/* The largest valid time: 36 years on a monotonic clock. */
#define RECORDED_TIME_LIMIT_NS (INT64_C(1) << 60)

/* The used parts of one ProcessFile. */
typedef struct RecordedProcess {
    const char *base; /* path of the process's files without suffix; NULL: the rank left no files */
    const char *host;
    const char *executable;
    int32_t pid;
    uint32_t n_made; /* number of segments that it made */
    uint32_t n_comms;
    RecordingEnd recording_end;
    int recording_errno;
    int64_t recording_end_ns; /* 0: not known */
    int64_t init_enter_ns, init_leave_ns, finalize_enter_ns, finalize_leave_ns, abort_ns;
    int64_t realtime_offset_ns; /* the same for all processes of a host */
    const char *processors;     /* that it may use: "0-3,8"; "": not known */
    uint32_t n_processors;      /* their number */
    uint64_t storing_ns, n_stored;
    uint32_t call_cost_ns, sample_cost_ns;
    uint32_t n_groups; /* of PVM, in which this process called collectives */
    const GroupRecord *groups;
    bool is_left_behind;   /* it recorded on its node, and nobody has gathered these records */
    bool is_left_out;      /* belongs to another MPI job than the recording's first: see worlds.h */
    bool has_main_segment; /* thread 0 left records */
    uint32_t n_threads;    /* at least 1 for each rank */
    uint32_t *threads;     /* [n_threads] ascending, from 0; their segments are BASE-THREAD.segment */
    /* Of the thread that made most calls, set when its events are written: records of calls, CPU
     * records, and all records. Polls that another one's record stands for don't count. */
    uint64_t n_calls, n_samples, n_records;
} RecordedProcess;

typedef struct Recording {
    /* The trace whose events are written anew. It knows what no process file tells. NULL: there are
     * process files. */
    const Trace *origin;
    const char *directory;
    const char *local; /* the directory where each node kept records before they were gathered; NULL: none */
    bool is_pvm;
    Tasks tasks; /* of PVM: their ranks */
    uint32_t n_processes;
    RecordedProcess *processes; /* [n_processes], by rank */
    uint32_t n_missing;
    uint64_t size_bytes;                /* sum over all segments */
    uint32_t n_left_out;                /* processes of other MPI jobs than the first */
    RecordedProcess *left_out;          /* [n_left_out]: only base and executable are set */
    bool left_out_certain;              /* no other division into jobs was possible */
    uint32_t n_programs;                /* number of different programs or arguments among the ranks */
    uint32_t n_spawned;                 /* process files of processes outside the world */
    uint32_t n_orphans;                 /* segments without a process file, and incomplete process files */
    uint64_t counted[CALL_LIMIT];       /* calls that were made but not recorded, over all ranks */
    uint32_t counted_ranks[CALL_LIMIT]; /* number of ranks that made such calls */
    Application application;            /* of the lowest rank with files */
    double slowdown;                    /* as in Trace */
    uint32_t n_incomplete;              /* 0: all processes are recorded to their end */
    const char *const *incomplete;      /* [n_incomplete] what is missing, a sentence each */
    const char *notes;                  /* of an imported trace: sentences, a line each; "": none */
} Recording;

/* Reads the process files and finds the segments. ERR_ENVIRONMENT: no process left a record. */
bool recording_load(const char *directory, Arena *arena, Recording *recording, Err *err);

/* The calls by which a process begins and ends. */
static inline const char *recording_first_call(const Recording *recording)
{
    return recording->is_pvm ? PVM_FIRST_CALL : "MPI_Init";
}

static inline const char *recording_last_call(const Recording *recording)
{
    return recording->is_pvm ? PVM_LAST_CALL : "MPI_Finalize";
}

char *recording_segment_path(const RecordedProcess *process, uint32_t thread, Arena *arena);

/* What recording one call took, in the mean over all calls. 0: not known, or nothing. To be called
 * after all events are written. */
double recording_cost_s(const Recording *recording);
