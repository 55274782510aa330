/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between two traces, as text and as JSON (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "signature/compare/compare.h"

typedef struct Difference {
    const char *trace[2];              /* as the user named them */
    const Application *application[2]; /* the traced applications */
    const char *identity;              /* how the applications differ; "": they don't */
    TraceDifference events;
    PhasesDifference phases;
    bool has_phases; /* false: the numbers of processes differ, or one of the traces has no events */
    bool same;       /* the same communication: events and numbers of processes */
} Difference;

/* One sentence. */
const char *difference_summary(const Difference *difference, Arena *arena);

/* all: every process and phase that differs, not only the first ones. */
const char *difference_text(const Difference *difference, bool all, bool color, Arena *arena);

/* What `--json` prints: a Difference; and, if it has them, its phases. */
extern const FieldList difference_fields, difference_phases_fields;
json_t *difference_json(const Difference *difference);
