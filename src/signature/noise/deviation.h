/* SPDX-License-Identifier: BSD-3-Clause */
/* Variances that are known more or less well, and the interval of their sum. */
#pragma once

typedef struct Deviation {
    double variance; /* relative */
    double freedom;  /* degrees of freedom by which the variance is known; HUGE_VAL: exactly */
} Deviation;

/* A variance that is known exactly. */
Deviation deviation_of(double variance);

/* The variance is scaled; how well it is known stays. */
Deviation deviation_scaled(Deviation deviation, double factor);

/* The sum of two independent ones, with its degrees of freedom as Welch and Satterthwaite estimate
 * them: mostly those of the larger. */
Deviation deviation_sum(Deviation a, Deviation b);

/* Half width of the 95 % interval, by Student's t. */
double deviation_half_width(Deviation deviation);
