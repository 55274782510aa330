/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of options as people write them: lists, ranges, sizes, durations, percentages. Anything else is ERR_USAGE that
 * names the option, and the target stays as it was. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

/* "a,b" to words, NULL ends; none of them is empty. */
bool list_option_parse(const char *option, const char *text, Arena *arena, const char *const **words, Err *err);

/* Numbers and ranges of them, separated by commas: "2,3,8"; "2:8" is 2 to 8, both included; "1:64x2" is 1, 2, 4 … 64,
 * each twice the one before. */
typedef struct NumberList {
    const char *option, *text;
    bool has_units;       /* of sizes: "1500", "64k", "1:4Mx2"; k, M, G are 2^10, 2^20, 2^30 */
    uint64_t least, most; /* what is fine */
} NumberList;

/* Ascending, each once. */
bool numbers_option_parse(const NumberList *list, Arena *arena, uint32_t *n, const uint64_t **numbers, Err *err);

/* "60", "60s", "5m", "1h". */
bool seconds_option_parse(const char *option, const char *text, double *seconds, Err *err);

/* [first, end) */
typedef struct Range {
    uint64_t first, end;
} Range;

/* "3:7" is 3 to 7, so that `end` is 8; "3:" from 3 on, end UINT64_MAX; ":7" up to 7; "3" is 3 alone. */
bool range_option_parse(const char *option, const char *text, Range *range, Err *err);

/* A whole number, not negative. */
bool number_option_parse(const char *option, const char *text, uint64_t *number, Err *err);

/* The share that a percentage from 0, or from above 0, to 100 is. */
bool percent_option_check(const char *option, double percent, bool zero_is_fine, double *share, Err *err);

/* --memory "512M": K, M, G, T are powers of 1024; no letter: bytes. NULL: half of the machine's. */
bool memory_option_parse(const char *text, size_t *size_bytes, Err *err);
