/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures: gnuplot makes an SVG of a script. A script has three parts: the picture's data
 * (variables and data blocks), which C writes; what all pictures share (common.gp); and the
 * picture's commands. These stand in a file *.gp beside the C file. embed.py turns the file into a
 * macro. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"

/* The whole script. Frees the text `data`. */
const char *plot_script(Text *data, const char *commands, Arena *arena);

/* Any text as a gnuplot string, quotes included; gnuplot takes nothing in it for a command. Lines
 * of data blocks don't need this if a number stands before the text, and text_as_line() was
 * applied. */
const char *plot_quote(const char *text, Arena *arena);

/* A row that draws nothing. gnuplot would warn of an empty block. */
#define PLOT_NO_ROW "NaN NaN NaN NaN\n"

/* Ends a part of a data block that gnuplot's `index` counts. The row keeps an empty part
 * countable. */
#define PLOT_PART_END PLOT_NO_ROW "\n\n"

/* Runs gnuplot on the script, and writes the picture to the file `path`. ERR_ENVIRONMENT: gnuplot
 * isn't installed; the hint says how to install it. ERR_BUG: gnuplot rejects the script; the
 * message contains gnuplot's. */
bool plot_draw(const char *script, const char *path, Err *err);
