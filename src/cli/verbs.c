/* SPDX-License-Identifier: BSD-3-Clause */
/* Lookups in the table of verbs and in their option tables; the options, exit statuses and
 * variables that all verbs share. */
#include "cli/verbs.h"
#include "base/nearest.h"
#include "cli/option_values.h"

#include <string.h>

CommonOptions common_options;

const struct poptOption common_option_table[] = {
    {"json", '\0', POPT_ARG_NONE, &common_options.json, 0, "print one JSON document on stdout, and nothing else there",
     NULL},
    {"quiet", 'q', POPT_ARG_NONE, &common_options.quiet, 0,
     "no progress bar, no notes, no results on stdout; errors only", NULL},
    {"help", 'h', POPT_ARG_NONE, &common_options.help, 0, "show this help", NULL},
    POPT_TABLEEND};

const char *const verb_questions[VERB_QUESTIONS] = {
    [QUESTION_TIME] = "How long will my MPI program take, here or elsewhere?",
    [QUESTION_CONTENT] = "What does it do, and where does the time go?",
    [QUESTION_MESSAGES] = "What do messages cost?",
    [QUESTION_PLACEMENT] = "Where should tasks run?",
    [QUESTION_SOURCE] = "What will it cost, from its source?",
    [QUESTION_SCALING] = "How does it scale?",
    [QUESTION_SETUP] = "Is everything here?",
};

const ExitStatus exit_statuses[] = {
    {0, "Success."},
    {1, "A negative answer: the traced program failed, or a check found a problem."},
    {2, "The command line is wrong."},
    {3, "An input file is broken, or isn't what it should be."},
    {4, "The machine lacks something: a library, a launcher, disk, memory."},
    {70, "A bug in firma."},
    {0, NULL},
};

const Variable variables[] = {
    {"FIRMA_LIBDIR",
     "Directory of firma's own libraries (recorders, teams), instead of the directory of the build or installation."},
    {"FIRMA_CRIU",
     "Path of the CRIU that saves and restores jobs. By default firma looks in build/criu, ~/.cache/firma/criu and on PATH."},
    {"FIRMA_DMTCP", "The DMTCP that saves and restores jobs: path of its dmtcp_launch, or of its installation's "
                    "directory. By default firma looks in build/dmtcp and on PATH."},
    {"XDG_CACHE_HOME", "firma looks for a CRIU in its firma/criu. By default ~/.cache."},
    {"XDG_RUNTIME_DIR", "Directory for the lock of measurements. By default TMPDIR."},
    {"TMPDIR", "Directory for temporary files. By default /tmp."},
    {"NO_COLOR", "If it is set to anything, firma prints no colours. Without a terminal, it prints none anyway."},
    {"COLUMNS", "Width of text, if standard output is no terminal. By default, lines stay whole."},
    {"TERM", "If it is `dumb` or not set, firma prints no colours and no progress bar."},
    {NULL, NULL},
};

const char *verb_last_name(const Verb *verb)
{
    const char *blank = strrchr(verb->name, ' ');
    return blank ? blank + 1 : verb->name;
}

const Verb *verb_find(const VerbTable *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(verb_last_name(table->verbs[i]), name) == 0)
            return table->verbs[i];
    }
    return NULL;
}

const Verb *verb_take(const VerbTable *table, int *argc, char ***argv)
{
    static const Verb common = {.name = ""};
    char **words = *argv;
    int at = 1;
    while (at < *argc && verb_find_option(&common, words[at]))
        at++;
    const Verb *verb = at < *argc ? verb_find(table, words[at]) : NULL;
    if (verb) {
        memmove(words + 2, words + 1, (size_t)(at - 1) * sizeof *words);
        ++*argv;
        --*argc;
    }
    return verb;
}

const Verb *verb_nearest(const VerbTable *table, const char *name)
{
    Nearest nearest = nearest_to(name);
    for (size_t i = 0; i < table->count; i++)
        nearest_try(&nearest, verb_last_name(table->verbs[i]));
    return nearest.name ? verb_find(table, nearest.name) : NULL;
}

static size_t append_options(const struct poptOption *table, const struct poptOption *options[OPTION_LIMIT],
                             size_t count)
{
    for (; table && (table->longName || table->shortName || table->arg); table++) {
        if ((table->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE)
            count = append_options(table->arg, options, count);
        else if (!(table->argInfo & POPT_ARGFLAG_DOC_HIDDEN) && count < OPTION_LIMIT)
            options[count++] = table;
    }
    return count;
}

size_t verb_options(const Verb *verb, const struct poptOption *options[OPTION_LIMIT])
{
    return append_options(common_option_table, options, append_options(verb->options, options, 0));
}

const struct poptOption *verb_find_option(const Verb *verb, const char *word)
{
    const struct poptOption *options[OPTION_LIMIT];
    size_t count = verb_options(verb, options), length = strcspn(word, "=");
    if (word[0] != '-')
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const char *name = options[i]->longName;
        bool is_long = length > 2 && name && strlen(name) == length - 2 && memcmp(name, word + 2, length - 2) == 0;
        if (is_long || (length == 2 && options[i]->shortName == word[1]))
            return options[i];
    }
    return NULL;
}

const char *verb_nearest_option(const Verb *verb, const char *word)
{
    const struct poptOption *options[OPTION_LIMIT];
    size_t count = verb_options(verb, options), dashes = strspn(word, "-");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + dashes, "="), word + dashes);
    Nearest nearest = nearest_to(name);
    const char *begun = NULL;
    size_t n_begun = 0;
    for (size_t i = 0; i < count && dashes == 2; i++) {
        const char *option = options[i]->longName;
        if (!option)
            continue;
        nearest_try(&nearest, option);
        if (*name && strncmp(option, name, strlen(name)) == 0) {
            n_begun++;
            begun = option;
        }
    }
    return n_begun == 1 ? begun : nearest.name;
}

bool option_takes_value(const struct poptOption *option)
{
    unsigned int type = option->argInfo & POPT_ARG_MASK;
    return type != POPT_ARG_NONE && type != POPT_ARG_VAL;
}

char *option_text(const struct poptOption *option, Arena *arena)
{
    const char *value = !option_takes_value(option)      ? NULL
                        : option_names_are_short(option) ? option_names(option, "|", arena)
                        : option->argDescrip             ? option->argDescrip
                                                         : "VALUE";
    if (!option->longName)
        return arena_printf(arena, "-%c%s%s", option->shortName, value ? " " : "", value ? value : "");
    char short_form[8] = "";
    if (option->shortName)
        snprintf(short_form, sizeof short_form, "-%c, ", option->shortName);
    return arena_printf(arena, "%s--%s%s%s", short_form, option->longName, value ? "=" : "", value ? value : "");
}

const char *option_meaning(const struct poptOption *option, Arena *arena)
{
    const char *names = option_names_are_short(option) ? NULL : option_names(option, ", ", arena);
    return names ? arena_printf(arena, "%s: %s", option->descrip, names) : option->descrip;
}
