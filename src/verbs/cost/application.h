/* SPDX-License-Identifier: BSD-3-Clause */
/* The flow file that each `firma cost …` begins with, and the values of --set. */
#pragma once

#include "cost/lang/pasl.h"
#include "cost/model/cost.h"

/* The values that --set gives. */
typedef struct CostSettings {
    size_t count;
    const CostValue *items;
} CostSettings;

/* ERR_USAGE: the text isn't NAME=EXPRESSION. */
bool cost_check_setting(const char *text, Arena *arena, Err *err);
bool cost_read_settings(ExprSpace *space, Arena *arena, CostSettings *settings, Err *err);

/* The value of the name, the last one if --set names it several times; NULL: it doesn't. */
const Expr *cost_find_setting(const CostSettings *settings, const char *name);

/* Loads a flow file, with --set's numbers as values of its parameters. Other names of --set (named
 * parameters and Q's of the models) go to `others`. NULL: without models, only names to which a batch
 * gives a value, places in sources (pi.c:12), and OpenMP's number of threads are known; others are errors. ERR_INPUT names the
 * line of a source file that is missing. */
bool cost_load_application(const char *path, Arena *arena, PaslApplication **application, CostSettings *others,
                           Err *err);

/* Loads a flow file, without --set. */
bool cost_load_flow(const char *path, Arena *arena, PaslApplication **application, Err *err);
