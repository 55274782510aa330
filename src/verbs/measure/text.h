/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase times as text and as JSON (docs/FORMATS.md), of prefixes and of saved states. */
#pragma once

#include "base/fields.h"
#include "model/signature.h"
#include "model/times.h"

/* The relevant phases, a row each. */
const char *times_table(const Signature *signature, const PhaseTimes *times, bool color, Arena *arena);

/* What `firma measure --json` prints for a prefix. */
typedef struct MeasuredPrefix {
    const PhaseTimes *times;
    const char *output, *difference;
    const char *log, *recording; /* NULL: not kept */
    uint32_t n_runs;
    double coverage, planned_share, stationarity;
} MeasuredPrefix;

extern const FieldList measured_prefix_fields;

/* What `firma measure --json` prints for saved states. */
typedef struct MeasuredStates {
    const PhaseTimes *times;
    const char *output, *problem;
    bool is_complete;
    uint32_t n_executed, n_failed;
} MeasuredStates;

extern const FieldList measured_states_fields;
