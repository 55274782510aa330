/* SPDX-License-Identifier: BSD-3-Clause */
/* The input of verbs that work on a task graph: a trace, a C source, a TFG, a TTIG, or a file of another
 * tool. */
#pragma once

#include "cli/cli.h"
#include "cost/source/analyse.h"
#include "model/ttig.h"
#include "placement/graph/graph.h"

/* What firma guessed or approximated on the way to the graph of a source; empty for other inputs. */
typedef struct GraphFindings {
    size_t count;
    const AnalysisFinding *items;
} GraphFindings;

/* Whether the name is that of a trace: a directory or an anchor file. */
bool graph_is_trace(const char *path);

/* A directory and an anchor file are traces, and NAME.c is a source. The names of other tools'
 * files end in .csv, .mtx or .grf (placement/exchange). Anything else (a pipe, too) is a document that
 * names its format. Notes which checks weren't complete, and what a file doesn't say. arguments: of a source's
 * program; NULL: not known. findings: NULL if the verb takes no sources. */
bool graph_input_read(Cli *cli, const char *const *paths, char *const *arguments, const Ttig **ttig,
                      GraphFindings *findings, Err *err);

/* --collectives, for the verbs' option tables. graph_input_read uses its value. */
extern const struct poptOption graph_collectives_option_table[];
bool graph_collectives_given(void);
GraphCollectives graph_collectives_option(void);
