/* SPDX-License-Identifier: BSD-3-Clause */
/* JoiN's static rule: tasks in proportion to the workers' relative performance. Used by prediction and by `firma cost
 * run`: both must place the same tasks on the same workers. Source: spec 2 §2.5, paper §2.2. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* n_tasks over workers by performance (> 0, the fastest has 1): whole numbers that sum up to n_tasks, largest
 * remainders first, ties to the lower worker. counts: [n_workers]. */
void allocate_tasks(uint64_t n_tasks, const double *performance, size_t n_workers, uint64_t *counts);
