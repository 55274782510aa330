/* SPDX-License-Identifier: BSD-3-Clause */
/* A temporary file for data that is too large for memory. Pieces are written, and each piece is
 * read back once. The file is unlinked at once, so nothing remains however the process ends. The
 * file lies in TMPDIR, or in /tmp. */
#pragma once

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

typedef struct Spill {
    int file_plus_1;     /* file descriptor + 1; 0: no file yet */
    uint64_t end_bytes;  /* length of the file */
    uint64_t kept_bytes; /* in pieces that weren't read back yet */
} Spill;                 /* zero-initialise */

void spill_free(Spill *spill);

/* Writes a piece. *offset becomes the piece's place in the file. */
bool spill_write(Spill *spill, const void *piece, size_t size_bytes, uint64_t *offset, Err *err);

/* Reads a piece, or a part of it, and frees its space on the disk. */
bool spill_read(Spill *spill, uint64_t offset, void *piece, size_t size_bytes, Err *err);
