/* SPDX-License-Identifier: BSD-3-Clause */
/* See cuts.h. */
#include "simulation/cuts.h"

static const uint64_t NOT_KNOWN = UINT64_MAX;
enum { ROWS_LIMIT_BYTES = 1 << 30 };

typedef struct Finding {
    Cuts *cuts;
    VEC(uint64_t) n_events; /* send-like events of each process so far */
} Finding;

static void add_row(Cuts *cuts)
{
    for (uint32_t i = 0; i < cuts->n_processes; i++)
        *vec_push(&cuts->rows) = NOT_KNOWN;
}

void cuts_add(Cuts *cuts, const OccurrenceStart *starts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        while (cuts->n_occurrences <= starts[i].occurrence) {
            add_row(cuts);
            *vec_push(&cuts->phases) = starts[i].phase;
            cuts->n_occurrences++;
        }
        cuts->rows.items[starts[i].occurrence * cuts->n_processes + starts[i].process] = starts[i].send_event;
    }
}

static bool take_starts(void *self, const OccurrenceStart *starts, size_t count, Err *err)
{
    Cuts *cuts = ((Finding *)self)->cuts;
    cuts_add(cuts, starts, count);
    return cuts->rows.count * sizeof(uint64_t) <= ROWS_LIMIT_BYTES ||
           err_set(err, ERR_ENVIRONMENT, "too many occurrences of phases to choose among") ||
           err_hint(err, "simulate the whole run: --whole");
}

static bool count_events(void *self, uint64_t tick, uint64_t lt, const LogicalEvent *events, size_t count, Err *err)
{
    Finding *finding = self;
    (void)tick, (void)lt, (void)err;
    for (size_t i = 0; i < count; i++)
        if (comm_type_kind(events[i].type) != TYPE_RECV)
            finding->n_events.items[events[i].process] = events[i].number + 1;
    return true;
}

/* Adds the last row, and fills gaps from behind. */
void cuts_complete(Cuts *cuts, const uint64_t *n_events)
{
    uint32_t n = cuts->n_processes;
    for (uint32_t i = 0; i < n; i++)
        *vec_push(&cuts->rows) = n_events[i];
    for (size_t i = cuts->rows.count - n; i-- > 0;)
        if (cuts->rows.items[i] == NOT_KNOWN)
            cuts->rows.items[i] = cuts->rows.items[i + n];
}

bool cuts_find(EventSource *source, const PhaseParameters *parameters, const OrderOptions *options,
               const Progress *progress, Arena *arena, Signature **signature, Cuts *cuts, Err *err)
{
    OrderReport report;
    *cuts = (Cuts){.n_processes = source->trace->application.n_processes};
    Finding finding = {.cuts = cuts};
    for (uint32_t i = 0; i < cuts->n_processes; i++)
        *vec_push(&finding.n_events) = 0;
    const PhasesWatch watch = {.self = &finding, .tick = count_events, .occurrences = take_starts};
    bool ok = phases_find_watched(source, parameters, options, NULL, &watch, progress, arena, signature, &report, err);
    if (ok)
        cuts_complete(cuts, finding.n_events.items);
    vec_free(&finding.n_events);
    return ok;
}

void cuts_drop(Cuts *cuts)
{
    vec_free(&cuts->rows);
    vec_free(&cuts->phases);
}
