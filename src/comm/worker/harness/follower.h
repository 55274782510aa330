/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank from 1 on: executes rank 0's commands until ACTION_END. */
#pragma once

#include "comm/worker/harness/chunk.h"

bool follower_execute(Worker *worker, Err *err);
