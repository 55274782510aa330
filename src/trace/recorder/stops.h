/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts threads to sleep before the events that the StopsFile names, so that the whole job can be
 * saved there. */
#pragma once

#include "trace/recorder/recorder.h"

extern bool stops_ahead; /* read with stops_are_ahead() */

/* True if some stop isn't released yet. Without stops, this test is all that a call costs. */
HOT bool stops_are_ahead(void)
{
    return __atomic_load_n(&stops_ahead, __ATOMIC_RELAXED);
}

/* Maps the stops, if the recording has any. To be called after the ProcessFile was created, and
 * before the first record. */
void stops_start(uint32_t rank);

/* The thread enters a call that will make n_events send-like events. Sleeps if a stop lies before
 * one of them. */
void stops_come_to(Thread *thread, uint64_t n_events);
