/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of verbs, and what main, help, man pages and completion read from it. Private to the
 * folder. */
#pragma once

#include "cli/cli.h"
#include <stdio.h>

#define FIRMA_SUMMARY "predicts how long a message-passing program takes"
#define OPTION_LIMIT 64

/* The name in the verb's own table: "predict" for "cost predict". */
const char *verb_last_name(const Verb *verb);

/* Finds a verb by this name. NULL: the table has no such verb. */
const Verb *verb_find(const VerbTable *table, const char *name);

/* Finds the verb of the table that follows argv[0] and common options, and removes it from the
 * command line. NULL: no verb follows. */
const Verb *verb_take(const VerbTable *table, int *argc, char ***argv);

/* The verb whose name is nearest, or NULL if none is near. */
const Verb *verb_nearest(const VerbTable *table, const char *name);

/* Targets of the options that every verb has. */
typedef struct CommonOptions {
    int json, quiet, help;
} CommonOptions;

extern CommonOptions common_options;
extern const struct poptOption common_option_table[];

/* All visible options of a verb, its own first, then the common ones. */
size_t verb_options(const Verb *verb, const struct poptOption *options[OPTION_LIMIT]);

/* The option that a word of the command line names: "-o", "--output", "--output=x". NULL: none. */
const struct poptOption *verb_find_option(const Verb *verb, const char *word);

/* The long option nearest to a word such as "--otuput=x", without its dashes. NULL: none is
 * near. */
const char *verb_nearest_option(const Verb *verb, const char *word);

/* "-o, --output=DIR" */
char *option_text(const struct poptOption *option, Arena *arena);

/* The option's meaning, with the names that it takes if option_text() has no room for them. */
const char *option_meaning(const struct poptOption *option, Arena *arena);

/* True if the option takes a value. */
bool option_takes_value(const struct poptOption *option);

/* Exit statuses, as {number, meaning}; ends with a NULL meaning. */
typedef struct ExitStatus {
    int status;
    const char *meaning;
} ExitStatus;
extern const ExitStatus exit_statuses[];

/* Environment variables, as {name, meaning}; ends with a NULL name. */
typedef struct Variable {
    const char *name, *meaning;
} Variable;
extern const Variable variables[];

void help_print_overview(const VerbTable *table, FILE *stream);
void help_print_verb(const Verb *verb, Arena *arena, FILE *stream);
json_t *help_overview_json(const VerbTable *table);
json_t *help_verb_json(const Verb *verb, Arena *arena);

/* Writes firma.1 and firma-VERB.1 into an existing directory. */
bool manual_write(const VerbTable *table, const char *directory, Arena *arena, Err *err);

bool completion_write(const VerbTable *table, const char *path, Err *err);

/* Prints the error to stderr. With --json, also prints it as an object to stdout, unless stdout has
 * a document already. `verb` is NULL before a verb is known. */
void cli_print_error(const Verb *verb, bool json, const Err *err);

/* Prints a copy of docs/FORMATS.md with regenerated fields. The fields of the list NAME go between
 * the line `<!-- fields: NAME -->` and the next line `<!-- end -->`. ERR_INPUT: no list has this
 * name, or the end is missing. Defined in verbs/formats.c, because the verbs know the lists. */
bool formats_print(const char *file, Err *err);

/* Lets tables fit the terminal on stdout, or COLUMNS. In a file or a pipe, a row stays one line. */
void cli_fit_tables(void);

Progress progress_bar(bool quiet);
void progress_bar_end(void);
