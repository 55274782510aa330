/* SPDX-License-Identifier: BSD-3-Clause */
/* A source program as text, for tests of the front ends: a statement a line, expressions with their types. */
#ifndef FIRMA_TESTS_SOURCE_PROGRAM_TEXT_H
#define FIRMA_TESTS_SOURCE_PROGRAM_TEXT_H

#include "cost/source/program.h"

const char *program_text(const SourceProgram *program, Arena *arena);

#endif
