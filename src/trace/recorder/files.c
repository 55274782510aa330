/* SPDX-License-Identifier: BSD-3-Clause */
/* Growing files: a full disk, a quota and RLIMIT_FSIZE (which would raise SIGXFSZ) are error codes. */
#include "trace/recorder/files.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define INTERRUPTIONS_LIMIT 1000

static int check_limit(uint64_t end)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && end > limit.rlim_cur)
        return EFBIG;
    return 0;
}

int file_allocate(int file, uint64_t offset, size_t size_bytes)
{
    int error = check_limit(offset + size_bytes);
    for (int i = 0; !error && i < INTERRUPTIONS_LIMIT; i++) {
        error = posix_fallocate(file, (off_t)offset, (off_t)size_bytes);
        if (error != EINTR)
            return error;
        error = 0;
    }
    return error ? error : EINTR;
}

static int write_all(int file, const char *content, size_t size_bytes)
{
    while (size_bytes) {
        const ssize_t written = write(file, content, size_bytes);
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0) {
            content += written;
            size_bytes -= (size_t)written;
        }
    }
    return 0;
}

int file_append(const char *path, const void *content, size_t size_bytes)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0)
        return errno;
    struct stat status;
    int error = fstat(file, &status) < 0 ? errno : check_limit((uint64_t)status.st_size + size_bytes);
    if (!error)
        error = write_all(file, content, size_bytes);
    close(file);
    return error;
}
