/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale RUNS.csv: from run times. */
#include "base/json.h"
#include "cli/list_option.h"
#include "scaling/scaling.h"
#include "verbs/scale/runs_views.h"
#include "verbs/scale/scale.h"

#include <math.h>
#include <stdio.h>

static bool read_options(Cli *cli, ScalingOptions *options, Err *err)
{
    const uint64_t *numbers;
    uint32_t n = 0;
    bool has_sequential = scale_options.sequential_s != SCALE_NOT_GIVEN;
    if (has_sequential && (!(scale_options.sequential_s > 0) || !isfinite(scale_options.sequential_s)))
        return err_set(err, ERR_USAGE, "--sequential: expected seconds above 0");
    if (scale_options.predict && !numbers_option_parse("--predict", scale_options.predict, 1, RUNS_PROCESSES_LIMIT,
                                                       cli->arena, &n, &numbers, err))
        return false;
    uint32_t *processes = arena_new_array(cli->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        processes[i] = (uint32_t)numbers[i];
    *options = (ScalingOptions){.sequential_s = has_sequential ? scale_options.sequential_s : 0,
                                .efficiency_limit = scale_options.efficiency,
                                .extrapolate = processes,
                                .n_extrapolate = n};
    return true;
}

bool scale_runs_check(Cli *cli, Err *err)
{
    ScalingOptions options;
    return read_options(cli, &options, err);
}

static bool save(Cli *cli, const Scaling *scaling, const char *directory, Err *err)
{
    const char *scripts[SCALE_PICTURES];
    for (int i = 0; i < SCALE_PICTURES; i++)
        scripts[i] = scaling_picture(scaling, (ScalingPicture)i, cli->arena);
    json_t *document = scaling_json(scaling);
    bool ok = scale_save(cli, document, scripts, directory, err);
    json_decref(document);
    return ok;
}

bool scale_runs_show(Cli *cli, const Runs *runs, const char *directory, Err *err)
{
    ScalingOptions options;
    if (!read_options(cli, &options, err))
        return false;
    const Scaling *scaling = scaling_make(runs, &options, cli->arena);
    if (directory && !save(cli, scaling, directory, err))
        return false;
    if (cli->json) {
        json_t *document = scaling_json(scaling);
        if (directory)
            json_object_set_new(document, "output", json_from_text(directory));
        cli_print_json(&verb_scale, document);
    } else if (!cli->quiet) {
        fputs(scaling_text(scaling, cli->color, cli->arena), stdout);
        if (directory)
            printf("\n%s: scaling.json and pictures\n", directory);
    }
    return true;
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    Runs *runs;
    if (n != 1)
        return err_set(err, ERR_USAGE, n ? "expected one file of run times" : "expected a file of run times") ||
               scale_usage(&scale_runs, err);
    return runs_load(words[0], cli->arena, &runs, err) && scale_runs_show(cli, runs, scale_options.output, err);
}

const ScaleMode scale_runs = {
    .name = "run times",
    .synopsis = "RUNS.csv [--sequential SECONDS] [--efficiency 0.5] [--predict LIST] [-o DIR]",
    .takes = SCALE_EFFICIENCY | SCALE_SEQUENTIAL | SCALE_PREDICT | SCALE_OUTPUT,
    .run = run,
};
