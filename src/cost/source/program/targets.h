/* SPDX-License-Identifier: BSD-3-Clause */
/* Which functions a call may run whose function isn't named: through a pointer, or of an interface.
 * Private to cost/source. */
#pragma once

#include "cost/source/program/program.h"

typedef struct Targets {
    size_t n;
    const char *const *names; /* of functions */
} Targets;

/* All functions that the program assigns to, or passes as, what is called: a variable, an element of an
 * array, or a field by its name; wherever it does so. None: not known. */
Targets targets_find(const SourceProgram *program, const SourceExpression *call, Arena *arena);
