/* SPDX-License-Identifier: BSD-3-Clause */
/* A temporary file for what memory shouldn't hold: pieces are written, and each is read back once. It has no name, so
 * nothing is left of it however the process ends. It lies in TMPDIR, or in /tmp. */
#pragma once

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

typedef struct Spill {
    int file_plus_1;
    uint64_t end_bytes;  /* of the file */
    uint64_t kept_bytes; /* of pieces that weren't read back */
} Spill;                 /* zero-initialise */

void spill_free(Spill *spill);

/* Where the piece went, into *offset. */
bool spill_write(Spill *spill, const void *piece, size_t size_bytes, uint64_t *offset, Err *err);

/* The piece, or a part of it; its place on the disk is given back. */
bool spill_read(Spill *spill, uint64_t offset, void *piece, size_t size_bytes, Err *err);
