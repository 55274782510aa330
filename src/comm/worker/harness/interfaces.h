/* SPDX-License-Identifier: BSD-3-Clause */
/* Byte counters of network interfaces, which show the path that messages took. */
#pragma once

#include "comm/network.h"
#include <jansson.h>

/* {name: [received_bytes, sent_bytes]} from /proc/net/dev; empty if unreadable. */
json_t *interfaces_read(void);

/* The interface of this host that has one of the request's addresses. Returns false if there is none. */
bool interfaces_find(const json_t *request, Network *network);

/* Differences of two such objects. */
json_t *interfaces_growth(const json_t *before, const json_t *after);
