/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and runs a back end's program, and reads its errors (child.h). */
#include "signature/checkpoint/child.h"

#include "base/files.h"
#include "base/text.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_SHOWN = 3, ASK_TIMEOUT_MS = 10000 };

static const char *ask_version(const char *path, const char *mark, Arena *arena)
{
    const char *const ask[] = {path, "--version", NULL};
    char *text;
    int status;
    if (!files_is_executable(path) ||
        !process_capture(&(ProcessOptions){.words = ask}, ASK_TIMEOUT_MS, arena, &text, &status) || status != 0)
        return NULL;
    const char *version = strstr(text, mark);
    if (!version)
        return NULL;
    version += strlen(mark);
    return arena_strndup(arena, version, strcspn(version, " \n"));
}

static bool is_new_enough(const ChildProgram *program, const char *version)
{
    int major = 0, minor = 0;
    sscanf(version, "%d.%d", &major, &minor);
    return major > program->major || (major == program->major && minor >= program->minor);
}

bool child_find(const ChildProgram *program, Arena *arena, CheckpointTool *tool, CheckpointTool *old)
{
    *old = (CheckpointTool){.path = NULL};
    for (size_t i = 0; i < program->n_candidates; i++) {
        char path[PATH_MAX];
        const char *candidate = program->candidates[i];
        const char *version = candidate && realpath(candidate, path) ? ask_version(path, program->mark, arena) : NULL;
        if (version && is_new_enough(program, version)) {
            *tool = (CheckpointTool){.path = arena_strdup(arena, path), .version = version};
            return true;
        }
        if (version)
            *old = (CheckpointTool){.path = candidate, .version = version};
    }
    return false;
}

ProcessOptions child_options(const char *const words[], const char *console)
{
    return (ProcessOptions){
        .words = words, .output_file = console, .appends = true, .is_private = true, .group = PROCESS_OWN_SESSION};
}

/* Cuts "(00.096158) Error (criu/files.c:12): text" down to the text. NULL for other lines, and for
 * errors that are harmless. */
static const char *useful_part(const char *line)
{
    const char *error = strstr(line, "Error (");
    if (!error || strstr(line, "rlimit: Can't setup") || strstr(line, "tun: Unable to create"))
        return NULL;
    const char *text = strstr(error, "): ");
    return text ? text + strlen("): ") : error;
}

const char *child_errors(const char *log, const char *console, Arena *arena)
{
    char *line = NULL;
    size_t capacity = 0, count = 0;
    const char *last = "", *const files[] = {console, log};
    Text errors = {0};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *file = fopen(files[i], "r");
        while (file && getline(&line, &capacity, file) > 0) {
            line[strcspn(line, "\n")] = '\0';
            const char *useful = useful_part(line);
            if (useful && count++ < LINES_SHOWN)
                text_add(&errors, count > 1 ? "; %s" : "%s", useful);
            if (line[strspn(line, " \t")])
                last = arena_strdup(arena, line);
        }
        if (file)
            fclose(file);
    }
    free(line);
    const char *told = text_take(&errors, arena);
    return count ? told : last;
}
