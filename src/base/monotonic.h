/* SPDX-License-Identifier: BSD-3-Clause */
/* A clock for measuring durations, in seconds. It never goes back; its zero point is arbitrary. */
#pragma once

#include <time.h>

static inline double monotonic_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
