/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices, and Scotch's graphs, mappings and targets, with bytes changed, cut and doubled at
 * random. Each must be read, or be refused as bad input by the file's name. A graph that was read is
 * written, and what was written must be readable. */
#include "base/files.h"
#include "fuzz/inputs.h"
#include "fuzz/mutation.h"
#include "placement/exchange/exchange.h"
#include "test.h"

#include <string.h>
#include <unistd.h>

enum { ROUNDS = 1500, LARGEST = 1024, N_TASKS = 3, N_PROCESSORS = 4 };

static const char interesting[] = "0123456789-+.eE,;\t\" \n\r%nabxi\xff";

static char folder[] = "/tmp/firma-exchange-fuzz-XXXXXX";

static bool read_graph(const char *path, Arena *arena, Err *err)
{
    const Ttig *ttig, *again;
    const char *notes;
    if (!exchange_read_graph(path, arena, &ttig, &notes, err))
        return false;
    const char *written = arena_printf(arena, "%s/again%s", folder, strrchr(path, '.'));
    if (!exchange_write_graph(ttig, written, arena, &notes, err) ||
        !exchange_read_graph(written, arena, &again, &notes, err))
        fail_msg("%s", err->message);
    assert_int_equal(again->n_nodes, ttig->n_nodes);
    return true;
}

static bool read_mapping(const char *path, Arena *arena, Err *err)
{
    uint32_t processors[N_TASKS];
    (void)arena;
    if (!exchange_read_mapping(path, N_TASKS, N_PROCESSORS, processors, err))
        return false;
    for (int i = 0; i < N_TASKS; i++)
        assert_true(processors[i] < N_PROCESSORS);
    return true;
}

static bool read_target(const char *path, Arena *arena, Err *err)
{
    const char *shape;
    return exchange_read_target(path, arena, &shape, err);
}

static const struct {
    const char *name, *text;
    bool (*read)(const char *path, Arena *arena, Err *err);
} kinds[] = {
    {"plain.csv", "0,50,7\n40,0,0\n9,1e3,0\n", read_graph},
    {"names.csv", "x;a;\"b \"\"c\"\n\na;0;2\n\"b \"\"c\";3;0\r\n", read_graph},
    {"sparse.mtx", "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 3\n2 1 50\n3 1 7.5\n3 3 1\n", read_graph},
    {"dense.mtx", "%%MatrixMarket matrix array integer general\n2 2\n0\n1\n2\n0\n", read_graph},
    {"weights.grf", "0\n3 4\n0 011\n98 2 90 1 16 2\n11 1 90 0\n12 1 16 0\n", read_graph},
    {"labels.grf", "0\n2 2\n1 100\n7 1 5\n5 1 7\n", read_graph},
    {"scotch.map", "3\n0\t3\n1\t0\n2\t2\n", read_mapping},
    {"scotch.tgt", "tleaf\n2 4 44 2 1\n", read_target},
};

/* Returns true if it was read, false if it was refused. */
static bool try_text(size_t kind, const char *text, size_t length)
{
    Arena *arena = arena_new();
    Err err = {0};
    const char *path = arena_printf(arena, "%s/%s", folder, kinds[kind].name);
    fuzz_begin(kinds[kind].name, text, length);
    assert_true(overwrite(path, text, length));
    bool ok = kinds[kind].read(path, arena, &err);
    if (!ok) {
        assert_int_equal(err.kind, ERR_INPUT);
        assert_memory_equal(err.message, path, strlen(path));
    }
    arena_free(arena);
    return ok;
}

static void changed_files_are_read_or_refused(void **state)
{
    size_t n_kinds = sizeof kinds / sizeof *kinds, n = fuzz_inputs(n_kinds * ROUNDS) / n_kinds;
    for (size_t kind = 0; kind < n_kinds; kind++) {
        size_t n_read = 0, length = strlen(kinds[kind].text);
        char text[LARGEST + 1];
        assert_true(try_text(kind, kinds[kind].text, length));
        for (size_t round = 0; round < n; round++) {
            memcpy(text, kinds[kind].text, length);
            size_t changed = mutate(text, length, LARGEST, interesting, sizeof interesting - 1);
            text[changed] = '\0';
            n_read += try_text(kind, text, changed);
        }
        fuzz_begin("", NULL, 0);
        assert_true(n_read > 0 && n_read < n);
        print_message("# %s: %zu of %zu texts were read\n", kinds[kind].name, n_read, n);
    }
}

static int remove_folder(void **state)
{
    return files_remove_tree(folder) ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(changed_files_are_read_or_refused, fuzz_teardown)};
    return mkdtemp(folder) ? cmocka_run_group_tests_name("exchange", tests, NULL, remove_folder) : 1;
}
