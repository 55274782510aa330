/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the time of traced runs goes: the tree of efficiencies and the processes of one, or a table of several over
 * their numbers of processes. Text and JSON (docs/FORMATS.md). */
#pragma once

#include "base/fields.h"
#include "scaling/balance.h"

/* all: every process of a single trace. */
const char *balance_text(const BalancePoint *points, uint32_t n, bool all, bool color, Arena *arena);
extern const FieldList balance_fields; /* of an item of `traces` in what balance_json makes */
json_t *balance_json(const BalancePoint *points, uint32_t n);

/* What limits the meaning of a trace's numbers, a line each; "" if nothing does. */
const char *balance_notes(const BalancePoint *point, Arena *arena);
