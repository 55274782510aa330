/* SPDX-License-Identifier: BSD-3-Clause */
/* See conductor.h. */
#include "comm/worker/harness/conductor.h"

#include "comm/worker/harness/clock.h"
#include "comm/worker/harness/exchanges.h"
#include <assert.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

static const double settle_s = 0.25;     /* interval between comparisons of clocks */
static const double first_lead_s = 3e-4; /* from a command to its first window */
/* Between windows: time for the work between two operations. */
static const double least_spacing_s = 3e-5;
/* Longer spacing doesn't help. */
static const double most_spacing_s = 0.002, most_spacing_crowded_s = 0.03;
static const double longest_lead_s = 0.1;
/* Largest share of a sample that reading the clock may take. */
static const double clock_share = 0.01;
/* Shortest cost of a sample that is estimated: 0 would mean that it was never taken. */
static const double least_cost_s = 1e-9;

/* Least duration of the windows of `pairs` that make one sample. */
static const double windows_s = 2e-4;

enum { BATCH_LIMIT = 10000, WINDOWS_LIMIT = 64 };

/* A chunk whose stamps, [n_ranks][n], wait for the next comparison of clocks. */
typedef struct Pending {
    Item *item;
    uint32_t n;
    Stamp *stamps;
    double compute_s; /* in each repetition */
} Pending;

struct Conductor {
    Worker *worker;
    Clocks *clocks;
    const bool *is_crowded;
    VEC(Pending) pending;
    int64_t settled_ns;
    double lead_s, resolution_s, settling_s;
};

Conductor *conductor_new(Worker *worker, Clocks *clocks, const bool *is_crowded)
{
    Conductor *conductor = arena_new_array(worker->arena, Conductor, 1);
    conductor->worker = worker;
    conductor->clocks = clocks;
    conductor->is_crowded = is_crowded;
    conductor->lead_s = first_lead_s;
    conductor->resolution_s = clock_resolution_s();
    conductor->settled_ns = clock_now_ns();
    return conductor;
}

void conductor_free(Conductor *conductor)
{
    for (size_t i = 0; i < conductor->pending.count; i++)
        free(conductor->pending.items[i].stamps);
    vec_free(&conductor->pending);
}

static Command command_for(const Item *item, uint32_t samples, uint32_t warmup)
{
    return (Command){.collective = item->collective,
                     .exchange = item->exchange,
                     .from = item->from,
                     .to = item->to,
                     .bytes = item->bytes,
                     .samples = samples,
                     .batch = item->batch,
                     .warmup = warmup,
                     .compute_ns = (int64_t)(1e9 * item_compute_s(item))};
}

/* ---- exchanges ------------------------------------------------------------------------------- */

static bool echo(Worker *worker, const Command *command, double *samples_s, Err *err)
{
    Transport *transport = worker->transport;
    uint64_t unrecorded = 1 + (uint64_t)command->warmup;
    worker->payload_bytes += 2 * command->bytes * (unrecorded + (uint64_t)command->samples * command->batch);
    for (uint64_t i = 0; i < unrecorded + command->samples; i++) {
        double sum_s = 0, round_trip_s = 0;
        for (uint32_t k = 0; k < (i < unrecorded ? 1 : command->batch); k++) {
            void *buffer = pool_next(&worker->receiving, command->bytes);
            if (!transport->kind->echo(transport, command->to, buffer, command->bytes, &round_trip_s, err))
                return false;
            sum_s += round_trip_s;
        }
        if (i >= unrecorded)
            samples_s[i - unrecorded] = sum_s / 2 / command->batch;
    }
    return true;
}

static bool exchange(Worker *worker, Item *item, uint32_t samples, uint32_t warmup, double *samples_s, Err *err)
{
    Transport *transport = worker->transport;
    Command command = command_for(item, samples, warmup);
    command.action = ACTION_EXCHANGE;
    if (transport->kind->echo)
        return echo(worker, &command, samples_s, err);
    if (item->from > 0 && !message_send_command(transport, item->from, &command, err))
        return false;
    if (!message_send_command(transport, item->to, &command, err))
        return false;
    return item->from == 0 ? chunk_exchange(worker, &command, samples_s, err)
                           : message_receive_late(transport, item->from, samples_s, samples * sizeof *samples_s, err);
}

static uint32_t batch_of(const Conductor *conductor, double exchange_s)
{
    double batch = ceil(conductor->resolution_s / clock_share / fmax(exchange_s, 1e-12));
    return batch < 1 ? 1 : batch > BATCH_LIMIT ? BATCH_LIMIT : (uint32_t)batch;
}

static bool probe_exchange(Conductor *conductor, Item *item, uint32_t samples, uint32_t warmup, Err *err)
{
    double *found_s = memory_zeroed(samples, sizeof *found_s);
    item->batch = 1;
    bool ok = exchange(conductor->worker, item, samples, warmup, found_s, err);
    if (ok) {
        const uint32_t messages = exchanges_at(conductor->worker->transport, item->exchange)->messages;
        item->cost_s = messages * gsl_stats_max(found_s, 1, samples);
        item->least_s = messages * gsl_stats_min(found_s, 1, samples);
        item->batch = batch_of(conductor, item->least_s);
        for (uint32_t i = 0; i < samples && item->batch == 1; i++)
            *vec_push(&item->samples) = found_s[i];
    }
    free(found_s);
    return ok;
}

static bool sample_exchange(Conductor *conductor, Item *item, uint32_t samples, Err *err)
{
    vec_reserve(&item->samples, samples);
    int64_t start_ns = clock_now_ns();
    if (!exchange(conductor->worker, item, samples, 0, item->samples.items + item->samples.count, err))
        return false;
    item->samples.count += samples;
    item->cost_s = clock_seconds_since(start_ns) / (1 + (double)samples * item->batch);
    item_judge(item, conductor->worker->request);
    return true;
}

/* ---- collectives ----------------------------------------------------------------------------- */

/* Executes a command on all ranks, and gathers their stamps. */
static bool collect(Conductor *conductor, Command *command, Stamp *stamps, Err *err)
{
    Worker *worker = conductor->worker;
    Transport *transport = worker->transport;
    bool by_windows = command->action == ACTION_WINDOWS;
    int64_t begins_ns = clock_now_ns() + (int64_t)(1e9 * conductor->lead_s);
    double rate, spacing_ns = command->spacing_ns;
    for (int rank = 1; rank < transport->n_ranks; rank++) {
        command->begins_ns = clocks_of_rank(conductor->clocks, rank, begins_ns, &rate);
        command->spacing_ns = spacing_ns * rate;
        command->is_crowded = conductor->is_crowded[rank];
        if (!message_send_command(transport, rank, command, err))
            return false;
    }
    conductor->lead_s = fmax(conductor->lead_s, 2 * (clock_seconds_since(begins_ns) + conductor->lead_s));
    command->begins_ns = begins_ns;
    command->is_crowded = conductor->is_crowded[0];
    command->spacing_ns = spacing_ns;
    if (!(by_windows ? chunk_windows : chunk_barriers)(worker, command, stamps, err))
        return false;
    for (int rank = 1; rank < transport->n_ranks; rank++)
        if (!message_receive_late(transport, rank, stamps + (size_t)rank * command->samples,
                                  command->samples * sizeof *stamps, err))
            return false;
    return true;
}

static Stamp *stamps_for(const Conductor *conductor, uint32_t samples)
{
    return memory_zeroed((size_t)conductor->worker->transport->n_ranks * samples, sizeof(Stamp));
}

static bool is_late(const Stamp *stamps, int n_ranks, uint32_t n, uint32_t i)
{
    for (int rank = 0; rank < n_ranks; rank++)
        if (stamps[(size_t)rank * n + i].was_late)
            return true;
    return false;
}

/* Whether a rank learned of the chunk only after it should have begun. */
static bool is_chunk_late(const Pending *chunk, int n_ranks)
{
    for (int rank = 0; rank < n_ranks; rank++)
        if (chunk->stamps[(size_t)rank * chunk->n].was_chunk_late)
            return true;
    return false;
}

/* The duration of repetition i: the longest over the ranks, each by its own clock. */
static double duration_s(const Stamp *stamps, int n_ranks, uint32_t n, uint32_t i)
{
    int64_t longest_ns = 0;
    for (int rank = 0; rank < n_ranks; rank++) {
        const Stamp *stamp = &stamps[(size_t)rank * n + i];
        if (stamp->end_ns - stamp->start_ns > longest_ns)
            longest_ns = stamp->end_ns - stamp->start_ns;
    }
    return 1e-9 * (double)longest_ns;
}

/* Short windows would last hardly longer than the processes' starts are apart. */
static void choose_windows(Item *item)
{
    if (item->messages == 1 || item->typical_s <= 0)
        return;
    item->batch = (uint32_t)fmin(fmax(ceil(windows_s / item->typical_s), 1), WINDOWS_LIMIT);
    item->cost_s *= item->batch;
    item->typical_s *= item->batch;
}

static bool probe_collective(Conductor *conductor, Item *item, uint32_t samples, uint32_t warmup, Err *err)
{
    item->batch = 1;
    Command command = command_for(item, samples, warmup);
    command.action = ACTION_BARRIERS;
    Stamp *stamps = stamps_for(conductor, samples);
    double *found_s = memory_zeroed(samples, sizeof *found_s);
    int64_t start_ns = clock_now_ns();
    bool ok = collect(conductor, &command, stamps, err);
    for (uint32_t i = 0; i < samples; i++)
        found_s[i] = duration_s(stamps, conductor->worker->transport->n_ranks, samples, i);
    if (ok) {
        gsl_sort(found_s, 1, samples);
        item->least_s = found_s[0];
        item->cost_s = clock_seconds_since(start_ns) / (1 + warmup + samples);
        item->typical_s = gsl_stats_median_from_sorted_data(found_s, 1, samples);
        choose_windows(item);
        item->least_spacing_s = 2 * item->typical_s + least_spacing_s;
        item->spacing_s = item->least_spacing_s;
    }
    free(found_s);
    free(stamps);
    return ok;
}

/* The factor by which to change the windows' spacing. A process that loses its processor once
 * misses many windows in a row; spacing doesn't prevent that. If processes are late in many
 * separate rows, or in most windows, the windows need more spacing. */
static double spacing_factor(const Pending *chunk, int n_ranks)
{
    uint32_t late = 0, rows = 0;
    bool was_late = false;
    for (uint32_t i = 0; i < chunk->n; i++) {
        bool late_now = is_late(chunk->stamps, n_ranks, chunk->n, i);
        late += late_now;
        rows += late_now && !was_late;
        was_late = late_now;
    }
    return late == 0 ? 0.95 : rows * 20 > chunk->n || late * 2 > chunk->n ? 1.5 : 1;
}

/* Adapts the spacing of windows and the lead before the first one: more if processes are late,
 * gradually less if none is, because lateness may have been an accident. If processes share
 * processors, a late process waits for its turn to run, so the spacing grows faster. */
static void adapt_spacing(Conductor *conductor, const Pending *chunk)
{
    int n_ranks = conductor->worker->transport->n_ranks;
    Item *item = chunk->item;
    const bool is_crowded = conductor->is_crowded[0];
    double factor = spacing_factor(chunk, n_ranks);
    double most_s = 4 * item->least_spacing_s + (is_crowded ? most_spacing_crowded_s : most_spacing_s);
    if (is_crowded && factor > 1)
        factor = 4;
    item->spacing_s = fmin(fmax(item->spacing_s * factor, item->least_spacing_s), most_s);
    conductor->lead_s = is_chunk_late(chunk, n_ranks) ? fmin(conductor->lead_s * 2, longest_lead_s)
                                                      : fmax(conductor->lead_s * 0.9, first_lead_s);
}

static bool sample_collective(Conductor *conductor, Item *item, uint32_t samples, Err *err)
{
    Command command = command_for(item, samples, 0);
    const bool by_windows = conductor->worker->request->by_windows;
    command.action = by_windows ? ACTION_WINDOWS : ACTION_BARRIERS;
    command.spacing_ns = 1e9 * item->spacing_s;
    Pending chunk = {item, samples, stamps_for(conductor, samples), 1e-9 * (double)command.compute_ns};
    *vec_push(&conductor->pending) = chunk;
    item->pending += samples;
    int64_t start_ns = clock_now_ns();
    if (!collect(conductor, &command, chunk.stamps, err))
        return false;
    /* Above 0, so that it counts as visited, even if the windows began earlier than was planned. */
    item->cost_s =
        fmax(least_cost_s, (clock_seconds_since(start_ns) - (by_windows ? conductor->lead_s : 0)) / (1 + samples));
    if (by_windows)
        adapt_spacing(conductor, &chunk);
    return conductor_settle(conductor, false, err);
}

static void settle_sample(Conductor *conductor, const Pending *chunk, uint32_t i)
{
    Item *item = chunk->item;
    const bool by_windows = conductor->worker->request->by_windows;
    const int n_ranks = conductor->worker->transport->n_ranks;
    if (by_windows && is_late(chunk->stamps, n_ranks, chunk->n, i)) {
        item->late++;
        return;
    }
    double first_s = INFINITY, last_s = -INFINITY, end_s = -INFINITY;
    for (int rank = 0; rank < n_ranks; rank++) {
        const Stamp *stamp = &chunk->stamps[(size_t)rank * chunk->n + i];
        int64_t base_ns = chunk->stamps[i].start_ns; /* by rank 0's clock */
        double start_s = clocks_of_root(conductor->clocks, rank, stamp->start_ns, base_ns);
        first_s = fmin(first_s, start_s);
        last_s = fmax(last_s, start_s);
        end_s = fmax(end_s, clocks_of_root(conductor->clocks, rank, stamp->end_ns, base_ns));
    }
    double whole_s = by_windows ? end_s - first_s : duration_s(chunk->stamps, n_ranks, chunk->n, i);
    *vec_push(&item->samples) = fmax(least_cost_s, whole_s - chunk->compute_s) / item->batch / item->messages;
    if (item->alone)
        *vec_push(&item->computed_s) = chunk->compute_s;
    *vec_push(&item->skews) = last_s - first_s;
}

double conductor_settling_s(const Conductor *conductor)
{
    return conductor->settling_s;
}

bool conductor_settle(Conductor *conductor, bool now, Err *err)
{
    bool are_one = clocks_are_one(conductor->clocks);
    if (!now && !are_one && clock_seconds_since(conductor->settled_ns) < settle_s)
        return true;
    int64_t start_ns = clock_now_ns();
    if (!are_one && !clocks_synchronise(conductor->clocks, err))
        return false;
    conductor->settled_ns = clock_now_ns();
    conductor->settling_s = 1e-9 * (double)(conductor->settled_ns - start_ns);
    for (size_t i = 0; i < conductor->pending.count; i++) {
        Pending *chunk = &conductor->pending.items[i];
        for (uint32_t k = 0; k < chunk->n; k++)
            settle_sample(conductor, chunk, k);
        assert(chunk->item->pending >= chunk->n);
        chunk->item->pending -= chunk->n;
        item_judge(chunk->item, conductor->worker->request);
        free(chunk->stamps);
    }
    conductor->pending.count = 0;
    return true;
}

/* ---- both ------------------------------------------------------------------------------------ */

bool conductor_probe(Conductor *conductor, Item *item, uint32_t samples, uint32_t warmup, Err *err)
{
    return item->is_exchange ? probe_exchange(conductor, item, samples, warmup, err)
                             : probe_collective(conductor, item, samples, warmup, err);
}

bool conductor_sample(Conductor *conductor, Item *item, uint32_t samples, Err *err)
{
    return item->is_exchange ? sample_exchange(conductor, item, samples, err)
                             : sample_collective(conductor, item, samples, err);
}

double conductor_chunk_s(const Conductor *conductor, const Item *item, double samples)
{
    if (item->is_exchange)
        return item->cost_s * (1 + samples * item->batch);
    double each_s = conductor->worker->request->by_windows ? fmax(item->spacing_s, item->cost_s) : item->cost_s;
    return (conductor->worker->request->by_windows ? conductor->lead_s : 0) + each_s * (1 + samples);
}

bool conductor_end(Conductor *conductor, Err *err)
{
    Transport *transport = conductor->worker->transport;
    const Command command = {.action = ACTION_END};
    for (int rank = 1; rank < transport->n_ranks; rank++)
        if (!message_send_command(transport, rank, &command, err))
            return false;
    return true;
}
