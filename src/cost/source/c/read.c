/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a C source: functions of the source and of the project's headers, and the functions of
 * system headers that they call. */
#include "cost/source/c/tree.h"

#include <stdlib.h>
#include <sys/resource.h>

static SourceFunction read_function(CReader *reader, CXCursor cursor, CXCursor body)
{
    const Clang *clang = reader->clang;
    CXType result = clang->getCursorResultType(cursor);
    SourceFunction function = {.name = c_string(reader, clang->getCursorSpelling(cursor)),
                               .place = c_place(reader, cursor)};
    function.returns_value = clang->getCanonicalType(result).kind != CXType_Void;
    if (!c_cpu_type(reader, cursor, result, &function.return_type))
        function.return_type = CPU_REFERENCE;
    int n = clang->Cursor_getNumArguments(cursor);
    SourceVariable **parameters = arena_new_array(reader->arena, SourceVariable *, n > 0 ? (size_t)n : 0);
    for (int i = 0; i < n; i++)
        parameters[i] = c_variable(reader, clang->Cursor_getArgument(cursor, (unsigned)i));
    function.n_parameters = n > 0 ? (size_t)n : 0;
    function.parameters = parameters;
    function.body = c_statement(reader, body);
    return function;
}

static bool find_body(CReader *reader, CXCursor function, CXCursor *body)
{
    Cursors children = c_children(reader, function);
    bool is_there = false;
    for (size_t i = 0; i < children.count && !is_there; i++)
        if (reader->clang->getCursorKind(children.items[i]) == CXCursor_CompoundStmt) {
            *body = children.items[i];
            is_there = true;
        }
    vec_free(&children);
    return is_there;
}

static void request_own_functions(CReader *reader)
{
    const Clang *clang = reader->clang;
    Cursors cursors = c_children(reader, clang->getTranslationUnitCursor(reader->unit));
    for (size_t i = 0; i < cursors.count; i++) {
        CXCursor cursor = cursors.items[i];
        if (clang->getCursorKind(cursor) == CXCursor_FunctionDecl && clang->isCursorDefinition(cursor) &&
            !clang->Location_isInSystemHeader(clang->getCursorLocation(cursor)))
            *vec_push(&reader->functions) = cursor;
    }
    vec_free(&cursors);
}

/* Reading a function may add further functions, which it calls. */
static SourceProgram *read_program(CReader *reader)
{
    Functions functions = {0};
    Map seen = {0};
    request_own_functions(reader);
    for (size_t i = 0; i < reader->functions.count; i++) {
        CXCursor cursor = reader->functions.items[i], body;
        SourcePlace place = c_place(reader, cursor);
        MapKey key = hash_word((MapKey){0, 0}, reader->clang->hashCursor(cursor));
        key = hash_word(hash_word(key, place.line), place.column);
        bool is_new;
        map_put(&seen, key, &is_new);
        if (is_new && find_body(reader, cursor, &body))
            *vec_push(&functions) = read_function(reader, cursor, body);
    }
    map_free(&seen);
    return build_program("c", &functions, &reader->notes, reader->arena);
}

static void note_threads(CReader *reader, const SourceOptions *options)
{
    SourcePlace place = {.file = arena_strdup(reader->arena, options->file), .line = 1, .column = 1};
    if (options->options && strstr(options->options, "-fopenmp"))
        *vec_push(&reader->notes) =
            (SourceNote){place, "OpenMP's directives are ignored: their loops count as run by one thread"};
}

/* libclang recurses as deep as sources are nested, normally on a thread with a small, fixed stack.
 * This makes it run on the calling thread instead, whose stack may grow. */
static void use_growing_stack(void)
{
    const rlim_t wanted = (rlim_t)1 << 30;
    struct rlimit stack;
    setenv("LIBCLANG_NOTHREADS", "1", 1);
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur == RLIM_INFINITY || stack.rlim_cur >= wanted)
        return;
    stack.rlim_cur = stack.rlim_max == RLIM_INFINITY || stack.rlim_max > wanted ? wanted : stack.rlim_max;
    setrlimit(RLIMIT_STACK, &stack);
}

bool source_read_c(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err)
{
    const Clang *clang;
    CReader reader = {.arena = arena};
    if (!clang_load(&clang, err))
        return false;
    use_growing_stack();
    CXIndex index = clang->createIndex(0, 0);
    bool is_read = c_parse(clang, index, options, &reader.unit, err);
    if (is_read) {
        reader.clang = clang;
        note_threads(&reader, options);
        *program = read_program(&reader);
        c_finish_variables(&reader);
        clang->disposeTranslationUnit(reader.unit);
    }
    vec_free(&reader.variables);
    vec_free(&reader.functions);
    vec_free(&reader.notes);
    map_free(&reader.variable_of_hash);
    clang->disposeIndex(index);
    return is_read;
}
