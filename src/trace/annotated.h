/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of a trace into a new OTF2 archive, together with results of an analysis:
 * regions around stretches of a process's time, logical times of events, and markers. Processes are
 * written one after the other, so memory doesn't grow with their number.
 *
 *   annotated_create
 *     annotated_begin_process
 *       annotated_reach, annotated_leave, annotated_enter, annotated_call
 *       …
 *     annotated_end_process
 *     …
 *   annotated_finish, or annotated_abandon if something failed
 */
#pragma once

#include "base/err.h"
#include "model/event.h"

/* The place of an event in the logical trace. Some events have none. */
typedef struct EventPlace {
    bool is_placed;
    uint64_t logical_time, tick;
} EventPlace;

/* The name of a stretch of time, for annotated_enter(). */
typedef struct AnnotatedRegion {
    const char *name, *description;
} AnnotatedRegion;

typedef struct AnnotatedMarker {
    int64_t time_ns;
    const char *text;
} AnnotatedMarker;

#define NO_OCCURRENCE UINT64_MAX

typedef struct AnnotatedArchive AnnotatedArchive;

/* Starts an archive in `directory`, in the same way as archive_write(). `trace` and `regions` must
 * stay valid until the archive is finished or abandoned. */
bool annotated_create(const char *directory, const Trace *trace, const AnnotatedRegion *regions, uint32_t n_regions,
                      AnnotatedArchive **archive, Err *err);

bool annotated_begin_process(AnnotatedArchive *archive, uint32_t process, Err *err);

/* The process reaches a call whose first event is `first`. To be called before regions begin or end
 * there. */
void annotated_reach(AnnotatedArchive *archive, const Event *first);

/* A region of the list begins or ends; regions nest. `occurrence` becomes an attribute of the
 * event, unless it is NO_OCCURRENCE. */
void annotated_enter(AnnotatedArchive *archive, uint32_t region, int64_t time_ns, uint64_t occurrence);
void annotated_leave(AnnotatedArchive *archive, uint32_t region, int64_t time_ns);

/* Writes the events of one MPI call, with a place for each. The call gets a name that its events
 * imply, because events don't contain the call's name. Calls of a process must not overlap. If
 * several threads' calls do, the later call begins at the end of the earlier one. */
void annotated_call(AnnotatedArchive *archive, const Event *events, const EventPlace *places, size_t count);

/* Returns false if any write since annotated_begin_process() failed. */
bool annotated_end_process(AnnotatedArchive *archive, Err *err);

/* Writes the definitions. `note` is a sentence about the origin of the archive. Frees the archive
 * in any case; on failure, its files are removed. */
bool annotated_finish(AnnotatedArchive *archive, const AnnotatedMarker *markers, size_t n_markers, const char *note,
                      Err *err);
void annotated_abandon(AnnotatedArchive *archive); /* NULL is fine */
