/* SPDX-License-Identifier: BSD-3-Clause */
/* PVM as a transport, by direct routes between tasks or through the daemons. The first task is started from outside and
 * spawns the ranks from 1 on, each on the host that `peers` of the request names.
 *
 * Fragments stay as long as PVM makes them by default (PvmFragSize, 4080 bytes), as programs seldom change that.
 * Broadcast and barrier go over a dynamic group: each asks the group server first, as they do in any program. PVM's
 * gather, scatter and reduce pack in XDR whatever the program wants, so they are there with packing "xdr" alone. */
#ifndef FIRMA_COMM_WORKER_PVM_H
#define FIRMA_COMM_WORKER_PVM_H

#include "comm/worker/transport.h"

extern const TransportKind pvm_direct_kind, pvm_daemon_kind;

#endif
