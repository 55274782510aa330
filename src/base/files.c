/* SPDX-License-Identifier: BSD-3-Clause */
/* See files.h. All functions are thin layers over POSIX. */
#include "base/files.h"

#include "base/leftovers.h"
#include "base/owner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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
    if ((size_t)snprintf(copy, sizeof copy, "%s", path) >= sizeof copy) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (!realpath(dirname(copy), directory))
        return false;
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length > 0) { /* a link whose target doesn't exist yet */
        target[length] = '\0';
        errno = ELOOP;
        return links_left > 0 &&
               snprintf(copy, sizeof copy, "%s%s%s", *target == '/' ? "" : directory, *target == '/' ? "" : "/",
                        target) < PATH_MAX &&
               resolve(copy, links_left - 1, resolved);
    }
    snprintf(copy, sizeof copy, "%s", path);
    errno = ENAMETOOLONG;
    return snprintf(resolved, PATH_MAX, "%s/%s", directory, basename(copy)) < PATH_MAX;
}

bool files_resolve(const char *path, char resolved[PATH_MAX])
{
    return resolve(path, LINKS_FOLLOWED, resolved);
}

bool files_is_within(const char *path, const char *other)
{
    char resolved[PATH_MAX], resolved_other[PATH_MAX];
    struct stat status, other_status;
    if (stat(path, &status) == 0 && stat(other, &other_status) == 0 && status.st_dev == other_status.st_dev &&
        status.st_ino == other_status.st_ino)
        return true;
    if (!files_resolve(path, resolved) || !files_resolve(other, resolved_other))
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

static bool expects_nothing(const char *name)
{
    (void)name;
    return false;
}

bool files_is_empty(const char *directory)
{
    char other[NAME_MAX + 1];
    return !files_find_other(directory, expects_nothing, other);
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

static FILE *refuse_input(const char *path, int failure, Err *err)
{
    struct stat status;
    if (failure == ENXIO && stat(path, &status) == 0 && S_ISSOCK(status.st_mode)) {
        err_set(err, ERR_INPUT, "%s: not a regular file, but a socket", path);
        return NULL;
    }
    bool is_wrong = failure == ENOENT || failure == ENOTDIR || failure == ELOOP || failure == ENAMETOOLONG;
    err_set(err, is_wrong ? ERR_INPUT : ERR_ENVIRONMENT, "%s: %s", path, strerror(failure));
    return NULL;
}

FILE *files_open_input(const char *path, Err *err)
{
    struct stat status;
    bool is_open_already = files_descriptor_of(path) >= 0;
    /* without O_NONBLOCK, opening a named pipe waits for a writer */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (is_open_already ? 0 : O_NONBLOCK));
    if (descriptor < 0)
        return refuse_input(path, errno, err);
    if (fstat(descriptor, &status) != 0) {
        int failure = errno;
        close(descriptor);
        return refuse_input(path, failure, err);
    }
    if (S_ISDIR(status.st_mode)) {
        close(descriptor);
        err_set(err, ERR_INPUT, "%s: is a directory; expected a file", path);
        return NULL;
    }
    bool is_pipe = is_open_already && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
    if (!S_ISREG(status.st_mode) && !is_pipe) {
        close(descriptor);
        err_set(err, ERR_INPUT, "%s: not a regular file, but a %s", path,
                S_ISFIFO(status.st_mode) ? "named pipe" : "device");
        err_hint(err, "save its content to a file first");
        return NULL;
    }
    FILE *file = fdopen(descriptor, "rb");
    return file ? file : refuse_input(path, errno, err);
}

const char *files_kind(const char *path)
{
    static const struct {
        const char *beginning, *kind;
    } kinds[] = {{"\x7f"
                  "ELF",
                  "a program or library (ELF)"},
                 {"#!", "a script"},
                 {"\x1f\x8b", "a file that gzip packed"},
                 {"PK\x03\x04", "a file that zip packed"},
                 {"%PDF", "a PDF file"},
                 {"\x89PNG", "a PNG picture"},
                 {"<svg", "an SVG picture"},
                 {"<?xml", "an XML file"}};
    char bytes[8] = "";
    FILE *file = files_is_device(path) ? NULL : fopen(path, "rb");
    size_t n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].beginning);
        if (n >= length && memcmp(bytes, kinds[i].beginning, length) == 0)
            return kinds[i].kind;
    }
    return NULL;
}

bool files_check_input(const char *path, Err *err)
{
    FILE *file = files_open_input(path, err);
    if (file)
        fclose(file);
    return file;
}

bool files_load_text(const char *path, Arena *arena, const char **text, Err *err)
{
    FILE *file = files_open_input(path, err);
    if (!file)
        return false;
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length = getdelim(&line, &capacity, '\0', file);
    bool ok = !ferror(file) && (length >= 0 || feof(file));
    if (ok && length > 0 && line[length - 1] == '\0')
        ok = err_set(err, ERR_INPUT, "%s: not a text file: zero byte at offset %zd", path, length - 1);
    else if (ok)
        *text = length >= 0 ? arena_strndup(arena, line, (size_t)length) : "";
    else
        err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
    fclose(file);
    free(line);
    return ok;
}

static bool keeps_private;
static mode_t user_umask;

void files_keep_private(void)
{
    mode_t former = umask(077);
    if (!keeps_private)
        user_umask = former;
    keeps_private = true;
}

mode_t files_user_umask(void)
{
    if (!keeps_private) {
        user_umask = umask(077);
        umask(user_umask);
    }
    return user_umask;
}

bool files_make_directory(const char *path, bool is_private)
{
    if (mkdir(path, 0700) != 0)
        return false;
    if (!is_private)
        chmod(path, 0777 & ~files_user_umask()); /* some file systems have no modes */
    return true;
}

bool files_make_private(const char *path, Err *err)
{
    return chmod(path, 0600) == 0 ||
           err_set(err, ERR_ENVIRONMENT, "%s: cannot change its permissions: %s", path, strerror(errno));
}

/* ---- saving ---- */

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

static bool refuse(const char *path, int failure, Err *err)
{
    return err_set(err, ERR_ENVIRONMENT, "%s: cannot write: %s", path, strerror(failure));
}

#define NAMES_TRIED 100

/* The destination of a text. */
typedef struct Saving {
    char target[PATH_MAX];    /* the file without links */
    char temporary[PATH_MAX]; /* beside it; "": firma writes into the device, pipe or open file itself */
} Saving;

int files_descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdin") == 0)
        return STDIN_FILENO;
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *end;
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) != 0 || path[length] < '0' || path[length] > '9')
            continue;
        unsigned long number = strtoul(path + length, &end, 10);
        return *end || number > INT_MAX ? -1 : (int)number;
    }
    return -1;
}

bool files_is_device(const char *path)
{
    struct stat status;
    return files_descriptor_of(path) >= 0 ||
           (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

static FILE *open_beside(const char *temporary, const FileText *file, const struct stat *former, int *failure)
{
    FILE *stream = fopen(temporary, "wbx");
    mode_t mode = file->is_program ? 0755 : former ? former->st_mode & 07777 : 0666 & ~files_user_umask();
    bool is_needed = file->is_program || former;
    *failure = errno;
    /* Some file systems have no modes, so a mode that nobody asked for may fail. */
    if (stream && (is_needed || !file->is_private) && fchmod(fileno(stream), mode) != 0 && is_needed) {
        *failure = errno;
        fclose(stream);
        unlink(temporary);
        return NULL;
    }
    return stream;
}

/* If the name exists, the file or link stays as it is, because its owner may be a process
 * elsewhere. */
static FILE *open_new_beside(Saving *saving, const FileText *file, const struct stat *former, int *failure)
{
    FILE *stream = NULL;
    Arena *scratch = arena_new();
    const char *owner = owner_name(scratch);
    *failure = EEXIST;
    owner_remove_parts(saving->target);
    for (int i = 0; !stream && *failure == EEXIST && i < NAMES_TRIED; i++) {
        if (snprintf(saving->temporary, PATH_MAX, i ? "%s.%s-%d" OWNER_PART : "%s.%s" OWNER_PART, saving->target, owner,
                     i) >= PATH_MAX) {
            *failure = ENAMETOOLONG;
            break;
        }
        leftovers_note(saving->temporary);
        stream = open_beside(saving->temporary, file, former, failure);
    }
    arena_free(scratch);
    if (!stream)
        *saving->temporary = '\0';
    return stream;
}

static bool write_beside(const FileText *file, Saving *saving, Err *err)
{
    struct stat former;
    bool is_there = stat(file->path, &former) == 0;
    int failure;
    *saving->temporary = '\0';
    if (files_is_device(file->path))
        return true;
    if (!files_resolve(file->path, saving->target))
        return refuse(file->path, errno, err);
    FILE *stream = open_new_beside(saving, file, is_there ? &former : NULL, &failure);
    if (stream && write_text(stream, file->text, true, &failure))
        return true;
    if (stream)
        unlink(saving->temporary);
    *saving->temporary = '\0';
    return refuse(file->path, failure, err);
}

/* Opens a path for writing. Output to standard output continues behind firma's earlier output. */
static FILE *open_into(const char *path)
{
    int descriptor = files_descriptor_of(path), copy;
    if (descriptor < 0)
        return fopen(path, "wb");
    fflush(stdout);
    copy = dup(descriptor);
    return copy < 0 ? NULL : fdopen(copy, "wb");
}

static bool put_in_place(const FileText *file, Saving *saving, Err *err)
{
    if (!*saving->temporary) {
        FILE *stream = open_into(file->path);
        int failure = errno;
        return (stream && write_text(stream, file->text, false, &failure)) || refuse(file->path, failure, err);
    }
    if (rename(saving->temporary, saving->target) != 0)
        return refuse(file->path, errno, err);
    *saving->temporary = '\0';
    return true;
}

bool files_save_texts(const FileText *files, size_t n, Err *err)
{
    Saving *savings = memory_zeroed(n, sizeof *savings);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = write_beside(&files[i], &savings[i], err);
    for (size_t i = 0; ok && i < n; i++)
        ok = put_in_place(&files[i], &savings[i], err);
    for (size_t i = 0; i < n; i++)
        if (*savings[i].temporary)
            unlink(savings[i].temporary);
    free(savings);
    return ok;
}

bool files_save_text(const char *path, const char *text, Err *err)
{
    return files_save_texts(&(FileText){.path = path, .text = text}, 1, err);
}
