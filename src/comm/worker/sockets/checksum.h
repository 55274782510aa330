/* SPDX-License-Identifier: BSD-3-Clause */
/* The Internet's checksum (RFC 1071): the complement of the one's complement sum of 16-bit words,
 * in the order of the bytes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Checksum of a message in two parts, the first of even length. Store the result as it is. */
uint16_t checksum_of(const void *head, size_t head_bytes, const void *rest, size_t rest_bytes);
