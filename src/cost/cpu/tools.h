/* SPDX-License-Identifier: BSD-3-Clause */
/* What measures a language on this machine: the program of C that was built with firma, and the JVM that is found. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"

extern const char *const cpu_languages[]; /* "c", "java", NULL */

/* The NULL-terminated command line that measures a language for so many seconds. For Java, classes are compiled into
 * `directory` first, by a command of its own; else *prepare is NULL. ERR_ENVIRONMENT: what it needs isn't here, with
 * what to install. ERR_USAGE: the language isn't known. */
bool cpu_command(const char *language, double seconds, const char *directory, Arena *arena, const char *const **prepare,
                 const char *const **command, Err *err);
