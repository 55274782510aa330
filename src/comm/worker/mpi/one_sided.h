/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's one-sided messages, as osu_put_latency and osu_get_latency send them: into and out of a window that MPI
 * allocates, each one completed by MPI_Win_flush, under one lock for a whole chunk. For the table of
 * transport.c. */
#pragma once

#include "comm/worker/harness/transport.h"

/* At both ranks: makes the pair's window, if it has none yet. The rank that begins locks the other one's. */
bool mpi_one_sided_open(Transport *transport, const ExchangeCall *call, Err *err);

bool mpi_put(Transport *transport, const ExchangeCall *call, Err *err);
bool mpi_get(Transport *transport, const ExchangeCall *call, Err *err);

/* The rank that begins unlocks the window. The other one waits for that inside MPI, where its library gets on. */
bool mpi_one_sided_close(Transport *transport, const ExchangeCall *call, Err *err);

/* Frees the windows. Each pair's ranks call it for the same windows in the same order. */
void mpi_one_sided_end(const Transport *transport);
