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

void collection_add_problem(Collection *collection, uint32_t configuration, const char *message);

/* Computes the series and their statistics, in the plan's order. The points hold their samples if
 * keep_samples is true. */
void collection_finish(Collection *collection, bool keep_samples, Arena *arena, CommMeasurement *measurement);
