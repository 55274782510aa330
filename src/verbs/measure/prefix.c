/* SPDX-License-Identifier: BSD-3-Clause */
/* See prefix.h. */
#include "verbs/measure/prefix.h"

#include "base/files.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/analysis.h"
#include "cli/measuring.h"
#include "cli/outputs.h"
#include "report/format.h"
#include "trace/ownership.h"
#include "verbs/measure/over_mappings.h"
#include "verbs/measure/target_noise.h"
#include "verbs/measure/text.h"
#include <math.h>

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
                        : arena_printf(arena, ";\n                       %s, so firma measures the pace, not phases",
                                       times_have_other_volumes(times) ? "the same partners, but other volumes"
                                                                       : "the same communication in another order"),
        format_percent(arena, plan->coverage), 100 * fabs(plan->bias), plan->bias < 0 ? "less" : "more");
}

static json_t *times_json(const Signature *signature, const PrefixPlan *plan, const MeasureOptions *how,
                          const MeasureResult *result, const char *output)
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

typedef struct Measuring {
    Cli *cli;
    const MeasurePrefixOptions *options;
    Signature *signature;
    MachineModel *machine;
    PrefixPlan plan;
} Measuring;

/* The paths of a measurement whose phase times go to `path`. */
static MeasureOptions options_for(const Measuring *measuring, const char *path)
{
    MeasureOptions how = measuring->options->measure;
    const char *name = files_is_device(path) ? "times.json" : path;
    how.recording = arena_printf(measuring->cli->arena, "%s.recording", name);
    how.output_path = arena_printf(measuring->cli->arena, "%s.log", name);
    return how;
}

static bool check_outputs(const Measuring *measuring, const char *path, Err *err)
{
    Arena *arena = measuring->cli->arena;
    const MeasurePrefixOptions *options = measuring->options;
    const MeasureOptions how = options_for(measuring, path);
    const char *const inputs[] = {options->signature, options->machine};
    const Output outputs[] = {{.path = path}, {.path = how.output_path}};
    return outputs_check(outputs, 2, inputs, options->machine ? 2 : 1, arena, err) &&
           (!force_is_given() || recording_remove(how.recording, arena, err));
}

/* Measures, and writes the phase times. */
static bool execute(const Measuring *measuring, char *const *command, const char *path, MeasureResult *result, Err *err)
{
    Cli *cli = measuring->cli;
    const MeasureOptions how = options_for(measuring, path);
    if (!measure_prefix(measuring->signature, &measuring->plan, &how, command, &cli->progress, cli->arena, result, err))
        return false;
    target_noise_add(cli, measuring->options->machine, measuring->machine, result->times);
    if (!times_save(result->times, path, err))
        return false;
    cli_progress_end(cli);
    analysis_note_load(cli, result->times);
    if (result->difference[0])
        cli_note(
            cli,
            "differs from the signature's application: %s; predictions take the traced run's weights: tell another "
            "number of steps by firma predict --steps (a trace of this run shows other weights: firma phases --like)",
            result->difference);
    if (result->ended_early)
        cli_note(cli, "the program ended by itself, with status %s, before the planned stop",
                 process_status_text(result->status, cli->arena));
    return true;
}

static bool judge(const MeasureResult *result, uint32_t repeats, const char *path, Err *err)
{
    if (result->n_runs == repeats)
        return true;
    *err = result->problem;
    return err_prefix(err, "run %u of %u, after %u complete ones that %s holds", result->n_runs + 1, repeats,
                      result->n_runs, path);
}

static bool measure_once(const Measuring *measuring, char *const *command, Err *err)
{
    Cli *cli = measuring->cli;
    const char *output = measuring->options->output;
    const MeasureOptions how = options_for(measuring, output);
    MeasureResult result;
    if (!execute(measuring, command, output, &result, err))
        return false;
    if (cli->json)
        cli_print_json(cli, times_json(measuring->signature, &measuring->plan, &how, &result, output));
    else if (!cli->quiet)
        cli_print(cli, "%s  phase times          %s\n",
                  times_text(cli, measuring->signature, &measuring->plan, &result), text_as_line(output, cli->arena));
    return judge(&result, how.repeats, output, err);
}

static bool measure_mapped(void *self, const Mapped *mapping, const char *path, const PhaseTimes **times, Err *err)
{
    const Measuring *measuring = self;
    MeasureResult result;
    if (!execute(measuring, mapping->command, path, &result, err))
        return false;
    *times = result.times;
    return judge(&result, measuring->options->measure.repeats, path, err);
}

static bool measure_all(Measuring *measuring, const Mappings *mappings, Err *err)
{
    const OverMappings over = {.measure = measure_mapped,
                               .self = measuring,
                               .output = measuring->options->output,
                               .input = measuring->options->signature,
                               .verify = measuring->options->verify};
    return over_mappings(measuring->cli, measuring->signature, mappings, &over, err);
}

bool measure_signature(Cli *cli, const MeasurePrefixOptions *options, char *const *command, Err *err)
{
    Measuring measuring = {.cli = cli, .options = options};
    Mappings mappings;
    bool has_mappings = options->policies || options->rankfiles;
    if ((!has_mappings && !check_outputs(&measuring, options->output, err)) ||
        !analysis_load_signature(cli, options->signature, &measuring.signature, err) ||
        !target_noise_load(cli, options->machine, &measuring.machine, err) ||
        (has_mappings &&
         !mappings_of_command(options->policies, options->rankfiles, command,
                              measuring.signature->application.n_processes, cli->arena, &mappings, err)))
        return false;
    PlanOptions plan = options->plan;
    plan.repeats = options->measure.repeats;
    measuring.plan = prefix_plan(measuring.signature, &plan);
    measuring_begin(cli, command);
    /* another firma, for which this one waited, may have written the output */
    if (!has_mappings && !check_outputs(&measuring, options->output, err))
        return false;
    return has_mappings ? measure_all(&measuring, &mappings, err) : measure_once(&measuring, command, err);
}
