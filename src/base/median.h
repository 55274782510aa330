/* SPDX-License-Identifier: BSD-3-Clause */
/* How well the median of samples is known. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Which of n sorted samples (from 0 on) bound the 95 % interval of the median, by order statistics: no distribution is
 * assumed. False: there are too few (less than six) for any such interval. */
bool median_bounds(size_t n, size_t *low, size_t *high);
