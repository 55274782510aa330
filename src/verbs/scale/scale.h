/* SPDX-License-Identifier: BSD-3-Clause */
/* What `firma scale` is made of: a mode is one kind of thing that scaling is told from, one file each, with the options
 * that several of them take. Private to the folder. */
#ifndef FIRMA_VERBS_SCALE_SCALE_H
#define FIRMA_VERBS_SCALE_SCALE_H

#include "cli/cli.h"
#include "model/runs.h"
#include <math.h>

/* Options that several take; a ScaleMode says which. Their order is that of scale_shared_option_table. */
typedef enum ScaleShared {
    SCALE_EFFICIENCY = 1 << 0, /* -e, --efficiency E */
    SCALE_SEQUENTIAL = 1 << 1, /* --sequential SECONDS */
    SCALE_PREDICT = 1 << 2,    /* --predict LIST */
    SCALE_OUTPUT = 1 << 3,     /* -o, --output PATH: a directory, or a file, as the mode says */
    SCALE_PROCESSES = 1 << 4,  /* -p, --np LIST */
    SCALE_SIZES = 1 << 5       /* -n, --size LIST */
} ScaleShared;

#define SCALE_NOT_GIVEN (-HUGE_VAL)

typedef struct ScaleOptions {
    double efficiency, sequential_s; /* sequential_s: SCALE_NOT_GIVEN by default */
    char *predict, *output, *processes, *sizes;
} ScaleOptions;
extern ScaleOptions scale_options;
extern const struct poptOption scale_shared_option_table[];

typedef struct ScaleMode {
    const char *name;                 /* "runs": for messages */
    const char *synopsis;             /* "RUNS.csv": what follows `firma scale` */
    const struct poptOption *options; /* its own; NULL: none */
    unsigned takes;                   /* ScaleShared */
    bool takes_command;               /* behind -- */
    /* Whether the command line asks for this one; the last mode takes what no other does. */
    bool (*is_meant)(int n, const char *const *words);
    /* n words, the mode's own included. */
    bool (*run)(Cli *cli, int n, const char *const *words, char *const *command, Err *err);
} ScaleMode;

extern const ScaleMode scale_trace, scale_model, scale_run, scale_runs;
extern const struct poptOption scale_trace_option_table[], scale_model_option_table[], scale_run_option_table[];

/* "usage: firma scale RUNS.csv" as the hint of a usage error. Returns false. */
bool scale_usage(const ScaleMode *mode, Err *err);

/* scaling.json and pictures (time, speedup, efficiency, isoefficiency; NULL: none) into a directory, which is made if
 * it isn't there. Pictures that can't be drawn are noted. */
enum { SCALE_PICTURES = 4 };
bool scale_save(Cli *cli, const json_t *document, const char *const scripts[SCALE_PICTURES], const char *directory,
                Err *err);

/* Options are checked before a study is run for them. */
bool scale_runs_check(Cli *cli, Err *err);

/* What these runs say, as the options ask for it: text or JSON, and pictures into `directory` (NULL: none). */
bool scale_runs_show(Cli *cli, const Runs *runs, const char *directory, Err *err);

#endif
