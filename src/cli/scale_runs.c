/* SPDX-License-Identifier: BSD-3-Clause */
/* firma scale RUNS.csv: from run times. */
#include "base/files.h"
#include "base/json.h"
#include "cli/list_option.h"
#include "cli/scale_modes.h"
#include "report/plot.h"
#include "report/scaling.h"
#include "scaling/scaling.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

static bool make_directory(const char *directory, Err *err)
{
    if (mkdir(directory, 0777) == 0 || (errno == EEXIST && files_is_directory(directory)))
        return true;
    return err_set(err, errno == EEXIST ? ERR_USAGE : ERR_ENVIRONMENT, "%s: %s", directory,
                   errno == EEXIST ? "is there, and no directory" : strerror(errno));
}

static void save_pictures(Cli *cli, const Scaling *scaling, const char *directory)
{
    static const char *const names[] = {[SCALING_PICTURE_TIME] = "time.svg",
                                        [SCALING_PICTURE_SPEEDUP] = "speedup.svg",
                                        [SCALING_PICTURE_EFFICIENCY] = "efficiency.svg",
                                        [SCALING_PICTURE_ISOEFFICIENCY] = "isoefficiency.svg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Err err = {0};
        const char *script = scaling_picture(scaling, (ScalingPicture)i, cli->arena);
        if (script && !plot_draw(script, arena_printf(cli->arena, "%s/%s", directory, names[i]), &err)) {
            cli_note(cli, "no pictures: %s", err.message);
            return;
        }
    }
}

static bool save(Cli *cli, const Scaling *scaling, const char *directory, Err *err)
{
    if (!make_directory(directory, err))
        return false;
    json_t *document = scaling_json(scaling);
    bool ok = json_save_document(document, arena_printf(cli->arena, "%s/scaling.json", directory), err);
    json_decref(document);
    if (ok)
        save_pictures(cli, scaling, directory);
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
