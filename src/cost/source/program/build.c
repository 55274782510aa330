/* SPDX-License-Identifier: BSD-3-Clause */
/* See build.h. */
#include "cost/source/program/build.h"

#include "cost/source/program/endings.h"

#include <math.h>

/* Moves a list's items into the arena. */
static void *take(void *items, size_t size_bytes, Arena *arena)
{
    void *taken = arena_alloc(arena, size_bytes);
    if (size_bytes)
        memcpy(taken, items, size_bytes);
    free(items);
    return taken;
}

SourceExpression *build_expression(SourceExpressionKind kind, SourcePlace place, const char *text, Arena *arena)
{
    SourceExpression *expression = arena_alloc(arena, sizeof *expression);
    *expression = (SourceExpression){.kind = kind, .place = place, .text = text, .value = NAN};
    return expression;
}

void build_operands(SourceExpression *expression, Expressions *operands, Arena *arena)
{
    expression->n_operands = operands->count;
    expression->operands = take(operands->items, operands->count * sizeof *operands->items, arena);
    *operands = (Expressions){0};
}

void build_operand(SourceExpression *expression, SourceExpression *operand, Arena *arena)
{
    Expressions operands = {0};
    *vec_push(&operands) = operand;
    build_operands(expression, &operands, arena);
}

void build_two_operands(SourceExpression *expression, SourceExpression *left, SourceExpression *right, Arena *arena)
{
    Expressions operands = {0};
    *vec_push(&operands) = left;
    *vec_push(&operands) = right;
    build_operands(expression, &operands, arena);
}

SourceStatement *build_statement(SourceStatementKind kind, SourcePlace place, Arena *arena)
{
    SourceStatement *statement = arena_alloc(arena, sizeof *statement);
    statement->kind = kind;
    statement->place = place;
    return statement;
}

SourceStatement *build_statement_of(SourceExpression *expression, SourcePlace place, Arena *arena)
{
    SourceStatement *statement = build_statement(SOURCE_EXPRESSION, place, arena);
    Expressions expressions = {0};
    *vec_push(&expressions) = expression;
    build_expressions(statement, &expressions, arena);
    return statement;
}

void build_expressions(SourceStatement *statement, Expressions *expressions, Arena *arena)
{
    statement->n_expressions = expressions->count;
    statement->expressions = take(expressions->items, expressions->count * sizeof *expressions->items, arena);
    *expressions = (Expressions){0};
}

void build_children(SourceStatement *statement, Statements *children, Arena *arena)
{
    statement->n_children = children->count;
    statement->children = take(children->items, children->count * sizeof *children->items, arena);
    *children = (Statements){0};
}

static bool ends_with_jump(const SourceStatement *statement)
{
    if (statement->kind == SOURCE_BLOCK && statement->n_children)
        return ends_with_jump(statement->children[statement->n_children - 1]);
    return statement->kind == SOURCE_BREAK || statement->kind == SOURCE_RETURN || statement->kind == SOURCE_CONTINUE;
}

static void drop_last_break(SourceStatement *statement)
{
    if (!statement->n_children)
        return;
    SourceStatement *last = statement->children[statement->n_children - 1];
    if (last->kind == SOURCE_BREAK)
        statement->n_children--;
    else if (last->kind == SOURCE_BLOCK)
        drop_last_break(last);
}

void build_case_end(SourceStatement *statement)
{
    size_t n = statement->n_children;
    statement->falls_through = n == 0 || !ends_with_jump(statement->children[n - 1]);
    drop_last_break(statement);
}

void build_cases(SourceStatement *statement, Statements *cases, Arena *arena)
{
    if (cases->count)
        cases->items[cases->count - 1]->falls_through = false;
    build_children(statement, cases, arena);
}

bool build_never_returns(const char *function)
{
    static const char *const names[] = {"exit",
                                        "abort",
                                        "_exit",
                                        "_Exit",
                                        "quick_exit",
                                        "__assert_fail",
                                        "pthread_exit",
                                        "longjmp",
                                        "_longjmp",
                                        "siglongjmp",
                                        "MPI_Abort",
                                        "PMPI_Abort",
                                        "__builtin_unreachable",
                                        "__builtin_trap",
                                        "__builtin_abort"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], function) == 0)
            return true;
    return false;
}

void build_note(Notes *notes, SourcePlace place, const char *message, Arena *arena)
{
    for (size_t i = 0; i < notes->count; i++) {
        const SourceNote *other = &notes->items[i];
        if (other->place.line == place.line && strcmp(other->place.file, place.file) == 0 &&
            strcmp(other->message, message) == 0)
            return;
    }
    *vec_push(notes) = (SourceNote){place, arena_strdup(arena, message)};
}

SourceProgram *build_program(const char *language, Functions *functions, Notes *notes, Arena *arena)
{
    SourceProgram *program = arena_alloc(arena, sizeof *program);
    program->language = language;
    program->n_functions = functions->count;
    program->functions = take(functions->items, functions->count * sizeof *functions->items, arena);
    *functions = (Functions){0};
    program->n_notes = notes->count;
    program->notes = take(notes->items, notes->count * sizeof *notes->items, arena);
    *notes = (Notes){0};
    endings_find(program);
    return program;
}
