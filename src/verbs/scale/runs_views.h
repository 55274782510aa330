/* SPDX-License-Identifier: BSD-3-Clause */
/* What run times say of scaling: text, JSON, pictures. */
#pragma once

#include "base/fields.h"
#include "scaling/scaling.h"

const char *scaling_text(const Scaling *scaling, bool color, Arena *arena);

extern const FieldList scaling_fields; /* of what scaling_json makes */
json_t *scaling_json(const Scaling *scaling);

typedef enum ScalingPicture {
    SCALING_PICTURE_TIME,
    SCALING_PICTURE_SPEEDUP,
    SCALING_PICTURE_EFFICIENCY,
    SCALING_PICTURE_ISOEFFICIENCY
} ScalingPicture;

/* A script for gnuplot. NULL: there is nothing to draw. */
const char *scaling_picture(const Scaling *scaling, ScalingPicture picture, Arena *arena);
