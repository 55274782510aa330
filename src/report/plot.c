/* SPDX-License-Identifier: BSD-3-Clause */
/* See plot.h. */
#include "report/plot.h"

#include "report/drawing.h"

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

bool plot_draw(const char *script, const char *path, Err *err)
{
    static const char *const words[] = {"gnuplot", "--default-settings", "-", NULL};
    static const DrawingProgram gnuplot = {
        .words = words,
        .what = "gnuplot, which draws the pictures",
        .if_absent = "install it (on Debian: apt-get install gnuplot-nox), or keep what it would draw with --data FILE "
                     "and run `gnuplot FILE > picture.svg` elsewhere",
        .if_refused = "keep what it should draw with --data FILE",
    };
    return drawing_make(&gnuplot, script, path, err);
}
