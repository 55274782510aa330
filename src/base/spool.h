/* SPDX-License-Identifier: BSD-3-Clause */
/* Many streams of records of one size that are written interleaved, and then read one after the other, through a
 * temporary file (spill.h): what one pass over a trace leaves to the next. In memory are one block for each stream, and
 * the first full blocks. */
#pragma once

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

typedef struct Spool Spool;

/* memory_bytes: what full blocks may take in memory before they go to the file. */
Spool *spool_new(uint32_t n_streams, size_t record_bytes, size_t memory_bytes);
void spool_free(Spool *spool); /* NULL is fine */

bool spool_write(Spool *spool, uint32_t stream, const void *record, Err *err);

/* Reading: spool_start chooses a stream, and each spool_read gives its next record; *is_there is false at its end. A
 * stream is read once, and nothing is written to it any more. */
void spool_start(Spool *spool, uint32_t stream);
bool spool_read(Spool *spool, void *record, bool *is_there, Err *err);
