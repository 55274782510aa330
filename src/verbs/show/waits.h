/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the time of each phase goes, and who waits for whom. As text and JSON (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "signature/profile/waits.h"

typedef struct WaitsView {
    bool all; /* all phases, processes and causes, not only those that take longest */
    bool color;
} WaitsView;

const char *waits_text(const Waits *waits, const WaitsView *view, Arena *arena);
extern const FieldList waits_fields;
json_t *waits_json(const Waits *waits, Arena *arena);
