/* SPDX-License-Identifier: BSD-3-Clause */
/* How platform files for firma-simgrid-replay tell costs that depend on a message's size. */
#pragma once

/* A link's property in the platform file: "BYTES LATENCY BANDWIDTH BYTES LATENCY BANDWIDTH …", by ascending bytes.
 * From so many bytes on, a message sees its route's latency and bandwidth times these factors. Of the links of a
 * route, the first one that has the property decides. */
#define COSTS_PROPERTY "costs"

/* If all messages of a run are shorter than these bytes, the link carries one after the other, not several at the same
 * time. Their latencies overlap. */
#define QUEUE_PROPERTY "queue"
