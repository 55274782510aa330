/* SPDX-License-Identifier: BSD-3-Clause */
/* See schedule.h. A first sweep visits each item to learn its cost; further sweeps give each
 * unfinished item a turn. */
#include "comm/worker/harness/schedule.h"

#include "comm/worker/harness/clock.h"
#include <assert.h>
#include <math.h>

static const double slice_s = 0.01; /* length of an item's turn */
/* Least duration of a chunk over the duration of an empty chunk. */
static const double least_over_empty = 4;
static const double print_s = 1;

enum { CHUNK_LIMIT = 1000, PROBES = 5 };

typedef struct Schedule {
    Conductor *conductor;
    Worker *worker;
    Items *items;
    int64_t start_ns, printed_ns;
} Schedule;

static double remaining_s(const Schedule *schedule)
{
    return schedule->worker->request->seconds - clock_seconds_since(schedule->start_ns) -
           conductor_settling_s(schedule->conductor);
}

static void print_samples(Schedule *schedule)
{
    for (size_t i = 0; i < schedule->items->count; i++)
        item_print(&schedule->items->items[i], schedule->worker);
    schedule->printed_ns = clock_now_ns();
}

/* ---- the first sweep ------------------------------------------------------------------------- */

/* Half of the remaining time is for the first samples of items without any, in equal parts. If the
 * warm-up doesn't fit into a part, it is shortened. */
static bool probe(Schedule *schedule, Item *item, double part_s, Err *err)
{
    double estimate_s = item_estimate(item), affordable = part_s / estimate_s;
    double samples = fmin(fmax(floor(affordable / 4), 1), PROBES);
    double warmup = fmin(fmax(floor(affordable - 1 - samples), 0), (double)schedule->worker->request->warmup);
    return conductor_probe(schedule->conductor, item, (uint32_t)samples, (uint32_t)warmup, err);
}

/* A batch reduces the clock's share of a sample. If a batch doesn't fit, a single repetition is
 * better than no sample. */
static bool sample_first(Schedule *schedule, Item *item, Err *err)
{
    if (conductor_chunk_s(schedule->conductor, item, 1) > remaining_s(schedule))
        item->batch = 1;
    if (conductor_chunk_s(schedule->conductor, item, 1) > remaining_s(schedule))
        return true;
    return conductor_sample(schedule->conductor, item, 1, err);
}

static bool visit_first(Schedule *schedule, Item *item, size_t left, Err *err)
{
    double part_s = remaining_s(schedule) / 2 / (double)left;
    if (item->alone && item->alone->cost_s <= 0)
        return true;
    if (remaining_s(schedule) <= 2 * item_estimate(item))
        return true;
    if (item_estimate(item) <= 0 && !conductor_probe(schedule->conductor, item, 1, 0, err))
        return false;
    item->samples.count = item->computed_s.count = 0; /* it was taken without warm-up, only to estimate the cost */
    return probe(schedule, item, part_s, err) && (item->samples.count > 0 || sample_first(schedule, item, err));
}

/* Visits the items that weren't visited yet: new ones, and ones that didn't fit into the remaining
 * time before. */
static bool sweep_first(Schedule *schedule, Err *err)
{
    for (size_t i = 0; i < schedule->items->count; i++) {
        Item *item = &schedule->items->items[i];
        if (item->cost_s <= 0 && !visit_first(schedule, item, schedule->items->count - i, err))
            return false;
    }
    return true;
}

/* ---- further sweeps -------------------------------------------------------------------------- */

static bool needs_samples(const Item *item)
{
    return !item->is_finished && item->cost_s > 0;
}

/* How many samples of an item fit into its turn. 0: none fits into the remaining time. */
static uint32_t samples_of_turn(const Schedule *schedule, const Item *item, size_t n_unfinished)
{
    assert(n_unfinished > 0);
    double left_s = remaining_s(schedule), none_s = conductor_chunk_s(schedule->conductor, item, 0);
    double turn_s = fmin(fmax(slice_s, least_over_empty * none_s), left_s / (double)n_unfinished);
    double each_s = conductor_chunk_s(schedule->conductor, item, 1) - none_s;
    if (none_s + each_s > left_s)
        return 0;
    double samples = fmin(fmax(floor((turn_s - none_s) / each_s), 1), CHUNK_LIMIT);
    double wanted = (double)schedule->worker->request->most - (double)(item->samples.count + item->pending);
    return (uint32_t)fmin(samples, fmax(wanted, 0));
}

/* `is_over`: no further sample fits into the remaining time, or none is needed. */
static bool sweep(Schedule *schedule, bool *is_over, Err *err)
{
    size_t n_unfinished = 0, pending = 0;
    *is_over = true;
    for (size_t i = 0; i < schedule->items->count; i++) {
        n_unfinished += needs_samples(&schedule->items->items[i]);
        pending += schedule->items->items[i].pending;
    }
    for (size_t i = 0; i < schedule->items->count; i++) {
        Item *item = &schedule->items->items[i];
        uint32_t samples = needs_samples(item) ? samples_of_turn(schedule, item, n_unfinished) : 0;
        if (samples == 0)
            continue;
        *is_over = false;
        if (!conductor_sample(schedule->conductor, item, samples, err))
            return false;
        if (clock_seconds_since(schedule->printed_ns) > print_s)
            print_samples(schedule);
    }
    if (!*is_over)
        return true;
    *is_over = pending == 0; /* samples that turn out late must be repeated */
    return conductor_settle(schedule->conductor, true, err);
}

static bool measure(Schedule *schedule, Err *err)
{
    for (bool is_over = false; !is_over;)
        if (!sweep_first(schedule, err) || !sweep(schedule, &is_over, err))
            return false;
    return true;
}

bool schedule_execute(Conductor *conductor, Worker *worker, Items *items, int64_t start_ns, bool *complete, Err *err)
{
    Schedule schedule = {conductor, worker, items, start_ns, start_ns};
    bool ok = measure(&schedule, err);
    print_samples(&schedule);
    bool all = ok;
    for (size_t i = 0; i < items->count; i++)
        all = all && items->items[i].has_reached;
    *complete = all;
    return ok;
}
