/* SPDX-License-Identifier: BSD-3-Clause */
/* firma checkpoint: makes an executable signature, saved states of the running program. */
#include "cli/cli.h"
#include "cli/mpi_option.h"
#include "cli/plan_options.h"
#include "model/signature.h"
#include "report/format.h"
#include "report/table.h"
#include "states/states.h"
#include <stdio.h>
#include <string.h>

static struct {
    char *output, *back_end, *mpi;
    int windows, stop;
    double budget_percent, limit_percent;
} options = {.windows = 5, .budget_percent = 2, .limit_percent = 30};

static const struct poptOption option_table[] = {
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "directory for the states (SIGNATURE.states)", "DIR"},
    {"windows", 'w', POPT_ARG_INT | POPT_ARGFLAG_SHOW_DEFAULT, &options.windows, 0,
     "windows spread over the run, a state before each; more are added for phases that these don't hold", "N"},
    {"budget", 'b', POPT_ARG_DOUBLE, &options.budget_percent, 0,
     "what windows and warm-up may take of the run, in percent of the traced time (2)", "PERCENT"},
    {"limit", 'l', POPT_ARG_DOUBLE, &options.limit_percent, 0,
     "the most that they may take, for long periods and phases that come late or once (30)", "PERCENT"},
    {"stop", '\0', POPT_ARG_NONE, &options.stop, 0, "end the program when the last state was saved", NULL},
    {"back-end", '\0', POPT_ARG_STRING, &options.back_end, 0, "what saves processes; by default the best that is here",
     "NAME"},
    MPI_OPTION(&options.mpi),
    POPT_TABLEEND};

static double position_percent(const Signature *signature, const SpreadWindow *window)
{
    return 100 * signature->milestones[window->begin].time_s /
           signature->milestones[signature->n_milestones - 1].time_s;
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
        const char *why = missing->why == SPREAD_LAST ? "nothing behind it marks its end"
                          : missing->why == SPREAD_COUNT
                              ? "there are too many windows"
                              : arena_printf(arena, "a window with it would take %s (--limit)",
                                             format_seconds(arena, missing->cost_s));
        text = arena_printf(arena, "%s  phase %-14u in no window: %s\n", text,
                            signature->phases[missing->phase_index].id, why);
    }
    return text;
}

static const char *saved_text(const Cli *cli, const Signature *signature, const SpreadPlan *plan,
                              const StatesSaved *saved)
{
    Arena *arena = cli->arena;
    Table *table = table_new(arena);
    table_column(table, "state", TABLE_RIGHT);
    table_column(table, "at", TABLE_RIGHT);
    table_column(table, "window", TABLE_RIGHT);
    table_column(table, "stood still", TABLE_RIGHT);
    table_column(table, "size", TABLE_RIGHT);
    table_column(table, "why there", TABLE_LEFT);
    for (uint32_t i = 0; i < saved->n_states; i++) {
        const SavedState *state = &saved->states[i];
        const SpreadWindow *window = &plan->windows[state->window];
        table_cell(table, "%u", state->window + 1);
        table_cell(table, "%.1f %%", position_percent(signature, window));
        table_cell(table, "%s", format_seconds(arena, window_s(signature, window)));
        table_cell(table, "%s", state->saved ? format_seconds(arena, state->cost.frozen_s) : "-");
        table_cell(table, "%s",
                   state->saved ? format_bytes(arena, (double)(state->cost.images_bytes + state->cost.files_bytes))
                                : "-");
        table_cell(table, "%s", state->saved ? reason_text(window->reason) : state->problem);
        table_row_style(table, state->saved ? TABLE_PLAIN : TABLE_BAD);
    }
    return arena_printf(
        arena,
        "%s\n"
        "  windows              %s of the traced run with their warm-up; they hold phases with %s of its time\n"
        "%s"
        "  saved by             %s %s; the run took %s, status %d\n",
        table_text(table, cli->color), format_percent(arena, plan->cost_s / signature->application_s),
        format_percent(arena, plan->coverage), missing_text(signature, plan, arena), saved->tool.name,
        saved->tool.version, format_seconds(arena, saved->elapsed_s), saved->status);
}

static json_t *saved_json(const Signature *signature, const SpreadPlan *plan, const StatesSaved *saved,
                          const char *directory)
{
    json_t *states = json_array();
    for (uint32_t i = 0; i < saved->n_states; i++) {
        const SavedState *state = &saved->states[i];
        const SpreadWindow *window = &plan->windows[state->window];
        json_array_append_new(states,
                              json_pack("{s:I, s:b, s:s, s:f, s:f, s:f, s:f, s:I, s:I}", "state",
                                        (json_int_t)state->window + 1, "saved", state->saved, "problem", state->problem,
                                        "position_percent", position_percent(signature, window), "window_s",
                                        window_s(signature, window), "time_s", state->cost.time_s, "frozen_s",
                                        state->cost.frozen_s, "images_bytes", (json_int_t)state->cost.images_bytes,
                                        "files_bytes", (json_int_t)state->cost.files_bytes));
    }
    return json_pack("{s:s, s:o, s:I, s:s, s:s, s:f, s:f, s:f, s:i}", "directory", directory, "states", states, "saved",
                     (json_int_t)saved->n_saved, "back_end", saved->tool.name, "back_end_version", saved->tool.version,
                     "planned_share", plan->cost_s / signature->application_s, "coverage", plan->coverage, "elapsed_s",
                     saved->elapsed_s, "launcher_status", saved->status);
}

static bool read_plan_options(SpreadOptions *spread, Err *err)
{
    PlanOptions plan;
    if (!plan_options_parse(options.budget_percent, options.limit_percent, &plan, err))
        return false;
    if (options.windows < 1 || options.windows > SPREAD_LIMIT)
        return err_set(err, ERR_USAGE, "--windows: %d isn't between 1 and %d", options.windows, SPREAD_LIMIT);
    *spread = (SpreadOptions){(uint32_t)options.windows, plan.budget, plan.limit};
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    if (n != 1 || !command) {
        err_set(err, ERR_USAGE, "expected a signature, and behind -- the command that starts the program");
        return err_hint(err, "firma checkpoint app.firma -- mpirun -n 4 ./app");
    }
    const char *directory = options.output ? options.output : arena_printf(cli->arena, "%s.states", words[0]);
    StatesOptions states = {.directory = directory, .back_end = options.back_end, .stop_after_last = options.stop};
    SpreadOptions spread;
    Signature *signature;
    StatesSaved saved;
    if (!read_plan_options(&spread, err) || !mpi_option_parse(options.mpi, &states.flavour, err) ||
        !signature_load(words[0], cli->arena, &signature, err))
        return false;
    SpreadPlan plan = spread_plan(signature, &spread, cli->arena);
    if (!states_save(signature, &plan, &states, command, &cli->progress, cli->arena, &saved, err))
        return false;
    cli_progress_end(cli);
    if (saved.difference[0])
        cli_note(cli, "differs from the signature's application: %s", saved.difference);
    if (saved.n_saved < saved.n_states)
        cli_note(cli, "%u of %u states could not be saved; the others are whole", saved.n_states - saved.n_saved,
                 saved.n_states);
    if (cli->json)
        cli_print_json(&verb_checkpoint, saved_json(signature, &plan, &saved, directory));
    else if (!cli->quiet)
        printf("%s  states               %s\n", saved_text(cli, signature, &plan, &saved), directory);
    return true;
}

const Verb verb_checkpoint = {
    .name = "checkpoint",
    .summary = "save states of the running program, to be measured from",
    .synopsis = "[-o DIR] [--windows N] SIGNATURE -- LAUNCHER …",
    .description =
        "Runs the program once, puts it to sleep before each of some windows that are spread over its run, and saves it there, "
        "launcher and all; then it goes on. `firma measure DIR` restores each state, measures its window, and ends it: a few "
        "percent of the run tell what all of it takes, also where the program's second half is unlike its first.\n\n"
        "Needs CRIU, which `make criu` gets, and a program on one host. `firma doctor` says whether it works here. What the "
        "program prints goes to DIR/output.\n\n"
        "States hold all of the program's memory, so whatever it has read. Only their owner may read them.",
    .examples = "firma checkpoint app.firma -- mpirun -n 4 ./app            # states in app.firma.states\n"
                "firma measure app.firma.states                             # restores and measures them\n"
                "firma checkpoint app.firma -w 9 --stop -- mpirun -n 4 ./app   # nine windows; no run to the end",
    .options = option_table,
    .takes_command = true,
    .run = run,
};
