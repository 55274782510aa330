/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock for all measurements: CLOCK_MONOTONIC. It never jumps. Time services adjust its rate,
 * so its seconds are right, and the clocks of two hosts diverge slowly. CLOCK_MONOTONIC_RAW would
 * diverge by the difference of two crystals. */
#pragma once

#include "base/arena.h"
#include <stdint.h>
#include <time.h>

static inline int64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static inline double clock_seconds_since(int64_t start_ns)
{
    return 1e-9 * (double)(clock_now_ns() - start_ns);
}

/* The least difference between two readings: the duration of a reading, or the clock's tick. */
double clock_resolution_s(void);

/* Identifies the boot of this machine. "" if unknown. */
const char *clock_machine(Arena *arena);

/* Identifies the clock: processes with equal texts share one, because they have the same boot and
 * the same time namespace. "" if unknown. */
const char *clock_identity(Arena *arena);
