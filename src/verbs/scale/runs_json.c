/* SPDX-License-Identifier: BSD-3-Clause */
/* What run times say of scaling, as a document. Values that don't exist, or have no bound, are
 * null. */
#include "verbs/scale/runs_views.h"

#include <math.h>

#define OR_NULL .flags = FIELD_NULL
#define ESTIMATED .of = &estimated_fields

static const FieldList estimated_fields =
    FIELDS(Estimated, FIELD(Estimated, value, "the value that fits best", OR_NULL),
           FIELD(Estimated, low, "lower end of its interval; null: not known, or infinite", OR_NULL),
           FIELD(Estimated, high, "upper end of its interval; null: not known, or infinite", OR_NULL));

/* ---- the runs of one size ---- */

static const FieldList run_fields =
    FIELDS(RunPoint, FIELD(RunPoint, p, "processes"), FIELD_AS(RunPoint, n_times, "runs", "how many"),
           FIELD(RunPoint, median_s, "median of their times"),
           FIELD(RunPoint, low_s, "lower end of the median's 95 % interval; with few runs the least time"),
           FIELD(RunPoint, high_s, "upper end of that interval; with few runs the largest time"));

static json_t *superlinear_json(const FieldContext *context, const void *record)
{
    (void)context;
    return json_boolean(((const ScalePoint *)record)->superlinear != CAUSE_NONE);
}

static json_t *cause_json(const FieldContext *context, const void *record)
{
    (void)context;
    return json_string(superlinear_cause_text(((const ScalePoint *)record)->superlinear));
}

static const FieldList point_fields =
    FIELDS(ScalePoint, FIELD_INLINE_POINTED(ScalePoint, run, run_fields),
           FIELD(ScalePoint, speedup, "against the fewest processes, whose efficiency counts as 1", ESTIMATED),
           FIELD(ScalePoint, real_speedup, "against the sequential program; null: its time isn't known", OR_NULL),
           FIELD(ScalePoint, efficiency, "speedup / p", OR_NULL),
           FIELD_AS(ScalePoint, serial_share, "karp_flatt",
                    "the serial share that Karp and Flatt's formula gives; null at the fewest processes", OR_NULL),
           FIELD_OWN("superlinear", SHAPE_ONE, superlinear_json, NULL, "whether the speedup is above p",
                     .noun = "true or false"),
           FIELD_OWN("likely_cause", SHAPE_ONE, cause_json, NULL, "why the speedup is above p; empty: it isn't",
                     .noun = "text"));

static json_t *parameters_json(const FieldContext *context, const void *record)
{
    const LawFit *law = record;
    json_t *parameters = json_object();
    (void)context;
    for (uint32_t i = 0; i < law->n_parameters; i++)
        json_object_set_new(parameters, law->parameters[i], fields_to_json(&estimated_fields, &law->values[i], 0));
    return parameters;
}

static const FieldList law_fields = FIELDS(
    LawFit, FIELD_AS(LawFit, name, "law", "its name: `Amdahl`, `USL`, `power` …"),
    FIELD(LawFit, formula, "the time as the law has it"),
    FIELD_OWN("parameters", SHAPE_ONE, parameters_json, NULL, "by name: `value`, `low`, `high`", .noun = "object"),
    FIELD(LawFit, error, "relative error of the fit", OR_NULL),
    FIELD(LawFit, predictive_error, "relative error at numbers of processes that were left out of the fit", OR_NULL),
    FIELD(LawFit, plausible, "whether the runs can't tell the law from the nearest one"),
    FIELD_AS(LawFit, has_few_points, "few_points", "whether it has nearly as many parameters as there are points"),
    FIELD_AS(LawFit, is_noisy, "noisy", "whether points, or repeats, are farther from it than 5 %"));

/* Of a prediction. */
#define DISTANCE(record)                                                                                               \
    FIELD_AS(record, distance.is_extrapolated, "extrapolated", "whether it is beyond the runs, or below them"),        \
        FIELD_AS(record, distance.is_far, "far", "whether it is so by more than four times"),                          \
        FIELD_AS(record, distance.times, "times_beyond", "by how many times; 1: it isn't")

static const FieldList prediction_fields =
    FIELDS(ScalePrediction, FIELD(ScalePrediction, p, "processes"),
           FIELD(ScalePrediction, time_s, "by the best law, with the interval of all plausible laws", ESTIMATED),
           FIELD_AS(ScalePrediction, by_best, "time_by_best_s", "the same with the best law's own interval", ESTIMATED),
           FIELD(ScalePrediction, speedup, "by the best law", OR_NULL),
           FIELD(ScalePrediction, efficiency, "by the best law", OR_NULL), DISTANCE(ScalePrediction));

static const FieldList curve_fields =
    FIELDS(ScaleCurvePoint, FIELD(ScaleCurvePoint, p, "processes, in steps of equal ratio; not a whole number"),
           FIELD(ScaleCurvePoint, time_s, "by the best law, with the interval of all plausible laws", ESTIMATED));

static json_t *sequential_json(const FieldContext *context, const void *record)
{
    double sequential_s = ((const SizeScaling *)record)->sequential_s;
    (void)context;
    return sequential_s > 0 ? json_real(sequential_s) : NULL;
}

static json_t *stays_json(const FieldContext *context, const void *record)
{
    (void)context;
    return json_boolean(isinf(((const SizeScaling *)record)->most_processes));
}

static const FieldList size_fields = FIELDS(
    SizeScaling, FIELD(SizeScaling, n, "the problem size"),
    FIELD_OWN("sequential_s", SHAPE_ONE, sequential_json, NULL, "the sequential program's time", OR_NULL,
              .noun = "number"),
    FIELD_LIST(SizeScaling, points, n_points, "points", "by number of processes", .of = &point_fields),
    FIELD_LIST(SizeScaling, laws, n_laws, "laws", "best first", .of = &law_fields),
    FIELD(
        SizeScaling, speedup_bound,
        "1/s + p0 - 1 of Amdahl's law, where p0 are the fewest processes, if it is plausible; its `value` null: no bound",
        ESTIMATED),
    FIELD(SizeScaling, most_processes, "the largest p that keeps the efficiency; null: none, or any", OR_NULL),
    FIELD(SizeScaling, most_is_extrapolated, "whether that p is beyond what was run"),
    FIELD_AS(SizeScaling, fastest_p, "fastest_processes", "where time is least; null: it only falls", OR_NULL),
    FIELD_OWN("efficiency_stays", SHAPE_ONE, stays_json, NULL, "whether any p keeps the efficiency",
              .noun = "true or false"),
    FIELD_LIST(SizeScaling, predictions, n_predictions, "predictions", "by number of processes",
               .of = &prediction_fields),
    FIELD_LIST(SizeScaling, curve, n_curve, "curve", "the best law, for pictures", .of = &curve_fields));

/* ---- runs whose size grows with p ---- */

static const FieldList weak_run_fields =
    FIELDS(RunPoint, FIELD(RunPoint, p, "processes"), FIELD(RunPoint, n, "the problem size"),
           FIELD(RunPoint, median_s, "median of the runs' times"));

static const FieldList weak_point_fields =
    FIELDS(WeakPoint, FIELD_INLINE_POINTED(WeakPoint, run, weak_run_fields),
           FIELD_AS(WeakPoint, single_s, "one_process_s",
                    "time of this size on one process, or of the sequential program; null: not known", OR_NULL),
           FIELD_AS(WeakPoint, speedup, "scaled_speedup", "that time over this one", OR_NULL),
           FIELD(WeakPoint, efficiency, "time on the fewest processes over this time", OR_NULL));

static const FieldList weak_prediction_fields = FIELDS(
    WeakPrediction, FIELD(WeakPrediction, p, "processes"), FIELD(WeakPrediction, n, "the size that belongs to p"),
    FIELD(WeakPrediction, time_s, "by the best law, with the interval of all plausible laws", ESTIMATED),
    FIELD_AS(WeakPrediction, by_best, "time_by_best_s", "the same with the best law's own interval", ESTIMATED),
    FIELD(WeakPrediction, efficiency, "time on the fewest processes over this time, by the best law", OR_NULL),
    DISTANCE(WeakPrediction));

static json_t *gustafson_json(const FieldContext *context, const void *record)
{
    const WeakScaling *weak = record;
    (void)context;
    return weak->has_gustafson ? fields_to_json(&law_fields, &weak->gustafson, 0) : NULL;
}

static const FieldList weak_fields =
    FIELDS(WeakScaling, FIELD(WeakScaling, dimension, "d: 1, 2 or 3"),
           FIELD(WeakScaling, share, "n^d / p, the same in all of its runs"),
           FIELD_LIST(WeakScaling, points, n_points, "points", "by number of processes", .of = &weak_point_fields),
           FIELD_LIST(WeakScaling, laws, n_laws, "laws", "of the time over p, best first: `constant`, `power`",
                      .of = &law_fields),
           FIELD_LIST(WeakScaling, predictions, n_predictions, "predictions", "by number of processes",
                      .of = &weak_prediction_fields),
           FIELD_OWN("gustafson", SHAPE_ONE, gustafson_json, NULL,
                     "Gustafson's law of the scaled speedups; null: fewer than two are known on several processes",
                     .of = &law_fields, OR_NULL));

/* ---- isoefficiency ---- */

static const FieldList isoefficiency_point_fields = FIELDS(
    IsoefficiencyPoint, FIELD(IsoefficiencyPoint, p, "processes"),
    FIELD(IsoefficiencyPoint, n, "the size that keeps the efficiency; its `value` null: none does", ESTIMATED),
    FIELD_AS(IsoefficiencyPoint, is_extrapolated, "extrapolated", "whether n is beyond the sizes that were run"));

static const FieldList isoefficiency_fields =
    FIELDS(Isoefficiency,
           FIELD_LIST(Isoefficiency, points, n_points, "points", "of each p that was run with several sizes",
                      .of = &isoefficiency_point_fields),
           FIELD_AS(Isoefficiency, is_scalable, "scalable", "whether a size keeps the efficiency at each of these p"),
           FIELD(Isoefficiency, exponent, "n grows as p to this power; its `value` null: too few points", ESTIMATED));

static json_t *isoefficiency_json(const FieldContext *context, const void *record)
{
    const Isoefficiency *found = &((const Scaling *)record)->isoefficiency;
    (void)context;
    return found->n_points ? fields_to_json(&isoefficiency_fields, found, 0) : NULL;
}

/* ---- the model of n and p ---- */

static const FieldList joint_prediction_fields = FIELDS(
    JointPrediction, FIELD(JointPrediction, n, "the problem size"), FIELD(JointPrediction, p, "processes"),
    FIELD(JointPrediction, time_s, "by the best model, with the interval of all plausible models", ESTIMATED),
    FIELD_AS(JointPrediction, by_best, "time_by_best_s", "the same with the best model's own interval", ESTIMATED),
    FIELD(JointPrediction, efficiency, "by the best model: time on one process over p times this time", OR_NULL),
    DISTANCE(JointPrediction));

static json_t *joint_isoefficiency_json(const FieldContext *context, const void *record)
{
    (void)context;
    return fields_to_json(&isoefficiency_fields, &((const JointScaling *)record)->isoefficiency, 0);
}

static const FieldList joint_fields =
    FIELDS(JointScaling, FIELD_LIST(JointScaling, laws, n_laws, "laws", "the best model", .of = &law_fields),
           FIELD(JointScaling, missed_by_size,
                 "share, for each doubling, by which a fit without the largest size misses it; 0: it doesn't"),
           FIELD(JointScaling, missed_by_processes, "the same of the largest number of processes"),
           FIELD_LIST(JointScaling, predictions, n_predictions, "predictions", "by size, then by number of processes",
                      .of = &joint_prediction_fields),
           FIELD_OWN("isoefficiency", SHAPE_ONE, joint_isoefficiency_json, NULL,
                     "by the plausible models, with 95 % intervals", .of = &isoefficiency_fields));

static json_t *joint_json(const FieldContext *context, const void *record)
{
    const JointScaling *joint = &((const Scaling *)record)->joint;
    (void)context;
    return joint->n_laws ? fields_to_json(&joint_fields, joint, 0) : NULL;
}

static json_t *kind_json(const FieldContext *context, const void *record)
{
    static const char *const names[] = {
        [SCALING_NONE] = "none", [SCALING_STRONG] = "strong", [SCALING_WEAK] = "weak", [SCALING_BOTH] = "both"};
    (void)context;
    return json_string(names[((const Scaling *)record)->kind]);
}

static const FieldList file_fields = FIELDS(Runs, FIELD_AS(Runs, file, "runs", "the file of run times"));

const FieldList scaling_fields =
    FIELDS(Scaling, FIELD_INLINE_POINTED(Scaling, runs, file_fields),
           FIELD_OWN("scaling", SHAPE_ONE, kind_json, NULL,
                     "`strong`: a size was run on several numbers of processes; `weak`: sizes grow with p; `both`; "
                     "`none`",
                     .noun = "text"),
           FIELD(Scaling, efficiency_limit, "the efficiency to keep"),
           FIELD_LIST(Scaling, sizes, n_sizes, "sizes", "ascending", .of = &size_fields),
           FIELD_LIST(Scaling, weak, n_weak, "scaled", "series of runs whose size grows with p", .of = &weak_fields),
           FIELD_OWN("isoefficiency", SHAPE_ONE, isoefficiency_json, NULL, "null: too few sizes",
                     .of = &isoefficiency_fields, OR_NULL),
           FIELD_OWN("joint", SHAPE_ONE, joint_json, NULL,
                     "a model of both n and p; null: no p was run with three sizes, or no size on three p",
                     .of = &joint_fields, OR_NULL),
           FIELD_LIST(Scaling, warnings, n_warnings, "warnings", "what can't be concluded from these runs"));

json_t *scaling_json(const Scaling *scaling)
{
    return fields_to_json(&scaling_fields, scaling, 0);
}
