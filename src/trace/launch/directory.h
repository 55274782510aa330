/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory that a launch records into. Private to trace/. */
#ifndef FIRMA_TRACE_LAUNCH_DIRECTORY_H
#define FIRMA_TRACE_LAUNCH_DIRECTORY_H

#include "base/arena.h"
#include "base/err.h"
#include "trace/segment.h"

/* Makes it, if absent. ERR_USAGE: it holds something, be it the recording of an earlier run. */
bool launch_make_directory(const char *path, Arena *arena, const char **absolute, Err *err);

/* Makes its control file, which stays mapped. `host` is this one's name. */
bool launch_make_control(const char *directory, const char host[256], Arena *arena, ControlFile **control, Err *err);

#endif
