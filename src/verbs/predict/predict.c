/* SPDX-License-Identifier: BSD-3-Clause */
/* firma predict: from a signature and its phase times to the run time. */
#include "signature/predict/predict.h"
#include "cli/analysis.h"
#include "cli/cli.h"
#include "cli/option_values.h"
#include "model/signature.h"
#include "model/times.h"
#include "report/format.h"
#include "verbs/predict/several.h"
#include "verbs/predict/text.h"
#include "verbs/report/answer.h"

static double actual_s; /* 0: not given */
static double steps = 1;
static Choice estimator = {.given = "process", .name_at = prediction_estimator_name};
static int seconds_alone;

static const struct poptOption options[] = {
    {"actual", '\0', OPTION_SECONDS, &actual_s, 0, "a measured run time, to compute the prediction's error (PETE)",
     "SECONDS"},
    {"estimator", '\0', OPTION_CHOICE, &estimator, 0,
     "how phase times become a run time: process adds up each process's own times, and takes the slowest process; "
     "slowest adds up the times of the slowest process in each phase; by default process",
     "NAME"},
    {"steps", '\0', POPT_ARG_DOUBLE, &steps, 0,
     "the run has this many times as many steps as the traced one: its main loop repeats as much more often", "FACTOR"},
    {"seconds", '\0', POPT_ARG_NONE, &seconds_alone, 0, "print only the predicted seconds", NULL},
    POPT_TABLEEND};

static void note_missing_states(Cli *cli, const char *path, const PhaseTimes *times)
{
    const char *sentence = arena_printf(cli->arena, "%u of %u planned states were measured", times->measured_states,
                                        times->planned_states);
    if (times_are_incomplete(times))
        cli_note_incomplete(cli, path, &sentence, 1);
}

static bool check_usage(const Cli *cli, int n, Err *err)
{
    if (n < 2)
        return err_set(err, ERR_USAGE, "expected a signature and its phase times") ||
               err_hint(err, "firma predict app.firma times.json");
    if (n > 2 && actual_s > 0)
        return err_set(err, ERR_USAGE, "--actual goes with one file of phase times");
    if (!(steps >= 1e-6 && steps <= 1e6))
        return err_set(err, ERR_USAGE, "--steps: %g isn't a factor from 1e-6 to 1e6", steps);
    return !(seconds_alone && cli->json) || err_set(err, ERR_USAGE, "--seconds and --json: one at a time");
}

/* The loop that was found may not be the loop of steps, as of a program whose steps differ. */
static void note_small_loop(const Cli *cli, const char *path, const Prediction *prediction)
{
    const double most_of_run = 0.5;
    if (prediction->steps != 1 && prediction->loop_share < most_of_run)
        cli_note(
            cli,
            "%s: the main loop that was found has %s of the traced run's time, so most of the run stays as it was; "
            "if that isn't the loop of steps, trace a longer run",
            path, format_percent(cli->arena, prediction->loop_share));
}

static bool predict(Cli *cli, const Signature *signature, const char *path, SeveralRow *row, Err *err)
{
    PhaseTimes *times;
    if (!times_load(path, cli->arena, &times, err))
        return false;
    if (!predict_steps_time(signature, times, estimator.given, steps, cli->arena, &row->prediction, err))
        return err_prefix(err, "%s", path);
    row->path = path;
    row->times = times;
    note_missing_states(cli, path, times);
    note_small_loop(cli, path, &row->prediction);
    return true;
}

static void print_several(Cli *cli, const SeveralRow *rows, uint32_t n)
{
    if (cli->json)
        cli_print_json(cli, several_json(rows, n));
    else if (seconds_alone && !cli->quiet)
        for (uint32_t i = 0; i < n; i++)
            cli_print(cli, "%.9g\n", rows[i].prediction.predicted_s);
    else if (!cli->quiet) {
        answer_print(cli, "comparison", several_json(rows, n));
        cli_print(cli, "%s", several_text(rows, n, cli->color, cli->arena));
    }
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    (void)command;
    if (!check_usage(cli, n, err))
        return false;
    Signature *signature;
    if (!analysis_load_signature(cli, words[0], &signature, err))
        return err->kind == ERR_INPUT ? err_hint(err, "the order is: firma predict SIGNATURE TIMES") : false;
    uint32_t n_rows = (uint32_t)n - 1;
    SeveralRow *rows = arena_new_array(cli->arena, SeveralRow, n_rows);
    for (uint32_t i = 0; i < n_rows; i++)
        if (!predict(cli, signature, words[i + 1], &rows[i], err))
            return false;
    if (n_rows > 1) {
        print_several(cli, rows, n_rows);
        return true;
    }
    const PhaseTimes *times = rows[0].times;
    Prediction prediction = rows[0].prediction;
    if (!seconds_alone)
        answer_print(cli, "prediction", prediction_json(&prediction, actual_s));
    if (cli->json)
        cli_print_json(cli, prediction_json(&prediction, actual_s));
    else if (seconds_alone && !cli->quiet)
        cli_print(cli, "%.9g\n", prediction.predicted_s);
    else if (!cli->quiet)
        cli_print(cli, "%s", prediction_text(&prediction, times, actual_s, cli->color, cli->arena));
    return true;
}

const Verb verb_predict = {
    .name = "predict",
    .question = QUESTION_TIME,
    .summary = "predict the run time from a signature and its phase times",
    .synopsis = "[--actual SECONDS] [--steps FACTOR] [--estimator NAME] [--seconds] SIGNATURE TIMES… | STUDY [TIMES…]",
    .description =
        "Predicts the application's run time on a machine from the phase times that `firma measure` found there. The "
        "prediction is the time of the executed part, plus each phase's remaining occurrences at its mean duration, "
        "plus the shutdown. The run time lasts from the return of MPI_Init to the entry of MPI_Finalize, in the "
        "slowest process.\n\n"
        "A phase is a stretch of communication and computation that repeats. Its weight is how often it occurs. The "
        "pace is the time here over the traced time, for the measured stretches. Phases that weren't measured take "
        "their traced time × pace. The table tells which phases these are; its rows add up to the prediction.\n\n"
        "With --steps, the run has more or fewer steps than the traced one: 2.5 for 5000 steps instead of 2000. Phases "
        "inside the main loop, which the traced run repeats in its middle, occur as much more often; what comes "
        "before and behind it stays, and slow first or last occurrences aren't repeated. `firma measure --accept-differences` measures a run with other arguments.\n\n"
        "The interval (95 %) contains the spread between measured windows, and the drift of the traced run over "
        "stretches as long as the measured one.\n\n"
        "A folder of `firma study` stands for its signature and its phase times.\n\n"
        "With several files of phase times, of other machines or other mappings, prints a table of predictions, and "
        "says whether the fastest is faster beyond the intervals.\n\n"
        "PET is the predicted execution time. SET is the signature's execution time: one occurrence of each relevant "
        "phase. PETE is the error of the prediction, in percent.",
    .examples = "firma predict app.firma times.json                 # predict\n"
                "firma predict app.study                            # again, as firma study did\n"
                "firma predict app.firma times.json --actual 208.1  # also compare with a measured run time\n"
                "firma predict app.firma a.json b.json c.json       # which machine, or which mapping, is fastest?\n"
                "firma predict app.firma times.json --steps 5      # five times as many steps as were traced\n"
                "firma predict app.firma times.json --seconds       # for scripts: only the number",
    .files = "firma json",
    .of_study = STUDY_SIGNATURE " " STUDY_TIMES,
    .options = options,
    .run = run,
};
