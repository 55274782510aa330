/* SPDX-License-Identifier: BSD-3-Clause */
/* `switch` with colons or arrows, as a statement and as a value. */
#include "cost/source/java/tree.h"

bool java_leaves(const SourceStatement *statement)
{
    if (statement->kind == SOURCE_BLOCK && statement->n_children)
        return java_leaves(statement->children[statement->n_children - 1]);
    return statement->kind == SOURCE_BREAK || statement->kind == SOURCE_RETURN || statement->kind == SOURCE_CONTINUE;
}

/* The break that ends a case is said by falls_through; others stay. */
static void drop_last_break(SourceStatement *statement)
{
    if (!statement->n_children)
        return;
    SourceStatement *last = statement->children[statement->n_children - 1];
    if (last->kind == SOURCE_BREAK)
        statement->n_children--;
    else if (last->kind == SOURCE_BLOCK)
        drop_last_break(last);
}

/* A constant of an enumeration or a text, of which nobody computes. */
static SourceExpression *named_label(JavaReader *reader, TSNode node, JavaType type)
{
    SourceExpression *label = java_new(reader, node, SOURCE_TEXT, type);
    label->name = label->text;
    return label;
}

static void add_label(JavaReader *reader, TSNode node, JavaType selector, Expressions *labels)
{
    bool is_pattern = java_is(node, "pattern");
    bool is_constant = java_is(node, "identifier") && !java_is_primitive(selector) &&
                       java_box_kind(selector) == JAVA_UNKNOWN && !java_is_text(selector);
    if (java_is(node, "guard")) {
        SourcePlace place = java_place(reader, node);
        java_note(reader, &place, "a case's guard isn't counted");
    } else if (is_pattern || is_constant) {
        *vec_push(labels) = named_label(reader, node, selector);
        TSNode name = is_pattern ? java_child(java_child(node, "type_pattern"), "identifier") : (TSNode){0};
        if (!ts_node_is_null(name))
            java_local(reader, java_text(reader, name), java_primitive(JAVA_UNKNOWN))->is_assigned = true;
    } else {
        *vec_push(labels) = java_to(reader, java_expression(reader, node), selector);
    }
}

/* Whether it is, or has, `default`. */
static bool add_labels(JavaReader *reader, TSNode label, JavaType selector, Expressions *labels)
{
    Nodes nodes = java_children(label);
    for (size_t i = 0; i < nodes.count; i++)
        add_label(reader, nodes.items[i], selector, labels);
    vec_free(&nodes);
    return java_has_word(label, "default");
}

static SourceStatement *new_case(JavaReader *reader, TSNode node, Expressions *labels, Statements *statements)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_CASE);
    java_statement_expressions(reader, statement, labels);
    java_statement_children(reader, statement, statements);
    return statement;
}

/* A group of labels with its statements. What shares them with `default` falls through to it. */
static void add_case(JavaReader *reader, TSNode group, JavaType selector, bool returns, Statements *cases)
{
    bool is_rule = java_is(group, "switch_rule"), is_default = false;
    Nodes nodes = java_children(group);
    Expressions labels = {0}, none = {0};
    Statements statements = {0}, empty = {0};
    for (size_t i = 0; i < nodes.count; i++)
        if (java_is(nodes.items[i], "switch_label"))
            is_default |= add_labels(reader, nodes.items[i], selector, &labels);
        else if (returns && is_rule && java_is(nodes.items[i], "expression_statement"))
            *vec_push(&statements) = java_yield(reader, nodes.items[i]);
        else
            java_add_statement(reader, nodes.items[i], &statements);
    vec_free(&nodes);
    if (is_default && labels.count) {
        *vec_push(cases) = new_case(reader, group, &labels, &empty);
        cases->items[cases->count - 1]->falls_through = true;
        labels.count = 0;
    }
    SourceStatement *statement = new_case(reader, group, is_default ? &none : &labels, &statements);
    size_t n = statement->n_children;
    statement->falls_through = !is_rule && (n == 0 || !java_leaves(statement->children[n - 1]));
    drop_last_break(statement);
    *vec_push(cases) = statement;
}

/* Of a switch that is a value, the first one tells the type. */
SourceStatement *java_yield(JavaReader *reader, TSNode node)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_RETURN);
    Nodes nodes = java_children(node);
    Expressions expressions = {0};
    JavaValue value = nodes.count ? java_expression(reader, nodes.items[0]) : java_unknown(reader, node);
    if (reader->scope->result.kind == JAVA_UNKNOWN) {
        java_settle(reader, &value, java_primitive(JAVA_INT));
        reader->scope->result = value.type;
    }
    *vec_push(&expressions) = java_to(reader, value, reader->scope->result);
    vec_free(&nodes);
    java_statement_expressions(reader, statement, &expressions);
    return statement;
}

static SourceStatement *read_switch(JavaReader *reader, TSNode node, bool returns)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_SWITCH);
    size_t n_locals = reader->scope->locals.count;
    JavaValue selector = java_expression(reader, java_part(node, "condition"));
    Nodes groups = java_children(java_part(node, "body"));
    Expressions expressions = {0};
    Statements cases = {0};
    if (java_box_kind(selector.type) != JAVA_UNKNOWN)
        selector = java_number(reader, selector);
    java_settle(reader, &selector, java_primitive(JAVA_INT));
    *vec_push(&expressions) = selector.expression;
    java_push_target(reader, JAVA_SWITCH);
    for (size_t i = 0; i < groups.count; i++)
        add_case(reader, groups.items[i], selector.type, returns, &cases);
    reader->scope->targets.count--;
    reader->scope->locals.count = n_locals;
    if (cases.count)
        cases.items[cases.count - 1]->falls_through = false;
    vec_free(&groups);
    java_statement_expressions(reader, statement, &expressions);
    java_statement_children(reader, statement, &cases);
    return statement;
}

SourceStatement *java_switch(JavaReader *reader, TSNode node)
{
    return read_switch(reader, node, false);
}

SourceStatement *java_switch_that_returns(JavaReader *reader, TSNode node)
{
    return read_switch(reader, node, true);
}

/* One arm of a switch whose arms are expressions alone; false: it isn't so simple. */
typedef struct Arm {
    TSNode label, value;
    bool is_default;
} Arm;

static bool arm_of(TSNode rule, Arm *arm)
{
    Nodes nodes = java_children(rule);
    bool is_simple =
        java_is(rule, "switch_rule") && nodes.count == 2 && java_is(nodes.items[1], "expression_statement");
    if (is_simple) {
        Nodes values = java_children(nodes.items[1]);
        arm->label = nodes.items[0];
        arm->value = values.items[0];
        arm->is_default = java_has_word(nodes.items[0], "default");
        is_simple = ts_node_is_null(java_child(nodes.items[0], "pattern")) && !(arm->is_default && values.count == 0);
        vec_free(&values);
    }
    vec_free(&nodes);
    return is_simple;
}

static SourceExpression *two(JavaReader *reader, TSNode node, const char *operator, SourceExpression * left,
                             SourceExpression *right, CpuType type)
{
    SourceExpression *expression = java_new(reader, node, SOURCE_BINARY, java_primitive(JAVA_INT));
    Expressions operands = {0};
    expression->operator= operator;
    expression->type = type;
    *vec_push(&operands) = left;
    *vec_push(&operands) = right;
    java_operands(reader, expression, &operands);
    return expression;
}

/* selector == a || selector == b. */
static SourceExpression *test_of(JavaReader *reader, TSNode label, JavaValue selector)
{
    Expressions labels = {0};
    SourceExpression *test = NULL;
    add_labels(reader, label, selector.type, &labels);
    for (size_t i = 0; i < labels.count; i++) {
        SourceExpression *equal =
            two(reader, label, "==", selector.expression, labels.items[i], selector.expression->type);
        test = test ? two(reader, label, "||", test, equal, CPU_INT32) : equal;
    }
    vec_free(&labels);
    return test;
}

/* Arms from the i-th on: a == selector ? value : the others. The last one, or `default`, is what remains. */
static JavaValue chain(JavaReader *reader, TSNode node, JavaValue selector, const Arm *arms, size_t n)
{
    JavaValue value = java_expression(reader, arms[n - 1].value);
    for (size_t i = n - 1; i-- > 0;)
        value = java_merged(reader, node, test_of(reader, arms[i].label, selector),
                            java_expression(reader, arms[i].value), value);
    return value;
}

/* A value of arms that are expressions is a chain of conditionals; any other is a function's. */
JavaValue java_switch_value(JavaReader *reader, TSNode node)
{
    Nodes rules = java_children(java_part(node, "body"));
    Arm *arms = arena_new_array(reader->arena, Arm, rules.count);
    TSNode inner = java_child(java_part(node, "condition"), "identifier");
    bool is_simple = rules.count > 0 && !ts_node_is_null(inner);
    for (size_t i = 0; i < rules.count && is_simple; i++)
        is_simple = arm_of(rules.items[i], &arms[i]);
    for (size_t i = 0; i + 1 < rules.count && is_simple; i++)
        if (arms[i].is_default) { /* is tested last wherever it stands */
            Arm other = arms[i];
            memmove(arms + i, arms + i + 1, (rules.count - i - 1) * sizeof *arms);
            arms[rules.count - 1] = other;
            break;
        }
    size_t n = rules.count;
    vec_free(&rules);
    if (!is_simple)
        return java_switch_call(reader, node);
    JavaValue selector = java_expression(reader, inner);
    java_settle(reader, &selector, java_primitive(JAVA_INT));
    return chain(reader, node, selector, arms, n);
}
