/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI as a transport. One process a rank, started by the launcher. */
#ifndef FIRMA_COMM_WORKER_MPI_TRANSPORT_H
#define FIRMA_COMM_WORKER_MPI_TRANSPORT_H

#include "comm/worker/transport.h"

extern const TransportKind mpi_transport;

#endif
