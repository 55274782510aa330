/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank from 1 on: does what rank 0 commands until it is let go. */
#ifndef FIRMA_COMM_WORKER_FOLLOWER_H
#define FIRMA_COMM_WORKER_FOLLOWER_H

#include "comm/worker/chunk.h"

bool follower_execute(Worker *worker, Err *err);

#endif
