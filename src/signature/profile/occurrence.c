/* SPDX-License-Identifier: BSD-3-Clause */
/* See occurrence.h. */
#include "signature/profile/occurrence.h"

#include "base/vec.h"
#include "model/signature.h"
#include "signature/profile/by_occurrence.h"
#include <inttypes.h>
#include <stdlib.h>

#define NONE UINT64_MAX

typedef struct Finding {
    uint64_t phase, which;
    uint64_t n_found; /* occurrences of the phase so far */
    uint64_t latest;  /* the latest of them, or NONE */
    uint64_t wanted;  /* the one that is looked for, or NONE */
    ByOccurrence *sorter;
    OccurrenceSpan *spans;
    VEC(OccurrenceEvent) events;
} Finding;

static bool take_tick(void *self, uint64_t tick, uint64_t lt, const LogicalEvent *events, size_t count, Err *err)
{
    Finding *finding = self;
    (void)tick, (void)err;
    for (size_t i = 0; i < count; i++) {
        const OccurrenceEvent item = {lt, events[i]};
        by_occurrence_add(finding->sorter, events[i].process, place_of(&events[i]), &item);
    }
    return true;
}

static void take_start(Finding *finding, const OccurrenceStart *start)
{
    OccurrenceSpan *span = &finding->spans[start->process];
    if (start->phase == finding->phase && start->occurrence != finding->latest) {
        if (finding->n_found++ == finding->which)
            finding->wanted = start->occurrence;
        finding->latest = start->occurrence;
    }
    if (finding->wanted != NONE && start->occurrence == finding->wanted)
        *span = (OccurrenceSpan){true, start->enter_ns, INT64_MAX};
    else if (span->is_there && span->end_ns == INT64_MAX)
        span->end_ns = start->enter_ns;
}

static bool take_occurrences(void *self, const OccurrenceStart *starts, size_t count, Err *err)
{
    Finding *finding = self;
    (void)err;
    for (size_t i = 0; i < count; i++)
        take_start(finding, &starts[i]);
    by_occurrence_start(finding->sorter, starts, count);
    return true;
}

static void take_event(void *self, uint32_t process, const OccurrenceStart *start, const void *item)
{
    Finding *finding = self;
    (void)process;
    if (start && finding->wanted != NONE && start->occurrence == finding->wanted)
        *vec_push(&finding->events) = *(const OccurrenceEvent *)item;
}

static int by_process(const void *left, const void *right)
{
    const OccurrenceEvent *a = left, *b = right;
    if (a->event.process != b->event.process)
        return a->event.process < b->event.process ? -1 : 1;
    if (a->event.enter_ns != b->event.enter_ns)
        return a->event.enter_ns < b->event.enter_ns ? -1 : 1;
    return a->lt < b->lt ? -1 : a->lt > b->lt;
}

static bool check_found(const Finding *finding, const Signature *signature, Err *err)
{
    if (finding->wanted != NONE)
        return true;
    if (finding->n_found)
        return err_set(err, ERR_USAGE, "--occurrence: phase %" PRIu64 " has %" PRIu64 " occurrences, numbered from 0",
                       finding->phase, finding->n_found);
    return err_set(err, ERR_USAGE, "--phase: there is no phase %" PRIu64 "; the %u phases are numbered from 1",
                   finding->phase, signature->n_phases);
}

/* Of a process in the last occurrence of all. */
static int64_t last_return_ns(const Finding *finding, uint32_t process)
{
    int64_t last_ns = finding->spans[process].begin_ns;
    for (size_t i = 0; i < finding->events.count; i++) {
        const LogicalEvent *event = &finding->events.items[i].event;
        if (event->process == process && event->leave_ns > last_ns)
            last_ns = event->leave_ns;
    }
    return last_ns;
}

static void keep(Finding *finding, uint32_t n, const OrderReport *report, Arena *arena, PhaseOccurrence *occurrence)
{
    PhaseOccurrence result = {.phase = (uint32_t)finding->phase,
                              .n_processes = n,
                              .which = finding->which,
                              .number = finding->wanted,
                              .begin_ns = INT64_MAX,
                              .end_ns = INT64_MIN,
                              .n_events = finding->events.count};
    int64_t start_ns = INT64_MAX;
    qsort(finding->events.items, finding->events.count, sizeof *finding->events.items, by_process);
    for (uint32_t i = 0; i < n; i++) {
        OccurrenceSpan *span = &finding->spans[i];
        if (report->processes[i].begin_ns < start_ns)
            start_ns = report->processes[i].begin_ns;
        if (!span->is_there)
            continue;
        if (span->end_ns == INT64_MAX)
            span->end_ns = last_return_ns(finding, i);
        if (span->begin_ns < result.begin_ns)
            result.begin_ns = span->begin_ns;
        if (span->end_ns > result.end_ns)
            result.end_ns = span->end_ns;
    }
    result.since_ns = result.begin_ns - start_ns;
    result.spans = arena_copy_array(arena, finding->spans, n, sizeof *finding->spans);
    result.events = vec_copy(&finding->events, arena);
    *occurrence = result;
}

bool occurrence_find(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                     uint64_t phase, uint64_t which, const Progress *progress, Arena *arena,
                     PhaseOccurrence *occurrence, Err *err)
{
    uint32_t n = source->trace->application.n_processes;
    Finding finding = {.phase = phase,
                       .which = which,
                       .latest = NONE,
                       .wanted = NONE,
                       .spans = memory_zeroed(n, sizeof(OccurrenceSpan))};
    finding.sorter = by_occurrence_new(n, sizeof(OccurrenceEvent), take_event, &finding);
    const PhasesWatch watch = {.self = &finding, .tick = take_tick, .occurrences = take_occurrences};
    Signature *signature;
    OrderReport report;
    bool ok = phases_find_watched(source, parameters, options, NULL, &watch, progress, arena, &signature, &report, err);
    if (ok) {
        by_occurrence_finish(finding.sorter);
        ok = check_found(&finding, signature, err);
    }
    if (ok)
        keep(&finding, n, &report, arena, occurrence);
    by_occurrence_free(finding.sorter);
    vec_free(&finding.events);
    free(finding.spans);
    return ok;
}
