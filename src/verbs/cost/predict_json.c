/* SPDX-License-Identifier: BSD-3-Clause */
/* See cost.h: JSON. */
#include "verbs/cost/predict_views.h"

#include "base/json.h"

static json_t *interval_json(Interval interval)
{
    const double ends[] = {interval.low, interval.high};
    return json_from_reals(ends, 2);
}

static json_t *number_json(const PredictionNumber *number)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", json_from_text(number->name));
    json_object_set_new(object, "value", interval_json(number->value));
    json_object_set_new(object, "from", json_string(number_origin_names[number->origin]));
    json_object_set_new(object, "note", json_from_text(number->note));
    return object;
}

static json_t *bound_json(const char *name, Interval time_s, const Expr *expression, Arena *arena)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", json_from_text(name));
    json_object_set_new(object, "time_s", interval_json(time_s));
    json_object_set_new(object, "expression", json_from_text(expr_text(expression, arena)));
    return object;
}

static json_t *bounds_json(const CostPrediction *prediction, Arena *arena)
{
    const CostStage *whole = &prediction->expressions->whole;
    json_t *array = json_array();
    json_array_append_new(
        array, bound_json("without contention", prediction->without_contention_s, whole->without_contention, arena));
    for (size_t i = 0; i < whole->n_resources; i++)
        json_array_append_new(
            array, bound_json(whole->resources[i].name, prediction->resource_s[i], whole->resources[i].load, arena));
    return array;
}

static json_t *stages_json(const CostPrediction *prediction, Arena *arena)
{
    json_t *array = json_array();
    for (size_t i = 0; i < prediction->expressions->n_stages; i++) {
        const CostStage *stage = &prediction->expressions->stages[i];
        json_array_append_new(array,
                              bound_json(stage->name ? stage->name : "", prediction->stage_s[i], stage->time, arena));
    }
    return array;
}

/* Neighbours that have equally many tasks together. */
static json_t *tasks_json(const CostReport *report, const CostPrediction *prediction)
{
    json_t *array = json_array();
    for (size_t i = 0; i < prediction->n_batches; i++)
        for (uint64_t first = 0, end; first < prediction->n_workers; first = end) {
            const uint64_t *counts = prediction->counts[i];
            for (end = first + 1; end < prediction->n_workers && counts[end] == counts[first];)
                end++;
            json_t *object = json_object();
            json_object_set_new(object, "batch", json_from_text(report->batches[i]));
            json_object_set_new(object, "first_worker", json_integer((json_int_t)first + 1));
            json_object_set_new(object, "last_worker", json_integer((json_int_t)end));
            json_object_set_new(object, "tasks_each", json_integer((json_int_t)counts[first]));
            json_array_append_new(array, object);
        }
    return array;
}

static json_t *runs_json(const CostReport *report, const CostPrediction *prediction)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->runs.count; i++) {
        const MeasuredRun *run = &report->runs.items[i];
        if (run->n_workers != prediction->n_workers)
            continue;
        json_t *object = json_object();
        json_object_set_new(object, "time_s", json_real(run->time_s));
        json_object_set_new(object, "inside", json_boolean(cost_is_inside(prediction, run)));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *prediction_json(const CostReport *report, const CostPrediction *prediction, Arena *arena)
{
    json_t *object = json_object(), *numbers = json_array();
    for (size_t i = 0; i < prediction->n_numbers; i++)
        json_array_append_new(numbers, number_json(&prediction->numbers[i]));
    json_object_set_new(object, "machines", json_from_text(prediction->machines));
    json_object_set_new(object, "workers", json_integer((json_int_t)prediction->n_workers));
    json_object_set_new(object, "time_s", interval_json(prediction->time_s));
    json_object_set_new(object, "paper_s", interval_json(prediction->paper_s));
    json_object_set_new(object, "bottleneck",
                        prediction->bottleneck ? json_from_text(prediction->bottleneck) : json_null());
    json_object_set_new(object, "approximated", json_boolean(prediction->is_approximated));
    json_object_set_new(object, "expression", json_from_text(expr_text(prediction->expressions->time, arena)));
    json_object_set_new(object, "bounds", bounds_json(prediction, arena));
    json_object_set_new(object, "stages", stages_json(prediction, arena));
    json_object_set_new(object, "tasks", tasks_json(report, prediction));
    json_object_set_new(object, "numbers", numbers);
    json_object_set_new(object, "measured", runs_json(report, prediction));
    return object;
}

json_t *cost_json(const CostReport *report, Arena *arena)
{
    json_t *object = json_object(), *predictions = json_array();
    for (size_t i = 0; i < report->n_predictions; i++)
        json_array_append_new(predictions, prediction_json(report, report->predictions[i], arena));
    json_object_set_new(object, "application", json_from_text(report->name));
    json_object_set_new(object, "calibrated", json_boolean(report->predictions[0]->is_calibrated));
    json_object_set_new(object, "messages", json_boolean(!report->without_messages));
    json_object_set_new(object, "predictions", predictions);
    return object;
}
