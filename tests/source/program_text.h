/* SPDX-License-Identifier: BSD-3-Clause */
/* A source program as text, for tests of the front ends: one statement a line, expressions with
 * their types. */
#pragma once

#include "cost/source/program/program.h"

const char *program_text(const SourceProgram *program, Arena *arena);
