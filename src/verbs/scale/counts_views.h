/* SPDX-License-Identifier: BSD-3-Clause */
/* What `firma scale counts` prints. */
#pragma once

#include "base/fields.h"
#include "scaling/counts/counts.h"

const char *counts_text(const Counts *counts, bool color, Arena *arena);

extern const FieldList counts_fields;
json_t *counts_json(const Counts *counts);
