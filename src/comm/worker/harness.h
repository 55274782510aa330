/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what a request asks for over a transport, and prints records (comm/protocol.h). All ranks call it. */
#pragma once

#include "comm/worker/transport.h"

/* The whole main() of a worker: reads the request from argv[1], finds the kind it names among `kinds` (ends with NULL),
 * opens it, measures, closes. Returns the exit status. */
int harness_main(int argc, char **argv, const TransportKind *const kinds[]);
