/* SPDX-License-Identifier: BSD-3-Clause */
/* See directory.h. */
#include "trace/launch/directory.h"

#include "base/files.h"
#include "base/owner.h"
#include "trace/ownership.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool launch_make_directory(const char *path, Arena *arena, const char **absolute, Err *err)
{
    bool is_new = mkdir(path, 0700) == 0;
    if (!is_new && errno != EEXIST) {
        err_set(err, ERR_ENVIRONMENT, "%s: cannot create this directory: %s", path, strerror(errno));
        return errno == ENAMETOOLONG ? err_hint(err, "choose a shorter name with -o") : false;
    }
    char resolved[PATH_MAX];
    if (!realpath(path, resolved))
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    if (!is_new)
        recording_remove_remains(resolved, arena);
    if (!is_new && !files_is_empty(resolved)) {
        if (!recording_check_unused(path, arena, err) || !recording_check_own(path, arena, err))
            return false;
        err_set(err, ERR_USAGE, "%s: this directory holds the recording of an earlier run", path);
        return err_hint(err, "remove this directory, or choose another one");
    }
    *absolute = arena_strdup(arena, resolved);
    return true;
}

void *launch_map_new_file(const char *path, size_t size_bytes)
{
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return NULL;
    /* allocated, because writing to a mapped hole on a full disk raises SIGBUS */
    int code = posix_fallocate(file, 0, (off_t)size_bytes);
    void *mapped = code == 0 ? mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    code = code ? code : errno;
    close(file);
    if (mapped == MAP_FAILED)
        unlink(path);
    errno = code;
    return mapped == MAP_FAILED ? NULL : mapped;
}

void *launch_map_file(const char *path, size_t least_bytes, size_t *size_bytes)
{
    struct stat info;
    void *mapped = MAP_FAILED;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (fstat(file, &info) == 0) {
        *size_bytes = (size_t)info.st_size;
        errno = ENODATA;
        if (*size_bytes >= least_bytes)
            mapped = mmap(NULL, *size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    int code = errno;
    close(file);
    errno = code;
    return mapped == MAP_FAILED ? NULL : mapped;
}

void launch_own_control(ControlFile *control, const char host[256])
{
    const Owner self = owner_self();
    control->owner_pid = self.pid;
    control->owner_start_ticks = self.start_ticks;
    control->owner_pid_namespace = self.pid_namespace;
    memcpy(control->owner_host, host, sizeof control->owner_host);
}

/* Gives the file its final name, unless another firma was first. Some file systems have no hard
 * links. */
static bool put_in_place(const char *part, const char *path)
{
    bool placed = link(part, path) == 0;
    if (!placed && errno != EEXIST)
        return rename(part, path) == 0;
    int failure = errno;
    unlink(part);
    errno = failure;
    return placed;
}

bool launch_make_control(const char *directory, const char host[256], Arena *arena, ControlFile **control, Err *err)
{
    const char *path = arena_printf(arena, "%s/control", directory);
    const char *part = arena_printf(arena, "%s.%s" OWNER_PART, path, owner_name(arena));
    ControlFile *made = launch_map_new_file(part, sizeof *made);
    if (!made)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    made->version = SEGMENT_VERSION;
    launch_own_control(made, host);
    memcpy(made->magic, CONTROL_MAGIC, sizeof made->magic);
    if (!put_in_place(part, path)) {
        int failure = errno;
        munmap(made, sizeof *made);
        unlink(part);
        return failure == EEXIST ? err_set(err, ERR_USAGE, "%s: another firma is beginning to record here", directory)
                                 : err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(failure));
    }
    *control = made;
    return true;
}
