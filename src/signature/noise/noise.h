/* SPDX-License-Identifier: BSD-3-Clause */
/* How much the time of the same work differs from one moment to another on the traced machine. The
 * measure is the Allan deviation σ(τ): of two neighbouring stretches of the length τ, half of the
 * mean squared difference of their paces is σ²(τ). */
#pragma once

#include "model/signature.h"

enum { NOISE_LEVELS = 12 };

/* σ at base_s, 2 base_s, 4 base_s …, never increasing. No levels: not known. */
typedef struct Noise {
    double base_s;
    uint32_t n_levels;
    double deviation[NOISE_LEVELS];
} Noise;

/* From the traced run's stretches behind occurrence `from`. If there are further runs, their
 * stretches are compared with the same stretches of the first. Then a program that does different
 * work at different times adds nothing to the noise. */
Noise noise_of_runs(const Signature *signature, double from, double shortest_s);

/* From logarithms of the times of the same work, which took base_s in the mean, one after the other.
 * Here σ is as measured, also where it increases. */
Noise noise_of_series(const double *logarithms, uint32_t n, double base_s);

/* As measured elsewhere: [n_levels] deviations of stretches of base_s, 2 base_s … */
Noise noise_of_levels(const double *deviation, uint32_t n_levels, double base_s);

/* Relative variance of the pace in a stretch against the pace in the whole around it. */
double noise_within(const Noise *noise, double part_s, double whole_s);

/* Relative variance of the difference between two runs of this length. */
double noise_between_runs(const Noise *noise, double run_s);
