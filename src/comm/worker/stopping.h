/* SPDX-License-Identifier: BSD-3-Clause */
/* When a size has been measured often enough: its median is known as narrowly as was asked for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether both bounds of the median's 95 % interval are within ±target (relative) of it. */
bool stopping_has_reached(const double *samples, size_t n, double target);
