/* SPDX-License-Identifier: BSD-3-Clause */
/* See calibration_option.h. */
#include "verbs/cost/calibration_option.h"

#include "cost/predict/calibrated.h"
#include "verbs/cost/cost.h"

bool calibration_option_load(Arena *arena, PredictOptions *how, Err *err)
{
    return !cost_options.calibration ||
           calibration_load(cost_options.calibration, arena, &how->calibrations, &how->n_calibrations, err);
}

bool calibration_option_check(const Cli *cli, const PaslApplication *application, const PamelaModel *const *models,
                              const PredictOptions *how, Err *err)
{
    const CalibratedUse use = {application, models, how->machine, how->n_set, how->set};
    const char *far;
    if (!calibrated_check(&use, cost_options.calibration, how->calibrations, how->n_calibrations, &far, cli->arena,
                          err))
        return false;
    if (*far)
        cli_note(cli,
                 "far from what was calibrated: %s; with more than %d times the data, caches may give another scale, "
                 "which the interval doesn't contain",
                 far, CALIBRATED_FAR);
    return true;
}
