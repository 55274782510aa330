/* SPDX-License-Identifier: BSD-3-Clause */
/* See events.h. Most records have no time. Events that a call starts (sends, posts, collectives)
 * get the time of its entry; events that it completes get the time of its return:
 *
 *   CALL MPI_Sendrecv, SEND, RECV  ->  Enter  MpiSend (at entry)  MpiRecv (at return)  Leave
 *
 * Samples of the CPU time have times. They may lie behind the return of the call that they
 * follow. */
#include "trace/writer/incomplete.h"
#include "trace/writer/translator.h"

#include "trace/calls.h"
#include "trace/otf2_errors.h"
#include <assert.h>
#include <string.h>

static uint64_t archive_time(const Translator *translator, int64_t monotonic_ns)
{
    int64_t time;
    if (__builtin_add_overflow(monotonic_ns, translator->offset_ns, &time) || time < 0)
        return 0;
    return (uint64_t)time;
}

void regions_start(RegionTable *regions, uint32_t first)
{
    regions->first = first;
    for (uint32_t call = 0; call < REGION_LIMIT; call++)
        regions->of_call[call] = NO_REGION;
}

uint32_t region_of_call(RegionTable *regions, uint16_t call)
{
    assert(call < REGION_LIMIT);
    if (regions->of_call[call] == NO_REGION) {
        regions->calls[regions->n] = call;
        regions->of_call[call] = regions->first + regions->n++;
    }
    return regions->of_call[call];
}

static void write_sample(Translator *translator, const CpuRecord *sample)
{
    const OTF2_Type type = OTF2_TYPE_UINT64;
    const OTF2_MetricValue value = {.unsigned_int = sample->cpu_ns > 0 ? (uint64_t)sample->cpu_ns : 0};
    uint64_t time = advance(translator, archive_time(translator, sample->time_ns));
    EMIT(translator, Metric, NULL, time, CPU_METRIC, 1, &type, &value);
}

static void close_call(Translator *translator)
{
    if (translator->open && translator->call.leave_ns) {
        EMIT(translator, Leave, NULL, at_return(translator), translator->region);
        translator->stream->last_record_ns = translator->call.leave_ns;
    }
    translator->open = false;
    for (uint32_t i = 0; i < translator->n_samples; i++)
        write_sample(translator, &translator->samples[i]);
    translator->n_samples = 0;
}

static void open_call(Translator *translator, const CallRecord *call)
{
    OTF2_AttributeList *attributes = NULL;
    if (translator->open && !translator->call.leave_ns) { /* the program left the call without returning from it */
        translator->call.leave_ns = call->enter_ns;
        translator->leave = archive_time(translator, call->enter_ns);
    }
    close_call(translator);
    translator->call = *call;
    translator->open = true;
    translator->region = region_of_call(translator->stream->regions, call->call);
    translator->enter = archive_time(translator, call->enter_ns);
    if (translator->enter < translator->last_time)
        translator->stream->totals->n_clock_steps++;
    translator->enter = at_entry(translator);
    translator->leave = translator->enter;
    if (call->leave_ns) {
        uint64_t leave = archive_time(translator, call->leave_ns);
        if (leave < translator->enter)
            translator->stream->totals->n_clock_steps++;
        else
            translator->leave = leave;
    }
    assert(translator->enter <= translator->leave);
    if (call->repeats) {
        attributes = translator->stream->attributes;
        OTF2_AttributeList_AddUint32(attributes, REPEATS_ATTRIBUTE, call->repeats);
    }
    EMIT(translator, Enter, attributes, translator->enter, translator->region);
    translator->stream->totals->n_calls += 1 + (uint64_t)call->repeats;
    translator->stream->n_calls++;
    translator->stream->last_record_ns = call->enter_ns;
}

/* Readers refuse times outside of this range. */
static bool is_time(int64_t time_ns)
{
    return time_ns >= 0 && time_ns < RECORDED_TIME_LIMIT_NS;
}

static bool translate_call(Translator *translator, const CallRecord *call)
{
    const char *name = call->call < CALL_LIMIT ? call_name(call->call) : NULL;
    if (!name)
        return record_wrong(translator, "no call has the number %u", call->call);
    if (!is_time(call->enter_ns) || !is_time(call->leave_ns))
        return record_wrong(translator, "a time of this call is out of range");
    translator->saw_finalize |= strcmp(name, recording_last_call(translator->stream->recording)) == 0;
    open_call(translator, call);
    return true;
}

static bool translate_sample(Translator *translator, const CpuRecord *sample)
{
    if (!is_time(sample->time_ns))
        return record_wrong(translator, "the time of this sample is out of range");
    translator->stream->n_samples++;
    bool behind = translator->open && translator->call.leave_ns && sample->time_ns >= translator->call.leave_ns;
    if (behind && translator->n_samples == DEFERRED_SAMPLES)
        close_call(translator);
    if (behind && translator->open)
        translator->samples[translator->n_samples++] = *sample;
    else
        write_sample(translator, sample);
    return true;
}

/* Writes a region between two calls. By the samples on both sides, readers subtract the time in
 * this region. */
static bool translate_asleep(Translator *translator, const AsleepRecord *asleep)
{
    if (!is_time(asleep->begin_ns) || !is_time(asleep->end_ns))
        return record_wrong(translator, "a time of this stop is out of range");
    close_call(translator);
    uint32_t region = region_of_call(translator->stream->regions, ASLEEP_CALL);
    uint64_t begin = advance(translator, archive_time(translator, asleep->begin_ns));
    EMIT(translator, Enter, NULL, begin, region);
    if (asleep->end_ns)
        EMIT(translator, Leave, NULL, advance(translator, archive_time(translator, asleep->end_ns)), region);
    translator->stream->last_record_ns = asleep->end_ns ? asleep->end_ns : asleep->begin_ns;
    return true;
}

/* Finds the peer's rank in the communicator as the archive defines it, or OUTSIDE_RANK. */
static bool find_peer(Translator *translator, const MessageRecord *message, const LocalComm *comm, uint32_t *peer)
{
    const MemberList *peers = &translator->stream->comms->lists[comm->peers];
    const Recording *recording = translator->stream->recording;
    if (recording->is_pvm) {
        const int32_t rank = tasks_rank(&recording->tasks, message->peer);
        *peer = rank < 0 ? OUTSIDE_RANK : (uint32_t)rank;
        return true;
    }
    if (message->peer < 0 || (uint32_t)message->peer >= peers->n_members)
        return record_wrong(translator, "peer %d, but the group has %u members", message->peer, peers->n_members);
    *peer = archive_rank(peers, (uint32_t)message->peer);
    return true;
}

static bool translate_message(Translator *translator, const MessageRecord *message)
{
    uint32_t peer = OUTSIDE_RANK;
    const LocalComm *comm = translator_comm(translator, message->comm);
    if (!comm || !find_peer(translator, message, comm, &peer))
        return false;
    if (peer == OUTSIDE_RANK) {
        translator->stream->totals->n_outside++;
        if (message->kind == RECORD_RECV && message->request) /* a receive that completes now */
            EMIT(translator, MpiRequestCancelled, NULL, at_return(translator), message->request);
        return true;
    }
    const uint32_t tag = (uint32_t)message->tag;
    const bool is_send = message->kind == RECORD_SEND;
    const uint64_t time = is_send ? at_entry(translator) : at_return(translator), request = message->request;
    translator->stream->totals->n_messages += is_send;
    if (is_send && request)
        EMIT(translator, MpiIsend, NULL, time, peer, comm->comm, tag, message->bytes, request);
    else if (is_send)
        EMIT(translator, MpiSend, NULL, time, peer, comm->comm, tag, message->bytes);
    else if (request)
        EMIT(translator, MpiIrecv, NULL, time, peer, comm->comm, tag, message->bytes, request);
    else
        EMIT(translator, MpiRecv, NULL, time, peer, comm->comm, tag, message->bytes);
    return true;
}

static bool translate_request(Translator *translator, const MessageRecord *message)
{
    if (!message->request)
        return record_wrong(translator, "a record of kind %u without a request", message->kind);
    if (message->kind == RECORD_RECV_POST)
        EMIT(translator, MpiIrecvRequest, NULL, at_entry(translator), message->request);
    else if (message->kind == RECORD_SEND_DONE)
        EMIT(translator, MpiIsendComplete, NULL, at_return(translator), message->request);
    else
        EMIT(translator, MpiRequestCancelled, NULL, at_return(translator), message->request);
    return true;
}

/* Translates a record that holds both a call and its event. */
static bool translate_call_event(Translator *translator, const CallEventRecord *both)
{
    const CallRecord call = {.kind = RECORD_CALL,
                             .call = both->call,
                             .enter_ns = both->enter_ns,
                             .leave_ns = both->enter_ns + both->duration_ns};
    if (!translate_call(translator, &call))
        return false;
    const CollectiveRecord collective = {
        .kind = both->kind == RECORD_CALL_COLLECTIVE ? RECORD_COLLECTIVE : RECORD_ONE_SIDED,
        .collective = both->collective,
        .comm = both->comm,
        .root = both->peer,
        .bytes_sent = both->bytes,
        .bytes_received = both->bytes_received,
    };
    if (both->kind == RECORD_CALL_COLLECTIVE)
        return translate_collective(translator, &collective);
    if (both->kind == RECORD_CALL_ONE_SIDED)
        return translate_one_sided(translator, &collective);
    return translate_message(translator,
                             &(MessageRecord){.kind = both->kind == RECORD_CALL_SEND ? RECORD_SEND : RECORD_RECV,
                                              .comm = both->comm,
                                              .peer = both->peer,
                                              .tag = both->tag,
                                              .bytes = both->bytes});
}

static bool translate(Translator *translator, const Record *record)
{
    translator->stream->n_records++;
    switch ((RecordKind)record->kind) {
    case RECORD_CALL:
        return translate_call(translator, &record->call);
    case RECORD_CALL_OPEN: {
        const CallRecord call = {.kind = RECORD_CALL, .call = record->call.call, .enter_ns = record->call.enter_ns};
        return translate_call(translator, &call);
    }
    case RECORD_CALL_SEND:
    case RECORD_CALL_RECV:
    case RECORD_CALL_COLLECTIVE:
    case RECORD_CALL_ONE_SIDED:
        return translate_call_event(translator, &record->call_event);
    case RECORD_ASLEEP:
        return translate_asleep(translator, &record->asleep);
    case RECORD_CPU:
        return translate_sample(translator, &record->cpu);
    case RECORD_SEND:
    case RECORD_RECV:
        return translate_message(translator, &record->message);
    case RECORD_SEND_DONE:
    case RECORD_RECV_POST:
    case RECORD_CANCEL:
        return translate_request(translator, &record->message);
    case RECORD_ONE_SIDED:
    case RECORD_ONE_SIDED_DONE:
        return translate_one_sided(translator, &record->collective);
    case RECORD_WINDOW_SYNC:
        return translate_window_sync(translator, &record->collective);
    default:
        return translate_collective(translator, &record->collective);
    }
}

static bool check_status(const Translator *translator, Err *err)
{
    if (translator->status == OTF2_SUCCESS)
        return true;
    const char *cause = otf2_errors_first();
    return err_set(err, ERR_ENVIRONMENT, "cannot write events to the archive: %s",
                   *cause ? cause : OTF2_Error_GetDescription(translator->status));
}

static bool translate_segment(Translator *translator, const char *path, Err *err)
{
    SegmentReader segment;
    if (!segment_open(&segment, path, translator->stream->thread, err))
        return false;
    translator->segment = &segment;
    bool ok = true;
    for (size_t count = 1; ok && count > 0;) {
        ok = segment_read(&segment, &count, err);
        for (size_t i = 0; ok && i < count; i++) {
            translator->index = i;
            ok = translate(translator, &segment.records[i]);
        }
        ok = ok && check_status(translator, err);
    }
    segment_close(&segment);
    return ok;
}

/* Writes MPI_Init or MPI_Finalize by the process file's times, if the segment doesn't contain the
 * call. */
static void add_call(Translator *translator, uint32_t region, int64_t enter_ns, int64_t leave_ns)
{
    CallRecord call = {.kind = RECORD_CALL,
                       .call = translator->stream->regions->calls[region],
                       .enter_ns = enter_ns,
                       .leave_ns = leave_ns};
    open_call(translator, &call);
    close_call(translator);
}

/* Sets *starts if the first call is that by which processes begin: MPI_Init, MPI_Init_thread. */
static bool starts_with_init(const Recording *recording, const char *path, uint32_t thread, bool *starts, Err *err)
{
    SegmentReader segment;
    size_t count, i = 0;
    if (!segment_open(&segment, path, thread, err))
        return false;
    bool ok = segment_read(&segment, &count, err);
    while (ok && i < count && segment.records[i].kind != RECORD_CALL)
        i++;
    const char *name = ok && i < count ? call_name(segment.records[i].call.call) : NULL;
    const char *first = recording_first_call(recording);
    *starts = name && strncmp(name, first, strlen(first)) == 0;
    segment_close(&segment);
    return ok;
}

bool events_write(EventStream *stream, const char *path, Err *err)
{
    const RecordedProcess *process = stream->process;
    Translator translator = {
        .stream = stream, .writer = stream->writer, .err = err, .offset_ns = process->realtime_offset_ns};
    bool whole = true;
    if (stream->thread == 0 && process->init_enter_ns) {
        bool starts = false;
        if (path && !starts_with_init(stream->recording, path, stream->thread, &starts, err))
            return false;
        if (!starts)
            add_call(&translator, 0, process->init_enter_ns, process->init_leave_ns);
    }
    if (path)
        whole = translate_segment(&translator, path, err);
    close_call(&translator);
    /* an archive that ended with MPI_Finalize would pass for whole */
    if (whole && stream->thread == 0 && process->finalize_enter_ns && !translator.saw_finalize &&
        !process_is_cut_off(process) && !process->is_left_behind)
        add_call(&translator, 1, process->finalize_enter_ns, process->finalize_leave_ns);
    if (translator.last_time > stream->totals->last_time)
        stream->totals->last_time = translator.last_time;
    return whole && check_status(&translator, err);
}
