/* SPDX-License-Identifier: BSD-3-Clause */
/* firma checkpoint: saves states of the running program, from which `firma measure` restarts it. */
#include "verbs/checkpoint/checkpoint.h"
#include "base/files.h"
#include "base/owner.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "model/signature.h"
#include "report/format.h"
#include "report/table.h"
#include "signature/checkpoint/checkpoint.h"
#include "signature/states/states.h"
#include "trace/launch.h"
#include "trace/ownership.h"
#include <stdio.h>
#include <string.h>

static struct {
    char *output;
    int windows, stop;
    double budget_percent, limit_percent, target_percent, settling_ms;
} options = {.windows = 5, .budget_percent = 2, .limit_percent = 30, .target_percent = 5, .settling_ms = 30};

static Choice back_end = {.name_at = checkpoint_back_end_name};

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "where to write the states; by default SIGNATURE.states",
     "DIR"},
    SHARED_OPTIONS(force_option_table),
    {"windows", 'w', OPTION_COUNT, &options.windows, 0,
     "number of windows that are spread over the run (firma adds windows for phases that these don't hold); by default "
     "5",
     "N"},
    {"budget", 'b', OPTION_PART, &options.budget_percent, 0,
     "least part of the run to execute, in percent of the traced time: windows and their warm-up; by default 2",
     "PERCENT"},
    {"limit", 'l', OPTION_PART, &options.limit_percent, 0,
     "largest part of the run to execute, in percent, for long periods and for phases that come late or seldom; by "
     "default 30",
     "PERCENT"},
    {"target", '\0', OPTION_PERCENT, &options.target_percent, 0,
     "precision to reach: make windows as long as an interval of ± this many percent takes, as far as the differences "
     "between whole runs let it, and --limit; 0: none; by default 5",
     "PERCENT"},
    {"settling", '\0', POPT_ARG_DOUBLE, &options.settling_ms, 0,
     "least warm-up of each window, in milliseconds, since a program is slow right after a restart; by default 30",
     "MS"},
    {"stop", '\0', POPT_ARG_NONE, &options.stop, 0, "stop the program when the last state is saved", NULL},
    {"back-end", '\0', OPTION_CHOICE, &back_end, 0,
     "the tool that saves processes; by default the first that works here", "NAME"},
    SHARED_OPTIONS(mpi_option_table),
    POPT_TABLEEND};

static double position_percent(const Signature *signature, const SpreadWindow *window)
{
    return 100 * signature->milestones[window->begin].time_s /
           signature->milestones[signature->n_milestones - 1].time_s;
}

static double warmup_s(const Signature *signature, const SpreadWindow *window)
{
    return signature->milestones[window->begin].time_s - signature->milestones[window->stop].time_s;
}

static double window_s(const Signature *signature, const SpreadWindow *window)
{
    return signature->milestones[window->end].time_s - signature->milestones[window->begin].time_s;
}

static const char *reason_text(SpreadReason reason)
{
    switch (reason) {
    case SPREAD_PHASE:
        return "a phase that no other holds";
    case SPREAD_STRATUM:
        return "occurrences of a kind that no other holds";
    case SPREAD_EVENLY:
        break;
    }
    return "spread evenly";
}

static const char *missing_text(const Signature *signature, const SpreadPlan *plan, Arena *arena)
{
    const char *text = "";
    for (uint32_t i = 0; i < plan->n_missing; i++) {
        const SpreadMissing *missing = &plan->missing[i];
        const char *why = missing->reason == SPREAD_MISSING_LAST ? "no event after it marks its end"
                          : missing->reason == SPREAD_MISSING_COUNT
                              ? "there are too many windows"
                              : arena_printf(arena, "a window with it would take %s (--limit)",
                                             format_seconds(arena, missing->cost_s));
        text = arena_printf(arena, "%s  phase %-14u in no window: %s\n", text,
                            signature->phases[missing->phase_index].id, why);
    }
    return text;
}

static bool is_over_budget(const Signature *signature, const SpreadPlan *plan)
{
    return plan->cost_s / signature->application_s > 1.25 * options.budget_percent / 100;
}

/* saved: NULL if the states are only planned. */
static const char *windows_text(const Cli *cli, const Signature *signature, const SpreadPlan *plan,
                                const StatesSaved *saved)
{
    Arena *arena = cli->arena;
    Table *table = table_new(arena);
    table_columns(table, ">state|>window at|>warm-up|>window");
    if (saved) {
        table_columns(table, ">stopped for|>size");
    }
    table_column(table, "why there", TABLE_LEFT);
    for (uint32_t i = 0; i < plan->n_windows; i++) {
        const SavedState *state = saved ? &saved->states[i] : NULL;
        const SpreadWindow *window = &plan->windows[i];
        table_cells(table, "%u|%.1f %%|%s|%s", i + 1, position_percent(signature, window),
                    format_seconds(arena, warmup_s(signature, window)),
                    format_seconds(arena, window_s(signature, window)));
        if (state) {
            table_cells(table, "%s|%s", state->saved ? format_seconds(arena, state->cost.frozen_s) : "-",
                        state->saved ? format_bytes(arena, (double)(state->cost.images_bytes + state->cost.files_bytes))
                                     : "-");
        }
        table_cells(table, "%s", !state || state->saved ? reason_text(window->reason) : state->problem);
        table_row_style(table, !state || state->saved ? TABLE_PLAIN : TABLE_BAD);
    }
    return arena_printf(
        arena,
        "%s\n"
        "  windows              %s of the traced run with their warm-up, at mean durations%s; they hold phases with %s of its "
        "time\n"
        "%s",
        table_text(table, cli->color), format_percent(arena, plan->cost_s / signature->application_s),
        is_over_budget(signature, plan)
            ? plan->is_narrowed ? " (more than --budget, to narrow the interval: --target)"
                                : " (more than --budget, for whole periods, warm-ups, and phases that come seldom)"
            : "",
        format_percent(arena, plan->coverage), missing_text(signature, plan, arena));
}

/* How the run ended. */
static const char *ending_text(const StatesSaved *saved, Arena *arena)
{
    return options.stop ? "ended after the last state (--stop)"
                        : arena_printf(arena, "took %s, status %s", format_seconds(arena, saved->elapsed_s),
                                       process_status_text(saved->status, arena));
}

static void print_saved(const Cli *cli, const StatesSaved *saved, const char *directory)
{
    cli_print(cli, "  saved by             %s %s%s; the run %s\n", saved->tool.name,
              text_as_line(saved->tool.version, cli->arena),
              saved->tool.is_rootless ? ", without root, in a user namespace" : "", ending_text(saved, cli->arena));
    if (!saved->is_complete)
        cli_print(cli, "  incomplete           %u of %u states were saved\n", saved->n_saved, saved->n_states);
    if (saved->launched_with[0])
        cli_print(cli, "  launched with        %s\n", text_as_line(saved->launched_with, cli->arena));
    cli_print(cli, "  states               %s\n", text_as_line(directory, cli->arena));
}

/* ---- JSON ---- */

typedef struct WindowRow {
    uint32_t number;
    double position_percent, warmup_s, window_s;
    const char *reason;
    const SavedState *saved; /* NULL: it is only planned */
} WindowRow;

typedef struct CheckpointDocument {
    const WindowRow *windows;
    uint32_t n_windows;
    double planned_share, coverage;
    const char *directory;
    const StatesSaved *saved; /* NULL: they are only planned */
} CheckpointDocument;

static const FieldList state_fields =
    FIELDS(SavedState, FIELD(SavedState, saved, "with a command: whether it was saved"),
           FIELD(SavedState, problem, "with a command: why not; empty: it was"),
           FIELD_AS(SavedState, cost.time_s, "time_s", "with a command: how long saving took"),
           FIELD_AS(SavedState, cost.frozen_s, "frozen_s", "with a command: for how long the job was stopped"),
           FIELD_AS(SavedState, cost.images_bytes, "images_bytes", "with a command: of the memory's images"),
           FIELD_AS(SavedState, cost.files_bytes, "files_bytes", "with a command: of the copies of files"));

static const FieldList window_fields = FIELDS(
    WindowRow, FIELD_AS(WindowRow, number, "state", "its number, from 1"),
    FIELD(WindowRow, position_percent, "where its window begins in the traced run"),
    FIELD(WindowRow, warmup_s, "warm-up in the traced run"), FIELD(WindowRow, window_s, "window in the traced run"),
    FIELD(WindowRow, reason, "why there, in words"), FIELD_INLINE_POINTED(WindowRow, saved, state_fields));

static const FieldList saved_fields = FIELDS(
    StatesSaved, FIELD_AS(StatesSaved, n_saved, "saved", "with a command: how many states were saved"),
    FIELD_AS(StatesSaved, is_complete, "complete", "with a command: whether all states were saved"),
    FIELD_AS(StatesSaved, tool.name, "back_end", "with a command: what saved them: `criu`, `dmtcp`"),
    FIELD_AS(StatesSaved, tool.version, "back_end_version", "with a command: its version"),
    FIELD_AS(StatesSaved, tool.is_rootless, "rootless",
             "with a command: whether the job ran in a user namespace of firma's"),
    FIELD(StatesSaved, launched_with, "with a command: the words that firma put before the command; empty: none"),
    FIELD(StatesSaved, elapsed_s, "with a command: from the launcher's start to its end"),
    FIELD_AS(StatesSaved, status, "launcher_status", "with a command: the launcher's exit status"));

const FieldList checkpoint_fields = FIELDS(
    CheckpointDocument, FIELD_LIST(CheckpointDocument, windows, n_windows, "states", "by number", .of = &window_fields),
    FIELD(CheckpointDocument, planned_share,
          "share of the traced run in windows and their warm-ups, if all occurrences took their mean durations"),
    FIELD(CheckpointDocument, coverage, "share of the traced run's time in relevant phases that the windows hold"),
    FIELD(CheckpointDocument, directory, "with a command: where the states are", .flags = FIELD_ABSENT),
    FIELD_INLINE_POINTED(CheckpointDocument, saved, saved_fields));

/* saved: NULL if the states are only planned. */
static json_t *states_json(const Cli *cli, const Signature *signature, const SpreadPlan *plan, const StatesSaved *saved,
                           const char *directory)
{
    WindowRow *rows = arena_new_array(cli->arena, WindowRow, plan->n_windows);
    for (uint32_t i = 0; i < plan->n_windows; i++) {
        const SpreadWindow *window = &plan->windows[i];
        rows[i] = (WindowRow){i + 1,
                              position_percent(signature, window),
                              warmup_s(signature, window),
                              window_s(signature, window),
                              reason_text(window->reason),
                              saved ? &saved->states[i] : NULL};
    }
    const CheckpointDocument document = {rows,           plan->n_windows, plan->cost_s / signature->application_s,
                                         plan->coverage, directory,       saved};
    return fields_to_json(&checkpoint_fields, &document, 0);
}

/* ---- the verb ---- */

static bool read_plan_options(SpreadOptions *spread, Err *err)
{
    if (options.windows > SPREAD_LIMIT)
        return err_set(err, ERR_USAGE, "--windows: %d is more than %d", options.windows, SPREAD_LIMIT);
    if (!(options.settling_ms >= 0 && options.settling_ms <= 60000))
        return err_set(err, ERR_USAGE, "--settling: %g isn't between 0 and 60000 milliseconds", options.settling_ms);
    *spread = (SpreadOptions){.windows = (uint32_t)options.windows,
                              .settling_s = options.settling_ms * 1e-3,
                              .budget = options.budget_percent / 100,
                              .target = options.target_percent / 100,
                              .limit = options.limit_percent / 100};
    return true;
}

/* A state is a directory named by its number; "3.part" while it is being saved. */
static bool is_part(const char *name)
{
    static const char *const names[] = {"states.json", "app.firma", "output", "recording", "running"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    size_t digits = strspn(name, "0123456789");
    return owner_is_part_of(name, "app.firma") ||
           (digits > 0 && (!name[digits] || strcmp(name + digits, ".part") == 0));
}

static bool check_recording(const char *directory, Arena *arena, Err *err)
{
    const char *recording = arena_printf(arena, "%s/recording", directory);
    return !files_exist(recording) ||
           (recording_check_own(recording, arena, err) && recording_check_unused(recording, arena, err));
}

static const DirectoryKind states_directory = {.what = "a directory of states",
                                               .mark = "states.json",
                                               .early_mark = "recording",
                                               .is_part = is_part,
                                               .check_below = check_recording,
                                               .is_private = true,
                                               .grows = true};

static Output states_output(const char *signature, Arena *arena)
{
    return (Output){.path = options.output ? options.output : arena_printf(arena, "%s.states", signature),
                    .kind = &states_directory};
}

static bool save_states(Cli *cli, const Output *output, const Signature *signature, const SpreadPlan *plan,
                        char *const *command, StatesSaved *saved, Err *err)
{
    StatesOptions states = {.directory = output->path, .flavour = mpi_option(), .stop_after_last = options.stop};
    OutputDirectory directory;
    /* Trying the back end takes a moment, and a signal in it must leave nothing behind. */
    if (!launch_check_launcher(command, cli->arena, err) ||
        !checkpoint_find(back_end.given, cli->arena, &states.tool, err) ||
        !output_directory_begin(output, cli->arena, &directory, err))
        return false;
    bool ok = states_save(signature, plan, &states, command, &cli->progress, cli->arena, saved, err);
    return output_directory_end(&directory, ok, cli->arena, err);
}

static bool judge(const StatesSaved *saved, Arena *arena, Err *err)
{
    const char *status = process_status_text(saved->status, arena);
    const SavedState *missing = states_first_missing(saved);
    if (missing)
        return err_set(err, saved->status ? ERR_NEGATIVE : missing->kind,
                       "only %u of %u states could be saved, and the program ended with status %s: %s", saved->n_saved,
                       saved->n_states, status, missing->problem) ||
               err_hint(err, "firma measure can use those that were saved, but they show a part of the run alone");
    return options.stop || saved->status == 0 ||
           err_set(err, ERR_NEGATIVE, "all states were saved, and then the program failed with status %s", status);
}

static bool save(Cli *cli, const char *path, const Signature *signature, const SpreadPlan *plan, char *const *command,
                 Err *err)
{
    const Output output = states_output(path, cli->arena);
    StatesSaved saved;
    if (!save_states(cli, &output, signature, plan, command, &saved, err))
        return false;
    cli_progress_end(cli);
    if (checkpoint_demands(&saved.tool))
        cli_note(cli,
                 "the program's transports are %s, because %s can't save others; to choose them yourself, set "
                 "OMPI_MCA_pml, OMPI_MCA_btl or UCX_TLS",
                 checkpoint_demands(&saved.tool), saved.tool.name);
    if (saved.difference[0])
        cli_note(cli, "differs from the signature's application: %s", saved.difference);
    if (cli->json) {
        cli_print_json(cli, states_json(cli, signature, plan, &saved, output.path));
    } else if (!cli->quiet) {
        cli_print(cli, "%s", windows_text(cli, signature, plan, &saved));
        print_saved(cli, &saved, output.path);
    }
    return judge(&saved, cli->arena, err);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    if (n != 1) {
        err_set(err, ERR_USAGE, "expected a signature, and the command that starts the program behind --");
        return err_hint(err, "firma checkpoint app.firma -- mpirun -n 4 ./app");
    }
    SpreadOptions spread;
    Signature *signature;
    const Output output = states_output(words[0], cli->arena);
    if (!read_plan_options(&spread, err) || (command && !outputs_check_one(&output, words, 1, cli->arena, err)) ||
        !analysis_load_signature(cli, words[0], &signature, err))
        return false;
    SpreadPlan plan = spread_plan(signature, &spread, cli->arena);
    if (!plan.n_windows && !cli->quiet)
        cli_print_aside("%s", missing_text(signature, &plan, cli->arena));
    if (!plan.n_windows)
        return err_set(err, ERR_NEGATIVE, "%s: no window fits in %.0f %% of the run", words[0],
                       options.limit_percent) ||
               err_hint(err, "allow for more with --limit");
    if (command)
        return save(cli, words[0], signature, &plan, command, err);
    if (cli->json)
        cli_print_json(cli, states_json(cli, signature, &plan, NULL, NULL));
    else if (!cli->quiet)
        cli_print(cli, "%s  nothing saved        this is only the plan, since there is no command behind --\n",
                  windows_text(cli, signature, &plan, NULL));
    return true;
}

const Verb verb_checkpoint = {
    .name = "checkpoint",
    .question = QUESTION_TIME,
    .summary = "save states of the running program, to be measured from",
    .synopsis = "[-o DIR] [--windows N] SIGNATURE [-- LAUNCHER …]",
    .description =
        "Chooses some windows that are spread over the program's run. Runs the program once. Before each window, "
        "puts it to sleep, saves it together with its launcher, and lets it go on. `firma measure DIR` then restores "
        "each of these states, measures its window, and ends it. So a few percent of the run show how long all of it "
        "takes, even if its second half is unlike its first. Without a command, firma only prints the windows that "
        "it would choose.\n\n"
        "The program must run on one host. firma needs CRIU, which `make criu` fetches, or DMTCP, which `make dmtcp` "
        "builds. `firma doctor` tells whether they work here. With root, CRIU needs no change of the program. DMTCP "
        "preloads its library into the program, and firma restricts the program to transports that DMTCP can save. "
        "The program's output goes to DIR/output.\n\n"
        "Without root, the host must allow user namespaces. The program then runs in a user namespace, with this "
        "host's addresses but no network beyond it. MPICH is restricted to memory that can be saved. The output "
        "tells all this.\n\n"
        "States hold the program's memory, and so all data that the program has read. Only their owner can read "
        "them.",
    .examples =
        "firma checkpoint app.firma                                   # only the plan\n"
        "firma checkpoint app.firma -- mpirun -n 4 ./app              # states in app.firma.states\n"
        "firma measure app.firma.states                               # restores and measures them\n"
        "firma checkpoint app.firma -w 9 --stop -- mpirun -n 4 ./app  # nine windows; ends after the last state",
    .files = "firma",
    .options = option_table,
    .takes_command = true,
    .run = run,
};
