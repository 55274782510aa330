/* SPDX-License-Identifier: BSD-3-Clause */
/* See import.h. */
#include "trace/import/import.h"

#include "trace/import/lines.h"
#include "trace/import/paraver.h"
#include "trace/import/ti.h"
#include "trace/launch/directory.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool foreign_format(const char *path, ForeignFormat *format, Err *err)
{
    Lines lines;
    Err unreadable;
    bool is_there = true;
    *format = FOREIGN_NONE;
    if (!lines_open(&lines, path, err))
        return false;
    bool ok = lines_next(&lines, &is_there, &unreadable);
    if (ok && is_there && strncmp(lines.line, "#Paraver ", strlen("#Paraver ")) == 0)
        *format = FOREIGN_PARAVER;
    while (ok && is_there && *format == FOREIGN_NONE && (lines.line[0] == '\0' || lines.line[0] == '#'))
        ok = lines_next(&lines, &is_there, &unreadable);
    if (ok && is_there && *format == FOREIGN_NONE && ti_begins_with(path, lines.line))
        *format = FOREIGN_TI;
    lines_close(&lines);
    return true;
}

/* The control file names this firma as the recording's owner, so that a later one knows whether the
 * recording is abandoned. */
static bool make_directory(const char *recording, Arena *arena, Err *err)
{
    const char *absolute;
    ControlFile *control;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    if (!launch_make_directory(recording, arena, &absolute, err) ||
        !launch_make_control(recording, host, arena, &control, err))
        return false;
    munmap(control, sizeof *control);
    return true;
}

bool import_trace(const char *path, ForeignFormat format, double speed, const char *recording, const Progress *progress,
                  Arena *arena, Err *err)
{
    if (!make_directory(recording, arena, err))
        return false;
    return format == FOREIGN_PARAVER ? paraver_import(path, recording, progress, err)
                                     : ti_import(path, speed, recording, err);
}
