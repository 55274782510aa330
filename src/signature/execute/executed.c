/* SPDX-License-Identifier: BSD-3-Clause */
/* See executed.h. */
#include "signature/execute/executed.h"

#include "signature/execute/counting.h"
#include "trace/archive.h"

typedef struct Collector {
    const Signature *signature;
    uint64_t from;
    Executed *executed;
    OccurrenceStart *latest; /* [n_processes] before `from`; phase 0: none */
    uint64_t last_dropped;   /* occurrence */
} Collector;

static bool collect(void *self, const OccurrenceStart *starts, size_t n, Err *err)
{
    (void)err;
    Collector *collector = self;
    for (size_t i = 0; i < n; i++) {
        if (starts[i].occurrence >= collector->from) {
            *vec_push(&collector->executed->starts) = starts[i];
            continue;
        }
        uint32_t at = signature_find_phase(collector->signature, starts[i].phase);
        if (starts[i].occurrence != collector->last_dropped && at < collector->signature->n_phases)
            collector->executed->n_dropped[at]++;
        collector->last_dropped = starts[i].occurrence;
        collector->latest[starts[i].process] = starts[i];
    }
    return true;
}

static int by_occurrence(const void *left, const void *right)
{
    const OccurrenceStart *a = left, *b = right;
    if (a->occurrence != b->occurrence)
        return a->occurrence < b->occurrence ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

/* Puts each process's last start of those that weren't kept before the others. */
static void add_latest(Collector *collector, uint32_t n_processes)
{
    Executed *executed = collector->executed;
    size_t n = 0, behind = executed->starts.count;
    for (uint32_t p = 0; p < n_processes; p++)
        if (collector->latest[p].phase)
            collector->latest[n++] = collector->latest[p];
    if (!n)
        return;
    qsort(collector->latest, n, sizeof *collector->latest, by_occurrence);
    for (size_t i = 0; i < n; i++) {
        uint32_t at = signature_find_phase(collector->signature, collector->latest[i].phase);
        if (at < collector->signature->n_phases &&
            (!i || collector->latest[i].occurrence != collector->latest[i - 1].occurrence))
            executed->n_dropped[at]--;
    }
    vec_reserve(&executed->starts, n);
    if (behind)
        memmove(executed->starts.items + n, executed->starts.items, behind * sizeof *executed->starts.items);
    memcpy(executed->starts.items, collector->latest, n * sizeof *collector->latest);
    executed->starts.count += n;
}

static bool find_phases(const Signature *signature, EventSource *source, uint64_t from, const Progress *progress,
                        Arena *arena, Executed *executed, Err *err)
{
    bool are_counted = !phase_similarity_recognises(signature->parameters.similarity);
    uint32_t n = signature->application.n_processes;
    PhaseParameters parameters = signature->parameters;
    if (are_counted)
        parameters.similarity = "phase";
    Collector collector = {.signature = signature,
                           .from = are_counted ? UINT64_MAX : from,
                           .executed = executed,
                           .latest = memory_zeroed(n, sizeof(OccurrenceStart)),
                           .last_dropped = UINT64_MAX};
    const PhasesWatch watch = {.self = &collector, .occurrences = collect};
    OrderReport report;
    bool ok = phases_find_watched(source, &parameters, NULL, are_counted ? NULL : signature, &watch, progress, arena,
                                  &executed->signature, &report, err);
    if (ok) {
        if (!are_counted)
            add_latest(&collector, n);
        executed->run.spans = report.processes;
    }
    free(collector.latest);
    return ok;
}

/* Phases of blocks are counted off in a second pass. */
static bool count_phases(const Signature *signature, const char *path, uint64_t from, uint64_t to, Executed *executed,
                         Err *err)
{
    Archive *archive;
    OccurrenceStart *starts = NULL;
    size_t n_starts = 0;
    if (!archive_open(path, &archive, err))
        return false;
    /* one more, whose start is the last one's end */
    bool ok = counted_starts(signature, from, to + 1, archive_source(archive), &starts, &n_starts, err);
    archive_close(archive);
    if (!ok)
        return false;
    vec_free(&executed->starts);
    executed->starts.items = starts;
    executed->starts.count = executed->starts.capacity = n_starts;
    for (uint32_t i = 0; i < signature->n_phases; i++)
        executed->n_dropped[i] = (uint64_t)signature_phase_weight(signature, i, (double)from);
    return true;
}

bool executed_read(const Signature *signature, const char *path, uint64_t from, uint64_t to, const Progress *progress,
                   Arena *arena, Executed *executed, Err *err)
{
    Archive *archive;
    *executed = (Executed){.n_dropped = NULL};
    if (!archive_open(path, &archive, err))
        return false;
    executed->n_dropped = memory_zeroed(signature->n_phases, sizeof *executed->n_dropped);
    bool ok = find_phases(signature, archive_source(archive), from, progress, arena, executed, err);
    archive_close(archive);
    if (ok && !phase_similarity_recognises(signature->parameters.similarity))
        ok = count_phases(signature, path, from, to, executed, err);
    executed->run.starts = executed->starts.items;
    executed->run.n_starts = executed->starts.count;
    executed->run.n_dropped = executed->n_dropped;
    executed->run.executed = executed->signature;
    return ok;
}

void executed_free(Executed *executed)
{
    vec_free(&executed->starts);
    free(executed->n_dropped);
}
