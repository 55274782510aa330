/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements. */
#include "cost/source/java/tree.h"

SourceStatement *java_statement_new(JavaReader *reader, TSNode node, SourceStatementKind kind)
{
    SourceStatement *statement = arena_alloc(reader->arena, sizeof *statement);
    statement->kind = kind;
    statement->place = java_place(reader, node);
    return statement;
}

void java_statement_expressions(JavaReader *reader, SourceStatement *statement, Expressions *expressions)
{
    SourceExpression **items = arena_new_array(reader->arena, SourceExpression *, expressions->count);
    for (size_t i = 0; i < expressions->count; i++)
        items[i] = expressions->items[i];
    statement->expressions = items;
    statement->n_expressions = expressions->count;
    vec_free(expressions);
}

void java_statement_children(JavaReader *reader, SourceStatement *statement, Statements *children)
{
    SourceStatement **items = arena_new_array(reader->arena, SourceStatement *, children->count);
    for (size_t i = 0; i < children->count; i++)
        items[i] = children->items[i];
    statement->children = items;
    statement->n_children = children->count;
    vec_free(children);
}

SourceStatement *java_statement_of(JavaReader *reader, TSNode node, SourceExpression *expression)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_EXPRESSION);
    Expressions expressions = {0};
    *vec_push(&expressions) = expression;
    java_statement_expressions(reader, statement, &expressions);
    return statement;
}

static SourceStatement *block_of(JavaReader *reader, TSNode node, Statements *children)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_BLOCK);
    java_statement_children(reader, statement, children);
    return statement;
}

SourceStatement *java_not_understood(JavaReader *reader, TSNode node, const char *what)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_NOT_UNDERSTOOD);
    Nodes nodes = java_children(node);
    Statements children = {0};
    statement->text = what;
    for (size_t i = 0; i < nodes.count; i++) {
        const char *kind = ts_node_type(nodes.items[i]);
        if (strstr(kind, "_statement") || strcmp(kind, "block") == 0)
            java_add_statement(reader, nodes.items[i], &children);
        else if (strstr(kind, "_expression") || strcmp(kind, "method_invocation") == 0)
            *vec_push(&children) =
                java_statement_of(reader, nodes.items[i], java_expression(reader, nodes.items[i]).expression);
    }
    vec_free(&nodes);
    java_statement_children(reader, statement, &children);
    return statement;
}

SourceStatement *java_declaration(JavaReader *reader, TSNode node, JavaVariable *variable, SourceExpression *value)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_DECLARE);
    Expressions expressions = {0};
    statement->variable = &variable->variable;
    *vec_push(&expressions) = value;
    java_statement_expressions(reader, statement, &expressions);
    return statement;
}

/* `var` has its value's type; a final one of a number is that number from here on. */
static SourceExpression *initial(JavaReader *reader, TSNode node, JavaVariable *variable)
{
    JavaValue value = java_expression(reader, node);
    if (variable->type.kind == JAVA_UNKNOWN) {
        java_settle(reader, &value, java_reference(NULL));
        variable->type = value.type;
        variable->variable.type = java_cpu_type(value.type);
    }
    SourceExpression *expression = java_to(reader, value, variable->type);
    if (expression->kind == SOURCE_NUMBER && java_is_primitive(variable->type))
        variable->variable.value = expression->value;
    return expression;
}

static void declare(JavaReader *reader, TSNode node, TSNode declarator, Statements *statements)
{
    TSNode value = java_part(declarator, "value");
    bool is_list = java_is(value, "array_initializer");
    JavaType type = java_declared_type(reader, java_part(node, "type"), declarator);
    JavaVariable *variable = java_variable(reader, java_text(reader, java_part(declarator, "name")), type);
    SourceExpression *first = NULL;
    Expressions assignments = {0};
    if (is_list)
        first = java_array_parts(reader, value, variable, &assignments);
    else if (!ts_node_is_null(value))
        first = initial(reader, value, variable);
    variable->is_final = java_has_word(java_child(node, "modifiers"), "final");
    *vec_push(&reader->scope->locals) = variable;
    *vec_push(statements) = java_declaration(reader, declarator, variable, first);
    for (size_t i = 0; i < assignments.count; i++)
        *vec_push(statements) = java_statement_of(reader, value, assignments.items[i]);
    vec_free(&assignments);
}

static void local_class(JavaReader *reader, TSNode node)
{
    const char *name = java_text(reader, java_part(node, "name"));
    java_read_inner_class(reader,
                          java_declare_class(reader, node, java_part(node, "body"), name, reader->scope->owner));
}

void java_add_statement(JavaReader *reader, TSNode node, Statements *statements)
{
    if (java_is(node, "local_variable_declaration")) {
        Nodes declarators = java_parts(node, "declarator");
        for (size_t i = 0; i < declarators.count; i++)
            declare(reader, node, declarators.items[i], statements);
        vec_free(&declarators);
    } else if (java_is(node, "class_declaration") || java_is(node, "record_declaration") ||
               java_is(node, "enum_declaration") || java_is(node, "interface_declaration")) {
        local_class(reader, node);
    } else {
        *vec_push(statements) = java_statement(reader, node);
    }
}

SourceStatement *java_block(JavaReader *reader, TSNode node)
{
    size_t n_locals = reader->scope->locals.count;
    Nodes nodes = java_children(node);
    Statements children = {0};
    reader->scope->label = NULL;
    for (size_t i = 0; i < nodes.count; i++)
        java_add_statement(reader, nodes.items[i], &children);
    vec_free(&nodes);
    reader->scope->locals.count = n_locals;
    return block_of(reader, node, &children);
}

/* Of one declaration alone it's that one, as in the head of a for. */
static SourceStatement *declarations(JavaReader *reader, TSNode node)
{
    Statements children = {0};
    java_add_statement(reader, node, &children);
    if (children.count != 1)
        return block_of(reader, node, &children);
    SourceStatement *only = children.items[0];
    vec_free(&children);
    return only;
}

static SourceStatement *expression(JavaReader *reader, TSNode node)
{
    Nodes nodes = java_children(node);
    bool is_switch = nodes.count && java_is(nodes.items[0], "switch_expression");
    SourceStatement *statement;
    if (is_switch) {
        statement = java_switch(reader, nodes.items[0]);
    } else {
        JavaValue value = nodes.count ? java_expression(reader, nodes.items[0]) : java_unknown(reader, node);
        java_settle(reader, &value, java_primitive(JAVA_VOID));
        statement = java_statement_of(reader, node, value.expression);
    }
    vec_free(&nodes);
    return statement;
}

static SourceStatement *conditional(JavaReader *reader, TSNode node)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_IF);
    TSNode otherwise = java_part(node, "alternative");
    Expressions expressions = {0};
    Statements children = {0};
    *vec_push(&expressions) = java_condition(reader, java_part(node, "condition"));
    *vec_push(&children) = java_statement(reader, java_part(node, "consequence"));
    *vec_push(&children) = ts_node_is_null(otherwise) ? NULL : java_statement(reader, otherwise);
    java_statement_expressions(reader, statement, &expressions);
    java_statement_children(reader, statement, &children);
    return statement;
}

static SourceStatement *return_statement(JavaReader *reader, TSNode node)
{
    SourceStatement *statement = java_statement_new(reader, node, SOURCE_RETURN);
    Nodes nodes = java_children(node);
    Expressions expressions = {0};
    if (nodes.count)
        *vec_push(&expressions) = java_to(reader, java_expression(reader, nodes.items[0]), reader->scope->result);
    vec_free(&nodes);
    java_statement_expressions(reader, statement, &expressions);
    return statement;
}

static SourceStatement *break_statement(JavaReader *reader, TSNode node)
{
    return java_jump(reader, node, true);
}

static SourceStatement *continue_statement(JavaReader *reader, TSNode node)
{
    return java_jump(reader, node, false);
}

static const struct {
    const char *kind;
    SourceStatement *(*read)(JavaReader *reader, TSNode node);
} READERS[] = {
    {"expression_statement", expression},
    {"local_variable_declaration", declarations},
    {"block", java_block},
    {";", java_block},
    {"if_statement", conditional},
    {"for_statement", java_for},
    {"enhanced_for_statement", java_for_each},
    {"while_statement", java_while},
    {"do_statement", java_do},
    {"return_statement", return_statement},
    {"break_statement", break_statement},
    {"continue_statement", continue_statement},
    {"switch_expression", java_switch},
    {"labeled_statement", java_labelled},
    {"try_statement", java_try},
    {"try_with_resources_statement", java_try},
    {"throw_statement", java_throw},
    {"yield_statement", java_yield},
    {"synchronized_statement", java_synchronized},
    {"assert_statement", java_assert},
};

SourceStatement *java_statement(JavaReader *reader, TSNode node)
{
    for (size_t i = 0; i < sizeof READERS / sizeof *READERS; i++)
        if (strcmp(READERS[i].kind, ts_node_type(node)) == 0)
            return READERS[i].read(reader, node);
    if (strstr(ts_node_type(node), "_declaration"))
        return declarations(reader, node);
    return java_not_understood(reader, node, ts_node_type(node));
}
