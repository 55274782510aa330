/* SPDX-License-Identifier: BSD-3-Clause */
/* What `firma cost` is made of: check, model, predict and run, one file each, and the options that several of them
 * take. Private to the folder. */
#ifndef FIRMA_VERBS_COST_COST_H
#define FIRMA_VERBS_COST_COST_H

#include "cli/cli.h"

/* Options that several take; a CostVerb says which. Their order is that of cost_shared_option_table. */
typedef enum CostShared {
    COST_SET = 1 << 0,           /* -s, --set NAME=VALUE */
    COST_BATCH = 1 << 1,         /* -b, --batch NAME */
    COST_MACHINE = 1 << 2,       /* -m, --machine FILE */
    COST_OUTPUT = 1 << 3,        /* -o, --output FILE */
    COST_MACHINES = 1 << 4,      /* --machines KIND:N,… */
    COST_WORKERS = 1 << 5,       /* --workers N,… */
    COST_CALIBRATION = 1 << 6,   /* --calibration FILE */
    COST_CONFIGURATION = 1 << 7, /* -c, --configuration NAME */
    COST_COMMAND = 1 << 8        /* what follows "--" */
} CostShared;

typedef struct CostOptions {
    char **set; /* NULL-terminated, or NULL: "N=1000" */
    char *batch, *machine, *output, *machines, *workers, *calibration, *configuration;
    char *const *command; /* words after "--"; NULL: none */
} CostOptions;
extern CostOptions cost_options;
extern const struct poptOption cost_shared_option_table[];

/* One word after `firma cost`. Options that it doesn't take are refused before it runs. */
typedef struct CostVerb {
    const char *name;
    const char *synopsis;             /* without its name: "APP.pasl" */
    const struct poptOption *options; /* its own; NULL: none */
    unsigned takes;                   /* CostShared */
    /* n words that are left after its name. */
    bool (*run)(Cli *cli, int n, const char *const *words, Err *err);
} CostVerb;

extern const CostVerb cost_check, cost_model, cost_predict, cost_run;
extern const struct poptOption cost_model_option_table[];
extern const struct poptOption cost_predict_option_table[];
extern const struct poptOption cost_run_option_table[];

/* "usage: firma cost check APP.pasl" as the hint of a usage error. Returns false. */
bool cost_usage(const CostVerb *verb, Err *err);

#endif
