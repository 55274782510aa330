/* SPDX-License-Identifier: BSD-3-Clause */
/* The global definitions of an archive that firma writes. Private to trace/. */
#pragma once

#include "trace/writer/events.h"

/* A region that isn't a call of calls.def: what the analysis found, or a call that is known by its effect alone. */
typedef struct NamedRegion {
    const char *name, *description;
    bool is_call; /* of MPI */
} NamedRegion;

typedef struct ArchiveContents {
    const Recording *recording;
    const CommTable *comms;
    const RegionTable *regions;
    const uint64_t *n_events; /* by location: the processes in order, each with its threads in order */
    uint64_t first_time, last_time;
    /* only of an archive that is written anew, with what the analysis found (annotated.c) */
    uint32_t n_named_regions;
    const NamedRegion *named_regions; /* numbered before `regions`, whose numbers begin behind them */
    bool is_annotated;                /* defines the attributes from FIRST_ANNOTATION on */
    bool without_self;                /* MPI_COMM_SELF isn't defined */
} ArchiveContents;

OTF2_ErrorCode definitions_write(OTF2_GlobalDefWriter *writer, const ArchiveContents *contents);

/* Whether no lower rank ran on the host of this one. */
bool is_first_of_host(const Recording *recording, uint32_t rank);
