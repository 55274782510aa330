/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins the sources of a program of several files. Private to cost/source. */
#pragma once

#include "cost/source/program/program.h"

/* A program of the functions and globals of n units, which it changes. files: theirs. Result in the arena. ERR_INPUT: two
 * units define the same function. */
bool source_join(SourceProgram *const *units, const char *const *files, size_t n, Arena *arena,
                 const SourceProgram **program, Err *err);
