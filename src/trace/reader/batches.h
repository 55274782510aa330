/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a location into its buffer, a batch of records at a time, and makes the open archive a
 * source of events. Private to trace/. */
#pragma once

#include "trace/reader/reader.h"

/* EventSource.read of an Archive. The events of a process's threads are merged. */
bool reader_read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err);

/* The next event of a process with several threads. *location becomes NULL after the last. False: it can't
 * be read. */
bool reader_next_merged(const Process *process, Location **location, Event *event, Err *err);

/* Frees the location's memory for events. */
void location_forget_events(Location *location);
