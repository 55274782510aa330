/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of an archive's locations. The number of open files is limited, so files are opened
 * when they are read, and closed again. Private to trace/. */
#pragma once

#include "trace/reader/reader.h"

/* Opens an anchor file for reading in this process alone. NULL: it can't be read. */
OTF2_Reader *shelf_open(const char *anchor, Err *err);

void shelves_close(Archive *archive);

/* The path of the file with the location's events, for messages. Returns `path`. */
const char *location_path(const Location *location, char path[4096]);

/* Checks that the location's file exists. A location without events needs none: then *absent
 * becomes true. */
bool location_check_file(const Location *location, bool *absent, Err *err);

/* Opens the location at the place where reading stopped. Closes another one if too many are open.
 * If the location is open, it only becomes the last used one. */
bool location_open(Location *location, Err *err);
void location_close(Location *location);

/* Sets ERR_INPUT: the location's events can't be read. The reason is OTF2's message, or else the
 * meaning of the status. Returns false. */
bool location_broken(const Location *location, OTF2_ErrorCode status, Err *err);
