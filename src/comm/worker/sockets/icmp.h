/* SPDX-License-Identifier: BSD-3-Clause */
/* ICMP echo as a transport of one process. It shows the time that the network and two kernels take,
 * without a process on the other side. */
#pragma once

#include "comm/worker/harness/transport.h"

extern const TransportKind icmp_transport;
