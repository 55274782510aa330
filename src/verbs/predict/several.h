/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions from one signature on several machines, or with several mappings, side by side. */
#pragma once

#include "base/fields.h"
#include "signature/predict/predict.h"

typedef struct SeveralRow {
    const char *mapping; /* under which they were measured; NULL: one file isn't told from another by that */
    const char *path;    /* of the phase times */
    const PhaseTimes *times;
    Prediction prediction;
    double actual_s; /* of a full run; 0: there was none */
} SeveralRow;

/* n is at least 1. */
const char *several_text(const SeveralRow *rows, uint32_t n, bool color, Arena *arena);

extern const FieldList several_fields; /* of what several_json makes */
json_t *several_json(const SeveralRow *rows, uint32_t n);
