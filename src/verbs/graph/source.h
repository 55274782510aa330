/* SPDX-License-Identifier: BSD-3-Clause */
/* A task graph of a C source with MPI calls, for a number of processes. */
#pragma once

#include "placement/graph/graph.h"
#include "verbs/graph/input.h"

/* Beside --set of verbs/cost/cost.h. */
extern const struct poptOption graph_source_option_table[];

bool graph_is_source(const char *path);

/* ERR_USAGE: an option that is only for sources was given with another input. */
bool graph_check_source_options(const char *path, Err *err);

/* paths: the program's sources; arguments: on its command line. NULL behind the last one; arguments NULL: not known. */
bool graph_read_source(Cli *cli, const char *const *paths, char *const *arguments, GraphCollectives collectives,
                       const Ttig **ttig, GraphFindings *findings, Err *err);
