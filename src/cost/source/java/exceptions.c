/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements that cost something only if things go wrong, or if others want the same lock. Exceptions are taken not to
 * be caught: what follows a throw isn't reached, and notes say which blocks aren't counted. */
#include "cost/source/java/tree.h"

static SourceStatement *block_of(JavaReader *reader, TSNode node, Statements *children)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_BLOCK);
    java_statement_children(reader, statement, children);
    return statement;
}

static void add_resources(JavaReader *reader, TSNode node, Statements *statements)
{
    Nodes resources = java_children(node);
    for (size_t i = 0; i < resources.count; i++) {
        TSNode resource = resources.items[i], value = java_part(resource, "value");
        if (ts_node_is_null(value))
            continue;
        JavaValue made = java_expression(reader, value);
        JavaType type = java_declared_type(reader, java_part(resource, "type"), resource);
        java_settle(reader, &made, java_reference(NULL));
        JavaVariable *variable = java_local(reader, java_text(reader, java_part(resource, "name")),
                                            type.kind == JAVA_UNKNOWN ? made.type : type);
        *vec_push(statements) = java_declaration(reader, resource, variable, made.expression);
        java_note(reader, &made.expression->place, "closing a resource isn't counted");
    }
    vec_free(&resources);
}

/* Read for what it assigns, and not counted. */
static void skip_catch(JavaReader *reader, TSNode node)
{
    size_t n_locals = reader->scope->locals.count;
    TSNode parameter = java_child(node, "catch_formal_parameter");
    JavaType type = java_type(reader, java_child(parameter, "catch_type"));
    SourcePlace place = java_place(reader, node);
    java_local(reader, java_text(reader, java_part(parameter, "name")), type)->is_assigned = true;
    java_block(reader, java_part(node, "body"));
    java_note(reader, &place, "a catch block isn't counted: exceptions are taken not to be thrown");
    reader->scope->locals.count = n_locals;
}

SourceStatement *java_try(JavaReader *reader, TSNode node)
{
    size_t n_locals = reader->scope->locals.count;
    TSNode resources = java_part(node, "resources"), last = java_child(node, "finally_clause");
    Statements children = {0};
    if (!ts_node_is_null(resources))
        add_resources(reader, resources, &children);
    *vec_push(&children) = java_block(reader, java_part(node, "body"));
    Nodes nodes = java_children(node);
    for (size_t i = 0; i < nodes.count; i++)
        if (java_is(nodes.items[i], "catch_clause"))
            skip_catch(reader, nodes.items[i]);
    vec_free(&nodes);
    if (!ts_node_is_null(last))
        *vec_push(&children) = java_block(reader, java_child(last, "block"));
    reader->scope->locals.count = n_locals;
    return block_of(reader, node, &children);
}

SourceStatement *java_throw(JavaReader *reader, TSNode node)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_RETURN);
    Nodes nodes = java_children(node);
    Expressions expressions = {0};
    if (nodes.count) {
        JavaValue value = java_expression(reader, nodes.items[0]);
        java_settle(reader, &value, java_reference(NULL));
        *vec_push(&expressions) = value.expression;
    }
    vec_free(&nodes);
    java_statement_expressions(reader, statement, &expressions);
    java_note(reader, &statement->place, "throw counts as a return, what is thrown as an allocation");
    return statement;
}

SourceStatement *java_synchronized(JavaReader *reader, TSNode node)
{
    Statements children = {0};
    Expressions operands = {0};
    SourceExpression *call = java_new(reader, node, SOURCE_CALL, java_primitive(JAVA_INT));
    JavaValue lock = java_expression(reader, java_child(node, "parenthesized_expression"));
    java_settle(reader, &lock, java_reference(NULL));
    call->name = "synchronized";
    *vec_push(&operands) = lock.expression;
    java_operands(reader, call, &operands);
    *vec_push(&children) = java_statement_of(reader, node, call);
    *vec_push(&children) = java_block(reader, java_part(node, "body"));
    return block_of(reader, node, &children);
}

SourceStatement *java_assert(JavaReader *reader, TSNode node)
{
    Statements none = {0};
    SourceStatement *statement = block_of(reader, node, &none);
    java_note(reader, &statement->place, "assertions are taken as switched off");
    return statement;
}
