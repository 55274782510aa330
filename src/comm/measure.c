/* SPDX-License-Identifier: BSD-3-Clause */
/* See comm.h. Keeps the budget by looking ahead before each launch. The remaining time, less the
 * expected time of starting the remaining launches, is divided by the launches' weights. */
#include "comm/comm.h"

#include "base/interrupts.h"
#include "base/monotonic.h"
#include "base/process.h"
#include "base/text.h"
#include "comm/collect.h"
#include "comm/workers.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Share of the budget that may be spent on starting launches; it limits the number of rounds. */
static const double STARTING_SHARE = 0.35, STARTING_GUESS_S = 0.5;
static const double LEAST_S = 0.05; /* a shorter measurement isn't worth the start of a launch */
static const double LITTLE_S = 0.2;
static const double GRACE_SHARE = 0.125; /* of the budget */
enum { ROUNDS_LIMIT = 5, LOOK_MS = 100, GRACE_S = 20, LEAST_GRACE_S = 3, ENDING_S = 1 };

typedef struct Measuring {
    const CommRequest *request;
    CommPlan plan;
    Workers *workers;
    Collection *collection;
    const Progress *progress;
    double started_s, reported_s;
    double *starting_s; /* [launches] duration of each launch's last start; 0: not started yet */
    bool *is_given_up;  /* [launches] it failed, and would fail again */
    bool *is_left_out;  /* [launches] no time was left for it */
    int interrupted;
} Measuring;

static double elapsed_s(const Measuring *measuring)
{
    return monotonic_s() - measuring->started_s;
}

static void report(Measuring *measuring, const PlannedLaunch *launch)
{
    const CommConfiguration *names = &measuring->plan.configurations[launch->configuration];
    char what[128];
    snprintf(what, sizeof what, "%s %s %s", names->middleware, names->transport, names->packing);
    double done = fmin(1, elapsed_s(measuring) / measuring->request->budget_s);
    measuring->reported_s = monotonic_s();
    progress_report(measuring->progress, what, (uint64_t)(1000 * done), 1000);
}

/* Reads a launch's output until it ends. Returns why firma must stop it; NULL if it ended by
 * itself, or printed `done` and only ends slowly. (MPICH 4.0 sometimes hangs in MPI_Finalize over
 * UCX's TCP.) */
static const char *follow(Measuring *measuring, const PlannedLaunch *launch, Process *process, double deadline_s)
{
    bool is_done = false;
    for (;;) {
        const char *line;
        switch (process_read(process, LOOK_MS, &line)) {
        case PROCESS_ENDED:
            return NULL;
        case PROCESS_LINE:
            if (collection_take(measuring->collection, line) == LINE_DONE && !is_done) {
                is_done = true;
                deadline_s = monotonic_s() + ENDING_S;
            }
            break;
        case PROCESS_QUIET:
            break;
        }
        /* Checks by the clock, because a process that prints all the time is never
         * PROCESS_QUIET. */
        if (monotonic_s() < measuring->reported_s + 1e-3 * LOOK_MS)
            continue;
        report(measuring, launch);
        if ((measuring->interrupted = interrupts_take()))
            return "interrupted";
        if (monotonic_s() > deadline_s)
            return is_done ? NULL : "stopped, because it ran much longer than its share of the time";
    }
}

static double left_s(const Measuring *measuring)
{
    return measuring->request->budget_s - elapsed_s(measuring);
}

/* The expected duration of a launch's start: that of its last start, or else the longest of its
 * middleware's launches. */
static double expected_start_s(const Measuring *measuring, uint32_t i)
{
    const CommPlan *plan = &measuring->plan;
    const char *middleware = plan->configurations[plan->launches[i].configuration].middleware;
    double most_s = measuring->starting_s[i];
    for (uint32_t k = 0; measuring->starting_s[i] <= 0 && k < plan->n_launches; k++)
        if (strcmp(plan->configurations[plan->launches[k].configuration].middleware, middleware) == 0)
            most_s = fmax(most_s, measuring->starting_s[k]);
    return most_s > 0 ? most_s : STARTING_GUESS_S;
}

/* The seconds for the i-th launch of this round, if the other launches get their shares. If time is
 * short, the first launches get LITTLE_S each. */
static double share_s(const Measuring *measuring, uint32_t i, uint32_t rounds_after)
{
    const CommPlan *plan = &measuring->plan;
    double weights = 0, starting_s = 0;
    for (uint32_t k = 0; k < plan->n_launches; k++) {
        double times = rounds_after + (k >= i);
        if (measuring->is_given_up[k])
            continue;
        weights += times * plan->launches[k].weight;
        starting_s += times * expected_start_s(measuring, k);
    }
    double share_s = (left_s(measuring) - starting_s) * plan->launches[i].weight / weights;
    bool fits = left_s(measuring) > expected_start_s(measuring, i) + LITTLE_S;
    return share_s >= LEAST_S ? share_s : fits ? LITTLE_S : 0;
}

/* How much longer than its share a launch may take to start, connect and end. */
static double grace_s(const Measuring *measuring, uint32_t i)
{
    return expected_start_s(measuring, i) +
           fmin(GRACE_S, fmax(LEAST_GRACE_S, GRACE_SHARE * measuring->request->budget_s));
}

static void launch_one(Measuring *measuring, uint32_t i, double seconds)
{
    const PlannedLaunch *launch = &measuring->plan.launches[i];
    Arena *scratch = arena_new();
    ProcessOptions how = {.output = PROCESS_PIPE, .dies_with_us = SIGTERM, .sweeps = true};
    Process *process;
    Err err = {0};
    collection_begin(measuring->collection, launch);
    double before_s = monotonic_s();
    if (!workers_command(measuring->workers, &measuring->plan, launch, seconds, &how.words, &err) ||
        !process_start(&how, scratch, &process, &err)) {
        measuring->is_given_up[i] = true;
        collection_add_problem(measuring->collection, launch->configuration,
                               arena_printf(scratch, err.hint[0] ? "%s; %s" : "%s", err.message, err.hint));
    } else {
        const char *stopped = follow(measuring, launch, process, before_s + seconds + grace_s(measuring, i));
        int status = process_stop(process);
        measuring->is_given_up[i] = !collection_end(measuring->collection, status, stopped);
        measuring->starting_s[i] = fmax(1e-3, monotonic_s() - before_s - seconds);
    }
    arena_free(scratch);
}

static uint32_t count_rounds(const CommRequest *request, const CommPlan *plan)
{
    double rounds = STARTING_SHARE * request->budget_s / (STARTING_GUESS_S * plan->n_launches);
    double most = fmax(1, request->budget_s / (LITTLE_S * plan->n_launches));
    return (uint32_t)(request->rounds ? fmin(request->rounds, most) : fmax(1, fmin(rounds, ROUNDS_LIMIT)));
}

static void launch_all(Measuring *measuring)
{
    const CommPlan *plan = &measuring->plan;
    uint32_t rounds = count_rounds(measuring->request, plan);
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t i = 0; i < plan->n_launches && !measuring->interrupted; i++) {
            if (measuring->is_given_up[i])
                continue;
            double seconds = share_s(measuring, i, rounds - 1 - round);
            if (seconds > 0)
                launch_one(measuring, i, seconds);
            else if (round == 0)
                measuring->is_left_out[i] = true;
            if (!measuring->interrupted)
                measuring->interrupted = interrupts_take();
        }
    for (uint32_t i = 0; i < plan->n_launches; i++)
        if (measuring->is_left_out[i])
            collection_add_problem(measuring->collection, plan->launches[i].configuration,
                                   "no time was left for all launches; allow more with --time");
}

static bool check_found_anything(const CommMeasurement *measurement, int interrupted, Err *err)
{
    if (measurement->n_series)
        return true;
    if (interrupted)
        return err_set(err, ERR_NEGATIVE, "interrupted (%s); nothing was measured", strsignal(interrupted));
    return err_set(err, ERR_ENVIRONMENT, "nothing could be measured: %s",
                   measurement->n_problems ? measurement->problems[0].message : "time was up");
}

bool comm_measure(const CommRequest *request, bool keep_samples, const Progress *progress, Arena *arena,
                  CommMeasurement *measurement, int *interrupted, Err *err)
{
    Measuring measuring = {.request = request, .progress = progress, .started_s = monotonic_s()};
    if (!plan_make(request, arena, &measuring.plan, err))
        return false;
    sigset_t before;
    *measurement = (CommMeasurement){.date = text_of_now(arena), .command = ""};
    measuring.workers = workers_new(request, arena);
    measuring.collection = collection_new(request, &measuring.plan, arena);
    measuring.starting_s = arena_new_array(arena, double, measuring.plan.n_launches);
    measuring.is_given_up = arena_new_array(arena, bool, measuring.plan.n_launches);
    measuring.is_left_out = arena_new_array(arena, bool, measuring.plan.n_launches);
    interrupts_hold(&before);
    launch_all(&measuring);
    workers_stop(measuring.workers);
    interrupts_release(&before);
    if (measuring.interrupted)
        collection_add_problem(measuring.collection, UINT32_MAX, "interrupted: the rest wasn't measured");
    collection_finish(measuring.collection, keep_samples, arena, measurement);
    measurement->elapsed_s = elapsed_s(&measuring);
    collection_free(measuring.collection);
    *interrupted = measuring.interrupted;
    return check_found_anything(measurement, measuring.interrupted, err);
}
