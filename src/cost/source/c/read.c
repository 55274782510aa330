/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a C source: functions of the source and of the project's headers, and the functions of
 * system headers that they call.
 *
 * A child process does it, with limits of time and memory, and leaves the program in a shared arena:
 * for nested sources or macros, libclang may take hours or gigabytes, or overflow its stack. */
#include "cost/source/c/tree.h"

#include "base/process.h"
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { CPU_LIMIT_S = 60, TIME_LIMIT_S = 180, PROGRAM_LIMIT_GIB = 1 };

/* Of the child process's address space, which holds libclang, the stack and the shared arena. The
 * address sanitizer needs terabytes. */
#ifdef __SANITIZE_ADDRESS__
#define MEMORY_LIMIT_BYTES 0
#else
#define MEMORY_LIMIT_BYTES ((uint64_t)4 << 30)
#endif

static SourceFunction read_function(CReader *reader, CXCursor cursor, CXCursor body)
{
    const Clang *clang = reader->clang;
    CXType result = clang->getCursorResultType(cursor);
    SourceFunction function = {.name = c_string(reader, clang->getCursorSpelling(cursor)),
                               .place = c_place(reader, cursor)};
    function.is_static = clang->Cursor_getStorageClass(cursor) == CX_SC_Static;
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
    c_resolve_jumps(reader, function.body);
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

/* Globals of the project's files, also those that no function uses. */
static void find_own_variables(CReader *reader)
{
    const Clang *clang = reader->clang;
    Cursors cursors = c_children(reader, clang->getTranslationUnitCursor(reader->unit));
    for (size_t i = 0; i < cursors.count; i++)
        if (clang->getCursorKind(cursors.items[i]) == CXCursor_VarDecl &&
            !clang->Location_isInSystemHeader(clang->getCursorLocation(cursors.items[i]))) {
            SourceVariable *variable = c_variable(reader, cursors.items[i]);
            variable->is_defined |= clang->Cursor_getStorageClass(cursors.items[i]) != CX_SC_Extern;
        }
    vec_free(&cursors);
}

enum { TABLE_LIMIT = 64 };

/* Whether it's an array of numbers that are data: fractions, or more whole numbers than firma follows. */
static bool holds_data(CReader *reader, CXCursor declaration, bool has_value)
{
    CXType type = reader->clang->getCanonicalType(reader->clang->getCursorType(declaration)), element = type;
    CpuType number;
    double n = 1;
    while (element.kind != CXType_Invalid) {
        type = element;
        n *= fmax(1, (double)reader->clang->getArraySize(type));
        element = reader->clang->getCanonicalType(reader->clang->getArrayElementType(type));
    }
    return c_is_number(reader, type) && c_cpu_type(reader, declaration, type, &number) &&
           (number > CPU_INT64 || (has_value && n > TABLE_LIMIT));
}

/* Lists of initial values of global variables, such as tables of functions; read_program() reads their
 * functions, which are the project's own. */
static void read_initials(CReader *reader, SourceProgram *program)
{
    Expressions assignments = {0};
    Variables globals = {0};
    find_own_variables(reader);
    for (size_t i = 0; i < reader->variables.count; i++) {
        SourceVariable *variable = reader->variables.items[i].variable;
        CXCursor declaration = reader->variables.items[i].cursor;
        CXCursor definition = reader->clang->getCursorDefinition(declaration), value;
        if (!variable->is_global)
            continue;
        value = reader->clang->Cursor_getVarDeclInitializer(reader->clang->Cursor_isNull(definition) ? declaration
                                                                                                     : definition);
        bool has_value = !reader->clang->Cursor_isNull(value);
        CXType type = reader->clang->getCanonicalType(reader->clang->getCursorType(declaration));
        if (variable->is_defined && !has_value && (c_is_number(reader, type) || type.kind == CXType_Pointer))
            variable->initial = 0;
        if (!variable->is_static)
            *vec_push(&globals) = variable;
        if (variable->type != CPU_REFERENCE || holds_data(reader, declaration, has_value))
            continue;
        variable->is_cleared = variable->is_defined && type.kind != CXType_Pointer;
        if (!has_value)
            continue;
        SourceExpression *target = c_expression_new(reader, declaration, SOURCE_VARIABLE);
        target->variable = variable;
        c_initialise_any(reader, value, target, &assignments);
    }
    program->n_initials = assignments.count;
    program->initials = vec_copy(&assignments, reader->arena);
    program->n_globals = globals.count;
    program->globals = vec_copy(&globals, reader->arena);
    vec_free(&assignments);
    vec_free(&globals);
}

typedef struct Files {
    CReader *reader;
    VEC(const char *) names;
} Files;

static void add_file(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData self)
{
    Files *files = self;
    const Clang *clang = files->reader->clang;
    size_t size;
    (void)stack;
    (void)depth;
    const char *name = c_string(files->reader, clang->getFileName(file));
    bool is_known = false;
    for (size_t i = 0; i < files->names.count; i++)
        is_known = is_known || strcmp(files->names.items[i], name) == 0;
    if (!is_known && clang->getFileContents(files->reader->unit, file, &size) &&
        !clang->Location_isInSystemHeader(clang->getLocation(files->reader->unit, file, 1, 1)))
        *vec_push(&files->names) = name;
}

static void read_files(CReader *reader, SourceProgram *program)
{
    Files files = {.reader = reader};
    reader->clang->getInclusions(reader->unit, add_file, &files);
    program->n_files = files.names.count;
    program->files = vec_copy(&files.names, reader->arena);
    vec_free(&files.names);
}

/* Reading a function may add further functions, which it calls. */
static SourceProgram *read_program(CReader *reader, const char *source)
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
    c_note_directives(reader, source);
    SourceProgram *program = build_program("c", &functions, &reader->notes, reader->arena);
    read_initials(reader, program);
    read_files(reader, program);
    return program;
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

/* What the child process reads, and what it has read. In the shared arena. */
typedef struct Reading {
    const SourceOptions *options;
    Arena *arena;
    SourceProgram *program;
    bool is_read;
    Err err;
} Reading;

static bool read_source(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err)
{
    const Clang *clang;
    CReader reader = {.arena = arena};
    if (!clang_load(&clang, err))
        return false;
    CXIndex index = clang->createIndex(0, 0);
    bool is_read = c_parse(clang, index, options, arena, &reader.unit, err);
    if (is_read) {
        reader.clang = clang;
        reader.has_threads = source_has_threads(options->options);
        *program = read_program(&reader, options->file);
        c_finish_variables(&reader);
        clang->disposeTranslationUnit(reader.unit);
    }
    vec_free(&reader.variables);
    vec_free(&reader.functions);
    vec_free(&reader.notes);
    vec_free(&reader.jumps);
    vec_free(&reader.labels);
    vec_free(&reader.directives);
    map_free(&reader.variable_of_hash);
    clang->disposeIndex(index);
    return is_read;
}

static int read_in_child(void *self)
{
    Reading *reading = self;
    reading->is_read = read_source(reading->options, reading->arena, &reading->program, &reading->err);
    return 0;
}

/* The child process ended before it had read the source. */
static bool explain(const char *file, int status, Err *err)
{
    if (status == 128 + SIGXCPU || status == 128 + SIGKILL)
        return err_set(err, ERR_INPUT, "%s: libclang was stopped at its limit of %d s of CPU time, or of %d s", file,
                       CPU_LIMIT_S, TIME_LIMIT_S);
    if (status == ERR_ENVIRONMENT || status == 128 + SIGABRT)
        return err_set(err, ERR_INPUT, "%s: libclang needs more than %d GiB of memory", file, PROGRAM_LIMIT_GIB);
    return err_set(err, ERR_INPUT, "%s: libclang cannot parse this file (it ended with status %d)", file, status) ||
           err_hint(err, "expressions or statements may be nested too deep");
}

bool source_read_c(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err)
{
    Arena *shared = arena_new_shared((size_t)PROGRAM_LIMIT_GIB << 30, arena);
    if (!shared)
        return err_set(err, ERR_ENVIRONMENT, "%s: no memory for what this source holds", options->file);
    Reading *reading = arena_alloc(shared, sizeof *reading);
    const SourceOptions with_headers = {options->file, c_options(options, arena), options->prelude};
    *reading = (Reading){.options = &with_headers, .arena = shared};
    const ProcessOptions how = {.run = read_in_child,
                                .self = reading,
                                .memory_bytes = MEMORY_LIMIT_BYTES,
                                .cpu_s = CPU_LIMIT_S,
                                .dumps_no_core = true,
                                .dies_with_us = SIGKILL};
    Process *process;
    use_growing_stack();
    if (!process_start(&how, arena, &process, err)) {
        arena_end_sharing(shared);
        return false;
    }
    bool has_ended = process_wait(process, TIME_LIMIT_S * 1000);
    if (!has_ended)
        process_kill(process, SIGKILL);
    int status = process_stop(process);
    arena_end_sharing(shared);
    if (status != 0)
        return explain(options->file, status, err);
    if (!reading->is_read)
        *err = reading->err;
    *program = reading->program;
    return reading->is_read;
}
