/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the Java front end. The JDK runs FirmaSource.java and the files beside it. They read
 * the source with the JDK's own compiler, and print JSON. read.c converts the JSON to a program. */
#pragma once

#include "cost/source/program/program.h"
#include <jansson.h>

/* compile.c: runs FirmaSource.java. The caller owns the reference. ERR_ENVIRONMENT: there is no
 * JDK. ERR_INPUT: the options have unbalanced quotes, or the compiler doesn't end. */
bool java_compile(const SourceOptions *options, Arena *arena, json_t **root, Err *err);
