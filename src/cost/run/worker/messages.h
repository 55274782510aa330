/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between master and workers. Who waits sleeps: a rank that looked for its message without a pause, as
 * MPI_Recv does, would take a processor from tasks. */
#pragma once

#include "base/err.h"
#include <mpi.h>
#include <stdint.h>

enum { TAG_READY = 1, TAG_DATA, TAG_RESULTS, TAG_TIMES, TAG_FAILURE };

/* How long somebody has been waiting: looks become rarer, to one each millisecond; each is late by a hundredth of what
 * was waited at most, or by 20 µs. */
typedef struct Patience {
    double since_s;
} Patience;
Patience patience_begin(void);
void patience_sleep(const Patience *patience);

/* Until the request is complete. */
void messages_await(MPI_Request *request);

void messages_send(const void *buffer, uint64_t bytes, int to, int tag);
void messages_receive(void *buffer, uint64_t bytes, int from, int tag);
