/* SPDX-License-Identifier: BSD-3-Clause */
/* firma cost run --calibrate: how much longer or shorter tasks take than predicted. Runs a sample
 * of each batch's tasks, in turn by one worker and by as many as there are processors. So the scale
 * contains how workers slow each other down, and how runs differ. */
#include "base/json.h"
#include "cost/predict/calibrated.h"
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
    double **predicted_s;     /* [n_batches][tasks] middles */
    RunTimes *runs;           /* [repeats] */
} Sampling;

typedef struct Scale {
    Calibration calibration;
    size_t n_ratios, n_tasks;
    double least_task_s, mean_task_s;
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

/* ---- what is predicted for a task ------------------------------------------------------------------------------ */

static const Expr *for_task(ExprSpace *space, const Expr *expr, uint64_t number)
{
    const char *const name = "task";
    const Expr *with = expr_integer(space, (int64_t)number);
    return expr ? expr_substitute(space, expr, &name, &with, 1) : NULL;
}

static const PaslBinding *bindings_for_task(ExprSpace *space, const PaslBinding *bindings, size_t n, uint64_t number,
                                            Arena *arena)
{
    PaslBinding *bound = arena_new_array(arena, PaslBinding, n);
    for (size_t i = 0; i < n; i++) {
        bound[i] = bindings[i];
        bound[i].value = for_task(space, bindings[i].value, number);
    }
    return bound;
}

/* An application that is this task alone, on one worker, without messages. */
static bool predict_task(const CostRunning *running, size_t index, const char *kind, uint64_t number, double *middle_s,
                         Err *err)
{
    Arena *arena = running->cli->arena;
    ExprSpace *space = running->application->space;
    PaslBatch batch = running->application->batches[index];
    PaslApplication alone = *running->application;
    const MachineChoice choice = {kind, 1, 1};
    PredictOptions how = running->how;
    Predictor *predictor = NULL;
    CostPrediction *prediction;
    batch.tasks = expr_integer(space, 1);
    batch.n_before = 0;
    batch.receives_bytes = batch.returns_bytes = expr_integer(space, 0);
    batch.arguments = bindings_for_task(space, batch.arguments, batch.n_arguments, number, arena);
    batch.values = bindings_for_task(space, batch.values, batch.n_values, number, arena);
    alone.batches = &batch;
    alone.n_batches = 1;
    how.without_messages = true;
    how.is_part = true;
    bool ok = predictor_new(&alone, &running->models[index], &how, arena, &predictor, err) &&
              predictor_predict(predictor, &choice, 1, &prediction, err);
    if (ok)
        *middle_s = prediction->time_s.low + (prediction->time_s.high - prediction->time_s.low) / 2;
    predictor_end(predictor);
    return ok;
}

/* ---- samples --------------------------------------------------------------------------------------------------- */

static bool predict_sample(const CostRunning *running, Sampling *sampling, size_t batch, Err *err)
{
    uint64_t n = 0;
    for (uint32_t worker = 0; worker < sampling->n_workers; worker++)
        n += sampling->counts[batch][worker];
    sampling->predicted_s[batch] = arena_new_array(running->cli->arena, double, n);
    for (uint64_t task = 0, worker = 0, of_worker = 0; task < n; task++, of_worker++) {
        while (of_worker == sampling->counts[batch][worker]) {
            worker++;
            of_worker = 0;
        }
        if (!predict_task(running, batch, kind_of(sampling->machines, (uint32_t)worker), sampling->numbers[batch][task],
                          &sampling->predicted_s[batch][task], err))
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
                           .predicted_s = arena_new_array(arena, double *, n_batches),
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

/* Measured over predicted time of a batch's tasks on a kind, in one run; 0: there are none. Leaves
 * out the first half of each worker's tasks, which warms up caches and the JVM. */
static double ratio_of(const Sampling *sampling, size_t run, size_t batch, const char *kind, Scale *scale)
{
    double measured_s = 0, predicted_s = 0;
    for (uint64_t task = 0, worker = 0; worker < sampling->n_workers; worker++)
        for (uint64_t i = 0; i < sampling->counts[batch][worker]; i++, task++) {
            if (i < sampling->counts[batch][worker] / 2 ||
                strcmp(kind_of(sampling->machines, (uint32_t)worker), kind) != 0)
                continue;
            double task_s = sampling->runs[run].batches[batch].task_s[task];
            measured_s += task_s;
            predicted_s += sampling->predicted_s[batch][task];
            scale->least_task_s = fmin(scale->least_task_s, task_s);
            scale->mean_task_s += task_s;
            scale->n_tasks++;
        }
    return predicted_s > 0 ? measured_s / predicted_s : 0;
}

static bool find_scale(const CostRunning *running, const Sampling *samplings, size_t n, size_t batch, const char *kind,
                       Scale *scale, Err *err)
{
    const char *name = running->application->batches[batch].name;
    double *ratios = arena_new_array(running->cli->arena, double, n * running->repeats);
    *scale = (Scale){.calibration = {.batch = name, .kind = kind}, .least_task_s = INFINITY};
    for (size_t i = 0; i < n; i++)
        for (unsigned run = 0; run < running->repeats; run++) {
            double ratio = ratio_of(&samplings[i], run, batch, kind, scale);
            if (ratio > 0)
                ratios[scale->n_ratios++] = ratio;
        }
    if (scale->n_ratios == 0)
        return err_set(
            err, ERR_INPUT,
            "batch `%s` can't be calibrated on %s: none of its tasks ran there, or their predicted time is 0", name,
            kind);
    scale->mean_task_s /= (double)scale->n_tasks;
    scale->calibration.scale = sample_interval(ratios, scale->n_ratios);
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
    table_columns(table, "batch|machine|>a task|>runs|measured/predicted");
    for (size_t i = 0; i < n; i++) {
        table_cells(table, "%s|%s|%s|%zu|%.3f … %.3f", scales[i].calibration.batch, scales[i].calibration.kind,
                    format_seconds(cli->arena, scales[i].mean_task_s), scales[i].n_ratios,
                    scales[i].calibration.scale.low, scales[i].calibration.scale.high);
    }
    cli_print(cli, "%s", table_text(table, cli->color));
}

static const FieldList scale_fields =
    FIELDS(Scale, FIELD_AS(Scale, calibration.batch, "batch", "its name"),
           FIELD_AS(Scale, calibration.kind, "kind", "of machine"),
           FIELD_REALS(Scale, calibration.scale, "scale",
                       "[least, most]: a task's measured time over the middle of its prediction"),
           FIELD_AS(Scale, mean_task_s, "task_s", "mean time of a task"),
           FIELD_AS(Scale, n_ratios, "runs", "how many tasks ran"));

typedef struct CalibrationDocument {
    const Scale *scales;
    size_t n_scales;
    const char *output;
} CalibrationDocument;

const FieldList cost_calibration_fields =
    FIELDS(CalibrationDocument,
           FIELD_LIST(CalibrationDocument, scales, n_scales, "calibrations", "by batch and kind", .of = &scale_fields),
           FIELD(CalibrationDocument, output, "the file"));

static bool find_scales(const CostRunning *running, const Sampling *samplings, const MachineChoices *choices, size_t n,
                        Err *err)
{
    Arena *arena = running->cli->arena;
    const size_t room = running->how.machine->n_processors, n_batches = running->application->n_batches;
    const char **kinds = arena_new_array(arena, const char *, room);
    size_t n_kinds = list_kinds(choices, n, kinds, room), n_scales = 0;
    Scale *scales = arena_new_array(arena, Scale, n_batches * n_kinds);
    Calibration *calibrations = arena_new_array(arena, Calibration, n_batches * n_kinds);
    const CalibratedUse use = {running->application, running->models, running->how.machine, running->how.n_set,
                               running->how.set};
    for (size_t batch = 0; batch < n_batches; batch++)
        for (size_t i = 0; i < n_kinds; i++, n_scales++) {
            if (!find_scale(running, samplings, n, batch, kinds[i], &scales[n_scales], err))
                return false;
            calibrated_describe(&use, batch, &scales[n_scales].calibration, arena);
            calibrations[n_scales] = scales[n_scales].calibration;
            warn(running->cli, &scales[n_scales]);
        }
    if (!calibration_save(calibrations, n_scales, running->output, err))
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
