/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the JSON that FirmaSource.java prints to a program. Json.java writes one object for each
 * function, statement, expression, variable and note. */
#include "cost/source/java/read.h"

#include "base/files.h"
#include "cost/source/program/build.h"
#include <string.h>

static const char *const EXPRESSIONS[] = {
    [SOURCE_NUMBER] = "number",
    [SOURCE_TEXT] = "text",
    [SOURCE_VARIABLE] = "variable",
    [SOURCE_UNARY] = "unary",
    [SOURCE_BINARY] = "binary",
    [SOURCE_INCREMENT] = "increment",
    [SOURCE_ASSIGN] = "assign",
    [SOURCE_ELEMENT] = "element",
    [SOURCE_LENGTH] = "length",
    [SOURCE_FIELD] = "field",
    [SOURCE_CAST] = "cast",
    [SOURCE_CALL] = "call",
    [SOURCE_CONDITIONAL] = "conditional",
    [SOURCE_COMMA] = "comma",
    [SOURCE_NEW] = "new",
    [SOURCE_UNKNOWN] = "unknown",
};
static const char *const STATEMENTS[] = {
    [SOURCE_BLOCK] = "block",
    [SOURCE_EXPRESSION] = "expression",
    [SOURCE_DECLARE] = "declare",
    [SOURCE_IF] = "if",
    [SOURCE_FOR] = "for",
    [SOURCE_WHILE] = "while",
    [SOURCE_DO] = "do",
    [SOURCE_FOR_EACH] = "for each",
    [SOURCE_SWITCH] = "switch",
    [SOURCE_CASE] = "case",
    [SOURCE_RETURN] = "return",
    [SOURCE_BREAK] = "break",
    [SOURCE_CONTINUE] = "continue",
    [SOURCE_NOT_UNDERSTOOD] = "not understood",
};

typedef struct JavaReader {
    Arena *arena;
    size_t n_variables;
    SourceVariable *variables;
    const char *file;       /* of the function being read */
    const char *unexpected; /* a word that is in no table; NULL: none so far */
} JavaReader;

/* NULL if absent. */
static const char *text_of(JavaReader *reader, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? arena_strdup(reader->arena, text) : NULL;
}

static bool flag_of(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

/* The index of a word in its table. */
static size_t index_of(JavaReader *reader, const json_t *object, const char *key, const char *const *words, size_t n)
{
    const char *word = json_string_value(json_object_get(object, key));
    for (size_t i = 0; word && i < n; i++)
        if (words[i] && strcmp(words[i], word) == 0)
            return i;
    reader->unexpected = word ? arena_strdup(reader->arena, word) : key;
    return 0;
}
#define INDEX_OF(reader, object, key, words)                                                                           \
    index_of((reader), (object), (key), (words), sizeof(words) / sizeof *(words))

static CpuType type_of(JavaReader *reader, const json_t *object)
{
    return (CpuType)INDEX_OF(reader, object, "type", cpu_type_names);
}

static SourcePlace place_of(JavaReader *reader, const json_t *object)
{
    return (SourcePlace){reader->file, (unsigned)json_integer_value(json_object_get(object, "line")),
                         (unsigned)json_integer_value(json_object_get(object, "column"))};
}

static double value_of(const json_t *object)
{
    const char *text = json_string_value(json_object_get(object, "value"));
    return text ? strtod(text, NULL) : strtod("nan", NULL);
}

static SourceVariable *variable_at(JavaReader *reader, const json_t *number)
{
    json_int_t index = json_integer_value(number);
    if (json_is_integer(number) && index >= 0 && (size_t)index < reader->n_variables)
        return &reader->variables[index];
    reader->unexpected = number ? "variable" : reader->unexpected;
    return NULL;
}

static SourceVariable read_variable(JavaReader *reader, const json_t *object)
{
    return (SourceVariable){.name = text_of(reader, object, "name"),
                            .type = type_of(reader, object),
                            .is_parameter = flag_of(object, "parameter"),
                            .is_global = flag_of(object, "global"),
                            .is_constant = flag_of(object, "constant"),
                            .value = value_of(object)};
}

/* Methods that may run, separated by |. */
static void read_targets(JavaReader *reader, const char *names, SourceExpression *expression)
{
    VEC(const char *) targets = {0};
    for (; names; names = *names ? names + 1 : NULL) {
        size_t length = strcspn(names, "|");
        *vec_push(&targets) = arena_strndup(reader->arena, names, length);
        names += length;
    }
    expression->n_targets = targets.count;
    expression->targets = vec_copy(&targets, reader->arena);
    vec_free(&targets);
    if (expression->n_targets)
        expression->name = NULL;
}

static bool never_returns(const char *name)
{
    return strcmp(name, "throw") == 0 || strcmp(name, "System.exit") == 0 || strcmp(name, "Runtime.halt") == 0;
}

static void read_expressions(JavaReader *reader, const json_t *list, Expressions *expressions);

/* NULL: an absent part of a loop. */
static SourceExpression *read_expression(JavaReader *reader, const json_t *object)
{
    if (json_is_null(object))
        return NULL;
    SourceExpressionKind kind = (SourceExpressionKind)INDEX_OF(reader, object, "kind", EXPRESSIONS);
    SourceExpression *expression =
        build_expression(kind, place_of(reader, object), text_of(reader, object, "text"), reader->arena);
    Expressions operands = {0};
    expression->type = type_of(reader, object);
    expression->operator= text_of(reader, object, "operator");
    expression->is_prefix = expression->text && strchr("+-", expression->text[0]);
    expression->name = text_of(reader, object, "name");
    expression->value = value_of(object);
    expression->unit_bytes = (unsigned)json_integer_value(json_object_get(object, "bytes"));
    read_targets(reader, text_of(reader, object, "targets"), expression);
    expression->never_returns = kind == SOURCE_CALL && expression->name && never_returns(expression->name);
    expression->variable = variable_at(reader, json_object_get(object, "variable"));
    if (kind == SOURCE_VARIABLE && !expression->variable)
        reader->unexpected = "variable";
    read_expressions(reader, json_object_get(object, "operands"), &operands);
    build_operands(expression, &operands, reader->arena);
    return expression;
}

static void read_expressions(JavaReader *reader, const json_t *list, Expressions *expressions)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        *vec_push(expressions) = read_expression(reader, json_array_get(list, i));
}

/* NULL: no else, or no initialisation. */
static SourceStatement *read_statement(JavaReader *reader, const json_t *object)
{
    if (json_is_null(object))
        return NULL;
    SourceStatementKind kind = (SourceStatementKind)INDEX_OF(reader, object, "kind", STATEMENTS);
    SourceStatement *statement = build_statement(kind, place_of(reader, object), reader->arena);
    const json_t *list = json_object_get(object, "children");
    Expressions expressions = {0};
    Statements children = {0};
    statement->text = text_of(reader, object, "text");
    statement->variable = variable_at(reader, json_object_get(object, "variable"));
    read_expressions(reader, json_object_get(object, "expressions"), &expressions);
    for (size_t i = 0; i < json_array_size(list); i++)
        *vec_push(&children) = read_statement(reader, json_array_get(list, i));
    build_expressions(statement, &expressions, reader->arena);
    if (kind == SOURCE_SWITCH)
        build_cases(statement, &children, reader->arena);
    else
        build_children(statement, &children, reader->arena);
    if (kind == SOURCE_CASE)
        build_case_end(statement);
    if (flag_of(object, "rule"))
        statement->falls_through = false;
    return statement;
}

static SourceFunction read_function(JavaReader *reader, const json_t *object)
{
    const json_t *list = json_object_get(object, "parameters");
    size_t n = json_array_size(list);
    SourceVariable **parameters = arena_new_array(reader->arena, SourceVariable *, n);
    for (size_t i = 0; i < n; i++)
        parameters[i] = variable_at(reader, json_array_get(list, i));
    reader->file = text_of(reader, object, "file");
    return (SourceFunction){.name = text_of(reader, object, "name"),
                            .place = place_of(reader, object),
                            .returns_value = flag_of(object, "returns"),
                            .return_type = type_of(reader, object),
                            .n_parameters = n,
                            .parameters = parameters,
                            .body = read_statement(reader, json_object_get(object, "body"))};
}

static SourceProgram *read_program(JavaReader *reader, const json_t *root)
{
    const json_t *variables = json_object_get(root, "variables"), *functions = json_object_get(root, "functions");
    const json_t *said = json_object_get(root, "notes");
    Functions read = {0};
    Notes notes = {0};
    reader->n_variables = json_array_size(variables);
    reader->variables = arena_new_array(reader->arena, SourceVariable, reader->n_variables);
    for (size_t i = 0; i < reader->n_variables; i++)
        reader->variables[i] = read_variable(reader, json_array_get(variables, i));
    for (size_t i = 0; i < json_array_size(functions); i++)
        *vec_push(&read) = read_function(reader, json_array_get(functions, i));
    for (size_t i = 0; i < json_array_size(said); i++) {
        const json_t *note = json_array_get(said, i);
        reader->file = text_of(reader, note, "file");
        *vec_push(&notes) = (SourceNote){place_of(reader, note), text_of(reader, note, "message")};
    }
    return build_program("java", &read, &notes, reader->arena);
}

static bool fail(const json_t *error, const char *source, Err *err)
{
    const char *file = json_string_value(json_object_get(error, "file"));
    const char *message = json_string_value(json_object_get(error, "message"));
    json_int_t others = json_integer_value(json_object_get(error, "others"));
    if (file)
        err_set(err, ERR_INPUT, "%s:%lld:%lld: %s", file, json_integer_value(json_object_get(error, "line")),
                json_integer_value(json_object_get(error, "column")), message);
    else
        err_set(err, flag_of(error, "bug") ? ERR_BUG : ERR_INPUT, "%s: %s", source, message);
    if (others)
        err_hint(err, "%lld more error%s follow%s; `javac` with the same options lists them", others,
                 others > 1 ? "s" : "", others > 1 ? "" : "s");
    return false;
}

bool source_read_java(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err)
{
    JavaReader reader = {.arena = arena};
    json_t *root;
    if (!files_check_input(options->file, err))
        return false;
    if (!java_compile(options, arena, &root, err))
        return false;
    const json_t *error = json_object_get(root, "error");
    bool is_read = !error || fail(error, options->file, err);
    if (is_read)
        *program = read_program(&reader, root);
    json_decref(root);
    if (is_read && reader.unexpected)
        return err_set(err, ERR_BUG, "%s: FirmaSource.java prints an unexpected `%s`", options->file,
                       reader.unexpected);
    return is_read;
}
