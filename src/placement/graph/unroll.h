/* SPDX-License-Identifier: BSD-3-Clause */
/* A task's steps from its messages, folded into loops, and the computation behind each of them. Private to the folder.
 *
 * A step is a message with the computation behind it, so that a loop begins at a synchronisation (thesis §2.2.3). What
 * follows a loop's last message is its last iteration's computation and what comes after the loop in one: if it is
 * clearly longer than in the other iterations, what is beyond them stands behind the loop. */
#pragma once

#include "base/spool.h"
#include "model/signature.h"
#include "placement/graph/steps.h"

/* Computation (int64_t ns) is read from the spool's only stream in the order of messages; messages[id] is the step of
 * the kind that the loop calls id. */
bool unroll_steps(const Loop *loop, const Step *messages, Spool *spool, Arena *arena, StepList *list, Err *err);
