/* SPDX-License-Identifier: BSD-3-Clause */
/* See notice.h. Writes bytes that are allocated already, so a full disk does no harm. */
#include "trace/recorder/notice.h"

#include "trace/recorder/files.h"
#include "trace/segment.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_notice(const char *directory, size_t offset, int32_t value)
{
    char path[PATH_MAX], magic[sizeof((ControlFile){0}).magic];
    const int saved = errno;
    snprintf(path, sizeof path, "%s/control", directory);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0) {
        if (pread(file, magic, sizeof magic, 0) == sizeof magic && memcmp(magic, CONTROL_MAGIC, sizeof magic) == 0)
            file_write_at(file, offset, &value, sizeof value);
        close(file);
    }
    errno = saved;
}

void notice_failure(const char *directory, int error)
{
    write_notice(directory, offsetof(ControlFile, record_errno), error);
}

/* Launchers tell the processes that they start their ranks by environment variables. */
__attribute__((constructor)) static void notice_rank(void)
{
    static const char *const numbers[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    const char *directory = getenv(RECORD_DIRECTORY_VARIABLE);
    bool is_rank = false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        is_rank |= getenv(numbers[i]) != NULL;
    if (directory && *directory && is_rank)
        write_notice(directory, offsetof(ControlFile, ranks_began), 1);
}
