/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the program under the recorder, stops it at the plan's milestone, and analyses the recording
 * (executed.c); several times, if wanted. */
#include "signature/execute/measure.h"

#include "base/interrupts.h"
#include "base/process.h"
#include "model/application.h"
#include "signature/execute/cuts.h"
#include "signature/execute/spread.h"
#include "signature/execute/windows.h"
#include "signature/order/order.h"
#include "trace/archive.h"
#include "trace/host_load.h"
#include "trace/identity.h"
#include "trace/launch_failure.h"
#include "trace/ownership.h"
#include <assert.h>
#include <string.h>
#include <unistd.h>

enum { POLL_MS = 10 };

typedef struct Run {
    const Signature *signature;
    const MeasureOptions *options;
    uint32_t number; /* of the run, from 0 on */
    Launch *launch;
    Arena *arena;
    bool identified;
    Application application;
    const char *host;
    MeasureResult *result;
} Run;

static bool check_identity(Run *run, bool has_ended, Err *err)
{
    if (run->identified)
        return true;
    if (!identity_of_recording(run->options->recording, has_ended, run->arena, &run->identified, &run->application,
                               &run->host, err))
        return false;
    if (!run->identified)
        return true;
    ApplicationDifference difference =
        application_compare(&run->signature->application, &run->application, run->arena, &run->result->difference);
    if (difference == APPLICATION_OTHER && (!run->options->accept_differences ||
                                            run->application.n_processes != run->signature->application.n_processes)) {
        err_set(err, ERR_INPUT, "the signature belongs to another application: %s", run->result->difference);
        return err_hint(err, run->application.n_processes != run->signature->application.n_processes
                                 ? "a signature is valid for one number of processes; make another for this number"
                                 : "if the program communicates in the same way, use --accept-differences");
    }
    return true;
}

/* Waits until every process has passed the milestone, or the program ends. */
static bool run_to(Run *run, uint32_t milestone, const Progress *progress, Err *err)
{
    while (!launch_wait(run->launch, POLL_MS)) {
        if (!check_identity(run, false, err))
            return false;
        uint32_t count;
        const uint64_t *events = launch_send_events(run->launch, &count);
        double done = milestone_advance(run->signature, 0, milestone, events, count);
        progress_report(progress, "running the signature", (uint64_t)((run->number + done) * 1000),
                        1000 * (uint64_t)run->options->repeats);
        if (done >= 1 && !launch_interrupted(run->launch)) /* an interrupted launcher takes a moment to end */
            return true;
    }
    run->result->ended_early = true;
    run->result->status = launch_status(run->launch);
    if (launch_interrupted(run->launch))
        return err_set(err, ERR_NEGATIVE, "interrupted (%s); nothing was measured",
                       strsignal(launch_interrupted(run->launch)));
    if (run->result->status != 0 && run->identified)
        return err_set(err, ERR_NEGATIVE, "the program failed with status %s before it was measured",
                       process_status_text(run->result->status, run->arena)) ||
               err_hint(err, "its output is in %s", run->options->output_path);
    return check_identity(run, true, err);
}

static bool analyse(Run *run, const PrefixPlan *plan, PhaseTimes *times, Err *err)
{
    const char *directory = arena_printf(run->arena, "%s/archive", run->options->recording);
    ArchiveSummary summary;
    if (!archive_write(run->options->recording, directory, NULL, run->arena, &summary, err) ||
        !archive_check_whole(&summary, err))
        return false;
    ExecutedRun executed;
    return executed_read(run->signature, directory, 0, run->signature->milestones[plan->stop].occurrence, NULL,
                         run->arena, &executed, err) &&
           windows_evaluate(run->signature, plan, run->number, &executed, run->arena, times, err);
}

static bool explain_silence(const Run *run, Err *err)
{
    LaunchSilence silence = launch_explain_silence(run->launch, run->arena, err);
    if (silence == LAUNCH_RECORDED)
        return err_set(err, ERR_ENVIRONMENT, "the program ended with status %s before it could be recognised",
                       process_status_text(run->result->status, run->arena));
    if (launch_remove_files(run->launch, silence, run->arena) && !err->hint[0])
        err_hint(err, "its output is in %s", run->options->output_path);
    return false;
}

static bool measure(Run *run, const PrefixPlan *plan, const Progress *progress, PhaseTimes *times, Err *err)
{
    assert(plan->stop < run->signature->n_milestones);
    const HostWatch watch = host_watch_begin();
    bool ran = run_to(run, plan->stop, progress, err);
    HostLoad load = {times->n_processors, times->busy_processors, 0};
    const LaunchUsage usage = launch_usage(run->launch);
    host_watch_end(&watch, &usage, &load);
    if (launch_is_simulated(run->launch))
        load = (HostLoad){0};
    times->n_processors = load.n_processors;
    times->busy_processors = load.busy_processors;
    times->throttles = load.throttles;
    if (!run->result->ended_early || launch_interrupted(run->launch))
        launch_stop(run->launch);
    if (!ran && (err->kind == ERR_INPUT || launch_interrupted(run->launch)))
        unlink(run->options->output_path); /* of a refused program; the next attempt needs the name */
    if (!ran)
        return false;
    times->signature_s = launch_elapsed_s(run->launch);
    if (!check_identity(run, true, err))
        return false;
    if (!run->identified)
        return explain_silence(run, err);
    times->application = run->application;
    times->host = run->host;
    return analyse(run, plan, times, err);
}

/* Runs the prefix once. `number`: of this run, from 0 on. */
static bool measure_once(const Signature *signature, const PrefixPlan *plan, const MeasureOptions *options,
                         char *const command[], const sigset_t *blocked, uint32_t number, const Progress *progress,
                         Arena *arena, MeasureResult *result, Err *err)
{
    *result = (MeasureResult){.difference = ""};
    Run run = {.signature = signature, .options = options, .number = number, .arena = arena, .result = result};
    PhaseTimes *times = arena_new_array(arena, PhaseTimes, 1);
    times->mode = "prefix";
    times->command = application_command(command, application_salt(&signature->application, arena), arena);
    const LaunchOptions launch_options = {.recording = options->recording,
                                          .flavour = options->flavour,
                                          .output_path = options->output_path,
                                          .appends_output = number > 0,
                                          .blocked = blocked,
                                          .to_be_stopped = true};
    recording_remove_abandoned(options->recording, arena); /* of a measurement that was killed */
    const HostLoad load = host_load();
    times->n_processors = load.n_processors;
    times->busy_processors = load.busy_processors;
    if (!launch_start(&launch_options, command, arena, &run.launch, err))
        return false;
    bool ok = measure(&run, plan, progress, times, err);
    launch_free(run.launch);
    Err kept; /* a recording that can't be removed doesn't invalidate the measurement */
    if (options->keep_recording && number + 1 == options->repeats)
        recording_release(options->recording, arena);
    else
        recording_remove(options->recording, arena, &kept);
    if (!ok)
        return false;
    times->accepted_difference = application_compare(&signature->application, &times->application, arena,
                                                     &result->difference) == APPLICATION_OTHER
                                     ? result->difference
                                     : "";
    application_hide_arguments(&times->application, application_salt(&signature->application, arena), arena);
    result->times = times;
    return true;
}

/* Runs of one prefix are put together, so they must be alike. */
static bool check_alike(const PhaseTimes *first, const PhaseTimes *times, Err *err)
{
    if (times->prefix_occurrences != first->prefix_occurrences)
        return err_set(err, ERR_NEGATIVE, "the program had %lu occurrences of phases, and %lu in the first run",
                       (unsigned long)times->prefix_occurrences, (unsigned long)first->prefix_occurrences);
    return (times->agreement >= AGREEMENT_NEEDED) == (first->agreement >= AGREEMENT_NEEDED) ||
           err_set(err, ERR_NEGATIVE,
                   "the program communicated differently from the first run: %.1f %% as in the trace",
                   100 * times->agreement);
}

/* Runs the prefix as often as is wanted. If a later run fails, the complete ones count. */
static bool measure_all(const Signature *signature, const PrefixPlan *plan, const MeasureOptions *options,
                        char *const command[], const sigset_t *blocked, const Progress *progress, Arena *arena,
                        MeasureResult *result, Err *err)
{
    const PhaseTimes **parts = arena_new_array(arena, const PhaseTimes *, options->repeats);
    uint32_t n = 0;
    MeasureResult complete = {0}, next;
    Err problem = {0};
    for (; n < options->repeats; n++) {
        int number = n ? interrupts_take() : 0;
        bool ok = number
                      ? err_set(&problem, ERR_NEGATIVE, "interrupted (%s)", strsignal(number))
                      : measure_once(signature, plan, options, command, blocked, n, progress, arena, &next, &problem) &&
                            (!n || check_alike(parts[0], next.times, &problem));
        if (!ok)
            break;
        parts[n] = next.times;
        complete = next;
    }
    if (!n) {
        *err = problem;
        return false;
    }
    *result = complete;
    result->n_runs = n;
    result->problem = problem;
    if (n > 1)
        result->times = prefixes_merge(signature, parts, n, arena);
    return true;
}

bool measure_prefix(const Signature *signature, const PrefixPlan *plan, const MeasureOptions *options,
                    char *const command[], const Progress *progress, Arena *arena, MeasureResult *result, Err *err)
{
    if (!order_exists(signature->parameters.order))
        return err_set(err, ERR_INPUT, "this firma doesn't know the signature's order, `%s`",
                       signature->parameters.order);
    if (!phase_similarity_exists(signature->parameters.similarity))
        return err_set(err, ERR_INPUT, "this firma doesn't know the signature's similarity, `%s`",
                       signature->parameters.similarity);
    assert(options->repeats);
    sigset_t before;
    interrupts_hold(&before); /* also between two runs */
    bool ok = measure_all(signature, plan, options, command, &before, progress, arena, result, err);
    interrupts_release(&before);
    return ok;
}
