/* SPDX-License-Identifier: BSD-3-Clause */
/* What cost models say of scaling: text and JSON (docs/FORMATS.md). */
#ifndef FIRMA_REPORT_SCALING_MODEL_H
#define FIRMA_REPORT_SCALING_MODEL_H

#include "scaling/model_table.h"
#include <jansson.h>

const char *scaling_model_text(const ModelQuestion *question, const ModelAnswer *answer, bool color, Arena *arena);
json_t *scaling_model_json(const ModelQuestion *question, const ModelAnswer *answer);

#endif
