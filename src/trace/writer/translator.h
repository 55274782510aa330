/* SPDX-License-Identifier: BSD-3-Clause */
/* What translating one thread's records has come to: shared by what translates calls and messages (events.c), and what
 * translates collectives and one-sided operations (collectives.c). Private to trace/writer. */
#pragma once

#include "trace/writer/events.h"
#include "trace/writer/segment_reader.h"

enum { DEFERRED_SAMPLES = 8 };

typedef struct Translator {
    EventStream *stream;
    OTF2_EvtWriter *writer;
    const SegmentReader *segment;
    size_t index; /* of the record at hand, in the segment's block */
    Err *err;
    int64_t offset_ns;  /* CLOCK_MONOTONIC -> the archive's clock */
    uint64_t last_time; /* of the location; times never decrease */
    OTF2_ErrorCode status;
    bool open; /* a call's Enter is written, its Leave not */
    bool saw_finalize;
    CallRecord call; /* the last one */
    uint32_t region;
    uint64_t enter, leave;               /* the open call's; leave == enter while it has no return */
    CpuRecord samples[DEFERRED_SAMPLES]; /* taken after the open call's return */
    uint32_t n_samples;
} Translator;

/* A time of the location that is no earlier than those before. */
static inline uint64_t advance(Translator *translator, uint64_t time)
{
    if (!translator->last_time && time < translator->stream->totals->first_time)
        translator->stream->totals->first_time = time;
    if (time > translator->last_time)
        translator->last_time = time;
    return translator->last_time;
}

/* What a call starts gets the time of its entry, what it completes that of its return. */
static inline uint64_t at_entry(Translator *translator)
{
    return advance(translator, translator->enter);
}

static inline uint64_t at_return(Translator *translator)
{
    return advance(translator, translator->leave);
}

/* ERR_INPUT for the record at hand. False. */
#define record_wrong(translator, ...)                                                                                  \
    segment_wrong((translator)->segment, (translator)->index, (translator)->err, __VA_ARGS__)

/* The rank in the group as the archive defines it, or OUTSIDE_RANK. */
static inline uint32_t archive_rank(const MemberList *list, uint32_t rank)
{
    return list->inside ? list->inside[rank] : rank;
}

/* A communicator of the process, by its number; NULL: there is none, and err says where. */
const LocalComm *translator_comm(Translator *translator, uint32_t number);

/* A collective, begun or completed; a one-sided operation, likewise. */
bool translate_collective(Translator *translator, const CollectiveRecord *record);
bool translate_one_sided(Translator *translator, const CollectiveRecord *record);
