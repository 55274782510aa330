/* SPDX-License-Identifier: BSD-3-Clause */
/* The flow file that each `firma cost …` begins with, and the values of --set. */
#pragma once

#include "cost/lang/pasl.h"
#include "cost/model/cost.h"

/* What --set says. */
typedef struct CostSettings {
    size_t count;
    const CostValue *items;
} CostSettings;

/* ERR_USAGE: the text isn't NAME=EXPRESSION. */
bool cost_check_setting(const char *text, Err *err);
bool cost_read_settings(ExprSpace *space, Arena *arena, CostSettings *settings, Err *err);

/* Parameters have the values of --set, which are numbers. What --set names besides goes to `others` (values of named
 * parameters and Q's of the model); others NULL: that is an error. Sources are there: ERR_INPUT names the line of one
 * that isn't. */
bool cost_load_application(const char *path, Arena *arena, PaslApplication **application, CostSettings *others,
                           Err *err);

/* As the file has it, without --set. */
bool cost_load_flow(const char *path, Arena *arena, PaslApplication **application, Err *err);
