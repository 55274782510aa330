/* SPDX-License-Identifier: BSD-3-Clause */
/* The progress bar: one line on stderr for work that takes over a second. firma redraws it at most
 * ten times a second, and erases it before other output. There is one terminal, so its state is
 * static. */
#include "base/text.h"
#include "cli/verbs.h"
#include "report/format.h"
#include "report/table.h"

#include <math.h>
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

/* Draws "reading events  ██████░░░░  42 %  3.1 s left", without the blocks if the terminal is too narrow. */
static const char *with_total(const char *what, double share, double left_s, Arena *arena)
{
    char blocks[4 * BAR_COLUMNS + 1];
    draw_blocks(blocks, share);
    const char *left = isfinite(left_s) ? format_seconds(arena, left_s) : "?";
    const char *line = arena_printf(arena, "%s  %s  %3.0f %%  %s left", what, blocks, 100 * share, left);
    return text_width(line) < terminal_columns() ? line : arena_printf(arena, "%s  %3.0f %%", what, 100 * share);
}

static void draw(const char *line)
{
    if (text_width(line) < terminal_columns()) {
        fprintf(stderr, "\r%s\033[K", line);
        bar.visible = true;
    }
    fflush(stderr);
}

/* With an unknown total: "running  1 234  56 /s  22 s". */
static void draw_count(uint64_t done, uint64_t total, int64_t elapsed_ns)
{
    Arena *arena = arena_new();
    double elapsed_s = elapsed_ns / 1e9, rate_per_s = (double)(done - bar.done_before) / elapsed_s;
    const char *what = text_as_line(bar.what, arena), *elapsed = format_seconds(arena, elapsed_s);
    if (total > 0)
        draw(with_total(what, fmin(1, (double)done / (double)total),
                        done < total ? (double)(total - done) / rate_per_s : 0, arena));
    else if (done > 0)
        draw(arena_printf(arena, "%s  %s  %s  %s", what, format_count(arena, done), format_rate(arena, rate_per_s),
                          elapsed));
    else
        draw(arena_printf(arena, "%s  %s", what, elapsed));
    arena_free(arena);
}

/* "tracing  1.3 s, 12 300 events". A time that was expected and is over isn't drawn. */
static void draw_time(const char *so_far, double elapsed_s, double expected_s)
{
    Arena *arena = arena_new();
    const char *what = text_as_line(bar.what, arena), *comma = *so_far ? ", " : "";
    if (elapsed_s < expected_s)
        draw(with_total(arena_printf(arena, "%s%s%s", what, comma, so_far), elapsed_s / expected_s,
                        expected_s - elapsed_s, arena));
    else
        draw(arena_printf(arena, "%s  %s%s%s", what, format_seconds(arena, elapsed_s), comma, so_far));
    arena_free(arena);
}

/* Whether the bar is to be drawn now. `what` becomes its label. */
static bool is_due(const char *what, uint64_t done, int64_t *elapsed_ns)
{
    int64_t now = now_ns();
    if (bar.work_began_ns && now - bar.drawn_ns < REDRAWN_EVERY_NS)
        return false;
    if (bar.work_began_ns == 0)
        bar.work_began_ns = now;
    if (bar.began_ns == 0 || strncmp(bar.what, what, WHAT_LIMIT - 1) != 0 || done < bar.done_before) {
        snprintf(bar.what, sizeof bar.what, "%s", what);
        bar.done_before = done;
        bar.began_ns = now;
    }
    bar.drawn_ns = now;
    *elapsed_ns = now - bar.began_ns;
    return now - bar.work_began_ns > APPEARS_AFTER_NS && now > bar.began_ns;
}

static void report(void *self, const char *what, uint64_t done, uint64_t total)
{
    int64_t elapsed_ns;
    (void)self;
    if (is_due(what, done, &elapsed_ns))
        draw_count(done, total, elapsed_ns);
}

static void report_time(void *self, const char *what, const char *so_far, double elapsed_s, double expected_s)
{
    int64_t elapsed_ns;
    (void)self;
    if (is_due(what, bar.done_before, &elapsed_ns))
        draw_time(so_far, elapsed_s, expected_s);
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
    return drawable ? (Progress){.report = report, .report_time = report_time} : (Progress){0};
}
