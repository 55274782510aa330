/* SPDX-License-Identifier: BSD-3-Clause */
/* Many streams of records of one size that are written interleaved, and then read one after the other, in a temporary
 * file without a name: what one pass over a trace leaves to the next. In memory is one block for each stream. */
#ifndef FIRMA_BASE_SPOOL_H
#define FIRMA_BASE_SPOOL_H

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>

typedef struct Spool Spool;

/* The file is made in `directory`; if that fails: ERR_ENVIRONMENT. */
bool spool_new(const char *directory, uint32_t n_streams, size_t record_bytes, Spool **spool, Err *err);
void spool_free(Spool *spool); /* NULL is fine */

bool spool_write(Spool *spool, uint32_t stream, const void *record, Err *err);

/* Reading: spool_rewind chooses a stream, and each spool_read gives its next record; *is_there is false at its end.
 * Nothing is written any more after the first spool_rewind. */
void spool_rewind(Spool *spool, uint32_t stream);
bool spool_read(Spool *spool, void *record, bool *is_there, Err *err);

#endif
