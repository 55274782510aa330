/* SPDX-License-Identifier: BSD-3-Clause */
/* The check of the guidelines of collectives, as text and JSON. */
#pragma once

#include "base/fields.h"
#include "comm/guidelines.h"

/* A line that counts the checks, under a table of the violations if there are any: the worst, or `all`. "" without
 * checks. */
const char *comm_guidelines_text(const CommMeasurement *measurement, CommStatistic statistic, bool all, bool color,
                                 Arena *arena);

/* What `firma comm --json` prints of it. */
extern const FieldList comm_guidelines_fields;
json_t *comm_guidelines_json(const CommMeasurement *measurement, CommStatistic statistic);
