/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a recording directory (segment.h): which processes left what. Private to trace/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "model/event.h"
#include "trace/segment.h"

/* No monotonic clock shows more: 36 years. */
#define RECORDED_TIME_LIMIT_NS (INT64_C(1) << 60)

/* What is kept of one ProcessFile. */
typedef struct RecordedProcess {
    const char *base; /* path of its files without the suffix; NULL: the rank left nothing */
    const char *host;
    const char *executable;
    int32_t pid;
    uint32_t n_comms;
    RecordingEnd recording_end;
    int recording_errno;
    int64_t init_enter_ns, init_leave_ns, finalize_enter_ns, finalize_leave_ns, abort_ns;
    int64_t realtime_offset_ns; /* one for all processes of a host */
    bool is_left_out;           /* of another MPI job than the recording's first: see worlds.h */
    bool has_main_segment;      /* thread 0 left records */
    uint32_t n_threads;         /* at least 1, of each rank */
    uint32_t *threads;          /* [n_threads] ascending, from 0; their segments are BASE-THREAD.segment */
} RecordedProcess;

typedef struct Recording {
    const char *directory;
    uint32_t n_processes;
    RecordedProcess *processes; /* [n_processes], by rank */
    uint32_t n_missing;
    uint64_t size_bytes;                /* of all segments */
    uint32_t n_left_out;                /* processes of other MPI jobs than the first */
    RecordedProcess *left_out;          /* [n_left_out] base and executable only */
    bool left_out_certain;              /* nothing else was possible */
    uint32_t n_programs;                /* different programs or arguments among the ranks */
    uint32_t n_spawned;                 /* process files of processes outside the world */
    uint32_t n_orphans;                 /* segments without a process file, and process files never completed */
    uint64_t counted[CALL_LIMIT];       /* calls made but not recorded, over all ranks */
    uint32_t counted_ranks[CALL_LIMIT]; /* on how many ranks */
    Application application;            /* of the lowest rank that left something */
} Recording;

/* Reads the process files and finds the segments. No process record at all: ERR_ENVIRONMENT. */
bool recording_load(const char *directory, Arena *arena, Recording *recording, Err *err);

char *recording_segment_path(const RecordedProcess *process, uint32_t thread, Arena *arena);
