/* SPDX-License-Identifier: BSD-3-Clause */
/* Which application a recording is of. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/event.h"
#include "trace/segment.h"

/* The application as one of its processes described itself. Texts in the arena. */
Application identity_of_process(const ProcessFile *process, Arena *arena);

/* Reads the description of rank 0 of the job that began first, also while the application runs; that of the lowest rank
 * if rank 0 hasn't been seen for a second. *known is false as long as there is none; *host is where that process runs.
 */
bool identity_of_recording(const char *recording, Arena *arena, bool *known, Application *application,
                           const char **host, Err *err);
