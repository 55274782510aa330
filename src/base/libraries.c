/* SPDX-License-Identifier: BSD-3-Clause */
/* See libraries.h. /proc/self/exe tells where firma's binary is. */
#include "base/libraries.h"

#include "config.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *libraries_own_directory(Arena *arena)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return ".";
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    *slash = '\0';
    return arena_strdup(arena, slash == path ? "/" : path);
}

/* `mode` is the mode of access(): R_OK or X_OK. */
static const char *find(const char *name, const char *build_folder, const char *installed_name,
                        const char *installed_directory, int mode, Arena *arena)
{
    const char *own = libraries_own_directory(arena), *chosen = getenv("FIRMA_LIBDIR");
    const char *const candidates[] = {
        chosen && *chosen ? arena_printf(arena, "%s/%s", chosen, name) : NULL,
        arena_printf(arena, "%s/../%s/%s", own, build_folder, name),
        arena_printf(arena, "%s/../%s/firma/%s", own, installed_name, name),
        arena_printf(arena, "%s/%s", installed_directory, name),
    };
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        char resolved[PATH_MAX];
        if (candidates[i] && access(candidates[i], mode) == 0 && realpath(candidates[i], resolved))
            return arena_strdup(arena, resolved);
    }
    return NULL;
}

const char *libraries_find(const char *name, const char *build_folder, Arena *arena)
{
    return find(name, build_folder, LIBDIR_NAME, RECORDER_DIRECTORY, R_OK, arena);
}

const char *libraries_find_program(const char *name, const char *build_folder, Arena *arena)
{
    return find(name, build_folder, LIBEXECDIR_NAME, PROGRAM_DIRECTORY, X_OK, arena);
}

const char *libraries_find_source(const char *name, const char *build_folder, Arena *arena)
{
    return find(name, build_folder, LIBEXECDIR_NAME, PROGRAM_DIRECTORY, R_OK, arena);
}
