/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the processes whose threads communicate at the same time, and divides their events into sequences
 * (Trace.n_sequences). docs/METHOD.md, section 1. Private to trace/. */
#pragma once

#include "trace/reader/reader.h"

/* Reads the events of processes with several threads from `scanned`, which is a second opening of the same
 * archive. Events that can't be read are left to the caller of reader_read_events(). */
void sequences_find(Archive *archive, Archive *scanned);

/* The sequence of an event of a process with several threads. */
uint8_t sequence_of_event(const Location *location, const Event *event);
