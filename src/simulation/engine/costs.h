/* SPDX-License-Identifier: BSD-3-Clause */
/* Costs of messages that depend on their size, for each path by itself. SimGrid's options know one list of
 * factors for all links; its interface in C++ asks for each message, so this part is in C++. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Call when the platform is loaded. Links tell the costs by their properties (link_costs.h). largest_bytes: of the
 * messages that will be sent. */
void costs_install(double largest_bytes);

#ifdef __cplusplus
}
#endif
