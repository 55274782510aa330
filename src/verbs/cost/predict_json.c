/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions from source as a document. */
#include "verbs/cost/cost.h"
#include "verbs/cost/predict_views.h"

/* A prediction, with what its members are made of. */
typedef struct PredictionView {
    CostPrediction prediction;
    const CostReport *report;
    Arena *arena;
} PredictionView;

typedef struct Bound {
    const char *name;
    Interval time_s;
    const char *expression;
} Bound;

/* Neighbouring workers with equal numbers of tasks. */
typedef struct WorkerTasks {
    const char *batch;
    uint64_t first_worker, last_worker, tasks_each;
} WorkerTasks;

static const FieldList bound_fields =
    FIELDS(Bound, FIELD(Bound, name, "of the resource, or of the stage; `without contention` is T0"),
           FIELD_REALS(Bound, time_s, "time_s", "[least, most]"), FIELD(Bound, expression, "the formula of the time"));

static json_t *bound_json(const PredictionView *view, const char *name, Interval time_s, const Expr *expression)
{
    const Bound bound = {name, time_s, expr_text(expression, view->arena)};
    return fields_to_json(&bound_fields, &bound, 0);
}

static json_t *bounds_json(const FieldContext *context, const void *record)
{
    const PredictionView *view = record;
    const CostStage *whole = &view->prediction.expressions->whole;
    json_t *array = json_array();
    (void)context;
    json_array_append_new(array, bound_json(view, "without contention", view->prediction.without_contention_s,
                                            whole->without_contention));
    for (size_t i = 0; i < whole->n_resources; i++)
        json_array_append_new(array, bound_json(view, whole->resources[i].name, view->prediction.resource_s[i],
                                                whole->resources[i].load));
    return array;
}

static json_t *stages_json(const FieldContext *context, const void *record)
{
    const PredictionView *view = record;
    const CostExpressions *expressions = view->prediction.expressions;
    json_t *array = json_array();
    (void)context;
    for (size_t i = 0; i < expressions->n_stages; i++) {
        const CostStage *stage = &expressions->stages[i];
        json_array_append_new(
            array, bound_json(view, stage->name ? stage->name : "", view->prediction.stage_s[i], stage->time));
    }
    return array;
}

static const FieldList tasks_fields =
    FIELDS(WorkerTasks, FIELD(WorkerTasks, batch, "its name"), FIELD(WorkerTasks, first_worker, "from 1"),
           FIELD(WorkerTasks, last_worker, "of neighbours with equal numbers of tasks"),
           FIELD(WorkerTasks, tasks_each,
                 "how many tasks each of them has; with a dynamic allocation, if costs are in the middle"));

static json_t *tasks_json(const FieldContext *context, const void *record)
{
    const PredictionView *view = record;
    uint64_t n_workers = view->prediction.n_workers;
    json_t *array = json_array();
    (void)context;
    for (size_t i = 0; i < view->prediction.n_batches; i++)
        for (uint64_t first = 0, end; first < n_workers; first = end) {
            const uint64_t *counts = view->prediction.counts[i];
            for (end = first + 1; end < n_workers && counts[end] == counts[first];)
                end++;
            const WorkerTasks tasks = {view->report->batches[i], first + 1, end, counts[first]};
            json_array_append_new(array, fields_to_json(&tasks_fields, &tasks, 0));
        }
    return array;
}

typedef struct RunView {
    double time_s;
    bool inside;
} RunView;

static const FieldList run_fields = FIELDS(RunView, FIELD(RunView, time_s, "that the run took"),
                                           FIELD(RunView, inside, "whether the prediction's interval holds it"));

static json_t *measured_json(const FieldContext *context, const void *record)
{
    const PredictionView *view = record;
    json_t *array = json_array();
    (void)context;
    for (size_t i = 0; i < view->report->runs.count; i++) {
        const TaskRun *run = &view->report->runs.items[i];
        const RunView one = {run->time_s, cost_is_inside(&view->prediction, run)};
        if (run->n_workers == view->prediction.n_workers)
            json_array_append_new(array, fields_to_json(&run_fields, &one, 0));
    }
    return array;
}

static json_t *expression_json(const FieldContext *context, const void *record)
{
    const PredictionView *view = record;
    (void)context;
    return json_from_text(expr_text(view->prediction.expressions->time, view->arena));
}

static const FieldList number_fields = FIELDS(
    PredictionNumber, FIELD(PredictionNumber, name, "of the parameter or operation"),
    FIELD_REALS(PredictionNumber, value, "value", "[least, most]"),
    FIELD_AS(PredictionNumber, origin, "from", "`measured`, `calibrated`, `given`, `file`, `assumed`",
             .choices = number_origin_names),
    FIELD(PredictionNumber, note,
          "the parameter's comment, what was assumed, or which of several configurations was taken; empty if none"));

static const FieldList prediction_fields = FIELDS(
    PredictionView, FIELD_AS(PredictionView, prediction.machines, "machines", "`old:3,fast:2x4`"),
    FIELD_AS(PredictionView, prediction.n_workers, "workers", "how many"),
    FIELD_AS(PredictionView, prediction.workers_a_processor, "workers_a_processor",
             "on the machine with the most; above 1, workers share processors"),
    FIELD_REALS(PredictionView, prediction.time_s, "time_s", "[least, most]: the prediction"),
    FIELD_REALS(PredictionView, prediction.paper_s, "paper_s", "[least, most]: max(T0, …, TR) over the whole"),
    FIELD_AS(PredictionView, prediction.bottleneck, "bottleneck", "the resource whose load is the time; null: T0",
             .flags = FIELD_NULL),
    FIELD_AS(PredictionView, prediction.is_approximated, "approximated",
             "whether a sum has too many terms to be added up exactly"),
    FIELD_OWN("expression", SHAPE_ONE, expression_json, NULL,
              "the formula of the time; with a dynamic allocation, or more workers than processors, of a lower bound",
              .noun = "text"),
    FIELD_OWN("bounds", SHAPE_LIST, bounds_json, NULL, "T0, T1 … TR", .of = &bound_fields),
    FIELD_OWN("stages", SHAPE_LIST, stages_json, NULL, "one after the other", .of = &bound_fields),
    FIELD_OWN("tasks", SHAPE_LIST, tasks_json, NULL, "which worker computes how many tasks", .of = &tasks_fields),
    FIELD_LIST(PredictionView, prediction.numbers, prediction.n_numbers, "numbers",
               "the numbers in the prediction, by name", .of = &number_fields),
    FIELD_OWN("measured", SHAPE_LIST, measured_json, NULL, "measured runs on this number of workers",
              .of = &run_fields));

typedef struct ReportView {
    const char *application, *allocation;
    bool calibrated, messages;
    uint32_t n_predictions;
    const PredictionView *predictions;
    Beside beside;
} ReportView;

const FieldList cost_fields =
    FIELDS(ReportView, FIELD(ReportView, application, "its name"),
           FIELD(ReportView, calibrated, "whether measured runs scale the tasks' times"),
           FIELD(ReportView, allocation, "how workers get their tasks: `static` or `dynamic`"),
           FIELD(ReportView, messages, "false: what messages cost is left out"),
           FIELD_LIST(ReportView, predictions, n_predictions, "predictions", "one for each choice of machines",
                      .of = &prediction_fields),
           FIELD_LIST(ReportView, beside.items, beside.count, "beside", "earlier predictions (--beside)",
                      .flags = FIELD_ABSENT, .of = &beside_fields));

json_t *cost_json(const CostReport *report, Arena *arena)
{
    PredictionView *views = arena_new_array(arena, PredictionView, report->n_predictions);
    for (size_t i = 0; i < report->n_predictions; i++)
        views[i] = (PredictionView){*report->predictions[i], report, arena};
    const ReportView view = {report->name,
                             cost_allocations[report->predictions[0]->is_dynamic],
                             report->predictions[0]->is_calibrated,
                             !report->without_messages,
                             (uint32_t)report->n_predictions,
                             views,
                             report->beside};
    return fields_to_json(&cost_fields, &view, 0);
}
