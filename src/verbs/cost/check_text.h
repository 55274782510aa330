/* SPDX-License-Identifier: BSD-3-Clause */
/* What a flow file says: batches in order, code, data, parameters and those without a value, the flow. */
#pragma once

#include "base/fields.h"
#include "cost/lang/pasl.h"
#include <stdbool.h>

char *flow_text(const PaslApplication *application, bool color, Arena *arena);
extern const FieldList flow_fields;
json_t *flow_json(const PaslApplication *application, Arena *arena);

/* The flow as chains of batches, each step in one of them, one a line: "a -> b -> d", "a -> c -> d". */
const char *flow_drawing(const PaslApplication *application, Arena *arena);

/* A parameter's value by those of the parameters before it. False: it has none, or one of those has none. */
bool flow_parameter_value(const PaslApplication *application, size_t parameter, Arena *arena, double *value);
