/* SPDX-License-Identifier: BSD-3-Clause */
/* Which stretches of the sequence were measured. A prefix measures one stretch, each saved state
 * another. Private to predict/. */
#pragma once

#include "base/arena.h"
#include "model/times.h"
#include "signature/noise/deviation.h"
#include "signature/noise/stretches.h"

/* Consecutive windows of one state are one stretch. */
Stretches stretches_measured(const PhaseTimes *times, Arena *arena);

/* How well the mean pace is known, relative: with several states, from the paces of the states; with
 * one, or a prefix, from those of its windows. Variance 0: not known. */
Deviation stretches_deviation(const PhaseTimes *times);

/* The logarithm of each sample's mean pace: of each state, or of each run of a prefix. Returns how
 * many they are. */
uint32_t stretches_pace_logarithms(const PhaseTimes *times, Arena *arena, const double **logarithms);

/* How much the prediction varies because the program communicates differently in each run: the
 * relative standard deviation of the predicted time. 0: all phases occurred as in the traced run.
 * See variation.c. */
double order_variation(const Signature *signature, const PhaseTimes *times);
