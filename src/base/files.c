/* SPDX-License-Identifier: BSD-3-Clause */
/* See files.h. */
#include "base/files.h"

#include <dirent.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_DIRECTORIES = 16 };

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status, (void)type, (void)place;
    return remove(path);
}

bool files_remove_tree(const char *path)
{
    return nftw(path, remove_entry, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) == 0;
}

bool files_has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0;
}

/* The path without links; of a file that isn't there yet, by its directory's. */
static bool resolve(const char *path, char resolved[PATH_MAX])
{
    char copy[PATH_MAX], directory[PATH_MAX];
    if (realpath(path, resolved))
        return true;
    if ((size_t)snprintf(copy, sizeof copy, "%s", path) >= sizeof copy || !realpath(dirname(copy), directory))
        return false;
    snprintf(copy, sizeof copy, "%s", path);
    return snprintf(resolved, PATH_MAX, "%s/%s", directory, basename(copy)) < PATH_MAX;
}

bool files_is_within(const char *path, const char *other)
{
    char resolved[PATH_MAX], resolved_other[PATH_MAX];
    struct stat status, other_status;
    if (stat(path, &status) == 0 && stat(other, &other_status) == 0 && status.st_dev == other_status.st_dev &&
        status.st_ino == other_status.st_ino)
        return true;
    if (!resolve(path, resolved) || !resolve(other, resolved_other))
        return false;
    size_t length = strlen(resolved_other);
    return strncmp(resolved, resolved_other, length) == 0 &&
           (resolved[length] == '\0' || resolved[length] == '/' || resolved_other[length - 1] == '/');
}

bool files_find_other(const char *directory, bool (*is_expected)(const char *name), char other[NAME_MAX + 1])
{
    DIR *stream = opendir(directory);
    bool found = false;
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || is_expected(name) ||
            (found && strcmp(name, other) >= 0))
            continue;
        found = true;
        snprintf(other, NAME_MAX + 1, "%s", name);
    }
    if (stream)
        closedir(stream);
    return found;
}

static bool nothing(const char *name)
{
    (void)name;
    return false;
}

bool files_is_empty(const char *directory)
{
    char other[NAME_MAX + 1];
    return !files_find_other(directory, nothing, other);
}

const char *files_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool files_exist(const char *path)
{
    return access(path, F_OK) == 0;
}
