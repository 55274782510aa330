/* SPDX-License-Identifier: BSD-3-Clause */
/* One occurrence of a phase, in time. As text, JSON (docs/FORMATS.md) and picture. */
#pragma once

#include "base/fields.h"
#include "signature/profile/occurrence.h"

typedef struct OccurrenceLook {
    bool all; /* every event, however many */
    bool color;
} OccurrenceLook;

const char *occurrence_text(const PhaseOccurrence *occurrence, const OccurrenceLook *look, Arena *arena);
extern const FieldList occurrence_fields;
json_t *occurrence_json(const PhaseOccurrence *occurrence, Arena *arena);

/* A file of SVG; name: of the application. */
const char *occurrence_picture(const PhaseOccurrence *occurrence, const char *name, Arena *arena);
