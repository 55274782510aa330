/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs that test the recorder do between their deeds: messages of a process to itself. */
#pragma once

#include <mpi.h>

/* n exchanges. Returns 0 if all arrived. Not inlined, so its calls have a frame of their own. */
static int __attribute__((noinline)) exchanges_with_itself(int n, int tag)
{
    for (int i = 0; i < n; i++) {
        int out = i, in = -1;
        MPI_Request request;
        MPI_Isend(&out, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &request);
        MPI_Recv(&in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (in != i)
            return 1;
    }
    return 0;
}
