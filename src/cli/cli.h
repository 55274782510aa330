/* SPDX-License-Identifier: BSD-3-Clause */
/* One Verb per subcommand. Its option table is its help, its man page and its completion. */
#ifndef FIRMA_CLI_CLI_H
#define FIRMA_CLI_CLI_H

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "trace/team/team.h"
#include <jansson.h>
#include <popt.h>

/* What every verb gets: the common options, and where to put memory. */
typedef struct Cli {
    int json;     /* --json: one JSON document on stdout, and nothing else there */
    int quiet;    /* -q */
    Arena *arena; /* lives as long as the verb runs */
    Progress progress;
    Team *team;               /* the processes that work on this together; NULL: this one alone */
    const char *command_line; /* as it was given, the verb first */
    int n_arguments;          /* the words before "--", */
    char *const *arguments;   /* the verb first, options among them */
    bool color;               /* stdout is a terminal and NO_COLOR isn't set */
} Cli;

typedef struct Verb {
    const char *name;
    const char *summary;              /* half a line, for the list of verbs */
    const char *synopsis;             /* "[-o DIR] -- LAUNCHER …" */
    const char *description;          /* paragraphs, separated by empty lines */
    const char *examples;             /* lines "command   # what it does" */
    const struct poptOption *options; /* the verb's own; the common ones are added. NULL: none */
    bool takes_command;               /* what follows "--" is a command line for a launcher */
    bool uses_team;                   /* under a launcher, all processes work; otherwise only the first does */
    /* n words that are left after the options; command: NULL-terminated words after "--", or NULL. */
    bool (*run)(Cli *cli, int n, const char *const *words, char *const *command, Err *err);
} Verb;

/* One verb_NAME each, in src/verbs/NAME. */
#define VERB(name) extern const Verb verb_##name;
#include "verbs.def"
#undef VERB

/* Prints a document of --json mode: adds "firma" (version) and "verb" at the top, writes, and drops the reference. */
void cli_print_json(const Verb *verb, json_t *document);

/* A note to stderr: "firma: …"; silent with -q. */
void cli_note(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Width of the terminal that stdout is, or 100. */
size_t cli_columns(void);

/* Stops the progress bar, so that other output can follow. */
void cli_progress_end(Cli *cli);

#endif
