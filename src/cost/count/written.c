/* SPDX-License-Identifier: BSD-3-Clause */
/* See written.h. */
#include "cost/count/written.h"

#include "base/files.h"

#include <ctype.h>

/* ---- Files ---- */

static bool load(Arena *arena, const char *path, WrittenFile *file)
{
    Err err = {0};
    *file = (WrittenFile){.path = path};
    if (!files_load_text(path, arena, &file->text, &err))
        return false;
    file->length = strlen(file->text);
    *vec_push(&file->lines) = 0;
    for (size_t i = 0; i < file->length; i++)
        if (file->text[i] == '\n')
            *vec_push(&file->lines) = i + 1;
    return true;
}

const WrittenFile *written_file(WrittenFiles *files, const char *path)
{
    for (size_t i = 0; i < files->items.count; i++)
        if (strcmp(files->items.items[i]->path, path) == 0)
            return files->items.items[i];
    WrittenFile *file = arena_new_array(files->arena, WrittenFile, 1);
    if (!*path || !load(files->arena, path, file))
        return NULL;
    *vec_push(&files->items) = file;
    return file;
}

void written_end(WrittenFiles *files)
{
    for (size_t i = 0; i < files->items.count; i++)
        vec_free(&files->items.items[i]->lines);
    vec_free(&files->items);
}

static bool offset_of(const WrittenFile *file, const SourcePlace *place, size_t *offset)
{
    if (!place->line || place->line > file->lines.count || !place->column)
        return false;
    *offset = file->lines.items[place->line - 1] + place->column - 1;
    return *offset <= file->length;
}

/* ---- Words ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind blanks and comments. */
static size_t skip_blanks(const char *text, size_t at)
{
    for (;;) {
        const char *end;
        if (isspace((unsigned char)text[at]))
            at++;
        else if (text[at] == '\\' && text[at + 1] == '\n')
            at += 2;
        else if (text[at] == '/' && text[at + 1] == '*' && (end = strstr(text + at + 2, "*/")))
            at = (size_t)(end - text) + 2;
        else if (text[at] == '/' && text[at + 1] == '/')
            at += strcspn(text + at, "\n");
        else
            return at;
    }
}

/* Behind a literal in quotes that begins here. */
static size_t skip_literal(const char *text, size_t at)
{
    const char quote = text[at++];
    while (text[at] && text[at] != quote)
        at += text[at] == '\\' && text[at + 1] ? 2 : 1;
    return text[at] ? at + 1 : at;
}

/* The next of these characters that stands outside of literals, comments and further brackets. SIZE_MAX: none, or a
 * bracket closes before. */
static size_t find_character(const char *text, size_t at, char character)
{
    for (unsigned depth = 0; text[at];) {
        size_t behind = skip_blanks(text, at);
        if (behind > at) {
            at = behind;
            continue;
        }
        if (strchr("\"'", text[at])) {
            at = skip_literal(text, at);
            continue;
        }
        if (text[at] == character && !depth)
            return at;
        if (strchr("([{", text[at]))
            depth++;
        else if (strchr(")]}", text[at]) && !depth--)
            return SIZE_MAX;
        at++;
    }
    return SIZE_MAX;
}

static bool is_balanced(const WrittenFile *file, size_t from, size_t to)
{
    int depth = 0;
    for (size_t at = from; at < to; at++) {
        if (strchr("\"'", file->text[at])) {
            at = skip_literal(file->text, at) - 1;
            continue;
        }
        depth += strchr("([{", file->text[at]) ? 1 : strchr(")]}", file->text[at]) ? -1 : 0;
        if (depth < 0)
            return false;
    }
    return depth == 0;
}

/* Behind the name that begins here, and behind its arguments: a macro may stand for all of it. No name: here. */
static size_t behind_name(const WrittenFile *file, size_t from)
{
    size_t at = from;
    while (is_word(file->text[at]))
        at++;
    if (at == from || isdigit((unsigned char)file->text[from]))
        return from;
    size_t bracket = skip_blanks(file->text, at);
    if (file->text[bracket] != '(')
        return at;
    size_t close = find_character(file->text, bracket + 1, ')');
    return close == SIZE_MAX ? at : close + 1;
}

/* Whether an expression can end here. If its last token is in a macro's argument, its end is where the macro begins. */
static bool can_end(const WrittenFile *file, size_t to)
{
    const char last = file->text[to - 1];
    return is_word(last) || strchr(")]}\"'.", last) ||
           (to > 1 && (last == '+' || last == '-') && file->text[to - 2] == last);
}

/* ---- What is written ---- */

Stretch written_word(WrittenFiles *files, const SourcePlace *place, const char *word)
{
    const WrittenFile *file = written_file(files, place->file);
    const size_t length = strlen(word);
    size_t from;
    if (!file || !offset_of(file, place, &from) || strncmp(file->text + from, word, length) != 0 ||
        is_word(file->text[from + length]))
        return (Stretch){NULL, 0, 0};
    return (Stretch){file, from, from + length};
}

Stretch written_character(WrittenFiles *files, const SourcePlace *place, char character)
{
    const WrittenFile *file = written_file(files, place->file);
    size_t from;
    if (!file || !offset_of(file, place, &from) || file->text[from] != character)
        return (Stretch){NULL, 0, 0};
    return (Stretch){file, from, from + 1};
}

Stretch written_expression(WrittenFiles *files, const SourceExpression *expression, const SourceExpression *around)
{
    const Stretch none = {NULL, 0, 0};
    const WrittenFile *file = written_file(files, expression->place.file);
    size_t from, to, around_from, around_to;
    if (!file || !offset_of(file, &expression->place, &from) || !offset_of(file, &expression->end, &to) || from >= to ||
        strcmp(expression->end.file, expression->place.file) != 0 || !is_balanced(file, from, to) || !can_end(file, to))
        return none;
    size_t name_end = behind_name(file, from);
    if (to <= name_end && around) {
        /* All of it may come from one macro. It is written if what is around it isn't from the same macro. */
        if (!offset_of(file, &around->place, &around_from) || !offset_of(file, &around->end, &around_to) ||
            (around_from >= from && around_to <= name_end))
            return none;
    }
    return (Stretch){file, from, to};
}

size_t written_bracket(Stretch word)
{
    size_t at = skip_blanks(word.file->text, word.to);
    return word.file->text[at] == '(' ? at + 1 : SIZE_MAX;
}

size_t written_close(const WrittenFile *file, size_t bracket)
{
    size_t close = find_character(file->text, bracket + 1, ')');
    return close == SIZE_MAX ? close : close + 1;
}

Stretch written_use(WrittenFiles *files, const SourcePlace *place)
{
    const WrittenFile *file = written_file(files, place->file);
    size_t from;
    if (!file || !offset_of(file, place, &from))
        return (Stretch){NULL, 0, 0};
    const size_t to = behind_name(file, from);
    return to > from && file->text[to - 1] == ')' ? (Stretch){file, from, to} : (Stretch){NULL, 0, 0};
}

size_t written_semicolon(Stretch loop, unsigned part)
{
    size_t at = skip_blanks(loop.file->text, loop.to);
    if (loop.file->text[at] != '(')
        return SIZE_MAX;
    at = find_character(loop.file->text, at + 1, ';');
    for (unsigned i = 0; i < part && at != SIZE_MAX; i++)
        at = find_character(loop.file->text, at + 1, ';');
    return at;
}

bool written_is_behind(Stretch stretch, const char *word)
{
    const char *text = stretch.file->text;
    const size_t length = strlen(word);
    size_t at = stretch.from;
    while (at && (isspace((unsigned char)text[at - 1]) || text[at - 1] == '('))
        at--;
    return at >= length && strncmp(text + at - length, word, length) == 0 &&
           (at == length || !is_word(text[at - length - 1]));
}

bool written_after_directive(Stretch stretch)
{
    const char *text = stretch.file->text;
    size_t at = stretch.from;
    while (at && isspace((unsigned char)text[at - 1]))
        at--;
    while (at && text[at - 1] != '\n')
        at--;
    return text[skip_blanks(text, at)] == '#' && skip_blanks(text, at) < stretch.from;
}

const char *written_text(Stretch stretch, Arena *arena)
{
    return arena_strndup(arena, stretch.file->text + stretch.from, stretch.to - stretch.from);
}
