/* SPDX-License-Identifier: BSD-3-Clause */
/* The network of the hosts' addresses: with several networks, a library would choose another one, or share the bytes
 * out. */
#pragma once

#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct Network {
    char interface[64]; /* of this host: "eth1" */
    char subnet[64];    /* "10.0.0.0/24" */
} Network;

/* An address as a number: "10.0.0.2" for "node2". NULL if the name isn't known. Prefers IPv4, which all middlewares
 * know. */
const char *network_number(const char *address, Arena *arena);

/* Finds this host's interface that has one of the addresses, which are numbers or NULL. The loopback interface doesn't
 * count. Returns false if there is none. */
bool network_find(const char *const *numbers, size_t n, Network *network);

/* Whether all addresses are in the subnet. */
bool network_holds(const Network *network, const char *const *numbers, size_t n);
