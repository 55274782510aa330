/* SPDX-License-Identifier: BSD-3-Clause */
/* TCP and Unix stream sockets as transports: what the operating system gives without a library. Rank 0 starts the other
 * ranks, each by the words in the request, and they connect to it. */
#ifndef FIRMA_COMM_WORKER_SOCKETS_H
#define FIRMA_COMM_WORKER_SOCKETS_H

#include "comm/worker/transport.h"

extern const TransportKind tcp_transport, unix_transport;

#endif
