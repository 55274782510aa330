/* SPDX-License-Identifier: BSD-3-Clause */
/* See work.h. Where occurrences are left out, requests may be pending: a receive that was posted before
 * the gap completes in the gap, and one that was posted in the gap completes behind it. A loop leaves out
 * whole iterations, so both are as many, in the same order, and the first takes the place of the second. */
#include "simulation/work.h"

#include <stdlib.h>

enum { READ_EVENTS = 4096 };
#define IN_GAP UINT64_MAX

/* A pending request of the trace. */
typedef struct Open {
    uint64_t request, kept; /* kept: its number among those kept, or IN_GAP */
    uint16_t kind;          /* of the event that started it */
} Open;

typedef struct Reader {
    const Cuts *cuts;
    const Sample *sample;
    uint32_t process;
    RankWork *rank;
    Work *work;
    VEC(Open) open;
    VEC(Open) orphans;              /* kept ones that completed in the gap */
    uint64_t n_requests;            /* numbers are from 1 on */
    uint64_t n_sends, n_kept_sends; /* send-like events before the current call */
    uint64_t occurrence;            /* of the current call */
    size_t sampled;                 /* the last one of the sample that has begun */
    bool is_begun, is_kept;
    VEC(OccurrenceStart) starts;
} Reader;

/* ---- requests ---- */

static bool starts_request(const Event *event)
{
    return event->request != NO_REQUEST &&
           (event->kind == EVENT_SEND || event->kind == EVENT_RECV_POST || event->kind == EVENT_COLLECTIVE);
}

static bool completes_request(const Event *event)
{
    return event->request != NO_REQUEST &&
           (event->kind == EVENT_RECV || event->kind == EVENT_REQUEST_DONE || event->kind == EVENT_RECV_CANCEL);
}

static size_t find_open(const Reader *reader, uint64_t request)
{
    size_t i = 0;
    while (i < reader->open.count && reader->open.items[i].request != request)
        i++;
    return i;
}

#define remove_at(vec, i)                                                                                              \
    (memmove(&(vec)->items[i], &(vec)->items[(i) + 1], ((vec)->count - (i)-1) * sizeof *(vec)->items), (vec)->count--)

static int by_number(const void *left, const void *right)
{
    const Open *a = left, *b = right;
    return a->kept < b->kept ? -1 : a->kept > b->kept;
}

/* Behind a gap, requests that were started in it take the places of those that completed in it. */
static void join_requests(Reader *reader)
{
    if (reader->orphans.count)
        qsort(reader->orphans.items, reader->orphans.count, sizeof(Open), by_number);
    for (size_t i = 0; i < reader->open.count; i++) {
        Open *open = &reader->open.items[i];
        size_t k = 0;
        while (open->kept == IN_GAP && k < reader->orphans.count && reader->orphans.items[k].kind != open->kind)
            k++;
        if (open->kept == IN_GAP && k < reader->orphans.count) {
            open->kept = reader->orphans.items[k].kept;
            remove_at(&reader->orphans, k);
        } else if (open->kept == IN_GAP) {
            reader->work->misfit = "requests are pending that no kept iteration starts";
        }
    }
    if (reader->orphans.count)
        reader->work->misfit = "requests are started that no kept iteration completes";
    reader->orphans.count = 0;
}

static void follow_start(Reader *reader, Event *event)
{
    uint64_t kept = reader->is_kept ? ++reader->n_requests : IN_GAP;
    *vec_push(&reader->open) = (Open){event->request, kept, event->kind};
    event->request = kept;
}

/* False: the trace doesn't tell where the request was started. */
static bool follow_completion(Reader *reader, Event *event)
{
    size_t i = find_open(reader, event->request);
    if (i == reader->open.count)
        return false;
    Open open = reader->open.items[i];
    remove_at(&reader->open, i);
    if (!reader->is_kept && open.kept != IN_GAP)
        *vec_push(&reader->orphans) = open;
    event->request = open.kept == IN_GAP ? NO_REQUEST : open.kept;
    return true;
}

static bool follow_request(Reader *reader, Event *event)
{
    if (starts_request(event))
        follow_start(reader, event);
    else if (event->kind == EVENT_ONE_SIDED || event->kind == EVENT_WINDOW_SYNC)
        event->request = NO_REQUEST; /* such a request ends with all others of its process */
    else if (completes_request(event) && !follow_completion(reader, event)) {
        event->request = NO_REQUEST;
        return event->kind == EVENT_RECV;
    }
    return true;
}

/* ---- occurrences ---- */

static void enter_occurrence(Reader *reader)
{
    const Cuts *cuts = reader->cuts;
    bool was_kept = reader->is_kept;
    uint64_t before = reader->is_begun ? reader->occurrence : UINT64_MAX;
    if (!cuts->n_occurrences)
        return;
    reader->is_begun = true;
    while (reader->occurrence + 1 < cuts->n_occurrences &&
           cut_at(cuts, reader->occurrence + 1, reader->process) <= reader->n_sends)
        reader->occurrence++;
    const Sample *sample = reader->sample;
    while (reader->sampled + 1 < sample->count && sample->items[reader->sampled + 1].occurrence <= reader->occurrence)
        reader->sampled++;
    reader->is_kept = sample->items[reader->sampled].occurrence == reader->occurrence;
    if (reader->is_kept && !was_kept)
        join_requests(reader);
    if (reader->is_kept && reader->occurrence != before)
        *vec_push(&reader->starts) = (OccurrenceStart){.occurrence = reader->sampled,
                                                       .process = reader->process,
                                                       .phase = cuts->phases.items[reader->occurrence],
                                                       .send_event = reader->n_kept_sends};
}

static void keep_event(Reader *reader, const Event *event)
{
    RankWork *rank = reader->rank;
    if (event_is_send_like(event)) {
        rank->last_send = rank->events.count;
        rank->has_sends = true;
        reader->n_kept_sends++;
    }
    *vec_push(&rank->events) = *event;
    *vec_push(&rank->occurrences) = (uint32_t)reader->sampled;
}

/* Computation before a call belongs to the occurrence of the call before. */
static void add_computation(Reader *reader, const Event *call, uint64_t occurrence, size_t sampled)
{
    reader->work->traced[occurrence].compute_ns += (double)call->compute_ns;
    if (reader->is_kept)
        reader->work->kept[sampled].compute_ns += (double)call->compute_ns;
}

static void add_communication(Reader *reader, const Event *call)
{
    double time_ns = (double)(call->leave_ns - call->enter_ns);
    if (call->kind == EVENT_END)
        return;
    reader->work->traced[reader->occurrence].mpi_ns += time_ns;
    if (reader->is_kept)
        reader->work->kept[reader->sampled].mpi_ns += time_ns;
}

static void take_call(Reader *reader, Event *events, size_t count)
{
    uint64_t n_sends = 0, occurrence = reader->occurrence;
    size_t sampled = reader->sampled;
    bool was_begun = reader->is_begun;
    for (size_t i = 0; i < count; i++)
        n_sends += event_is_send_like(&events[i]);
    if (n_sends)
        enter_occurrence(reader);
    reader->is_kept = reader->is_kept || events[0].kind == EVENT_END;
    if (was_begun)
        add_computation(reader, &events[0], occurrence, sampled);
    if (reader->is_begun)
        add_communication(reader, &events[0]);
    for (size_t i = 0; i < count; i++)
        if (follow_request(reader, &events[i]) && reader->is_kept)
            keep_event(reader, &events[i]);
    reader->n_sends += n_sends;
}

/* ---- the trace ---- */

static bool check_sequences(const Trace *trace, uint32_t process, Err *err)
{
    return !trace->n_sequences || trace->n_sequences[process] < 2 ||
           err_set(err, ERR_INPUT, "threads of process %u communicate at the same time", process) ||
           err_hint(err, "firma simulate needs one order of events in each process");
}

static bool read_process(EventSource *source, Reader *reader, Err *err)
{
    VEC(Event) call = {0};
    Event *events = memory_resize(NULL, READ_EVENTS * sizeof(Event));
    size_t count = 1;
    bool ok = check_sequences(source->trace, reader->process, err);
    while (ok && count) {
        ok = source->read(source, reader->process, events, READ_EVENTS, &count, err);
        for (size_t i = 0; ok && i < count; i++) {
            if (call.count && !event_is_of_call(&events[i], &call.items[call.count - 1])) {
                take_call(reader, call.items, call.count);
                call.count = 0;
            }
            *vec_push(&call) = events[i];
        }
    }
    if (ok && call.count)
        take_call(reader, call.items, call.count);
    vec_free(&call);
    free(events);
    return ok;
}

bool work_read(EventSource *source, const Cuts *cuts, const Sample *sample, const Progress *progress, Work *work,
               Err *err)
{
    uint32_t n = source->trace->application.n_processes;
    bool ok = true;
    *work = (Work){.trace = source->trace, .n_processes = n, .ranks = memory_zeroed(n, sizeof(RankWork))};
    work->traced = cuts->n_occurrences ? memory_zeroed(cuts->n_occurrences, sizeof *work->traced) : NULL;
    work->kept = sample->count ? memory_zeroed(sample->count, sizeof *work->kept) : NULL;
    for (uint32_t i = 0; i < n && ok; i++) {
        Reader reader = {
            .cuts = cuts, .sample = sample, .process = i, .rank = &work->ranks[i], .work = work, .is_kept = true};
        progress_report(progress, "reading events", i, n);
        ok = read_process(source, &reader, err);
        work->n_events += work->ranks[i].events.count;
        for (size_t k = 0; k < reader.starts.count; k++)
            *vec_push(&work->starts) = reader.starts.items[k];
        vec_free(&reader.starts);
        vec_free(&reader.open);
        vec_free(&reader.orphans);
    }
    if (work->starts.count)
        qsort(work->starts.items, work->starts.count, sizeof *work->starts.items, occurrence_start_compare);
    return ok;
}

void work_free(Work *work)
{
    for (uint32_t i = 0; work->ranks && i < work->n_processes; i++) {
        vec_free(&work->ranks[i].events);
        vec_free(&work->ranks[i].occurrences);
        vec_free(&work->ranks[i].sent_ns);
    }
    free(work->ranks);
    free(work->traced);
    free(work->kept);
    free(work->ideal.run_s);
    free(work->ideal.sample_s);
    free(work->ideal.kept_s);
    vec_free(&work->starts);
    *work = (Work){0};
}
