/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing a trace anew as an OTF2 archive, from its events, with what an analysis found out about them: regions around
 * stretches of a process's time, the logical times of events, markers. Processes are written one after the other, so
 * that memory doesn't grow with their number.
 *
 *   annotated_create
 *     annotated_begin_process
 *       annotated_reach, annotated_leave, annotated_enter, annotated_call
 *       …
 *     annotated_end_process
 *     …
 *   annotated_finish, or, when something failed, annotated_abandon
 */
#pragma once

#include "base/err.h"
#include "model/event.h"

/* Where an event stands in the logical trace; it may have no place there. */
typedef struct EventPlace {
    bool is_placed;
    uint64_t logical_time, tick;
} EventPlace;

/* A stretch of time that the analysis gives a name. */
typedef struct AnnotatedRegion {
    const char *name, *description;
} AnnotatedRegion;

typedef struct AnnotatedMarker {
    int64_t time_ns;
    const char *text;
} AnnotatedMarker;

#define NO_OCCURRENCE UINT64_MAX

typedef struct AnnotatedArchive AnnotatedArchive;

/* Starts an archive in `directory`, as archive_write does it. Trace and regions must live until the end of writing. */
bool annotated_create(const char *directory, const Trace *trace, const AnnotatedRegion *regions, uint32_t n_regions,
                      AnnotatedArchive **archive, Err *err);

bool annotated_begin_process(AnnotatedArchive *archive, uint32_t process, Err *err);

/* The process comes to a call whose first event is this; before the regions that begin or end there. */
void annotated_reach(AnnotatedArchive *archive, const Event *first);

/* A region of the list begins or ends; regions nest. `occurrence` becomes an attribute, unless it is NO_OCCURRENCE. */
void annotated_enter(AnnotatedArchive *archive, uint32_t region, int64_t time_ns, uint64_t occurrence);
void annotated_leave(AnnotatedArchive *archive, uint32_t region, int64_t time_ns);

/* The events of one MPI call, with a place each. The call gets the name of what it did: an event doesn't tell more.
 * Calls of a process must not overlap: where they do (several threads), the later one begins when the earlier one has
 * ended. */
void annotated_call(AnnotatedArchive *archive, const Event *events, const EventPlace *places, size_t count);

/* Errors of all writes since annotated_begin_process. */
bool annotated_end_process(AnnotatedArchive *archive, Err *err);

/* Writes the rest. `note`: a sentence on where the archive comes from. The archive is freed, also on failure; then
 * nothing of it stays. */
bool annotated_finish(AnnotatedArchive *archive, const AnnotatedMarker *markers, size_t n_markers, const char *note,
                      Err *err);
void annotated_abandon(AnnotatedArchive *archive); /* NULL is fine */
