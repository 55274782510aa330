/* SPDX-License-Identifier: BSD-3-Clause */
/* C statements. */
#include "cost/source/c/tree.h"

static bool is_expression(CReader *reader, CXCursor cursor)
{
    return reader->clang->isExpression(reader->clang->getCursorKind(cursor));
}

static SourceStatement *not_understood(CReader *reader, CXCursor cursor, const char *what)
{
    SourceStatement *statement = c_statement_new(reader, cursor, SOURCE_NOT_UNDERSTOOD);
    Cursors cursors = c_children(reader, cursor);
    Statements children = {0};
    statement->text = what;
    for (size_t i = 0; i < cursors.count; i++) {
        enum CXCursorKind kind = reader->clang->getCursorKind(cursors.items[i]);
        if (reader->clang->isStatement(kind) || is_expression(reader, cursors.items[i]))
            *vec_push(&children) = c_statement(reader, cursors.items[i]);
    }
    vec_free(&cursors);
    build_children(statement, &children, reader->arena);
    return statement;
}

static SourceStatement *statement_of(CReader *reader, CXCursor cursor, SourceExpression *expression)
{
    return build_statement_of(expression, c_place(reader, cursor), reader->arena);
}

static SourceStatement *block(CReader *reader, CXCursor cursor)
{
    SourceStatement *statement = c_statement_new(reader, cursor, SOURCE_BLOCK);
    Cursors cursors = c_children(reader, cursor);
    Statements children = {0};
    for (size_t i = 0; i < cursors.count; i++)
        *vec_push(&children) = c_statement(reader, cursors.items[i]);
    vec_free(&cursors);
    build_children(statement, &children, reader->arena);
    return statement;
}

/* Declares one variable. An initialiser list becomes assignments to its parts. Static variables get
 * their values before the program begins. */
static void declare(CReader *reader, CXCursor cursor, Statements *statements)
{
    const Clang *clang = reader->clang;
    CXCursor value = clang->Cursor_getVarDeclInitializer(cursor);
    SourceStatement *statement = c_statement_new(reader, cursor, SOURCE_DECLARE);
    Expressions expressions = {0};
    bool has_value = !clang->Cursor_isNull(value) && clang->Cursor_hasVarDeclGlobalStorage(cursor) != 1;
    bool is_list = has_value && clang->getCursorKind(value) == CXCursor_InitListExpr &&
                   !c_is_number(reader, clang->getCursorType(value));
    SourceVariable *variable = c_variable(reader, cursor);
    variable->is_cleared = is_list;
    statement->variable = variable;
    *vec_push(&expressions) = has_value && !is_list ? c_expression(reader, value) : NULL;
    build_expressions(statement, &expressions, reader->arena);
    *vec_push(statements) = statement;
    if (!is_list)
        return;
    SourceExpression *target = c_expression_new(reader, cursor, SOURCE_VARIABLE);
    target->variable = statement->variable;
    Expressions assignments = {0};
    c_initialise(reader, value, target, &assignments);
    for (size_t i = 0; i < assignments.count; i++)
        *vec_push(statements) = statement_of(reader, cursor, assignments.items[i]);
    vec_free(&assignments);
}

static SourceStatement *declarations(CReader *reader, CXCursor cursor)
{
    Cursors cursors = c_children(reader, cursor);
    Statements children = {0};
    for (size_t i = 0; i < cursors.count; i++)
        if (reader->clang->getCursorKind(cursors.items[i]) == CXCursor_VarDecl)
            declare(reader, cursors.items[i], &children);
    vec_free(&cursors);
    if (children.count == 1) {
        SourceStatement *only = children.items[0];
        vec_free(&children);
        return only;
    }
    SourceStatement *statement = c_statement_new(reader, cursor, SOURCE_BLOCK);
    build_children(statement, &children, reader->arena);
    return statement;
}

/* Reads a statement's children: first n_expressions, then statements. A do's condition comes
 * last. */
static SourceStatement *with_parts(CReader *reader, CXCursor cursor, SourceStatementKind kind)
{
    Cursors cursors = c_children(reader, cursor);
    Expressions expressions = {0};
    Statements children = {0};
    size_t condition = kind == SOURCE_DO ? 1 : 0;
    if (cursors.count < 2 || !is_expression(reader, cursors.items[condition])) {
        vec_free(&cursors);
        return not_understood(reader, cursor, "a declaration as condition");
    }
    SourceStatement *statement = c_statement_new(reader, cursor, kind);
    for (size_t i = 0; i < cursors.count; i++)
        if (i == condition)
            *vec_push(&expressions) = c_expression(reader, cursors.items[i]);
        else
            *vec_push(&children) = c_statement(reader, cursors.items[i]);
    if (kind == SOURCE_IF && children.count == 1)
        *vec_push(&children) = NULL;
    vec_free(&cursors);
    build_expressions(statement, &expressions, reader->arena);
    build_children(statement, &children, reader->arena);
    return statement;
}

static SourceStatement *for_statement(CReader *reader, CXCursor cursor)
{
    Cursors cursors = c_children(reader, cursor);
    if (cursors.count < 1 || cursors.count > C_FOR_PARTS + 1) {
        vec_free(&cursors);
        return not_understood(reader, cursor, "a loop with a declaration as condition");
    }
    SourceStatement *statement = c_statement_new(reader, cursor, SOURCE_FOR);
    const CXCursor *parts[C_FOR_PARTS] = {NULL};
    Expressions expressions = {0};
    Statements children = {0};
    c_for_parts(reader, cursor, &cursors, parts);
    *vec_push(&children) = parts[C_FOR_INITIALISATION] ? c_statement(reader, *parts[C_FOR_INITIALISATION]) : NULL;
    for (int part = C_FOR_CONDITION; part <= C_FOR_STEP; part++)
        *vec_push(&expressions) = parts[part] ? c_expression(reader, *parts[part]) : NULL;
    *vec_push(&children) = c_statement(reader, cursors.items[cursors.count - 1]);
    vec_free(&cursors);
    build_expressions(statement, &expressions, reader->arena);
    build_children(statement, &children, reader->arena);
    return statement;
}

static SourceStatement *case_statement(CReader *reader, CCase *one)
{
    SourceStatement *statement = c_statement_new(reader, one->cursor, SOURCE_CASE);
    Statements children = {0};
    for (size_t i = 0; i < one->statements.count; i++)
        *vec_push(&children) = c_statement(reader, one->statements.items[i]);
    vec_free(&one->statements);
    build_expressions(statement, &one->labels, reader->arena);
    build_children(statement, &children, reader->arena);
    build_case_end(statement);
    return statement;
}

static SourceStatement *switch_statement(CReader *reader, CXCursor cursor)
{
    Cursors parts = c_children(reader, cursor);
    if (parts.count != 2 || reader->clang->getCursorKind(parts.items[1]) != CXCursor_CompoundStmt) {
        vec_free(&parts);
        return not_understood(reader, cursor, "a switch without a block");
    }
    SourceStatement *statement = c_statement_new(reader, cursor, SOURCE_SWITCH);
    Expressions expressions = {0};
    Statements children = {0};
    CCases cases = {0};
    *vec_push(&expressions) = c_expression(reader, parts.items[0]);
    c_cases(reader, parts.items[1], &cases);
    for (size_t i = 0; i < cases.count; i++)
        *vec_push(&children) = case_statement(reader, &cases.items[i]);
    vec_free(&cases);
    vec_free(&parts);
    build_expressions(statement, &expressions, reader->arena);
    build_cases(statement, &children, reader->arena);
    return statement;
}

static SourceStatement *return_statement(CReader *reader, CXCursor cursor)
{
    SourceStatement *statement = c_statement_new(reader, cursor, SOURCE_RETURN);
    Cursors cursors = c_children(reader, cursor);
    Expressions expressions = {0};
    if (cursors.count)
        *vec_push(&expressions) = c_expression(reader, cursors.items[0]);
    vec_free(&cursors);
    build_expressions(statement, &expressions, reader->arena);
    return statement;
}

/* Assembler code may change the variables that it names. */
static SourceStatement *assembler(CReader *reader, CXCursor cursor)
{
    SourceStatement *statement = not_understood(reader, cursor, "assembler code");
    for (size_t i = 0; i < statement->n_children; i++) {
        const SourceStatement *child = statement->children[i];
        if (child->kind == SOURCE_EXPRESSION && child->expressions[0]->kind == SOURCE_VARIABLE)
            c_assigned(reader, child->expressions[0]->variable);
    }
    return statement;
}

/* What stands inside of brackets, (void), __extension__ and the left sides of commas that do
 * nothing. assert() has all of these. */
static bool find_statement_expression(CReader *reader, CXCursor cursor, CXCursor *block)
{
    Cursors children = c_children(reader, cursor);
    bool is_found = false;
    switch (reader->clang->getCursorKind(cursor)) {
    case CXCursor_StmtExpr:
        is_found = children.count == 1;
        *block = is_found ? children.items[0] : *block;
        break;
    case CXCursor_BinaryOperator:
        is_found = children.count == 2 &&
                   strcmp(c_binary_operator(reader, cursor, children.items[0], children.items[1]), ",") == 0 &&
                   c_expression(reader, children.items[0])->kind == SOURCE_NUMBER &&
                   find_statement_expression(reader, children.items[1], block);
        break;
    case CXCursor_ParenExpr:
    case CXCursor_UnaryOperator:
    case CXCursor_CStyleCastExpr:
    case CXCursor_UnexposedExpr:
        is_found = children.count > 0 && find_statement_expression(reader, children.items[children.count - 1], block);
        break;
    default:
        break;
    }
    vec_free(&children);
    return is_found;
}

static SourceStatement *expression_statement(CReader *reader, CXCursor cursor)
{
    CXCursor inner;
    return find_statement_expression(reader, cursor, &inner)
               ? block(reader, inner)
               : statement_of(reader, cursor, c_expression(reader, cursor));
}

static SourceStatement *jump(CReader *reader, CXCursor cursor)
{
    SourceStatement *statement = not_understood(reader, cursor, "goto");
    if (reader->clang->getCursorKind(cursor) == CXCursor_GotoStmt)
        c_jump(reader, cursor, statement);
    return statement;
}

static SourceStatement *label(CReader *reader, CXCursor cursor)
{
    SourceStatement *statement = not_understood(reader, cursor, "a label that goto may jump to");
    c_label(reader, cursor, statement);
    return statement;
}

static SourceStatement *read_statement(CReader *reader, CXCursor cursor)
{
    enum CXCursorKind kind = reader->clang->getCursorKind(cursor);
    if (is_expression(reader, cursor))
        return expression_statement(reader, cursor);
    switch (kind) {
    case CXCursor_CompoundStmt:
    case CXCursor_NullStmt:
        return block(reader, cursor);
    case CXCursor_DeclStmt:
        return declarations(reader, cursor);
    case CXCursor_IfStmt:
        return with_parts(reader, cursor, SOURCE_IF);
    case CXCursor_ForStmt:
        return for_statement(reader, cursor);
    case CXCursor_WhileStmt:
        return with_parts(reader, cursor, SOURCE_WHILE);
    case CXCursor_DoStmt:
        return with_parts(reader, cursor, SOURCE_DO);
    case CXCursor_SwitchStmt:
        return switch_statement(reader, cursor);
    case CXCursor_ReturnStmt:
        return return_statement(reader, cursor);
    case CXCursor_BreakStmt:
        return c_statement_new(reader, cursor, SOURCE_BREAK);
    case CXCursor_ContinueStmt:
        return c_statement_new(reader, cursor, SOURCE_CONTINUE);
    case CXCursor_GotoStmt:
    case CXCursor_IndirectGotoStmt:
        return jump(reader, cursor);
    case CXCursor_LabelStmt:
        return label(reader, cursor);
    case CXCursor_AsmStmt:
        return assembler(reader, cursor);
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        return not_understood(reader, cursor, "a case inside another statement");
    case CXCursor_UnexposedStmt: /* attributes */
        return block(reader, cursor);
    default:
        return not_understood(reader, cursor, c_string(reader, reader->clang->getCursorKindSpelling(kind)));
    }
}

SourceStatement *c_statement(CReader *reader, CXCursor cursor)
{
    if (reader->depth >= C_DEPTH_LIMIT) {
        SourceStatement *statement = c_statement_new(reader, cursor, SOURCE_NOT_UNDERSTOOD);
        statement->text = arena_printf(reader->arena, "statements nested more than %d deep", C_DEPTH_LIMIT);
        return statement;
    }
    reader->depth++;
    SourceStatement *statement = read_statement(reader, cursor);
    if (statement->kind == SOURCE_FOR || statement->kind == SOURCE_BLOCK)
        c_directives(reader, cursor, statement);
    reader->depth--;
    return statement;
}
