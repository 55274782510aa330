/* SPDX-License-Identifier: BSD-3-Clause */
/* See uneven.h. */
#include "comm/worker/mpi/uneven.h"

#include "comm/worker/harness/uneven.h"
#include "comm/worker/mpi/checked.h"
#include <mpi.h>

/* In the arguments, `blocks` are those of this process, and `own` is the size of its own block. */
#define EXECUTE(name, function, ...)                                                                                   \
    bool name(Transport *transport, const CollectiveCall *call, Err *err)                                              \
    {                                                                                                                  \
        const UnevenBlocks *blocks = uneven_blocks(call->block, transport->rank, transport->n_ranks);                  \
        __attribute__((unused)) const int own = blocks->counts[transport->rank];                                       \
        return mpi_checked(function(__VA_ARGS__), #function, err);                                                     \
    }

EXECUTE(mpi_gatherv, MPI_Gatherv, call->send, own, MPI_BYTE, call->receive, blocks->counts, blocks->offsets, MPI_BYTE,
        0, MPI_COMM_WORLD)
EXECUTE(mpi_scatterv, MPI_Scatterv, call->send, blocks->counts, blocks->offsets, MPI_BYTE, call->receive, own, MPI_BYTE,
        0, MPI_COMM_WORLD)
EXECUTE(mpi_allgatherv, MPI_Allgatherv, call->send, own, MPI_BYTE, call->receive, blocks->counts, blocks->offsets,
        MPI_BYTE, MPI_COMM_WORLD)
EXECUTE(mpi_alltoallv, MPI_Alltoallv, call->send, blocks->sent_counts, blocks->sent_offsets, MPI_BYTE, call->receive,
        blocks->received_counts, blocks->received_offsets, MPI_BYTE, MPI_COMM_WORLD)
