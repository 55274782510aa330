/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that carry a mark: a word of their environment that nothing else has. So whatever a launcher started is
 * found, whoever its parent is by now. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Sends a signal (0: none) to every process of this host whose environment has the word "NAME=VALUE", or one that
 * begins so; how many there are. The calling process doesn't count; nor does a dead one that nobody has collected, as
 * it has no environment any more. */
size_t marked_signal(const char *word, bool as_beginning, int number);

/* Waits until there are none any more; after patience_ms kills those that are left, and waits for a second at most. */
void marked_sweep(const char *word, bool as_beginning, int patience_ms);
