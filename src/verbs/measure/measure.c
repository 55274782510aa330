/* SPDX-License-Identifier: BSD-3-Clause */
/* firma measure: executes a signature on this machine. */
#include "signature/execute/measure.h"
#include "base/files.h"
#include "base/json.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/measuring.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "model/signature.h"
#include "model/times.h"
#include "report/format.h"
#include "signature/states/states.h"
#include "trace/archive_names.h"
#include "trace/ownership.h"
#include "verbs/measure/states.h"
#include "verbs/measure/target_noise.h"
#include "verbs/measure/text.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REPEATS_LIMIT = 1000 };

static char *output = "times.json", *machine_path;
static Choice mode = {.names = (const char *const[]){"prefix", "checkpoint", NULL}};
static CheckedText bind = {.check = measure_check_bind};
static int repeats; /* 0: not given */
static int accept_differences, keep_recording;

static const struct poptOption options[] = {
    {"output", 'o', OPTION_JSON, &output, 0, "where to write the phase times; by default times.json", "FILE"},
    {"mode", '\0', OPTION_CHOICE, &mode, 0,
     "how to execute the signature: prefix (start the program and stop it early) or checkpoint (restore saved states); "
     "by default what the argument requires",
     "NAME"},
    {"repeat", 'r', OPTION_COUNT, &repeats, 0,
     "how many times to start the program and stop it, or to restore each saved state; by default 1. The same time in "
     "several short runs tells more than in one: runs differ",
     "N"},
    {"bind", '\0', OPTION_CHECKED, &bind, 0,
     "with saved states: the processors of each rank, for example 0,1 or 0:3 for four ranks; A-B lets one rank use all "
     "processors from A to B, for example 0-3,4-7; one entry is for all ranks; by default as when the states were "
     "saved. Ranks that share a processor are slow, unless the launcher knew this when they were saved",
     "LIST"},
    {"machine", 'm', OPTION_JSON, &machine_path, 0,
     "the machine model with the noise of this machine (`firma machine noise`): intervals are computed from it; by default "
     "from the noise of the traced machine",
     "FILE"},
    SHARED_OPTIONS(force_option_table),
    SHARED_OPTIONS(plan_option_table),
    {"accept-differences", 0, POPT_ARG_NONE, &accept_differences, 0,
     "measure even if program or arguments differ from the signature's", NULL},
    {"keep-recording", 0, POPT_ARG_NONE, &keep_recording, 0,
     "keep the recording and its archive in FILE.recording; of several runs, the last one's", NULL},
    SHARED_OPTIONS(mpi_option_table),
    POPT_TABLEEND};

/* Why the plan exceeds the budget. */
static const char *reason_text(PlanReason reason)
{
    switch (reason) {
    case PLAN_LATE:
        return ", to reach relevant phases that come late";
    case PLAN_BEGINNING:
        return ", since its beginning is unlike the rest";
    case PLAN_STRATA:
        return ", to reach occurrences of another kind";
    case PLAN_TARGET:
        return ", to narrow the interval (--target)";
    case PLAN_LIMITED:
        return ", and later relevant phases stay unmeasured (--limit)";
    case PLAN_BUDGET:
        break;
    }
    return "";
}

static const char *times_text(const Cli *cli, const Signature *signature, const PrefixPlan *plan,
                              const MeasureResult *result)
{
    Arena *arena = cli->arena;
    const PhaseTimes *times = result->times;
    return arena_printf(
        arena,
        "%s\n"
        "  signature's cost     %s from start to stop, launch included; planned%s: %s of the traced run%s\n"
        "  measured             %s occurrences%s in %u windows, after %s of warm-up; %s of them as in the trace%s\n"
        "  covers               %s of the traced run's time in relevant phases\n"
        "  stationarity         the traced run's rest took %.1f %% %s than its planned stretch says\n",
        times_table(signature, times, cli->color, arena), format_seconds(arena, times->signature_s),
        result->n_runs > 1 ? arena_printf(arena, " for each of %u runs", result->n_runs) : "",
        format_percent(arena, plan->cost_s / signature->application_s), reason_text(plan->reason),
        format_count(arena, times->prefix_occurrences - times->warmup_occurrences), result->n_runs > 1 ? " a run" : "",
        times->n_windows, format_count(arena, times->warmup_occurrences), format_percent(arena, times->agreement),
        times->n_phases ? ""
                        : ";\n                       the same communication in another order, so firma measures the "
                          "pace, not phases",
        format_percent(arena, plan->coverage), 100 * fabs(plan->bias), plan->bias < 0 ? "less" : "more");
}

static json_t *times_json(const Signature *signature, const PrefixPlan *plan, const MeasureOptions *how,
                          const MeasureResult *result)
{
    const MeasuredPrefix measured = {.times = result->times,
                                     .output = output,
                                     .log = how->output_path,
                                     .recording = how->keep_recording ? how->recording : NULL,
                                     .difference = result->difference,
                                     .n_runs = result->n_runs,
                                     .coverage = plan->coverage,
                                     .planned_share = plan->cost_s / signature->application_s,
                                     .stationarity = plan->bias};
    return fields_to_json(&measured_prefix_fields, &measured, 0);
}

/* A given option that is for a prefix only; NULL: none. */
static const char *prefix_option(void)
{
    return plan_options_given() ? plan_options_given()
           : accept_differences ? "--accept-differences"
           : keep_recording     ? "--keep-recording"
                                : NULL;
}

/* A given option that is for states only; NULL: none. */
static const char *states_option(void)
{
    return bind.given ? "--bind" : NULL;
}

static bool is_trace(const char *directory, Arena *arena)
{
    return files_exist(arena_printf(arena, "%s/" ARCHIVE_NAME ".otf2", directory));
}

/* A directory holds states, which need no command; a file is a signature, which needs one. */
static bool check_mode(int n, const char *const *words, char *const *command, Arena *arena, Err *err)
{
    bool states = n == 1 && states_are_at(words[0]);
    if (states && is_trace(words[0], arena))
        return err_set(err, ERR_INPUT, "%s: is a trace; expected a signature", words[0]) ||
               err_hint(err, "`firma phases TRACE -o app.firma` writes the signature of a trace");
    if (states && command && !files_exist(arena_printf(arena, "%s/states.json", words[0])))
        return err_set(err, ERR_INPUT, "%s: is a directory; expected a signature", words[0]) ||
               err_hint(err, "a signature is a file, such as app.firma, that `firma phases -o` or `firma study` wrote");
    if (n == 1 && !command && !files_exist(words[0]))
        return files_has_suffix(words[0], ".states")
                   ? err_set(err, ERR_INPUT, "%s: %s", words[0], strerror(ENOENT))
                   : err_set(err, ERR_USAGE,
                             "%s: no such file or directory (and a signature needs a command behind --)", words[0]);
    if (n != 1 || (!states && !command))
        return err_set(err, ERR_USAGE,
                       "expected a signature, and the command that starts the program behind --; or a directory of "
                       "states") ||
               err_hint(err, "firma measure app.firma -- mpirun -n 4 ./app, or: firma measure app.firma.states");
    if (states && command)
        return err_set(err, ERR_USAGE, "%s: firma restores saved states, and needs no command to start them",
                       words[0]) ||
               err_hint(err, "leave out what is behind --");
    const char *foreign = states ? prefix_option() : states_option();
    if (foreign)
        return err_set(err, ERR_USAGE, "%s goes with %s, and %s %s", foreign, states ? "a signature" : "saved states",
                       words[0], states ? "holds saved states" : "is a signature") ||
               err_hint(err, "leave it out%s",
                        states ? "; --windows and --budget of `firma checkpoint` plan states" : "");
    if (mode.given && strcmp(mode.given, states ? "checkpoint" : "prefix") != 0)
        return err_set(err, ERR_USAGE, "--mode %s: %s is %s", mode.given, words[0],
                       states ? "a directory of saved states" : "a signature without states") ||
               err_hint(err, states ? "name the signature (app.firma) and a command"
                                    : "firma checkpoint makes states of it");
    return true;
}

static bool check_outputs(const Cli *cli, const char *signature, const MeasureOptions *measure, Err *err)
{
    const char *const inputs[] = {signature, machine_path};
    const Output outputs[] = {{.path = output}, {.path = measure->output_path}};
    return outputs_check(outputs, 2, inputs, machine_path ? 2 : 1, cli->arena, err) &&
           (!force_is_given() || recording_remove(measure->recording, cli->arena, err));
}

static void print_result(const Cli *cli, const Signature *signature, const PrefixPlan *plan,
                         const MeasureOptions *measure, const MeasureResult *result)
{
    if (cli->json) {
        cli_print_json(cli, times_json(signature, plan, measure, result));
    } else if (!cli->quiet) {
        cli_print(cli, "%s  phase times          %s\n", times_text(cli, signature, plan, result),
                  text_as_line(output, cli->arena));
    }
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    if (!check_mode(n, words, command, cli->arena, err))
        return false;
    if (repeats > REPEATS_LIMIT)
        return err_set(err, ERR_USAGE, "--repeat: %d is more than %d", repeats, REPEATS_LIMIT);
    if (!command) {
        const MeasureStatesOptions states = {words[0], output, repeats ? repeats : 1, bind.given, machine_path};
        return measure_states(cli, &states, err);
    }
    const char *name = files_is_device(output) ? "times.json" : output;
    MeasureOptions measure = {.recording = arena_printf(cli->arena, "%s.recording", name),
                              .output_path = arena_printf(cli->arena, "%s.log", name),
                              .repeats = repeats ? (uint32_t)repeats : 1,
                              .accept_differences = accept_differences,
                              .keep_recording = keep_recording,
                              .flavour = mpi_option()};
    Signature *signature;
    MachineModel *machine;
    PlanOptions options_of_plan = plan_options();
    if (!check_outputs(cli, words[0], &measure, err) || !analysis_load_signature(cli, words[0], &signature, err) ||
        !target_noise_load(cli, machine_path, &machine, err))
        return false;
    options_of_plan.repeats = measure.repeats;
    measuring_begin(cli, command);
    PrefixPlan plan = prefix_plan(signature, &options_of_plan);
    MeasureResult result;
    if (!measure_prefix(signature, &plan, &measure, command, &cli->progress, cli->arena, &result, err))
        return false;
    target_noise_add(cli, machine_path, machine, result.times);
    if (!times_save(result.times, output, err))
        return false;
    cli_progress_end(cli);
    analysis_note_load(cli, result.times);
    if (result.difference[0])
        cli_note(cli, "differs from the signature's application: %s", result.difference);
    if (result.ended_early)
        cli_note(cli, "the program ended by itself, with status %s, before the planned stop",
                 process_status_text(result.status, cli->arena));
    print_result(cli, signature, &plan, &measure, &result);
    if (result.n_runs == measure.repeats)
        return true;
    *err = result.problem;
    return err_prefix(err, "run %u of %u, after %u complete ones that %s holds", result.n_runs + 1, measure.repeats,
                      result.n_runs, output);
}

const Verb verb_measure = {
    .name = "measure",
    .question = QUESTION_TIME,
    .summary = "execute a signature on this machine and time its phases",
    .synopsis = "[-o TIMES] SIGNATURE -- LAUNCHER …, or: [-o TIMES] STATES",
    .description =
        "With a signature: starts the program under the recorder, and lets it run through a warm-up. Measures its "
        "phases as long as necessary, then stops the program. Writes the time of each phase in each process. The "
        "program's output goes to TIMES.log.\n\n"
        "firma recognises phases by their communication. It refuses another program, other arguments, or another "
        "number of processes than the signature's. If the program was rebuilt, or uses another MPI library, firma "
        "says so, and measures as long as the communication is the same.\n\n"
        "The program is stopped in the middle of its run, and leaves its files as they are at that moment. Run it "
        "where this does no harm.\n\n"
        "With a directory of states, which `firma checkpoint` saved: restores each state, lets it run through its "
        "warm-up and its window, and ends it. No file of the user is changed. The program and its libraries must be "
        "those with which the states were saved, at the same paths.",
    .examples =
        "firma measure app.firma -- mpirun -n 4 ./app              # writes times.json\n"
        "firma measure app.firma -o b.json -- srun -p big ./app    # on other nodes\n"
        "firma measure app.firma.states                            # states that `firma checkpoint` saved\n"
        "firma measure app.firma --budget 10 -- mpirun -n 4 ./app  # a longer part of the run, for a narrower interval",
    .files = "firma",
    .options = options,
    .takes_command = true,
    .run = run,
};
