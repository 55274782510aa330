/* SPDX-License-Identifier: BSD-3-Clause */
/* Executes states. Each state is restored together with a copy of its recording, and goes on
 * recording there. The job is killed when all processes have passed the window's end:
 *
 *    restore ── release ── warm-up ──── window ────| end of the window: killed
 *                                           archive of all records since MPI_Init, evaluated */
#include "base/interrupts.h"
#include "signature/states/manifest.h"

#include "base/process.h"
#include "base/vec.h"
#include "trace/archive.h"
#include "trace/host_load.h"
#include "trace/identity.h"
#include "trace/launch.h"
#include "trace/ownership.h"
#include "trace/throttling.h"
#include <math.h>
#include <string.h>

enum { POLL_MS = 5, LONGEST_SLEEP_MS = 2000 };
static const double LOOK_AFTER = 1.1;

typedef struct Executing {
    const States *states;
    const Signature *signature;
    const ExecuteOptions *options;
    const Progress *progress;
    Arena *arena;
    CheckpointTool tool;
    VEC(const PhaseTimes *) parts;
    bool *measured; /* [states->n_states] */
    StatesExecuted *result;
} Executing;

static bool check_states(const Executing *executing, Err *err)
{
    const States *states = executing->states;
    for (uint32_t i = 0; i < states->n_states; i++) {
        const char *path = state_path(states->directory, states->states[i].number, executing->arena), *checksum;
        uint64_t bytes;
        progress_report(executing->progress, "checking states", i, states->n_states);
        if (!state_checksum(path, executing->arena, &checksum, &bytes, err))
            return false;
        if (strcmp(checksum, states->states[i].checksum) != 0)
            return err_set(err, ERR_INPUT, "%s: was changed since it was saved: its checksum differs", path) ||
                   err_hint(err, "save new states with firma checkpoint");
    }
    return true;
}

/* How long to sleep before the next look at the job, since each look takes a processor from a rank.
 * The rest of the window is estimated from the traced run at first, then from the job's own
 * progress. */
static int sleep_ms(const Executing *executing, const SpreadWindow *window, double share, double elapsed_s)
{
    const Milestone *milestones = executing->signature->milestones;
    double traced_s = milestones[window->end].time_s - milestones[window->stop].time_s;
    double left_s = share > 0 ? elapsed_s / share * (1 - share) : traced_s - elapsed_s;
    double ms = fmax(0, left_s) * LOOK_AFTER * 1e3 + POLL_MS;
    return ms > LONGEST_SLEEP_MS ? LONGEST_SLEEP_MS : (int)ms;
}

/* Waits, also for signals. Returns true if the job has ended or firma was interrupted. */
static bool wait_for_end(Launch *launch, Restored *restored, int wait_ms)
{
    bool ended = restored_wait(restored, 0);
    return launch_wait(launch, ended ? 0 : wait_ms) || ended || launch_interrupted(launch);
}

static bool say_ended(const Executing *executing, const Launch *launch, const Restored *restored, Err *err)
{
    int number = launch_interrupted(launch);
    if (number)
        return err_set(err, ERR_NEGATIVE, "interrupted (%s); nothing was measured", strsignal(number));
    return err_set(err, ERR_ENVIRONMENT, "the restored program ended with status %s before the window's end",
                   process_status_text(restored_status(restored), executing->arena));
}

/* Waits until the restored processes have prepared their memory. */
static bool wait_until_ready(const Executing *executing, Launch *launch, Restored *restored, Err *err)
{
    while (!launch_is_ready(launch))
        if (wait_for_end(launch, restored, POLL_MS))
            return say_ended(executing, launch, restored, err);
    return true;
}

/* Releases the job, and waits until all its processes have passed the window's end. */
static bool run_window(const Executing *executing, const State *state, Launch *launch, Restored *restored, Err *err)
{
    const SpreadWindow *window = &state->window;
    double begin_s = launch_elapsed_s(launch), share = 0;
    bool ended = false;
    launch_release(launch, LAUNCH_ALL_STOPS);
    while (!ended && share < 1) {
        uint32_t count;
        int wait_ms = sleep_ms(executing, window, share, launch_elapsed_s(launch) - begin_s);
        ended = wait_for_end(launch, restored, wait_ms);
        const uint64_t *done = launch_send_events(launch, &count);
        share = milestone_advance(executing->signature, window->stop, window->end, done, count);
        progress_report(executing->progress, "running the window", (uint64_t)(share * 1000), 1000);
    }
    return (share >= 1 && !launch_interrupted(launch)) || say_ended(executing, launch, restored, err);
}

/* The number of processors in "0-3,8". */
static double count_cpus(const char *cpus)
{
    double count = 0;
    while (*cpus) {
        char *end;
        unsigned long first = strtoul(cpus, &end, 10), last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        count += (double)(last - first) + 1;
        cpus = *end == ',' ? end + 1 : end;
        if (end == cpus)
            break;
    }
    return fmax(1, count);
}

/* PhaseTimes.places of ranks that are bound anew. */
static const ProcessPlace *bound_places(const PhaseTimes *times, const char *const *cpus_of_rank, Arena *arena)
{
    ProcessPlace *places = arena_new_array(arena, ProcessPlace, times->application.n_processes);
    for (uint32_t i = 0; i < times->application.n_processes; i++)
        places[i] = (ProcessPlace){times->host, cpus_of_rank[i]};
    return places;
}

/* PhaseTimes.ranks_per_processor of ranks that are bound anew. */
static double ranks_per_processor(const char *const *cpus_of_rank, uint32_t n)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++) {
        double sharing = 0;
        for (uint32_t j = 0; j < n; j++)
            sharing += strcmp(cpus_of_rank[i], cpus_of_rank[j]) == 0;
        most = fmax(most, sharing / count_cpus(cpus_of_rank[i]));
    }
    return most;
}

static bool evaluate(const Executing *executing, const State *state, const char *recording, double restart_s,
                     double elapsed_s, PhaseTimes *times, Err *err)
{
    const char *archive = arena_printf(executing->arena, "%s/archive", recording);
    ArchiveSummary summary;
    bool known;
    if (!archive_write(recording, archive, NULL, executing->arena, &summary, err) ||
        !archive_check_whole(&summary, err) ||
        !identity_of_recording(recording, true, executing->arena, &known, &times->application, &times->host, err) ||
        !state_evaluate(executing->signature, &state->window, state->number, archive, executing->progress,
                        executing->arena, times, err))
        return false;
    const char *const *cpus_of_rank = executing->options->cpus_of_rank;
    if (cpus_of_rank) {
        times->n_places = times->application.n_processes;
        times->places = bound_places(times, cpus_of_rank, executing->arena);
        times->ranks_per_processor = ranks_per_processor(cpus_of_rank, times->n_places);
    }
    times->mode = "checkpoint";
    times->command = executing->states->command;
    times->accepted_difference = "";
    times->costs.restart_s = restart_s;
    times->costs.warmup_s = elapsed_s > times->costs.window_s ? elapsed_s - times->costs.window_s : 0;
    times->costs.traced_warmup_s = executing->signature->milestones[state->window.begin].time_s -
                                   executing->signature->milestones[state->window.stop].time_s;
    return true;
}

static bool restore(const Executing *executing, const State *state, const char *recording, Restored **restored,
                    Err *err)
{
    const CheckpointBind bind = {recording, executing->states->recording};
    const CheckpointRestore options = {.state =
                                           state_path(executing->states->directory, state->number, executing->arena),
                                       .binds = &bind,
                                       .n_binds = 1,
                                       .cpus_of_rank = executing->options->cpus_of_rank,
                                       .n_ranks = executing->signature->application.n_processes};
    return checkpoint_restore(&executing->tool, &options, executing->arena, restored, err);
}

static bool execute_state(Executing *executing, const State *state, const char *recording, Err *err)
{
    PhaseTimes *times = arena_new_array(executing->arena, PhaseTimes, 1);
    const char *path = state_path(executing->states->directory, state->number, executing->arena);
    Launch *launch = NULL;
    Restored *restored = NULL;
    /* a measurement that was killed may have left its recording */
    if (!recording_remove(recording, executing->arena, err) ||
        !checkpoint_take_out(path, executing->states->recording, recording, executing->arena, err))
        return false;
    double restart_s = 0, elapsed_s = 0;
    bool ok = launch_adopt(recording, executing->arena, &launch, err) &&
              restore(executing, state, recording, &restored, err) &&
              wait_until_ready(executing, launch, restored, err);
    if (ok) {
        restart_s = launch_elapsed_s(launch);
        ok = run_window(executing, state, launch, restored, err);
        elapsed_s = launch_elapsed_s(launch) - restart_s;
    }
    restored_end(restored);
    launch_free(launch);
    ok = ok && evaluate(executing, state, recording, restart_s, elapsed_s, times, err);
    if (ok)
        *vec_push(&executing->parts) = times;
    return ok;
}

/* Executes all states. If one can't be executed, the others still are. */
static bool execute_all(Executing *executing, Err *err)
{
    const States *states = executing->states;
    for (uint32_t repeat = 0; repeat < executing->options->repeats; repeat++)
        for (uint32_t i = 0; i < states->n_states; i++) {
            const char *recording =
                arena_printf(executing->arena, "%s.%u", executing->options->recording, states->states[i].number);
            Err problem = {0}, kept;
            bool ok = execute_state(executing, &states->states[i], recording, &problem);
            recording_remove(recording, executing->arena, &kept);
            int number = interrupts_take();
            if (number) {
                executing->result->interrupted = number;
                return executing->parts.count ||
                       err_set(err, ERR_NEGATIVE, "interrupted (%s); nothing was measured", strsignal(number));
            }
            if (ok) {
                executing->result->n_executed++;
                executing->measured[i] = true;
                continue;
            }
            if (problem.kind != ERR_ENVIRONMENT) {
                *err = problem;
                return false;
            }
            if (!executing->result->n_failed++)
                executing->result->problem =
                    arena_printf(executing->arena, "state %u: %s", states->states[i].number, problem.message);
        }
    return executing->parts.count ||
           err_set(err, ERR_ENVIRONMENT, "no state could be executed: %s", executing->result->problem);
}

bool states_execute(const States *states, const Signature *signature, const ExecuteOptions *options,
                    const Progress *progress, Arena *arena, StatesExecuted *executed, Err *err)
{
    *executed = (StatesExecuted){.problem = ""};
    Executing executing = {.states = states,
                           .signature = signature,
                           .options = options,
                           .progress = progress,
                           .arena = arena,
                           .measured = arena_new_array(arena, bool, states->n_states),
                           .result = executed};
    bool ok = environment_check(states, arena, err) && checkpoint_find(states->back_end, arena, &executing.tool, err) &&
              check_states(&executing, err);
    HostLoad load = {0};
    if (ok) {
        sigset_t before;
        load = host_load();
        uint64_t throttles = throttle_count(PROCESSORS_FOLDER);
        interrupts_hold(&before);
        ok = execute_all(&executing, err);
        interrupts_release(&before);
        load.throttles = throttle_count(PROCESSORS_FOLDER) - throttles;
    }
    if (ok) {
        executed->times = states_merge(signature, executing.parts.items, (uint32_t)executing.parts.count, arena);
        executed->times->planned_states = states->n_planned;
        executed->times->n_processors = load.n_processors;
        executed->times->busy_processors = load.busy_processors;
        executed->times->throttles = load.throttles;
        for (uint32_t i = 0; i < states->n_states; i++)
            executed->times->measured_states += executing.measured[i];
    }
    vec_free(&executing.parts);
    return ok;
}
