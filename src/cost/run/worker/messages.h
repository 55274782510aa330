/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between master and workers. A waiting rank sleeps between polls. MPI_Recv would poll
 * without a pause, and so take a processor from the tasks. */
#pragma once

#include "base/err.h"
#include <mpi.h>
#include <stdint.h>

/* The data of piece i of the plan have the tag TAG_DATA + i. */
enum { TAG_READY = 1, TAG_RESULTS, TAG_TIMES, TAG_FAILURE, TAG_END, TAG_DATA };

/* The pauses between polls: a hundredth of the time waited so far, at least 20 µs and at most 1 ms.
 * So a message is seen late by at most a hundredth of the wait, or by 20 µs. */
typedef struct Backoff {
    double since_s;
} Backoff;
Backoff backoff_begin(void);
void backoff_sleep(const Backoff *backoff);

/* Waits until the request is complete. */
void messages_await(MPI_Request *request);

void messages_send(const void *buffer, uint64_t bytes, int to, int tag);
void messages_receive(void *buffer, uint64_t bytes, int from, int tag);
/* At most `bytes`, with any tag, which is returned. */
int messages_receive_any(void *buffer, uint64_t bytes, int from);
