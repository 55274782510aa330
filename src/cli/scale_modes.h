/* SPDX-License-Identifier: BSD-3-Clause */
/* What `firma scale` is made of: run times from a file, --trace, --model and run, one file each, and the options that
 * several of them take. Private to the folder. */
#ifndef FIRMA_CLI_SCALE_MODES_H
#define FIRMA_CLI_SCALE_MODES_H

#include "cli/cli.h"

/* Options that several modes take; a ScaleMode says which. Their order is that of scale_shared_option_table. */
typedef enum ScaleShared {
    SCALE_PROCESSES = 1 << 0,  /* -p, --np LIST */
    SCALE_SIZES = 1 << 1,      /* -n, --size LIST */
    SCALE_EFFICIENCY = 1 << 2, /* --efficiency E */
    SCALE_SEQUENTIAL = 1 << 3, /* --sequential T */
    SCALE_OUTPUT = 1 << 4,     /* -o, --output PATH */
    SCALE_ALL = 1 << 5         /* -a, --all */
} ScaleShared;

typedef struct ScaleOptions {
    char *processes, *sizes, *sequential, *output; /* NULL: not given */
    double efficiency;                             /* 0.5 */
    int all;
} ScaleOptions;
extern ScaleOptions scale_options;
extern const struct poptOption scale_shared_option_table[];

typedef struct ScaleMode {
    const char *name;                 /* as users know it: "--trace" */
    const char *synopsis;             /* with its name: "--trace TRACE…" */
    const struct poptOption *options; /* its own; NULL: none */
    unsigned takes;                   /* ScaleShared */
    bool takes_command;               /* behind "--" */
    /* n words that are left after its name. */
    bool (*run)(Cli *cli, int n, const char *const *words, char *const *command, Err *err);
} ScaleMode;

extern const ScaleMode scale_trace;
extern const struct poptOption scale_trace_option_table[];

/* Whether --trace is given. */
bool scale_trace_is_asked(void);

/* "usage: firma scale --trace TRACE…" as the hint of a usage error. Returns false. */
bool scale_usage(const ScaleMode *mode, Err *err);

#endif
