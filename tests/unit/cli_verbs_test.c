/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of verbs: the suggestion for a mistyped verb, and a table's help, man page and
 * completion. */
#include "cli/option_values.h"
#include "cli/verbs.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *output;
static int force, secret;
static Choice mpi = {.names = (const char *const[]){"openmpi", "mpich", NULL}};
static Choice fruit = {.names = (const char *const[]){"apple", "pear", "pomegranate", "quince", NULL}};

static const struct poptOption options[] = {
    {"output", 'o', POPT_ARG_STRING, &output, 0, "where it goes: C:\\out, for example", "DIR"},
    {"mpi", '\0', OPTION_CHOICE, &mpi, 0, "which one", "NAME"},
    {"fruit", '\0', OPTION_CHOICE, &fruit, 0, "a fruit", "NAME"},
    {"force", 'f', POPT_ARG_NONE, &force, 0, "even so", NULL},
    {"secret", '\0', POPT_ARG_NONE | POPT_ARGFLAG_DOC_HIDDEN, &secret, 0, "not shown", NULL},
    POPT_TABLEEND};

static const Verb trace = {
    .name = "trace",
    .summary = "records",
    .synopsis = "[-o DIR] -- LAUNCHER",
    .description = "First paragraph.\n\n.dangerous for roff, and 25×(2 3).",
    .examples = "firma trace -- mpirun ./app   # an example",
    .options = options,
    .takes_command = true,
};
static const Verb phases = {.name = "phases",
                            .summary = "finds",
                            .synopsis = "TRACE",
                            .description = "It finds.",
                            .examples = "",
                            .files = "otf2"};
static const Verb cost_predict = {.name = "cost predict",
                                  .summary = "predicts",
                                  .synopsis = "APP.pasl",
                                  .description = "It predicts.",
                                  .options = options};
static const Verb cost = {.name = "cost",
                          .summary = "costs",
                          .synopsis = "predict",
                          .description = "What it costs.",
                          .words = VERB_WORDS(&cost_predict)};
static const Verb *const list[] = {&trace, &phases, &cost};
static const VerbTable table = {list, 3};

static void a_slip_finds_the_verb_that_was_meant(void **state)
{
    assert_ptr_equal(verb_nearest(&table, "trcae"), &trace);
    assert_ptr_equal(verb_nearest(&table, "phase"), &phases);
    assert_ptr_equal(verb_nearest(&table, "tracee"), &trace);
}

static void another_word_finds_no_verb(void **state)
{
    assert_null(verb_nearest(&table, "commit"));
    assert_null(verb_nearest(&table, ""));
    assert_null(verb_nearest(&table, "a-very-long-word-that-is-longer-than-any-verb-could-ever-be"));
}

static void hidden_options_are_not_listed_and_common_ones_are(void **state)
{
    const struct poptOption *listed[OPTION_LIMIT];
    size_t count = verb_options(&trace, listed);
    assert_int_equal(count, 4 + 3);
    assert_string_equal(listed[0]->longName, "output");
    assert_string_equal(listed[4]->longName, "json");
}

static void a_word_is_taken_off_the_command_line_behind_common_options(void **state)
{
    char *words[] = {"firma", "cost", "--json", "predict", "app.pasl", NULL}, **argv = words;
    int argc = 5;
    assert_ptr_equal(verb_take(&table, &argc, &argv), &cost);
    assert_ptr_equal(verb_take(&cost.words, &argc, &argv), &cost_predict);
    assert_int_equal(argc, 3);
    assert_string_equal(argv[1], "--json");
    assert_string_equal(argv[2], "app.pasl");
    assert_null(verb_take(&cost_predict.words, &argc, &argv));
}

/* The text that a function writes to a stream. */
static char *written(Arena *arena, void (*write)(FILE *, Arena *))
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    write(stream, arena);
    fclose(stream);
    char *copy = arena_strdup(arena, text);
    free(text);
    return copy;
}

static void write_help_of_words(FILE *stream, Arena *arena)
{
    help_print_verb(&cost, arena, stream);
}

static void help_of_a_verb_lists_its_words(void **state)
{
    Arena *arena = arena_new();
    const char *help = written(arena, write_help_of_words);
    assert_non_null(strstr(help, "\n  predict  predicts\n"));
    assert_null(strstr(help, "--output"));
    arena_free(arena);
}

static void write_help(FILE *stream, Arena *arena)
{
    help_print_verb(&trace, arena, stream);
}

static void help_shows_usage_options_and_examples(void **state)
{
    Arena *arena = arena_new();
    const char *help = written(arena, write_help);
    assert_non_null(strstr(help, "Usage: firma trace [-o DIR] -- LAUNCHER\n"));
    assert_non_null(strstr(help, "  -o, --output=DIR         where it goes"));
    assert_non_null(strstr(help, "      --mpi=openmpi|mpich  which one\n"));
    assert_non_null(strstr(help, "      --fruit=NAME         a fruit: apple, pear, pomegranate, quince\n"));
    assert_non_null(strstr(help, "  firma trace -- mpirun ./app   # an example\n"));
    assert_null(strstr(help, "secret"));
    arena_free(arena);
}

static char *read_file(Arena *arena, const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char text[16384];
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    unlink(path);
    return arena_strndup(arena, text, length);
}

static void manual_pages_escape_what_roff_would_take_as_its_own(void **state)
{
    Arena *arena = arena_new();
    char *folder = arena_strdup(arena, "/tmp/firma-verbs-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    Err err;
    assert_true(manual_write(&table, folder, arena, &err));
    const char *page = read_file(arena, arena_printf(arena, "%s/firma-trace.1", folder));
    assert_non_null(strstr(page, "\n\\&.dangerous for roff, and 25\\[u00D7](2 3).\n"));
    assert_non_null(strstr(page, "C:\\eout"));
    assert_non_null(strstr(page, "\\-o, \\-\\-output=DIR\n"));
    page = read_file(arena, arena_printf(arena, "%s/firma-cost.1", folder));
    assert_non_null(strstr(page, ".SH firma cost predict\n"));
    unlink(arena_printf(arena, "%s/firma-phases.1", folder));
    unlink(arena_printf(arena, "%s/firma.1", folder));
    assert_int_equal(rmdir(folder), 0);
    arena_free(arena);
}

static void completion_offers_the_words_that_an_option_takes(void **state)
{
    Arena *arena = arena_new();
    char *path = arena_strdup(arena, "/tmp/firma-verbs-test-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    Err err;
    assert_true(completion_write(&table, path, &err));
    const char *script = read_file(arena, path);
    assert_non_null(strstr(script, "'trace --mpi') names='openmpi mpich' ;;\n"));
    assert_non_null(strstr(script, "'trace --output' | 'trace -o') files='/' ;;\n"));
    assert_non_null(strstr(script, "'cost predict --output' | 'cost predict -o') files='/' ;;\n"));
    assert_non_null(strstr(script, "'cost') words='predict' ;;\n"));
    assert_non_null(strstr(script, "'phases') files='otf2' ;;\n"));
    arena_free(arena);
}

static void a_manual_that_cannot_be_written_is_an_error(void **state)
{
    Arena *arena = arena_new();
    Err err;
    assert_false(manual_write(&table, "/no/such/folder", arena, &err));
    assert_int_equal(err.kind, ERR_ENVIRONMENT);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slip_finds_the_verb_that_was_meant),
        cmocka_unit_test(another_word_finds_no_verb),
        cmocka_unit_test(hidden_options_are_not_listed_and_common_ones_are),
        cmocka_unit_test(a_word_is_taken_off_the_command_line_behind_common_options),
        cmocka_unit_test(help_of_a_verb_lists_its_words),
        cmocka_unit_test(help_shows_usage_options_and_examples),
        cmocka_unit_test(manual_pages_escape_what_roff_would_take_as_its_own),
        cmocka_unit_test(completion_offers_the_words_that_an_option_takes),
        cmocka_unit_test(a_manual_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
