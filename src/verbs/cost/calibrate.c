/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost run --calibrate: how much longer or shorter tasks take than predicted. Runs a sample
 * of each batch's tasks, in turn by one worker and by as many as there are processors. So the scale
 * contains how workers slow each other down, and how runs differ. */
#include "base/json.h"
#include "cost/predict/calibrated.h"
#include "cost/predict/sizes.h"
#include "cost/predict/task_parts.h"
#include "cost/run/sample.h"
#include "report/format.h"
#include "report/table.h"
#include "verbs/cost/cost.h"
#include "verbs/cost/machines.h"
#include "verbs/cost/run.h"

#include <math.h>
#include <string.h>

static const double SHORT_S = 0.05; /* of shorter tasks, most is a cold start: empty caches, code not compiled yet */

/* A choice of machines, its sample of tasks, and its runs. */
typedef struct Sampling {
    const MachineChoices *machines;
    uint32_t n_workers;
    uint64_t **counts;        /* [n_batches][n_workers] */
    const uint64_t **numbers; /* [n_batches] */
    TaskParts **predicted;    /* [n_batches][tasks] */
    RunTimes *runs;           /* [repeats] */
} Sampling;

typedef struct Scale {
    Calibration calibration;
    size_t n_ratios, n_before; /* runs that were in the calibration before */
    double mean_task_s;
} Scale;

static const char *kind_of(const MachineChoices *machines, uint32_t worker)
{
    for (size_t i = 0; i < machines->count; i++) {
        uint32_t n = machines->items[i].n_machines * machines->items[i].workers_each;
        if (worker < n)
            return machines->items[i].kind;
        worker -= n;
    }
    return NULL;
}

/* ---- samples --------------------------------------------------------------------------------------------------- */

static bool predict_sample(const CostRunning *running, Sampling *sampling, size_t batch, Err *err)
{
    uint64_t n = 0;
    for (uint32_t worker = 0; worker < sampling->n_workers; worker++)
        n += sampling->counts[batch][worker];
    sampling->predicted[batch] = arena_new_array(running->cli->arena, TaskParts, n);
    for (uint64_t task = 0, worker = 0, of_worker = 0; task < n; task++, of_worker++) {
        while (of_worker == sampling->counts[batch][worker]) {
            worker++;
            of_worker = 0;
        }
        if (!task_parts(running->application, running->models, &running->how, batch,
                        kind_of(sampling->machines, (uint32_t)worker), sampling->numbers[batch][task],
                        running->cli->arena, &sampling->predicted[batch][task], err))
            return false;
    }
    return true;
}

/* Each worker gets an equal number of tasks; if they can't be divided equally, the first workers
 * get one more. */
static bool sample(const CostRunning *running, const MachineChoices *machines, unsigned tasks, Sampling *sampling,
                   Err *err)
{
    Arena *arena = running->cli->arena;
    const size_t n_batches = running->application->n_batches;
    *sampling = (Sampling){.machines = machines,
                           .counts = arena_new_array(arena, uint64_t *, n_batches),
                           .numbers = arena_new_array(arena, const uint64_t *, n_batches),
                           .predicted = arena_new_array(arena, TaskParts *, n_batches),
                           .runs = arena_new_array(arena, RunTimes, running->repeats)};
    for (size_t i = 0; i < machines->count; i++)
        sampling->n_workers += machines->items[i].n_machines * machines->items[i].workers_each;
    for (size_t i = 0; i < n_batches; i++) {
        uint64_t n_tasks, wanted = (uint64_t)tasks * sampling->n_workers;
        if (!run_count_tasks(running->application, &running->application->batches[i], &n_tasks, err))
            return false;
        uint64_t n = wanted < n_tasks ? wanted : n_tasks;
        sampling->numbers[i] = sample_tasks(n_tasks, n, arena);
        sampling->counts[i] = arena_new_array(arena, uint64_t, sampling->n_workers);
        for (uint64_t worker = 0; worker < sampling->n_workers; worker++)
            sampling->counts[i][worker] = n / sampling->n_workers + (worker < n % sampling->n_workers);
        if (!predict_sample(running, sampling, i, err))
            return false;
    }
    return true;
}

/* By default one worker, and one worker on each processor of the kind. */
static bool find_choices(const CostRunning *running, size_t *n, const MachineChoices **choices, Err *err)
{
    if (!cost_find_choices(running->how.machine, running->cli->arena, n, choices, err))
        return false;
    if (cost_options.kinds.given || cost_options.workers.given)
        return true;
    const char *kind = (*choices)[0].items[0].kind;
    uint32_t n_cores = machine_find_processor(running->how.machine, kind)->n_cores;
    MachineChoices *list = arena_new_array(running->cli->arena, MachineChoices, 2);
    MachineChoice *items = arena_new_array(running->cli->arena, MachineChoice, 2);
    items[0] = (MachineChoice){kind, 1, 1};
    items[1] = (MachineChoice){kind, 1, n_cores};
    list[0] = (MachineChoices){1, &items[0]};
    list[1] = (MachineChoices){1, &items[1]};
    *choices = list;
    *n = n_cores > 1 ? 2 : 1;
    return true;
}

/* ---- scales ---------------------------------------------------------------------------------------------------- */

/* Adds what was predicted and measured for a batch's tasks on a kind: their means. Leaves out the first half of each
 * worker's tasks, which warms up caches and the JVM. */
static void add_tasks(const CostRunning *running, const Sampling *sampling, size_t batch, Scale *scale,
                      CalibrationRun *run)
{
    double *measured_s = arena_new_array(running->cli->arena, double, running->repeats), n = 0;
    for (uint64_t task = 0, worker = 0; worker < sampling->n_workers; worker++)
        for (uint64_t i = 0; i < sampling->counts[batch][worker]; i++, task++) {
            if (i < sampling->counts[batch][worker] / 2 ||
                strcmp(kind_of(sampling->machines, (uint32_t)worker), scale->calibration.kind) != 0)
                continue;
            task_parts_add(&run->predicted, &sampling->predicted[batch][task], ++n);
            for (unsigned k = 0; k < running->repeats; k++)
                measured_s[k] += (sampling->runs[k].batches[batch].task_s[task] - measured_s[k]) / n;
        }
    for (size_t i = 0; i < sampling->machines->count; i++) {
        const MachineChoice *choice = &sampling->machines->items[i];
        if (strcmp(choice->kind, scale->calibration.kind) == 0)
            run->busy = calibration_busy(scale->calibration.cpu->n_cores, choice->workers_each);
    }
    run->measured_s = measured_s;
    run->n_measured = n > 0 ? running->repeats : 0;
}

/* Adds the ratios of measured to predicted times. */
static void add_ratios(const CalibrationRun *run, Scale *scale)
{
    Interval *all = &scale->calibration.scale;
    for (size_t k = 0; k < run->n_measured; k++) {
        double ratio = run->measured_s[k] / task_parts_s(run->predicted);
        *all = scale->n_ratios++ ? interval_hull(*all, (Interval){ratio, ratio}) : (Interval){ratio, ratio};
        scale->mean_task_s += (run->measured_s[k] - scale->mean_task_s) / (double)scale->n_ratios;
    }
}

static bool find_scale(const CostRunning *running, const Sampling *samplings, size_t n, size_t batch, const char *kind,
                       Scale *scale, Err *err)
{
    Arena *arena = running->cli->arena;
    const char *name = running->application->batches[batch].name;
    const CalibratedUse use = {running->application, running->models, &running->how};
    const Calibration *before = calibration_find(running->how.calibrations, running->how.n_calibrations, name, kind);
    const size_t n_before = before ? before->n_runs : 0;
    CalibrationRun *runs = arena_new_array(arena, CalibrationRun, n_before + n);
    *scale = (Scale){.calibration = {.batch = name, .kind = kind, .runs = runs, .n_runs = n_before}};
    scale->calibration.cpu = machine_find_processor(running->how.machine, kind);
    if (before)
        memcpy(runs, before->runs, n_before * sizeof *runs);
    for (size_t i = 0; i < n; i++) {
        CalibrationRun *run = &runs[scale->calibration.n_runs];
        add_tasks(running, &samplings[i], batch, scale, run);
        if (!run->n_measured || !(run->predicted.computation_s > 0))
            continue;
        run->sizes = predict_sizes(running->application, &running->how, &run->n_sizes, arena);
        add_ratios(run, scale);
        scale->calibration.n_runs++;
    }
    if (scale->n_ratios == 0)
        return err_set(
            err, ERR_INPUT,
            "batch `%s` can't be calibrated on %s: none of its tasks ran there, or their predicted time is 0", name,
            kind);
    scale->n_before = n_before;
    calibrated_describe(&use, batch, &scale->calibration, arena);
    return true;
}

/* Kinds of the choices, each once. */
static size_t list_kinds(const MachineChoices *choices, size_t n, const char **kinds, size_t room)
{
    size_t n_kinds = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < choices[i].count; k++) {
            size_t at = 0;
            while (at < n_kinds && strcmp(kinds[at], choices[i].items[k].kind) != 0)
                at++;
            if (at == n_kinds && n_kinds < room)
                kinds[n_kinds++] = choices[i].items[k].kind;
        }
    return n_kinds;
}

static void warn(const Cli *cli, const Scale *scale)
{
    if (scale->mean_task_s < SHORT_S)
        cli_note(cli,
                 "batch `%s`: its tasks take only %s, so cold starts distort the scale (empty caches, code that the "
                 "JVM hasn't compiled yet); choose larger parameters, so that a task takes at least %s",
                 scale->calibration.batch, format_seconds(cli->arena, scale->mean_task_s),
                 format_seconds(cli->arena, SHORT_S));
}

static void print(const CostRunning *running, const Scale *scales, size_t n)
{
    Cli *cli = running->cli;
    Table *table = table_new(cli->arena);
    size_t n_before = 0;
    table_columns(table, "batch|machine|>a task|>runs|measured/predicted");
    for (size_t i = 0; i < n; i++) {
        n_before += scales[i].n_before;
        table_cells(table, "%s|%s|%s|%zu|%.3f … %.3f", scales[i].calibration.batch, scales[i].calibration.kind,
                    format_seconds(cli->arena, scales[i].mean_task_s), scales[i].n_ratios,
                    scales[i].calibration.scale.low, scales[i].calibration.scale.high);
    }
    cli_print(cli, "%s", table_text(table, cli->color));
    if (n_before)
        cli_print(cli, "\nAdded to %zu samples that the calibration had of %s.\n", n_before,
                  n == 1 ? "this batch" : "these batches");
}

static const FieldList scale_fields =
    FIELDS(Scale, FIELD_AS(Scale, calibration.batch, "batch", "its name"),
           FIELD_AS(Scale, calibration.kind, "kind", "of machine"),
           FIELD_REALS(Scale, calibration.scale, "scale",
                       "[least, most]: a task's measured time over the middle of its prediction"),
           FIELD_AS(Scale, mean_task_s, "task_s", "mean time of a task"),
           FIELD_AS(Scale, n_ratios, "runs", "how many runs of the sample there were"),
           FIELD_AS(Scale, n_before, "before", "samples that the calibration had before"));

typedef struct CalibrationDocument {
    const Scale *scales;
    size_t n_scales;
    const char *output;
} CalibrationDocument;

const FieldList cost_calibration_fields =
    FIELDS(CalibrationDocument,
           FIELD_LIST(CalibrationDocument, scales, n_scales, "calibrations", "by batch and kind", .of = &scale_fields),
           FIELD(CalibrationDocument, output, "the file"));

/* The calibrations of other batches and kinds stay as they were. */
static Calibration *with_others(const CostRunning *running, const Scale *scales, size_t n_scales, size_t *n)
{
    const PredictOptions *how = &running->how;
    Calibration *all = arena_new_array(running->cli->arena, Calibration, n_scales + how->n_calibrations);
    for (*n = 0; *n < n_scales; ++*n)
        all[*n] = scales[*n].calibration;
    for (size_t i = 0; i < how->n_calibrations; i++)
        if (!calibration_find(all, n_scales, how->calibrations[i].batch, how->calibrations[i].kind))
            all[(*n)++] = how->calibrations[i];
    return all;
}

static bool find_scales(const CostRunning *running, const Sampling *samplings, const MachineChoices *choices, size_t n,
                        Err *err)
{
    Arena *arena = running->cli->arena;
    const size_t room = running->how.machine->n_processors, n_batches = running->application->n_batches;
    const char **kinds = arena_new_array(arena, const char *, room);
    size_t n_kinds = list_kinds(choices, n, kinds, room), n_scales = 0, n_all;
    Scale *scales = arena_new_array(arena, Scale, n_batches * n_kinds);
    for (size_t batch = 0; batch < n_batches; batch++)
        for (size_t i = 0; i < n_kinds; i++, n_scales++) {
            if (!find_scale(running, samplings, n, batch, kinds[i], &scales[n_scales], err))
                return false;
            warn(running->cli, &scales[n_scales]);
        }
    Calibration *all = with_others(running, scales, n_scales, &n_all);
    if (!calibration_save(all, n_all, running->output, err))
        return false;
    const CalibrationDocument document = {scales, n_scales, running->output};
    if (running->cli->json)
        cli_print_json(running->cli, fields_to_json(&cost_calibration_fields, &document, 0));
    else if (!running->cli->quiet)
        print(running, scales, n_scales);
    return true;
}

/* Checks --set as a prediction does: it may name a parameter of any batch. */
static bool check_set(const CostRunning *running, Err *err)
{
    Predictor *predictor = NULL;
    bool ok = predictor_new(running->application, running->models, &running->how, running->cli->arena, &predictor, err);
    predictor_end(predictor);
    return ok;
}

bool cost_calibrate(const CostRunning *running, unsigned tasks, Err *err)
{
    size_t n = 0;
    const MachineChoices *choices;
    const char *library;
    if (!check_set(running, err) || !find_choices(running, &n, &choices, err))
        return false;
    Sampling *samplings = arena_new_array(running->cli->arena, Sampling, n);
    for (size_t i = 0; i < n; i++)
        if (!sample(running, &choices[i], tasks, &samplings[i], err) ||
            !cost_run_tasks(running, samplings[i].n_workers, (const uint64_t *const *)samplings[i].counts,
                            samplings[i].numbers, running->repeats, samplings[i].runs, &library, err))
            return false;
    return find_scales(running, samplings, choices, n, err);
}
