/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions by which front ends build programs. Functions that take a list free it, and leave it
 * empty. */
#pragma once

#include "base/vec.h"
#include "cost/source/program/program.h"

typedef VEC(SourceExpression *) Expressions;
typedef VEC(SourceStatement *) Statements;
typedef VEC(SourceVariable *) Variables;
typedef VEC(SourceFunction) Functions;
typedef VEC(SourceNote) Notes;

/* A new expression without type, operands or value. `text`: one line, at most 60 characters. */
SourceExpression *build_expression(SourceExpressionKind kind, SourcePlace place, const char *text, Arena *arena);
void build_operands(SourceExpression *expression, Expressions *operands, Arena *arena);
void build_operand(SourceExpression *expression, SourceExpression *operand, Arena *arena);
void build_two_operands(SourceExpression *expression, SourceExpression *left, SourceExpression *right, Arena *arena);

SourceStatement *build_statement(SourceStatementKind kind, SourcePlace place, Arena *arena);
SourceStatement *build_statement_of(SourceExpression *expression, SourcePlace place, Arena *arena);
void build_expressions(SourceStatement *statement, Expressions *expressions, Arena *arena);
void build_children(SourceStatement *statement, Statements *children, Arena *arena);

/* Completes a case that has its statements: sets falls_through, and removes a `break` at the
 * end. */
void build_case_end(SourceStatement *statement);

/* Sets a switch's cases. The last case doesn't fall through. */
void build_cases(SourceStatement *statement, Statements *cases, Arena *arena);

/* Adds a note, unless the line has the same note already. */
void build_note(Notes *notes, SourcePlace place, const char *message, Arena *arena);

/* Of library functions that headers don't always declare so: exit, abort, MPI_Abort … */
bool build_never_returns(const char *function);

/* Completes a program: also finds the calls of its functions that never return. */
SourceProgram *build_program(const char *language, Functions *functions, Notes *notes, Arena *arena);
