/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel basic blocks as text and JSON (docs/FORMATS.md): what lies between two ticks of the logical
 * trace, as the thesis's tables 3.2 and 3.5 show it. */
#pragma once

#include "base/fields.h"
#include "signature/profile/excerpt.h"

/* The blocks between the excerpt's ticks, of which there must be at least two. Block n lies between
 * ticks n and n + 1. */
const char *blocks_text(const Excerpt *excerpt, uint32_t rows_limit, bool color, Arena *arena);
extern const FieldList blocks_fields;
json_t *blocks_json(const Excerpt *excerpt, Arena *arena);
