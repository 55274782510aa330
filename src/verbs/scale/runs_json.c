/* SPDX-License-Identifier: BSD-3-Clause */
/* See scaling.h: JSON. What isn't a number (no value, no bound) is null. */
#include "verbs/scale/runs_views.h"

#include "base/json.h"
#include <math.h>

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *estimated(const Estimated *value)
{
    return json_pack("{s:o, s:o, s:o}", "value", real(value->value), "low", real(value->low), "high",
                     real(value->high));
}

static json_t *point_json(const ScalePoint *point)
{
    const RunPoint *run = point->run;
    return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:s}", "p", (json_int_t)run->p, "runs",
                     (json_int_t)run->n_times, "median_s", real(run->median_s), "low_s", real(run->low_s), "high_s",
                     real(run->high_s), "speedup", estimated(&point->speedup), "real_speedup",
                     real(point->real_speedup), "efficiency", real(point->efficiency), "karp_flatt",
                     real(point->serial_share), "superlinear", point->superlinear != CAUSE_NONE, "likely_cause",
                     superlinear_cause_text(point->superlinear));
}

static json_t *law_json(const LawFit *law)
{
    json_t *parameters = json_object();
    for (uint32_t i = 0; i < law->n_parameters; i++)
        json_object_set_new(parameters, law->parameters[i], estimated(&law->values[i]));
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:b}", "law", law->name, "formula", law->formula, "parameters",
                     parameters, "error", real(law->error), "predictive_error", real(law->predictive_error),
                     "plausible", law->plausible);
}

static json_t *prediction_of(const ScalePrediction *prediction)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:b}", "p", real(prediction->p), "time_s",
                     estimated(&prediction->time_s), "time_by_best_s", estimated(&prediction->by_best), "speedup",
                     real(prediction->speedup), "efficiency", real(prediction->efficiency), "extrapolated",
                     prediction->is_extrapolated, "far", prediction->is_far);
}

static json_t *size_json(const SizeScaling *size)
{
    json_t *points = json_array(), *laws = json_array(), *predictions = json_array();
    for (uint32_t i = 0; i < size->n_points; i++)
        json_array_append_new(points, point_json(&size->points[i]));
    for (uint32_t i = 0; i < size->n_laws; i++)
        json_array_append_new(laws, law_json(&size->laws[i]));
    for (uint32_t i = 0; i < size->n_predictions; i++)
        json_array_append_new(predictions, prediction_of(&size->predictions[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:b, s:o}", "n", real(size->n), "sequential_s",
                     size->sequential_s > 0 ? real(size->sequential_s) : json_null(), "points", points, "laws", laws,
                     "speedup_bound", estimated(&size->speedup_bound), "most_processes", real(size->most_processes),
                     "most_is_extrapolated", size->most_is_extrapolated, "fastest_processes", real(size->fastest_p),
                     "efficiency_stays", (int)isinf(size->most_processes), "predictions", predictions);
}

static json_t *weak_json(const WeakScaling *weak)
{
    json_t *points = json_array();
    for (uint32_t i = 0; i < weak->n_points; i++) {
        const WeakPoint *point = &weak->points[i];
        json_array_append_new(points,
                              json_pack("{s:I, s:o, s:o, s:o, s:o}", "p", (json_int_t)point->run->p, "n",
                                        real(point->run->n), "median_s", real(point->run->median_s), "scaled_speedup",
                                        real(point->speedup), "efficiency", real(point->efficiency)));
    }
    return json_pack("{s:I, s:o, s:o, s:o}", "dimension", (json_int_t)weak->dimension, "share", real(weak->share),
                     "points", points, "law", weak->has_law ? law_json(&weak->law) : json_null());
}

static json_t *isoefficiency_json(const Isoefficiency *found)
{
    json_t *points = json_array();
    if (found->n_points == 0) {
        json_decref(points);
        return json_null();
    }
    for (uint32_t i = 0; i < found->n_points; i++) {
        const IsoefficiencyPoint *point = &found->points[i];
        json_array_append_new(points, json_pack("{s:o, s:o, s:b}", "p", real(point->p), "n", estimated(&point->n),
                                                "extrapolated", point->is_extrapolated));
    }
    return json_pack("{s:o, s:b, s:o}", "points", points, "scalable", found->is_scalable, "exponent",
                     estimated(&found->exponent));
}

json_t *scaling_json(const Scaling *scaling)
{
    json_t *sizes = json_array(), *weak = json_array(), *warnings = json_array();
    for (uint32_t i = 0; i < scaling->n_sizes; i++)
        json_array_append_new(sizes, size_json(&scaling->sizes[i]));
    for (uint32_t i = 0; i < scaling->n_weak; i++)
        json_array_append_new(weak, weak_json(&scaling->weak[i]));
    for (uint32_t i = 0; i < scaling->n_warnings; i++)
        json_array_append_new(warnings, json_from_text(scaling->warnings[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "runs", json_from_text(scaling->runs->file), "efficiency_limit",
                     real(scaling->efficiency_limit), "sizes", sizes, "scaled", weak, "isoefficiency",
                     isoefficiency_json(&scaling->isoefficiency), "warnings", warnings);
}
