/* SPDX-License-Identifier: BSD-3-Clause */
/* A task's source as both front ends (C, Java) deliver it: functions of typed statements and
 * expressions, without features of only one language. Nothing is dropped: what a front end doesn't
 * understand stays as UNKNOWN or NOT_UNDERSTOOD, with its text. Source: docs/METHOD.md, section
 * 15. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "model/cpu.h"
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct SourcePlace {
    const char *file; /* as the user named it, or an include's name */
    unsigned line, column;
} SourcePlace;

/* What a whole number's type can hold: of C alone. TRUTH: 0 or 1, as _Bool. */
typedef enum SourceSign { SOURCE_SIGNED, SOURCE_UNSIGNED, SOURCE_TRUTH } SourceSign;

#define HELD_NOTHING "void"

/* The sizes of an array of arrays, the outermost first; 0: not fixed. */
typedef struct SourceSizes {
    size_t n;
    int64_t items[];
} SourceSizes;

/* A variable: a parameter, a local, or a global (field, static). Compared by pointer. */
typedef struct SourceVariable {
    const char *name;
    CpuType type;
    bool is_parameter, is_global;
    bool holds_fractions;     /* an array or a reference, of floating-point numbers: data that firma doesn't follow */
    bool is_static;           /* a global of one file or function */
    bool is_defined;          /* a global of the program's own, not of a library or another source */
    bool is_cleared;          /* parts that its initialiser doesn't name are 0, as in `int sizes[2] = {0}` */
    bool is_constant;         /* never assigned after its initialiser */
    double value;             /* of a constant; NAN if not a number */
    double initial;           /* of the initialiser; NAN if not a number */
    double bytes;             /* of all of it; 0: not known, or not fixed */
    double array_bytes;       /* of an array of a fixed size; 0: none */
    const char *text;         /* of what stands for a string literal; NULL: it's none */
    const SourceSizes *sizes; /* of an array of arrays, in C; NULL: it is none */
    const char *held;         /* of memory that a program allocates: as of an expression */
} SourceVariable;

typedef enum SourceExpressionKind {
    SOURCE_NUMBER, /* literal, sizeof, enumerator: value */
    SOURCE_TEXT,   /* string literal: a reference */
    SOURCE_VARIABLE,
    SOURCE_UNARY,     /* operator: "-" "+" "!" "~" */
    SOURCE_INCREMENT, /* operator: "++" or "--"; operands[0] */
    /* "+" "-" "*" "/" "%" "<" "<=" ">" ">=" "==" "!=" "&" "|" "^" "<<" ">>" ">>>" "&&" "||". */
    SOURCE_BINARY,
    SOURCE_ASSIGN,      /* "=" or "+=" …; operands: left, right */
    SOURCE_ELEMENT,     /* operands: array, index */
    SOURCE_LENGTH,      /* of an array: operands[0] */
    SOURCE_FIELD,       /* operands: object; name; of a union, it begins with | */
    SOURCE_DEREFERENCE, /* *p */
    SOURCE_ADDRESS,     /* &x */
    SOURCE_CAST,        /* to `type`; explicit, or implicit with a change of type */
    /* name: a function, or "object.method"; NULL: it isn't known which. operands: arguments. */
    SOURCE_CALL,
    SOURCE_CONDITIONAL, /* ?: */
    SOURCE_COMMA,
    SOURCE_NEW,    /* allocation; operands: sizes */
    SOURCE_UNKNOWN /* name: its text; operands: the understood parts */
} SourceExpressionKind;

typedef struct SourceExpression SourceExpression;
struct SourceExpression {
    SourceExpressionKind kind;
    /* Of the value. For comparisons, the common type of the compared operands. */
    CpuType type;
    SourceSign sign; /* of the value's type */
    SourcePlace place;
    SourcePlace end;          /* behind its last token, in C; line 0: not known */
    bool is_prefix;           /* of an INCREMENT: its value is that behind it */
    bool is_opposite;         /* the source has the opposite at this place (endless.h) */
    bool is_structure;        /* of C, itself and not a reference to it, so assignments copy it */
    unsigned structure_bytes; /* of such a one; of a field, the structure around it; 0: not known */
    unsigned bits;            /* of a field that is a bit-field; 0: it is none */
    const char *operator;     /* as in C */
    const char *name;
    const char *text; /* for people: as in the source, one line, at most 60 characters */
    double value;
    const char *literal; /* of a TEXT in C: its characters; NULL: not known */
    const SourceVariable *variable;
    const SourceSizes *sizes; /* of a FIELD that is an array of arrays, as of a variable */
    /* Of C, where known: of what type the memory is that an lvalue denotes, and that a reference points to; and as what
     * casts of the reference take it, which leave no other trace. Numbers of one size are the same, arrays are what they
     * hold. HELD_NOTHING: void. */
    const char *held, *pointee, *taken_as;
    bool never_returns;    /* a call behind which nothing runs: exit, throw */
    bool is_not_allocated; /* a new object that the JVM keeps in registers (escape.h) */
    bool allocates;        /* a call whose result is a new object, which counts here (escape.h) */
    bool is_recycled;      /* an allocation in C that may get memory which was freed before (recycling.h) */
    const struct SourceStatement *recycled_in; /* a loop that frees in each iteration what is allocated there; or NULL */
    unsigned unit_bytes;   /* of an allocation: its bytes are the product of its operands and this; 0: not known */
    /* Of a call without a name: the pointer that is called (C), or the methods that may run (Java). */
    SourceExpression *callee;
    size_t n_targets;
    const char *const *targets;
    size_t n_operands;
    SourceExpression *const *operands;
};

typedef enum SourceStatementKind {
    SOURCE_BLOCK,      /* children */
    SOURCE_EXPRESSION, /* expressions[0] */
    /* variable; expressions[0]: initialiser or NULL. */
    SOURCE_DECLARE,
    SOURCE_IF, /* expressions[0]; children[0], children[1] or NULL */
    /* children[0]: initialisation or NULL; [1]: body. expressions[0]: condition or NULL; [1]: step
     * or NULL. */
    SOURCE_FOR,
    SOURCE_WHILE,    /* expressions[0]; children[0] */
    SOURCE_DO,       /* children[0]; expressions[0] */
    SOURCE_FOR_EACH, /* java: variable; expressions[0]: array or collection; children[0] */
    SOURCE_SWITCH,   /* expressions[0]; children: SOURCE_CASE */
    /* expressions: labels (none: default); children: statements; falls_through: doesn't end with a
     * jump. */
    SOURCE_CASE,
    SOURCE_RETURN, /* expressions[0], or none */
    SOURCE_BREAK,
    SOURCE_CONTINUE,
    SOURCE_NOT_UNDERSTOOD /* text; children: the understood parts (try blocks, goto labels …) */
} SourceStatementKind;

/* How OpenMP's threads execute a statement. */
typedef struct SourceTeam {
    bool starts;        /* a parallel region: each thread executes the statement */
    bool shares;        /* a loop, of whose iterations each thread executes some */
    unsigned n_threads; /* of the region; 0: the source doesn't say */
} SourceTeam;

typedef struct SourceStatement SourceStatement;
struct SourceStatement {
    SourceStatementKind kind;
    SourcePlace place;
    const char *text; /* NOT_UNDERSTOOD: description for people */
    const SourceVariable *variable;
    bool falls_through;
    const SourceTeam *team; /* NULL: one thread */
    size_t n_expressions, n_children;
    SourceExpression *const *expressions;
    SourceStatement *const *children;
};

typedef struct SourceFunction {
    /* C: name. Java: Class.method; overloads have parameter types, "Pi.f(int,double)". */
    const char *name;
    SourcePlace place;
    bool is_static; /* of C: other files don't see it */
    bool returns_value;
    CpuType return_type;
    size_t n_parameters;
    SourceVariable *const *parameters;
    SourceStatement *body;
} SourceFunction;

/* A construct that counts as another one: "long double counts as double". */
typedef struct SourceNote {
    SourcePlace place;
    const char *message;
} SourceNote;

typedef struct SourceProgram {
    const char *language;
    size_t n_functions;
    const SourceFunction *functions; /* functions whose bodies are available */
    size_t n_notes;
    const SourceNote *notes;
    size_t n_initials; /* assignments of initial values to parts of global variables */
    SourceExpression *const *initials;
    size_t n_files; /* of C: the source, and what it includes but the system's headers */
    const char *const *files;
    size_t n_globals; /* of C, that other sources see */
    SourceVariable *const *globals;
} SourceProgram;

typedef struct SourceOptions {
    const char *file;    /* path */
    const char *options; /* of the compiler: -I, -D, …; Java: -cp */
    const char *prelude; /* C: text that the compiler includes before the source; NULL: none */
} SourceOptions;

/* Whether the compiler obeys OpenMP's directives with these options, which may be NULL. */
static inline bool source_has_threads(const char *options)
{
    return options && strstr(options, "-fopenmp");
}

/* ERR_INPUT: a syntax error, with file, line, column and the compiler's message. ERR_ENVIRONMENT:
 * the front end isn't built in, or its compiler is missing. */
bool source_read_c(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err);
bool source_read_java(const SourceOptions *options, Arena *arena, SourceProgram **program, Err *err);

/* The version of libclang, if it can be loaded. ERR_ENVIRONMENT: it can't; the hint says what to
 * install. */
bool source_find_clang(Arena *arena, const char **version, Err *err);

/* The function with this name; a unique last part is enough. NULL: none. */
const SourceFunction *source_find(const SourceProgram *program, const char *name);

/* Whether the test holds of an expression: of this one or one in it, or of any in the statement. NULL has none. A
 * test that holds ends the search. */
typedef bool SourceTest(const SourceExpression *expression, void *self);
bool source_any_in_expression(const SourceExpression *expression, SourceTest *test, void *self);
bool source_any_in(const SourceStatement *statement, SourceTest *test, void *self);
