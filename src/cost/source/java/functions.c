/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies: of methods, constructors with what the fields begin with, lambdas. */
#include "cost/source/java/tree.h"

void java_want(JavaReader *reader, JavaMethod *method)
{
    if (method->is_wanted)
        return;
    method->is_wanted = true;
    *vec_push(&reader->wanted) = method;
}

static void begin(JavaReader *reader, JavaScope *scope, JavaScope *outer)
{
    scope->outer = outer;
    reader->scope = scope;
}

static void end(JavaReader *reader, JavaScope *scope, JavaScope *before)
{
    vec_free(&scope->locals);
    vec_free(&scope->captured);
    vec_free(&scope->targets);
    reader->scope = before;
}

static SourceStatement *body_of(JavaReader *reader, TSNode node, Statements *statements)
{
    SourceStatement *body = java_statement_new(reader, node, SOURCE_BLOCK);
    java_statement_children(reader, body, statements);
    return body;
}

/* `this.name = value;` of a field, or `name = value;` of a static one. */
static SourceStatement *assigned_field(JavaReader *reader, TSNode node, JavaVariable *field, SourceExpression *value)
{
    SourceExpression *assignment = java_new(reader, node, SOURCE_ASSIGN, field->type), *place;
    Expressions operands = {0};
    if (field->is_static) {
        place = java_new(reader, node, SOURCE_VARIABLE, field->type);
        place->variable = &field->variable;
    } else {
        Expressions object = {0};
        place = java_new(reader, node, SOURCE_FIELD, field->type);
        place->name = field->variable.name;
        *vec_push(&object) = java_this(reader, node).expression;
        java_operands(reader, place, &object);
    }
    assignment->operator= "=";
    *vec_push(&operands) = place;
    *vec_push(&operands) = value;
    java_operands(reader, assignment, &operands);
    return java_statement_of(reader, node, assignment);
}

static JavaVariable *field_named(const JavaClass *owner, const char *name)
{
    for (size_t i = 0; i < owner->fields.count; i++)
        if (strcmp(owner->fields.items[i]->variable.name, name) == 0)
            return owner->fields.items[i];
    return NULL;
}

static void add_field_values(JavaReader *reader, JavaClass *owner, TSNode member, bool is_static,
                             Statements *statements)
{
    Nodes declarators = java_parts(member, "declarator");
    for (size_t i = 0; i < declarators.count; i++) {
        JavaVariable *field = field_named(owner, java_text(reader, java_part(declarators.items[i], "name")));
        if (!field || field->is_static != is_static || ts_node_is_null(field->value))
            continue;
        SourceExpression *value = java_is(field->value, "array_initializer")
                                      ? java_array_values(reader, field->value, field->type)
                                      : java_to(reader, java_expression(reader, field->value), field->type);
        bool is_compiled = is_static && field->is_final && value->kind == SOURCE_NUMBER;
        if (!is_compiled)
            *vec_push(statements) = assigned_field(reader, declarators.items[i], field, value);
    }
    vec_free(&declarators);
}

/* Initial values and initialising blocks, in the order in which they're written. */
static void add_initialisers(JavaReader *reader, JavaClass *owner, TSNode body, bool is_static, Statements *statements)
{
    Nodes members = java_children(body);
    for (size_t i = 0; i < members.count; i++) {
        TSNode member = members.items[i];
        if (java_is(member, "field_declaration") || java_is(member, "constant_declaration"))
            add_field_values(reader, owner, member, is_static, statements);
        else if (java_is(member, "enum_body_declarations"))
            add_initialisers(reader, owner, member, is_static, statements);
        else if (!is_static && java_is(member, "block"))
            *vec_push(statements) = java_block(reader, member);
        else if (is_static && java_is(member, "static_initializer"))
            *vec_push(statements) = java_block(reader, java_child(member, "block"));
    }
    vec_free(&members);
}

/* this(…) or super(…), which may be left out. */
static void add_chained(JavaReader *reader, JavaClass *owner, TSNode node, TSNode call, Statements *statements)
{
    bool is_this = !ts_node_is_null(call) && java_is(java_part(call, "constructor"), "this");
    JavaClass *called = is_this                   ? owner
                        : owner->supertypes.count ? java_find_class(reader, owner->supertypes.items[0])
                                                  : NULL;
    JavaValue *arguments = NULL;
    size_t n = ts_node_is_null(call) ? 0 : java_arguments(reader, java_part(call, "arguments"), &arguments);
    bool is_source = called && !called->is_interface;
    JavaMethod *constructor = is_source ? java_find_constructor(reader, called, arguments, n) : NULL;
    TSNode at = ts_node_is_null(call) ? node : call;
    if (constructor)
        *vec_push(statements) =
            java_statement_of(reader, at, java_call_of(reader, at, constructor, arguments, n, true));
    for (size_t i = 0; !constructor && i < n; i++)
        *vec_push(statements) = java_statement_of(reader, at, arguments[i].expression);
    if (!constructor && !is_source && !ts_node_is_null(call) && owner->supertypes.count) {
        SourcePlace place = java_place(reader, at);
        java_note(reader, &place, "the superclass's constructor isn't counted: its source isn't there");
    }
}

/* A record's components get the parameters of their names. */
static void add_components(JavaReader *reader, const JavaMethod *method, Statements *statements)
{
    bool is_implied =
        java_is(method->node, "record_declaration") || java_is(method->node, "compact_constructor_declaration");
    for (size_t i = 0; is_implied && i < method->n_parameters; i++) {
        JavaVariable *field = field_named(method->owner, method->parameter_names[i]);
        JavaVariable *parameter = reader->scope->locals.items[i];
        if (field)
            *vec_push(statements) =
                assigned_field(reader, method->node, field, java_use(reader, method->node, parameter));
    }
}

static SourceStatement *constructor_body(JavaReader *reader, JavaMethod *method)
{
    JavaClass *owner = method->owner;
    bool is_written = !ts_node_is_null(method->body);
    TSNode call = is_written ? java_child(method->body, "explicit_constructor_invocation") : (TSNode){0};
    Nodes nodes = is_written ? java_children(method->body) : (Nodes){0};
    Statements statements = {0};
    add_chained(reader, owner, method->node, call, &statements);
    if (ts_node_is_null(call) || !java_is(java_part(call, "constructor"), "this"))
        add_initialisers(reader, owner, owner->body, false, &statements);
    for (size_t i = 0; i < nodes.count; i++)
        if (!java_is(nodes.items[i], "explicit_constructor_invocation"))
            java_add_statement(reader, nodes.items[i], &statements);
    vec_free(&nodes);
    add_components(reader, method, &statements);
    return body_of(reader, method->node, &statements);
}

static SourceStatement *method_body(JavaReader *reader, JavaMethod *method)
{
    SourceStatement *body = java_block(reader, method->body);
    if (!java_has_word(java_child(method->node, "modifiers"), "synchronized"))
        return body;
    SourceExpression *call = java_new(reader, method->node, SOURCE_CALL, java_primitive(JAVA_INT));
    Statements statements = {0};
    call->name = "synchronized";
    *vec_push(&statements) = java_statement_of(reader, method->node, call);
    *vec_push(&statements) = body;
    return body_of(reader, method->node, &statements);
}

static void add_function(JavaReader *reader, TSNode node, JavaType result, SourceVariable **parameters, size_t n,
                         SourceStatement *body)
{
    SourceFunction function = {.name = reader->scope->function,
                               .place = java_place(reader, node),
                               .returns_value = result.kind != JAVA_VOID,
                               .return_type = java_cpu_type(result),
                               .n_parameters = n,
                               .parameters = parameters,
                               .body = body};
    *vec_push(&reader->functions) = function;
}

static void read_method(JavaReader *reader, JavaMethod *method, JavaScope *outer)
{
    unsigned n_lambdas = 0;
    JavaScope *before = reader->scope;
    JavaScope scope = {.owner = method->owner,
                       .file = method->owner->file,
                       .is_static = method->is_static,
                       .result = method->result,
                       .n_lambdas = &n_lambdas,
                       .function = method->full_name};
    begin(reader, &scope, outer);
    SourceVariable **parameters = arena_new_array(reader->arena, SourceVariable *, method->n_parameters);
    for (size_t i = 0; i < method->n_parameters; i++) {
        parameters[i] = &java_local(reader, method->parameter_names[i], method->parameters[i])->variable;
        parameters[i]->is_parameter = true;
    }
    SourceStatement *body = method->is_constructor ? constructor_body(reader, method) : method_body(reader, method);
    add_function(reader, method->node, method->result, parameters, method->n_parameters, body);
    end(reader, &scope, before);
}

void java_read_method(JavaReader *reader, JavaMethod *method)
{
    if (method->is_constructor || !ts_node_is_null(method->body))
        read_method(reader, method, NULL);
}

void java_read_static(JavaReader *reader, JavaClass *owner)
{
    unsigned n_lambdas = 0;
    JavaScope *before = reader->scope;
    JavaScope scope = {.owner = owner,
                       .file = owner->file,
                       .is_static = true,
                       .result = java_primitive(JAVA_VOID),
                       .n_lambdas = &n_lambdas,
                       .function = arena_printf(reader->arena, "%s.static", owner->full_name)};
    Statements statements = {0};
    begin(reader, &scope, NULL);
    add_initialisers(reader, owner, owner->body, true, &statements);
    if (statements.count)
        add_function(reader, owner->node, scope.result, NULL, 0, body_of(reader, owner->node, &statements));
    else
        vec_free(&statements);
    end(reader, &scope, before);
}

/* Now, where names of the method around it mean something. Classes in it come with it. */
void java_read_inner_class(JavaReader *reader, JavaClass *owner)
{
    JavaScope *outer = reader->scope;
    for (size_t i = 0; i < owner->methods.count; i++)
        owner->methods.items[i]->is_wanted = true;
    for (size_t i = 0; i < owner->methods.count; i++) {
        JavaMethod *method = owner->methods.items[i];
        if (method->is_constructor || !ts_node_is_null(method->body))
            read_method(reader, method, outer);
    }
    for (size_t i = 0; i < reader->classes.count; i++)
        if (reader->classes.items[i]->outer == owner && !reader->classes.items[i]->self->is_assigned) {
            reader->classes.items[i]->self->is_assigned = true;
            java_read_inner_class(reader, reader->classes.items[i]);
        }
}

static void declare_parameters(JavaReader *reader, TSNode parameters)
{
    Nodes nodes = java_is(parameters, "identifier") ? (Nodes){0} : java_children(parameters);
    if (java_is(parameters, "identifier"))
        java_local(reader, java_text(reader, parameters), java_primitive(JAVA_UNKNOWN))->is_assigned = true;
    for (size_t i = 0; i < nodes.count; i++) {
        TSNode name = java_part(nodes.items[i], "name");
        JavaType type = java_declared_type(reader, java_part(nodes.items[i], "type"), nodes.items[i]);
        java_local(reader, java_text(reader, ts_node_is_null(name) ? nodes.items[i] : name), type)->is_assigned = true;
    }
    vec_free(&nodes);
}

static SourceStatement *lambda_statement(JavaReader *reader, TSNode body)
{
    if (java_is(body, "block"))
        return java_block(reader, body);
    JavaValue value = java_expression(reader, body);
    java_settle(reader, &value, java_primitive(JAVA_VOID));
    return java_statement_of(reader, body, value.expression);
}

/* The function in the making, of what it uses of the method around it, and of its own parameters, as the compiler makes
 * one; and a call of that with the former. */
static SourceExpression *made_function(JavaReader *reader, TSNode node, size_t n_own, SourceStatement *body)
{
    JavaScope *scope = reader->scope;
    size_t n_captured = scope->captured.count;
    SourceVariable **parameters = arena_new_array(reader->arena, SourceVariable *, n_captured + n_own);
    SourceExpression *call = java_new(reader, node, SOURCE_CALL, scope->result);
    Expressions operands = {0};
    for (size_t i = 0; i < n_captured; i++) {
        parameters[i] = &scope->captured.items[i]->variable;
        *vec_push(&operands) = java_use(reader, node, scope->captured.items[i]);
    }
    for (size_t i = 0; i < n_own; i++)
        parameters[n_captured + i] = &scope->locals.items[i]->variable;
    call->name = scope->function;
    java_operands(reader, call, &operands);
    add_function(reader, node, scope->result, parameters, n_captured + n_own, body);
    return call;
}

static JavaScope inner_scope(JavaReader *reader, const char *what)
{
    const JavaScope *before = reader->scope;
    const char *around = before->function ? before->function : before->owner->full_name;
    unsigned number = before->n_lambdas ? ++*before->n_lambdas : 0;
    return (JavaScope){.owner = before->owner,
                       .file = before->file,
                       .is_static = before->is_static,
                       .is_lambda = true,
                       .n_lambdas = before->n_lambdas,
                       .function = arena_printf(reader->arena, "%s.%s_%u", around, what, number)};
}

SourceExpression *java_lambda_body(JavaReader *reader, TSNode node)
{
    JavaScope *before = reader->scope, scope = inner_scope(reader, "lambda");
    begin(reader, &scope, before);
    declare_parameters(reader, java_part(node, "parameters"));
    size_t n_own = scope.locals.count;
    SourceStatement *body = lambda_statement(reader, java_part(node, "body"));
    scope.result = java_primitive(JAVA_VOID);
    SourceExpression *call = made_function(reader, node, n_own, body);
    end(reader, &scope, before);
    return call;
}

JavaValue java_switch_call(JavaReader *reader, TSNode node)
{
    JavaScope *before = reader->scope, scope = inner_scope(reader, "switch");
    begin(reader, &scope, before);
    Statements statements = {0};
    *vec_push(&statements) = java_switch_that_returns(reader, node);
    SourceStatement *body = body_of(reader, node, &statements);
    if (scope.result.kind == JAVA_UNKNOWN) /* all arms throw */
        scope.result = java_primitive(JAVA_INT);
    JavaValue value = {made_function(reader, node, 0, body), scope.result};
    java_note(reader, &value.expression->place, "the value of this switch counts as that of a function");
    end(reader, &scope, before);
    return value;
}
