/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256 (FIPS 180-4). */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32 };

void sha256(const void *bytes, size_t size_bytes, uint8_t digest[SHA256_BYTES]);
