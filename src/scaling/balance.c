/* SPDX-License-Identifier: BSD-3-Clause */
/* From a replayed trace to the tree of efficiencies (POP, "Standard Metrics for Performance
 * Analysis"). C is the computation of each process, T the run time, and T_ideal the run time on
 * an ideal network:
 *
 *     parallel = mean C / T  =  load balance  (mean C / max C)
 *                             × communication (max C / T)
 *     communication  =  serialisation (max C / T_ideal) × transfer (T_ideal / T) */
#include "scaling/balance.h"

#include "signature/replay/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double seconds(int64_t time_ns)
{
    return 1e-9 * (double)time_ns;
}

static int64_t between(int64_t value, int64_t most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* In whole ns, so that the parts add up. If a process's clock differs from the others', it may seem
 * to wait for longer than its whole time. */
static ProcessBalance balance_of(const ReplayProcess *process)
{
    int64_t rest_ns = process->whole_ns - process->compute_ns;
    int64_t idle_ns = between(process->idle_ns, rest_ns);
    int64_t transfer_ns = between(process->mpi_ns - idle_ns, rest_ns - idle_ns);
    return (ProcessBalance){.whole_s = seconds(process->whole_ns),
                            .compute_s = seconds(process->compute_ns),
                            .idle_s = seconds(idle_ns),
                            .transfer_s = seconds(transfer_ns),
                            .other_s = seconds(rest_ns - idle_ns - transfer_ns),
                            .finished = process->finished};
}

static void add_process(ProcessBalance *all, const ProcessBalance *process)
{
    all->whole_s += process->whole_s;
    all->compute_s += process->compute_s;
    all->idle_s += process->idle_s;
    all->transfer_s += process->transfer_s;
    all->other_s += process->other_s;
    all->finished &= process->finished;
}

static bool make_tree(Efficiencies *tree, double largest_s, Err *err)
{
    if (!(tree->run_s > 0))
        return err_set(err, ERR_INPUT, "the run takes no time");
    if (!(largest_s > 0))
        return err_set(err, ERR_INPUT, "no process computes anything, so there is no balance") ||
               err_hint(err, "computation is the time outside of MPI calls");
    double mean_s = tree->all.compute_s / tree->n_processes;
    tree->granularity = tree->all.transfer_s > 0 ? tree->all.compute_s / tree->all.transfer_s : INFINITY;
    tree->load_balance = mean_s / largest_s;
    tree->serialisation = largest_s / tree->ideal_s;
    tree->transfer = tree->ideal_s / tree->run_s;
    tree->communication = tree->serialisation * tree->transfer;
    tree->parallel = tree->load_balance * tree->communication;
    return true;
}

static bool conclude(const ReplayResult *replayed, uint32_t n, Arena *arena, Efficiencies *tree, Err *err)
{
    ProcessBalance *processes = arena_new_array(arena, ProcessBalance, n);
    double largest_s = 0;
    *tree = (Efficiencies){.n_processes = n, .processes = processes, .all = {.finished = true}};
    for (uint32_t i = 0; i < n; i++) {
        processes[i] = balance_of(&replayed->processes[i]);
        add_process(&tree->all, &processes[i]);
        largest_s = fmax(largest_s, processes[i].compute_s);
        tree->run_s = fmax(tree->run_s, processes[i].whole_s);
        tree->ideal_s = fmax(tree->ideal_s, seconds(replayed->processes[i].ideal_ns));
        tree->n_unfinished += !processes[i].finished;
    }
    tree->n_unmatched = replayed->n_unmatched;
    tree->n_incomplete = replayed->n_incomplete;
    tree->n_neighborhood = replayed->n_neighborhood;
    return make_tree(tree, largest_s, err);
}

bool balance_read(EventSource *source, const Progress *progress, Arena *arena, Efficiencies *efficiencies, Err *err)
{
    uint32_t n = source->trace->application.n_processes;
    if (!n)
        return err_set(err, ERR_INPUT, "the trace has no processes");
    ReplayResult replayed = {.processes = memory_zeroed(n, sizeof(ReplayProcess))};
    Efficiencies tree;
    bool ok = replay_run(source, NULL, progress, &replayed, err) && conclude(&replayed, n, arena, &tree, err);
    if (ok)
        *efficiencies = tree;
    free(replayed.processes);
    return ok;
}

/* ---- while the events are read for another purpose ---- */

struct BalanceWatch {
    EventSource source; /* the first member, so that pointers to both convert */
    EventSource *from;
    Replay *replay; /* NULL: has given up */
    ReplayResult result;
};

enum { QUEUED_LIMIT = 1 << 24 };

/* The function EventSource.read. */
static bool read_watched(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    BalanceWatch *watch = (BalanceWatch *)source;
    if (!watch->from->read(watch->from, process, events, capacity, count, err))
        return false;
    if (watch->replay && replay_queued(watch->replay) > QUEUED_LIMIT) {
        replay_free(watch->replay);
        watch->replay = NULL;
    }
    return !watch->replay || replay_take(watch->replay, process, events, *count, err);
}

BalanceWatch *balance_watch_new(EventSource *from)
{
    BalanceWatch *watch = memory_zeroed(1, sizeof *watch);
    *watch = (BalanceWatch){.source = {from->trace, read_watched}, .from = from};
    watch->result.processes = memory_zeroed(from->trace->application.n_processes, sizeof(ReplayProcess));
    watch->replay = replay_new(from->trace, NULL, &watch->result);
    return watch;
}

EventSource *balance_watch_source(BalanceWatch *watch)
{
    return &watch->source;
}

bool balance_watch_has_given_up(const BalanceWatch *watch)
{
    return !watch->replay;
}

bool balance_watch_finish(const BalanceWatch *watch, Arena *arena, Efficiencies *efficiencies, Err *err)
{
    Efficiencies tree;
    if (!conclude(&watch->result, watch->source.trace->application.n_processes, arena, &tree, err))
        return false;
    *efficiencies = tree;
    return true;
}

void balance_watch_free(BalanceWatch *watch)
{
    if (!watch)
        return;
    if (watch->replay)
        replay_free(watch->replay);
    free(watch->result.processes);
    free(watch);
}

/* ---- several traces ---- */

static int compare_processes(const void *left, const void *right)
{
    const BalancePoint *a = left, *b = right;
    uint32_t of_a = a->efficiencies.n_processes, of_b = b->efficiencies.n_processes;
    return of_a != of_b ? (of_a > of_b) - (of_a < of_b) : strcmp(a->trace, b->trace);
}

void balance_compare(BalancePoint *points, uint32_t n)
{
    if (n)
        qsort(points, n, sizeof *points, compare_processes);
    for (uint32_t i = 0; i < n; i++) {
        double first_s = points[0].efficiencies.all.compute_s, own_s = points[i].efficiencies.all.compute_s;
        points[i].redundant_s = own_s - first_s;
        points[i].computation_scaling = first_s / own_s;
        points[i].global = points[i].efficiencies.parallel * points[i].computation_scaling;
    }
}
