/* SPDX-License-Identifier: BSD-3-Clause */
/* See occurrence.h. */
#include "signature/profile/occurrence.h"

#include "base/vec.h"
#include "model/signature.h"
#include "signature/profile/by_occurrence.h"
#include <inttypes.h>
#include <stdlib.h>

#define NONE UINT64_MAX

/* One of the occurrences that are looked for. */
typedef struct Wanted {
    OccurrenceNumber asked;
    uint64_t n_found; /* occurrences of the phase so far */
    uint64_t latest;  /* the latest of them, or NONE */
    uint64_t number;  /* among those of all phases, or NONE */
    OccurrenceSpan *spans;
    VEC(OccurrenceEvent) events;
} Wanted;

typedef struct Finding {
    ByOccurrence *sorter;
    Wanted *wanted; /* [n] */
    size_t n;
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

static void take_start(Wanted *wanted, const OccurrenceStart *start)
{
    OccurrenceSpan *span = &wanted->spans[start->process];
    if (start->phase == wanted->asked.phase && start->occurrence != wanted->latest) {
        if (wanted->n_found++ == wanted->asked.which)
            wanted->number = start->occurrence;
        wanted->latest = start->occurrence;
    }
    if (wanted->number != NONE && start->occurrence == wanted->number)
        *span = (OccurrenceSpan){true, start->enter_ns, INT64_MAX};
    else if (span->is_there && span->end_ns == INT64_MAX)
        span->end_ns = start->enter_ns;
}

static bool take_occurrences(void *self, const OccurrenceStart *starts, size_t count, Err *err)
{
    Finding *finding = self;
    (void)err;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < finding->n; k++)
            take_start(&finding->wanted[k], &starts[i]);
    by_occurrence_start(finding->sorter, starts, count);
    return true;
}

static void take_event(void *self, uint32_t process, const OccurrenceStart *start, const void *item)
{
    Finding *finding = self;
    (void)process;
    for (size_t k = 0; start && k < finding->n; k++)
        if (start->occurrence == finding->wanted[k].number)
            *vec_push(&finding->wanted[k].events) = *(const OccurrenceEvent *)item;
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

static bool check_found(const Wanted *wanted, const Signature *signature, Err *err)
{
    if (wanted->number != NONE)
        return true;
    if (wanted->n_found)
        return err_set(err, ERR_USAGE, "--occurrence: phase %" PRIu64 " has %" PRIu64 " occurrences, numbered from 0",
                       wanted->asked.phase, wanted->n_found);
    return err_set(err, ERR_USAGE, "--phase: there is no phase %" PRIu64 "; the %u phases are numbered from 1",
                   wanted->asked.phase, signature->n_phases);
}

/* Of a process in the last occurrence of all. */
static int64_t last_return_ns(const Wanted *wanted, uint32_t process)
{
    int64_t last_ns = wanted->spans[process].begin_ns;
    for (size_t i = 0; i < wanted->events.count; i++) {
        const LogicalEvent *event = &wanted->events.items[i].event;
        if (event->process == process && event->leave_ns > last_ns)
            last_ns = event->leave_ns;
    }
    return last_ns;
}

static PhaseOccurrence occurrence_of(Wanted *wanted, uint32_t n, const OrderReport *report, Arena *arena)
{
    PhaseOccurrence result = {.phase = (uint32_t)wanted->asked.phase,
                              .n_processes = n,
                              .which = wanted->asked.which,
                              .number = wanted->number,
                              .begin_ns = INT64_MAX,
                              .end_ns = INT64_MIN,
                              .n_events = wanted->events.count};
    int64_t start_ns = INT64_MAX;
    qsort(wanted->events.items, wanted->events.count, sizeof *wanted->events.items, by_process);
    for (uint32_t i = 0; i < n; i++) {
        OccurrenceSpan *span = &wanted->spans[i];
        if (report->processes[i].begin_ns < start_ns)
            start_ns = report->processes[i].begin_ns;
        if (!span->is_there)
            continue;
        if (span->end_ns == INT64_MAX)
            span->end_ns = last_return_ns(wanted, i);
        if (span->begin_ns < result.begin_ns)
            result.begin_ns = span->begin_ns;
        if (span->end_ns > result.end_ns)
            result.end_ns = span->end_ns;
    }
    result.since_ns = result.begin_ns - start_ns;
    result.spans = arena_copy_array(arena, wanted->spans, n, sizeof *wanted->spans);
    result.events = vec_copy(&wanted->events, arena);
    return result;
}

static bool keep(const Finding *finding, const Signature *signature, const OrderReport *report, Arena *arena,
                 PhaseOccurrence **occurrences, Err *err)
{
    PhaseOccurrence *results = arena_new_array(arena, PhaseOccurrence, finding->n);
    for (size_t i = 0; i < finding->n; i++) {
        if (!check_found(&finding->wanted[i], signature, err))
            return false;
        results[i] = occurrence_of(&finding->wanted[i], signature->application.n_processes, report, arena);
    }
    *occurrences = results;
    return true;
}

bool occurrences_find(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
                      const OccurrenceNumber *numbers, size_t n, const Progress *progress, Arena *arena,
                      PhaseOccurrence **occurrences, Err *err)
{
    uint32_t n_processes = source->trace->application.n_processes;
    Finding finding = {.wanted = memory_zeroed(n, sizeof(Wanted)), .n = n};
    for (size_t i = 0; i < n; i++)
        finding.wanted[i] = (Wanted){.asked = numbers[i],
                                     .latest = NONE,
                                     .number = NONE,
                                     .spans = memory_zeroed(n_processes, sizeof(OccurrenceSpan))};
    finding.sorter = by_occurrence_new(n_processes, sizeof(OccurrenceEvent), take_event, &finding);
    const PhasesWatch watch = {.self = &finding, .tick = take_tick, .occurrences = take_occurrences};
    Signature *signature;
    OrderReport report;
    bool ok = phases_find_watched(source, parameters, options, NULL, &watch, progress, arena, &signature, &report, err);
    if (ok) {
        by_occurrence_finish(finding.sorter);
        ok = keep(&finding, signature, &report, arena, occurrences, err);
    }
    by_occurrence_free(finding.sorter);
    for (size_t i = 0; i < n; i++) {
        vec_free(&finding.wanted[i].events);
        free(finding.wanted[i].spans);
    }
    free(finding.wanted);
    return ok;
}
