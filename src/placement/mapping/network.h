/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages on links, during a simulation. The messages that cross a link at the same time share its
 * rate max-min: none can be faster without slowing down one that is no faster. Private to mapping/.
 * docs/METHOD.md, section 14. */
#pragma once

#include "placement/platform/platform.h"

typedef struct Network Network;

/* For n_channels channels, each with at most one message on its way. */
Network *network_new(const Platform *platform, uint32_t n_channels, Arena *arena);

/* Empties the network, and prepares it for a mapping. routes[n_channels]: the way of each channel's
 * messages, or NULL. Messages without links don't come here. */
void network_place(Network *network, const Route *const *routes);

/* The channel's message begins to cross its links. If it stayed alone, it would take seconds. */
void network_enter(Network *network, uint32_t channel, double seconds, double now_s);

/* When the next message has crossed its links. Infinite: there is none. */
double network_next_s(Network *network, double now_s);

/* Takes that message out, and returns its channel. */
uint32_t network_leave(Network *network, double now_s);
