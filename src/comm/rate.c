/* SPDX-License-Identifier: BSD-3-Clause */
/* See rate.h. */
#include "comm/rate.h"

const CommRate *rate_make(const CommPoint *point, Arena *arena)
{
    CommRate *rate = arena_new_array(arena, CommRate, 1);
    *rate = (CommRate){.messages_per_s = 1 / point->median_s,
                       .low_messages_per_s = 1 / point->high_s,
                       .high_messages_per_s = 1 / point->low_s,
                       .most_messages_per_s = 1 / point->minimum_s};
    rate->bytes_per_s = (double)point->bytes * rate->messages_per_s;
    rate->most_bytes_per_s = (double)point->bytes * rate->most_messages_per_s;
    return rate;
}
