/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands that measure a language on this machine: a C program that is built with firma, and a
 * Java program for the installed JVM. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"

extern const char *const cpu_languages[]; /* "c", "java", NULL */

/* The NULL-terminated command line that measures a language for this many seconds. For Java,
 * *prepare is a command that first compiles classes into `directory`; otherwise it is NULL.
 * ERR_ENVIRONMENT: something is missing; the hint says what to install. ERR_USAGE: unknown
 * language. */
bool cpu_command(const char *language, double seconds, const char *directory, Arena *arena, const char *const **prepare,
                 const char *const **command, Err *err);
