/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a location, a batch of records at a time, into its buffer; and the open archive as a source of events. Private
 * to trace/. */
#pragma once

#include "trace/reader/reader.h"

/* EventSource.read of an Archive: a process's events, those of its threads merged. */
bool reader_read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err);

/* Frees what it holds of events. */
void location_forget_events(Location *location);
