/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the application, and saves a state before each window:
 *
 *    start ─ … ─ all sleep at stop 1 ─ save ─ release ─ … ─ all sleep at stop 2 ─ save ─ … ─ end
 *
 * A process sleeps when it has done its number of send-like events. A process that waits inside MPI
 * for a sleeping one stands still, too. Each state contains the recording as it is then; the
 * recording goes on afterwards. */
#include "base/interrupts.h"
#include "base/text.h"
#include "base/words.h"
#include "signature/states/manifest.h"

#include "base/files.h"
#include "base/owner.h"
#include "base/process.h"
#include "model/application.h"
#include "trace/identity.h"
#include "trace/launch_failure.h"
#include "trace/ownership.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POLL_MS = 5, QUIET_MS = 200 };

typedef struct Saving {
    const Signature *signature;
    const SpreadPlan *plan;
    const StatesOptions *options;
    const Progress *progress;
    Arena *arena;
    Launch *launch;
    char *const *command;
    CheckpointTool tool;
    const char *directory, *recording, *output, *running; /* absolute paths; running: the back
                                                             end's directory while the job runs */
    const char *signature_part; /* absolute path of the stored signature before the first state */
    sigset_t blocked;           /* the signal mask when firma was called */
    bool identified, on_one_host;
    Application application;
    const char *host;
    SavedState *states;
    States written; /* contents of the manifest */
    StatesSaved *result;
} Saving;

static LaunchStops make_stops(const Saving *saving)
{
    uint32_t n = saving->signature->application.n_processes, n_stops = saving->plan->n_windows;
    uint64_t *counts = arena_new_array(saving->arena, uint64_t, (size_t)n_stops * n);
    for (uint32_t i = 0; i < n_stops; i++)
        memcpy(counts + (size_t)i * n, saving->signature->milestones[saving->plan->windows[i].stop].send_events,
               n * sizeof *counts);
    return (LaunchStops){n_stops, n, counts};
}

static bool check_identity(Saving *saving, bool has_ended, Err *err)
{
    if (saving->identified)
        return true;
    if (!identity_of_recording(saving->recording, has_ended, saving->arena, &saving->identified, &saving->application,
                               &saving->host, err))
        return false;
    if (saving->identified && application_compare(&saving->signature->application, &saving->application, saving->arena,
                                                  &saving->result->difference) == APPLICATION_OTHER)
        return err_set(err, ERR_INPUT, "the signature belongs to another application: %s", saving->result->difference);
    return true;
}

static bool refuse_hosts(const char *what, Err *err)
{
    err_set(err, ERR_ENVIRONMENT, "firma saves jobs on one host alone: %s", what);
    return err_hint(err, "measure it with --mode prefix");
}

/* A job on several hosts is refused as soon as firma sees it: by the launcher's remote shell before processes have begun,
 * because they may never do so under a back end, and then by the hosts that they name. */
static bool check_hosts(Saving *saving, Err *err)
{
    uint32_t n_ranks;
    const char *other, *shell;
    if (saving->on_one_host)
        return true;
    if (!saving->identified) {
        Arena *scratch = arena_new();
        shell = checkpoint_remote_shell(launch_pid(saving->launch), scratch);
        arena_free(scratch);
        return !shell || refuse_hosts(arena_printf(saving->arena, "this launcher starts processes by %s", shell), err);
    }
    if (!identity_find_other_host(saving->recording, saving->host, saving->arena, &n_ranks, &other, err))
        return false;
    saving->on_one_host = !other && n_ranks == saving->application.n_processes;
    return !other || refuse_hosts(arena_printf(saving->arena, "this one runs on %s and %s", saving->host, other), err);
}

/* Reports how far the run has come towards the stop of a window. */
static void report(const Saving *saving, uint32_t window)
{
    uint32_t count;
    const uint64_t *done = launch_send_events(saving->launch, &count);
    double share = milestone_advance(saving->signature, 0, saving->plan->windows[window].stop, done, count);
    double part = (window + share) / saving->plan->n_windows;
    progress_report(saving->progress, "running to the windows", (uint64_t)(part * 1000), 1000);
}

/* Names the phases that occur in a window: "phase 3", "phases 1, 2". */
static const char *phases_text(const Saving *saving, const SpreadWindow *window)
{
    enum { SHOWN = 4 };
    const Signature *signature = saving->signature;
    const Milestone *begin = &signature->milestones[window->begin], *end = &signature->milestones[window->end];
    const char *text = "";
    uint32_t n = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        if (end->phase_weight[i] <= begin->phase_weight[i] || n++ >= SHOWN)
            continue;
        text = arena_printf(saving->arena, "%s%s%u", text, *text ? ", " : "", signature->phases[i].id);
    }
    return arena_printf(saving->arena, "phase%s %s%s", text_plural(n), text, n > SHOWN ? " …" : "");
}

typedef enum Arrival { ARRIVED, MISSED, INTERRUPTED, FAILED } Arrival;

/* Lets the program run until it stands still at the window's stop. MISSED and INTERRUPTED: it never
 * will; `problem` says why. */
static Arrival run_to(Saving *saving, uint32_t window, const char **problem, Err *err)
{
    for (;;) {
        bool ended = launch_wait(saving->launch, POLL_MS);
        if (launch_interrupted(saving->launch)) {
            *problem = arena_printf(saving->arena, "interrupted (%s)", strsignal(launch_interrupted(saving->launch)));
            return INTERRUPTED;
        }
        if (!check_identity(saving, ended, err) || !check_hosts(saving, err))
            return FAILED;
        LaunchSettling settling = ended ? LAUNCH_UNREACHABLE : launch_settled_at(saving->launch, window, QUIET_MS);
        if (settling == LAUNCH_SETTLED)
            return ARRIVED;
        if (settling == LAUNCH_UNREACHABLE) {
            *problem = arena_printf(saving->arena, "the processes never all stand still before the window of %s: %s",
                                    phases_text(saving, &saving->plan->windows[window]),
                                    ended ? "the program has ended"
                                          : launch_describe_ranks(saving->launch, window, saving->arena));
            return MISSED;
        }
        report(saving, window);
    }
}

static void save_state(Saving *saving, uint32_t window, SavedState *state)
{
    const char *paths[] = {saving->recording, saving->output};
    CheckpointSave save = {.launcher = launch_pid(saving->launch),
                           .state = state_path(saving->directory, window + 1, saving->arena),
                           .directory = saving->running,
                           .paths = paths,
                           .n_paths = sizeof paths / sizeof *paths,
                           .leave_running = true};
    Err problem = {0};
    state->saved = checkpoint_save(&saving->tool, &save, saving->arena, &state->cost, &problem);
    if (!state->saved) {
        state->problem =
            arena_printf(saving->arena, "%s%s%s", problem.message, problem.hint[0] ? "; " : "", problem.hint);
        state->kind = problem.kind;
    }
    saving->result->n_saved += state->saved;
}

/* ---- The manifest ---- */

static bool begin_manifest(Saving *saving, Err *err)
{
    const char *salt = application_salt(&saving->signature->application, saving->arena);
    saving->written = (States){.directory = saving->directory,
                               .command = application_command(saving->command, salt, saving->arena),
                               .back_end = saving->tool.name,
                               .back_end_version = saving->tool.version,
                               .kernel = kernel_name(saving->arena),
                               .page_bytes = (uint64_t)sysconf(_SC_PAGESIZE),
                               .recording = saving->recording,
                               .n_planned = saving->plan->n_windows};
    return processor_features(saving->arena, &saving->written.processor, err) &&
           signature_save(saving->signature, saving->signature_part, err) &&
           files_make_private(saving->signature_part, err);
}

/* With the first state, the signature gets its name. Before, it is a part: if firma is killed, a later
 * run knows whose it is. */
static bool name_signature(const Saving *saving, Err *err)
{
    const char *name = arena_printf(saving->arena, "%s/app.firma", saving->directory);
    return !files_exist(saving->signature_part) || rename(saving->signature_part, name) == 0 ||
           err_set(err, ERR_ENVIRONMENT, "%s: %s", name, strerror(errno));
}

/* Replaces the manifest after each state. So the states that were saved can be used, even if firma
 * is killed. */
static bool add_to_manifest(Saving *saving, uint32_t window, Err *err)
{
    const States *before = &saving->written;
    States after = *before;
    State *all = arena_new_array(saving->arena, State, before->n_states + 1);
    if (before->n_states)
        memcpy(all, before->states, before->n_states * sizeof *all);
    State *state = &all[after.n_states++];
    *state = (State){.number = window + 1, .window = saving->plan->windows[window]};
    after.states = all;
    after.application = saving->application;
    application_hide_arguments(&after.application, application_salt(&saving->signature->application, saving->arena),
                               saving->arena);
    after.host = saving->host;
    if (!state_checksum(state_path(saving->directory, window + 1, saving->arena), saving->arena, &state->checksum,
                        &state->bytes, err) ||
        (!before->n_states && !name_signature(saving, err)) || !manifest_save(&after, err))
        return false;
    saving->written = after;
    return true;
}

/* Enters the state in the manifest while the job runs on. If that fails, removes the state. */
static void note_state(Saving *saving, uint32_t window, SavedState *state)
{
    Err problem = {0};
    if (!state->saved || add_to_manifest(saving, window, &problem))
        return;
    state->saved = false;
    state->problem = arena_strdup(saving->arena, problem.message);
    state->kind = problem.kind;
    saving->result->n_saved--;
    files_remove_tree(state_path(saving->directory, window + 1, saving->arena));
}

static bool end_manifest(Saving *saving, Err *err)
{
    saving->written.is_complete = saving->result->is_complete;
    return manifest_save(&saving->written, err) ||
           err_hint(err, "the states that were saved are complete, and can be measured");
}

static bool save_all(Saving *saving, Err *err)
{
    for (uint32_t i = 0; i < saving->plan->n_windows; i++) {
        SavedState *state = &saving->states[i];
        *state = (SavedState){.window = i, .problem = "", .kind = ERR_NEGATIVE};
        switch (run_to(saving, i, &state->problem, err)) {
        case FAILED:
            return false;
        case INTERRUPTED: /* the states that were saved are kept */
            for (uint32_t k = i; k < saving->plan->n_windows; k++)
                saving->states[k] = (SavedState){.window = k, .problem = state->problem, .kind = ERR_NEGATIVE};
            return saving->result->n_saved || err_set(err, ERR_NEGATIVE, "%s before a state was saved", state->problem);
        case ARRIVED:
            progress_report(saving->progress, "saving", i, saving->plan->n_windows);
            save_state(saving, i, state);
            break;
        case MISSED:
            break;
        }
        launch_release(saving->launch, i);
        note_state(saving, i, state);
    }
    return true;
}

/* Lets the program go on to its end, or stops it. */
static bool finish_run(Saving *saving, bool ok, Err *err)
{
    launch_release(saving->launch, LAUNCH_ALL_STOPS);
    if (!ok || saving->options->stop_after_last) {
        launch_stop(saving->launch);
    } else {
        while (!launch_wait(saving->launch, POLL_MS)) {
            progress_report(saving->progress, "running to the program's end", 0, 0);
            if (!launch_interrupted(saving->launch))
                continue;
            launch_stop(saving->launch);
            break;
        }
        launch_settle(saving->launch);
    }
    saving->result->status = launch_status(saving->launch);
    saving->result->elapsed_s = launch_elapsed_s(saving->launch);
    if (ok && !saving->identified && launch_explain_silence(saving->launch, saving->arena, err) != LAUNCH_RECORDED)
        return false;
    if (ok && !saving->identified)
        return err_set(err, ERR_ENVIRONMENT, "the program ended with status %s before it could be recognised",
                       process_status_text(saving->result->status, saving->arena));
    return ok;
}

const SavedState *states_first_missing(const StatesSaved *saved)
{
    for (uint32_t i = 0; i < saved->n_states; i++)
        if (!saved->states[i].saved)
            return &saved->states[i];
    return NULL;
}

static bool launch_with_stops(Saving *saving, Err *err)
{
    MpiFlavour flavour = saving->options->flavour;
    const char *reason, *const *before;
    if (flavour == MPI_FLAVOUR_NONE && !launch_find_flavour(saving->command, saving->arena, &flavour, &reason, err))
        return false;
    if (flavour == MPI_FLAVOUR_PVM)
        return err_set(err, ERR_ENVIRONMENT,
                       "a program of PVM can't be saved, because its tasks belong to PVM's daemon") ||
               err_hint(err, "measure it with --mode prefix");
    if (!checkpoint_launch_words(&saving->tool, flavour, saving->running, saving->arena, &before, err))
        return false;
    const char *const *command = (const char *const *)saving->command;
    const char *const *words = words_join((const char *const *const[]){before, command, NULL}, saving->arena);
    saving->result->launched_with = arena_join(saving->arena, before, words_count(before));
    LaunchStops stops = make_stops(saving);
    const LaunchOptions options = {.recording = saving->recording,
                                   .flavour = flavour,
                                   .output_path = saving->output,
                                   .stops = &stops,
                                   .detached = true,
                                   .blocked = &saving->blocked,
                                   .hidden_ids = checkpoint_hides_ids(&saving->tool)};
    return launch_start(&options, (char *const *)words, saving->arena, &saving->launch, err);
}

/* Removes the recording and the back end's directory. After a failed attempt, the directory is left
 * as it was before. The recording goes last: by it, a later run knows the directory as firma's own. */
static void clean_up(const Saving *saving, bool ok)
{
    Err kept;
    files_remove_tree(saving->running);
    for (uint32_t i = 0; !ok && i < saving->plan->n_windows; i++)
        if (saving->states[i].saved)
            files_remove_tree(state_path(saving->directory, i + 1, saving->arena));
    if (!ok) {
        unlink(arena_printf(saving->arena, "%s/states.json", saving->directory));
        unlink(arena_printf(saving->arena, "%s/app.firma", saving->directory));
        unlink(saving->signature_part);
        unlink(saving->output);
    }
    recording_remove(saving->recording, saving->arena, &kept);
    if (!ok)
        rmdir(saving->directory);
}

/* From the launch to the end of the manifest. */
static bool run_and_save(Saving *saving, Err *err)
{
    bool ok = begin_manifest(saving, err) && launch_with_stops(saving, err);
    if (ok) {
        Err kept;
        files_make_private(saving->output, &kept);
        ok = finish_run(saving, save_all(saving, err), err);
    }
    if (ok && !saving->result->n_saved) {
        const SavedState *missing = states_first_missing(saving->result);
        ok = err_set(err, saving->result->status ? ERR_NEGATIVE : missing->kind, "no state could be saved: %s",
                     missing->problem);
    }
    saving->result->is_complete = saving->result->n_saved == saving->plan->n_windows;
    clean_up(saving, ok);
    launch_free(saving->launch);
    return ok && end_manifest(saving, err);
}

static bool save_into_directory(Saving *saving, Err *err)
{
    char *directory = realpath(saving->options->directory, NULL);
    saving->directory = arena_strdup(saving->arena, directory);
    free(directory);
    saving->recording = arena_printf(saving->arena, "%s/recording", saving->directory);
    saving->output = arena_printf(saving->arena, "%s/output", saving->directory);
    saving->running = arena_printf(saving->arena, "%s/running", saving->directory);
    saving->signature_part =
        arena_printf(saving->arena, "%s/app.firma.%s" OWNER_PART, saving->directory, owner_name(saving->arena));
    saving->result->tool = saving->tool;
    saving->result->states = saving->states;
    return run_and_save(saving, err);
}

bool states_save(const Signature *signature, const SpreadPlan *plan, const StatesOptions *options,
                 char *const command[], const Progress *progress, Arena *arena, StatesSaved *saved, Err *err)
{
    *saved = (StatesSaved){.difference = "", .launched_with = "", .n_states = plan->n_windows};
    Saving saving = {.signature = signature,
                     .plan = plan,
                     .options = options,
                     .progress = progress,
                     .arena = arena,
                     .command = command,
                     .tool = options->tool,
                     .states = arena_new_array(arena, SavedState, plan->n_windows),
                     .result = saved};
    if (!plan->n_windows)
        return err_set(err, ERR_INPUT, "no window of this signature can be measured from a saved state");
    interrupts_hold(&saving.blocked); /* the launch reads this mask */
    bool ok = save_into_directory(&saving, err);
    interrupts_release(&saving.blocked);
    return ok;
}
