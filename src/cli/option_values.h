/* SPDX-License-Identifier: BSD-3-Clause */
/* What values an option takes, beyond popt's types. The kind stands in an option's row, in the bits of argInfo that
 * popt leaves to programs. firma checks values by it before a verb runs; help, man pages and completion read it too. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <popt.h>

#define OPTION_CHOICE (POPT_ARG_STRING | 0x100U)   /* arg is a Choice; the value is one of its names */
#define OPTION_CHOICES (POPT_ARG_STRING | 0x200U)  /* arg is a Choice; the value is names, separated by commas */
#define OPTION_COUNT (POPT_ARG_INT | 0x300U)       /* 1 or more */
#define OPTION_NATURAL (POPT_ARG_INT | 0x400U)     /* 0 or more */
#define OPTION_POSITIVE (POPT_ARG_DOUBLE | 0x500U) /* more than 0 */

/* The target of an option whose values are a fixed set of names. `names` or `name_at` says them. */
typedef struct Choice {
    char *given;                          /* popt writes here, so this is the first member; NULL: not given */
    const char *const *names;             /* NULL ends */
    const char *(*name_at)(size_t index); /* NULL behind the last */
} Choice;

/* NULL: the option takes no names, or has fewer. */
const char *option_name_at(const struct poptOption *option, size_t index);

/* "pas2p|lamport", or with ", " as separator. NULL: the option takes no names. */
const char *option_names(const struct poptOption *option, const char *separator, Arena *arena);

/* Whether the names fit between "--option=" and its meaning. Otherwise help lists them behind the meaning. */
bool option_names_are_short(const struct poptOption *option);

/* typed: the option as it was typed, `length` letters. ERR_USAGE names it, the value, and what was probably meant. */
bool option_check_value(const struct poptOption *option, const char *typed, int length, const char *value, Err *err);
