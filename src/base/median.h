/* SPDX-License-Identifier: BSD-3-Clause */
/* The confidence interval of a median. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Sets *low and *high to the indices (from 0) of the sorted samples that bound the median's 95 %
 * interval. The bounds are order statistics, so no distribution is assumed. Returns false for fewer
 * than six samples: no 95 % interval exists. */
bool median_bounds(size_t n, size_t *low, size_t *high);
