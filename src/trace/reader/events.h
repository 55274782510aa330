/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates the records of a location to events in its buffer. Private to trace/. */
#pragma once

#include <otf2/otf2.h>

/* OTF2's callbacks for reading a Location, which is their user data. NULL: out of memory. */
OTF2_EvtReaderCallbacks *reader_event_callbacks(void);

/* Sets the callbacks for collectives and one-sided operations. */
void reader_set_collective_callbacks(OTF2_EvtReaderCallbacks *callbacks);
