/* SPDX-License-Identifier: BSD-3-Clause */
/* A clock for how long something takes: it never goes back, and has no particular beginning. */
#pragma once

#include <time.h>

static inline double monotonic_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
