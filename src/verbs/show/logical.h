/* SPDX-License-Identifier: BSD-3-Clause */
/* A range of the logical trace as text, JSON (docs/FORMATS.md) and picture. */
#pragma once

#include "base/fields.h"
#include "signature/profile/excerpt.h"

const char *logical_text(const Excerpt *excerpt, uint32_t rows_limit, size_t columns, bool color, Arena *arena);
extern const FieldList logical_fields;
json_t *logical_json(const Excerpt *excerpt);

/* A file of SVG; name: of the application. More than a picture can hold: ERR_USAGE. */
bool logical_picture(const Excerpt *excerpt, const char *name, Arena *arena, const char **picture, Err *err);
