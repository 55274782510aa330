/* SPDX-License-Identifier: BSD-3-Clause */
/* See directory.h. */
#include "trace/launch/directory.h"

#include "base/files.h"
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
    bool is_new = mkdir(path, 0777) == 0;
    if (!is_new && errno != EEXIST) {
        err_set(err, ERR_ENVIRONMENT, "%s: can't make this directory: %s", path, strerror(errno));
        return errno == ENAMETOOLONG ? err_hint(err, "choose a shorter name with -o") : false;
    }
    char resolved[PATH_MAX];
    if (!realpath(path, resolved))
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    if (!is_new && !files_is_empty(resolved)) {
        if (!recording_check_unused(path, arena, err) || !recording_check_own(path, arena, err))
            return false;
        err_set(err, ERR_USAGE, "%s: holds the recording of an earlier run", path);
        return err_hint(err, "remove it, or name another directory");
    }
    *absolute = arena_strdup(arena, resolved);
    return true;
}

bool launch_make_control(const char *directory, const char host[256], Arena *arena, ControlFile **control, Err *err)
{
    const char *path = arena_printf(arena, "%s/control", directory);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST)
        return err_set(err, ERR_USAGE, "%s: another firma begins to record here", directory);
    if (file < 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    /* allocated, not only made long: writing to a mapped hole on a full disk would be SIGBUS */
    int code = posix_fallocate(file, 0, sizeof(ControlFile));
    void *mapped =
        code == 0 ? mmap(NULL, sizeof(ControlFile), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    code = code ? code : errno;
    close(file);
    if (mapped == MAP_FAILED)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(code));
    *control = mapped;
    (*control)->version = SEGMENT_VERSION;
    (*control)->owner_pid = getpid();
    memcpy((*control)->owner_host, host, sizeof(*control)->owner_host);
    __atomic_store_n(&(*control)->stop, 0, __ATOMIC_RELAXED);
    memcpy((*control)->magic, CONTROL_MAGIC, sizeof(*control)->magic);
    return true;
}
