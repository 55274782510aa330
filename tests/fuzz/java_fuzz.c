/* SPDX-License-Identifier: BSD-3-Clause */
/* Java sources with bytes changed, and with words replaced by other words, at random. Each must be
 * read, or be refused as bad input. Replacing words mostly gives valid Java. There are few rounds,
 * because each starts the JDK's compiler. The random numbers are always the same. TEST_SOURCES is
 * the folder of the sources. */
#include "base/files.h"
#include "cost/source/program/program.h"
#include "fuzz/inputs.h"
#include "fuzz/mutation.h"
#include "test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 2, SOAK_ROUNDS = 8, WORDS = 4, LARGEST = 1 << 16 };
static const char *const NAMES[] = {"Operators", "Statements", "Objects", "Strange"};
static const char interesting[] = "(){}[];,.:<>=+-*/\"'0aA@\xff";
static char folder[] = "/tmp/firma-java-fuzz-XXXXXX";

/* The word at or behind a place. *length is 0 if there is none. */
static const char *word_after(const char *text, size_t at, size_t *length)
{
    const char *word = text + at;
    while (*word && !isalpha((unsigned char)*word))
        word++;
    for (*length = 0; isalnum((unsigned char)word[*length]) || word[*length] == '_';)
        ++*length;
    return word;
}

static void exchange_words(char *text)
{
    char other[LARGEST];
    for (size_t i = 0, n = 1 + random_below(WORDS); i < n; i++) {
        size_t size = strlen(text), from_length, to_length;
        const char *from = word_after(text, random_below((uint32_t)size), &from_length),
                   *to = word_after(text, random_below((uint32_t)size), &to_length);
        if (size + from_length + 1 > LARGEST)
            return;
        snprintf(other, sizeof other, "%.*s%.*s%s", (int)(to - text), text, (int)from_length, from, to + to_length);
        strcpy(text, other);
    }
}

static void read_it(const char *text)
{
    Arena *arena = arena_new();
    SourceProgram *program;
    Err err = {0};
    const char *path = arena_printf(arena, "%s/Fuzzed.java", folder);
    SourceOptions options = {.file = path, .options = ""};
    assert_true(files_save_text(path, text, &err));
    fuzz_begin("java", text, strlen(text));
    if (!source_read_java(&options, arena, &program, &err))
        assert_int_equal(err.kind, ERR_INPUT);
    arena_free(arena);
}

static void load(const char *name, char *text)
{
    Arena *arena = arena_new();
    const char *loaded;
    Err err = {0};
    if (!files_load_text(arena_printf(arena, "%s/%s.java", getenv("TEST_SOURCES"), name), arena, &loaded, &err))
        fail_msg("%s", err.message);
    assert_true(strlen(loaded) < LARGEST / 2);
    strcpy(text, loaded);
    arena_free(arena);
}

/* The number of inputs of each test. */
static size_t rounds(void)
{
    return fuzz_inputs(2 * (getenv("FIRMA_SOAK") ? SOAK_ROUNDS : ROUNDS)) / 2;
}

static void survives_words_in_the_place_of_others(void **state)
{
    char text[LARGEST];
    for (size_t i = 0, n = rounds(); i < n; i++) {
        load(NAMES[i % (sizeof NAMES / sizeof *NAMES)], text);
        exchange_words(text);
        read_it(text);
    }
    fuzz_begin("", NULL, 0);
}

static void survives_changed_bytes(void **state)
{
    char text[LARGEST];
    for (size_t i = 0, n = rounds(); i < n; i++) {
        load(NAMES[(i + ROUNDS) % (sizeof NAMES / sizeof *NAMES)], text);
        text[mutate(text, strlen(text), LARGEST - 1, interesting, sizeof interesting - 1)] = '\0';
        read_it(text);
    }
    fuzz_begin("", NULL, 0);
}

static void survives_kept_inputs(void **state)
{
    FuzzCorpus kept = fuzz_load_corpus("java");
    for (size_t i = 0; i < kept.n; i++)
        read_it(kept.texts[i].bytes);
    fuzz_begin("", NULL, 0);
    fuzz_free_corpus(&kept);
}

static int remove_folder(void **state)
{
    return files_remove_tree(folder) ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(survives_kept_inputs, fuzz_teardown),
        cmocka_unit_test_teardown(survives_words_in_the_place_of_others, fuzz_teardown),
        cmocka_unit_test_teardown(survives_changed_bytes, fuzz_teardown),
    };
    return mkdtemp(folder) ? cmocka_run_group_tests(tests, NULL, remove_folder) : 1;
}
