/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds milestones in an executed run (cuts.h). */
#include "signature/execute/cuts.h"

#include <assert.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

typedef struct ProcessStarts {
    VEC(OccurrenceStart) list; /* ordered by occurrence */
} ProcessStarts;

void cuts_init(Cuts *cuts, const Signature *signature, const ExecutedRun *run)
{
    *cuts = (Cuts){.signature = signature, .run = run, .n = signature->application.n_processes};
    cuts->starts = memory_zeroed(cuts->n, sizeof *cuts->starts);
    cuts->scratch = memory_zeroed(cuts->n, sizeof *cuts->scratch);
    for (size_t i = 0; i < run->n_starts; i++) {
        const OccurrenceStart *start = &run->starts[i];
        *vec_push(&cuts->starts[start->process].list) = *start;
        cuts->n_occurrences = start->occurrence + 1;
    }
}

void cuts_free(Cuts *cuts)
{
    for (uint32_t process = 0; process < cuts->n; process++)
        vec_free(&cuts->starts[process].list);
    free(cuts->starts);
    free(cuts->scratch);
    free(cuts->totals);
}

static int by_time(const void *left, const void *right)
{
    const OccurrenceStart *a = left, *b = right;
    if (a->enter_ns != b->enter_ns)
        return a->enter_ns < b->enter_ns ? -1 : 1;
    return a->process < b->process ? -1 : a->process > b->process;
}

void cuts_go_by_events(Cuts *cuts)
{
    size_t n = cuts->run->n_starts;
    OccurrenceStart *sorted = memory_zeroed(n, sizeof *sorted);
    uint64_t *done = memory_zeroed(cuts->n, sizeof *done), total = 0;
    memcpy(sorted, cuts->run->starts, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_time);
    cuts->totals = memory_zeroed(n, sizeof *cuts->totals);
    for (size_t i = 0; i < n; i++) {
        total += sorted[i].send_event - done[sorted[i].process];
        done[sorted[i].process] = sorted[i].send_event;
        cuts->totals[i] = (EventTotal){sorted[i].enter_ns, total};
    }
    free(sorted);
    free(done);
    cuts->by_events = true;
}

static uint64_t events_before(const Cuts *cuts, uint32_t milestone)
{
    uint64_t sum = 0;
    for (uint32_t process = 0; process < cuts->n; process++)
        sum += cuts->signature->milestones[milestone].send_events[process];
    return sum;
}

/* The moment at which all processes together had done as many events as before the milestone. */
static int64_t moment_ns(const Cuts *cuts, uint32_t milestone)
{
    assert(cuts->totals && cuts->run->n_starts);
    uint64_t needed = events_before(cuts, milestone);
    size_t at = 0;
    vec_bisect(at, cuts->run->n_starts - 1, cuts->totals[at].count < needed);
    return cuts->totals[at].time_ns;
}

/* The number of the process's first start in the occurrence or a later one. If there is none, the
 * number of all its starts. */
static size_t start_at(const Cuts *cuts, uint32_t process, uint64_t occurrence)
{
    const OccurrenceStart *items = cuts->starts[process].list.items;
    size_t at = 0;
    vec_bisect(at, cuts->starts[process].list.count, items[at].occurrence < occurrence);
    return at;
}

/* Entry of the process's first event in the occurrence or a later one; INT64_MIN if there is
 * none. */
static int64_t cut_ns(const Cuts *cuts, uint32_t process, uint64_t occurrence)
{
    size_t at = start_at(cuts, process, occurrence);
    return at < cuts->starts[process].list.count ? cuts->starts[process].list.items[at].enter_ns : INT64_MIN;
}

static double last_event_s(const Cuts *cuts, uint32_t process)
{
    const ProcessSpan *span = &cuts->run->spans[process];
    return (double)(span->last_ns - span->begin_ns) * 1e-9;
}

void cuts_times(const Cuts *cuts, uint32_t milestone, double *seconds)
{
    uint64_t occurrence = cuts->signature->milestones[milestone].occurrence;
    int64_t moment = cuts->by_events ? moment_ns(cuts, milestone) : 0;
    double latest = -1;
    for (uint32_t process = 0; process < cuts->n; process++) {
        int64_t at = cuts->by_events ? moment : cut_ns(cuts, process, occurrence);
        seconds[process] = at == INT64_MIN ? -1 : (double)(at - cuts->run->spans[process].begin_ns) * 1e-9;
        latest = fmax(latest, seconds[process]);
    }
    for (uint32_t process = 0; process < cuts->n; process++)
        if (seconds[process] < 0)
            seconds[process] = latest < 0 ? last_event_s(cuts, process) : latest;
}

double cuts_mean_time_s(const Cuts *cuts, uint32_t milestone)
{
    cuts_times(cuts, milestone, cuts->scratch);
    return gsl_stats_mean(cuts->scratch, 1, cuts->n);
}

/* The number of the process's last start that isn't later than the moment; 0: none. */
static size_t start_before(const Cuts *cuts, uint32_t process, int64_t moment)
{
    const OccurrenceStart *items = cuts->starts[process].list.items;
    size_t at = 0;
    vec_bisect(at, cuts->starts[process].list.count, items[at].enter_ns <= moment);
    return at ? at - 1 : 0;
}

/* Where the process is at the milestone: at its next start, or the last one if there is none; by events, at its last
 * start before. NULL: it has no starts. */
static const OccurrenceStart *start_near(const Cuts *cuts, uint32_t process, uint32_t milestone)
{
    size_t n = cuts->starts[process].list.count,
           at = cuts->by_events ? start_before(cuts, process, moment_ns(cuts, milestone))
                                : start_at(cuts, process, cuts->signature->milestones[milestone].occurrence);
    return n ? &cuts->starts[process].list.items[at < n ? at : n - 1] : NULL;
}

double cuts_mean_path_s(const Cuts *cuts, uint32_t milestone)
{
    double sum_s = 0;
    for (uint32_t process = 0; process < cuts->n && !cuts->by_events; process++) {
        const OccurrenceStart *start = start_near(cuts, process, milestone);
        sum_s += start ? (double)start->path_ns * 1e-9 : 0;
    }
    return sum_s / cuts->n;
}

double cuts_mean_computed_s(const Cuts *cuts, uint32_t milestone)
{
    double sum_s = 0;
    for (uint32_t process = 0; process < cuts->n; process++) {
        const OccurrenceStart *start = start_near(cuts, process, milestone);
        sum_s += start ? (double)start->computed_ns * 1e-9 : 0;
    }
    return sum_s / cuts->n;
}

uint32_t cuts_reached(const Cuts *cuts, uint32_t milestone)
{
    const uint64_t total = cuts->by_events ? cuts->totals[cuts->run->n_starts - 1].count : 0;
    while (milestone > 0 && (cuts->by_events ? events_before(cuts, milestone) > total
                                             : cuts->signature->milestones[milestone].occurrence > cuts->n_occurrences))
        milestone--;
    return milestone;
}
