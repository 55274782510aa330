/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank from 1 on: does what rank 0 commands until it is let go. */
#pragma once

#include "comm/worker/chunk.h"

bool follower_execute(Worker *worker, Err *err);
