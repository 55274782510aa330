/* SPDX-License-Identifier: BSD-3-Clause */
/* See messages.h. Errors of MPI need no handling, because MPI's own handler ends the job. */
#include "cost/run/worker/messages.h"

#include "base/monotonic.h"
#include <math.h>

static const double LEAST_SLEEP_S = 20e-6, MOST_SLEEP_S = 1e-3, SHARE = 0.01;

Backoff backoff_begin(void)
{
    return (Backoff){monotonic_s()};
}

void backoff_sleep(const Backoff *backoff)
{
    double waited_s = monotonic_s() - backoff->since_s;
    double sleep_s = fmin(MOST_SLEEP_S, fmax(LEAST_SLEEP_S, SHARE * waited_s));
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * sleep_s)}, NULL);
}

static void await(MPI_Request *request, MPI_Status *status)
{
    Backoff backoff = backoff_begin();
    for (int is_complete = 0;;) {
        MPI_Test(request, &is_complete, status);
        if (is_complete)
            return;
        backoff_sleep(&backoff);
    }
}

void messages_await(MPI_Request *request)
{
    await(request, MPI_STATUS_IGNORE);
}

void messages_send(const void *buffer, uint64_t bytes, int to, int tag)
{
    MPI_Request request;
    MPI_Isend(buffer, (int)bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
    messages_await(&request);
}

void messages_receive(void *buffer, uint64_t bytes, int from, int tag)
{
    MPI_Request request;
    MPI_Irecv(buffer, (int)bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, &request);
    messages_await(&request);
}

int messages_receive_any(void *buffer, uint64_t bytes, int from)
{
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(buffer, (int)bytes, MPI_BYTE, from, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    await(&request, &status);
    return status.MPI_TAG;
}
