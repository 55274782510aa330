/* SPDX-License-Identifier: BSD-3-Clause */
/* See spill.h. */
#include "base/spill.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *directory(void)
{
    const char *named = getenv("TMPDIR");
    return named && *named ? named : "/tmp";
}

static bool fail(Err *err, const char *what)
{
    const char *reason = strerror(errno);
    return err_set(err, ERR_ENVIRONMENT, "%s: cannot %s a temporary file: %s", directory(), what, reason) ||
           err_hint(err, "set TMPDIR to a directory with enough space, or raise --memory");
}

static bool open_file(Spill *spill, Err *err)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/firma-XXXXXX", directory()) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return fail(err, "create");
    }
    int file = mkostemp(path, O_CLOEXEC);
    if (file < 0)
        return fail(err, "create");
    unlink(path);
    spill->file_plus_1 = file + 1;
    return true;
}

void spill_free(Spill *spill)
{
    if (spill->file_plus_1)
        close(spill->file_plus_1 - 1);
    *spill = (Spill){0};
}

bool spill_write(Spill *spill, const void *piece, size_t size_bytes, uint64_t *offset, Err *err)
{
    if (!spill->file_plus_1 && !open_file(spill, err))
        return false;
    for (size_t done = 0; done < size_bytes;) {
        ssize_t n = pwrite(spill->file_plus_1 - 1, (const char *)piece + done, size_bytes - done,
                           (off_t)(spill->end_bytes + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(err, "write");
        done += (size_t)n;
    }
    *offset = spill->end_bytes;
    spill->end_bytes += size_bytes;
    spill->kept_bytes += size_bytes;
    return true;
}

/* Frees the space of a piece that was read. Some file systems can't free parts of a file. There,
 * the file keeps its length until all pieces were read. */
static void free_space(Spill *spill, uint64_t offset, size_t size_bytes)
{
    int file = spill->file_plus_1 - 1;
    assert(spill->kept_bytes >= size_bytes);
    spill->kept_bytes -= size_bytes;
    if (!spill->kept_bytes && ftruncate(file, 0) == 0)
        spill->end_bytes = 0;
    else
        fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)size_bytes);
}

bool spill_read(Spill *spill, uint64_t offset, void *piece, size_t size_bytes, Err *err)
{
    assert(spill->file_plus_1 && offset + size_bytes <= spill->end_bytes);
    for (size_t done = 0; done < size_bytes;) {
        ssize_t n = pread(spill->file_plus_1 - 1, (char *)piece + done, size_bytes - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            errno = n ? errno : EIO;
            return fail(err, "read");
        }
        done += (size_t)n;
    }
    free_space(spill, offset, size_bytes);
    return true;
}
