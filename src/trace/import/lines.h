/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a text file line by line, and knows the place for error messages. Private to
 * trace/import. */
#pragma once

#include "base/err.h"
#include <stdint.h>
#include <stdio.h>

typedef struct Lines {
    const char *path;
    FILE *file;
    char *line; /* the current line, without its end */
    size_t capacity;
    uint64_t number; /* of the current line, from 1 */
    uint64_t read_bytes, file_bytes;
} Lines;

/* `path` must stay valid. */
bool lines_open(Lines *lines, const char *path, Err *err);
void lines_close(Lines *lines);

/* Reads the next line. *is_there is false at the file's end. ERR_INPUT: the line holds a zero
 * byte. */
bool lines_next(Lines *lines, bool *is_there, Err *err);

/* Sets ERR_INPUT: "PATH: line N: …". Returns false. */
bool lines_wrong(const Lines *lines, Err *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Reads a whole number at *at, and moves *at behind it. False: there is none, or it is larger than
 * `most`. */
bool take_number(const char **at, uint64_t most, uint64_t *number);
