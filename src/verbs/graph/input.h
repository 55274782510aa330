/* SPDX-License-Identifier: BSD-3-Clause */
/* The input of verbs that work on a task graph: a trace, a TFG, a TTIG, or a file of another tool. */
#pragma once

#include "cli/cli.h"
#include "model/ttig.h"

/* A directory and an anchor file are traces. The names of other tools' files end in .csv, .mtx
 * or .grf (placement/exchange). Anything else (a pipe, too) is a document that names
 * its format. Notes which checks weren't complete, and what a file doesn't say. */
bool graph_input_read(Cli *cli, const char *path, const Ttig **ttig, Err *err);

/* --collectives, for the verbs' option tables. graph_input_read uses its value. */
extern const struct poptOption graph_collectives_option_table[];
