/* SPDX-License-Identifier: BSD-3-Clause */
/* See lines.h. */
#include "trace/import/lines.h"

#include "base/files.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool lines_open(Lines *lines, const char *path, Err *err)
{
    struct stat status;
    *lines = (Lines){.path = path, .file = files_open_input(path, err)};
    if (lines->file && fstat(fileno(lines->file), &status) == 0)
        lines->file_bytes = (uint64_t)status.st_size;
    return lines->file != NULL;
}

void lines_close(Lines *lines)
{
    if (lines->file)
        fclose(lines->file);
    free(lines->line);
    *lines = (Lines){0};
}

bool lines_next(Lines *lines, bool *is_there, Err *err)
{
    ssize_t length = getline(&lines->line, &lines->capacity, lines->file);
    *is_there = length >= 0;
    if (length < 0)
        return !ferror(lines->file) ||
               err_set(err, ERR_ENVIRONMENT, "%s: cannot read: %s", lines->path, strerror(errno));
    lines->number++;
    lines->read_bytes += (uint64_t)length;
    if (strlen(lines->line) != (size_t)length)
        return lines_wrong(lines, err, "holds a zero byte");
    while (length > 0 && (lines->line[length - 1] == '\n' || lines->line[length - 1] == '\r'))
        lines->line[--length] = '\0';
    return true;
}

bool lines_wrong(const Lines *lines, Err *err, const char *format, ...)
{
    char what[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return err_set(err, ERR_INPUT, "%s: line %lu: %s", lines->path, (unsigned long)lines->number, what);
}

bool take_number(const char **at, uint64_t most, uint64_t *number)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    unsigned long long value = strtoull(*at, &end, 10);
    if (errno || value > most)
        return false;
    *at = end;
    *number = value;
    return true;
}
