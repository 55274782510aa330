/* SPDX-License-Identifier: BSD-3-Clause */
/* A Java file to tree-sitter's tree. What isn't Java is an error here, so that the rest needn't look out for it. */
#include "base/files.h"
#include "cost/source/java/tree.h"

/* Of nodes in each other: what reads them goes as deep on the stack. */
enum { DEPTH_LIMIT = 2000, SIZE_LIMIT = 64 << 20, NEAR_LIMIT = 40 };

const TSLanguage *tree_sitter_java(void); /* the grammar's only function */

/* What stands at the node, shortened, as far as its line goes. */
static const char *near(JavaReader *reader, const JavaFile *file, TSNode node)
{
    size_t start = ts_node_start_byte(node), length = 0;
    while (start + length < file->length && length < NEAR_LIMIT && file->text[start + length] != '\n' &&
           file->text[start + length] != '\r')
        length++;
    return arena_strndup(reader->arena, file->text + start, length);
}

static bool fail_at(JavaReader *reader, const JavaFile *file, TSNode node)
{
    TSPoint at = ts_node_start_point(node);
    unsigned line = at.row + 1, column = at.column + 1;
    if (ts_node_is_missing(node))
        return err_set(reader->err, ERR_INPUT, "%s:%u:%u: '%s' is missing", file->name, line, column,
                       ts_node_type(node));
    const char *text = near(reader, file, node);
    return *text ? err_set(reader->err, ERR_INPUT, "%s:%u:%u: isn't Java at '%s'", file->name, line, column, text)
                 : err_set(reader->err, ERR_INPUT, "%s:%u:%u: isn't Java", file->name, line, column);
}

/* A file's own statements, which the grammar allows, and Java doesn't. */
static bool is_misplaced(TSNode node)
{
    const char *kind = ts_node_type(node);
    size_t length = strlen(kind);
    if (strcmp(kind, ";") == 0 || strstr(kind, "comment"))
        return false;
    return strcmp(kind, "method_declaration") == 0 || strcmp(kind, "local_variable_declaration") == 0 || length < 12 ||
           strcmp(kind + length - 12, "_declaration") != 0;
}

/* The first error is where reading stopped making sense: inner ones are nearer to it. */
static bool check(JavaReader *reader, const JavaFile *file, TSTreeCursor *cursor)
{
    for (unsigned depth = 0;;) {
        TSNode node = ts_tree_cursor_current_node(cursor);
        bool is_error = strcmp(ts_node_type(node), "ERROR") == 0 || ts_node_is_missing(node);
        if (is_error)
            return fail_at(reader, file, node);
        if (depth == 1 && is_misplaced(node)) {
            TSPoint at = ts_node_start_point(node);
            return err_set(reader->err, ERR_INPUT, "%s:%u:%u: '%s' is outside of a class", file->name, at.row + 1,
                           at.column + 1, near(reader, file, node));
        }
        if (depth > DEPTH_LIMIT) {
            TSPoint at = ts_node_start_point(node);
            return err_set(reader->err, ERR_INPUT, "%s:%u:%u: expressions or blocks are nested deeper than %d",
                           file->name, at.row + 1, at.column + 1, DEPTH_LIMIT);
        }
        if (ts_tree_cursor_goto_first_child(cursor)) {
            depth++;
            continue;
        }
        while (!ts_tree_cursor_goto_next_sibling(cursor)) {
            if (!ts_tree_cursor_goto_parent(cursor))
                return true;
            depth--;
        }
    }
}

static const char *package_of(JavaReader *reader, const JavaFile *file)
{
    TSNode declaration = java_child(ts_tree_root_node(file->tree), "package_declaration");
    if (ts_node_is_null(declaration))
        return "";
    Nodes parts = java_children(declaration);
    const char *package = "";
    if (parts.count) {
        TSNode name = parts.items[parts.count - 1];
        size_t start = ts_node_start_byte(name);
        package = arena_strndup(reader->arena, file->text + start, ts_node_end_byte(name) - start);
    }
    vec_free(&parts);
    return package;
}

bool java_parse(JavaReader *reader, const char *path, JavaFile **result)
{
    JavaFile *file = arena_alloc(reader->arena, sizeof *file);
    if (!files_load_text(path, reader->arena, &file->text, reader->err))
        return false;
    file->name = arena_strdup(reader->arena, path);
    file->length = strlen(file->text);
    file->folder = arena_strndup(reader->arena, path, (size_t)(files_base_name(path) - path));
    if (file->length > SIZE_LIMIT)
        return err_set(reader->err, ERR_INPUT, "%s: a source of more than %d MiB", path, SIZE_LIMIT >> 20);
    file->tree = ts_parser_parse_string(reader->parser, NULL, file->text, (uint32_t)file->length);
    if (!file->tree)
        return err_set(reader->err, ERR_BUG, "%s: the parser gave up", path);
    *vec_push(&reader->files) = file;
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(file->tree));
    bool is_java = check(reader, file, &cursor);
    ts_tree_cursor_delete(&cursor);
    if (!is_java)
        return false;
    file->package = package_of(reader, file);
    *result = file;
    return true;
}
