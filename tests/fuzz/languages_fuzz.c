/* SPDX-License-Identifier: BSD-3-Clause */
/* PAMELA models and PASL flow files with bytes changed, cut and doubled at random. Each must be
 * read, or be refused as bad input with its place. A model that was read is printed, and the
 * printed text must read as the same model. */
#include "cost/lang/pamela.h"
#include "cost/lang/pasl.h"
#include "fuzz/inputs.h"
#include "fuzz/mutation.h"
#include "test.h"

#include <string.h>

enum { ROUNDS = 20000, LARGEST = 4096 };

static const char interesting[] = "0123456789-+.*/^=(){}[],:;|#\"'\\ n\nipQ\x80\xff";

static const char pamela[] = "# a task\n"
                             "parameter n = 10^3\n"
                             "parameter Q_12 = 1/2 at \"pi.c:12\"\n"
                             "points(n, m) = {\n"
                             "  2 assign_double; m access_double[p];  // both\n"
                             "  seq (i = 1, n, 2) { sum_double; if (f(x, 'y') <= \"z\", Q_12) { a } else b }\n"
                             "  # last\n"
                             "}\n"
                             "main = par (j = 1, 10) { send[0, p](16*j); points[p](n, j); use(disk, 1e-3) ||\n"
                             "  delay(floor(n/2)) || { { c || d } } }\n";

static const char pasl[] = "application pi  # of points\n"
                           "parameter N = 10^9\n"
                           "parameter M\n"
                           "batch points {\n"
                           "  language c source \"pi.c\" options \"-O2\" entry count_points\n"
                           "  tasks 100\n"
                           "  argument n = N/tasks\n"
                           "  argument seed = task\n"
                           "  receives 16 bytes returns 8*M kB\n"
                           "  Q pi.c:12 = n/(n + 1)\n"
                           "  value iterations_30 = 12\n"
                           "}\n"
                           "batch sum { source Sum.java entry Sum.add(int,double) tasks 1 }\n"
                           "batch b { source pi.c entry f tasks M }\n"
                           "flow points -> sum, b\n"
                           "flow sum -> b\n";

static bool read_pamela(const char *text, Arena *arena, Err *err)
{
    PamelaModel *model, *again;
    if (!pamela_parse("fuzz", text, NULL, arena, &model, err))
        return false;
    const char *printed = pamela_text(model, arena);
    if (!pamela_parse("printed", printed, NULL, arena, &again, err))
        fail_msg("%s\n%s\n---\n%s", err->message, text, printed);
    if (strcmp(printed, pamela_text(again, arena)) != 0)
        fail_msg("%s\n---\n%s---\n%s", text, printed, pamela_text(again, arena));
    return true;
}

static bool read_pasl(const char *text, Arena *arena, Err *err)
{
    PaslApplication *application;
    if (!pasl_parse("fuzz", text, arena, &application, err))
        return false;
    for (size_t i = 0; i < application->n_batches; i++)
        for (size_t k = 0; k < application->batches[i].n_before; k++)
            assert_true(application->batches[i].before[k] < i);
    return true;
}

typedef bool Reader(const char *text, Arena *arena, Err *err);

/* Returns true if it was read, false if it was refused. */
static bool try_text(const char *name, Reader *read, const char *text)
{
    Arena *arena = arena_new();
    Err err = {0};
    fuzz_begin(name, text, strlen(text));
    bool ok = read(text, arena, &err);
    if (!ok) {
        assert_int_equal(err.kind, ERR_INPUT);
        assert_memory_equal(err.message, "fuzz:", 5);
    }
    arena_free(arena);
    return ok;
}

static void change(const char *name, const char *original, Reader *read)
{
    FuzzCorpus kept = fuzz_load_corpus(name);
    char text[LARGEST + 1];
    size_t n_read = 0, n = fuzz_inputs(2 * ROUNDS) / 2;
    for (size_t i = 0; i < kept.n; i++)
        try_text(name, read, kept.texts[i].bytes);
    for (size_t round = 0; round < n; round++) {
        const FuzzText *from = fuzz_choose(&kept, &(FuzzText){(char *)original, strlen(original)});
        memcpy(text, from->bytes, from->length);
        text[mutate(text, from->length, LARGEST, interesting, sizeof interesting - 1)] = '\0';
        n_read += try_text(name, read, text);
    }
    fuzz_begin("", NULL, 0);
    fuzz_free_corpus(&kept);
    assert_true(n_read > 0 && n_read < n);
    print_message("# %zu of %zu texts were read\n", n_read, n);
}

static void changed_models_are_read_or_refused(void **state)
{
    change("pamela", pamela, read_pamela);
}

static void changed_flow_files_are_read_or_refused(void **state)
{
    change("pasl", pasl, read_pasl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(changed_models_are_read_or_refused, fuzz_teardown),
        cmocka_unit_test_teardown(changed_flow_files_are_read_or_refused, fuzz_teardown)};
    return cmocka_run_group_tests_name("languages", tests, NULL, NULL);
}
