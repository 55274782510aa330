/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that firma itself made a directory, before firma records into it, replaces it or removes
 * it. A directory that may belong to others is left alone. */
#pragma once

#include "base/arena.h"
#include "base/err.h"

/* Sends a signal (0: none) to every process of the launch that records there, on this host. Returns
 * their number. Zombies don't count, because they have no environment. `path` is absolute. */
size_t recording_signal_processes(const char *path, int number);

/* ERR_USAGE if another firma that records into `path` still runs, or has ended and left its program
 * running on this host; also if firma can't tell, because that firma ran on another host, or in
 * another PID namespace. */
bool recording_check_unused(const char *path, Arena *arena, Err *err);

/* ERR_USAGE, naming the first foreign file, if `path` isn't a recording's directory. Such a
 * directory holds a control file, records, and the archive that a measurement makes of these. An
 * empty directory passes. */
bool recording_check_own(const char *path, Arena *arena, Err *err);

/* Removes what a firma left in a recording's directory that was killed before any process recorded:
 * its control file, or parts of it. Leaves everything else. */
void recording_remove_remains(const char *path, Arena *arena);

/* Takes the owner's name off a recording that is kept on purpose. */
void recording_release(const char *path, Arena *arena);

/* True if the directory is a recording. */
bool recording_is_at(const char *path, Arena *arena);

/* By how much other programs may have slowed the recorded job down. 0: not known. */
double recording_slowdown(const char *path, Arena *arena);

/* The directory where each node keeps records until they are gathered (gathering.h). NULL: there is none. */
const char *recording_local(const char *path, Arena *arena);

/* True if the recording's owner may still run: on another host, or in another PID namespace. */
bool recording_owner_is_unknown(const char *path, Arena *arena);

/* Removes the recording of a firma that was killed, if none of its processes runs. A recording that
 * firma kept on purpose stays. True: removed. */
bool recording_remove_abandoned(const char *path, Arena *arena);

/* Removes a recording that is firma's own and unused. Otherwise ERR_USAGE, and the directory is
 * untouched. No directory is fine. */
bool recording_remove(const char *path, Arena *arena, Err *err);

/* True if an archive's directory may hold a file or directory of this name. */
bool archive_is_part(const char *name);

/* ERR_USAGE, naming the file, if an archive's directory holds anything but an archive. */
bool archive_check_own(const char *directory, Arena *arena, Err *err);
