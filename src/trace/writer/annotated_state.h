/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of an annotated archive that is being written. annotated.c begins and ends it;
 * annotated_events.c writes the events of a process. Private to trace/. */
#pragma once

#include "trace/annotated.h"
#include "trace/writer/output.h"
#include "trace/writer/trace_comms.h"

/* Regions for calls whose events imply no exact name. They come before the caller's regions. */
enum { MAKE_REGION, FREE_REGION, OTHER_REGION, N_CALL_REGIONS };

struct AnnotatedArchive {
    ArchiveOutput output;
    Arena *arena;
    const Trace *trace;
    TraceComms comms;
    Recording recording; /* the parts of a Recording that definitions need: processes with one thread each */
    RegionTable regions;
    NamedRegion *named_regions;
    uint32_t n_named_regions;
    uint32_t n_windows;
    uint64_t *n_events; /* [n_processes] */
    uint64_t first_time, last_time;
    OTF2_AttributeList *attributes;
    OTF2_ErrorCode status;

    /* of the current process: */
    OTF2_EvtWriter *writer;
    uint32_t process;
    bool has_started;
    uint64_t now; /* times never go back */
    uint64_t cpu_ns;
    bool has_stranger;
    Event stranger; /* an event whose peer isn't in its communicator */
};
