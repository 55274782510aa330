/* SPDX-License-Identifier: BSD-3-Clause */
/* Kinds of option values beyond popt's types. The kind of an option stands in the bits of its
 * argInfo that popt leaves to programs. firma checks values by their kind before a verb runs. Help,
 * man pages and completion use the kind, too. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <popt.h>

#define OPTION_CHOICE (POPT_ARG_STRING | 0x100U)      /* arg is a Choice; the value is one of its names */
#define OPTION_CHOICES (POPT_ARG_STRING | 0x200U)     /* arg is a Choice; the value is names, separated by commas */
#define OPTION_COUNT (POPT_ARG_INT | 0x300U)          /* 1 or more */
#define OPTION_NATURAL (POPT_ARG_INT | 0x400U)        /* 0 or more */
#define OPTION_SECONDS (POPT_ARG_DOUBLE | 0x500U)     /* more than 0, at most 1e12 */
#define OPTION_PERCENT (POPT_ARG_DOUBLE | 0x800U)     /* 0 to 100 */
#define OPTION_PART (POPT_ARG_DOUBLE | 0x900U)        /* a percentage above 0 */
#define OPTION_SHARE (POPT_ARG_DOUBLE | 0xA00U)       /* between 0 and 1, neither of them */
#define OPTION_JSON (POPT_ARG_STRING | 0x600U)        /* a JSON file, for completion */
#define OPTION_SVG (POPT_ARG_STRING | 0x700U)         /* an SVG file, for completion */
#define OPTION_NUMBERS (POPT_ARG_STRING | 0xB00U)     /* arg is a NumberList (cli/values.h) */
#define OPTION_DURATION (POPT_ARG_STRING | 0xE00U)    /* "90s", "5m", "1h" */
#define OPTION_CHECKED (POPT_ARG_STRING | 0xC00U)     /* arg is a CheckedText */
#define OPTION_CHECKED_WORDS (POPT_ARG_ARGV | 0xD00U) /* arg is a CheckedWords; the option may be repeated */

/* The target of an option whose values are a fixed set of names. Either `names` or `name_at` lists
 * them. */
typedef struct Choice {
    char *given;              /* the value that popt stores here, so this is the first member; NULL: not given */
    const char *const *names; /* ends with NULL */
    const char *(*name_at)(size_t index); /* NULL behind the last name */
} Choice;

/* The targets of options whose values have a syntax of their own. firma calls check() with each
 * value before the verb runs, and so before the verb opens a file. The arena is for temporaries.
 * ERR_USAGE. */
typedef bool (*CheckValue)(const char *value, Arena *arena, Err *err);

typedef struct CheckedText {
    char *given; /* the value that popt stores here, so this is the first member; NULL: not given */
    CheckValue check;
} CheckedText;

typedef struct CheckedWords {
    char **given; /* the same for all values; ends with NULL */
    CheckValue check;
} CheckedWords;

/* The name with this index. NULL: the option takes no names, or fewer. */
const char *option_name_at(const struct poptOption *option, size_t index);

/* The names with a separator between them: "pas2p|lamport". NULL: the option takes no names. */
const char *option_names(const struct poptOption *option, const char *separator, Arena *arena);

/* True if the names fit between "--option=" and its meaning. If not, help lists them behind the
 * meaning. */
bool option_names_are_short(const struct poptOption *option);

/* Whether the option takes several names, separated by commas. */
bool option_takes_list(const struct poptOption *option);

/* The extensions of the files that the option takes, as Verb.files says them. NULL: the option
 * takes no file. */
const char *option_files(const struct poptOption *option);

/* Checks a value. `typed` is the option as the user typed it, `length` its letters. ERR_USAGE names
 * the option, the value, and the nearest name. */
bool option_check_value(const struct poptOption *option, const char *typed, int length, const char *value, Err *err);
