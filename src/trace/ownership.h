/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose a directory is: asked before firma records into it, replaces it or removes it. What isn't certainly firma's
 * own is left alone. */
#pragma once

#include "base/arena.h"
#include "base/err.h"

/* Sends a signal (0: none) to every process of the launch that records there, on this host; how many there are. A dead
 * one that nobody has collected has no environment any more, and doesn't count. `path` is absolute. */
size_t recording_signal_processes(const char *path, int number);

/* ERR_USAGE if the firma that records into `path` still runs on this host, or has ended and left its program running.
 * The calling process itself doesn't count. */
bool recording_check_unused(const char *path, Arena *arena, Err *err);

/* ERR_USAGE, naming the first stranger, if `path` isn't a recording's directory: its control file and nothing but
 * records, and the archive that a measurement makes of them. An empty directory passes. */
bool recording_check_own(const char *path, Arena *arena, Err *err);

/* Removes a recording that is firma's own and unused; ERR_USAGE and untouched otherwise. One that isn't there is fine.
 */
bool recording_remove(const char *path, Arena *arena, Err *err);

/* Whether an archive's directory holds a file or directory of this name. */
bool archive_is_part(const char *name);

/* ERR_USAGE, naming it, if an archive's directory holds anything else. */
bool archive_check_own(const char *directory, Arena *arena, Err *err);
