/* SPDX-License-Identifier: BSD-3-Clause */
/* A prediction as text and as JSON (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "signature/predict/predict.h"

/* actual_s: the measured run time; <= 0: not known. */
const char *prediction_text(const Prediction *prediction, const PhaseTimes *times, double actual_s, bool color,
                            Arena *arena);

/* Only the first lines: without phases, and what follows from them. */
const char *prediction_headline(const Prediction *prediction, const PhaseTimes *times, double actual_s, Arena *arena);

extern const FieldList prediction_fields; /* of what prediction_json makes, without actual_s */
json_t *prediction_json(const Prediction *prediction, double actual_s);
