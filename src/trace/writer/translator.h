/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of translating one thread's records. events.c translates calls and messages,
 * collectives.c collectives and one-sided operations. Private to trace/writer. */
#pragma once

#include "trace/writer/events.h"
#include "trace/writer/segment_reader.h"

enum { DEFERRED_SAMPLES = 8 };

typedef struct Translator {
    EventStream *stream;
    OTF2_EvtWriter *writer;
    const SegmentReader *segment;
    size_t index; /* index of the current record in the segment's block */
    Err *err;
    int64_t offset_ns;  /* from CLOCK_MONOTONIC to the archive's clock */
    uint64_t last_time; /* of the location; its times never decrease */
    OTF2_ErrorCode status;
    bool open; /* a call's Enter is written, but not its Leave */
    bool saw_finalize;
    CallRecord call; /* the last call */
    uint32_t region;
    uint64_t enter, leave;               /* times of the open call; leave == enter as long as its return isn't known */
    CpuRecord samples[DEFERRED_SAMPLES]; /* taken after the open call's return */
    uint32_t n_samples;
} Translator;

/* Returns `time`, or the location's last time if that is later. */
static inline uint64_t advance(Translator *translator, uint64_t time)
{
    if (!translator->last_time && time < translator->stream->totals->first_time)
        translator->stream->totals->first_time = time;
    if (time > translator->last_time)
        translator->last_time = time;
    return translator->last_time;
}

/* Events that a call starts get the time of its entry. Events that it completes get the time of its
 * return. */
static inline uint64_t at_entry(Translator *translator)
{
    return advance(translator, translator->enter);
}

static inline uint64_t at_return(Translator *translator)
{
    return advance(translator, translator->leave);
}

/* Sets ERR_INPUT for the current record. Returns false. */
#define record_wrong(translator, ...)                                                                                  \
    segment_wrong((translator)->segment, (translator)->index, (translator)->err, __VA_ARGS__)

/* The rank in the group as the archive defines the group, or OUTSIDE_RANK. */
static inline uint32_t archive_rank(const MemberList *list, uint32_t rank)
{
    return list->inside ? list->inside[rank] : rank;
}

/* The communicator with this number in its process. NULL: no such communicator; the error names the
 * place. */
const LocalComm *translator_comm(Translator *translator, uint32_t number);

/* Translate the beginning or the completion of a collective, or of a one-sided operation. */
bool translate_collective(Translator *translator, const CollectiveRecord *record);
bool translate_one_sided(Translator *translator, const CollectiveRecord *record);
bool translate_window_sync(Translator *translator, const CollectiveRecord *record);
