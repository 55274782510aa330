/* SPDX-License-Identifier: BSD-3-Clause */
/* PTT: an application, a machine model and a choice of machines to [tmin, tmax]. The expressions are made by
 * cost/model; this gives each of their symbols a number, and knows where the number is from. Source: spec 2 §2.5, paper
 * §3.2. */
#pragma once

#include "cost/lang/pasl.h"
#include "cost/model/cost.h"
#include "cost/predict/calibration.h"
#include "model/machine.h"

/* So many workers on each of some machines of a kind (a CpuModel of the machine model). */
typedef struct MachineChoice {
    const char *kind;
    uint32_t n_machines, workers_each;
} MachineChoice;

typedef struct PredictOptions {
    const MachineModel *machine;
    size_t n_set;
    const CostValue *set; /* values that replace what the files say; names as people give them, "pi.c:12" too */
    bool is_part;         /* of an application: `set` has been checked with the whole */
    bool without_messages;
    const char *configuration; /* of messages: "openmpi tcp"; NULL: the machine model's only one */
    const char *language;      /* of a model written by hand; NULL: c, or the only one that the machine has */
    size_t n_calibrations;
    const Calibration *calibrations;
} PredictOptions;

/* Where a number is from. */
typedef enum NumberOrigin {
    NUMBER_MEASURED, /* the machine model has it */
    NUMBER_CALIBRATED,
    NUMBER_GIVEN,  /* with --set */
    NUMBER_FILE,   /* the flow file or the model says it */
    NUMBER_ASSUMED /* nobody said it: Q = 1/2; messages as between other hosts */
} NumberOrigin;
extern const char *const number_origin_names[];

typedef struct PredictionNumber {
    const char *name;
    Interval value;
    NumberOrigin origin;
    const char *note; /* the parameter's comment; what was assumed; "" if none */
} PredictionNumber;

typedef struct CostPrediction {
    uint64_t n_workers;
    const char *machines; /* "old:3,fast:2" */
    Interval time_s;      /* the prediction */
    Interval paper_s;     /* max(T0, …, TR) over the whole application */
    Interval without_contention_s;
    Interval *resource_s;   /* [expressions->whole.n_resources] */
    Interval *stage_s;      /* [expressions->n_stages] */
    const char *bottleneck; /* "no contention", or the resource whose load is the time */
    const CostExpressions *expressions;
    const PamelaModel *model; /* as placed; holds until the next prediction */
    size_t n_batches;
    const uint64_t *const *counts; /* [n_batches][n_workers] tasks */
    size_t n_numbers;
    const PredictionNumber *numbers; /* that it's made from, in order of name */
    bool is_calibrated, is_approximated;
} CostPrediction;

typedef struct Predictor Predictor;

/* models: of the tasks of each batch. */
bool predictor_new(const PaslApplication *application, const PamelaModel *const *models, const PredictOptions *options,
                   Arena *arena, Predictor **predictor, Err *err);

/* A model written by hand. */
bool predictor_of_model(const PamelaModel *model, const PredictOptions *options, Arena *arena, Predictor **predictor,
                        Err *err);

/* Parameters without a value: ERR_INPUT that lists all, with their comments. */
bool predictor_predict(Predictor *predictor, const MachineChoice *choices, size_t n_choices,
                       CostPrediction **prediction, Err *err);

void predictor_end(Predictor *predictor); /* NULL is fine */

/* Index of a kind of machine in symbols: its name, with _ for what symbols can't hold. */
const char *predict_kind_index(const char *kind, Arena *arena);
