/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions. C's implicit conversions become casts if they change the machine type. */
#include "cost/source/c/tree.h"

#include <math.h>

/* Finds all expressions below a cursor that isn't an expression itself, as in a statement
 * expression. */
static void collect_expressions(CReader *reader, CXCursor cursor, Expressions *found)
{
    Cursors children = c_children(reader, cursor);
    for (size_t i = 0; i < children.count; i++)
        if (reader->clang->isExpression(reader->clang->getCursorKind(children.items[i])))
            *vec_push(found) = c_expression(reader, children.items[i]);
        else
            collect_expressions(reader, children.items[i], found);
    vec_free(&children);
}

SourceExpression *c_unknown(CReader *reader, CXCursor cursor)
{
    SourceExpression *expression = c_expression_new(reader, cursor, SOURCE_UNKNOWN);
    Expressions operands = {0};
    expression->name = expression->text;
    collect_expressions(reader, cursor, &operands);
    build_operands(expression, &operands, reader->arena);
    return expression;
}

/* A number if the compiler can compute it. */
static SourceExpression *number_or_unknown(CReader *reader, CXCursor cursor)
{
    double value;
    bool is_number = c_is_number(reader, reader->clang->getCursorType(cursor));
    if (!is_number || !c_evaluate(reader, cursor, &value))
        return c_unknown(reader, cursor);
    SourceExpression *expression = c_expression_new(reader, cursor, SOURCE_NUMBER);
    expression->value = value;
    return expression;
}

/* Requests that a function that is called, or whose address is taken, is read, too, if its body is available. */
static void request_function(CReader *reader, CXCursor function)
{
    CXCursor definition = reader->clang->getCursorDefinition(function);
    if (!reader->clang->Cursor_isNull(definition))
        *vec_push(&reader->functions) = definition;
}

static SourceExpression *reference(CReader *reader, CXCursor cursor)
{
    const Clang *clang = reader->clang;
    CXCursor declaration = clang->getCursorReferenced(cursor);
    SourceExpression *expression;
    switch (clang->getCursorKind(declaration)) {
    case CXCursor_EnumConstantDecl:
        expression = c_expression_new(reader, cursor, SOURCE_NUMBER);
        expression->value = (double)clang->getEnumConstantDeclValue(declaration);
        return expression;
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl:
        expression = c_expression_new(reader, cursor, SOURCE_VARIABLE);
        expression->variable = c_variable(reader, declaration);
        return expression;
    case CXCursor_FunctionDecl: /* a function's address: a constant, as a string's is */
        request_function(reader, declaration);
        expression = c_expression_new(reader, cursor, SOURCE_TEXT);
        expression->name = c_string(reader, clang->getCursorSpelling(declaration));
        return expression;
    default:
        return c_unknown(reader, cursor);
    }
}

/* The last child; children before it name types. */
static bool last_child(CReader *reader, CXCursor cursor, CXCursor *last)
{
    Cursors children = c_children(reader, cursor);
    bool is_there = children.count > 0;
    if (is_there)
        *last = children.items[children.count - 1];
    vec_free(&children);
    return is_there;
}

static bool is_complex(CReader *reader, CXCursor cursor)
{
    CpuType type;
    return !c_type(reader, cursor, &type);
}

/* A reference to an array that becomes one to its first number: (int *)a of int a[2][3] is a[0]. */
static SourceExpression *first_elements(CReader *reader, CXCursor cursor, CXCursor from, SourceExpression *operand)
{
    const Clang *clang = reader->clang;
    CXType to = clang->getPointeeType(clang->getCanonicalType(clang->getCursorType(cursor)));
    CXType type = clang->getCanonicalType(clang->getCursorType(from)), element = clang->getArrayElementType(type);
    element = clang->getCanonicalType(element.kind == CXType_Invalid ? clang->getPointeeType(type) : element);
    while (c_is_number(reader, to) && element.kind == CXType_ConstantArray) {
        SourceExpression *first = c_expression_new(reader, cursor, SOURCE_ELEMENT);
        SourceExpression *zero = c_expression_new(reader, cursor, SOURCE_NUMBER);
        zero->type = CPU_INT32;
        zero->value = 0;
        build_two_operands(first, operand, zero, reader->arena);
        operand = first;
        element = clang->getCanonicalType(clang->getArrayElementType(element));
    }
    if (clang->getCanonicalType(clang->getCursorType(cursor)).kind == CXType_Pointer)
        operand->taken_as = c_held(reader, to);
    return operand;
}

static SourceExpression *cast(CReader *reader, CXCursor cursor, CXCursor from)
{
    const Clang *clang = reader->clang;
    CXType to = clang->getCursorType(cursor);
    bool is_discarded = clang->getCanonicalType(to).kind == CXType_Void;
    if (!is_discarded && (is_complex(reader, cursor) || is_complex(reader, from)))
        return c_unknown(reader, cursor);
    SourceExpression *operand = c_expression(reader, from);
    if (is_discarded)
        return operand;
    bool is_conversion = c_is_number(reader, to) || c_is_number(reader, clang->getCursorType(from));
    SourceExpression *expression = c_expression_new(reader, cursor, SOURCE_CAST);
    /* If the operand is a comparison, its own type is that of the compared values. */
    CpuType from_type;
    c_type(reader, from, &from_type);
    bool has_same_values =
        expression->type == from_type && expression->sign == c_sign(reader, clang->getCursorType(from));
    if (!is_conversion)
        return first_elements(reader, cursor, from, operand);
    if (has_same_values)
        return operand;
    if (operand->kind == SOURCE_NUMBER) { /* the compiler converts it */
        bool to_integer = expression->type <= CPU_INT64;
        expression->kind = SOURCE_NUMBER;
        expression->value = to_integer ? trunc(operand->value) : operand->value;
        if (c_is_number(reader, to))
            c_evaluate(reader, cursor, &expression->value);
        return expression;
    }
    build_operand(expression, operand, reader->arena);
    return expression;
}

/* `a ?: b`. libclang shows a three times; the operands are a and b. */
static SourceExpression *default_value(CReader *reader, CXCursor cursor, const Cursors *children)
{
    SourceExpression *expression = c_expression_new(reader, cursor, SOURCE_UNKNOWN);
    SourceExpression *first = c_expression(reader, children->items[0]);
    SourceExpression *last = c_expression(reader, children->items[children->count - 1]);
    expression->name = expression->text;
    build_two_operands(expression, first, last, reader->arena);
    return expression;
}

/* Cursors that libclang doesn't describe. A conversion begins where its operand begins. */
static SourceExpression *unexposed(CReader *reader, CXCursor cursor)
{
    const Clang *clang = reader->clang;
    Cursors children = c_children(reader, cursor);
    bool is_conversion = children.count == 1 && clang->isExpression(clang->getCursorKind(children.items[0])) &&
                         c_same_start(reader, cursor, children.items[0]);
    SourceExpression *expression;
    if (is_conversion)
        expression = cast(reader, cursor, children.items[0]);
    else if (children.count == 4 && c_same_start(reader, children.items[0], children.items[2]))
        expression = default_value(reader, cursor, &children);
    else
        /* Offsetof, __builtin_types_compatible_p, … */
        expression = number_or_unknown(reader, cursor);
    vec_free(&children);
    return expression;
}

static SourceExpression *with_operands(CReader *reader, CXCursor cursor, SourceExpressionKind kind, size_t needed)
{
    Cursors children = c_children(reader, cursor);
    if (children.count != needed) {
        vec_free(&children);
        return c_unknown(reader, cursor);
    }
    Expressions operands = {0};
    for (size_t i = 0; i < children.count; i++)
        *vec_push(&operands) = c_expression(reader, children.items[i]);
    vec_free(&children);
    SourceExpression *expression = c_expression_new(reader, cursor, kind);
    build_operands(expression, &operands, reader->arena);
    return expression;
}

/* An operation on numbers alone is a number, because the compiler computes it. */
static SourceExpression *folded(CReader *reader, CXCursor cursor, SourceExpression *expression)
{
    double value;
    for (size_t i = 0; i < expression->n_operands; i++)
        if (expression->operands[i]->kind != SOURCE_NUMBER)
            return expression;
    if (!c_is_number(reader, reader->clang->getCursorType(cursor)) || !c_evaluate(reader, cursor, &value))
        return expression;
    SourceExpression *number = c_expression_new(reader, cursor, SOURCE_NUMBER);
    number->value = value;
    return number;
}

/* Marks a variable as assigned, so that it isn't constant; also if a part of it is assigned. */
static void mark_assigned(CReader *reader, const SourceExpression *target)
{
    while (target->n_operands && (target->kind == SOURCE_ELEMENT || target->kind == SOURCE_FIELD))
        target = target->operands[0];
    if (target->kind == SOURCE_VARIABLE)
        c_assigned(reader, target->variable);
}

static bool is_comparison(const char *symbol)
{
    return strchr("<>", *symbol) ? symbol[1] == '\0' || symbol[1] == '='
                                 : strcmp(symbol, "==") == 0 || strcmp(symbol, "!=") == 0;
}

static bool is_assignment(const char *symbol)
{
    return symbol[strlen(symbol) - 1] == '=' && !is_comparison(symbol);
}

/* An operator that isn't known; it may assign. */
static SourceExpression *unknown_operator(CReader *reader, CXCursor cursor, const char *symbol)
{
    SourceExpression *expression = c_unknown(reader, cursor);
    if (expression->n_operands && (!symbol || is_assignment(symbol)))
        mark_assigned(reader, expression->operands[0]);
    return expression;
}

static SourceExpression *binary(CReader *reader, CXCursor cursor)
{
    Cursors children = c_children(reader, cursor);
    const char *symbol =
        children.count == 2 ? c_binary_operator(reader, cursor, children.items[0], children.items[1]) : NULL;
    bool is_strange = children.count && is_complex(reader, children.items[0]);
    vec_free(&children);
    if (!symbol || is_strange || is_complex(reader, cursor))
        return unknown_operator(reader, cursor, symbol);
    SourceExpression *expression = with_operands(reader, cursor, SOURCE_BINARY, 2);
    expression->operator= symbol;
    if (strcmp(symbol, ",") == 0)
        expression->kind = SOURCE_COMMA;
    else if (is_comparison(symbol))
        expression->type = expression->operands[0]->type;
    else if (is_assignment(symbol)) {
        expression->kind = SOURCE_ASSIGN;
        mark_assigned(reader, expression->operands[0]);
    }
    return folded(reader, cursor, expression);
}

static SourceExpression *unary(CReader *reader, CXCursor cursor)
{
    CXCursor operand;
    const char *symbol = last_child(reader, cursor, &operand) ? c_unary_operator(reader, cursor, operand) : NULL;
    if (!symbol || is_complex(reader, cursor))
        return unknown_operator(reader, cursor, symbol);
    if (strcmp(symbol, "__extension__") == 0)
        return c_expression(reader, operand);
    SourceExpression *expression = with_operands(reader, cursor, SOURCE_UNARY, 1);
    expression->operator= symbol;
    if (strcmp(symbol, "++") == 0 || strcmp(symbol, "--") == 0) {
        expression->kind = SOURCE_INCREMENT;
        expression->is_prefix = !c_is_postfix(reader, cursor, operand);
    } else if (strcmp(symbol, "*") == 0)
        expression->kind = SOURCE_DEREFERENCE;
    else if (strcmp(symbol, "&") == 0)
        expression->kind = SOURCE_ADDRESS;
    if (expression->kind == SOURCE_INCREMENT || expression->kind == SOURCE_ADDRESS)
        mark_assigned(reader, expression->operands[0]);
    return folded(reader, cursor, expression);
}

/* Of the structure in which a field is: object.field, pointer->field. */
static unsigned bytes_of_object(CReader *reader, CXCursor field)
{
    const Clang *clang = reader->clang;
    Cursors children = c_children(reader, field);
    if (!children.count)
        return 0;
    CXType type = clang->getCanonicalType(clang->getCursorType(children.items[0]));
    vec_free(&children);
    CXType object = type.kind == CXType_Pointer ? clang->getCanonicalType(clang->getPointeeType(type)) : type;
    return (unsigned)fmax(0, (double)clang->Type_getSizeOf(object));
}

static SourceExpression *field(CReader *reader, CXCursor cursor)
{
    SourceExpression *expression = with_operands(reader, cursor, SOURCE_FIELD, 1);
    CXCursor member = reader->clang->getCursorReferenced(cursor);
    expression->name = c_member_name(reader, member);
    expression->bits = c_member_bits(reader, member);
    expression->sizes = c_sizes(reader, reader->clang->getCursorType(cursor));
    expression->structure_bytes = bytes_of_object(reader, cursor);
    return expression;
}

static bool is_allocation(const char *name)
{
    static const char *const NAMES[] = {"malloc", "calloc", "alloca", "__builtin_alloca", "aligned_alloc"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(NAMES[i], name) == 0)
            return true;
    return false;
}

/* A string literal, with its characters unless some are escaped. */
static SourceExpression *literal(CReader *reader, CXCursor cursor)
{
    SourceExpression *text = c_expression_new(reader, cursor, SOURCE_TEXT);
    const char *quoted = c_string(reader, reader->clang->getCursorSpelling(cursor));
    size_t length = strlen(quoted);
    if (length >= 2 && quoted[0] == '"' && !strchr(quoted, '\\'))
        text->literal = arena_strndup(reader->arena, quoted + 1, length - 2);
    return text;
}

static void read_arguments(CReader *reader, CXCursor cursor, SourceExpression *expression)
{
    Expressions operands = {0};
    int n = reader->clang->Cursor_getNumArguments(cursor);
    for (int i = 0; i < n; i++)
        *vec_push(&operands) = c_expression(reader, reader->clang->Cursor_getArgument(cursor, (unsigned)i));
    build_operands(expression, &operands, reader->arena);
}

/* The called pointer is the first child. `(*f)(x)` calls what f(x) calls. */
static SourceExpression *call_through_pointer(CReader *reader, CXCursor cursor)
{
    Cursors children = c_children(reader, cursor);
    SourceExpression *callee = children.count ? c_expression(reader, children.items[0]) : NULL;
    vec_free(&children);
    while (callee && callee->kind == SOURCE_DEREFERENCE)
        callee = callee->operands[0];
    if (!callee || is_complex(reader, cursor))
        return c_unknown(reader, cursor);
    SourceExpression *expression = c_expression_new(reader, cursor, SOURCE_CALL);
    expression->callee = callee;
    read_arguments(reader, cursor, expression);
    return expression;
}

static SourceExpression *call(CReader *reader, CXCursor cursor)
{
    const Clang *clang = reader->clang;
    CXCursor function = clang->getCursorReferenced(cursor);
    if (clang->getCursorKind(function) != CXCursor_FunctionDecl)
        return call_through_pointer(reader, cursor);
    SourceExpression *expression = c_expression_new(reader, cursor, SOURCE_CALL);
    read_arguments(reader, cursor, expression);
    expression->name = c_string(reader, clang->getCursorSpelling(function));
    expression->never_returns = c_never_returns(reader, function);
    if (is_allocation(expression->name)) {
        expression->kind = SOURCE_NEW;
        expression->unit_bytes = !strstr(expression->name, "alloca");
    } else {
        request_function(reader, function);
        expression->is_recycled = strcmp(expression->name, "realloc") == 0;
        expression->unit_bytes = expression->is_recycled || strstr(expression->name, "memalign") != NULL;
    }
    return expression;
}

static SourceExpression *inner(CReader *reader, CXCursor cursor)
{
    CXCursor child;
    return last_child(reader, cursor, &child) ? c_expression(reader, child) : c_unknown(reader, cursor);
}

static SourceExpression *assignment(CReader *reader, CXCursor value, SourceExpression *part)
{
    SourceExpression *expression = c_expression_new(reader, value, SOURCE_ASSIGN);
    expression->operator= "=";
    build_two_operands(expression, part, c_expression(reader, value), reader->arena);
    return expression;
}

void c_initialise(CReader *reader, CXCursor list, SourceExpression *target, Expressions *assignments)
{
    InitialValues values = {0};
    c_initial_values(reader, list, target, &values);
    for (size_t i = 0; i < values.count; i++)
        *vec_push(assignments) = assignment(reader, values.items[i].value, values.items[i].part);
    vec_free(&values);
}

void c_initialise_any(CReader *reader, CXCursor value, SourceExpression *target, Expressions *assignments)
{
    if (reader->clang->getCursorKind(value) == CXCursor_InitListExpr)
        c_initialise(reader, value, target, assignments);
    else
        *vec_push(assignments) = assignment(reader, value, target);
}

/* `(T){…}`: assignments to a variable without a name, whose value is the result. */
static SourceExpression *compound_literal(CReader *reader, CXCursor cursor)
{
    CXCursor list;
    if (!last_child(reader, cursor, &list) || reader->clang->getCursorKind(list) != CXCursor_InitListExpr)
        return c_unknown(reader, cursor);
    SourceExpression *made = c_expression_new(reader, cursor, SOURCE_VARIABLE);
    SourceExpression *expression = c_expression_new(reader, cursor, SOURCE_COMMA);
    SourceVariable *variable = arena_alloc(reader->arena, sizeof *variable);
    *variable = (SourceVariable){.name = "", .type = made->type, .value = NAN};
    made->variable = variable;
    Expressions operands = {0};
    c_initialise(reader, list, made, &operands);
    *vec_push(&operands) = made;
    build_operands(expression, &operands, reader->arena);
    return expression;
}

static SourceExpression *read_expression(CReader *reader, CXCursor cursor)
{
    switch (reader->clang->getCursorKind(cursor)) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_GenericSelectionExpr:
        return number_or_unknown(reader, cursor);
    case CXCursor_UnaryExpr: { /* sizeof, _Alignof */
        SourceExpression *size = number_or_unknown(reader, cursor);
        SourceExpression *computed = size->kind == SOURCE_UNKNOWN ? c_size(reader, cursor) : NULL;
        return computed ? computed : size;
    }
    case CXCursor_StringLiteral:
        return literal(reader, cursor);
    case CXCursor_ParenExpr:
        return inner(reader, cursor);
    case CXCursor_DeclRefExpr:
        return reference(reader, cursor);
    case CXCursor_MemberRefExpr:
        return field(reader, cursor);
    case CXCursor_ArraySubscriptExpr:
        return with_operands(reader, cursor, SOURCE_ELEMENT, 2);
    case CXCursor_CallExpr:
        return call(reader, cursor);
    case CXCursor_UnaryOperator:
        return unary(reader, cursor);
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        return binary(reader, cursor);
    case CXCursor_ConditionalOperator:
        return with_operands(reader, cursor, SOURCE_CONDITIONAL, 3);
    case CXCursor_CStyleCastExpr: {
        CXCursor from;
        return last_child(reader, cursor, &from) ? cast(reader, cursor, from) : c_unknown(reader, cursor);
    }
    case CXCursor_CompoundLiteralExpr:
        return compound_literal(reader, cursor);
    case CXCursor_InitListExpr: /* {5} for a single number */
        return c_is_number(reader, reader->clang->getCursorType(cursor)) ? inner(reader, cursor)
                                                                         : c_unknown(reader, cursor);
    case CXCursor_UnexposedExpr:
        return unexposed(reader, cursor);
    default:
        return c_unknown(reader, cursor);
    }
}

SourceExpression *c_expression(CReader *reader, CXCursor cursor)
{
    if (reader->depth >= C_DEPTH_LIMIT) {
        SourceExpression *expression = c_expression_new(reader, cursor, SOURCE_UNKNOWN);
        expression->name = arena_printf(reader->arena, "expressions nested more than %d deep", C_DEPTH_LIMIT);
        return expression;
    }
    reader->depth++;
    SourceExpression *expression = read_expression(reader, cursor);
    reader->depth--;
    return expression;
}
