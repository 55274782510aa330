/* SPDX-License-Identifier: BSD-3-Clause */
/* The exchanges of a transport: ping-pong, which each one has, and those of its own table. */
#pragma once

#include "comm/worker/harness/transport.h"
#include <stdbool.h>

/* Whether the transport has this operation as an exchange; sets its number, which all ranks agree on. */
bool exchanges_find(const Transport *transport, const char *operation, uint32_t *number);

const Exchange *exchanges_at(const Transport *transport, uint32_t number);
