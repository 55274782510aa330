/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes field lists as documentation; see fields.h. A list looks like this:
 *
 *     - `hosts` (list of objects): the first is the root's
 *       - `name` (text): as the host calls itself
 */
#include "base/fields.h"

#include <string.h>

enum { LINE_COLUMNS = 100 };

static const char *noun(const Field *field, bool several)
{
    static const char *const nouns[][2] = {[FIELD_BOOL] = {"true or false", "truth values"},
                                           [FIELD_INT32] = {"whole number", "whole numbers"},
                                           [FIELD_UINT32] = {"whole number", "whole numbers"},
                                           [FIELD_UINT64] = {"whole number", "whole numbers"},
                                           [FIELD_REAL] = {"number", "numbers"},
                                           [FIELD_NANOSECONDS] = {"number", "numbers"},
                                           [FIELD_TEXT] = {"text", "texts"},
                                           [FIELD_STRUCT] = {"object", "objects"},
                                           [FIELD_CUSTOM] = {"object", "objects"}};
    return nouns[field->choices ? FIELD_TEXT : field->type][several];
}

/* Output that breaks lines between words. A column is a character of UTF-8, not a byte. */
typedef struct Lines {
    Text *text;
    size_t indent, column;
} Lines;

static void add_word(Lines *lines, const char *word, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)word[i] & 0xc0) != 0x80;
    if (lines->column + 1 + columns > LINE_COLUMNS) {
        text_add(lines->text, "\n");
        text_repeat(lines->text, ' ', lines->indent);
        lines->column = lines->indent;
    } else {
        text_add(lines->text, " ");
        lines->column++;
    }
    text_add(lines->text, "%.*s", (int)length, word);
    lines->column += columns;
}

static void add_words(Lines *lines, const char *words)
{
    for (; *words; words += strspn(words, " ")) {
        size_t length = strcspn(words, " ");
        add_word(lines, words, length);
        words += length;
    }
}

/* The fields whose list is already described in this section. A second field with the same list
 * refers to the first. */
typedef struct Described {
    VEC(const Field *) fields;
} Described;

static const Field *find_described(const Described *described, const Field *field)
{
    for (size_t i = 0; i < described->fields.count; i++)
        if (described->fields.items[i]->of == field->of)
            return described->fields.items[i];
    return NULL;
}

/* `before` is an earlier field with the same list, or NULL. */
static void describe_field(const Field *field, const Field *before, Lines *lines)
{
    Text type = {0};
    if (field->type == FIELD_CUSTOM && !field->of)
        text_add(&type, "%s", field->noun ? field->noun : field->shape == SHAPE_ONE ? "" : "list");
    else if (field->shape == SHAPE_ONE || field->shape == SHAPE_POINTED)
        text_add(&type, "%s", noun(field, false));
    else if (field->shape == SHAPE_FIXED)
        text_add(&type, "%zu %s", field->count, noun(field, true));
    else
        text_add(&type, "list of %s", noun(field, true));
    if (before)
        text_add(&type, " as in `%s` above", before->name);
    if (field->flags & FIELD_NULL)
        text_add(&type, "%snull", type.bytes.count ? " or " : "may be ");
    if (field->flags & (FIELD_OPTIONAL | FIELD_ABSENT))
        text_add(&type, "%smay be absent", type.bytes.count ? "; " : "");
    Arena *arena = arena_new();
    add_words(lines, arena_printf(arena, "`%s`%s", field->name, type.bytes.count ? "" : ":"));
    if (type.bytes.count)
        add_words(lines, arena_printf(arena, "(%s):", text_take(&type, arena)));
    add_words(lines, field->meaning);
    text_add(lines->text, "\n");
    arena_free(arena);
}

static void add_fields(const FieldList *list, size_t indent, Described *described, Text *text)
{
    for (const Field *field = list->fields; field->name; field++) {
        if (field->flags & FIELD_INLINE) {
            add_fields(field->of, indent, described, text);
            continue;
        }
        const Field *before = field->of ? find_described(described, field) : NULL;
        text_repeat(text, ' ', indent);
        text_add(text, "-");
        Lines lines = {text, indent + 2, indent + 1};
        describe_field(field, before, &lines);
        if (!field->of || before)
            continue;
        *vec_push(&described->fields) = field;
        add_fields(field->of, indent + 2, described, text);
    }
}

void fields_to_markdown(const FieldList *list, size_t indent, Text *text)
{
    Described described = {0};
    add_fields(list, indent, &described, text);
    vec_free(&described.fields);
}
