/* SPDX-License-Identifier: BSD-3-Clause */
/* The input of verbs that work on a task graph: a trace, a TFG or a TTIG. */
#pragma once

#include "cli/cli.h"
#include "model/ttig.h"

/* A directory and an anchor file are traces. Anything else (a pipe, too) is a document that names
 * its format. Notes which checks weren't complete. */
bool graph_input_read(Cli *cli, const char *path, const Ttig **ttig, Err *err);

/* --collectives, for the verbs' option tables. graph_input_read uses its value. */
extern const struct poptOption graph_collectives_option_table[];
