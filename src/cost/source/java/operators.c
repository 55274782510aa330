/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators, in the type in which Java computes them (JLS 5.6, 15). A comparison has the type of what it compares. */
#include "cost/source/java/tree.h"

static const JavaType INT = {.kind = JAVA_INT}, BOOLEAN = {.kind = JAVA_BOOLEAN};

static bool is_one_of(const char *operator, const char * const * list)
{
    for (; *list; list++)
        if (strcmp(*list, operator) == 0)
            return true;
    return false;
}

static SourceExpression *with_two(JavaReader *reader, SourceExpression *expression, SourceExpression *left,
                                  SourceExpression *right)
{
    Expressions operands = {0};
    *vec_push(&operands) = left;
    *vec_push(&operands) = right;
    java_operands(reader, expression, &operands);
    return expression;
}

/* What isn't known is as the other one, or else as `otherwise`. */
static void settle_both(JavaReader *reader, JavaValue *a, JavaValue *b, JavaType otherwise)
{
    java_settle(reader, a, b->type);
    java_settle(reader, b, a->type);
    java_settle(reader, a, otherwise);
    java_settle(reader, b, otherwise);
}

static bool is_concatenation(const SourceExpression *expression)
{
    return expression->kind == SOURCE_CALL && strcmp(expression->name, "String.concat") == 0;
}

/* One call of all that is joined. Texts of the source alone are joined by the compiler. */
static SourceExpression *concatenated(JavaReader *reader, SourceExpression *like, SourceExpression *left,
                                      SourceExpression *right)
{
    Expressions operands = {0};
    if ((left->kind == SOURCE_TEXT || left->kind == SOURCE_NUMBER) &&
        (right->kind == SOURCE_TEXT || right->kind == SOURCE_NUMBER))
        return java_like(reader, like, SOURCE_TEXT, java_reference("String"));
    SourceExpression *call = java_named_call(reader, like, "String.concat", java_reference("String"));
    for (size_t i = 0; is_concatenation(left) && i < left->n_operands; i++)
        *vec_push(&operands) = left->operands[i];
    if (!is_concatenation(left))
        *vec_push(&operands) = left;
    *vec_push(&operands) = right;
    java_operands(reader, call, &operands);
    return call;
}

static JavaValue concatenation(JavaReader *reader, TSNode node, JavaValue left, JavaValue right)
{
    SourceExpression *like = java_new(reader, node, SOURCE_TEXT, java_reference("String"));
    java_settle(reader, &left, java_reference(NULL));
    java_settle(reader, &right, java_reference(NULL));
    return (JavaValue){concatenated(reader, like, left.expression, right.expression), java_reference("String")};
}

static JavaValue logical(JavaReader *reader, TSNode node, SourceExpression *expression, JavaValue left, JavaValue right)
{
    expression->type = CPU_INT32;
    with_two(reader, expression, java_to(reader, left, BOOLEAN), java_to(reader, right, BOOLEAN));
    return (JavaValue){java_folded(reader, node, expression, JAVA_BOOLEAN), BOOLEAN};
}

static JavaValue comparison(JavaReader *reader, TSNode node, SourceExpression *expression, JavaValue left,
                            JavaValue right)
{
    settle_both(reader, &left, &right, INT);
    bool is_equality = strchr("=!", expression->operator[0]);
    if (is_equality && !java_is_primitive(left.type) && !java_is_primitive(right.type)) {
        expression->type = CPU_REFERENCE;
        return (JavaValue){with_two(reader, expression, left.expression, right.expression), BOOLEAN};
    }
    left = java_number(reader, left);
    right = java_number(reader, right);
    settle_both(reader, &left, &right, INT);
    JavaType type = java_promoted(left.type, right.type);
    expression->type = java_cpu_type(type);
    with_two(reader, expression, java_to(reader, left, type), java_to(reader, right, type));
    return (JavaValue){java_folded(reader, node, expression, JAVA_BOOLEAN), BOOLEAN};
}

static JavaValue shift(JavaReader *reader, TSNode node, SourceExpression *expression, JavaValue left, JavaValue right)
{
    java_settle(reader, &left, INT);
    java_settle(reader, &right, INT);
    JavaType type = java_promoted(left.type, INT), amount = java_promoted(right.type, INT);
    expression->type = java_cpu_type(type);
    with_two(reader, expression, java_to(reader, left, type), java_to(reader, right, amount));
    return (JavaValue){java_folded(reader, node, expression, type.kind), type};
}

static JavaValue arithmetic(JavaReader *reader, TSNode node, SourceExpression *expression, JavaValue left,
                            JavaValue right)
{
    settle_both(reader, &left, &right, INT);
    JavaType type = java_promoted(left.type, right.type);
    bool is_logical = left.type.kind == JAVA_BOOLEAN && right.type.kind == JAVA_BOOLEAN;
    expression->type = java_cpu_type(type);
    with_two(reader, expression, java_to(reader, left, is_logical ? BOOLEAN : type),
             java_to(reader, right, is_logical ? BOOLEAN : type));
    return (JavaValue){java_folded(reader, node, expression, type.kind), is_logical ? BOOLEAN : type};
}

JavaValue java_binary(JavaReader *reader, TSNode node)
{
    static const char *const LOGICAL[] = {"&&", "||", NULL}, *const SHIFTS[] = {"<<", ">>", ">>>", NULL};
    static const char *const COMPARISONS[] = {"<", "<=", ">", ">=", "==", "!=", NULL};
    const char *operator= ts_node_type(java_part(node, "operator"));
    JavaValue left = java_expression(reader, java_part(node, "left"));
    JavaValue right = java_expression(reader, java_part(node, "right"));
    if (strcmp(operator, "+") == 0 && (java_is_text(left.type) || java_is_text(right.type)))
        return concatenation(reader, node, left, right);
    SourceExpression *expression = java_new(reader, node, SOURCE_BINARY, INT);
    expression->operator= operator;
    if (is_one_of(operator, LOGICAL))
        return logical(reader, node, expression, left, right);
    if (is_one_of(operator, COMPARISONS))
        return comparison(reader, node, expression, left, right);
    left = java_number(reader, left);
    right = java_number(reader, right);
    return is_one_of(operator, SHIFTS) ? shift(reader, node, expression, left, right)
                                       : arithmetic(reader, node, expression, left, right);
}

JavaValue java_unary(JavaReader *reader, TSNode node)
{
    const char *operator= ts_node_type(java_part(node, "operator"));
    JavaValue operand = java_number(reader, java_expression(reader, java_part(node, "operand")));
    bool is_not = *operator== '!';
    java_settle(reader, &operand, is_not ? BOOLEAN : INT);
    JavaType type = is_not ? BOOLEAN : java_promoted(operand.type, INT);
    SourceExpression *expression = java_new(reader, node, SOURCE_UNARY, is_not ? INT : type);
    Expressions operands = {0};
    expression->operator= operator;
    *vec_push(&operands) = java_to(reader, operand, type);
    java_operands(reader, expression, &operands);
    return (JavaValue){java_folded(reader, node, expression, type.kind), type};
}

/* x op= y and x++ of a boxed x, or of a text: x = x op y. */
static JavaValue replaced(JavaReader *reader, TSNode node, JavaValue left, const char *operator, JavaValue right)
{
    SourceExpression *assignment = java_new(reader, node, SOURCE_ASSIGN, left.type);
    SourceExpression *value;
    assignment->operator= "=";
    if (java_is_text(left.type)) {
        value = concatenated(reader, assignment, left.expression, right.expression);
    } else {
        JavaValue a = java_number(reader, left), b = java_number(reader, right);
        settle_both(reader, &a, &b, INT);
        JavaType type = java_promoted(a.type, b.type);
        value = java_new(reader, node, SOURCE_BINARY, type);
        value->operator= operator;
        with_two(reader, value, java_to(reader, a, type), java_to(reader, b, type));
        value = java_to(reader, (JavaValue){value, type}, java_primitive(java_box_kind(left.type)));
        value = java_to(reader, (JavaValue){value, java_primitive(java_box_kind(left.type))}, left.type);
    }
    java_assigned(left.expression);
    return (JavaValue){with_two(reader, assignment, left.expression, value), left.type};
}

JavaValue java_update(JavaReader *reader, TSNode node)
{
    bool is_up = java_has_word(node, "++");
    Nodes children = java_children(node);
    JavaValue target = children.count ? java_expression(reader, children.items[0]) : java_unknown(reader, node);
    vec_free(&children);
    if (java_box_kind(target.type) != JAVA_UNKNOWN) {
        SourceExpression *one = java_new(reader, node, SOURCE_NUMBER, INT);
        one->value = 1;
        return replaced(reader, node, target, is_up ? "+" : "-", (JavaValue){one, INT});
    }
    java_settle(reader, &target, INT);
    SourceExpression *expression = java_new(reader, node, SOURCE_INCREMENT, target.type);
    Expressions operands = {0};
    expression->operator= is_up ? "++" : "--";
    *vec_push(&operands) = target.expression;
    java_operands(reader, expression, &operands);
    java_assigned(target.expression);
    return (JavaValue){expression, target.type};
}

JavaValue java_assignment(JavaReader *reader, TSNode node)
{
    const char *operator= ts_node_type(java_part(node, "operator"));
    JavaValue left = java_expression(reader, java_part(node, "left"));
    JavaValue right = java_expression(reader, java_part(node, "right"));
    bool is_plain = strcmp(operator, "=") == 0;
    java_settle(reader, &left, java_is_primitive(right.type) || !is_plain ? right.type : java_reference(NULL));
    if (!is_plain && (java_is_text(left.type) || java_box_kind(left.type) != JAVA_UNKNOWN))
        return replaced(reader, node, left, arena_strndup(reader->arena, operator, strlen(operator) - 1), right);
    SourceExpression *expression = java_new(reader, node, SOURCE_ASSIGN, left.type);
    expression->operator= operator;
    if (is_plain) {
        with_two(reader, expression, left.expression, java_to(reader, right, left.type));
    } else {
        right = java_number(reader, right);
        java_settle(reader, &right, left.type);
        with_two(reader, expression, left.expression, right.expression);
    }
    java_assigned(left.expression);
    return (JavaValue){expression, left.type};
}

/* JLS 15.25: of two numbers the promoted type; else a number if one side is one, else a reference. */
JavaValue java_merged(JavaReader *reader, TSNode node, SourceExpression *condition, JavaValue yes, JavaValue no)
{
    bool is_value = java_is_primitive(yes.type) || java_is_primitive(no.type) ||
                    (java_box_kind(yes.type) != JAVA_UNKNOWN && java_box_kind(no.type) != JAVA_UNKNOWN);
    if (is_value) {
        yes = java_number(reader, yes);
        no = java_number(reader, no);
    }
    settle_both(reader, &yes, &no, java_reference(NULL));
    JavaType type = yes.type.kind == JAVA_REFERENCE && !yes.type.name ? no.type : yes.type;
    if (java_is_number(yes.type) && java_is_number(no.type) && yes.type.kind != no.type.kind)
        type = java_promoted(yes.type, no.type);
    SourceExpression *expression = java_new(reader, node, SOURCE_CONDITIONAL, type);
    Expressions operands = {0};
    *vec_push(&operands) = condition;
    *vec_push(&operands) = java_to(reader, yes, type);
    *vec_push(&operands) = java_to(reader, no, type);
    java_operands(reader, expression, &operands);
    return (JavaValue){expression, type};
}

JavaValue java_ternary(JavaReader *reader, TSNode node)
{
    SourceExpression *condition = java_condition(reader, java_part(node, "condition"));
    JavaValue yes = java_expression(reader, java_part(node, "consequence"));
    JavaValue no = java_expression(reader, java_part(node, "alternative"));
    return java_merged(reader, node, condition, yes, no);
}

/* Casts of references check a class, which costs next to nothing where they don't fail. */
JavaValue java_cast(JavaReader *reader, TSNode node)
{
    JavaType type = java_type(reader, java_part(node, "type"));
    JavaValue value = java_expression(reader, java_part(node, "value"));
    SourceExpression *expression = java_to(reader, value, type);
    if (expression->kind == SOURCE_CAST && expression != value.expression)
        expression->text = java_short_text(reader, node);
    return (JavaValue){expression, type};
}
