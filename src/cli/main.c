/* SPDX-License-Identifier: BSD-3-Clause */
/* firma VERB …: finds the verb, reads its options, runs it, and turns its error into words and an exit status. */
#include "cli/verbs.h"
#include "config.h"
#include "report/table.h"

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
static const VerbTable verbs = {verb_list, sizeof verb_list / sizeof *verb_list};

static bool color_wanted(void)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0;
}

static bool unknown_verb(const char *name, Err *err)
{
    const Verb *nearest = verb_nearest(&verbs, name);
    err_set(err, ERR_USAGE, "there is no verb `%s`", name);
    if (nearest)
        return err_hint(err, "did you mean `firma %s`?", nearest->name);
    return err_hint(err, "`firma help` lists the verbs");
}

/* A launcher's command line without "--" before it: the commonest slip. */
static bool bad_option(const Verb *verb, const char *option, const char *what, char *const *command, Err *err)
{
    err_set(err, ERR_USAGE, "%s: %s", option, what);
    if (verb->takes_command && !command)
        return err_hint(err, "the launcher's command line stands after `--`: firma %s %s", verb->name, verb->synopsis);
    return err_hint(err, "`firma %s --help` lists the options", verb->name);
}

static bool check_words(const Verb *verb, int n, const char *const *words, char *const *command, Err *err)
{
    if (verb->takes_command || !command) {
        for (int i = 0; verb->takes_command && !command && i < n; i++) {
            const char *name = strrchr(words[i], '/') ? strrchr(words[i], '/') + 1 : words[i];
            if (strncmp(name, "mpirun", 6) == 0 || strncmp(name, "mpiexec", 7) == 0 || strcmp(name, "srun") == 0)
                return bad_option(verb, words[i], "a launcher before `--`", command, err);
        }
        return true;
    }
    return err_set(err, ERR_USAGE, "takes no command line after `--`") ||
           err_hint(err, "usage: firma %s %s", verb->name, verb->synopsis);
}

/* popt takes an empty number, such as of a shell's unset variable, for 0. */
static bool check_values(const Verb *verb, int argc, char *const *argv, Err *err)
{
    for (int i = 1; i < argc; i++) {
        size_t length = strcspn(argv[i], "=");
        if (argv[i][0] != '-' || (argv[i][length] && argv[i][length + 1]))
            continue;
        const struct poptOption *option = verb_find_option(verb, argv[i]);
        bool is_apart = !argv[i][length];
        if (!option || (option->argInfo & POPT_ARG_MASK) != POPT_ARG_DOUBLE)
            continue;
        if (!is_apart || (i + 1 < argc && !*argv[i + 1]))
            return err_set(err, ERR_USAGE, "%.*s: the number is empty", (int)length, argv[i]);
        i += is_apart;
    }
    return true;
}

/* The options of argv (the verb's name first) into their targets; the words that are left stay in the context. */
static bool read_options(const Verb *verb, poptContext context, char *const *command, Err *err)
{
    int code = poptGetNextOpt(context);
    if (code >= -1)
        return true;
    return bad_option(verb, poptBadOption(context, 0), poptStrerror(code), command, err);
}

/* cli: what is known of the command line already. */
static bool run_with_words(const Verb *verb, const TeamPlace *place, Cli cli, poptContext context, char *const *command,
                           Err *err)
{
    const char *const *words = (const char *const *)poptGetArgs(context);
    int n = 0;
    while (words && words[n])
        n++;
    if (!check_words(verb, n, words, command, err))
        return false;
    cli.json = common_options.json;
    cli.quiet = common_options.quiet;
    cli.arena = arena_new();
    cli.progress = progress_bar(common_options.quiet);
    cli.color = place->size == 1 && color_wanted(); /* launchers put terminals of their own between */
    if (place->size > 1 && !cli.team)
        cli_note(&cli, "%s works in one process; the launcher started %u, and the first does it all", verb->name,
                 place->size);
    bool fine = verb->run(&cli, n, words, command, err);
    progress_bar_end();
    arena_free(cli.arena);
    return fine;
}

static void print_help(const Verb *verb)
{
    Arena *arena = arena_new();
    if (common_options.json)
        cli_print_json(NULL, verb ? help_verb_json(verb, arena) : help_overview_json(&verbs));
    else if (verb)
        help_print_verb(verb, arena, stdout);
    else
        help_print_overview(&verbs, stdout);
    arena_free(arena);
}

static bool run_verb(const Verb *verb, const TeamPlace *place, Team *team, int argc, char **argv, Err *err)
{
    char *const *command = NULL;
    Arena *arena = arena_new();
    const char *command_line = arena_join(arena, (const char *const *)argv, (size_t)argc);
    for (int i = 1; i < argc && !command; i++) {
        if (strcmp(argv[i], "--") == 0) {
            command = argv + i + 1;
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
    poptContext context = poptGetContext(NULL, argc, (const char **)argv, options, POPT_CONTEXT_NO_EXEC);
    bool fine = check_values(verb, argc, argv, err) && read_options(verb, context, command, err);
    if (fine && common_options.help) {
        print_help(verb);
    } else if (fine) {
        const Cli cli = {.team = team, .command_line = command_line, .n_arguments = argc, .arguments = argv};
        fine = run_with_words(verb, place, cli, context, command, err);
    }
    poptFreeContext(context);
    arena_free(arena);
    return fine;
}

/* Under a launcher, this is the first of several processes. */
static bool run_in_team(const Verb *verb, const TeamPlace *place, int argc, char **argv, Err *err)
{
    Team *team = NULL;
    if (place->size > 1 && verb->uses_team && !team_start(place, &team, err))
        return false;
    bool fine = run_verb(verb, place, team, argc, argv, err);
    team_end(team);
    return fine;
}

/* Any other: it helps the first, or there is nothing to do. */
static ErrKind follow(const TeamPlace *place, int argc, char **argv)
{
    Err err = {0};
    Team *team;
    const Verb *verb = argc > 1 ? verb_find(&verbs, argv[1]) : NULL;
    if (!verb || !verb->uses_team)
        return ERR_NONE;
    if (!team_start(place, &team, &err))
        return err.kind; /* the first says it */
    team_serve(team);
    team_end(team);
    return ERR_NONE;
}

/* --generate man DIR | completion FILE: for the build. */
static bool generate(int argc, char **argv, Err *err)
{
    if (argc != 4)
        return err_set(err, ERR_USAGE, "usage: firma --generate man DIR | completion FILE");
    Arena *arena = arena_new();
    bool fine;
    if (strcmp(argv[2], "man") == 0)
        fine = manual_write(&verbs, argv[3], arena, err);
    else if (strcmp(argv[2], "completion") == 0)
        fine = completion_write(&verbs, argv[3], err);
    else
        fine = err_set(err, ERR_USAGE, "--generate: there is no `%s`", argv[2]);
    arena_free(arena);
    return fine;
}

static bool help(int argc, char **argv, Err *err)
{
    const char *name = NULL;
    for (int i = 2; i < argc && !name; i++)
        name = strcmp(argv[i], "--json") == 0 ? NULL : argv[i];
    const Verb *verb = name ? verb_find(&verbs, name) : NULL;
    if (name && !verb)
        return unknown_verb(name, err);
    print_help(verb);
    return true;
}

static bool run(const TeamPlace *place, int argc, char **argv, const Verb **verb, Err *err)
{
    if (argc < 2 || (argc == 2 && common_options.json)) {
        help_print_overview(&verbs, stderr);
        return err_set(err, ERR_USAGE, "a verb is missing");
    }
    const char *word = argv[1];
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help(argc, argv, err);
    if (strcmp(word, "--version") == 0) {
        if (common_options.json)
            cli_print_json(NULL, json_object());
        else
            printf("firma %s\n", FIRMA_VERSION);
        return true;
    }
    if (strcmp(word, "--generate") == 0)
        return generate(argc, argv, err);
    if (word[0] == '-')
        return err_set(err, ERR_USAGE, "%s: unknown option", word) ||
               err_hint(err, "options stand after the verb; see `firma help`");
    *verb = verb_find(&verbs, word);
    if (!*verb)
        return unknown_verb(word, err);
    return run_in_team(*verb, place, argc - 1, argv + 1, err);
}

/* What was printed may not have arrived: a full disk behind stdout is an error too. */
static bool flush_output(Err *err)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return err_set(err, ERR_ENVIRONMENT, "standard output: not written: %s",
                   errno ? strerror(errno) : "an earlier part of it wasn't");
}

/* A file that may not grow further is an error of the write then, and doesn't end firma among its temporary files.
 * Programs that it starts don't inherit a handler. */
static void take_file_limit(int number)
{
    (void)number;
}

/* No other file shall become 0, 1 or 2. What stands there instead can't be written to: that is still an error. */
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
    const Verb *verb = NULL;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        common_options.json |= strcmp(argv[i], "--json") == 0; /* already for errors in the options */
    const TeamPlace place = team_find_place();
    if (place.rank > 0)
        return (int)follow(&place, argc, argv);
    bool fine = run(&place, argc, argv, &verb, &err);
    if (!fine && err.kind == ERR_NONE)
        err_set(&err, ERR_BUG, "failed without saying why");
    if (!fine)
        cli_print_error(verb, common_options.json, &err);
    else if (!flush_output(&err))
        cli_print_error(verb, false, &err);
    return err.kind;
}
