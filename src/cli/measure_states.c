/* SPDX-License-Identifier: BSD-3-Clause */
/* See measure_states.h. */
#include "cli/measure_states.h"

#include "base/files.h"
#include "model/times.h"
#include "report/format.h"
#include "report/times.h"
#include "states/states.h"
#include <stdio.h>
#include <string.h>

enum { REPEATS_LIMIT = 1000 };

/* "0,1": as many as there are ranks; one word is for all of them. */
static bool parse_bind(const char *text, uint32_t n_ranks, Arena *arena, const char *const **cpus, Err *err)
{
    if (!text) {
        *cpus = NULL;
        return true;
    }
    const char **words = arena_new_array(arena, const char *, n_ranks);
    uint32_t n = 0;
    for (const char *at = text; *at || at == text;) {
        size_t length = strcspn(at, ",");
        if (!length || strspn(at, "0123456789-+") < length)
            return err_set(err, ERR_USAGE, "--bind: `%s` isn't a list of processors", text) ||
                   err_hint(err, "a processor or a range for each rank, for example 0,1 or 0-3,4-7");
        if (n < n_ranks)
            words[n] = arena_strndup(arena, at, length);
        n++;
        at += length + (at[length] == ',');
    }
    if (n == 1)
        for (uint32_t i = 1; i < n_ranks; i++)
            words[i] = words[0];
    else if (n != n_ranks)
        return err_set(err, ERR_USAGE, "--bind: names processors for %u ranks, and there are %u", n, n_ranks);
    *cpus = words;
    return true;
}

static const char *times_text(const Cli *cli, const Signature *signature, const StatesExecuted *executed)
{
    Arena *arena = cli->arena;
    const PhaseTimes *times = executed->times;
    double set_s = times->costs.warmup_s + times->costs.window_s;
    return arena_printf(arena,
                        "%s\n"
                        "  executed             %u states%s\n"
                        "  signature's cost     restart %s, warm-up %s, windows %s (SET: %s of the traced run)\n"
                        "  agreement            %s of the occurrences are as in the trace\n",
                        times_table(signature, times, cli->color, arena), executed->n_executed,
                        executed->n_failed ? arena_printf(arena, ", and %u couldn't be", executed->n_failed) : "",
                        format_seconds(arena, times->costs.restart_s), format_seconds(arena, times->costs.warmup_s),
                        format_seconds(arena, times->costs.window_s),
                        format_percent(arena, set_s / signature->application_s),
                        format_percent(arena, times->agreement));
}

static json_t *times_json(const StatesExecuted *executed, const char *output)
{
    const PhaseTimes *times = executed->times;
    return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:s, s:o}", "times", output, "mode",
                     "checkpoint", "signature_s", times->signature_s, "restart_s", times->costs.restart_s, "warmup_s",
                     times->costs.warmup_s, "window_s", times->costs.window_s, "agreement", times->agreement,
                     "event_agreement", times->event_agreement, "executed", (json_int_t)executed->n_executed, "failed",
                     (json_int_t)executed->n_failed, "problem", executed->problem, "phases", times_phases_json(times));
}

bool measure_states(Cli *cli, const MeasureStatesOptions *options, Err *err)
{
    States *states;
    Signature *signature;
    StatesExecuted executed;
    ExecuteOptions execute = {.recording = arena_printf(cli->arena, "%s.recording", options->output),
                              .repeats = (uint32_t)options->repeats};
    if (options->repeats < 1 || options->repeats > REPEATS_LIMIT)
        return err_set(err, ERR_USAGE, "--repeat: %d isn't between 1 and %d", options->repeats, REPEATS_LIMIT);
    if (files_is_within(options->output, options->directory))
        return err_set(err, ERR_USAGE, "%s: lies in the directory of the states", options->output);
    if (!states_load(options->directory, cli->arena, &states, &signature, err) ||
        !parse_bind(options->bind, signature->application.n_processes, cli->arena, &execute.cpus_of_rank, err) ||
        !states_execute(states, signature, &execute, &cli->progress, cli->arena, &executed, err) ||
        !times_save(executed.times, options->output, err))
        return false;
    cli_progress_end(cli);
    if (executed.n_failed)
        cli_note(cli, "%u of %u restarts failed: %s", executed.n_failed, executed.n_failed + executed.n_executed,
                 executed.problem);
    if (cli->json)
        cli_print_json(&verb_measure, times_json(&executed, options->output));
    else if (!cli->quiet)
        printf("%s  phase times          %s\n", times_text(cli, signature, &executed), options->output);
    return true;
}
