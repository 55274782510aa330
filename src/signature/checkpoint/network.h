/* SPDX-License-Identifier: BSD-3-Clause */
/* The addresses that a job's sockets may be bound to, and a network that has these addresses.
 * Private to checkpoint/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

typedef VEC(const char *) NetworkAddresses; /* the caller frees them (vec_free) */

/* Adds this host's IPv4 and IPv6 addresses, without loopback and link-local addresses. */
void network_addresses(Arena *arena, NetworkAddresses *addresses);

/* In a new network namespace: starts the loopback device, and gives it these addresses. */
bool network_make_loopback(const NetworkAddresses *addresses, Err *err);
