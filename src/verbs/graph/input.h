/* SPDX-License-Identifier: BSD-3-Clause */
/* What verbs that work on a task graph take: a trace, a TFG or a TTIG. */
#pragma once

#include "cli/cli.h"
#include "model/ttig.h"

/* A directory and an anchor file are traces, anything else (a pipe, too) is a document that says what it is. Notes what
 * wasn't looked at. */
bool graph_input_read(Cli *cli, const char *path, const char *collectives, const Ttig **ttig, Err *err);

/* For the verbs' option tables; its value goes to graph_input_read. NULL: expanded. */
#define COLLECTIVES_OPTION(variable)                                                                                   \
    {                                                                                                                  \
        "collectives", '\0', POPT_ARG_STRING, (variable), 0,                                                           \
            "of a trace: `expanded` to messages, as MPI libraries send them (the default), or `left-out`", "NAME"      \
    }
