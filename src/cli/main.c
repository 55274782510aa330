/* SPDX-License-Identifier: BSD-3-Clause */
/* firma VERB …: finds the verb, reads its options, runs it, prints its error, and returns its exit
 * status. */
#include "base/files.h"
#include "base/words.h"
#include "cli/analysis.h"
#include "cli/measuring.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/verbs.h"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Verb *const verb_list[] = {
#define VERB(name) &verb_##name,
#include "verbs.def"
#undef VERB
};
/* The root of the tree of verbs. */
static const Verb firma = {.name = "", .words = {verb_list, sizeof verb_list / sizeof *verb_list}};

/* A command line, divided into the verb and the rest. */
typedef struct Call {
    const Verb *verb;  /* firma itself without a verb */
    const Verb *named; /* the verb that the user named, for --help; `verb` may be its default word */
    bool asks_help;    /* `firma help …`: all words together name a page */
    const char *command_line;
    int argc;
    char **argv; /* options and words, behind argv[0] */
} Call;

static bool color_wanted(void)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0;
}

/* The error if no word, or an unknown word `name`, follows the verb. `name` is NULL without a
 * word. */
static bool missing_word(const Verb *verb, const char *name, Err *err)
{
    const Verb *nearest = name ? verb_nearest(&verb->words, name) : NULL;
    bool is_root = verb == &firma;
    if (!name)
        err_set(err, ERR_USAGE, is_root ? "a verb is missing" : "the word that says what to do is missing");
    else
        err_set(err, ERR_USAGE, "there is no %s`%s%s%s`", is_root ? "verb " : "", verb->name, is_root ? "" : " ", name);
    if (nearest)
        return err_hint(err, "did you mean `firma %s`?", nearest->name);
    if (is_root && name && strcmp(name, "version") == 0)
        return err_hint(err, "`firma --version` prints the version");
    if (is_root)
        return err_hint(err, "`firma help` lists the verbs");
    return err_hint(err, "`firma %s --help` lists the words", verb->name);
}

/* True for `firma scale modle`: the verb also takes a file, no such file exists, and the name of a
 * word is near. */
static bool is_mistyped_word(const Verb *named, const char *word)
{
    return named->default_word && !files_exist(word) && verb_nearest(&named->words, word);
}

/* The error of a bad option. The commonest cause is a launcher's command line without "--" before
 * it. */
static bool bad_option(const Verb *verb, const char *option, const char *what, char *const *command, Err *err)
{
    if (strcmp(what, poptStrerror(POPT_ERROR_NOARG)) == 0)
        return err_set(err, ERR_USAGE, "%s: its value is missing", option) ||
               err_hint(err, "`firma %s --help` says which values %s takes", verb->name, option);
    err_set(err, ERR_USAGE, "%s: %s", option, what);
    const char *meant = verb_nearest_option(verb, option);
    if (meant)
        return err_hint(err, "did you mean `--%s`?", meant);
    if (verb->takes_command && !command)
        return err_hint(err, "the program's command line goes after `--`: firma %s %s", verb->name, verb->synopsis);
    if (verb == &firma && (strcmp(option, "-v") == 0 || strcmp(option, "-V") == 0))
        return err_hint(err, "`firma --version` prints the version");
    if (verb == &firma)
        return err_hint(err, "put options after the verb; see `firma help`");
    return err_hint(err, "`firma %s --help` lists the options", verb->name);
}

static bool check_words(const Verb *verb, int n, const char *const *words, char *const *command, Err *err)
{
    for (int i = 0; i < n; i++)
        if (!*words[i])
            return err_set(err, ERR_USAGE, "argument %d is empty", i + 1) ||
                   err_hint(err, "if it is a variable of the shell, check that the variable is set");
    if (verb->takes_command || !command) {
        for (int i = 0; verb->takes_command && !command && i < n; i++) {
            const char *name = strrchr(words[i], '/') ? strrchr(words[i], '/') + 1 : words[i];
            if (strncmp(name, "mpirun", 6) == 0 || strncmp(name, "mpiexec", 7) == 0 || strcmp(name, "srun") == 0)
                return bad_option(verb, words[i], "a launcher without `--` before it", command, err);
        }
        return true;
    }
    return err_set(err, ERR_USAGE, "this verb takes no command line after `--`");
}

/* The error of `firma help trace predict`, because that page doesn't exist. */
static bool check_page(const Verb *named, const char *const *words, Err *err)
{
    if (!words || !words[0])
        return true;
    if (named->words.count)
        return missing_word(named, words[0], err);
    return err_set(err, ERR_USAGE, "help: `%s` has no word `%s`", named->name, words[0]) ||
           err_hint(err, "`firma help %s` shows the whole page", named->name);
}

/* Checks the value of a long option: "--name=value" or "--name value". Sets *at to the word with
 * the value. */
static bool check_long_option(const Verb *verb, int argc, char *const *argv, int *at, Err *err)
{
    const char *word = argv[*at];
    const struct poptOption *option = verb_find_option(verb, word);
    size_t length = strcspn(word, "=");
    if (!option || !option_takes_value(option))
        return true;
    if (word[length])
        return option_check_value(option, word, (int)length, word + length + 1, err);
    return ++*at >= argc || option_check_value(option, word, (int)length, argv[*at], err);
}

/* The same for short options: "-ab value", "-bvalue", "-b=value". */
static bool check_short_options(const Verb *verb, int argc, char *const *argv, int *at, Err *err)
{
    for (const char *letter = argv[*at] + 1; *letter; letter++) {
        const char typed[] = {'-', *letter, '\0'};
        const struct poptOption *option = verb_find_option(verb, typed);
        if (!option)
            return true;
        if (!option_takes_value(option))
            continue;
        if (letter[1])
            return option_check_value(option, typed, 2, letter + 1 + (letter[1] == '='), err);
        return ++*at >= argc || option_check_value(option, typed, 2, argv[*at], err);
    }
    return true;
}

static bool check_option(const Verb *verb, int argc, char *const *argv, int *at, Err *err)
{
    bool is_long = strncmp(argv[*at], "--", 2) == 0;
    return (is_long ? check_long_option : check_short_options)(verb, argc, argv, at, err);
}

/* popt itself would read an empty number as 0, and refuse other values without naming the
 * option. */
static bool check_values(const Verb *verb, int argc, char *const *argv, Err *err)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-' && !check_option(verb, argc, argv, &i, err))
            return false;
    return true;
}

/* Reads the options of argv (which begins with the verb's name) into their targets. Other words
 * stay in the context. */
static bool read_options(const Verb *verb, poptContext context, char *const *command, Err *err)
{
    int code = poptGetNextOpt(context);
    if (code >= -1)
        return true;
    return bad_option(verb, poptBadOption(context, 0), poptStrerror(code), command, err);
}

/* Puts files of a study in its place. Changes the number of words. */
static bool without_studies(const Verb *verb, int *n, const char *const **words, Arena *arena, Err *err)
{
    const char *const *names, *const *studies;
    size_t n_names;
    VEC(const char *) files = {0};
    if (!verb->of_study)
        return true;
    words_split(verb->of_study, arena, &names, &n_names);
    for (int i = 0; i < *n; i++) {
        size_t n_studies = analysis_studies((*words)[i], arena, &studies);
        if (n_studies > 1 && !verb->takes_studies) {
            vec_free(&files);
            return err_set(err, ERR_USAGE, "%s: holds studies of several numbers of processes", (*words)[i]) ||
                   err_hint(err, "name one of them, such as %s; firma scale takes all", studies[0]);
        }
        for (size_t k = 0; k < n_studies * n_names; k++)
            *vec_push(&files) = arena_printf(arena, "%s/%s", studies[k / n_names], names[k % n_names]);
        if (!n_studies)
            *vec_push(&files) = (*words)[i];
    }
    *n = (int)files.count;
    *vec_push(&files) = NULL;
    *words = vec_copy(&files, arena);
    vec_free(&files);
    return true;
}

static bool run_with_words(const Call *call, const TeamPlace *place, Team *team, poptContext context,
                           char *const *command, Err *err)
{
    const Verb *verb = call->verb;
    const char *const *words = (const char *const *)poptGetArgs(context);
    int n = (int)words_count(words);
    if (verb == &firma && n == 0)
        help_print_overview(&firma.words, stderr);
    if (!verb->run)
        return missing_word(verb, n ? words[0] : NULL, err);
    if (n && is_mistyped_word(call->named, words[0]))
        return missing_word(call->named, words[0], err);
    if (!check_words(verb, n, words, command, err))
        return false;
    Cli cli = {.verb = verb,
               .json = common_options.json,
               .quiet = common_options.quiet,
               .arena = arena_new(),
               .progress = progress_bar(common_options.quiet),
               .team = team,
               .command_line = call->command_line,
               .color = place->size == 1 && color_wanted()}; /* launchers put terminals of their own in between */
    if (place->size > 1 && !team)
        cli_note(&cli, "%s works in one process; the launcher started %u, and the first does it all", verb->name,
                 place->size);
    files_keep_private();
    cli_fit_tables();
    if (cli.json)
        outputs_reserve_stdout();
    bool fine = without_studies(verb, &n, &words, cli.arena, err) && verb->run(&cli, n, words, command, err);
    measuring_end();
    progress_bar_end();
    json_decref(cli.incomplete);
    arena_free(cli.arena);
    return fine;
}

static void print_help(const Verb *verb)
{
    Arena *arena = arena_new();
    bool is_root = verb == &firma;
    if (common_options.json)
        cli_print_json(NULL, is_root ? help_overview_json(&firma.words) : help_verb_json(verb, arena));
    else if (is_root)
        help_print_overview(&firma.words, stdout);
    else
        help_print_verb(verb, arena, stdout);
    arena_free(arena);
}

static bool run_verb(const Call *call, const TeamPlace *place, Team *team, Err *err)
{
    const Verb *verb = call->verb;
    char *const *command = NULL;
    int argc = call->argc;
    for (int i = 1; i < argc && !command; i++) {
        if (strcmp(call->argv[i], "--") == 0) {
            command = call->argv + i + 1;
            argc = i;
        }
    }
    if (command && !*command)
        command = NULL;

    const struct poptOption no_options[] = {POPT_TABLEEND};
    const struct poptOption options[] = {
        {NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)(verb->options ? verb->options : no_options), 0, NULL, NULL},
        {NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)common_option_table, 0, NULL, NULL},
        POPT_TABLEEND};
    poptContext context = poptGetContext(NULL, argc, (const char **)call->argv, options, POPT_CONTEXT_NO_EXEC);
    bool fine = check_values(verb, argc, call->argv, err) && read_options(verb, context, command, err);
    if (fine && call->asks_help)
        fine = check_page(call->named, (const char *const *)poptGetArgs(context), err);
    if (fine && common_options.help)
        print_help(call->named);
    else if (fine)
        fine = run_with_words(call, place, team, context, command, err);
    if (!fine && err->kind == ERR_USAGE && !err->hint[0])
        err_hint(err, "usage: firma %s %s", verb->name, verb->synopsis);
    poptFreeContext(context);
    return fine;
}

/* Runs the verb as the first of several processes under a launcher. */
static bool run_in_team(const Call *call, const TeamPlace *place, Err *err)
{
    Team *team = NULL;
    if (place->size > 1 && call->verb->uses_team && !team_start(place, &team, err))
        return false;
    bool fine = run_verb(call, place, team, err);
    team_end(team);
    return fine;
}

/* Runs any other process under a launcher: helps the first process, or does nothing. */
static ErrKind follow(const Call *call, const TeamPlace *place)
{
    Err err = {0};
    Team *team;
    if (!call->verb->uses_team)
        return ERR_NONE;
    if (!team_start(place, &team, &err))
        return err.kind; /* the first process prints the error */
    team_serve(team);
    team_end(team);
    return ERR_NONE;
}

/* --generate man DIR | completion FILE | formats FILE: used by the build. */
static bool generate(int argc, char **argv, Err *err)
{
    if (argc != 4)
        return err_set(err, ERR_USAGE, "usage: firma --generate man DIR | completion FILE | formats FILE");
    Arena *arena = arena_new();
    bool fine;
    if (strcmp(argv[2], "man") == 0)
        fine = manual_write(&firma.words, argv[3], arena, err);
    else if (strcmp(argv[2], "completion") == 0)
        fine = completion_write(&firma.words, argv[3], err);
    else if (strcmp(argv[2], "formats") == 0)
        fine = formats_print(argv[3], err);
    else
        fine = err_set(err, ERR_USAGE, "--generate: `%s` is not one of man, completion, formats", argv[2]);
    arena_free(arena);
    return fine;
}

/* True if the next word is `help`, and not a file that the verb takes. */
static bool is_help(const Call *call)
{
    return call->argc > 1 && call->named->words.count && strcmp(call->argv[1], "help") == 0 &&
           !(call->named->default_word && files_exist("help"));
}

/* The first word that is no option of the verb's, and no value of one. NULL: there is none. */
static const char *first_path(const Verb *verb, int argc, char *const *argv)
{
    Err ignored = {0};
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (argv[i][0] != '-')
            return argv[i];
        check_option(verb, argc, argv, &i, &ignored);
    }
    return NULL;
}

/* The verb itself, or the word that stands for it: that which takes the first path, or the default. */
static const Verb *acting_verb(const Verb *named, int argc, char *const *argv)
{
    if (!named->default_word)
        return named;
    for (size_t i = 0; i < named->words.count; i++) {
        const Verb *word = named->words.verbs[i];
        const char *path = word->takes ? first_path(word, argc, argv) : NULL;
        if (path && word->takes(path))
            return word;
    }
    return named->default_word;
}

/* `firma help VERB` and `firma VERB help` are `firma VERB --help`. */
static Call find_call(int argc, char **argv, Arena *arena)
{
    Call call = {.named = &firma,
                 .command_line = arena_join(arena, (const char *const *)argv + 1, argc > 1 ? (size_t)argc - 1 : 0),
                 .argc = argc,
                 .argv = argv};
    for (const Verb *verb = &firma; verb; verb = verb_take(&call.named->words, &call.argc, &call.argv)) {
        call.named = verb;
        for (; is_help(&call); call.argc--, call.argv++)
            common_options.help = call.asks_help = true;
    }
    call.verb = acting_verb(call.named, call.argc, call.argv);
    return call;
}

static bool run(const Call *call, const TeamPlace *place, int argc, char **argv, Err *err)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "--generate") == 0)
        return generate(argc, argv, err);
    if (strcmp(word, "--version") != 0)
        return run_in_team(call, place, err);
    if (common_options.json)
        cli_print_json(NULL, json_object());
    else
        printf("firma %s\n", FIRMA_VERSION);
    return true;
}

/* Writing to stdout fails late if its disk is full. This is an error, too. */
static bool flush_output(Err *err)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return err_set(err, ERR_ENVIRONMENT, "standard output: cannot write: %s",
                   errno ? strerror(errno) : "an earlier write failed");
}

/* Handler for SIGXFSZ. With a handler, writing beyond the limit of a file's size is an error of the
 * write, instead of firma's end. Programs that firma starts don't inherit the handler. */
static void take_file_limit(int number)
{
    (void)number;
}

/* Opens /dev/null, read-only, for each closed standard descriptor. So no other file gets descriptor
 * 0, 1 or 2, and writing to a closed stdout still fails. */
static void hold_standard_descriptors(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            return;
}

int main(int argc, char **argv)
{
    Err err = {0};
    hold_standard_descriptors();
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = take_file_limit, .sa_flags = SA_RESTART}, NULL);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        common_options.json |= strcmp(argv[i], "--json") == 0; /* needed for errors in the options */
    Arena *arena = arena_new();
    const Call call = find_call(argc, argv, arena);
    const TeamPlace place = team_find_place();
    if (place.rank > 0)
        return (int)follow(&call, &place);
    const Verb *verb = call.verb == &firma ? NULL : call.verb;
    bool fine = run(&call, &place, argc, argv, &err);
    if (!fine && err.kind == ERR_NONE)
        err_set(&err, ERR_BUG, "the verb failed without an error");
    if (!fine) {
        cli_print_error(verb, common_options.json, &err);
    } else if (!flush_output(&err)) {
        cli_print_error(verb, false, &err);
        fine = false;
    }
    arena_free(arena);
    return fine ? ERR_NONE : err.kind;
}
