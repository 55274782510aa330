/* SPDX-License-Identifier: BSD-3-Clause */
/* Creates the directory that a launch records into, and its control file. Private to trace/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/segment.h"

/* Creates the directory if it is absent. ERR_USAGE: it isn't empty, perhaps because of an earlier
 * run's recording. */
bool launch_make_directory(const char *path, Arena *arena, const char **absolute, Err *err);

/* Makes this process the owner of the recording. `host` is this host's name. */
void launch_own_control(ControlFile *control, const char host[256]);

/* Creates the directory's control file and maps it. It appears when it is whole, so a firma that is
 * killed meanwhile leaves none. `host` is this host's name. */
bool launch_make_control(const char *directory, const char host[256], Arena *arena, ControlFile **control, Err *err);

/* launch_map_new_file() creates a file of this size and maps it. launch_map_file() maps an existing
 * file. Both return NULL with errno on failure; ENODATA: the file is smaller than least_bytes. */
void *launch_map_new_file(const char *path, size_t size_bytes);
void *launch_map_file(const char *path, size_t least_bytes, size_t *size_bytes);
