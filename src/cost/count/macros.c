/* SPDX-License-Identifier: BSD-3-Clause */
/* See macros.h. */
#include "cost/count/macros.h"

#include <ctype.h>

/* From behind the macro's name in its only definition; SIZE_MAX: there is none, or several. */
static size_t find_definition(const WrittenFile *file, const char *name, size_t length)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < file->lines.count; i++) {
        const char *at = file->text + file->lines.items[i];
        at += strspn(at, " \t");
        if (*at++ != '#')
            continue;
        at += strspn(at, " \t");
        if (strncmp(at, "define", 6) != 0)
            continue;
        at += 6 + strspn(at + 6, " \t");
        if (strncmp(at, name, length) != 0 || at[length] != '(')
            continue;
        if (found != SIZE_MAX)
            return SIZE_MAX;
        found = (size_t)(at - file->text) + length;
    }
    return found;
}

/* The end of a definition: of its line, or of the last of those that a backslash joins. */
static size_t end_of(const WrittenFile *file, size_t at)
{
    while (file->text[at] && (file->text[at] != '\n' || file->text[at - 1] == '\\'))
        at++;
    return at;
}

/* Where the condition before a `?` begins: behind the bracket around it. SIZE_MAX: other operators of low precedence, or
 * literals, are there, too. */
static size_t begin_of(const WrittenFile *file, size_t from, size_t question)
{
    unsigned depth = 0;
    for (size_t at = question; at-- > from;) {
        const char c = file->text[at];
        if (strchr(")]}", c))
            depth++;
        else if (strchr("([{", c) && !depth--)
            return at + 1;
        else if (strchr("\"'#/\\", c) || (!depth && strchr(",?:;", c)))
            return SIZE_MAX;
        else if (!depth && c == '=' && file->text[at + 1] != '=' && !strchr("=<>!", file->text[at - 1]))
            return SIZE_MAX;
    }
    return SIZE_MAX;
}

/* The body must be one expression in brackets, and each of its conditions must be found. */
static bool find_conditions(const WrittenFile *file, size_t definition, MacroConditions *conditions)
{
    const size_t end = end_of(file, definition), parameters = written_close(file, definition);
    size_t from = parameters;
    while (from < end && isspace((unsigned char)file->text[from]))
        from++;
    size_t close = from < end && file->text[from] == '(' ? written_close(file, from) : SIZE_MAX;
    if (close > end)
        return false;
    for (size_t at = close; at < end; at++)
        if (!isspace((unsigned char)file->text[at]))
            return false;
    for (size_t at = from; at < close; at++) {
        if (strchr("\"'", file->text[at]))
            return false;
        size_t begin = file->text[at] == '?' ? begin_of(file, from, at) : 0;
        if (begin == SIZE_MAX)
            return false;
        if (file->text[at] == '?')
            *vec_push(conditions) = (Stretch){file, begin, at};
    }
    return conditions->count > 0;
}

Stretch macro_use(WrittenFiles *files, const SourcePlace *place, MacroConditions *conditions)
{
    const Stretch use = written_use(files, place);
    if (!use.file)
        return use;
    size_t length = 0;
    while (isalnum((unsigned char)use.file->text[use.from + length]) || use.file->text[use.from + length] == '_')
        length++;
    size_t definition = find_definition(use.file, use.file->text + use.from, length);
    if (definition == SIZE_MAX || !find_conditions(use.file, definition, conditions))
        conditions->count = 0;
    return use;
}
