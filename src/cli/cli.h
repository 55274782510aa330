/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between main and the verbs. Each verb is a Verb. A verb's option table also gives
 * its help, man page and completion. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/progress.h"
#include "trace/team/team.h"
#include <jansson.h>
#include <popt.h>

/* What every verb gets: the common options, memory, and the means to print. */
typedef struct Cli {
    const struct Verb *verb; /* the running verb */
    int json;                /* --json: one JSON document on stdout, and nothing else there */
    int quiet;               /* -q */
    Arena *arena;            /* lives until the verb returns */
    Progress progress;
    Team *team;               /* the processes that work together under a launcher; NULL: this process alone */
    const char *command_line; /* as the user typed it, beginning with the verb */
    bool color;               /* stdout is a terminal and NO_COLOR isn't set */
    json_t *incomplete;       /* texts: in which way inputs or results are only a part of a run; NULL: none */
} Cli;

typedef struct Verb Verb;

typedef struct VerbTable {
    const Verb *const *verbs;
    size_t count;
} VerbTable;

/* The question that a verb answers: `firma help` and the README group verbs by it. */
typedef enum VerbQuestion {
    QUESTION_NONE, /* of a word: its verb has one */
    QUESTION_TIME,
    QUESTION_CONTENT,
    QUESTION_MESSAGES,
    QUESTION_PLACEMENT,
    QUESTION_SOURCE,
    QUESTION_SCALING,
    QUESTION_SETUP,
    VERB_QUESTIONS
} VerbQuestion;

extern const char *const verb_questions[VERB_QUESTIONS];

/* Files in the folder that `firma study` makes. */
#define STUDY_TRACE "app.trace"
#define STUDY_LOG STUDY_TRACE ".log" /* of the traced run; marks the folder: states have a signature, too */
#define STUDY_SIGNATURE "app.firma"
#define STUDY_TIMES "times.json"
#define STUDY_RUNS "runs.csv" /* of `firma study -n`, beside its folders p2, p4 … */

/* A verb either runs, or consists of words. A word is a Verb itself: `firma cost` has the word
 * `firma cost predict`. */
struct Verb {
    const char *name;                 /* follows `firma` on the command line: "trace"; for a word: "cost predict" */
    VerbQuestion question;            /* of a verb, not of a word */
    const char *summary;              /* half a line, for the list of verbs */
    const char *synopsis;             /* "[-o DIR] -- LAUNCHER …" */
    const char *description;          /* paragraphs, separated by empty lines */
    const char *examples;             /* lines "command   # what it does" */
    const struct poptOption *options; /* the verb's own options; firma adds the common ones. NULL: none */
    /* What follows the options, for completion: extensions, separated by blanks, such as "otf2
     * firma"; "/": only directories; "*": any files; NULL: no files. */
    const char *files;
    /* Files that a folder of `firma study` stands for where it is named, such as STUDY_TRACE, separated by blanks.
     * NULL: for itself. */
    const char *of_study;
    bool takes_studies; /* the folder of `firma study -n` stands for all studies in it; false: only for a single one */
    bool takes_command; /* a launcher's command line follows "--" */
    bool uses_team;     /* under a launcher, all processes work; false: only the first one works */
    VerbTable words;    /* empty for a verb that runs */
    const Verb *default_word; /* runs if the command line names no word; NULL: a word is required */
    /* Of a word: whether it runs in place of the default word if this is the first path on the command line. NULL:
     * never. */
    bool (*takes)(const char *path);
    /* `words` are the n words that options leave. `command` are the words after "--", ending with
     * NULL, or NULL without "--". A usage error without a hint gets the synopsis as its hint. */
    bool (*run)(Cli *cli, int n, const char *const *words, char *const *command, Err *err);
};

/* Initialises `words` from the names of Verbs. */
#define VERB_WORDS(...)                                                                                                \
    {                                                                                                                  \
        (const Verb *const[]){__VA_ARGS__}, sizeof((const Verb *const[]){__VA_ARGS__}) / sizeof(const Verb *)          \
    }

/* Declares one verb_NAME for each folder src/verbs/NAME. */
#define VERB(name) extern const Verb verb_##name;
#include "verbs.def"
#undef VERB

/* Prints the document of --json mode, and drops the reference. Adds "firma" (the version) and
 * "verb" (without its word) at the top. */
void cli_print_json(const Cli *cli, json_t *document);

/* Prints text of the result to stdout. Like all text output, it may hold any names: control
 * characters but newlines and tabs become question marks, styles of a table don't. */
void cli_print(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same to stderr, where a traced program has stdout. */
void cli_print_aside(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a note to stderr: "firma VERB: …". Prints nothing with -q. */
void cli_note(const Cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Warns that a trace, or a signature, is only a part of its run: prints a note for each of the n
 * sentences. The key "incomplete" of the document of --json lists them. A repeated warning is
 * dropped. */
void cli_note_incomplete(Cli *cli, const char *path, const char *const *sentences, uint32_t n);

/* The width of the terminal on stdout. If stdout isn't a terminal: what COLUMNS says, or 100. */
size_t cli_columns(void);

/* "firma VERB …", up to the program's command line, whose arguments may be secret. */
const char *cli_own_command(const Cli *cli);

/* Ends the progress bar, so that other output can follow. */
void cli_progress_end(Cli *cli);
