/* SPDX-License-Identifier: BSD-3-Clause */
/* A signature's phases, and the problems of ordering its trace, as text and as JSON
 * (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "model/signature.h"
#include "signature/order/order.h"

typedef struct PhasesView {
    bool all; /* every phase, not only the relevant ones */
    bool color;
    size_t columns; /* of the terminal: the sequence is cut off there */
} PhasesView;

/* report: NULL for a signature without its trace. */
const char *phases_text(const Signature *signature, const OrderReport *report, const PhasesView *view, Arena *arena);
extern const FieldList phases_fields; /* of what phases_json makes */
json_t *phases_json(const Signature *signature, const OrderReport *report, Arena *arena);
