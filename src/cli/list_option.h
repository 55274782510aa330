/* SPDX-License-Identifier: BSD-3-Clause */
/* Options whose value is a list, a size or a duration. */
#ifndef FIRMA_CLI_LIST_OPTION_H
#define FIRMA_CLI_LIST_OPTION_H

#include "base/arena.h"
#include "base/err.h"
#include <stdint.h>

/* "a,b" to words, NULL ends. ERR_USAGE naming the option: an empty word. */
bool list_option_parse(const char *option, const char *text, Arena *arena, const char *const **words, Err *err);

/* "2,3,8" or "2:8" (all from 2 to 8, both in it); ascending, each once. */
bool numbers_option_parse(const char *option, const char *text, uint64_t least, uint64_t most, Arena *arena,
                          uint32_t *n, const uint64_t **numbers, Err *err);

/* "2,3,8" or "1:32" (from 1 on, each twice the one before: 1, 2, 4, 8, 16, 32); ascending, each once. */
bool doublings_option_parse(const char *option, const char *text, uint64_t least, uint64_t most, Arena *arena,
                            uint32_t *n, const uint64_t **numbers, Err *err);

/* "1500", "64k", "4M", "1G": bytes; k, M, G are 2^10, 2^20, 2^30, as in other benchmarks. "1:4M": the powers of two
 * from the one to the other; "1,100,64k": these. Ascending. */
bool sizes_option_parse(const char *option, const char *text, uint64_t most, Arena *arena, uint32_t *n,
                        const uint64_t **sizes, Err *err);

/* "60", "60s", "5m", "1h". */
bool seconds_option_parse(const char *option, const char *text, double *seconds, Err *err);

#endif
