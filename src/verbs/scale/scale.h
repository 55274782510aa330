/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of `firma scale`, one file each, and the options that several of them take. Private to the folder. */
#pragma once

#include "cli/cli.h"
#include "model/runs.h"
#include "scaling/scaling.h"

extern const Verb scale_runs, scale_counts, scale_trace, scale_model, scale_run;

/* --efficiency, which several words take; read after popt: a usage error unless it is between 0 and 1. */
extern const struct poptOption scale_efficiency_option_table[];
double scale_efficiency(void);

/* Options for analysing run times: --efficiency, --sequential, --predict, --law. */
extern const struct poptOption scale_runs_option_table[];

/* The directory of `firma scale … -o DIR`. */
bool scale_check_output(const char *directory, const char *input, Arena *arena, Err *err);

/* Writes scaling.json and SVG files (time, speedup, efficiency, isoefficiency; NULL: none) into that directory. */
enum { SCALE_PICTURES = 4 };
bool scale_save(Cli *cli, const json_t *document, const char *const pictures[SCALE_PICTURES], const char *directory,
                Err *err);

/* Options are checked before a study is run for them. */
bool scale_runs_check(Cli *cli, Err *err);

/* Files that the document of --json names; NULL: none. */
typedef struct ScaleWritten {
    const char *directory; /* of pictures, which are written, too */
    const char *runs, *log;
} ScaleWritten;

/* Analyses these runs as the options ask, and prints text or JSON; writes pictures. */
bool scale_runs_show(Cli *cli, const Runs *runs, const ScaleWritten *written, Err *err);

/* "extrapolated 4 ×": how far a prediction is from the runs; "": it isn't. */
const char *scale_distance_text(const Distance *distance, Arena *arena);

/* Prints the name of a directory that scale_save filled. */
void scale_add_directory(json_t *document, const char *directory);
