/* SPDX-License-Identifier: BSD-3-Clause */
/* See calibration_option.h. */
#include "verbs/cost/calibration_option.h"

#include "cost/predict/calibrated.h"
#include "cost/predict/scale.h"
#include "report/format.h"
#include "verbs/cost/cost.h"

#include <string.h>

static const double NOISY = 1.05;

bool calibration_option_load(Arena *arena, PredictOptions *how, Err *err)
{
    return !cost_options.calibration ||
           calibration_load(cost_options.calibration, arena, &how->calibrations, &how->n_calibrations, err);
}

bool calibration_option_check(const PaslApplication *application, const PamelaModel *const *models,
                              const PredictOptions *how, Arena *arena, Err *err)
{
    const CalibratedUse use = {application, models, how};
    return calibrated_check(&use, cost_options.calibration, arena, err);
}

/* With a calibration, operations count one by one; without, cycles of compiled loops may say more. */
static void warn_of_wider(const Cli *cli, const CalibratedUse *use, const Calibration *calibration)
{
    for (size_t i = 0; calibration->carried && i < use->application->n_batches; i++) {
        const PaslBatch *batch = &use->application->batches[i];
        const CpuCosts *costs = calibrated_costs(machine_find_processor(use->how->machine, calibration->kind), batch);
        const Interval cycle = costs ? cpu_cost(costs, CPU_CYCLE, CPU_INT64, 0) : (Interval){0, -1};
        double width = calibration->scale.high / calibration->scale.low;
        if (strcmp(batch->name, calibration->batch) == 0 && cycle.low > 0 && cycle.high / cycle.low < width)
            cli_note(
                cli,
                "batch `%s` on %s: what the calibration of %s says is wider (high/low %.1f) than what compiled code "
                "says (%.1f); predict without --calibration there",
                batch->name, calibration->kind, calibration->carried, width, cycle.high / cycle.low);
    }
}

static void note_left(const Cli *cli, const Calibration *calibration)
{
    if (!(calibration->left_bytes > 0))
        return;
    const char *left = format_bytes(cli->arena, calibration->left_bytes);
    cli_note(
        cli,
        "batch `%s` on %s: a task's data (%s) exceed %s, and at the sizes that were calibrated they didn't (at most "
        "%s), so the interval guesses what they cost there; calibrate at a larger size",
        calibration->batch, calibration->kind, format_bytes(cli->arena, calibration->task_bytes),
        calibration->left_bytes < SCALE_REUSED_BYTES ? arena_printf(cli->arena, "a cache of %s", left)
                                                     : arena_printf(cli->arena, "the %s that malloc() reuses", left),
        format_bytes(cli->arena, calibration->most_bytes));
}

bool calibration_option_scale(const Cli *cli, const PaslApplication *application, const PamelaModel *const *models,
                              PredictOptions *how, Err *err)
{
    const CalibratedUse use = {application, models, how};
    const char *far;
    if (!cost_options.calibration)
        return true;
    if (!calibration_option_check(application, models, how, cli->arena, err) ||
        !calibrated_scale(&use, &how->n_calibrations, &how->calibrations, &far, cli->arena, err))
        return false;
    if (!how->n_calibrations)
        return err_set(err, ERR_INPUT, "%s has none of the application's batches", cost_options.calibration) ||
               err_hint(err, "calibrate them with `firma cost run --calibrate`, or predict without a calibration");
    const CalibrationSpread spread = calibration_spread(how->calibrations, how->n_calibrations);
    if (spread.middle > NOISY)
        cli_note(
            cli,
            "the calibration's runs took up to %.0f %% longer than the shortest of a sample, the middle one %.0f %%; "
            "intervals are of runs that other programs don't disturb",
            100 * (spread.most - 1), 100 * (spread.middle - 1));
    for (size_t i = 0; i < how->n_calibrations; i++) {
        warn_of_wider(cli, &use, &how->calibrations[i]);
        note_left(cli, &how->calibrations[i]);
    }
    if (*far)
        cli_note(cli, "far from what was calibrated: %s; calibrate at a size that is at most %d times smaller", far,
                 CALIBRATED_FAR);
    return true;
}
