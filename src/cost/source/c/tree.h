/* SPDX-License-Identifier: BSD-3-Clause */
/* From libclang's cursors to the statements and expressions of cost/source/program.h. A cursor that isn't understood
 * becomes UNKNOWN or NOT_UNDERSTOOD, with what of it was. */
#pragma once

#include "base/map.h"
#include "cost/source/build.h"
#include "cost/source/c/clang.h"

typedef VEC(CXCursor) Cursors;

typedef struct CVariable {
    CXCursor cursor; /* canonical declaration */
    SourceVariable *variable;
    bool is_assigned; /* or its address is taken, or other units may assign it */
    size_t next;      /* with the same hash, + 1; 0: none */
} CVariable;

typedef struct CReader {
    const Clang *clang;
    Arena *arena;
    CXTranslationUnit unit;
    VEC(CVariable) variables;
    Map variable_of_hash; /* index + 1 */
    Cursors functions;    /* definitions to be read: those called are added while they are read */
    Notes notes;
    CXFile last_file; /* whose name is last_name: most places are in the same */
    const char *last_name;
    unsigned depth; /* of the expression or statement that is read */
} CReader;

/* Deeper ones aren't understood: they are read by recursion. */
enum { C_DEPTH_LIMIT = 1000 };

/* places.c */
Cursors c_children(CReader *reader, CXCursor cursor);   /* to be freed */
const char *c_string(CReader *reader, CXString string); /* in the arena; disposed of */
SourcePlace c_place(CReader *reader, CXCursor cursor);
bool c_same_start(CReader *reader, CXCursor a, CXCursor b);
const char *c_text(CReader *reader, CXCursor cursor);               /* one line, for people */
void c_note(CReader *reader, CXCursor cursor, const char *message); /* once a line */

/* types.c: false: no type that costs are known of, as complex numbers and vectors. Structures and void are references
 * and int32: nobody computes with them. */
bool c_type(CReader *reader, CXCursor cursor, CpuType *type);
bool c_cpu_type(CReader *reader, CXCursor cursor, CXType type, CpuType *cpu_type);
bool c_is_number(CReader *reader, CXType type);

/* variables.c */
SourceVariable *c_variable(CReader *reader, CXCursor declaration);
void c_assigned(CReader *reader, const SourceVariable *variable);
void c_finish_variables(CReader *reader);
bool c_evaluate(CReader *reader, CXCursor cursor, double *value);

/* nodes.c */
SourceExpression *c_expression_new(CReader *reader, CXCursor cursor, SourceExpressionKind kind);
SourceStatement *c_statement_new(CReader *reader, CXCursor cursor, SourceStatementKind kind);

/* operators.c: as in C; NULL: not found. */
const char *c_binary_operator(CReader *reader, CXCursor cursor, CXCursor left, CXCursor right);
const char *c_unary_operator(CReader *reader, CXCursor cursor, CXCursor operand);

/* initialisers.c: `= {…}` as values for parts of what `target` is. */
typedef struct InitialValue {
    SourceExpression *part;
    CXCursor value;
} InitialValue;
typedef VEC(InitialValue) InitialValues;
void c_initial_values(CReader *reader, CXCursor list, SourceExpression *target, InitialValues *found);

/* expressions.c */
SourceExpression *c_expression(CReader *reader, CXCursor cursor);
SourceExpression *c_unknown(CReader *reader, CXCursor cursor);
/* `= {…}` as assignments to what `target` is. */
void c_initialise(CReader *reader, CXCursor list, SourceExpression *target, Expressions *assignments);

/* loops.c: which of a for's children is which part, NULL: none is. The last child is the body. */
enum { C_FOR_INITIALISATION, C_FOR_CONDITION, C_FOR_STEP, C_FOR_PARTS };
void c_for_parts(CReader *reader, CXCursor loop, const Cursors *cursors, const CXCursor *parts[C_FOR_PARTS]);

/* cases.c: a switch's block by its labels. */
typedef struct CCase {
    CXCursor cursor;
    Expressions labels; /* none: default */
    Cursors statements;
} CCase;
typedef VEC(CCase) CCases;
void c_cases(CReader *reader, CXCursor block, CCases *cases);

/* statements.c */
SourceStatement *c_statement(CReader *reader, CXCursor cursor);

/* parse.c: the unit, or ERR_INPUT as the compiler says. */
bool c_parse(const Clang *clang, CXIndex index, const SourceOptions *options, CXTranslationUnit *unit, Err *err);
