/* SPDX-License-Identifier: BSD-3-Clause */
/* The open archive as a source of events. Private to trace/. */
#ifndef FIRMA_TRACE_READER_SOURCE_H
#define FIRMA_TRACE_READER_SOURCE_H

#include "model/event.h"

/* EventSource.read of an Archive: a process's events, those of its threads merged. */
bool reader_read_events(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err);

#endif
