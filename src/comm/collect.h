/* SPDX-License-Identifier: BSD-3-Clause */
/* What workers' records (comm/protocol.h) add up to. */
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
    LINE_RECORD, /* taken */
    LINE_OTHER,  /* a launcher's or the library's own: kept, the latest of them, for errors */
    LINE_DONE,   /* the record that ends a launch well */
} LineKind;

/* Between these two, the lines of one launch. */
void collection_begin(Collection *collection, const PlannedLaunch *launch);
LineKind collection_take(Collection *collection, const char *line);
/* The launch has ended with this status, or was stopped by us for a reason (NULL: not). What it lacked becomes a
 * problem. False: it measured nothing, and would not another time. */
bool collection_end(Collection *collection, int status, const char *stopped);

void collection_add_problem(Collection *collection, uint32_t configuration, const char *message);

/* Series with their statistics, in the plan's order; samples are kept if asked for. */
void collection_finish(Collection *collection, bool keep_samples, Arena *arena, CommMeasurement *measurement);
