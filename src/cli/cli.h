/* SPDX-License-Identifier: BSD-3-Clause */
/* One Verb per subcommand. Its option table is its help, its man page and its completion. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "trace/team/team.h"
#include <jansson.h>
#include <popt.h>

/* What every verb gets: the common options, and where to put memory. */
typedef struct Cli {
    const struct Verb *verb; /* that runs */
    int json;                /* --json: one JSON document on stdout, and nothing else there */
    int quiet;               /* -q */
    Arena *arena;            /* lives as long as the verb runs */
    Progress progress;
    Team *team;               /* the processes that work on this together; NULL: this one alone */
    const char *command_line; /* as it was given, the verb first */
    bool color;               /* stdout is a terminal and NO_COLOR isn't set */
} Cli;

typedef struct Verb Verb;

typedef struct VerbTable {
    const Verb *const *verbs;
    size_t count;
} VerbTable;

/* A verb either runs, or consists of words, each of which is a Verb itself: `firma cost` of `firma cost predict`. */
struct Verb {
    const char *name;                 /* what stands behind `firma`: "trace"; of a word, "cost predict" */
    const char *summary;              /* half a line, for the list of verbs */
    const char *synopsis;             /* "[-o DIR] -- LAUNCHER …" */
    const char *description;          /* paragraphs, separated by empty lines */
    const char *examples;             /* lines "command   # what it does" */
    const struct poptOption *options; /* the verb's own; the common ones are added. NULL: none */
    bool takes_command;               /* what follows "--" is a command line for a launcher */
    bool uses_team;                   /* under a launcher, all processes work; otherwise only the first does */
    VerbTable words;                  /* of a verb that runs: none */
    const Verb *default_word;         /* is meant if the command line names no word; NULL: it has to */
    /* n words that are left after the options; command: NULL-terminated words after "--", or NULL. A usage error
     * without a hint gets the synopsis as its hint. */
    bool (*run)(Cli *cli, int n, const char *const *words, char *const *command, Err *err);
};

/* Initialises `words` from the names of Verbs. */
#define VERB_WORDS(...)                                                                                                \
    {                                                                                                                  \
        (const Verb *const[]){__VA_ARGS__}, sizeof((const Verb *const[]){__VA_ARGS__}) / sizeof(const Verb *)          \
    }

/* One verb_NAME each, in src/verbs/NAME. */
#define VERB(name) extern const Verb verb_##name;
#include "verbs.def"
#undef VERB

/* Prints a document of --json mode: adds "firma" (version) and "verb" (without its word) at the top,
 * writes, and drops the reference. */
void cli_print_json(const Cli *cli, json_t *document);

/* A note to stderr: "firma: …"; silent with -q. */
void cli_note(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Width of the terminal that stdout is, or 100. */
size_t cli_columns(void);

/* Stops the progress bar, so that other output can follow. */
void cli_progress_end(Cli *cli);
