/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns a trace of another tool into a recording (segment.h), as if firma had recorded the run. The
 * archive writer then makes a trace of it, which all verbs read. Two formats come in this way:
 * Paraver's (Extrae), and SMPI's time-independent traces (TI). OTF2 archives of other tools need no
 * import: trace/reader reads them. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"

typedef enum ForeignFormat { FOREIGN_NONE, FOREIGN_PARAVER, FOREIGN_TI } ForeignFormat;

/* What a file holds, by its first line. ERR_INPUT: the file can't be read. */
bool foreign_format(const char *path, ForeignFormat *format, Err *err);

/* Makes a recording, a new directory, of the trace `path`. `speed` is how much of a TI trace's
 * amounts a process computes in a second; a Paraver trace has times, so it needs none. What has no
 * place in a recording becomes a note. ERR_INPUT, with file and line: the trace is broken, or holds
 * what firma can't place. ERR_USAGE: the directory isn't empty. After an error, the directory may
 * hold a part of the recording. */
bool import_trace(const char *path, ForeignFormat format, double speed, const char *recording, const Progress *progress,
                  Arena *arena, Err *err);
