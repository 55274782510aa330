/* SPDX-License-Identifier: BSD-3-Clause */
/* See states.h. */
#include "verbs/measure/states.h"

#include "base/files.h"
#include "cli/outputs.h"
#include "cli/values.h"
#include "model/times.h"
#include "report/format.h"
#include "signature/states/states.h"
#include "verbs/measure/text.h"
#include <stdio.h>
#include <string.h>

enum { REPEATS_LIMIT = 1000, PROCESSORS_LIMIT = 1 << 20 };

/* "3" or "0-3", with text behind it from `length` on. */
static bool is_range(const char *text, size_t length, Arena *arena)
{
    Err problem = {0};
    uint64_t first, last;
    size_t dash = strcspn(text, "-");
    const char *upper = dash < length ? arena_strndup(arena, text + dash + 1, length - dash - 1) : NULL;
    if (!number_option_parse("", arena_strndup(arena, text, upper ? dash : length), &first, &problem) ||
        (upper && !number_option_parse("", upper, &last, &problem)))
        return false;
    return (upper ? last : first) < PROCESSORS_LIMIT && (!upper || first <= last);
}

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
        if (!length || !is_range(at, length, arena))
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

static const char *times_text(const Cli *cli, const Signature *signature, uint32_t n_states,
                              const StatesExecuted *executed)
{
    Arena *arena = cli->arena;
    const PhaseTimes *times = executed->times;
    double set_s = times->costs.warmup_s + times->costs.window_s;
    return arena_printf(arena,
                        "%s\n"
                        "  executed             %u restarts of %u states%s\n"
                        "  signature's cost     restart %s, warm-up %s, windows %s (SET: %s of the traced run)\n"
                        "  agreement            %s of the occurrences are as in the trace\n",
                        times_table(signature, times, cli->color, arena), executed->n_executed, n_states,
                        executed->n_failed ? arena_printf(arena, ", and %u couldn't be", executed->n_failed) : "",
                        format_seconds(arena, times->costs.restart_s), format_seconds(arena, times->costs.warmup_s),
                        format_seconds(arena, times->costs.window_s),
                        format_percent(arena, set_s / signature->application_s),
                        format_percent(arena, times->agreement));
}

static json_t *times_json(const StatesExecuted *executed, bool is_complete, const char *output)
{
    const MeasuredStates measured = {.times = executed->times,
                                     .output = output,
                                     .problem = executed->problem,
                                     .is_complete = is_complete,
                                     .n_executed = executed->n_executed,
                                     .n_failed = executed->n_failed};
    return fields_to_json(&measured_states_fields, &measured, 0);
}

bool measure_states(Cli *cli, const MeasureStatesOptions *options, Err *err)
{
    States *states;
    Signature *signature;
    StatesExecuted executed;
    const char *name = files_is_device(options->output) ? "times.json" : options->output;
    ExecuteOptions execute = {.recording = arena_printf(cli->arena, "%s.recording", name),
                              .repeats = (uint32_t)options->repeats};
    if (options->repeats > REPEATS_LIMIT)
        return err_set(err, ERR_USAGE, "--repeat: %d is more than %d", options->repeats, REPEATS_LIMIT);
    if (!outputs_check_one(&(Output){.path = options->output}, &options->directory, 1, cli->arena, err) ||
        !states_load(options->directory, cli->arena, &states, &signature, err) ||
        !parse_bind(options->bind, signature->application.n_processes, cli->arena, &execute.cpus_of_rank, err) ||
        !states_execute(states, signature, &execute, &cli->progress, cli->arena, &executed, err) ||
        !times_save(executed.times, options->output, err))
        return false;
    cli_progress_end(cli);
    if (!states->is_complete)
        cli_note(cli, "%s wasn't written to its end: %u of %u states are there, whole, and were used",
                 options->directory, states->n_states, states->n_planned);
    if (executed.n_failed)
        cli_note(cli, "%u of %u restarts failed: %s", executed.n_failed, executed.n_failed + executed.n_executed,
                 executed.problem);
    if (cli->json)
        cli_print_json(cli, times_json(&executed, states->is_complete, options->output));
    else if (!cli->quiet)
        printf("%s  phase times          %s\n", times_text(cli, signature, states->n_states, &executed),
               options->output);
    return true;
}
