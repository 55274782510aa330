/* SPDX-License-Identifier: BSD-3-Clause */
/* ICMP echo as a transport of one process: what the network and the two kernels take, without any process on the other
 * side. */
#pragma once

#include "comm/worker/transport.h"

extern const TransportKind icmp_transport;
