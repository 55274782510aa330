/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides when a size has enough samples: its median is known as precisely as requested. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether both ends of the median's 95 % interval are within ±target (relative) of the median. */
bool stopping_has_reached(const double *samples, size_t n, double target);
