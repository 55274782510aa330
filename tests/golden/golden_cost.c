/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in tests/golden/cost. X.expected holds what firma prints for X.pamela (as a model) and
 * X.pasl (as `firma cost check` shows it), or the error. FIRMA_GOLDEN is the folder. If
 * GOLDEN_WRITE is set, the test writes the expected texts anew. */
#include "base/files.h"
#include "cost/lang/pamela.h"
#include "test.h"
#include "verbs/cost/check_text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static bool show_model(const char *file, const char *text, Arena *arena, const char **shown, Err *err)
{
    PamelaModel *model;
    if (!pamela_parse(file, text, NULL, arena, &model, err))
        return false;
    *shown = pamela_text(model, arena);
    return true;
}

static bool show_flow(const char *file, const char *text, Arena *arena, const char **shown, Err *err)
{
    PaslApplication *application;
    if (!pasl_parse(file, text, arena, &application, err))
        return false;
    *shown = flow_text(application, false, arena);
    return true;
}

static unsigned check_all(const char *suffix,
                          bool (*show)(const char *file, const char *text, Arena *arena, const char **shown, Err *err))
{
    const char *folder = getenv("FIRMA_GOLDEN");
    DIR *directory = opendir(folder ? folder : ".");
    Arena *arena = arena_new();
    unsigned count = 0;
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        if (!files_has_suffix(entry->d_name, suffix))
            continue;
        const char *path = arena_printf(arena, "%s/%s", folder, entry->d_name), *text, *shown, *expected;
        const char *expected_path = arena_printf(arena, "%s.expected", path);
        Err err = {0};
        assert_true(files_load_text(path, arena, &text, &err));
        if (!show(entry->d_name, text, arena, &shown, &err))
            shown = arena_printf(arena, "%s\n", err.message);
        if (getenv("GOLDEN_WRITE"))
            assert_true(files_save_text(expected_path, shown, &err));
        assert_true(files_load_text(expected_path, arena, &expected, &err));
        if (strcmp(shown, expected) != 0)
            fail_msg("%s:\n%s", path, shown);
        count++;
    }
    closedir(directory);
    arena_free(arena);
    return count;
}

static void models_are_printed_as_expected(void **state)
{
    assert_true(check_all(".pamela", show_model) > 0);
}

static void flow_files_are_shown_as_expected(void **state)
{
    assert_true(check_all(".pasl", show_flow) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_are_printed_as_expected),
                                       cmocka_unit_test(flow_files_are_shown_as_expected)};
    return cmocka_run_group_tests_name("cost", tests, NULL, NULL);
}
