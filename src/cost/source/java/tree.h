/* SPDX-License-Identifier: BSD-3-Clause */
/* From tree-sitter's nodes to the statements and expressions of cost/source/program.h. tree-sitter knows the syntax
 * alone, so that names and types are resolved here: those of the source's own classes, of classes in files beside it,
 * and of what is common of Java's library. A node that isn't understood becomes UNKNOWN or NOT_UNDERSTOOD, with what of
 * it was; a type that isn't known is guessed, and a note says so. */
#ifndef FIRMA_COST_SOURCE_JAVA_TREE_H
#define FIRMA_COST_SOURCE_JAVA_TREE_H

#include "base/vec.h"
#include "cost/source/program.h"
#include <tree_sitter/api.h>

typedef VEC(TSNode) Nodes;
typedef VEC(SourceExpression *) Expressions;
typedef VEC(SourceStatement *) Statements;

/* In the order of binary numeric promotion. */
typedef enum JavaKind {
    JAVA_UNKNOWN,
    JAVA_VOID,
    JAVA_BOOLEAN,
    JAVA_BYTE,
    JAVA_SHORT,
    JAVA_CHAR,
    JAVA_INT,
    JAVA_LONG,
    JAVA_FLOAT,
    JAVA_DOUBLE,
    JAVA_REFERENCE
} JavaKind;

typedef struct JavaType JavaType;
struct JavaType {
    JavaKind kind;             /* of an array: its elements' */
    unsigned dimensions;       /* of an array */
    const char *name;          /* of a reference's class, without package; NULL: null's type */
    const JavaType *arguments; /* [2], of a generic class; NULL: none */
};

/* A value, with its type in Java's eyes. */
typedef struct JavaValue {
    SourceExpression *expression;
    JavaType type;
} JavaValue;

typedef struct JavaClass JavaClass;

typedef struct JavaFile {
    const char *name, *text, *folder;
    const char *package; /* "" without */
    size_t length;
    TSTree *tree;
} JavaFile;

/* A local, parameter or field. The first member is what is handed on: pointers to it are pointers to this. */
typedef struct JavaVariable {
    SourceVariable variable;
    JavaType type;
    JavaClass *owner; /* of a field */
    bool is_static, is_final, is_assigned;
    TSNode value;                                        /* a field's initial one; null: none */
    enum { JAVA_NEW, JAVA_BEING_READ, JAVA_READ } state; /* of the initial value, which may make it a number */
} JavaVariable;

typedef struct JavaMethod {
    JavaClass *owner;
    const char *name; /* a constructor's: the class's */
    const char *full_name;
    TSNode node, body; /* body null: abstract, or made by the compiler */
    JavaType result;
    size_t n_parameters;
    const JavaType *parameters;
    const char *const *parameter_names;
    bool is_static, is_constructor, takes_more; /* takes_more: the last parameter stands for any number */
    bool is_wanted;
} JavaMethod;

/* Walks to superclasses: to find members, and within that, whether a type is another's supertype. */
typedef enum JavaWay { JAVA_TO_MEMBERS, JAVA_TO_TYPES, JAVA_WAYS } JavaWay;

struct JavaClass {
    const char *name, *full_name; /* "Inner", "Outer.Inner" */
    JavaClass *outer;
    JavaFile *file;
    TSNode node, body;
    bool is_enum, is_record, is_interface;
    VEC(const char *) supertypes; /* the superclass first */
    VEC(JavaVariable *) fields;
    VEC(JavaMethod *) methods;
    JavaVariable *self; /* `this` */
    unsigned n_anonymous;
    unsigned visited[JAVA_WAYS];
};

/* What `break` can leave. */
typedef struct JavaTarget {
    const char *label; /* NULL: none */
    enum { JAVA_LOOP, JAVA_SWITCH, JAVA_LABELLED } kind;
} JavaTarget;

/* What names mean in the body that is being read. */
typedef struct JavaScope JavaScope;
struct JavaScope {
    JavaScope *outer; /* of a class or lambda within a method's body */
    JavaClass *owner;
    JavaFile *file;
    bool is_static, is_lambda;
    VEC(JavaVariable *) locals;   /* innermost last */
    VEC(JavaVariable *) captured; /* a lambda's, of outer scopes */
    VEC(JavaTarget) targets;
    const char *label; /* of the statement that comes next */
    JavaType result;
    unsigned *n_lambdas;
    const char *function; /* its name */
};

typedef struct JavaGuess {
    SourceExpression *expression;
    bool is_settled;
} JavaGuess;

typedef struct JavaReader {
    Arena *arena;
    TSParser *parser;
    Err *err;
    VEC(JavaFile *) files;
    VEC(const char *) folders; /* of the class path */
    VEC(const char *) missing; /* classes that were looked for */
    VEC(JavaClass *) classes;
    VEC(JavaMethod *) wanted;
    VEC(JavaVariable *) variables;
    VEC(JavaVariable *) strangers; /* names that nothing declares */
    VEC(SourceFunction) functions;
    VEC(SourceNote) notes;
    VEC(JavaGuess) guesses;
    unsigned walks[JAVA_WAYS];
    JavaScope *scope;
} JavaReader;

/* parse.c: a file, or ERR_INPUT with the place of what isn't Java. */
bool java_parse(JavaReader *reader, const char *path, JavaFile **file);

/* nodes.c */
Nodes java_children(TSNode node); /* named ones without comments; to be freed */
bool java_is(TSNode node, const char *kind);
TSNode java_part(TSNode node, const char *field);             /* null: not there */
Nodes java_parts(TSNode node, const char *field);             /* all of the name; to be freed */
TSNode java_child(TSNode node, const char *kind);             /* the first of its kind; null: not there */
bool java_has_word(TSNode node, const char *word);            /* "static", "++" … */
const char *java_text(JavaReader *reader, TSNode node);       /* as it is in the source */
const char *java_short_text(JavaReader *reader, TSNode node); /* one line, for people */
SourcePlace java_place(JavaReader *reader, TSNode node);
void java_note(JavaReader *reader, const SourcePlace *place, const char *message); /* once a line */

/* types.c */
JavaType java_type(JavaReader *reader, TSNode node);
JavaType java_declared_type(JavaReader *reader, TSNode type, TSNode declarator); /* with `[]` behind the name */
JavaType java_primitive(JavaKind kind);
JavaType java_reference(const char *name);
JavaType java_array_of(JavaType element, unsigned dimensions);
JavaType java_element(JavaType array);
CpuType java_cpu_type(JavaType type);
bool java_is_number(JavaType type); /* of a primitive type that isn't boolean */
bool java_is_primitive(JavaType type);
bool java_is_text(JavaType type);
JavaKind java_box_kind(JavaType type); /* JAVA_UNKNOWN: none */
const char *java_box_name(JavaKind kind);
JavaType java_promoted(JavaType a, JavaType b);                /* of two numbers */
const char *java_type_text(JavaReader *reader, JavaType type); /* "int[]" */

/* classes.c: what is declared in a file, its classes' members first. */
void java_declare_file(JavaReader *reader, JavaFile *file);
JavaClass *java_declare_class(JavaReader *reader, TSNode node, TSNode body, const char *name, JavaClass *outer);

/* find.c: NULL: there is none. */
JavaClass *java_find_class(JavaReader *reader, const char *name); /* also in files that weren't read yet */
JavaVariable *java_find_field(JavaReader *reader, JavaClass *owner, const char *name);
JavaMethod *java_find_method(JavaReader *reader, JavaClass *owner, const char *name, const JavaValue *arguments,
                             size_t n);
JavaMethod *java_find_body(JavaReader *reader, const JavaMethod *method, bool *is_sure);
JavaMethod *java_find_constructor(JavaReader *reader, JavaClass *owner, const JavaValue *arguments, size_t n);

/* variables.c */
JavaVariable *java_variable(JavaReader *reader, const char *name, JavaType type);
JavaVariable *java_local(JavaReader *reader, const char *name, JavaType type);
JavaVariable *java_find_variable(JavaReader *reader, const char *name); /* a local or a field */
void java_assigned(const SourceExpression *target);
void java_finish_variables(JavaReader *reader);
void java_read_constant(JavaReader *reader, JavaVariable *field);

/* numbers.c */
bool java_literal(JavaReader *reader, TSNode node, JavaValue *value);
SourceExpression *java_folded(JavaReader *reader, TSNode node, SourceExpression *expression, JavaKind kind);
double java_wrapped(double value, JavaKind kind);

/* conversions.c */
SourceExpression *java_to(JavaReader *reader, JavaValue value, JavaType type);
JavaValue java_number(JavaReader *reader, JavaValue value);            /* unboxed, or guessed to be as `wanted` */
void java_settle(JavaReader *reader, JavaValue *value, JavaType type); /* a guessed type is this one */
JavaValue java_guess(JavaReader *reader, SourceExpression *expression);
void java_finish_guesses(JavaReader *reader);

/* expressions.c */
JavaValue java_expression(JavaReader *reader, TSNode node);
SourceExpression *java_new(JavaReader *reader, TSNode node, SourceExpressionKind kind, JavaType type);
SourceExpression *java_like(JavaReader *reader, const SourceExpression *like, SourceExpressionKind kind, JavaType type);
void java_operands(JavaReader *reader, SourceExpression *expression, Expressions *operands); /* takes and frees them */
SourceExpression *java_use(JavaReader *reader, TSNode node, const JavaVariable *variable);
SourceExpression *java_pair(JavaReader *reader, SourceExpression *first, SourceExpression *second);
JavaValue java_unknown(JavaReader *reader, TSNode node);
SourceExpression *java_condition(JavaReader *reader, TSNode node);

/* operators.c */
JavaValue java_binary(JavaReader *reader, TSNode node);
JavaValue java_unary(JavaReader *reader, TSNode node);
JavaValue java_update(JavaReader *reader, TSNode node);
JavaValue java_assignment(JavaReader *reader, TSNode node);
JavaValue java_ternary(JavaReader *reader, TSNode node);
JavaValue java_cast(JavaReader *reader, TSNode node);
JavaValue java_merged(JavaReader *reader, TSNode node, SourceExpression *condition, JavaValue yes, JavaValue no);

/* names.c */
JavaValue java_identifier(JavaReader *reader, TSNode node);
JavaValue java_field_access(JavaReader *reader, TSNode node);
JavaValue java_this(JavaReader *reader, TSNode node);
/* A class's name, instead of a value; NULL: it isn't one. */
const char *java_class_named(JavaReader *reader, TSNode node);
JavaValue java_field_of(JavaReader *reader, TSNode node, JavaVariable *field, SourceExpression *object);

/* calls.c */
JavaValue java_call(JavaReader *reader, TSNode node);
SourceExpression *java_call_of(JavaReader *reader, TSNode node, JavaMethod *method, const JavaValue *arguments,
                               size_t n, bool is_exact); /* is_exact: whatever the object */
SourceExpression *java_named_call(JavaReader *reader, const SourceExpression *like, const char *name, JavaType type);
size_t java_arguments(JavaReader *reader, TSNode list, JavaValue **arguments); /* in the arena */

/* creations.c */
JavaValue java_new_object(JavaReader *reader, TSNode node);
JavaValue java_new_array(JavaReader *reader, TSNode node);
SourceExpression *java_array_parts(JavaReader *reader, TSNode list, JavaVariable *variable, Expressions *assignments);
SourceExpression *java_array_values(JavaReader *reader, TSNode list, JavaType type);
JavaValue java_lambda(JavaReader *reader, TSNode node);
JavaValue java_method_reference(JavaReader *reader, TSNode node);

/* library.c: what is known of Java's own classes. */
bool java_library_constant(const char *owner, const char *name, double *value, JavaType *type);
bool java_library_method(JavaReader *reader, const char *owner, JavaType receiver, const char *name,
                         const JavaValue *arguments, size_t n, JavaType *result, JavaType *parameter);
/* From which argument on they become what the method takes. */
size_t java_library_first(const char *owner, const char *name, size_t n, JavaType *parameter);

/* statements.c */
SourceStatement *java_statement(JavaReader *reader, TSNode node);
SourceStatement *java_block(JavaReader *reader, TSNode node);
void java_add_statement(JavaReader *reader, TSNode node, Statements *statements); /* declarations are several */
SourceStatement *java_statement_new(JavaReader *reader, TSNode node, SourceStatementKind kind);
void java_statement_expressions(JavaReader *reader, SourceStatement *statement, Expressions *expressions);
void java_statement_children(JavaReader *reader, SourceStatement *statement, Statements *children);
SourceStatement *java_statement_of(JavaReader *reader, TSNode node, SourceExpression *expression);
SourceStatement *java_not_understood(JavaReader *reader, TSNode node, const char *what);
SourceStatement *java_declaration(JavaReader *reader, TSNode node, JavaVariable *variable, SourceExpression *value);

/* loops.c */
SourceStatement *java_for(JavaReader *reader, TSNode node);
SourceStatement *java_for_each(JavaReader *reader, TSNode node);
SourceStatement *java_while(JavaReader *reader, TSNode node);
SourceStatement *java_do(JavaReader *reader, TSNode node);
void java_push_target(JavaReader *reader, int kind);
SourceStatement *java_labelled(JavaReader *reader, TSNode node);
SourceStatement *java_jump(JavaReader *reader, TSNode node, bool is_break);

/* switch.c */
SourceStatement *java_switch(JavaReader *reader, TSNode node);
SourceStatement *java_switch_that_returns(JavaReader *reader, TSNode node); /* its values */
SourceStatement *java_yield(JavaReader *reader, TSNode node);
bool java_leaves(const SourceStatement *statement); /* its end isn't reached, as far as is seen at once */
JavaValue java_switch_value(JavaReader *reader, TSNode node);

/* exceptions.c: try, throw, synchronized, assert */
SourceStatement *java_try(JavaReader *reader, TSNode node);
SourceStatement *java_throw(JavaReader *reader, TSNode node);
SourceStatement *java_synchronized(JavaReader *reader, TSNode node);
SourceStatement *java_assert(JavaReader *reader, TSNode node);

/* functions.c: bodies of methods. */
void java_want(JavaReader *reader, JavaMethod *method);
void java_read_method(JavaReader *reader, JavaMethod *method);
void java_read_static(JavaReader *reader, JavaClass *owner); /* what's done when the class is loaded */
void java_read_inner_class(JavaReader *reader, JavaClass *owner);
SourceExpression *java_lambda_body(JavaReader *reader, TSNode node);
JavaValue java_switch_call(JavaReader *reader, TSNode node); /* a switch's value, as that of a function */

#endif
