/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes how many events go into a message, and how many messages of a process may be on their
 * way to rank 0 or wait there. Private to the folder. */
#pragma once

#include <stdint.h>

typedef struct Credit {
    uint32_t n_events, n_messages;
} Credit;

/* Half of the memory is for events that readers sent ahead. The other half is for what a reader
 * holds itself. */
static inline Credit credit_of_memory(uint64_t memory_bytes, uint32_t n_processes)
{
    enum { EVENT_BYTES = 64, LEAST_EVENTS = 64, MOST_EVENTS = 1024, LEAST_MESSAGES = 2, MOST_MESSAGES = 8 };
    uint64_t n_events = memory_bytes / 2 / EVENT_BYTES / n_processes;
    uint64_t in_one = n_events / LEAST_MESSAGES;
    in_one = in_one < LEAST_EVENTS ? LEAST_EVENTS : in_one > MOST_EVENTS ? MOST_EVENTS : in_one;
    uint64_t n_messages = n_events / in_one;
    n_messages = n_messages < LEAST_MESSAGES ? LEAST_MESSAGES : n_messages > MOST_MESSAGES ? MOST_MESSAGES : n_messages;
    return (Credit){(uint32_t)in_one, (uint32_t)n_messages};
}
