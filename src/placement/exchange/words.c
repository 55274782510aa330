/* SPDX-License-Identifier: BSD-3-Clause */
/* See words.h. */
#include "placement/exchange/words.h"

#include "base/files.h"
#include "base/text.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_SHOWN = 40 };
#define BLANKS " \t\r\n"

bool words_open(const char *file, Arena *arena, Words *words, Err *err)
{
    const char *text;
    if (!files_load_text(file, arena, &text, err))
        return false;
    *words = (Words){file, text, 1};
    return true;
}

bool words_refuse(const Words *words, Err *err, const char *format, ...)
{
    va_list arguments;
    Text text = {0};
    Arena *arena = arena_new();
    va_start(arguments, format);
    text_add_list(&text, format, arguments);
    va_end(arguments);
    err_set(err, ERR_INPUT, "%s:%u: %s", words->file, words->line, text_as_line(text_take(&text, arena), arena));
    arena_free(arena);
    return false;
}

static void skip_blanks(Words *words)
{
    for (; *words->at && strchr(BLANKS, *words->at); words->at++)
        words->line += *words->at == '\n';
}

/* The length of the next word, which begins at words->at. */
static bool find_word(Words *words, const char *what, size_t *length, Err *err)
{
    skip_blanks(words);
    *length = strcspn(words->at, BLANKS);
    return *length || words_refuse(words, err, "the file ends where %s should follow", what);
}

bool words_next(Words *words, const char *what, Arena *arena, const char **word, Err *err)
{
    size_t length;
    if (!find_word(words, what, &length, err))
        return false;
    *word = arena_strndup(arena, words->at, length);
    words->at += length;
    return true;
}

static bool refuse_word(const Words *words, size_t length, const char *expected, Err *err)
{
    return words_refuse(words, err, "`%.*s`: expected %s", (int)(length < WORD_SHOWN ? length : WORD_SHOWN), words->at,
                        expected);
}

bool words_whole(Words *words, const char *what, int64_t least, int64_t most, int64_t *number, Err *err)
{
    size_t length;
    char *end, expected[160];
    if (!find_word(words, what, &length, err))
        return false;
    errno = 0;
    long long value = strtoll(words->at, &end, 10);
    snprintf(expected, sizeof expected, "%s, a whole number from %" PRId64 " to %" PRId64, what, least, most);
    if (end != words->at + length || errno || value < least || value > most)
        return refuse_word(words, length, expected, err);
    *number = value;
    words->at = end;
    return true;
}

bool words_real(Words *words, const char *what, double most, double *number, Err *err)
{
    size_t length;
    char *end, expected[160];
    if (!find_word(words, what, &length, err))
        return false;
    *number = text_number(words->at, &end);
    snprintf(expected, sizeof expected, "%s, a number from 0 to %g", what, most);
    if (end != words->at + length || !(*number >= 0 && *number <= most))
        return refuse_word(words, length, expected, err);
    words->at = end;
    return true;
}

bool words_line(Words *words, const char **line, size_t *length)
{
    if (!*words->at)
        return false;
    *line = words->at;
    *length = strcspn(words->at, "\n");
    words->at += *length;
    return true;
}

bool words_follow(const Words *words)
{
    return words->at[strspn(words->at, " \t\r")] != '\n' && words->at[strspn(words->at, " \t\r")];
}

bool words_end(Words *words, Err *err)
{
    skip_blanks(words);
    return !*words->at || refuse_word(words, strcspn(words->at, BLANKS), "the end of the file", err);
}
