/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a program that draws (drawing.h). Its picture and its messages go to temporary files, so
 * neither side ever waits for the other. */
#include "report/drawing.h"

#include "base/files.h"
#include "base/process.h"
#include "base/text.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole contents of a temporary file. */
static const char *read_back(FILE *file, Arena *arena)
{
    char piece[4096];
    Text text = {0};
    rewind(file);
    for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;) {
        vec_reserve(&text.bytes, n);
        memcpy(text.bytes.items + text.bytes.count, piece, n);
        text.bytes.count += n;
    }
    return text_take(&text, arena);
}

static bool run_program(const DrawingProgram *program, const char *description, FILE *files[2], Arena *arena,
                        Process **process, Err *err)
{
    const ProcessOptions how = {.words = program->words,
                                .input_text = description,
                                .output = fileno(files[0]),
                                .errors = fileno(files[1]),
                                .group = PROCESS_OUR_GROUP};
    if (!process_start(&how, arena, process, err))
        return err_set(err, ERR_ENVIRONMENT, "%s, cannot be started: %s", program->what, strerror(errno)) ||
               err_hint(err, "%s", program->if_absent);
    return process_wait(*process, -1);
}

/* files: for the picture, and for messages. */
static bool draw(const DrawingProgram *program, const char *description, FILE *files[2], const char *path, Arena *arena,
                 Err *err)
{
    Process *process;
    if (!run_program(program, description, files, arena, &process, err))
        return false;
    const char *picture = read_back(files[0], arena);
    size_t length = strlen(picture);
    if (process_status(process) != 0 || length < 8 || !strstr(picture + length - 8, "</svg>"))
        return err_set(err, process_signal(process) ? ERR_ENVIRONMENT : ERR_BUG, "%s did not draw the picture: %.900s",
                       program->words[0], read_back(files[1], arena)) ||
               err_hint(err, "%s", program->if_refused);
    return files_save_text(path, picture, err);
}

bool drawing_make(const DrawingProgram *program, const char *description, const char *path, Err *err)
{
    FILE *files[2] = {tmpfile(), tmpfile()};
    Arena *arena = arena_new();
    bool ok = files[0] && files[1] ? draw(program, description, files, path, arena, err)
                                   : err_set(err, ERR_ENVIRONMENT, "cannot make temporary files for %s: %s",
                                             program->words[0], strerror(errno));
    for (int i = 0; i < 2; i++)
        if (files[i])
            fclose(files[i]);
    arena_free(arena);
    return ok;
}
