/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures over a transport what a request asks for, and prints records (comm/protocol.h). All
 * workers share this harness. All ranks call it. */
#pragma once

#include "comm/worker/harness/transport.h"

/* The whole main() of a worker: reads the request from argv[1], finds the transport in `kinds`
 * (NULL-terminated), opens it, measures, and closes it. Returns the exit status. */
int harness_main(int argc, char **argv, const TransportKind *const kinds[]);
