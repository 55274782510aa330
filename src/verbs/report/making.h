/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the page of a report, for firma report and for the option --report of other verbs. */
#pragma once

#include "cli/cli.h"
#include <popt.h>

/* --report */
extern const struct poptOption report_option_table[];

/* The page of the option, for outputs_check(). NULL: the user didn't ask for it. */
const char *report_option(void);

/* Writes the page of these files (see inputs.h). further: a document by the name of its kind, such as "simulation",
 * besides; NULL: none. Drops the reference. */
bool report_write(Cli *cli, const char *const *files, size_t n, json_t *further, const char *path, Err *err);

/* Writes the page of one file (NULL: none) and of a document, named by its kind, if the option is given. Drops the
 * reference in any case. */
bool report_option_write(Cli *cli, const char *file, const char *kind, json_t *document, Err *err);

/* Names the page in a document of --json. */
void report_option_add(json_t *document);
