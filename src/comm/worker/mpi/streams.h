/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows of nonblocking messages under MPI, as osu_bw and osu_bibw send them. For the table of transport.c. */
#pragma once

#include "comm/worker/harness/transport.h"

/* COMM_WINDOW messages from the rank that begins, and one short answer. */
bool mpi_stream_send(Transport *transport, const ExchangeCall *call, Err *err);
bool mpi_stream_receive(Transport *transport, const ExchangeCall *call, Err *err);

/* Windows of a stream in each pair of ranks at once (pairs.h), as osu_mbw_mr sends them. */
bool mpi_pairs(Transport *transport, const CollectiveCall *call, Err *err);

/* COMM_WINDOW messages in each direction at once, twice; the same at both ranks. */
bool mpi_bidirectional(Transport *transport, const ExchangeCall *call, Err *err);
