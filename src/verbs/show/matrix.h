/* SPDX-License-Identifier: BSD-3-Clause */
/* How much each process sends to each other, and what collectives move. As text, JSON
 * (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "signature/profile/profile.h"

typedef struct MatrixView {
    bool messages; /* numbers of messages instead of bytes */
    bool all;      /* every collective, not only those that take longest */
    bool color;
    size_t columns; /* of the terminal: larger matrices are summed up in blocks of processes */
} MatrixView;

const char *matrix_text(const Profile *profile, const Trace *trace, const MatrixView *view, Arena *arena);
extern const FieldList matrix_fields;
json_t *matrix_json(const Profile *profile, const Trace *trace, Arena *arena);
