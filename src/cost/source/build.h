/* SPDX-License-Identifier: BSD-3-Clause */
/* What front ends put programs together with. Lists are taken: they're freed, and empty afterwards. */
#pragma once

#include "base/vec.h"
#include "cost/source/program.h"

typedef VEC(SourceExpression *) Expressions;
typedef VEC(SourceStatement *) Statements;
typedef VEC(SourceFunction) Functions;
typedef VEC(SourceNote) Notes;

/* Without a type, operands or a value. text: one line, at most 60 characters. */
SourceExpression *build_expression(SourceExpressionKind kind, SourcePlace place, const char *text, Arena *arena);
void build_operands(SourceExpression *expression, Expressions *operands, Arena *arena);
void build_operand(SourceExpression *expression, SourceExpression *operand, Arena *arena);
void build_two_operands(SourceExpression *expression, SourceExpression *left, SourceExpression *right, Arena *arena);

SourceStatement *build_statement(SourceStatementKind kind, SourcePlace place, Arena *arena);
SourceStatement *build_statement_of(SourceExpression *expression, SourcePlace place, Arena *arena);
void build_expressions(SourceStatement *statement, Expressions *expressions, Arena *arena);
void build_children(SourceStatement *statement, Statements *children, Arena *arena);

/* A case that has its statements: whether it falls through is told by the last of them. The break that ends it isn't
 * one of them from then on; others stay. */
void build_case_end(SourceStatement *statement);

/* The switch's cases, of which the last one ends. */
void build_cases(SourceStatement *statement, Statements *cases, Arena *arena);

/* Once a line. */
void build_note(Notes *notes, SourcePlace place, const char *message, Arena *arena);

SourceProgram *build_program(const char *language, Functions *functions, Notes *notes, Arena *arena);
