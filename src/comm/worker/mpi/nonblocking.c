/* SPDX-License-Identifier: BSD-3-Clause */
/* See nonblocking.h. Computing calls neither MPI nor the system, so a library gets on only if it works by itself. */
#include "comm/worker/mpi/nonblocking.h"

#include "comm/worker/harness/clock.h"
#include "comm/worker/mpi/checked.h"
#include <mpi.h>

#define UNUSED __attribute__((unused))

static void compute(int64_t duration_ns)
{
    const int64_t end_ns = clock_now_ns() + duration_ns;
    while (clock_now_ns() < end_ns)
        continue;
}

/* In the arguments, `block` is call->block, and `doubles` is the number of doubles in a block. */
#define EXECUTE(name, function, ...)                                                                                   \
    bool name(UNUSED Transport *transport, const CollectiveCall *call, Err *err)                                       \
    {                                                                                                                  \
        UNUSED const int block = (int)call->block, doubles = (int)(call->block / sizeof(double));                      \
        MPI_Request request;                                                                                           \
        if (!mpi_checked(function(__VA_ARGS__, &request), #function, err))                                             \
            return false;                                                                                              \
        if (call->compute_ns)                                                                                          \
            compute(call->compute_ns);                                                                                 \
        return mpi_checked(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait", err);                                    \
    }

EXECUTE(mpi_ibarrier, MPI_Ibarrier, MPI_COMM_WORLD)
EXECUTE(mpi_ibroadcast, MPI_Ibcast, call->receive, block, MPI_BYTE, 0, MPI_COMM_WORLD)
EXECUTE(mpi_igather, MPI_Igather, call->send, block, MPI_BYTE, call->receive, block, MPI_BYTE, 0, MPI_COMM_WORLD)
EXECUTE(mpi_iscatter, MPI_Iscatter, call->send, block, MPI_BYTE, call->receive, block, MPI_BYTE, 0, MPI_COMM_WORLD)
EXECUTE(mpi_iallgather, MPI_Iallgather, call->send, block, MPI_BYTE, call->receive, block, MPI_BYTE, MPI_COMM_WORLD)
EXECUTE(mpi_ireduce, MPI_Ireduce, call->send, call->receive, doubles, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD)
EXECUTE(mpi_iallreduce, MPI_Iallreduce, call->send, call->receive, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)
EXECUTE(mpi_ialltoall, MPI_Ialltoall, call->send, block, MPI_BYTE, call->receive, block, MPI_BYTE, MPI_COMM_WORLD)
