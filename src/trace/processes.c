/* SPDX-License-Identifier: BSD-3-Clause */
/* See processes.h. */
#include "trace/processes.h"

#include "base/arena.h"
#include "base/marked.h"
#include "trace/segment.h"

size_t launch_signal_processes(const char *recording, int number)
{
    Arena *scratch = arena_new();
    size_t count = marked_signal(arena_printf(scratch, RECORD_DIRECTORY_VARIABLE "=%s", recording), false, number);
    arena_free(scratch);
    return count;
}
