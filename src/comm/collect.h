/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the records that workers print (comm/protocol.h) into a measurement. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "comm/plan.h"
#include "model/comm.h"
#include <stdbool.h>

typedef struct Collection Collection;

Collection *collection_new(const CommRequest *request, const CommPlan *plan, Arena *arena);
void collection_free(Collection *collection);

typedef enum LineKind {
    LINE_RECORD, /* a record, which was stored */
    LINE_OTHER,  /* a line of a launcher or library; the first and the last are kept for errors */
    LINE_DONE,   /* the record that ends a successful launch */
} LineKind;

/* collection_begin() precedes the lines of a launch; collection_end() follows them. */
void collection_begin(Collection *collection, const PlannedLaunch *launch);
LineKind collection_take(Collection *collection, const char *line);
/* Ends a launch. `status` is the worker's exit status; `stopped` is firma's reason for having
 * stopped the launch, or NULL. Adds a problem for what is missing. Returns false if the launch
 * measured nothing, and wouldn't when repeated either. */
bool collection_end(Collection *collection, int status, const char *stopped);

/* The seconds that the launch, which collection_end() ended, says it measured; -1 if it didn't end in order. */
double collection_measured_s(const Collection *collection);
/* Whether that launch left nothing out, and the times of all its series are as precise as the request asks. They must
 * come from `least_launches` launches, or more. */
bool collection_is_precise(const Collection *collection, uint32_t least_launches);

void collection_add_problem(Collection *collection, uint32_t configuration, const char *message);

/* Computes the series and their statistics, in the plan's order. The points hold their samples if
 * keep_samples is true. */
void collection_finish(Collection *collection, bool keep_samples, Arena *arena, CommMeasurement *measurement);
