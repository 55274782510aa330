/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods of analysis side by side, on one trace, as text and as JSON (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "model/signature.h"

/* One method's analysis; with a measured run, also what its phases predict for that run. */
typedef struct MethodResult {
    const Signature *signature;
    double analysis_s;
    double set_s, pet_s; /* the thesis's: relevant phases, each at its slowest process's time */
    double predicted_s;  /* each process's own phases, and what isn't relevant scaled */
    double measured;     /* share of the application's time in phases that the measured run has */
    double agreement;    /* share of the startpoints at which the measured run communicates as the phase does */
} MethodResult;

typedef struct Comparison {
    uint32_t n_results;
    const MethodResult *results;
    const char *measured_trace; /* NULL: none */
    const char *difference;     /* how the measured run's application differs from the traced one; "": it doesn't */
    double actual_s;            /* its AET */
} Comparison;

const char *comparison_text(const Comparison *comparison, bool color, Arena *arena);
extern const FieldList comparison_fields;
json_t *comparison_json(const Comparison *comparison, Arena *arena);
