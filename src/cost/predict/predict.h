/* SPDX-License-Identifier: BSD-3-Clause */
/* PTT: predicts [tmin, tmax] of an application on chosen machines of a machine model. cost/model
 * makes the expressions; this library gives each symbol a value, and remembers the value's origin.
 * Source: docs/METHOD.md, section 16; the paper, section 3.2. */
#pragma once

#include "cost/lang/pasl.h"
#include "cost/model/cost.h"
#include "cost/predict/calibration.h"
#include "model/machine.h"

/* Machines of one kind (a CpuModel of the machine model), with workers_each workers on each. */
typedef struct MachineChoice {
    const char *kind;
    uint32_t n_machines, workers_each;
} MachineChoice;

/* Where a value comes from. */
typedef enum NumberOrigin {
    NUMBER_MEASURED, /* the machine model */
    NUMBER_CALIBRATED,
    NUMBER_GIVEN,   /* --set */
    NUMBER_FILE,    /* the flow file or the model */
    NUMBER_COUNTED, /* in runs of the tasks */
    NUMBER_ASSUMED  /* nowhere: Q = 1/2, or messages as between other hosts */
} NumberOrigin;
extern const char *const number_origin_names[];

typedef struct PredictionNumber {
    const char *name;
    Interval value;
    NumberOrigin origin;
    const char *note; /* the parameter's comment, or what was assumed; "" if none */
} PredictionNumber;

/* Which loads and stores cost more on large data. */
typedef enum PredictFar { FAR_ALL, FAR_SCATTERED /* all but elements in order */, FAR_NONE } PredictFar;

typedef struct PredictOptions {
    const MachineModel *machine;
    size_t n_set;
    /* Values that replace those of the files. Names are as people give them, including
     * "pi.c:12". */
    const CostValue *set;
    /* Batches of a larger application; `set` has been checked with all batches. */
    bool is_part;
    bool without_messages;
    PredictFar far;
    /* A master gives the next task to the first free worker; else workers get their tasks beforehand, in proportion
     * to their performance. */
    bool is_dynamic;
    /* Of messages: "openmpi tcp"; NULL: the fastest of an MPI. */
    const char *configuration;
    /* Of a model written by hand. NULL: C, or the only language of the machine model. */
    const char *language;
    size_t n_counted;
    /* By which operations of the models were counted. They are listed, though no cost has them. */
    const PredictionNumber *counted;
    size_t n_calibrations;
    const Calibration *calibrations;
} PredictOptions;

typedef struct CostPrediction {
    uint64_t n_workers;
    const char *machines;       /* "old:3,fast:2" */
    double workers_a_processor; /* on the machine with the most; above 1, workers share processors */
    Interval time_s;            /* the prediction */
    Interval paper_s;           /* max(T0, …, TR) over the whole application, as in the paper */
    Interval without_contention_s;
    Interval *resource_s;   /* [expressions->whole.n_resources] */
    Interval *stage_s;      /* [expressions->n_stages] */
    const char *bottleneck; /* "no contention", or the resource with the largest load */
    const CostExpressions *expressions;
    const PamelaModel *model; /* as placed; valid until the next prediction */
    size_t n_batches;
    const uint64_t *const *counts; /* [n_batches][n_workers] tasks; with is_dynamic, if costs are in the middle */
    bool is_dynamic;
    bool is_bounded; /* the expressions are lower bounds, and stages take longer */
    size_t n_numbers;
    const PredictionNumber *numbers; /* the values used, ordered by name */
    bool is_calibrated, is_approximated;
    /* Costs of operations were measured in the context of code compiled with the same options; one by
     * one. */
    bool has_context, has_single;
    double task_bytes; /* mean data of a task, as far as it allocates them; 0: not known */
} CostPrediction;

typedef struct Predictor Predictor;

/* A predictor for batches. models: [n_batches] of their tasks. */
bool predictor_new(const PaslApplication *application, const PamelaModel *const *models, const PredictOptions *options,
                   Arena *arena, Predictor **predictor, Err *err);

/* A predictor for a model written by hand. */
bool predictor_of_model(const PamelaModel *model, const PredictOptions *options, Arena *arena, Predictor **predictor,
                        Err *err);

/* Predicts for chosen machines. ERR_INPUT: parameters without a value; the error lists all, with
 * their comments. */
bool predictor_predict(Predictor *predictor, const MachineChoice *choices, size_t n_choices,
                       CostPrediction **prediction, Err *err);

void predictor_end(Predictor *predictor); /* NULL is fine */

/* The index of a kind of machine in symbols: the name, with _ for other characters. */
const char *predict_kind_index(const char *kind, Arena *arena);
