/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a location, a batch of records at a time, into its buffer. Private to trace/. */
#ifndef FIRMA_TRACE_READER_BATCHES_H
#define FIRMA_TRACE_READER_BATCHES_H

#include "trace/reader/reader.h"

/* Reads on until the next event of the location is there, or the location has ended. False: it can't be read on, now
 * and later, for location->err. */
bool location_make_ready(Location *location);

/* Frees what it holds of events. */
void location_forget_events(Location *location);

#endif
