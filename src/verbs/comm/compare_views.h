/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison of two measurements as text and JSON. */
#pragma once

#include "base/fields.h"
#include "comm/compare.h"

typedef struct ComparisonView {
    const CommComparison *comparison;
    const char *files[2]; /* A and B, as the user named them */
    bool is_same;         /* no more times differ than by chance */
    const char *summary;  /* one sentence */
} ComparisonView;

ComparisonView comm_comparison_view(const CommComparison *comparison, const char *const files[2], Arena *arena);

/* How B is in a series, or in all of them (n_series of them): "12.0 % slower up to 4.10 kB, the same above". `messages`
 * stands before the first size: "for messages ". */
const char *comm_comparison_phrase(const ComparedSeries *series, uint32_t n_series, const char *messages, Arena *arena);

/* all: each size, not only the ones that differ most. */
const char *comm_comparison_text(const ComparisonView *view, bool all, bool color, Arena *arena);

/* What `firma comm --compare --json` prints. */
extern const FieldList comm_comparison_fields;
json_t *comm_comparison_json(const ComparisonView *view, Arena *arena);
