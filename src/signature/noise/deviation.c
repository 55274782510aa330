/* SPDX-License-Identifier: BSD-3-Clause */
/* See deviation.h. */
#include "signature/noise/deviation.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

Deviation deviation_of(double variance)
{
    return (Deviation){variance, HUGE_VAL};
}

Deviation deviation_scaled(Deviation deviation, double factor)
{
    return (Deviation){deviation.variance * factor, deviation.freedom};
}

/* What a variance adds to the uncertainty of a sum of variances. */
static double doubt(Deviation deviation)
{
    return isfinite(deviation.freedom) && deviation.freedom > 0
               ? deviation.variance * deviation.variance / deviation.freedom
               : 0;
}

Deviation deviation_sum(Deviation a, Deviation b)
{
    double variance = a.variance + b.variance, doubts = doubt(a) + doubt(b);
    return (Deviation){variance, doubts > 0 ? variance * variance / doubts : HUGE_VAL};
}

double deviation_half_width(Deviation deviation)
{
    double quantile =
        isfinite(deviation.freedom) ? gsl_cdf_tdist_Pinv(0.975, deviation.freedom) : gsl_cdf_ugaussian_Pinv(0.975);
    return deviation.variance > 0 ? quantile * sqrt(deviation.variance) : 0;
}
