/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost run: runs an application's tasks on workers, allocated as in a prediction. */
#include "verbs/cost/run.h"

#include "base/caretaker.h"
#include "base/files.h"
#include "base/json.h"
#include "base/lock.h"
#include "cli/measuring.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/shared_options.h"
#include "cli/values.h"
#include "cost/predict/allocate.h"
#include "cost/run/protocol.h"
#include "verbs/cost/application.h"
#include "verbs/cost/calibration_option.h"
#include "verbs/cost/cost.h"
#include "verbs/cost/machines.h"
#include "verbs/cost/models.h"
#include "verbs/cost/run_text.h"
#include "verbs/report/answer.h"
#include "verbs/report/data.h"
#include "verbs/report/making.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { REPEATS = 4, SAMPLE = 8, REPEATS_LIMIT = 10000 };

static struct {
    char *timeout, *output;
    int repeat, calibrate, count, tasks;
} options = {.repeat = REPEATS};

static const struct poptOption option_table[] = {
    SHARED_OPTIONS(cost_set_option_table),
    SHARED_OPTIONS(cost_depth_option_table),
    SHARED_OPTIONS(cost_machine_option_table),
    {"output", 'o', POPT_ARG_STRING, &options.output, 0, "where to write the results, or the calibration", "FILE"},
    SHARED_OPTIONS(report_option_table),
    SHARED_OPTIONS(force_option_table),
    SHARED_OPTIONS(mpi_option_table),
    {"repeat", 'r', OPTION_COUNT, &options.repeat, 0, "how many times to run on each choice of machines; by default 4",
     "N"},
    {"timeout", 0, OPTION_DURATION, &options.timeout, 0, "stop and name a task that takes longer, such as 90s or 5m",
     "DURATION"},
    {"calibrate", 0, POPT_ARG_NONE, &options.calibrate, 0,
     "run a sample of the tasks, and write measured and predicted times to --output, with what --calibration has; "
     "without --output, add them to --calibration",
     NULL},
    {"count", 0, POPT_ARG_NONE, &options.count, 0,
     "run a sample of the tasks, count how often conditions hold, loops iterate and recursions call, and write that to "
     "--output, with what --counts has; without --output, add it to --counts",
     NULL},
    {"tasks", 0, OPTION_COUNT, &options.tasks, 0,
     "with --calibrate: how many tasks each worker runs of each batch, of which the first half warms "
     "up; with --count: how many tasks of each batch run; by default 8",
     "N"},
    POPT_TABLEEND};

/* ---- choices --------------------------------------------------------------------------------------------------- */

/* Tasks on workers, with the prediction if there is a machine model. */
typedef struct Placed {
    CostRunChoice shown;
    const uint64_t *const *counts; /* NULL: free workers get the next task */
} Placed;

static bool place_equally(const CostRunning *running, uint64_t n_workers, Placed *placed, Err *err)
{
    const PaslApplication *application = running->application;
    Arena *arena = running->cli->arena;
    *placed = (Placed){{.n_workers = n_workers}, NULL};
    if (running->how.is_dynamic)
        return true;
    uint64_t **counts = arena_new_array(arena, uint64_t *, application->n_batches);
    double *performance = arena_new_array(arena, double, n_workers);
    for (uint64_t i = 0; i < n_workers; i++)
        performance[i] = 1;
    for (size_t i = 0; i < application->n_batches; i++) {
        uint64_t n_tasks;
        counts[i] = arena_new_array(arena, uint64_t, n_workers);
        if (!run_count_tasks(application, &application->batches[i], &n_tasks, err))
            return false;
        allocate_tasks(n_tasks, performance, n_workers, counts[i]);
    }
    placed->counts = (const uint64_t *const *)counts;
    return true;
}

static bool place_workers(const CostRunning *running, size_t *n, Placed **placed, Err *err)
{
    uint32_t count;
    const uint64_t *numbers;
    if (cost_options.kinds.given)
        return err_set(err, ERR_USAGE, "--kinds needs a machine model that has these kinds") ||
               err_hint(err, "add -m machine.json, which `firma machine cpu` makes");
    if (!cost_find_workers(RUN_WORKERS_LIMIT, running->cli->arena, &count, &numbers, err))
        return false;
    *placed = arena_new_array(running->cli->arena, Placed, count);
    *n = count;
    for (uint32_t i = 0; i < count; i++)
        if (!place_equally(running, numbers[i], &(*placed)[i], err))
            return false;
    return true;
}

static bool place_predicted(const CostRunning *running, Predictor *predictor, const MachineChoices *choices, size_t n,
                            Placed *placed, Err *err)
{
    for (size_t i = 0; i < n; i++) {
        CostPrediction *prediction;
        if (!predictor_predict(predictor, choices[i].items, choices[i].count, &prediction, err))
            return err->hint[0] ? false : err_hint(err, "without -m, tasks are run and nothing is predicted");
        if (prediction->n_workers > RUN_WORKERS_LIMIT)
            return err_set(err, ERR_USAGE, "more than %d workers are chosen", RUN_WORKERS_LIMIT);
        if (prediction->workers_a_processor > 1)
            cli_note(
                running->cli,
                "%s: %.3g workers share a processor; in the prediction, they progress equally, and cost each other "
                "nothing",
                prediction->machines, prediction->workers_a_processor);
        placed[i] = (Placed){{.n_workers = prediction->n_workers,
                              .machines = prediction->machines,
                              .is_predicted = true,
                              .is_calibrated = prediction->is_calibrated,
                              .predicted_s = prediction->time_s},
                             running->how.is_dynamic ? NULL : prediction->counts};
    }
    return true;
}

static bool place(const CostRunning *running, size_t *n, Placed **placed, Err *err)
{
    const MachineChoices *choices;
    Predictor *predictor = NULL;
    Arena *arena = running->cli->arena;
    if (!running->how.machine)
        return place_workers(running, n, placed, err);
    if (!cost_find_choices(running->how.machine, arena, n, &choices, err) ||
        !predictor_new(running->application, running->models, &running->how, arena, &predictor, err))
        return false;
    *placed = arena_new_array(arena, Placed, *n);
    bool ok = place_predicted(running, predictor, choices, *n, *placed, err);
    predictor_end(predictor);
    return ok;
}

/* ---- runs ------------------------------------------------------------------------------------------------------ */

static bool output(const CostRunning *running, const CostRunsReport *report, Err *err)
{
    Cli *cli = running->cli;
    json_t *document = cost_runs_json(report, cli->arena);
    bool ok = !options.output || json_save_document(document, options.output, err);
    ok = ok && report_option_write(cli, NULL, "runs", report_runs(document), err);
    if (ok && options.output)
        json_object_set_new(document, "output", json_from_text(options.output));
    if (ok)
        report_option_add(document);
    if (ok && cli->json)
        cli_print_json(cli, json_incref(document));
    else if (ok && !cli->quiet) {
        answer_print(cli, "runs", json_incref(document));
        cli_print(cli, "%s", cost_runs_text(report, cli->color, cli->arena));
    }
    json_decref(document);
    return ok;
}

static bool run_all(const CostRunning *running, Err *err)
{
    size_t n = 0;
    Placed *placed = NULL;
    if (!place(running, &n, &placed, err))
        return false;
    CostRunChoice *choices = arena_new_array(running->cli->arena, CostRunChoice, n);
    CostRunsReport report = {
        .application = running->application, .is_dynamic = running->how.is_dynamic, .n_choices = n, .choices = choices};
    for (size_t i = 0; i < n; i++) {
        RunTimes *runs = arena_new_array(running->cli->arena, RunTimes, running->repeats);
        choices[i] = placed[i].shown;
        choices[i].runs = runs;
        choices[i].n_runs = running->repeats;
        if (!cost_run_tasks(running, (uint32_t)choices[i].n_workers, placed[i].counts, NULL, running->repeats, runs,
                            &report.library, err))
            return false;
    }
    return output(running, &report, err);
}

static bool load_machine(CostRunning *running, const CostSettings *others, Err *err)
{
    Arena *arena = running->cli->arena;
    MachineModel *machine = NULL;
    PredictOptions *how = &running->how;
    if (!cost_load_machine(arena, &machine, err))
        return false;
    how->machine = machine;
    how->configuration = cost_options.configuration;
    how->without_messages = machine->n_paths == 0;
    if (how->without_messages && !options.calibrate)
        cli_note(running->cli, "predictions leave messages out: %s doesn't say what messages cost",
                 cost_options.machine);
    how->set = others->items;
    how->n_set = others->count;
    return calibration_option_load(arena, how, err) &&
           cost_analyse_batches(running->cli, running->application, options.calibrate, how, &running->models, err);
}

/* One worker runs the tasks once, and nothing is predicted. */
static bool check_counting(Err *err)
{
    const char *other = options.calibrate               ? "--calibrate"
                        : cost_options.machine          ? "--machine"
                        : cost_options.calibration      ? "--calibration"
                        : cost_options.configuration    ? "--configuration"
                        : cost_options.kinds.given      ? "--kinds"
                        : cost_options.workers.given    ? "--workers"
                        : cost_options.allocation.given ? "--allocation"
                        : report_option()               ? "--report"
                                                        : NULL;
    if (other)
        return err_set(err, ERR_USAGE, "--count and %s are both given", other) ||
               err_hint(err, "--count runs tasks on one worker, and needs no machine model");
    return options.output || cost_options.counts || err_set(err, ERR_USAGE, "--count needs a file for the counts") ||
           err_hint(err, "add -o counts.json, or --counts OLD.json to add a size to earlier counts");
}

static bool check_options(Err *err)
{
    if (options.repeat > REPEATS_LIMIT)
        return err_set(err, ERR_USAGE, "--repeat: %d is more than %d", options.repeat, REPEATS_LIMIT);
    if (options.tasks && !options.calibrate && !options.count)
        return err_set(err, ERR_USAGE, "--tasks goes with --calibrate and --count");
    if (options.calibrate && cost_is_dynamic())
        return err_set(err, ERR_USAGE,
                       "--calibrate gives each worker a sample of the tasks beforehand: leave out "
                       "--allocation dynamic");
    if (options.count)
        return check_counting(err);
    if (cost_options.counts && !cost_options.machine)
        return err_set(err, ERR_USAGE, "--counts is for predictions, which need a machine model") ||
               err_hint(err, "add -m machine.json, which `firma machine cpu` makes; or --count to add to the counts");
    if ((options.calibrate || cost_options.calibration) && !cost_options.machine)
        return err_set(err, ERR_USAGE, "predictions and calibrations need a machine model") ||
               err_hint(err, "add -m machine.json, which `firma machine cpu` makes");
    if (cost_options.configuration && !cost_options.machine)
        return err_set(err, ERR_USAGE, "--configuration needs a machine model that has it") ||
               err_hint(err, "add -m machine.json, which `firma comm` makes");
    if (options.calibrate && report_option())
        return err_set(err, ERR_USAGE, "--calibrate and --report are both given") ||
               err_hint(err, "a report shows runs");
    if (options.calibrate && !options.output && !cost_options.calibration)
        return err_set(err, ERR_USAGE, "--calibrate needs a file for the calibration") ||
               err_hint(err, "add -o calibration.json, or --calibration OLD.json to add a size to an earlier one");
    return true;
}

/* Of runs that add to one file at the same time, the second one waits: else one would lose the other's numbers. */
static Lock *hold(const Cli *cli, const char *file)
{
    char resolved[PATH_MAX];
    const char *path = arena_printf(cli->arena, "%s.lock", files_resolve(file, resolved) ? resolved : file),
               *own = cli_own_command(cli);
    LockHolder holder;
    Lock *lock = NULL;
    if (lock_try(path, own, cli->arena, &lock, &holder) == LOCK_HELD) {
        cli_note(cli, "waits, because another run adds to %s: %s", file, holder.text);
        lock_wait(path, own, cli->arena, &lock);
    }
    if (lock)
        caretaker_note(CARETAKER_LOCK, path);
    else
        cli_note(cli, "%s: can't be locked, so don't add to this file with another run at the same time", file);
    return lock;
}

static bool run_application(CostRunning *running, const char *file, char *const *command, Err *err)
{
    Cli *cli = running->cli;
    CostSettings others = {0}, settings = {0};
    if (!cost_load_application(file, cli->arena, &running->application, cost_options.machine ? &others : NULL, err) ||
        !cost_read_settings(running->application->space, cli->arena, &settings, err) ||
        (cost_options.machine && !load_machine(running, &others, err)))
        return false;
    running->omp_threads = cost_find_setting(&settings, PAMELA_THREADS);
    if (running->flavour == MPI_FLAVOUR_SMPI)
        return err_set(err, ERR_USAGE, "--mpi: tasks run on openmpi or mpich");
    if (!options.count) /* counts don't depend on what else runs */
        measuring_begin(cli, command);
    const unsigned tasks = options.tasks ? (unsigned)options.tasks : SAMPLE;
    return options.calibrate ? cost_calibrate(running, tasks, err)
           : options.count   ? cost_count(running, tasks, err)
                             : run_all(running, err);
}

static bool run(Cli *cli, int n, const char *const *words, char *const *command, Err *err)
{
    CostRunning running = {.cli = cli, .launcher = (const char *const *)command, .flavour = mpi_option()};
    if (n != 1)
        return err_set(err, ERR_USAGE, "expected one flow file");
    if (!cost_check_depth(err))
        return false;
    running.repeats = (unsigned)options.repeat;
    running.output = options.output      ? options.output
                     : options.calibrate ? cost_options.calibration
                     : options.count     ? cost_options.counts
                                         : NULL;
    running.how.is_dynamic = cost_is_dynamic();
    const char *const inputs[] = {words[0], cost_options.machine, cost_options.calibration, cost_options.counts};
    if (!check_options(err) ||
        !outputs_check((const Output[]){{.path = options.output}, {.path = report_option()}}, 2, inputs,
                       sizeof inputs / sizeof *inputs, cli->arena, err) ||
        (options.timeout && !seconds_option_parse("--timeout", options.timeout, &running.limit_s, err)))
        return false;
    Lock *lock = running.output && !options.output ? hold(cli, running.output) : NULL;
    bool ok = run_application(&running, words[0], command, err);
    lock_release(lock);
    return ok;
}

const Verb cost_run = {
    .name = "cost run",
    .summary = "run an application's tasks for real, and calibrate predictions",
    .synopsis = "APP.pasl [--workers LIST] [-m MACHINE] [--kinds KIND:N,…] [-c NAME] [--allocation NAME] [--repeat N] "
                "[--calibrate | --count] [-o FILE] [-- LAUNCHER …]",
    .description =
        "Runs the tasks for real: a master and workers on MPI have the tasks that prediction gives them. "
        "With --allocation dynamic, the master gives the next task to each worker that has returned a result. "
        "firma compiles the sources with cc and javac. firma prints the times of runs, tasks and "
        "workers, and with -m the predicted times beside them. A "
        "task that crashes, ends its process or exceeds its --timeout is named.\n\n"
        "With --calibrate, a sample of the tasks runs. Measured and predicted times become "
        "a calibration, for `firma cost predict --calibration`. Further sizes (--set) are added with --calibration: "
        "three sizes tell startup, computation and memory apart.\n\n"
        "With --count, copies of the sources in C run that count what the sources don't tell: how often each condition "
        "holds, which cases a switch takes, how often loops iterate and recursions call. `firma cost predict --counts` "
        "takes these numbers. Further sizes are added with --counts: three sizes tell how iterations grow.",
    .examples = "firma cost run app.pasl --workers 1,2 -o results.json\n"
                "firma cost run app.pasl -m machine.json --workers 2,4 --allocation dynamic\n"
                "firma cost run app.pasl -m machine.json --set N=10^7 --calibrate -o calibration.json\n"
                "firma cost run app.pasl -m machine.json --set N=10^8 --calibrate --calibration calibration.json\n"
                "firma cost run app.pasl --set N=1000 --count -o counts.json",
    .files = "pasl",
    .options = option_table,
    .takes_command = true,
    .run = run,
};
