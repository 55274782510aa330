/* SPDX-License-Identifier: BSD-3-Clause */
/* Signatures and phase times with bytes changed, cut and doubled at random: each must load, or be refused as bad input.
 * The random numbers are always the same. */
#include "base/files.h"
#include "predict/predict.h"
#include "unit/example_signature.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 4000, LARGEST = 1 << 16 };

static uint64_t random_state = 42;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % limit);
}

static size_t read_all(const char *path, char *text)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, LARGEST / 2, file);
    fclose(file);
    return length;
}

static size_t mutate(char *text, size_t length)
{
    static const char interesting[] = "0123456789-+.eE\"{}[],:<@>\\ntf\x80\xff";
    for (uint32_t change = 0; change <= random_below(4) && length > 1; change++) {
        size_t at = random_below((uint32_t)length);
        size_t some = 1 + random_below(40);
        switch (random_below(4)) {
        case 0:
            text[at] = (char)random_below(256);
            break;
        case 1:
            text[at] = interesting[random_below(sizeof interesting - 1)];
            break;
        case 2: /* cut */
            some = some < length - at ? some : length - at;
            memmove(text + at, text + at + some, length - at - some);
            length -= some;
            break;
        default: /* double */
            some = some < length - at ? some : length - at;
            if (length + some < LARGEST) {
                memmove(text + at + some, text + at, length - at);
                length += some;
            }
        }
    }
    return length;
}

static void write_all(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

static void changed_documents_load_or_are_refused(void **state)
{
    (void)state;
    char directory[] = "/tmp/firma-fuzz-XXXXXX", signature_path[64], times_path[64];
    assert_non_null(mkdtemp(directory));
    snprintf(signature_path, sizeof signature_path, "%s/s", directory);
    snprintf(times_path, sizeof times_path, "%s/t", directory);
    Err err = {0};
    Signature signature = example_signature();
    PhaseTimes times = example_times();
    assert_true(signature_save(&signature, signature_path, &err) && times_save(&times, times_path, &err));
    static char original[2][LARGEST], text[LARGEST];
    size_t lengths[2] = {read_all(signature_path, original[0]), read_all(times_path, original[1])};
    unsigned loaded = 0, refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int which = round % 2;
        memcpy(text, original[which], lengths[which]);
        write_all(which ? times_path : signature_path, text, mutate(text, lengths[which]));
        Arena *arena = arena_new();
        Signature *s = &signature;
        PhaseTimes *t = &times;
        bool ok = which ? times_load(times_path, arena, &t, &err) : signature_load(signature_path, arena, &s, &err);
        if (ok) {
            Prediction prediction;
            uint32_t ids[64];
            signature_expand(s, 64, ids);
            ok = predict_run_time(s, t, "process", arena, &prediction, &err);
        }
        if (!ok)
            assert_int_equal(err.kind, ERR_INPUT);
        loaded += ok;
        refused += !ok;
        arena_free(arena);
    }
    assert_true(loaded > 0 && refused > 0);
    assert_true(files_remove_tree(directory));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(changed_documents_load_or_are_refused)};
    return cmocka_run_group_tests_name("documents", tests, NULL, NULL);
}
