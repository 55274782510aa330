/* SPDX-License-Identifier: BSD-3-Clause */
/* Bash completion. It begins with tables, printed from the table of verbs: the words of verbs,
 * their options, what follows an option, and kinds of files. The functions that use these tables
 * are in completion.bash. */
#include "cli/completion_functions.h"
#include "cli/option_values.h"
#include "cli/verbs.h"

#include <errno.h>
#include <string.h>

/* The verbs whose options and files apply: the verb itself, or the words that needn't be typed. */
enum { ACTING_LIMIT = 4 };

static size_t find_acting(const Verb *verb, const Verb *acting[ACTING_LIMIT])
{
    size_t n = 0;
    acting[n++] = verb->default_word ? verb->default_word : verb;
    for (size_t i = 0; i < verb->words.count && n < ACTING_LIMIT; i++)
        if (verb->words.verbs[i]->takes)
            acting[n++] = verb->words.verbs[i];
    return n;
}

static bool is_same(const struct poptOption *a, const struct poptOption *b)
{
    return a->longName && b->longName ? strcmp(a->longName, b->longName) == 0 : a->shortName == b->shortName;
}

/* Their options, each once. */
static size_t acting_options(const Verb *verb, const struct poptOption *options[ACTING_LIMIT * OPTION_LIMIT])
{
    const Verb *acting[ACTING_LIMIT];
    size_t n_acting = find_acting(verb, acting), count = verb_options(acting[0], options);
    for (size_t i = 1; i < n_acting; i++) {
        const struct poptOption *further[OPTION_LIMIT];
        size_t n_further = verb_options(acting[i], further);
        for (size_t k = 0, at; k < n_further; k++) {
            for (at = 0; at < count && !is_same(options[at], further[k]);)
                at++;
            if (at == count)
                options[count++] = further[k];
        }
    }
    return count;
}

static void print_names(const VerbTable *table, FILE *script)
{
    for (size_t i = 0; i < table->count; i++)
        fprintf(script, "%s%s", i ? " " : "", verb_last_name(table->verbs[i]));
}

/* ---- cases: one a verb ---- */

typedef void PrintCase(const Verb *verb, FILE *script);

static void print_cases(const VerbTable *table, PrintCase *print, FILE *script)
{
    for (size_t i = 0; i < table->count; i++) {
        print(table->verbs[i], script);
        print_cases(&table->verbs[i]->words, print, script);
    }
}

static void print_words(const Verb *verb, FILE *script)
{
    if (!verb->words.count)
        return;
    fprintf(script, "    '%s') words='", verb->name);
    print_names(&verb->words, script);
    fputs("' ;;\n", script);
}

static void print_options(const Verb *verb, FILE *script)
{
    const Verb *acting[ACTING_LIMIT];
    const struct poptOption *options[ACTING_LIMIT * OPTION_LIMIT];
    size_t count = acting_options(verb, options);
    find_acting(verb, acting);
    fprintf(script, "    '%s') options='", verb->name);
    for (size_t i = 0; i < count; i++) {
        if (options[i]->longName)
            fprintf(script, "--%s%s ", options[i]->longName, option_takes_value(options[i]) ? "=" : "");
        if (options[i]->shortName)
            fprintf(script, "-%c ", options[i]->shortName);
    }
    fprintf(script, "%s' ;;\n", acting[0]->takes_command ? "--" : "");
}

static void print_files(const Verb *verb, FILE *script)
{
    const Verb *acting[ACTING_LIMIT];
    size_t n_acting = find_acting(verb, acting);
    if (!acting[0]->files)
        return;
    fprintf(script, "    '%s') files='%s", verb->name, acting[0]->files);
    for (size_t i = 1; i < n_acting; i++)
        fprintf(script, " %s", acting[i]->files);
    fputs("' ;;\n", script);
}

/* "names='pas2p lamport'" */
static void print_value(const struct poptOption *option, FILE *script)
{
    const char *files = option_files(option);
    if (option_name_at(option, 0)) {
        fprintf(script, "%s='", option_takes_list(option) ? "list" : "names");
        for (size_t i = 0; option_name_at(option, i); i++)
            fprintf(script, "%s%s", i ? " " : "", option_name_at(option, i));
        fputc('\'', script);
    } else {
        fprintf(script, files ? "files='%s'" : ":", files);
    }
}

static void print_values(const Verb *verb, FILE *script)
{
    const struct poptOption *options[ACTING_LIMIT * OPTION_LIMIT];
    size_t count = acting_options(verb, options);
    for (size_t i = 0; i < count; i++) {
        if (!option_takes_value(options[i]))
            continue;
        fputs("    ", script);
        if (options[i]->longName)
            fprintf(script, "'%s --%s'%s", verb->name, options[i]->longName, options[i]->shortName ? " | " : "");
        if (options[i]->shortName)
            fprintf(script, "'%s -%c'", verb->name, options[i]->shortName);
        fputs(") ", script);
        print_value(options[i], script);
        fputs(" ;;\n", script);
    }
}

static void print_tables(const VerbTable *table, FILE *script)
{
    fputs("# bash completion for firma; generated from its option tables\n\n"
          "# The words that may follow a verb; with an empty argument, the verbs.\n"
          "_firma_words()\n{\n"
          "    words=\n"
          "    case $1 in\n"
          "    '') words='",
          script);
    print_names(table, script);
    fputs(" help' ;;\n", script);
    print_cases(table, print_words, script);
    fputs("    esac\n}\n\n"
          "# The options of a verb.\n"
          "_firma_options()\n{\n"
          "    options='--help --version'\n"
          "    case $1 in\n",
          script);
    print_cases(table, print_options, script);
    fputs("    esac\n}\n\n"
          "# The extensions of the files that a verb takes.\n"
          "_firma_files_of()\n{\n"
          "    files=\n"
          "    case $1 in\n",
          script);
    print_cases(table, print_files, script);
    fputs(
        "    esac\n}\n\n"
        "# What follows an option: a name, a list of names, a file, or what can't be known. Fails: nothing follows it.\n"
        "_firma_values()\n{\n"
        "    names= list= files=\n"
        "    case \"$1 $2\" in\n",
        script);
    print_cases(table, print_values, script);
    fputs("    *) return 1 ;;\n"
          "    esac\n}\n\n",
          script);
}

bool completion_write(const VerbTable *table, const char *path, Err *err)
{
    FILE *script = fopen(path, "w");
    if (!script)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    print_tables(table, script);
    fputs(CLI_COMPLETION, script);
    bool failed = ferror(script);
    failed |= fclose(script) != 0;
    return !failed || err_set(err, ERR_ENVIRONMENT, "%s: not written: %s", path, strerror(errno));
}
