/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-comm-sockets: comm/protocol.h. */
#include "comm/worker/harness.h"
#include "comm/worker/icmp.h"
#include "comm/worker/sockets.h"

int main(int argc, char **argv)
{
    const TransportKind *const kinds[] = {&tcp_transport, &unix_transport, &icmp_transport, NULL};
    return harness_main(argc, argv, kinds);
}
