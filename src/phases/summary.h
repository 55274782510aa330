/* SPDX-License-Identifier: BSD-3-Clause */
/* What was added up while scanning, as a signature says it. */
#ifndef FIRMA_PHASES_SUMMARY_H
#define FIRMA_PHASES_SUMMARY_H

#include "phases/durations.h"
#include "phases/similarity.h"

/* Fills in all but application, names of methods, sequence and number of ticks. */
void summary_fill(const Library *library, const Durations *durations, const OrderReport *report, Arena *arena,
                  Signature *signature);

#endif
