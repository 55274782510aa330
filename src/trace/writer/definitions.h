/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the global definitions of an archive. Private to trace/. */
#pragma once

#include "trace/writer/events.h"

/* A region that isn't a call of calls.def: a result of the analysis, or a call known only by its
 * effect. */
typedef struct NamedRegion {
    const char *name, *description;
    bool is_call; /* a call of MPI */
} NamedRegion;

typedef struct ArchiveContents {
    const Recording *recording;
    const CommTable *comms;
    const RegionTable *regions;
    const uint64_t *n_events; /* by location: processes in order, each with its threads in order */
    uint64_t first_time, last_time;
    /* only for an archive with analysis results (annotated.c): */
    uint32_t n_named_regions;
    const NamedRegion *named_regions; /* their numbers come before those of `regions` */
    bool is_annotated;                /* defines also the attributes from FIRST_ANNOTATION on */
    bool without_self;                /* doesn't define MPI_COMM_SELF */
} ArchiveContents;

OTF2_ErrorCode definitions_write(OTF2_GlobalDefWriter *writer, const ArchiveContents *contents);

/* True if no lower rank ran on this rank's host. */
bool is_first_of_host(const Recording *recording, uint32_t rank);
