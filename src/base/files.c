/* SPDX-License-Identifier: BSD-3-Clause */
/* See files.h. All functions are thin layers over POSIX. */
#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_DIRECTORIES = 16, LINKS_FOLLOWED = 16 };

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

/* The path without links. The path of a missing file is resolved by its directory. */
static bool resolve(const char *path, int links_left, char resolved[PATH_MAX])
{
    char copy[PATH_MAX], directory[PATH_MAX], target[PATH_MAX];
    if (realpath(path, resolved))
        return true;
    if ((size_t)snprintf(copy, sizeof copy, "%s", path) >= sizeof copy || !realpath(dirname(copy), directory))
        return false;
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length > 0) { /* a link whose target doesn't exist yet */
        target[length] = '\0';
        return links_left > 0 &&
               snprintf(copy, sizeof copy, "%s%s%s", *target == '/' ? "" : directory, *target == '/' ? "" : "/",
                        target) < PATH_MAX &&
               resolve(copy, links_left - 1, resolved);
    }
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
    if (!resolve(path, LINKS_FOLLOWED, resolved) || !resolve(other, LINKS_FOLLOWED, resolved_other))
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

bool files_is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool files_is_executable(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

bool files_load_text(const char *path, Arena *arena, const char **text, Err *err)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = file ? getdelim(&line, &capacity, '\0', file) : -1;
    bool ok = file && !ferror(file) && (length >= 0 || feof(file));
    if (ok && length > 0 && line[length - 1] == '\0')
        ok = err_set(err, ERR_INPUT, "%s: not a text file: zero byte at offset %zd", path, length - 1);
    else if (ok)
        *text = length >= 0 ? arena_strndup(arena, line, (size_t)length) : "";
    else
        err_set(err, ERR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    if (file)
        fclose(file);
    free(line);
    return ok;
}

static bool write_text(FILE *file, const char *text, bool to_disk, int *failure)
{
    bool ok = fputs(text, file) >= 0 && fflush(file) == 0 && (!to_disk || fsync(fileno(file)) == 0);
    *failure = errno;
    if (fclose(file) != 0 && ok) {
        ok = false;
        *failure = errno;
    }
    return ok;
}

/* Writes a temporary file beside the old one, then renames it. So the file is complete at any
 * time. */
static bool replace_file(const char *path, const char *text, Err *err)
{
    char temporary[PATH_MAX];
    if ((size_t)snprintf(temporary, sizeof temporary, "%s.%d.part", path, (int)getpid()) >= sizeof temporary)
        return err_set(err, ERR_USAGE, "%s: the path is too long", path);
    FILE *file = fopen(temporary, "wb");
    int failure = errno;
    if (file && write_text(file, text, true, &failure)) {
        if (rename(temporary, path) == 0)
            return true;
        failure = errno;
    }
    if (file)
        unlink(temporary);
    return err_set(err, ERR_ENVIRONMENT, "%s: cannot write: %s", path, strerror(failure));
}

/* Writes to what can't be replaced: a device, a pipe, a link whose target doesn't exist yet. */
static bool write_into(const char *path, const char *text, Err *err)
{
    FILE *file = fopen(path, "wb");
    int failure = errno;
    return (file && write_text(file, text, false, &failure)) ||
           err_set(err, ERR_ENVIRONMENT, "%s: cannot write: %s", path, strerror(failure));
}

bool files_make_private(const char *path, Err *err)
{
    return chmod(path, 0600) == 0 ||
           err_set(err, ERR_ENVIRONMENT, "%s: cannot change its permissions: %s", path, strerror(errno));
}

bool files_save_text(const char *path, const char *text, Err *err)
{
    struct stat status;
    char target[PATH_MAX];
    bool is_there = stat(path, &status) == 0;
    bool is_dangling_link = !is_there && lstat(path, &status) == 0;
    bool replaceable = is_there ? S_ISREG(status.st_mode) && realpath(path, target) : !is_dangling_link;
    return replaceable ? replace_file(is_there ? target : path, text, err) : write_into(path, text, err);
}
