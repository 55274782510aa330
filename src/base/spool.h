/* SPDX-License-Identifier: BSD-3-Clause */
/* Many streams of records of one size. They are written interleaved, and then read one stream after
 * the other. One pass over a trace leaves data to the next pass in this way. Memory holds one block
 * for each stream, and the first full blocks; a temporary file (spill.h) holds the rest. */
#pragma once

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

typedef struct Spool Spool;

/* memory_bytes is the memory for full blocks. Further full blocks go to the file. */
Spool *spool_new(uint32_t n_streams, size_t record_bytes, size_t memory_bytes);
void spool_free(Spool *spool); /* NULL is fine */

bool spool_write(Spool *spool, uint32_t stream, const void *record, Err *err);

/* spool_start() chooses the stream to read, and each spool_read() gives its next record. *is_there
 * is false at the end of the stream. A stream can be read once, and not be written to after
 * that. */
void spool_start(Spool *spool, uint32_t stream);
bool spool_read(Spool *spool, void *record, bool *is_there, Err *err);
