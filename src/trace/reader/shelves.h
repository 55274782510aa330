/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2 searches a list of all its locations, and of all that are open, whenever one is opened or closed: with many of
 * them that is most of the work. So an archive is opened several times, and each of these shelves holds only some of
 * the locations. Private to trace/. */
#ifndef FIRMA_TRACE_READER_SHELVES_H
#define FIRMA_TRACE_READER_SHELVES_H

#include "trace/reader/reader.h"

/* The location's shelf, which is opened when first needed. NULL: can't be. */
OTF2_Reader *shelf_of(Location *location, Err *err);

/* Opens an anchor file for reading in this process alone. NULL: not readable. */
OTF2_Reader *shelf_open(const char *anchor, Err *err);

void shelves_close(Archive *archive);

#endif
