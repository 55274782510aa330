/* SPDX-License-Identifier: BSD-3-Clause */
/* firma predict: from a signature and its phase times to the run time. */
#include "cli/cli.h"
#include "model/signature.h"
#include "model/times.h"
#include "predict/predict.h"
#include "report/prediction.h"
#include <math.h>
#include <stdio.h>

static double actual_s;
static char *estimator = "process";

static const struct poptOption options[] = {{"actual", 'a', POPT_ARG_DOUBLE, &actual_s, 0,
                                             "the run time that was measured, to tell the error (PETE)", "SECONDS"},
                                            {"estimator", 'e', POPT_ARG_STRING, &estimator, 0,
                                             "process (default): each process's own phases, then the slowest process; "
                                             "slowest: the slowest process of each phase",
                                             "NAME"},
                                            POPT_TABLEEND};

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    if (n != 2) {
        err_set(err, ERR_USAGE, "expected a signature and its phase times");
        return err_hint(err, "firma predict app.firma times.json");
    }
    if (actual_s < 0 || !isfinite(actual_s))
        return err_set(err, ERR_USAGE, "--actual: expected seconds above 0");
    Signature *signature;
    PhaseTimes *times;
    Prediction prediction;
    if (!signature_load(words[0], cli->arena, &signature, err) || !times_load(words[1], cli->arena, &times, err) ||
        !predict_run_time(signature, times, estimator, cli->arena, &prediction, err))
        return false;
    if (cli->json)
        cli_print_json(&verb_predict, prediction_json(&prediction, actual_s));
    else
        fputs(prediction_text(&prediction, times, actual_s, cli->color, cli->arena), stdout);
    return true;
}

const Verb verb_predict = {
    .name = "predict",
    .summary = "predict the run time from a signature and its phase times",
    .synopsis = "[--actual SECONDS] [--estimator NAME] SIGNATURE TIMES",
    .description =
        "Extrapolates the phase times that `firma measure` found on a machine to the application's run time there: "
        "each "
        "phase's time by its weight, what ran as it ran, and startup and shutdown. The run time is that of the thesis: "
        "from the "
        "return of MPI_Init to the entry of MPI_Finalize in the slowest process.\n\n"
        "The interval holds the spread between measuring windows and the drift that the traced run shows over "
        "stretches as "
        "long as the measured one. Phases that were not measured are taken from the traced run, scaled by how much "
        "faster or slower the measured ones are here; the table says which.",
    .examples = "firma predict app.firma times.json   # predict\n"
                "firma predict app.firma times.json --actual 208.1   # and compare with what the run took\n"
                "firma predict app.firma times.json --json | jq .predicted_s   # for scripts",
    .options = options,
    .run = run,
};
