/* SPDX-License-Identifier: BSD-3-Clause */
/* Further runs of a traced program on the same machine. Prediction takes what recurs in them for
 * the program's own, and what doesn't for the machine's noise. */
#pragma once

#include "base/err.h"
#include "base/progress.h"
#include "model/signature.h"

/* Fills in the signature's repeats: the times at which these runs, archives of full runs, passed
 * its milestones. ERR_INPUT: another program, or another communication. Results in the arena. */
bool repeats_read(Signature *signature, const char *const archives[], uint32_t n, const Progress *progress,
                  Arena *arena, Err *err);
