/* SPDX-License-Identifier: BSD-3-Clause */
/* A task's source as both front ends (C, Java) hand it on: functions of typed statements and expressions, without what
 * only one language has. What a front end doesn't understand stays in place as UNKNOWN with its text: nothing is
 * dropped. Source: spec 2 §2.3 (SCAn). */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/cpu.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct SourcePlace {
    const char *file; /* as the user named it, or the include's name */
    unsigned line, column;
} SourcePlace;

/* One variable: a parameter, a local, or a global (field, static). Compared by pointer. */
typedef struct SourceVariable {
    const char *name;
    CpuType type;
    bool is_parameter, is_global;
    bool is_constant; /* never assigned after its initialiser: `value` holds */
    double value;     /* of a constant; NAN if it isn't a number */
} SourceVariable;

typedef enum SourceExpressionKind {
    SOURCE_NUMBER, /* literal, sizeof, enumerator: value */
    SOURCE_TEXT,   /* string literal: a reference */
    SOURCE_VARIABLE,
    SOURCE_UNARY,       /* operator: "-" "+" "!" "~" */
    SOURCE_INCREMENT,   /* operator: "++" or "--", prefix or postfix; operands[0] */
    SOURCE_BINARY,      /* "+" "-" "*" "/" "%" "<" "<=" ">" ">=" "==" "!=" "&" "|" "^" "<<" ">>" ">>>" "&&" "||" */
    SOURCE_ASSIGN,      /* "=" or "+=" …; operands: left, right */
    SOURCE_ELEMENT,     /* operands: array, index */
    SOURCE_LENGTH,      /* of an array: operands[0] */
    SOURCE_FIELD,       /* operands: object; name */
    SOURCE_DEREFERENCE, /* *p */
    SOURCE_ADDRESS,     /* &x */
    SOURCE_CAST,        /* to `type`; explicit and implicit ones that change the type */
    SOURCE_CALL, /* name: function's name, or "object.method"; operands: arguments. function: if its source is known */
    SOURCE_CONDITIONAL, /* ?: */
    SOURCE_COMMA,
    SOURCE_NEW,    /* allocation; operands: sizes */
    SOURCE_UNKNOWN /* name: its text; operands: what of it was understood */
} SourceExpressionKind;

typedef struct SourceExpression SourceExpression;
struct SourceExpression {
    SourceExpressionKind kind;
    CpuType type; /* of the value; of compared operands' common type for comparisons: see operand types */
    SourcePlace place;
    const char *operator; /* as in C */
    const char *name;
    const char *text; /* as in the source, one line, at most 60 characters: for people */
    double value;
    const SourceVariable *variable;
    size_t n_operands;
    SourceExpression *const *operands;
};

typedef enum SourceStatementKind {
    SOURCE_BLOCK,      /* children */
    SOURCE_EXPRESSION, /* expressions[0] */
    SOURCE_DECLARE,    /* variable, expressions[0]: initialiser, or NULL */
    SOURCE_IF,         /* expressions[0]; children[0], children[1] or NULL */
    SOURCE_FOR, /* children[0]: initialisation or NULL, children[1]: body; expressions[0]: condition or NULL, [1]: step
                   or NULL */
    SOURCE_WHILE,    /* expressions[0]; children[0] */
    SOURCE_DO,       /* children[0]; expressions[0] */
    SOURCE_FOR_EACH, /* java: variable; expressions[0]: array or collection; children[0] */
    SOURCE_SWITCH,   /* expressions[0]; children: SOURCE_CASE */
    SOURCE_CASE,   /* expressions: labels (none: default); children: statements; falls_through: its end isn't a break */
    SOURCE_RETURN, /* expressions[0], or none */
    SOURCE_BREAK,
    SOURCE_CONTINUE,
    SOURCE_NOT_UNDERSTOOD /* text; children: what of it was (try blocks, goto labels …) */
} SourceStatementKind;

typedef struct SourceStatement SourceStatement;
struct SourceStatement {
    SourceStatementKind kind;
    SourcePlace place;
    const char *text; /* NOT_UNDERSTOOD: what it is, for people */
    const SourceVariable *variable;
    bool falls_through;
    size_t n_expressions, n_children;
    SourceExpression *const *expressions;
    SourceStatement *const *children;
};

typedef struct SourceFunction {
    const char *name; /* C: name; Java: Class.method (overloads: with parameter types, "Pi.f(int,double)", if there are
                         several) */
    SourcePlace place;
    bool returns_value;
    CpuType return_type;
    size_t n_parameters;
    SourceVariable *const *parameters;
    SourceStatement *body;
} SourceFunction;

/* What a front end took for something else that costs alike: "long double is taken as double". */
typedef struct SourceNote {
    SourcePlace place;
    const char *message;
} SourceNote;

typedef struct SourceProgram {
    const char *language;
    size_t n_functions;
    const SourceFunction *functions; /* those whose bodies are there */
    size_t n_notes;
    const SourceNote *notes;
} SourceProgram;

typedef struct SourceOptions {
    const char *file;    /* path */
    const char *options; /* of the compiler: -I, -D, …; classpath folder */
} SourceOptions;

/* Syntax errors: ERR_INPUT with file, line, column and the compiler's words. A front end that isn't built in:
 * ERR_ENVIRONMENT. */
bool source_read_c(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err);
bool source_read_java(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err);

/* The version of libclang, if C sources can be read here. ERR_ENVIRONMENT: they can't, and what to install. */
bool source_find_clang(Arena *arena, const char **version, Err *err);

/* By its name; a unique last part is enough. NULL: none. */
const SourceFunction *source_find(const SourceProgram *program, const char *name);
