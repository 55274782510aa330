/* SPDX-License-Identifier: BSD-3-Clause */
/* firma-comm-openmpi, firma-comm-mpich: comm/protocol.h. */
#include "comm/worker/harness.h"
#include "comm/worker/mpi_transport.h"

int main(int argc, char **argv)
{
    const TransportKind *const kinds[] = {&mpi_transport, NULL};
    return harness_main(argc, argv, kinds);
}
