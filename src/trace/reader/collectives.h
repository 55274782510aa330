/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives and one-sided operations among the records of a location. Private to trace/. */
#ifndef FIRMA_TRACE_READER_COLLECTIVES_H
#define FIRMA_TRACE_READER_COLLECTIVES_H

#include <otf2/otf2.h>

void reader_set_collective_callbacks(OTF2_EvtReaderCallbacks *callbacks);

#endif
