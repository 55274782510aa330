/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's nonblocking collectives: started, and waited for after call->compute_ns of computing. For the table of
 * transport.c. */
#pragma once

#include "comm/worker/harness/transport.h"

bool mpi_ibarrier(Transport *transport, const CollectiveCall *call, Err *err);
bool mpi_ibroadcast(Transport *transport, const CollectiveCall *call, Err *err);
bool mpi_igather(Transport *transport, const CollectiveCall *call, Err *err);
bool mpi_iscatter(Transport *transport, const CollectiveCall *call, Err *err);
bool mpi_iallgather(Transport *transport, const CollectiveCall *call, Err *err);
bool mpi_ireduce(Transport *transport, const CollectiveCall *call, Err *err);
bool mpi_iallreduce(Transport *transport, const CollectiveCall *call, Err *err);
bool mpi_ialltoall(Transport *transport, const CollectiveCall *call, Err *err);
