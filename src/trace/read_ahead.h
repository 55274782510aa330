/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a trace with a second processor: a thread reads each process's events ahead, while the caller works on earlier
 * ones.
 *
 *     thread   reads the source, fills batches  ──►  | p0 | p1 | p1 |  ──►  caller: read_ahead_source()
 *
 * Only the thread touches the source, and whatever the source reads from. So all that such sources compute is computed
 * by the thread, too. The caller gets the same events and errors as from the source itself. */
#pragma once

#include "model/event.h"

typedef struct ReadAhead ReadAhead;

/* Without a second processor, the caller reads by itself. */
ReadAhead *read_ahead_new(EventSource *from);
EventSource *read_ahead_source(ReadAhead *ahead); /* lives as long as `ahead` */

/* Ends the thread. Then the caller may use the source. NULL is fine. */
void read_ahead_free(ReadAhead *ahead);
