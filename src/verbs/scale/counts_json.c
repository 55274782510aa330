/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs on several numbers of processes say, phase by phase, as a document. */
#include "verbs/scale/counts_views.h"

#include <math.h>

#define OR_NULL .flags = FIELD_NULL

static const FieldList run_fields =
    FIELDS(CountRun, FIELD(CountRun, path, "the signature or the trace"), FIELD(CountRun, p, "processes"),
           FIELD_AS(CountRun, x, "size", "with `--sizes`: of the problem; otherwise p"),
           FIELD(CountRun, time_s, "the slowest process's, from MPI_Init to MPI_Finalize"));

static const FieldList law_fields =
    FIELDS(LawFit, FIELD_AS(LawFit, name, "law", "its name: `Amdahl`, `power` …"),
           FIELD(LawFit, formula, "over p; with `--sizes`, p in it is the size"),
           FIELD(LawFit, error, "relative error of the fit", OR_NULL),
           FIELD_AS(LawFit, has_few_points, "few_points", "whether it has nearly as many parameters as there are runs"),
           FIELD_AS(LawFit, is_noisy, "noisy", "whether runs are farther from it than 5 %"));

static json_t *series_json(const CountSeries *series, uint32_t n_runs)
{
    json_t *object = json_object(), *values = json_array();
    for (uint32_t i = 0; i < n_runs; i++)
        json_array_append_new(values, json_real(series->values[i]));
    json_object_set_new(object, "values", values);
    json_object_set_new(object, "law", series->n_laws ? fields_to_json(&law_fields, &series->laws[0], 0) : json_null());
    return object;
}

static uint32_t n_runs_of(const FieldContext *context)
{
    return ((const Counts *)context->root)->n_runs;
}

static json_t *weight_json(const FieldContext *context, const void *record)
{
    return series_json(&((const CountPhase *)record)->weight, n_runs_of(context));
}

static json_t *volume_json(const FieldContext *context, const void *record)
{
    return series_json(&((const CountPhase *)record)->volume_bytes, n_runs_of(context));
}

static json_t *computation_json(const FieldContext *context, const void *record)
{
    return series_json(&((const CountPhase *)record)->parts[COUNT_COMPUTATION], n_runs_of(context));
}

static json_t *transfer_json(const FieldContext *context, const void *record)
{
    return series_json(&((const CountPhase *)record)->parts[COUNT_TRANSFER], n_runs_of(context));
}

static json_t *waiting_json(const FieldContext *context, const void *record)
{
    return series_json(&((const CountPhase *)record)->parts[COUNT_WAITING], n_runs_of(context));
}

static json_t *together_json(const FieldContext *context, const void *record)
{
    return series_json(&((const CountPhase *)record)->together, n_runs_of(context));
}

static json_t *ids_json(const FieldContext *context, const void *record)
{
    const CountPhase *phase = record;
    json_t *array = json_array();
    for (uint32_t i = 0; i < n_runs_of(context); i++)
        json_array_append_new(array, phase->ids[i] ? json_integer(phase->ids[i]) : json_null());
    return array;
}

static json_t *because_json(const FieldContext *context, const void *record)
{
    const CountPhase *phase = record;
    (void)context;
    return phase->stops_p < INFINITY ? json_string(count_part_names[phase->because]) : json_null();
}

static const FieldList phase_fields = FIELDS(
    CountPhase,
    FIELD(CountPhase, structure,
          "what its processes do, without numbers: the different sequences of calls, such as `send allreduce`"),
    FIELD_OWN("phases", SHAPE_ONE, ids_json, NULL, "the first such phase of each run; null: it has none",
              .noun = "list of numbers or nulls"),
    FIELD(CountPhase, share, "of the time of the run with the most processes"),
    FIELD_OWN("weight", SHAPE_ONE, weight_json, NULL,
              "occurrences: `values`, by run, and their nearest `law`, null if they are 0", .noun = "object"),
    FIELD_OWN("volume_bytes", SHAPE_ONE, volume_json, NULL, "sent by the mean process in an occurrence, likewise",
              .noun = "object"),
    FIELD_OWN("computation_s", SHAPE_ONE, computation_json, NULL, "of the mean process in the run, likewise",
              .noun = "object"),
    FIELD_OWN("transfer_s", SHAPE_ONE, transfer_json, NULL, "the same", .noun = "object"),
    FIELD_OWN("waiting_s", SHAPE_ONE, waiting_json, NULL, "the same", .noun = "object"),
    FIELD_OWN("together_s", SHAPE_ONE, together_json, NULL,
              "transfer and waiting, with `weak` computation, too: its law predicts their sum", .noun = "object"),
    FIELD_AS(CountPhase, stops_p, "stops_at_p",
             "the least p with less than the wanted efficiency, by the laws; null: none", OR_NULL),
    FIELD_OWN("because_of", SHAPE_ONE, because_json, NULL,
              "`computation`, `transfer` or `waiting`, which adds most there; null: nothing does",
              .noun = "text or null"));

static const FieldList call_fields = FIELDS(
    CountPhase,
    FIELD_AS(CountPhase, structure, "call",
             "its kind, such as `allreduce`; all point-to-point calls are one, such as `isend irecv wait`"),
    FIELD(CountPhase, share, "of the time of the run with the most processes"),
    FIELD_OWN("calls", SHAPE_ONE, weight_json, NULL, "of the mean process: `values` and `law`, as in `phases`",
              .noun = "object"),
    FIELD_OWN("volume_bytes", SHAPE_ONE, volume_json, NULL, "sent in a call, on the average, likewise",
              .noun = "object"),
    FIELD_OWN("transfer_s", SHAPE_ONE, transfer_json, NULL,
              "of the mean process in the run, likewise: all that isn't waiting", .noun = "object"),
    FIELD_OWN("waiting_s", SHAPE_ONE, waiting_json, NULL, "the same, waiting for other processes", .noun = "object"),
    FIELD_OWN("together_s", SHAPE_ONE, together_json, NULL, "as in `phases`", .noun = "object"),
    FIELD_AS(CountPhase, stops_p, "stops_at_p", "as in `phases`", OR_NULL),
    FIELD_OWN("because_of", SHAPE_ONE, because_json, NULL, "as in `phases`: `transfer` or `waiting`",
              .noun = "text or null"));

static const FieldList estimated_fields =
    FIELDS(Estimated, FIELD(Estimated, value, "by the nearest laws"), FIELD(Estimated, low, "of its 95 % interval"),
           FIELD(Estimated, high, "of its 95 % interval; null: no bound", OR_NULL));

static json_t *simulated_time_json(const FieldContext *context, const void *record)
{
    const CountSimulated *simulated = record;
    (void)context;
    return simulated->why_not ? json_null() : fields_to_json(&estimated_fields, &simulated->time_s, 0);
}

static const FieldList simulated_fields = FIELDS(
    CountSimulated, FIELD(CountSimulated, why_not, "why the events can't be extrapolated; null: they can", OR_NULL),
    FIELD(CountSimulated, layout, "of the processes, by which partners were extrapolated; null: none", OR_NULL),
    FIELD_OWN("time_s", SHAPE_ONE, simulated_time_json, NULL, "on the machine that is named; null: see `why_not`",
              .of = &estimated_fields, OR_NULL),
    FIELD(CountSimulated, compute_share, "computation in the mean process's time"),
    FIELD(CountSimulated, waiting_share, "waiting for other processes in it"),
    FIELD_AS(CountSimulated, n_events, "events", "how many were extrapolated"));

static const FieldList phase_share_fields =
    FIELDS(CountShare, FIELD_AS(CountShare, name, "structure", "as in `phases`"),
           FIELD(CountShare, time_s, "of the mean process", .of = &estimated_fields),
           FIELD(CountShare, share, "of the predicted time"));

static const FieldList call_share_fields =
    FIELDS(CountShare, FIELD_AS(CountShare, name, "call", "as in `calls`"),
           FIELD(CountShare, time_s, "of the mean process", .of = &estimated_fields),
           FIELD(CountShare, share, "of the predicted time"));

static const FieldList prediction_fields = FIELDS(
    CountPrediction, FIELD(CountPrediction, p, "processes; with `--sizes`: the size"),
    FIELD(CountPrediction, time_s, "the sum over all phases, on the machine of the runs", .of = &estimated_fields),
    FIELD_AS(CountPrediction, parts_s[COUNT_COMPUTATION], "computation_s", "of it"),
    FIELD_AS(CountPrediction, parts_s[COUNT_TRANSFER], "transfer_s", "of it"),
    FIELD_AS(CountPrediction, parts_s[COUNT_WAITING], "waiting_s", "of it"),
    FIELD_AS(CountPrediction, distance.is_extrapolated, "extrapolated", "whether it is beyond the runs, or below them"),
    FIELD_AS(CountPrediction, distance.times, "times_beyond", "by how many times; 1: it isn't"),
    FIELD(CountPrediction, efficiency, "against the run with the fewest processes; null: sizes, or unknown scaling",
          OR_NULL),
    FIELD_LIST(CountPrediction, phases, n_phases, "phases", "by their laws, in the order of `phases`",
               .of = &phase_share_fields),
    FIELD_AS(CountPrediction, rest, "others", "the same of `others`", .of = &phase_share_fields),
    FIELD_LIST(CountPrediction, calls, n_calls, "calls", "by their laws, in the order of `calls`",
               .of = &call_share_fields),
    FIELD_POINTED(CountPrediction, simulated, "simulated", "by the extrapolated events; null: no machine is named",
                  .of = &simulated_fields, OR_NULL));

static const FieldList curve_fields =
    FIELDS(CountCurvePoint, FIELD_AS(CountCurvePoint, x, "p", "processes; with `--sizes`: the size"),
           FIELD(CountCurvePoint, time_s, "as in `predictions`", .of = &estimated_fields),
           FIELD_AS(CountCurvePoint, parts_s[COUNT_COMPUTATION], "computation_s", "of it"),
           FIELD_AS(CountCurvePoint, parts_s[COUNT_TRANSFER], "transfer_s", "of it"),
           FIELD_AS(CountCurvePoint, parts_s[COUNT_WAITING], "waiting_s", "of it"));

static json_t *kind_json(const FieldContext *context, const void *record)
{
    (void)context;
    return json_string(count_scaling_names[((const Counts *)record)->scaling]);
}

const FieldList counts_fields = FIELDS(
    Counts,
    FIELD_OWN("scaling", SHAPE_ONE, kind_json, NULL,
              "`weak`: a process computes as much with more processes; `strong`; `sizes`: of the problem, on one p; or "
              "`unknown`: neither runs nor `--scaling` tell",
              .noun = "text"),
    FIELD(Counts, efficiency_limit, "the efficiency to keep"),
    FIELD_LIST(Counts, runs, n_runs, "runs", "by number of processes", .of = &run_fields),
    FIELD_LIST(Counts, phases, n_phases, "phases", "those that all runs have; first that which stops scaling first",
               .of = &phase_fields),
    FIELD_AS(Counts, rest, "others", "phases that some run lacks, and the time outside of phases", .of = &phase_fields),
    FIELD_LIST(Counts, calls, n_calls, "calls",
               "MPI's calls, which are within the phases; first the longest at the last prediction, or in the last run",
               .of = &call_fields),
    FIELD_LIST(Counts, unmatched, n_unmatched, "unmatched", "the phases that some run lacks, and their shares"),
    FIELD_LIST(Counts, predictions, n_predictions, "predictions", "by number of processes", .of = &prediction_fields),
    FIELD_LIST(Counts, curve, n_curve, "curve", "what the laws add up to, for pictures", .of = &curve_fields),
    FIELD_LIST(Counts, warnings, n_warnings, "warnings", "what makes the laws doubtful"));

json_t *counts_json(const Counts *counts)
{
    return fields_to_json(&counts_fields, counts, 0);
}
