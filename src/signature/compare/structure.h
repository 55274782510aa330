/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases of two runs whose volumes differ, such as runs of a program on two problem sizes. */
#pragma once

#include "model/signature.h"

#define NO_PARTNER UINT32_MAX

/* Finds a partner among b for each phase of a: the most similar one that is left, the first of several. partners: [n_a];
 * NO_PARTNER: none is similar enough. Both are ordered by first occurrence. */
void structure_pairs(const Phase *const *a, uint32_t n_a, const Phase *const *b, uint32_t n_b, double least_match,
                     uint32_t *partners);

/* How many times as many bytes an occurrence of b sends; NAN if a sends none. */
double structure_volume_factor(const Phase *a, const Phase *b);

/* Mean duration of an occurrence in a process; 0: none takes part. */
double structure_duration_s(const Phase *phase, uint32_t n_processes);
