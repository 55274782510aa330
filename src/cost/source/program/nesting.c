/* SPDX-License-Identifier: BSD-3-Clause */
/* See nesting.h. Counts brackets in one pass over the text, outside comments and quotes. This is
 * the same for C and Java. */
#include "cost/source/program/nesting.h"

#include "base/files.h"
#include <string.h>

enum { NESTING_LIMIT = 1000 };

/* The text behind a comment or a quoted text that begins here; `at` itself if neither begins. A
 * quoted text ends with its line at the latest. */
static const char *skip_inert(const char *at)
{
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '"' && *at != '\'')
        return at;
    const char *end = at + 1;
    while (*end && *end != '\n' && *end != *at)
        end += end[0] == '\\' && end[1] && end[1] != '\n' ? 2 : 1;
    return *end == *at ? end + 1 : end;
}

static unsigned line_of(const char *text, const char *at)
{
    unsigned line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

static bool check_text(const char *file, const char *text, Err *err)
{
    unsigned depth = 0, prefixes = 0;
    for (const char *at = text; *at; at++) {
        for (const char *behind; (behind = skip_inert(at)) != at; at = behind)
            prefixes = *at == '/' ? prefixes : 0; /* an operator behind a quoted text stands between operands */
        if (!*at)
            break;
        bool is_operator = strchr("-+!~*&", *at) != NULL;
        prefixes = is_operator ? prefixes + 1 : strchr(" \t\r\n", *at) ? prefixes : 0;
        if (strchr("([{", *at))
            depth++;
        else if (strchr(")]}", *at))
            depth -= depth > 0;
        if (depth > NESTING_LIMIT || prefixes > NESTING_LIMIT)
            return err_set(err, ERR_INPUT, "%s:%u: %s are nested more than %d deep", file, line_of(text, at),
                           depth > NESTING_LIMIT ? "brackets" : "operators", NESTING_LIMIT);
    }
    return true;
}

bool nesting_check(const char *file, Err *err)
{
    Arena *arena = arena_new();
    const char *text;
    bool fine = files_load_text(file, arena, &text, err) && check_text(file, text, err);
    arena_free(arena);
    return fine;
}
