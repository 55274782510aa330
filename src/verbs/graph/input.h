/* SPDX-License-Identifier: BSD-3-Clause */
/* What verbs that work on a task graph take: a trace, a TFG or a TTIG. */
#pragma once

#include "cli/cli.h"
#include "model/ttig.h"

/* A directory and an anchor file are traces, anything else (a pipe, too) is a document that says what it is. Notes what
 * wasn't looked at. */
bool graph_input_read(Cli *cli, const char *path, const Ttig **ttig, Err *err);

/* --collectives, for the verbs' option tables. graph_input_read heeds it. */
extern const struct poptOption graph_collectives_option_table[];
