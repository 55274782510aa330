/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes gnuplot scripts and runs gnuplot (plot.h). */
#include "report/plot.h"

#include "report/drawing.h"
#include "report/plots.h"

const char *plot_script(Text *data, const char *commands, Arena *arena)
{
    text_add(data, "%s%s", PLOT_REPORT_COMMON, commands);
    return text_take(data, arena);
}

const char *plot_quote(const char *text, Arena *arena)
{
    Text quoted = {0};
    for (const char *c = text_as_line(text, arena); *c; c++)
        text_add(&quoted, *c == '\'' ? "''" : "%c", *c);
    return arena_printf(arena, "'%s'", text_take(&quoted, arena));
}

bool plot_draw(const char *script, const char *path, Err *err)
{
    static const char *const words[] = {"gnuplot", "--default-settings", "-", NULL};
    static const DrawingProgram gnuplot = {
        .words = words,
        .what = "gnuplot, which draws the pictures",
        .if_absent =
            "install gnuplot (on Debian: apt-get install gnuplot-nox), or write a gnuplot script with --data FILE "
            "and run `gnuplot FILE > picture.svg` elsewhere",
        .if_refused = "write the gnuplot script to a file with --data FILE",
    };
    return drawing_make(&gnuplot, script, path, err);
}
