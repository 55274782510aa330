/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantities as people read them, the same in every verb: "12.3 ms", "4.00 GB", "1 234 567", "97.5 %". Three
 * significant digits where the unit scales. UTF-8. Results live in the arena. */
#pragma once

#include "base/arena.h"
#include <stdint.h>

const char *format_seconds(Arena *arena,
                           double seconds); /* ns, µs, ms, s; from two minutes on "2 min 05 s", "3 h 20 min" */
const char *format_bytes(Arena *arena, double size_bytes); /* decimal units: B, kB, MB, … */
const char *format_rate(Arena *arena, double per_s);       /* "1.20 M/s" */
const char *format_count(Arena *arena, uint64_t count);    /* groups of three digits */
const char *format_percent(Arena *arena, double share);    /* 0.975 is "97.5 %" */
