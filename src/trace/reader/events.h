/* SPDX-License-Identifier: BSD-3-Clause */
/* From the records of a location to events in its buffer. Private to trace/. */
#pragma once

#include <otf2/otf2.h>

/* What OTF2 shall call while it reads a Location, which is the callbacks' user data. NULL: no memory. */
OTF2_EvtReaderCallbacks *reader_event_callbacks(void);

/* Those of collectives and one-sided operations among them. */
void reader_set_collective_callbacks(OTF2_EvtReaderCallbacks *callbacks);
