/* SPDX-License-Identifier: BSD-3-Clause */
/* What a flow file says: batches in order, code, data, parameters and those without a value, the flow. */
#pragma once

#include "base/fields.h"
#include "cost/lang/pasl.h"
#include <stdbool.h>

char *flow_text(const PaslApplication *application, bool color, Arena *arena);
extern const FieldList flow_fields;
json_t *flow_json(const PaslApplication *application, Arena *arena);

/* The flow as chains of batches, one chain a line, each step in one chain: "a -> b -> d", "a -> c
 * -> d". */
const char *flow_drawing(const PaslApplication *application, Arena *arena);

/* A parameter's value, from the values of the parameters before it. False: this parameter, or one
 * that it needs, has no value. */
bool flow_parameter_value(const PaslApplication *application, size_t parameter, Arena *arena, double *value);
