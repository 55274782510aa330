/* SPDX-License-Identifier: BSD-3-Clause */
/* How a source in C reaches a part of a variable: what a run evaluates to count it. Private to cost/source. */
#pragma once

#include "cost/source/program/program.h"

typedef struct Access {
    const char *text; /* behind the variable: "->n", ".shape.rows"; NULL: it isn't reached by fields alone */
    const char *held; /* the structure that the variable is, or that it points to */
} Access;

/* Whether a reference is taken as one to another type. */
bool access_is_cast(const SourceExpression *reference);
/* What the expression denotes, from this variable on. */
Access access_to(const SourceExpression *expression, const SourceVariable *variable, Arena *arena);
/* The part of an argument that the called function reaches so, from the caller's variable on. */
Access access_through(const SourceExpression *argument, const char *text, const SourceVariable *variable, Arena *arena);
