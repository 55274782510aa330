/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads an executed run by the analysis of `firma phases`, with the signature's phases known
 * beforehand. So phases are recognised by their communication, not by counting. */
#include "base/vec.h"
#include "signature/execute/windows.h"

#include "trace/archive.h"

typedef struct Collector {
    const Signature *signature;
    uint64_t from;
    VEC(OccurrenceStart) starts;
    uint64_t *n_dropped;     /* [n_phases] */
    OccurrenceStart *latest; /* [n_processes] its last start before `from`; phase 0: none */
    uint64_t last_dropped;   /* the last occurrence that was counted in n_dropped */
} Collector;

static bool collect(void *self, const OccurrenceStart *starts, size_t n, Err *err)
{
    (void)err;
    Collector *collector = self;
    for (size_t i = 0; i < n; i++) {
        if (starts[i].occurrence >= collector->from) {
            *vec_push(&collector->starts) = starts[i];
            continue;
        }
        uint32_t at = signature_find_phase(collector->signature, starts[i].phase);
        if (starts[i].occurrence != collector->last_dropped && at < collector->signature->n_phases)
            collector->n_dropped[at]++;
        collector->last_dropped = starts[i].occurrence;
        collector->latest[starts[i].process] = starts[i];
    }
    return true;
}

/* Puts each process's last start before `from` in front of the others. */
static void add_latest(Collector *collector, uint32_t n_processes)
{
    size_t n = 0;
    for (uint32_t p = 0; p < n_processes; p++)
        if (collector->latest[p].phase)
            collector->latest[n++] = collector->latest[p];
    if (!n)
        return;
    qsort(collector->latest, n, sizeof *collector->latest, occurrence_start_compare);
    for (size_t i = 0; i < n; i++) {
        uint32_t at = signature_find_phase(collector->signature, collector->latest[i].phase);
        if (at < collector->signature->n_phases &&
            (!i || collector->latest[i].occurrence != collector->latest[i - 1].occurrence))
            collector->n_dropped[at]--;
    }
    vec_reserve(&collector->starts, n);
    OccurrenceStart *items = collector->starts.items;
    memmove(items + n, items, collector->starts.count * sizeof *items);
    memcpy(items, collector->latest, n * sizeof *items);
    collector->starts.count += n;
}

static bool find_phases(const Signature *signature, EventSource *source, uint64_t from, const Progress *progress,
                        Arena *arena, ExecutedRun *run, Err *err)
{
    bool are_counted = !phase_similarity_recognises(signature->parameters.similarity);
    uint32_t n = signature->application.n_processes;
    PhaseParameters parameters = signature->parameters;
    if (are_counted)
        parameters.similarity = "phase";
    Collector collector = {.signature = signature,
                           .from = are_counted ? UINT64_MAX : from,
                           .n_dropped = arena_new_array(arena, uint64_t, signature->n_phases),
                           .latest = memory_zeroed(n, sizeof(OccurrenceStart)),
                           .last_dropped = UINT64_MAX};
    const PhasesWatch watch = {.self = &collector, .occurrences = collect};
    Signature *executed;
    OrderReport report;
    bool ok = phases_find_watched(source, &parameters, NULL, are_counted ? NULL : signature, &watch, progress, arena,
                                  &executed, &report, err);
    if (ok) {
        if (!are_counted)
            add_latest(&collector, n);
        *run = (ExecutedRun){vec_copy(&collector.starts, arena), collector.starts.count, collector.n_dropped,
                             report.processes, executed};
    }
    vec_free(&collector.starts);
    free(collector.latest);
    return ok;
}

/* Finds phases of blocks by counting, in a second pass. */
static bool count_phases(const Signature *signature, EventSource *source, uint64_t from, uint64_t to, Arena *arena,
                         ExecutedRun *run, Err *err)
{
    uint64_t *n_dropped = arena_new_array(arena, uint64_t, signature->n_phases);
    for (uint32_t i = 0; i < signature->n_phases; i++)
        n_dropped[i] = (uint64_t)signature_phase_weight(signature, i, (double)from);
    run->n_dropped = n_dropped;
    /* one occurrence more, because its start is the end of the last one */
    return counted_starts(signature, from, to + 1, source, arena, &run->starts, &run->n_starts, err);
}

bool executed_read(const Signature *signature, const char *path, uint64_t from, uint64_t to, const Progress *progress,
                   Arena *arena, ExecutedRun *run, Err *err)
{
    Archive *archive;
    if (!archive_open(path, &archive, err))
        return false;
    bool ok = find_phases(signature, archive_source(archive), from, progress, arena, run, err);
    archive_close(archive);
    if (!ok || phase_similarity_recognises(signature->parameters.similarity))
        return ok;
    if (!archive_open(path, &archive, err))
        return false;
    ok = count_phases(signature, archive_source(archive), from, to, arena, run, err);
    archive_close(archive);
    return ok;
}

bool state_evaluate(const Signature *signature, const SpreadWindow *window, uint32_t state, const char *archive,
                    const Progress *progress, Arena *arena, PhaseTimes *times, Err *err)
{
    ExecutedRun run;
    const Milestone *milestones = signature->milestones;
    if (!phase_similarity_exists(signature->parameters.similarity) || !order_exists(signature->parameters.order))
        return err_set(err, ERR_INPUT, "this firma doesn't know the signature's order (`%s`) or similarity (`%s`)",
                       signature->parameters.order, signature->parameters.similarity);
    PhaseTimes result = *times;
    bool ok = executed_read(signature, archive, milestones[window->stop].occurrence, milestones[window->end].occurrence,
                            progress, arena, &run, err) &&
              state_evaluate_run(signature, window, state, &run, arena, &result, err);
    if (ok)
        *times = result;
    return ok;
}
