/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which application a recording belongs to. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/event.h"
#include "trace/segment.h"

/* The application that a process file describes. Its texts lie in the arena. */
Application identity_of_process(const ProcessFile *process, Arena *arena);

/* Reads the application from the process file of rank 0 in the job that began first. Works also
 * while the application runs. If rank 0 has left no file for a second, the lowest rank's file is
 * read; at once if the application has ended. The number of a PVM program's tasks is known at its
 * end only. *known is false as long as no file exists. *host becomes
 * the host of that process. */
bool identity_of_recording(const char *recording, bool has_ended, Arena *arena, bool *known, Application *application,
                           const char **host, Err *err);

/* Counts the ranks that have left a process file so far. *other is a host other than this one of which a rank has named
 * itself; NULL: none. */
bool identity_find_other_host(const char *recording, const char *host, Arena *arena, uint32_t *n_ranks,
                              const char **other, Err *err);
