/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates tasks by JoiN's static rule: in proportion to the workers' relative performance.
 * Prediction and `firma cost run` share it, because both must allocate the same tasks to the same
 * workers. Source: docs/METHOD.md, section 16; the paper, section 2.2. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Allocates n_tasks to workers by performance (> 0; the fastest has 1). The counts are whole and
 * sum up to n_tasks. Numbers are rounded by largest remainders; ties go to the lower worker.
 * counts: [n_workers]. */
void allocate_tasks(uint64_t n_tasks, const double *performance, size_t n_workers, uint64_t *counts);
