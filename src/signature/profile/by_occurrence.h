/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells to which occurrence of a phase an event belongs, while phases are being found. The watch of the
 * phase stage sees each event once, and each start of an occurrence some ticks later. So items of events
 * are kept until their occurrence is known:
 *
 *     send-like events of a process    … 41  42  43  44  45 …
 *     starts of occurrences              [2      [1      [2 …
 */
#pragma once

#include "signature/phases/phases.h"

#define BEFORE_ALL UINT64_MAX /* a place before the first occurrence */

/* Where an event stands among the send-like events of its process. The time before an event belongs to
 * what was before it; a receive, to the send-like event before it. */
static inline uint64_t place_before(const LogicalEvent *event)
{
    return event->number ? event->number - 1 : BEFORE_ALL;
}
static inline uint64_t place_of(const LogicalEvent *event)
{
    return comm_type_kind(event->type) == TYPE_RECV ? place_before(event) : event->number;
}

typedef struct ByOccurrence ByOccurrence;

/* Takes an item whose occurrence is known. start: NULL before the first occurrence, and behind the last
 * one, which ends at the entry of the process's last send-like event. */
typedef void TakeItem(void *self, uint32_t process, const OccurrenceStart *start, const void *item);

ByOccurrence *by_occurrence_new(uint32_t n_processes, size_t item_bytes, TakeItem *take, void *self);

/* Adds an item at a place of a process. Places may come in any order, if they aren't far apart. */
void by_occurrence_add(ByOccurrence *sorter, uint32_t process, uint64_t place, const void *item);

/* The process's item that was added last, if it isn't taken yet and is at this place; otherwise NULL. Valid until the
 * next call. */
void *by_occurrence_last(const ByOccurrence *sorter, uint32_t process, uint64_t place);

/* Fetch into the cache what adding an item of the process needs: first the record, some events later the end. With
 * many processes, none of this is there. */
void by_occurrence_fetch_record(const ByOccurrence *sorter, uint32_t process);
void by_occurrence_fetch_end(const ByOccurrence *sorter, uint32_t process);

/* For PhasesWatch.occurrences. */
void by_occurrence_start(ByOccurrence *sorter, const OccurrenceStart *starts, size_t count);

/* The trace has ended: all items that are left are taken. */
void by_occurrence_finish(ByOccurrence *sorter);
void by_occurrence_free(ByOccurrence *sorter);
