/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops, and jumps out of them. A jump out of several has no counterpart in SourceProgram: it's listed, and ends the
 * innermost one. */
#include "cost/source/java/tree.h"

void java_push_target(JavaReader *reader, int kind)
{
    JavaScope *scope = reader->scope;
    JavaTarget target = {.label = scope->label, .kind = (unsigned)kind};
    *vec_push(&scope->targets) = target;
    scope->label = NULL;
}

static SourceStatement *body(JavaReader *reader, TSNode node)
{
    java_push_target(reader, JAVA_LOOP);
    SourceStatement *statement = java_statement(reader, java_part(node, "body"));
    reader->scope->targets.count--;
    return statement;
}

static SourceExpression *joined(JavaReader *reader, const Nodes *nodes)
{
    SourceExpression *first = NULL;
    Expressions operands = {0};
    for (size_t i = 0; i < nodes->count; i++) {
        JavaValue value = java_expression(reader, nodes->items[i]);
        java_settle(reader, &value, java_primitive(JAVA_VOID));
        *vec_push(&operands) = value.expression;
    }
    if (operands.count == 1)
        first = operands.items[0];
    if (operands.count > 1) {
        first = java_new(reader, nodes->items[0], SOURCE_COMMA, java_primitive(JAVA_INT));
        first->type = operands.items[operands.count - 1]->type;
        java_operands(reader, first, &operands);
    }
    vec_free(&operands);
    return first;
}

static SourceStatement *initialisation(JavaReader *reader, TSNode node)
{
    Nodes nodes = java_parts(node, "init");
    SourceStatement *statement = NULL;
    if (nodes.count && java_is(nodes.items[0], "local_variable_declaration"))
        statement = java_statement(reader, nodes.items[0]);
    else if (nodes.count)
        statement = java_statement_of(reader, nodes.items[0], joined(reader, &nodes));
    vec_free(&nodes);
    return statement;
}

SourceStatement *java_for(JavaReader *reader, TSNode node)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_FOR);
    size_t n_locals = reader->scope->locals.count;
    const char *label = reader->scope->label;
    TSNode condition = java_part(node, "condition");
    Nodes updates = java_parts(node, "update");
    Expressions expressions = {0};
    Statements children = {0};
    *vec_push(&children) = initialisation(reader, node);
    *vec_push(&expressions) = ts_node_is_null(condition) ? NULL : java_condition(reader, condition);
    *vec_push(&expressions) = joined(reader, &updates);
    reader->scope->label = label;
    *vec_push(&children) = body(reader, node);
    vec_free(&updates);
    reader->scope->locals.count = n_locals;
    java_statement_expressions(reader, statement, &expressions);
    java_statement_children(reader, statement, &children);
    return statement;
}

/* An array's elements, or what a collection is of. */
static JavaType element_of(JavaType type)
{
    if (type.dimensions)
        return java_element(type);
    return type.arguments ? type.arguments[0] : java_reference(NULL);
}

SourceStatement *java_for_each(JavaReader *reader, TSNode node)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_FOR_EACH);
    size_t n_locals = reader->scope->locals.count;
    JavaValue all = java_expression(reader, java_part(node, "value"));
    JavaType type = java_declared_type(reader, java_part(node, "type"), node);
    Expressions expressions = {0};
    Statements children = {0};
    java_settle(reader, &all, java_reference(NULL));
    if (type.kind == JAVA_UNKNOWN)
        type = element_of(all.type);
    JavaVariable *variable = java_local(reader, java_text(reader, java_part(node, "name")), type);
    variable->is_assigned = true;
    statement->variable = &variable->variable;
    *vec_push(&expressions) = all.expression;
    *vec_push(&children) = body(reader, node);
    reader->scope->locals.count = n_locals;
    java_statement_expressions(reader, statement, &expressions);
    java_statement_children(reader, statement, &children);
    return statement;
}

static SourceStatement *with_condition(JavaReader *reader, TSNode node, SourceStatementKind kind)
{
    SourceStatement *statement = java_statement_new(reader, node, kind);
    const char *label = reader->scope->label;
    Expressions expressions = {0};
    Statements children = {0};
    *vec_push(&expressions) = java_condition(reader, java_part(node, "condition"));
    reader->scope->label = label;
    *vec_push(&children) = body(reader, node);
    java_statement_expressions(reader, statement, &expressions);
    java_statement_children(reader, statement, &children);
    return statement;
}

SourceStatement *java_while(JavaReader *reader, TSNode node)
{
    return with_condition(reader, node, SOURCE_WHILE);
}

SourceStatement *java_do(JavaReader *reader, TSNode node)
{
    return with_condition(reader, node, SOURCE_DO);
}

static bool is_loop(TSNode node)
{
    return java_is(node, "for_statement") || java_is(node, "enhanced_for_statement") ||
           java_is(node, "while_statement") || java_is(node, "do_statement");
}

SourceStatement *java_labelled(JavaReader *reader, TSNode node)
{
    JavaScope *scope = reader->scope;
    Nodes parts = java_children(node);
    const char *label = java_text(reader, parts.items[0]);
    TSNode inner = parts.items[parts.count - 1];
    bool is_empty = parts.count < 2;
    vec_free(&parts);
    scope->label = label;
    if (is_empty)
        return java_statement_new(reader, node, SOURCE_BLOCK);
    if (is_loop(inner))
        return java_statement(reader, inner);
    java_push_target(reader, JAVA_LABELLED);
    SourceStatement *statement = java_statement(reader, inner);
    scope->targets.count--;
    return statement;
}

static bool has_label(const JavaTarget *target, const char *label)
{
    return target->label && strcmp(target->label, label) == 0;
}

/* Whether it's the innermost one that is jumped out of, or to whose next iteration. */
static bool is_innermost(const JavaScope *scope, const char *label, bool is_break)
{
    for (size_t i = scope->targets.count; i-- > 0;) {
        const JavaTarget *target = &scope->targets.items[i];
        if (target->kind == JAVA_LOOP || (is_break && target->kind == JAVA_SWITCH))
            return has_label(target, label);
    }
    return false;
}

/* Whether there's a loop within what is jumped out of. */
static bool leaves_loop(const JavaScope *scope, const char *label)
{
    for (size_t i = scope->targets.count; i-- > 0 && !has_label(&scope->targets.items[i], label);)
        if (scope->targets.items[i].kind == JAVA_LOOP)
            return true;
    return false;
}

SourceStatement *java_jump(JavaReader *reader, TSNode node, bool is_break)
{
    SourceStatementKind kind = is_break ? SOURCE_BREAK : SOURCE_CONTINUE;
    TSNode name = java_child(node, "identifier");
    const char *label = ts_node_is_null(name) ? NULL : java_text(reader, name);
    if (!label || is_innermost(reader->scope, label, is_break))
        return java_statement_new(reader, node, kind);
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_NOT_UNDERSTOOD);
    statement->text = arena_printf(reader->arena, "%s %s, which leaves more than the innermost loop or block",
                                   is_break ? "break" : "continue", label);
    Statements children = {0};
    if (leaves_loop(reader->scope, label))
        *vec_push(&children) = java_statement_new(reader, node, SOURCE_BREAK);
    java_statement_children(reader, statement, &children);
    return statement;
}
