/* SPDX-License-Identifier: BSD-3-Clause */
/* See drawing.h. What the program draws and what it says come back in temporary files, so that neither side ever waits
 * for the other. */
#include "report/drawing.h"

#include "base/files.h"
#include "base/text.h"
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

/* The whole of a temporary file. */
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

static bool run_program(const DrawingProgram *program, FILE *files[3], int *status, Err *err)
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_adddup2(&actions, fileno(files[i]), i);
    int failure = posix_spawnp(&pid, program->words[0], &actions, NULL, (char *const *)program->words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure)
        return err_set(err, ERR_ENVIRONMENT, "%s, cannot be started: %s", program->what, strerror(failure)) ||
               err_hint(err, "%s", program->if_absent);
    while (waitpid(pid, status, 0) < 0)
        if (errno != EINTR)
            return err_set(err, ERR_ENVIRONMENT, "%s: its end is lost: %s", program->words[0], strerror(errno));
    return true;
}

/* files: what it reads, draws and says. */
static bool draw(const DrawingProgram *program, const char *description, FILE *files[3], const char *path, Arena *arena,
                 Err *err)
{
    int status = 0;
    if (fputs(description, files[0]) < 0 || fflush(files[0]) != 0)
        return err_set(err, ERR_ENVIRONMENT, "a temporary file for %s: cannot write: %s", program->words[0],
                       strerror(errno));
    rewind(files[0]);
    if (!run_program(program, files, &status, err))
        return false;
    const char *picture = read_back(files[1], arena);
    size_t length = strlen(picture);
    if (status != 0 || length < 8 || !strstr(picture + length - 8, "</svg>"))
        return err_set(err, WIFEXITED(status) ? ERR_BUG : ERR_ENVIRONMENT, "%s did not draw the picture: %.900s",
                       program->words[0], read_back(files[2], arena)) ||
               err_hint(err, "%s", program->if_refused);
    return files_save_text(path, picture, err);
}

bool drawing_make(const DrawingProgram *program, const char *description, const char *path, Err *err)
{
    FILE *files[3] = {tmpfile(), tmpfile(), tmpfile()};
    Arena *arena = arena_new();
    bool ok = files[0] && files[1] && files[2]
                  ? draw(program, description, files, path, arena, err)
                  : err_set(err, ERR_ENVIRONMENT, "temporary files for %s: %s", program->words[0], strerror(errno));
    for (int i = 0; i < 3; i++)
        if (files[i])
            fclose(files[i]);
    arena_free(arena);
    return ok;
}
