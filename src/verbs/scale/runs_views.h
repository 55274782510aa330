/* SPDX-License-Identifier: BSD-3-Clause */
/* What run times say of scaling: text and JSON. */
#pragma once

#include "base/fields.h"
#include "scaling/scaling.h"

const char *scaling_text(const Scaling *scaling, bool color, Arena *arena);

extern const FieldList scaling_fields; /* of what scaling_json makes */
json_t *scaling_json(const Scaling *scaling);
