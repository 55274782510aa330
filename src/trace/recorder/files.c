/* SPDX-License-Identifier: BSD-3-Clause */
/* See files.h. A full disk, a quota and RLIMIT_FSIZE give error codes. (Writing beyond RLIMIT_FSIZE
 * would raise SIGXFSZ.) */
#include "trace/recorder/files.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
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

int file_write_at(int file, uint64_t offset, const void *content, size_t size_bytes)
{
    const int error = check_limit(offset + size_bytes);
    for (size_t written = 0; !error && written < size_bytes;) {
        const ssize_t n =
            pwrite(file, (const char *)content + written, size_bytes - written, (off_t)(offset + written));
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0)
            written += (size_t)n;
    }
    return error;
}

int file_put(const char *path, uint64_t offset, const void *content, size_t size_bytes)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return errno;
    const int error = file_write_at(file, offset, content, size_bytes);
    close(file);
    return error;
}
