/* SPDX-License-Identifier: BSD-3-Clause */
/* Sleeping before the events that the StopsFile names, so that the whole job can be saved there. */
#pragma once

#include "trace/recorder/recorder.h"

extern bool stops_ahead; /* read with stops_are_ahead() */

/* Whether there is a stop that isn't released yet: all that a call costs where there is none. */
HOT bool stops_are_ahead(void)
{
    return __atomic_load_n(&stops_ahead, __ATOMIC_RELAXED);
}

/* Maps the stops, if the recording has some. The ProcessFile is made; nothing is recorded yet. */
void stops_start(uint32_t rank);

/* The thread enters a call that will make so many send-like events: sleeps if the process shall not make them yet. */
void stops_come_to(Thread *thread, uint64_t n_events);
