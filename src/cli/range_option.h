/* SPDX-License-Identifier: BSD-3-Clause */
/* Options whose value is a number, a range of numbers, or a percentage. */
#ifndef FIRMA_CLI_RANGE_OPTION_H
#define FIRMA_CLI_RANGE_OPTION_H

#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

/* [first, end) */
typedef struct Range {
    uint64_t first, end;
} Range;

/* "3:7" is 3 to 6; "3:" from 3 on, end UINT64_MAX; ":7" up to 6; "3" is 3 alone. Anything else, and empty ranges:
 * ERR_USAGE naming the option. */
bool range_option_parse(const char *option, const char *text, Range *range, Err *err);

/* A whole number, not negative. */
bool number_option_parse(const char *option, const char *text, uint64_t *number, Err *err);

/* The share that a percentage from 0, or from above 0, to 100 is. */
bool percent_option_check(const char *option, double percent, bool zero_is_fine, double *share, Err *err);

#endif
