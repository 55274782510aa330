/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures: scripts of gnuplot with their data in them, and gnuplot, which makes SVG of them. */
#ifndef FIRMA_REPORT_PLOT_H
#define FIRMA_REPORT_PLOT_H

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"

/* Begins a script: an SVG of so many pixels. */
void plot_begin(Text *script, unsigned width, unsigned height);

/* Any text as a gnuplot string, quotes included: nothing in it is taken for a command. */
const char *plot_quote(const char *text, Arena *arena);

/* Runs gnuplot on the script and puts what it draws into the file `path`. No gnuplot: ERR_ENVIRONMENT with what to
 * install; a script that it doesn't take: ERR_BUG with what it says. */
bool plot_draw(const char *script, const char *path, Err *err);

#endif
