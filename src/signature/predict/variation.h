/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to predict/: what it adds to the prediction's uncertainty that a program communicates otherwise each time. */
#ifndef FIRMA_SIGNATURE_PREDICT_VARIATION_H
#define FIRMA_SIGNATURE_PREDICT_VARIATION_H

#include "model/signature.h"
#include "model/times.h"

/* Relative standard deviation of the predicted time; 0 where all phases came as in the traced run. */
double order_variation(const Signature *signature, const PhaseTimes *times);

#endif
