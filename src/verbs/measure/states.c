/* SPDX-License-Identifier: BSD-3-Clause */
/* See states.h. */
#include "verbs/measure/states.h"

#include "base/files.h"
#include "base/text.h"
#include "cli/analysis.h"
#include "cli/measuring.h"
#include "cli/outputs.h"
#include "model/times.h"
#include "report/format.h"
#include "signature/states/states.h"
#include "verbs/measure/bind.h"
#include "verbs/measure/over_mappings.h"
#include "verbs/measure/target_noise.h"
#include "verbs/measure/text.h"
#include <string.h>

static const char *times_text(const Cli *cli, const Signature *signature, uint32_t n_states,
                              const StatesExecuted *executed)
{
    Arena *arena = cli->arena;
    const PhaseTimes *times = executed->times;
    double set_s = times->costs.warmup_s + times->costs.window_s;
    return arena_printf(
        arena,
        "%s\n"
        "  executed             %u restarts of %u states%s%s\n"
        "  signature's cost     restart %s, warm-up %s, windows %s (both: %s of the traced run)\n"
        "  agreement            %s of the occurrences are as in the trace\n",
        times_table(signature, times, cli->color, arena), executed->n_executed, n_states,
        executed->n_failed ? arena_printf(arena, "; %u restarts failed", executed->n_failed) : "",
        times_are_incomplete(times) ? arena_printf(arena, "; incomplete: %u of %u planned states were measured",
                                                   times->measured_states, times->planned_states)
                                    : "",
        format_seconds(arena, times->costs.restart_s), format_seconds(arena, times->costs.warmup_s),
        format_seconds(arena, times->costs.window_s), format_percent(arena, set_s / signature->application_s),
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

typedef struct Measuring {
    Cli *cli;
    const MeasureStatesOptions *options;
    States *states;
    Signature *signature;
    MachineModel *machine;
} Measuring;

/* Executes all states under one binding (NULL: as they were saved), and writes the phase times. */
static bool execute(const Measuring *measuring, const char *bind, const char *path, StatesExecuted *executed, Err *err)
{
    Cli *cli = measuring->cli;
    const MeasureStatesOptions *options = measuring->options;
    const Signature *signature = measuring->signature;
    const char *name = files_is_device(path) ? "times.json" : path;
    ExecuteOptions how = {.recording = arena_printf(cli->arena, "%s.recording", name),
                          .repeats = (uint32_t)options->repeats};
    if ((bind && !bind_read(bind, signature->application.n_processes, cli->arena, &how.cpus_of_rank, err)) ||
        !states_execute(measuring->states, signature, &how, &cli->progress, cli->arena, executed, err))
        return false;
    target_noise_add(cli, options->machine, measuring->machine, executed->times);
    if (!times_save(executed->times, path, err))
        return false;
    cli_progress_end(cli);
    analysis_note_load(cli, executed->times);
    if (executed->n_failed)
        cli_note(cli, "%u of %u restarts failed: %s", executed->n_failed, executed->n_failed + executed->n_executed,
                 executed->problem);
    return !executed->interrupted || err_set(err, ERR_NEGATIVE, "interrupted (%s): %s holds %u restarts",
                                             strsignal(executed->interrupted), path, executed->n_executed);
}

static void note_states(const Measuring *measuring)
{
    const States *states = measuring->states;
    analysis_note_signature(measuring->cli, measuring->options->directory, measuring->signature);
    if (!states->is_complete)
        cli_note(measuring->cli, "%s is incomplete: %u of %u planned states are there; firma measures these",
                 measuring->options->directory, states->n_states, states->n_planned);
}

static bool measure_once(const Measuring *measuring, Err *err)
{
    Cli *cli = measuring->cli;
    const MeasureStatesOptions *options = measuring->options;
    StatesExecuted executed = {0};
    bool ok = execute(measuring, options->binds ? options->binds[0] : NULL, options->output, &executed, err);
    if (!ok && !executed.interrupted)
        return false;
    note_states(measuring);
    if (cli->json)
        cli_print_json(cli, times_json(&executed, measuring->states->is_complete, options->output));
    else if (!cli->quiet)
        cli_print(cli, "%s  phase times          %s\n",
                  times_text(cli, measuring->signature, measuring->states->n_states, &executed),
                  text_as_line(options->output, cli->arena));
    return ok;
}

static bool measure_mapped(void *self, const Mapped *mapping, const char *path, const PhaseTimes **times, Err *err)
{
    StatesExecuted executed;
    if (!execute(self, mapping->name, path, &executed, err))
        return false;
    *times = executed.times;
    return true;
}

static bool measure_all(Measuring *measuring, const Mappings *mappings, Err *err)
{
    const OverMappings over = {.measure = measure_mapped,
                               .self = measuring,
                               .output = measuring->options->output,
                               .input = measuring->options->directory,
                               .verify = measuring->options->verify != NULL};
    note_states(measuring);
    return over_mappings(measuring->cli, measuring->signature, mappings, &over, err);
}

bool measure_states(Cli *cli, const MeasureStatesOptions *options, Err *err)
{
    Measuring measuring = {.cli = cli, .options = options};
    Mappings mappings;
    bool has_several = options->binds && options->binds[1];
    const Output output = {.path = options->output};
    if ((!has_several && !outputs_check_one(&output, &options->directory, 1, cli->arena, err)) ||
        !states_load(options->directory, cli->arena, &measuring.states, &measuring.signature, err) ||
        !target_noise_load(cli, options->machine, &measuring.machine, err) ||
        (has_several &&
         !mappings_of_binds(options->binds, options->verify, measuring.signature->application.n_processes,
                            options->output, cli->arena, &mappings, err)))
        return false;
    measuring_begin(cli, options->verify);
    /* another firma, for which this one waited, may have written the output */
    if (!has_several && !outputs_check_one(&output, &options->directory, 1, cli->arena, err))
        return false;
    return has_several ? measure_all(&measuring, &mappings, err) : measure_once(&measuring, err);
}
