/* SPDX-License-Identifier: BSD-3-Clause */
/* An annotated archive while it is written: annotated.c begins and ends it, annotated_events.c writes the events of a
 * process. Private to trace/. */
#pragma once

#include "trace/annotated.h"
#include "trace/writer/output.h"
#include "trace/writer/trace_comms.h"

/* Calls without a name of their own, before the caller's regions. */
enum { MAKE_REGION, FREE_REGION, OTHER_REGION, N_CALL_REGIONS };

struct AnnotatedArchive {
    ArchiveOutput output;
    Arena *arena;
    const Trace *trace;
    TraceComms comms;
    Recording recording; /* what the definitions need of one: processes with one thread each */
    RegionTable regions;
    NamedRegion *named_regions;
    uint32_t n_named_regions;
    uint32_t n_windows;
    uint64_t *n_events; /* [n_processes] */
    uint64_t first_time, last_time;
    OTF2_AttributeList *attributes;
    OTF2_ErrorCode status;

    /* the process at hand */
    OTF2_EvtWriter *writer;
    uint32_t process;
    bool has_started;
    uint64_t now; /* times never go back */
    uint64_t cpu_ns;
    bool has_stranger;
    Event stranger; /* whose peer isn't in its communicator */
};
