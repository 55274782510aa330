/* SPDX-License-Identifier: BSD-3-Clause */
/* What cost models say of scaling: text, JSON (docs/FORMATS.md) and pictures. */
#pragma once

#include "base/fields.h"
#include "scaling/model_table.h"

const char *scaling_model_text(const ModelQuestion *question, const ModelAnswer *answer, bool color, Arena *arena);
extern const FieldList scaling_model_fields;
json_t *scaling_model_json(const ModelQuestion *question, const ModelAnswer *answer, Arena *arena);

typedef enum ModelPicture {
    MODEL_PICTURE_TIME,
    MODEL_PICTURE_SPEEDUP,
    MODEL_PICTURE_EFFICIENCY,
    MODEL_PICTURE_ISOEFFICIENCY
} ModelPicture;

/* An SVG file, over the question's range of p. NULL: there is nothing to draw. */
const char *scaling_model_picture(const ModelQuestion *question, ModelPicture picture, Arena *arena);
