/* SPDX-License-Identifier: BSD-3-Clause */
/* The addresses that a job's sockets may be bound to, and a network that has them. Private to checkpoint/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

typedef VEC(const char *) NetworkAddresses; /* the caller frees them (vec_free) */

/* Adds this host's addresses, IPv4 and IPv6, without those of the loopback device and of single links. */
void network_addresses(Arena *arena, NetworkAddresses *addresses);

/* In a new network namespace: takes the loopback device up, and gives it these addresses. */
bool network_make_loopback(const NetworkAddresses *addresses, Err *err);
