/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies files (copies.h). Holes stay holes: most of a segment of shared memory or of a recording
 * is a hole. */
#include "signature/checkpoint/copies.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE_BYTES = 1 << 18 };

static bool write_all(int out, const char *bytes, size_t count, off_t offset)
{
    while (count > 0) {
        ssize_t written = pwrite(out, bytes, count, offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written, offset += written, count -= (size_t)written;
    }
    return true;
}

static bool copy_range(int in, int out, off_t offset, off_t end)
{
    static char piece[PIECE_BYTES];
    while (offset < end) {
        size_t wanted = end - offset < PIECE_BYTES ? (size_t)(end - offset) : PIECE_BYTES;
        ssize_t got = pread(in, piece, wanted, offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0)
            break;
        if (!write_all(out, piece, (size_t)got, offset))
            return false;
        offset += got;
    }
    return true;
}

static bool copy_contents(int in, int out, off_t size_bytes)
{
    if (ioctl(out, FICLONE, in) == 0)
        return true;
    for (off_t offset = 0; offset < size_bytes;) {
        off_t data = lseek(in, offset, SEEK_DATA);
        if (data < 0 && errno == ENXIO)
            break; /* a hole up to the end */
        if (data < 0)
            data = offset; /* the file system doesn't report holes */
        off_t hole = lseek(in, data, SEEK_HOLE);
        offset = hole < 0 || hole > size_bytes ? size_bytes : hole;
        if (!copy_range(in, out, data, offset))
            return false;
    }
    return ftruncate(out, size_bytes) == 0;
}

static bool copy_file(const char *from, const char *to, mode_t mode, off_t *size_bytes)
{
    struct stat status;
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int out = in < 0 ? -1 : open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    bool ok = out >= 0 && fstat(in, &status) == 0 && copy_contents(in, out, status.st_size);
    int failure = errno;
    if (ok)
        *size_bytes = status.st_size;
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0 && ok) {
        failure = errno;
        ok = false;
    }
    errno = failure;
    return ok;
}

/* ---- Saving copies ---- */

static bool put_file_away(SavedFile *file, const char *path, const char *store, size_t number, Arena *arena, Err *err)
{
    off_t size_bytes = 0;
    file->stored = arena_printf(arena, "%zu", number);
    if (!copy_file(path, arena_printf(arena, "%s/%s", store, file->stored), 0600, &size_bytes))
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot be copied: %s", path, strerror(errno));
    file->size_bytes = (uint64_t)size_bytes;
    return true;
}

static bool put_entry_away(const char *path, const struct stat *status, const char *store, Arena *arena,
                           SavedFiles *files, Err *err)
{
    char link[PATH_MAX];
    SavedFile file = {.mode = status->st_mode, .user = status->st_uid, .group = status->st_gid};
    if (S_ISREG(status->st_mode) && !put_file_away(&file, path, store, files->count, arena, err))
        return false;
    if (S_ISLNK(status->st_mode)) {
        ssize_t length = readlink(path, link, sizeof link);
        file.link = arena_strndup(arena, link, length > 0 ? (size_t)length : 0);
    }
    if (!S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode) && !S_ISLNK(status->st_mode) &&
        !S_ISFIFO(status->st_mode))
        return true;
    file.path = arena_strdup(arena, path);
    *vec_push(files) = file;
    return true;
}

bool copies_put_away(const char *path, const char *store, Arena *arena, SavedFiles *files, Err *err)
{
    char *roots[] = {arena_strdup(arena, path), NULL};
    if (access(path, F_OK) != 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot be copied: %s", path, strerror(errno));
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    if (!tree)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    bool ok = true;
    for (FTSENT *entry; ok && (entry = fts_read(tree));) {
        if (entry->fts_info == FTS_DP || entry->fts_info == FTS_NS || entry->fts_info == FTS_DNR)
            continue;
        ok = put_entry_away(entry->fts_path, entry->fts_statp, store, arena, files, err);
        if (!ok && errno == ENOENT)
            ok = true;
    }
    fts_close(tree);
    return ok;
}

/* ---- Putting copies back ---- */

bool copies_is_below(const char *path, const char *root)
{
    size_t length = strlen(root);
    while (length > 1 && root[length - 1] == '/')
        length--;
    return strncmp(path, root, length) == 0 && (path[length] == '\0' || path[length] == '/' || root[length - 1] == '/');
}

bool copies_make_directory(const char *path)
{
    char part[PATH_MAX];
    if ((size_t)snprintf(part, sizeof part, "%s", path) >= sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return mkdir(part, 0700) == 0 || errno == EEXIST;
}

static bool make_parent(const char *path)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    char *slash = strrchr(parent, '/');
    if (!slash || slash == parent)
        return true;
    *slash = '\0';
    return copies_make_directory(parent);
}

static bool make_entry(const SavedFile *file, const char *store, const char *to)
{
    char from[PATH_MAX];
    off_t size_bytes;
    if (S_ISDIR(file->mode))
        return copies_make_directory(to);
    if (!make_parent(to))
        return false;
    if (S_ISLNK(file->mode))
        return symlink(file->link, to) == 0 || errno == EEXIST;
    if (S_ISFIFO(file->mode))
        return mkfifo(to, 0600) == 0 || errno == EEXIST;
    snprintf(from, sizeof from, "%s/%s", store, file->stored);
    return copy_file(from, to, 0600, &size_bytes);
}

/* Restores owner and permissions, because a back end may check them. Other users' files are
 * possible only as root. */
static bool dress(const SavedFile *file, const char *to)
{
    if (lchown(to, file->user, file->group) != 0 && errno != EPERM && errno != EINVAL)
        return false;
    return S_ISLNK(file->mode) || chmod(to, file->mode & 07777) == 0;
}

bool copies_put_back(const SavedFiles *files, const char *store, const char *path, const char *destination, Err *err)
{
    bool found = false;
    for (size_t i = 0; i < files->count; i++) {
        const SavedFile *file = &files->items[i];
        char to[PATH_MAX];
        if (!copies_is_below(file->path, path))
            continue;
        found = true;
        snprintf(to, sizeof to, "%s%s", destination, file->path + strlen(path));
        if (!make_entry(file, store, to) || !dress(file, to))
            return err_set(err, ERR_ENVIRONMENT, "%s: cannot write the copy of %s: %s", to, file->path,
                           strerror(errno));
    }
    return found || err_set(err, ERR_INPUT, "%s: wasn't saved with this state", path);
}

bool copies_hold(const SavedFiles *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++) {
        if (copies_is_below(files->items[i].path, path))
            return true;
    }
    return false;
}
