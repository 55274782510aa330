/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes' parts, places and texts. */
#include "cost/source/java/tree.h"

#include <ctype.h>

enum { TEXT_LIMIT = 60 };

Nodes java_children(TSNode node)
{
    Nodes children = {0};
    TSTreeCursor cursor = ts_tree_cursor_new(node);
    for (bool is_there = ts_tree_cursor_goto_first_child(&cursor); is_there;
         is_there = ts_tree_cursor_goto_next_sibling(&cursor)) {
        TSNode child = ts_tree_cursor_current_node(&cursor);
        if (ts_node_is_named(child) && !ts_node_is_extra(child))
            *vec_push(&children) = child;
    }
    ts_tree_cursor_delete(&cursor);
    return children;
}

bool java_is(TSNode node, const char *kind)
{
    return !ts_node_is_null(node) && strcmp(ts_node_type(node), kind) == 0;
}

TSNode java_part(TSNode node, const char *field)
{
    if (ts_node_is_null(node))
        return node;
    return ts_node_child_by_field_name(node, field, (uint32_t)strlen(field));
}

Nodes java_parts(TSNode node, const char *field)
{
    Nodes parts = {0};
    TSTreeCursor cursor = ts_tree_cursor_new(node);
    for (bool is_there = ts_tree_cursor_goto_first_child(&cursor); is_there;
         is_there = ts_tree_cursor_goto_next_sibling(&cursor)) {
        const char *name = ts_tree_cursor_current_field_name(&cursor);
        TSNode child = ts_tree_cursor_current_node(&cursor);
        if (name && strcmp(name, field) == 0 && ts_node_is_named(child) && !ts_node_is_extra(child))
            *vec_push(&parts) = child;
    }
    ts_tree_cursor_delete(&cursor);
    return parts;
}

TSNode java_child(TSNode node, const char *kind)
{
    TSNode found = {0};
    Nodes children = java_children(node);
    for (size_t i = 0; i < children.count && ts_node_is_null(found); i++)
        if (java_is(children.items[i], kind))
            found = children.items[i];
    vec_free(&children);
    return found;
}

bool java_has_word(TSNode node, const char *word)
{
    if (ts_node_is_null(node))
        return false;
    uint32_t n = ts_node_child_count(node);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(ts_node_type(ts_node_child(node, i)), word) == 0)
            return true;
    return false;
}

const char *java_text(JavaReader *reader, TSNode node)
{
    if (ts_node_is_null(node))
        return "";
    size_t start = ts_node_start_byte(node), end = ts_node_end_byte(node);
    return arena_strndup(reader->arena, reader->scope->file->text + start, end - start);
}

/* What is longer ends with dots; a character of several bytes isn't cut. */
const char *java_short_text(JavaReader *reader, TSNode node)
{
    const char *text = reader->scope->file->text;
    char *line = arena_alloc(reader->arena, TEXT_LIMIT + 1);
    size_t n = 0, end = ts_node_end_byte(node);
    for (size_t i = ts_node_start_byte(node); i < end; i++) {
        bool is_blank = isspace((unsigned char)text[i]);
        if (is_blank && (n == 0 || line[n - 1] == ' '))
            continue;
        if (n == TEXT_LIMIT) {
            for (n = TEXT_LIMIT - 3; n && ((unsigned char)line[n] & 0xC0) == 0x80; n--)
                continue;
            memcpy(line + n, "...", 4);
            return line;
        }
        line[n++] = is_blank ? ' ' : text[i];
    }
    while (n && line[n - 1] == ' ')
        n--;
    line[n] = '\0';
    return line;
}

SourcePlace java_place(JavaReader *reader, TSNode node)
{
    TSPoint at = ts_node_start_point(node);
    return (SourcePlace){reader->scope->file->name, at.row + 1, at.column + 1};
}

void java_note(JavaReader *reader, const SourcePlace *place, const char *message)
{
    for (size_t i = reader->notes.count; i-- > 0;) {
        const SourceNote *other = &reader->notes.items[i];
        if (other->place.line == place->line && strcmp(other->place.file, place->file) == 0 &&
            strcmp(other->message, message) == 0)
            return;
    }
    *vec_push(&reader->notes) = (SourceNote){*place, arena_strdup(reader->arena, message)};
}
