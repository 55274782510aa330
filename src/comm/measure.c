/* SPDX-License-Identifier: BSD-3-Clause */
/* See comm.h. Keeps the budget by looking ahead before each launch. The remaining time, less the
 * expected time of starting the remaining launches, is divided by the launches' weights. Launches that
 * can't be started, that fail or whose times are precise enough leave their time to the others. */
#include "comm/comm.h"

#include "base/interrupts.h"
#include "base/monotonic.h"
#include "base/process.h"
#include "base/text.h"
#include "comm/answering.h"
#include "comm/collect.h"
#include "comm/workers.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Share of the budget that may be spent on starting launches; it limits the planned rounds beyond the least number. */
static const double STARTING_SHARE = 0.35, STARTING_GUESS_S = 0.5;
static const double LEAST_S = 0.05; /* a shorter measurement isn't worth the start of a launch */
static const double LITTLE_S = 0.2;
static const double GRACE_SHARE = 0.125; /* of the budget */
enum { LEAST_ROUNDS = 3, PLANNED_ROUNDS_LIMIT = 5, FAILURES_LIMIT = 2 };
static const double ANSWER_SHARE = 0.125; /* of the budget, for hosts that don't answer */
enum { ANSWER_S = 10, LEAST_ANSWER_S = 3 };
enum { LOOK_MS = 100, GRACE_S = 20, LEAST_GRACE_S = 3, ENDING_S = 1 };

typedef struct Measuring {
    const CommRequest *request;
    CommPlan plan;
    PlannedLaunch *launches; /* the plan's, with room for those of pairs */
    Arena *arena;
    Workers *workers;
    Collection *collection;
    const Progress *progress;
    double started_s, reported_s;
    /* [launches] each */
    double *starting_s;   /* duration of the last start; 0: not started yet */
    uint32_t *n_failures; /* launches that didn't end in order */
    bool *has_measured;   /* a launch ended in order */
    bool *is_given_up;    /* it can't be started, or fails */
    bool *is_finished;    /* all its times are as precise as asked */
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
    snprintf(what, sizeof what, "measuring %s %s%s%s", names->middleware, names->transport, *names->packing ? " " : "",
             names->packing);
    measuring->reported_s = monotonic_s();
    progress_report_time(measuring->progress, what, "", elapsed_s(measuring), measuring->request->budget_s);
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

static bool needs_launch(const Measuring *measuring, uint32_t i)
{
    return !measuring->is_given_up[i] && !measuring->is_finished[i];
}

static uint32_t count_needed(const Measuring *measuring)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < measuring->plan.n_launches; i++)
        n += needs_launch(measuring, i);
    return n;
}

/* The seconds for the i-th launch of this round, if the other launches get their shares. If time is
 * short, the first launches get LITTLE_S each. */
static double share_s(const Measuring *measuring, uint32_t i, uint32_t rounds_after)
{
    const CommPlan *plan = &measuring->plan;
    double weights = 0, starting_s = 0;
    for (uint32_t k = 0; k < plan->n_launches; k++) {
        double times = rounds_after + (k >= i);
        if (!needs_launch(measuring, k))
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

/* Nothing but the middleware decides whether a launch can be started, so the reason is said once for all its
 * configurations. */
static void give_up(Measuring *measuring, uint32_t i, const Err *err)
{
    const CommPlan *plan = &measuring->plan;
    Arena *scratch = arena_new();
    measuring->is_given_up[i] = true;
    collection_add_problem(measuring->collection, UINT32_MAX,
                           arena_printf(scratch, err->hint[0] ? "%s: %s; %s" : "%s: %s",
                                        plan->configurations[plan->launches[i].configuration].middleware, err->message,
                                        err->hint));
    arena_free(scratch);
}

/* Gives up the launches that can't be started before any time is divided. */
static void check_launches(Measuring *measuring)
{
    for (uint32_t i = 0; i < measuring->plan.n_launches; i++) {
        const char *const *words;
        Err err = {0};
        if (!workers_command(measuring->workers, &measuring->plan, &measuring->plan.launches[i], 0, &words, &err))
            give_up(measuring, i, &err);
    }
}

/* A host that is slow or dies costs its own pairs only: from now on, each pair is launched by itself. */
static void split(Measuring *measuring, uint32_t i)
{
    CommPlan *plan = &measuring->plan;
    measuring->is_given_up[i] = true;
    plan->n_launches += plan_split(measuring->request, &measuring->launches[i], &measuring->launches[plan->n_launches],
                                   measuring->arena);
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
        give_up(measuring, i, &err);
    } else {
        const char *stopped = follow(measuring, launch, process, before_s + seconds + grace_s(measuring, i));
        int status = process_stop(process);
        bool is_useful = collection_end(measuring->collection, status, stopped);
        double spent_s = monotonic_s() - before_s, measured_s = collection_measured_s(measuring->collection);
        measuring->n_failures[i] += measured_s < 0;
        measuring->has_measured[i] |= measured_s >= 0;
        measuring->is_given_up[i] = !is_useful || measuring->n_failures[i] == FAILURES_LIMIT;
        if (measured_s < 0 && plan_is_splittable(launch) && !measuring->interrupted)
            split(measuring, i);
        measuring->is_finished[i] = collection_is_precise(measuring->collection, LEAST_ROUNDS);
        measuring->starting_s[i] = fmax(1e-3, spent_s - (measured_s < 0 ? seconds : measured_s));
    }
    arena_free(scratch);
}

/* How many rounds to divide the time among at first. */
static uint32_t plan_rounds(const Measuring *measuring)
{
    double budget_s = measuring->request->budget_s, n = fmax(1, count_needed(measuring));
    double wanted = floor(STARTING_SHARE * budget_s / (STARTING_GUESS_S * n));
    wanted = fmax(LEAST_ROUNDS, fmin(wanted, PLANNED_ROUNDS_LIMIT));
    if (measuring->request->rounds)
        wanted = measuring->request->rounds;
    double start_s = measuring->request->rounds ? 0 : STARTING_GUESS_S;
    return (uint32_t)fmax(1, fmin(wanted, floor(budget_s / ((LITTLE_S + start_s) * n))));
}

/* How many rounds will follow this one. When the planned rounds are over and times aren't precise enough, further
 * rounds are as long as those before: more launches show more of how launches differ. */
static uint32_t rounds_after(const Measuring *measuring, uint32_t round, uint32_t planned)
{
    if (round < planned)
        return planned - 1 - round;
    return (uint32_t)fmax(0, floor(left_s(measuring) / (elapsed_s(measuring) / round)) - 1);
}

/* Returns whether anything was launched. */
static bool launch_round(Measuring *measuring, uint32_t n_after)
{
    bool any = false;
    for (uint32_t i = 0; i < measuring->plan.n_launches && !measuring->interrupted; i++) {
        double seconds = needs_launch(measuring, i) ? share_s(measuring, i, n_after) : 0;
        if (seconds > 0) {
            launch_one(measuring, i, seconds);
            any = true;
        }
        if (!measuring->interrupted)
            measuring->interrupted = interrupts_take();
    }
    return any;
}

static void launch_all(Measuring *measuring)
{
    const CommPlan *plan = &measuring->plan;
    check_launches(measuring);
    uint32_t planned = plan_rounds(measuring), most = measuring->request->rounds ? planned : UINT32_MAX;
    for (uint32_t round = 0; round < most && count_needed(measuring) && !measuring->interrupted; round++)
        if (!launch_round(measuring, rounds_after(measuring, round, planned)))
            break;
    for (uint32_t i = 0; i < plan->n_launches; i++)
        if (!measuring->is_given_up[i] && measuring->starting_s[i] <= 0 && !measuring->interrupted)
            collection_add_problem(measuring->collection, plan->launches[i].configuration,
                                   "no time was left for all launches; allow more with --time");
}

static void make_launches(Measuring *measuring)
{
    CommPlan *plan = &measuring->plan;
    uint32_t most = plan->n_launches;
    for (uint32_t i = 0; i < plan->n_launches; i++)
        if (plan_is_splittable(&plan->launches[i]))
            most += plan_split(measuring->request, &plan->launches[i], NULL, measuring->arena);
    measuring->launches = arena_new_array(measuring->arena, PlannedLaunch, most);
    memcpy(measuring->launches, plan->launches, plan->n_launches * sizeof *plan->launches);
    plan->launches = measuring->launches;
    measuring->starting_s = arena_new_array(measuring->arena, double, most);
    measuring->n_failures = arena_new_array(measuring->arena, uint32_t, most);
    measuring->has_measured = arena_new_array(measuring->arena, bool, most);
    measuring->is_given_up = arena_new_array(measuring->arena, bool, most);
    measuring->is_finished = arena_new_array(measuring->arena, bool, most);
}

static bool has_measured_elsewhere(const Measuring *measuring, uint32_t configuration)
{
    for (uint32_t i = 0; i < measuring->plan.n_launches; i++)
        if (measuring->launches[i].configuration == configuration && measuring->has_measured[i])
            return true;
    return false;
}

/* Whether the only pair of hosts failed, although the configuration works within a host: what never works, such as
 * ICMP without the privilege, isn't a pair's fault. */
static bool is_failed_pair(const Measuring *measuring, uint32_t i)
{
    const PlannedLaunch *launch = &measuring->launches[i];
    return !launch->hosts && launch->place == PLACE_SPREAD && launch->n_ranks == 2 && measuring->n_failures[i] &&
           measuring->is_given_up[i] && !measuring->has_measured[i] &&
           has_measured_elsewhere(measuring, launch->configuration);
}

/* Why pairs of hosts, or hosts, have no results; NULL if all have some. */
static const char *missing_text(const Measuring *measuring, const char *const *silent, uint32_t n_hosts)
{
    Text text = {0};
    for (uint32_t i = 0; i < n_hosts; i++)
        if (silent[i])
            text_add(&text, "%s%s", text.bytes.count ? "; " : "", silent[i]);
    for (uint32_t i = 0; i < measuring->plan.n_launches; i++) {
        const PlannedLaunch *launch = &measuring->launches[i];
        const Host *hosts = measuring->request->hosts.items;
        bool is_of_several = launch->hosts && measuring->is_given_up[i];
        if ((is_of_several || is_failed_pair(measuring, i)) && !comm_is_collective(launch->operations[0]))
            text_add(&text, launch->place == PLACE_LOCAL ? "%s%s on %s failed" : "%s%s between %s and %s failed",
                     text.bytes.count ? "; " : "",
                     comm_configuration_name(&measuring->plan.configurations[launch->configuration], measuring->arena),
                     hosts[plan_host(launch, 0)].name, hosts[plan_host(launch, launch->n_ranks - 1)].name);
    }
    return text.bytes.count ? text_take(&text, measuring->arena) : NULL;
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

bool comm_measure(const CommRequest *asked, bool keep_samples, const Progress *progress, Arena *arena,
                  CommMeasurement *measurement, int *interrupted, Err *err)
{
    CommRequest request = *asked;
    Measuring measuring = {.request = &request, .arena = arena, .progress = progress, .started_s = monotonic_s()};
    const char **silent = arena_new_array(arena, const char *, asked->hosts.n);
    sigset_t before;
    if (!plan_make(&request, arena, &measuring.plan, err))
        return false;
    interrupts_hold(&before);
    if (asked->hosts.agent)
        request.hosts = answering_hosts(
            &asked->hosts, fmin(ANSWER_S, fmax(LEAST_ANSWER_S, ANSWER_SHARE * asked->budget_s)), arena, silent);
    if (!plan_make(&request, arena, &measuring.plan, err)) {
        interrupts_release(&before);
        return err_set(err, ERR_ENVIRONMENT, "nothing can be measured: %s",
                       missing_text(&measuring, silent, asked->hosts.n));
    }
    *measurement = (CommMeasurement){.date = text_of_now(arena), .command = ""};
    measuring.workers = workers_new(&request, arena);
    measuring.collection = collection_new(&request, &measuring.plan, arena);
    make_launches(&measuring);
    for (uint32_t i = 0; i < asked->hosts.n; i++)
        if (silent[i])
            collection_add_problem(measuring.collection, UINT32_MAX, silent[i]);
    launch_all(&measuring);
    workers_stop(measuring.workers);
    interrupts_release(&before);
    if (measuring.interrupted)
        collection_add_problem(measuring.collection, UINT32_MAX, "interrupted: the rest wasn't measured");
    collection_finish(measuring.collection, keep_samples, arena, measurement);
    measurement->elapsed_s = elapsed_s(&measuring);
    measurement->is_time_up = !request.rounds && count_needed(&measuring) && !measuring.interrupted;
    measurement->missing = missing_text(&measuring, silent, asked->hosts.n);
    collection_free(measuring.collection);
    *interrupted = measuring.interrupted;
    return check_found_anything(measurement, measuring.interrupted, err);
}
