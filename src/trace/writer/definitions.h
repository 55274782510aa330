/* SPDX-License-Identifier: BSD-3-Clause */
/* The global definitions of an archive that firma writes. Private to trace/. */
#ifndef FIRMA_TRACE_WRITER_DEFINITIONS_H
#define FIRMA_TRACE_WRITER_DEFINITIONS_H

#include "trace/writer/events.h"

typedef struct ArchiveContents {
    const Recording *recording;
    const CommTable *comms;
    const RegionTable *regions;
    const uint64_t *n_events; /* by location: the processes in order, each with its threads in order */
    uint64_t first_time, last_time;
} ArchiveContents;

OTF2_ErrorCode definitions_write(OTF2_GlobalDefWriter *writer, const ArchiveContents *contents);

/* The i-th location of a process is which thread; thread 0 is always the first, also when it left no segment. */
uint32_t location_thread(const RecordedProcess *process, uint32_t i);

/* Whether no lower rank ran on the host of this one. */
bool is_first_of_host(const Recording *recording, uint32_t rank);

#endif
