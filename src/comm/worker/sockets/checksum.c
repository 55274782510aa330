/* SPDX-License-Identifier: BSD-3-Clause */
/* See checksum.h. */
#include "comm/worker/sockets/checksum.h"

#include <string.h>

static uint64_t add_words(uint64_t sum, const void *bytes, size_t count)
{
    const unsigned char *next = bytes;
    for (; count > 1; count -= 2, next += 2) {
        uint16_t word;
        memcpy(&word, next, sizeof word);
        sum += word;
    }
    const unsigned char last[2] = {count ? *next : 0, 0};
    uint16_t word;
    memcpy(&word, last, sizeof word);
    return sum + word;
}

uint16_t checksum_of(const void *head, size_t head_bytes, const void *rest, size_t rest_bytes)
{
    uint64_t sum = add_words(add_words(0, head, head_bytes), rest, rest_bytes);
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}
