/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the Java front end. FirmaSource.java and the files beside it, which the JDK runs, read the source with
 * the JDK's own compiler, and print what they read as JSON; here that becomes a program. */
#pragma once

#include "cost/source/program.h"
#include <jansson.h>

/* compile.c: what was printed; the caller owns the reference. ERR_ENVIRONMENT: there's no JDK; ERR_INPUT: the options
 * aren't words, or the compiler doesn't end. */
bool java_compile(const SourceOptions *options, Arena *arena, json_t **root, Err *err);
