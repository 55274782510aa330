/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of calibration: which tasks to run, and what a few runs say about the next one. */
#pragma once

#include "base/arena.h"
#include "model/interval.h"
#include <stddef.h>
#include <stdint.h>

/* Chooses n of the tasks 1 … n_tasks, evenly spread, ascending. n <= n_tasks. */
const uint64_t *sample_tasks(uint64_t n_tasks, uint64_t n, Arena *arena);

/* The interval that contains the next ratio with 95 % probability, if the ratios' logarithms are
 * normally distributed (Student's t). Ratios are > 0. A single ratio is both ends. */
Interval sample_interval(const double *ratios, size_t n);
