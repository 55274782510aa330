/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads files of words between blanks, such as Scotch's. Errors name file and line. Private to the
 * folder. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct Words {
    const char *file, *at;
    uint32_t line; /* of the latest word */
} Words;

/* Reads the file. `words` begins at its first word. */
bool words_open(const char *file, Arena *arena, Words *words, Err *err);

/* Sets ERR_INPUT with file and line. Returns false. */
bool words_refuse(const Words *words, Err *err, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The next word, in the arena. ERR_INPUT: the file ends; `what` was expected. */
bool words_next(Words *words, const char *what, Arena *arena, const char **word, Err *err);

/* A whole number between both bounds. */
bool words_whole(Words *words, const char *what, int64_t least, int64_t most, int64_t *number, Err *err);

/* A number from 0 to `most`. */
bool words_real(Words *words, const char *what, double most, double *number, Err *err);

/* The rest of the line, which then is read. False: the file has ended. */
bool words_line(Words *words, const char **line, size_t *length);

/* True if a word follows in the current line. */
bool words_follow(const Words *words);

/* ERR_INPUT: a word follows. */
bool words_end(Words *words, Err *err);
