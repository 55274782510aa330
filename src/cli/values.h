/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads values of options: lists, ranges, sizes, durations, percentages. ERR_USAGE names the
 * option. On an error, the targets stay unchanged. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

/* Splits "a,b" into words. The result ends with NULL. Empty words are refused. */
bool list_option_parse(const char *option, const char *text, Arena *arena, const char *const **words, Err *err);

/* Numbers and ranges, separated by commas: "2,3,8". "2:8" is 2 to 8, both included. "1:64x2" is 1,
 * 2, 4 … 64, each number twice the one before. The target of an OPTION_NUMBERS. */
typedef struct NumberList {
    char *given;            /* popt stores the value here, so this is the first member; NULL: not given */
    const char *option;     /* "--sizes" */
    const char *by_default; /* the value if none is given */
    bool has_units;         /* the values are sizes: "1500", "64k", "1:4Mx2"; k, M, G are 2^10, 2^20, 2^30 */
    bool keeps_order;       /* the numbers stay in their order, and may be repeated */
    uint64_t least, most;   /* bounds of the allowed numbers */
    uint32_t items_limit;   /* how many numbers are allowed; 0: 512 */
} NumberList;

/* The result is ascending and without duplicates, unless the list keeps its order. */
bool numbers_option_parse(const NumberList *list, Arena *arena, uint32_t *n, const uint64_t **numbers, Err *err);

/* An option that takes a single number of bytes. Leaves *size_bytes as it is if none is given. */
bool size_option_parse(const NumberList *list, Arena *arena, uint64_t *size_bytes, Err *err);

/* Durations, of a week at most: "60", "60s", "5m", "1h". */
bool seconds_option_parse(const char *option, const char *text, double *seconds, Err *err);

/* [first, end) */
typedef struct Range {
    uint64_t first, end;
} Range;

/* "3:7" is 3 to 7, so `end` is 8. "3:" is all from 3 on: `end` is UINT64_MAX. ":7" is all up to 7.
 * "3" is 3 alone. */
bool range_option_parse(const char *option, const char *text, Range *range, Err *err);

/* A whole number >= 0. */
bool number_option_parse(const char *option, const char *text, uint64_t *number, Err *err);

/* --memory: "512M". K, M, G, T are powers of 1024; without a letter, bytes. NULL: half of the
 * machine's memory. */
bool memory_option_parse(const char *text, size_t *size_bytes, Err *err);
