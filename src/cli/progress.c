/* SPDX-License-Identifier: BSD-3-Clause */
/* The progress bar: one line on stderr for work that takes over a second. firma redraws it at most
 * ten times a second, and erases it before other output. There is one terminal, so its state is
 * static. */
#include "base/text.h"
#include "cli/verbs.h"
#include "report/format.h"
#include "report/table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define APPEARS_AFTER_NS 1000000000LL
#define REDRAWN_EVERY_NS 100000000LL
#define BAR_COLUMNS 24
#define WHAT_LIMIT 64

static struct Bar {
    char what[WHAT_LIMIT];
    int64_t work_began_ns; /* beginning of the whole work; 0: no work is going on */
    int64_t began_ns;      /* beginning of the current label's work */
    int64_t drawn_ns;
    uint64_t done_before;
    bool visible;
} bar;

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now); /* precise to a few ms, and cheaper than a system call */
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static size_t terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static void wipe(void)
{
    if (bar.visible)
        fputs("\r\033[K", stderr);
    bar.visible = false;
}

static void draw_blocks(char blocks[4 * BAR_COLUMNS + 1], double share)
{
    int filled = (int)(share * BAR_COLUMNS + 0.5);
    blocks[0] = '\0';
    for (int i = 0; i < BAR_COLUMNS; i++)
        strcat(blocks, i < filled ? "█" : "░");
}

/* Draws "reading events  ██████░░░░  42 %  3.1 s left"; with an unknown total, "running  1 234  56
 * /s  22 s". */
static void draw(uint64_t done, uint64_t total, int64_t elapsed_ns)
{
    Arena *arena = arena_new();
    double elapsed_s = elapsed_ns / 1e9, rate_per_s = (double)(done - bar.done_before) / elapsed_s;
    const char *what = text_as_line(bar.what, arena);
    char *line;
    if (total > 0) {
        double share = done < total ? (double)done / (double)total : 1;
        char blocks[4 * BAR_COLUMNS + 1];
        draw_blocks(blocks, share);
        const char *left =
            rate_per_s > 0 ? format_seconds(arena, (double)(total - (done < total ? done : total)) / rate_per_s) : "?";
        line = arena_printf(arena, "%s  %s  %3.0f %%  %s left", what, blocks, 100 * share, left);
        if (text_width(line) >= terminal_columns())
            line = arena_printf(arena, "%s  %3.0f %%", what, 100 * share);
    } else {
        line = arena_printf(arena, "%s  %s  %s  %s", what, format_count(arena, done), format_rate(arena, rate_per_s),
                            format_seconds(arena, elapsed_s));
    }
    if (text_width(line) < terminal_columns()) {
        fprintf(stderr, "\r%s\033[K", line);
        bar.visible = true;
    }
    fflush(stderr);
    arena_free(arena);
}

static void report(void *self, const char *what, uint64_t done, uint64_t total)
{
    (void)self;
    int64_t now = now_ns();
    if (bar.work_began_ns && now - bar.drawn_ns < REDRAWN_EVERY_NS)
        return;
    if (bar.work_began_ns == 0)
        bar.work_began_ns = now;
    if (bar.began_ns == 0 || strncmp(bar.what, what, WHAT_LIMIT - 1) != 0 || done < bar.done_before) {
        snprintf(bar.what, sizeof bar.what, "%s", what);
        bar.done_before = done;
        bar.began_ns = now;
    }
    bar.drawn_ns = now;
    if (now - bar.work_began_ns > APPEARS_AFTER_NS && now > bar.began_ns)
        draw(done, total, now - bar.began_ns);
}

void progress_bar_end(void)
{
    wipe();
    fflush(stderr);
    bar = (struct Bar){0};
}

Progress progress_bar(bool quiet)
{
    const char *terminal = getenv("TERM");
    bool drawable = !quiet && isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
    return (Progress){.report = drawable ? report : NULL};
}
