/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace tells a report: where its time goes, and who sends to whom and waits for whom. */
#pragma once

#include "cli/cli.h"
#include "model/signature.h"
#include "signature/profile/activity.h"

/* Adds documents: profile, matrix, waits, activity, occurrences, efficiencies; and application, phases, timeline if
 * there is no signature. signature: how the trace's phases were found; NULL: as by default. */
bool from_trace_add(Cli *cli, const char *trace, const Signature *signature, json_t *documents, Err *err);

/* The run's time without what the recorder took. */
bool read_actual_time(Cli *cli, const char *trace, double *actual_s, Err *err);

/* The document "activity". */
json_t *activity_json(const ActivityGrid *grid, uint32_t n_processes);
