/* SPDX-License-Identifier: BSD-3-Clause */
/* See plot.h. The script is gnuplot's standard input; what it draws and what it says come back in temporary files, so
 * that neither side ever waits for the other. */
#include "report/plot.h"

#include "base/files.h"
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

void plot_begin(Text *script, unsigned width, unsigned height)
{
    text_add(script,
             "set terminal svg standalone size %u,%u dynamic noenhanced background rgb 'white' font 'sans-serif,12'\n"
             "set encoding utf8\nset style line 100 lc rgb '#888888' lw 0.7\nset border ls 100\nset tics nomirror out "
             "textcolor rgb 'black'\n",
             width, height);
}

const char *plot_quote(const char *text, Arena *arena)
{
    Text quoted = {0};
    text_add(&quoted, "'");
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == '\x7f')
            text_add(&quoted, "?");
        else
            text_add(&quoted, *c == '\'' ? "''" : "%c", *c);
    }
    text_add(&quoted, "'");
    return text_take(&quoted, arena);
}

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

static bool run_gnuplot(FILE *script, FILE *drawing, FILE *messages, int *status, Err *err)
{
    char *const words[] = {"gnuplot", "--default-settings", "-", NULL};
    posix_spawn_file_actions_t actions;
    pid_t gnuplot;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(script), 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(drawing), 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(messages), 2);
    int failure = posix_spawnp(&gnuplot, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure)
        return err_set(err, ERR_ENVIRONMENT, "gnuplot, which draws the pictures, cannot be started: %s",
                       strerror(failure)) ||
               err_hint(err, "install it (on Debian: apt-get install gnuplot-nox), or keep what it would draw with "
                             "--data FILE and run `gnuplot FILE > picture.svg` elsewhere");
    while (waitpid(gnuplot, status, 0) < 0)
        if (errno != EINTR)
            return err_set(err, ERR_ENVIRONMENT, "gnuplot: its end is lost: %s", strerror(errno));
    return true;
}

static bool draw(const char *script, FILE *files[3], const char *path, Arena *arena, Err *err)
{
    int status = 0;
    if (fputs(script, files[0]) < 0 || fflush(files[0]) != 0)
        return err_set(err, ERR_ENVIRONMENT, "a temporary file for gnuplot: cannot write: %s", strerror(errno));
    rewind(files[0]);
    if (!run_gnuplot(files[0], files[1], files[2], &status, err))
        return false;
    const char *picture = read_back(files[1], arena);
    size_t length = strlen(picture);
    if (status != 0 || length < 8 || !strstr(picture + length - 8, "</svg>"))
        return err_set(err, WIFEXITED(status) ? ERR_BUG : ERR_ENVIRONMENT, "gnuplot did not draw the picture: %.900s",
                       read_back(files[2], arena)) ||
               err_hint(err, "keep what it should draw with --data FILE");
    return files_save_text(path, picture, err);
}

bool plot_draw(const char *script, const char *path, Err *err)
{
    FILE *files[3] = {tmpfile(), tmpfile(), tmpfile()};
    Arena *arena = arena_new();
    bool ok = files[0] && files[1] && files[2]
                  ? draw(script, files, path, arena, err)
                  : err_set(err, ERR_ENVIRONMENT, "temporary files for gnuplot: %s", strerror(errno));
    for (int i = 0; i < 3; i++)
        if (files[i])
            fclose(files[i]);
    arena_free(arena);
    return ok;
}
