/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of an archive's locations: opened when they are read, and closed again, as only so many can be open.
 * Private to trace/. */
#pragma once

#include "trace/reader/reader.h"

/* Opens an anchor file for reading in this process alone. NULL: not readable. */
OTF2_Reader *shelf_open(const char *anchor, Err *err);

void shelves_close(Archive *archive);

/* Of the location's events, for messages. Returns `path`. */
const char *location_path(const Location *location, char path[4096]);

/* A location without events needs no file. *absent: there is none. */
bool location_check_file(const Location *location, bool *absent, Err *err);

/* Opens the location where reading it was left; closes another if too many are open. An open one is only marked as used
 * last. */
bool location_open(Location *location, Err *err);
void location_close(Location *location);

/* ERR_INPUT: its events can't be read, for what OTF2 complained of, or else what the status means. Returns false. */
bool location_broken(const Location *location, OTF2_ErrorCode status, Err *err);
