/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds a task's steps from its folded messages and the computation after each message. Private
 * to the folder.
 *
 * A message and the computation after it belong together, so a loop begins at a synchronisation
 * (thesis §2.2.3). The computation after a loop's last message is then two things in one: that of
 * the last iteration, and what follows the loop. If it is clearly longer than in the other
 * iterations, the difference is put after the loop. If it is clearly shorter, the last iteration
 * stands after the loop. */
#pragma once

#include "base/spool.h"
#include "model/signature.h"
#include "placement/graph/steps.h"

/* messages[id] is the step of the messages that the loop calls `id`. The spool's only stream holds
 * the computation after each message (int64_t ns), in order. */
bool unroll_steps(const Loop *loop, const Step *messages, Spool *spool, Arena *arena, StepList *list, Err *err);
