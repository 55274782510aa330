/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-comm-pvm: measures PVM's message passing, as comm/protocol.h says. */
#include "comm/worker/harness.h"
#include "comm/worker/pvm.h"

int main(int argc, char **argv)
{
    return harness_main(argc, argv, (const TransportKind *const[]){&pvm_direct_kind, &pvm_daemon_kind, NULL});
}
