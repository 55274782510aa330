/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory that a launch records into. Private to trace/. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "trace/segment.h"

/* Makes it, if absent. ERR_USAGE: it holds something, be it the recording of an earlier run. */
bool launch_make_directory(const char *path, Arena *arena, const char **absolute, Err *err);

/* Makes its control file, which stays mapped. `host` is this one's name. */
bool launch_make_control(const char *directory, const char host[256], Arena *arena, ControlFile **control, Err *err);

/* Makes a file of so many bytes and maps it; maps one that is there. NULL with errno; ENODATA: it has fewer bytes. */
void *launch_map_new_file(const char *path, size_t size_bytes);
void *launch_map_file(const char *path, size_t least_bytes, size_t *size_bytes);
