/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts libclang's cursors to the statements and expressions of cost/source/program/program.h. A cursor
 * that isn't understood becomes UNKNOWN or NOT_UNDERSTOOD, with the children that are
 * understood. */
#pragma once

#include "base/map.h"
#include "cost/source/c/clang.h"
#include "cost/source/program/build.h"

typedef VEC(CXCursor) Cursors;

typedef struct CVariable {
    CXCursor cursor; /* canonical declaration */
    SourceVariable *variable;
    /* Assigned somewhere, its address is taken, or other units may assign it. */
    bool is_assigned;
    size_t next; /* next with the same hash, + 1; 0: none */
} CVariable;

/* A jump, or a label. */
typedef struct CJump {
    const char *label;
    SourceStatement *statement;
    size_t index; /* of a jump: in which statement of the function's outermost block it is */
} CJump;

typedef struct CReader {
    const Clang *clang;
    Arena *arena;
    CXTranslationUnit unit;
    VEC(CVariable) variables;
    Map variable_of_hash; /* index + 1 */
    Cursors functions;    /* definitions to read; reading adds called functions */
    Notes notes;
    VEC(CJump) jumps, labels; /* of the function that is read */
    /* A cache of the last file's name, because most places are in the same file. */
    CXFile last_file;
    const char *last_name;
    unsigned depth;               /* depth of the expression or statement being read */
    bool has_threads;             /* the options turn on OpenMP's directives */
    VEC(const char *) directives; /* those that a statement has, in the source's text */
} CReader;

/* Deeper nesting isn't understood, because reading is recursive. */
enum { C_DEPTH_LIMIT = 1000 };

/* places.c */
Cursors c_children(CReader *reader, CXCursor cursor); /* the caller frees it */
/* Copies to the arena, and disposes of the string. */
const char *c_string(CReader *reader, CXString string);
/* A member's name as firma has it: those of a union, which share their memory, begin with |. */
const char *c_member_name(CReader *reader, CXCursor member);
/* Of a bit-field; 0: the member is none. */
unsigned c_member_bits(CReader *reader, CXCursor member);
/* headers.c: the options for libclang, with the folder of OpenMP's header if the source needs it. */
const char *c_options(const SourceOptions *options, Arena *arena);

SourcePlace c_place(CReader *reader, CXCursor cursor);
/* Behind its last token. */
SourcePlace c_end(CReader *reader, CXCursor cursor);
bool c_same_start(CReader *reader, CXCursor a, CXCursor b);
const char *c_text(CReader *reader, CXCursor cursor);               /* one line, for people */
void c_note(CReader *reader, CXCursor cursor, const char *message); /* at most once a line */

/* types.c: the machine type. False if costs of the type aren't known (complex numbers, vectors).
 * Structures count as references, and void as int32, because no operation computes with them. */
bool c_type(CReader *reader, CXCursor cursor, CpuType *type);
bool c_cpu_type(CReader *reader, CXCursor cursor, CXType type, CpuType *cpu_type);
bool c_is_number(CReader *reader, CXType type);
/* Whether it's an array or a pointer, of floating-point numbers. */
bool c_holds_fractions(CReader *reader, CXType type);
SourceSign c_sign(CReader *reader, CXType type);
/* What memory of this type holds (see SourceExpression). NULL: not known. */
const char *c_held(CReader *reader, CXType type);
/* NULL: not an array of arrays. */
const SourceSizes *c_sizes(CReader *reader, CXType type);

/* variables.c */
SourceVariable *c_variable(CReader *reader, CXCursor declaration);
void c_assigned(CReader *reader, const SourceVariable *variable);
void c_finish_variables(CReader *reader);
bool c_evaluate(CReader *reader, CXCursor cursor, double *value);

/* attributes.c: whether the function's declaration says so, or the library's documentation. */
bool c_never_returns(CReader *reader, CXCursor function);

/* nodes.c */
SourceExpression *c_expression_new(CReader *reader, CXCursor cursor, SourceExpressionKind kind);
SourceStatement *c_statement_new(CReader *reader, CXCursor cursor, SourceStatementKind kind);

/* operators.c: operators as in C; NULL: not found. */
const char *c_binary_operator(CReader *reader, CXCursor cursor, CXCursor left, CXCursor right);
/* Of ++ and --. */
bool c_is_postfix(CReader *reader, CXCursor cursor, CXCursor operand);
const char *c_unary_operator(CReader *reader, CXCursor cursor, CXCursor operand);

/* initialisers.c: a value of `= {…}` for a part of the target. */
typedef struct InitialValue {
    SourceExpression *part;
    CXCursor value;
} InitialValue;
typedef VEC(InitialValue) InitialValues;
void c_initial_values(CReader *reader, CXCursor list, SourceExpression *target, InitialValues *found);

/* expressions.c */
SourceExpression *c_expression(CReader *reader, CXCursor cursor);
SourceExpression *c_unknown(CReader *reader, CXCursor cursor);
/* Reads `= value` or `= {…}` as assignments to the target, or to its parts. */
void c_initialise_any(CReader *reader, CXCursor value, SourceExpression *target, Expressions *assignments);
/* Reads `= {…}` as assignments to the parts of `target`. */
void c_initialise(CReader *reader, CXCursor list, SourceExpression *target, Expressions *assignments);

/* sizes.c: of a type with arrays whose sizes the program computes; NULL: it isn't understood. */
SourceExpression *c_size(CReader *reader, CXCursor cursor);

/* loops.c: which child of a for is which part; NULL: absent. The last child is the body. */
enum { C_FOR_INITIALISATION, C_FOR_CONDITION, C_FOR_STEP, C_FOR_PARTS };
void c_for_parts(CReader *reader, CXCursor loop, const Cursors *cursors, const CXCursor *parts[C_FOR_PARTS]);

/* cases.c: a switch's block, split at its labels. */
typedef struct CCase {
    CXCursor cursor;
    Expressions labels; /* none for default */
    Cursors statements;
} CCase;
typedef VEC(CCase) CCases;
void c_cases(CReader *reader, CXCursor block, CCases *cases);

/* jumps.c: notes a jump and a label, which count as not understood; makes those understood that jump forward. */
void c_jump(CReader *reader, CXCursor cursor, SourceStatement *statement);
void c_label(CReader *reader, CXCursor cursor, SourceStatement *statement);
void c_resolve_jumps(CReader *reader, SourceStatement *body);

/* directives.c: how threads of OpenMP execute a loop or a block; what they don't do as firma counts it
 * becomes a note. `name`: of the source. */
void c_directives(CReader *reader, CXCursor cursor, SourceStatement *statement);
void c_note_directives(CReader *reader, const char *name);

/* statements.c */
SourceStatement *c_statement(CReader *reader, CXCursor cursor);

/* parse.c: the translation unit; ERR_INPUT with the compiler's message. */
bool c_parse(const Clang *clang, CXIndex index, const SourceOptions *options, Arena *arena, CXTranslationUnit *unit,
             Err *err);
