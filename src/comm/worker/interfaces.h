/* SPDX-License-Identifier: BSD-3-Clause */
/* Byte counters of network interfaces: they prove which path messages took. */
#pragma once

#include <jansson.h>

/* {name: [received_bytes, sent_bytes]} of /proc/net/dev; empty if it can't be read. */
json_t *interfaces_read(void);

/* The same of what grew since. */
json_t *interfaces_growth(const json_t *before, const json_t *after);
