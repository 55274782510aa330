/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures: gnuplot makes SVG of a script. A script consists of the picture's data, which C writes (variables and blocks
 * of data), of what all pictures share (common.gp), and of the picture's commands: a file *.gp beside the C file, as the
 * macro that embed.py makes of it. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"

/* The whole script; the growing text is freed. */
const char *plot_script(Text *data, const char *commands, Arena *arena);

/* Any text as a gnuplot string, quotes included: nothing in it is taken for a command. Lines of data blocks need none of
 * that, if a number stands before the text and text_as_line was there. */
const char *plot_quote(const char *text, Arena *arena);

/* A row that draws nothing, for blocks that may be empty otherwise: gnuplot would warn. */
#define PLOT_NO_ROW "NaN NaN NaN NaN\n"

/* Ends a part of a data block that gnuplot's `index` counts: an empty part would not count. */
#define PLOT_PART_END PLOT_NO_ROW "\n\n"

/* Runs gnuplot on the script and puts what it draws into the file `path`. No gnuplot: ERR_ENVIRONMENT with what to
 * install; a script that it doesn't take: ERR_BUG with what it says. */
bool plot_draw(const char *script, const char *path, Err *err);
