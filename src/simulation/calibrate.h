/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a sample stand for the whole run as the trace tells it. Private to the folder. */
#pragma once

#include "simulation/work.h"

/* Changes the weights of the drawn occurrences of each phase as little as needed, so that they compute and
 * communicate, in the trace, as long as all occurrences of the phase that they stand for. Sets their features.
 * Returns by what share of the run's time the sample still differs, where no weights would do. */
double calibrate(const Work *work, const Cuts *cuts, Sample *sample);
