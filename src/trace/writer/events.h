/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates the records of one thread to the OTF2 events of one location. Private to trace/. */
#pragma once

#include "base/err.h"
#include "trace/writer/comms.h"
#include "trace/writer/recording.h"
#include <otf2/otf2.h>

static inline void keep_first_failure(OTF2_ErrorCode *kept, OTF2_ErrorCode status)
{
    if (*kept == OTF2_SUCCESS)
        *kept = status;
}

/* Writes an event by OTF2_EvtWriter_…. `owner` has the members `writer` and `status`. */
#define EMIT(owner, event, ...)                                                                                        \
    keep_first_failure(&(owner)->status, OTF2_EvtWriter_##event((owner)->writer, __VA_ARGS__))

/* Fixed numbers of definitions that events refer to. */
enum { CPU_METRIC = 0 };
enum {
    COLLECTIVE_ATTRIBUTE,
    COMM_ATTRIBUTE,
    ROOT_ATTRIBUTE,
    SENT_ATTRIBUTE,
    RECEIVED_ATTRIBUTE,
    REPEATS_ATTRIBUTE,
    FIRST_ANNOTATION,
    LOGICAL_TIME_ATTRIBUTE = FIRST_ANNOTATION,
    TICK_ATTRIBUTE,
    OCCURRENCE_ATTRIBUTE,
    N_ATTRIBUTES
};

/* The OTF2 operation of a Collective; the nearest one if OTF2 has no name for it. */
OTF2_CollectiveOp collective_operation(uint8_t collective);

/* True if OTF2 has no name for the collective. Then COLLECTIVE_ATTRIBUTE gives its kind. */
bool collective_needs_kind(uint8_t collective);

/* The OTF2 type of a WindowSync. */
OTF2_RmaSyncType window_sync_type(uint8_t sync);

#define NO_REGION UINT32_MAX

#define ASLEEP_CALL CALL_LIMIT /* a pseudo call number, for the region in which a thread slept at a stop */
#define REGION_LIMIT (CALL_LIMIT + 1)

/* The regions of calls, numbered in the order of their first use. */
typedef struct RegionTable {
    uint32_t of_call[REGION_LIMIT]; /* region of each call; NO_REGION: not used yet */
    uint16_t calls[REGION_LIMIT];   /* [n] */
    uint32_t n, first;              /* regions so far, and the first one's number */
} RegionTable;

void regions_start(RegionTable *regions, uint32_t first);
uint32_t region_of_call(RegionTable *regions, uint16_t call);

/* Totals over the events of all locations. */
typedef struct EventTotals {
    uint64_t n_calls, n_messages, n_collectives, n_one_sided;
    uint64_t n_outside;     /* messages with processes outside MPI_COMM_WORLD, which are left out */
    uint64_t n_unplaced;    /* collectives of groups of PVM whose members aren't known */
    uint64_t n_clock_steps; /* times that went back, and were replaced by the time before */
    uint64_t first_time, last_time;
} EventTotals;

/* One segment of one process, to be written to one location. If several threads used the segment
 * one after the other, they share the location. The archive doesn't separate them: a location for
 * each of thousands of threads would cost readers far more than it tells. Their calls don't overlap,
 * so the order within a location is that of a single thread. */
typedef struct EventStream {
    const Recording *recording;
    const RecordedProcess *process;
    const CommTable *comms;
    const LocalComm *local_comms; /* [n_local_comms] of the process */
    uint32_t n_local_comms;
    uint32_t thread;
    RegionTable *regions; /* the first call (MPI_Init) is region 0, the last one (MPI_Finalize) region 1 */
    EventTotals *totals;
    OTF2_AttributeList *attributes;
    OTF2_EvtWriter *writer;
    int64_t last_record_ns; /* result: CLOCK_MONOTONIC of the last record; 0: no record */
    /* results: records of calls, CPU records, and all records */
    uint64_t n_calls, n_samples, n_records;
} EventStream;

/* Writes the events of a segment. If `path` is NULL, the thread has no segment: only MPI_Init and
 * MPI_Finalize are written, by the process file. ERR_INPUT, with file and offset: a record is
 * broken. ERR_ENVIRONMENT: OTF2 can't write. */
bool events_write(EventStream *stream, const char *path, Err *err);
