/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether statements draw random numbers, so that what they do isn't the same each time that they run. */
#pragma once

#include "cost/source/program/program.h"

/* By the library, or by a generator of the program: a function that mixes bits by shifts and ^, or by products of large
 * constants, and stores a variable or field that it also reads, its state. */
bool statement_draws(const SourceProgram *program, const SourceStatement *statement, Arena *arena);
