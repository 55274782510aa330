/* SPDX-License-Identifier: BSD-3-Clause */
/* Set-up and tear-down of most tests: an arena, and a temporary folder. */
#pragma once

#include "base/files.h"
#include "test.h"

#include <stdlib.h>

static Arena *arena;
static char *folder;

static inline int fixture_begin(void **state)
{
    arena = arena_new();
    folder = arena_strdup(arena, "/tmp/firma-test-XXXXXX");
    *state = arena;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int fixture_end(void **state)
{
    bool ok = files_remove_tree(folder);
    arena_free(arena);
    return ok ? 0 : -1;
}

static inline char *in_folder(const char *name)
{
    return arena_printf(arena, "%s/%s", folder, name);
}

/* Writes a file in the folder, and returns its path. */
static inline const char *saved(const char *name, const char *text)
{
    Err err;
    const char *path = in_folder(name);
    if (!files_save_text(path, text, &err))
        fail_msg("%s", err.message);
    return path;
}

#define fixture_test(test) cmocka_unit_test_setup_teardown(test, fixture_begin, fixture_end)
