/* SPDX-License-Identifier: BSD-3-Clause */
/* When a size has been measured often enough: its median is known as narrowly as was asked for. */
#ifndef FIRMA_COMM_WORKER_STOPPING_H
#define FIRMA_COMM_WORKER_STOPPING_H

#include <stdbool.h>
#include <stddef.h>

/* Which of n sorted samples (from 0 on) bound the 95 % interval of the median, by order statistics: no distribution is
 * assumed. False: there are too few (less than six) for any such interval. */
bool stopping_bounds(size_t n, size_t *low, size_t *high);

/* Whether both bounds are within ±target (relative) of the median. */
bool stopping_has_reached(const double *samples, size_t n, double target);

#endif
