/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock that everything is measured with: CLOCK_MONOTONIC. It never jumps, and its rate is the one to which time
 * services discipline the host, so that a second is a second, and clocks of two hosts part slowly; the raw clock parts
 * by as much as two crystals differ. */
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

/* The least difference that two readings can tell: the time that a reading takes, or the clock's tick. */
double clock_resolution_s(void);

/* The boot of the machine that this process runs on. "" if not known. */
const char *clock_machine(Arena *arena);

/* Two processes with equal texts read one clock: of the same boot, in the same time namespace. "" if not known. */
const char *clock_identity(Arena *arena);
