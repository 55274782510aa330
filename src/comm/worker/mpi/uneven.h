/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's collectives of uneven blocks (uneven.h), for the table of transport.c. */
#pragma once

#include "comm/worker/harness/transport.h"

/* In a CollectiveCall of these, `block` is the whole vector. */
bool mpi_gatherv(Transport *transport, const CollectiveCall *call, Err *err);
bool mpi_scatterv(Transport *transport, const CollectiveCall *call, Err *err);
bool mpi_allgatherv(Transport *transport, const CollectiveCall *call, Err *err);
bool mpi_alltoallv(Transport *transport, const CollectiveCall *call, Err *err);
