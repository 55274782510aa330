/* SPDX-License-Identifier: BSD-3-Clause */
/* What a file declares: classes with their fields and methods, whose bodies are read later. */
#include "cost/source/java/tree.h"

static TSNode modifiers_of(TSNode node)
{
    return java_child(node, "modifiers");
}

static JavaVariable *add_field(JavaReader *reader, JavaClass *owner, const char *name, JavaType type)
{
    JavaVariable *field = java_variable(reader, name, type);
    field->owner = owner;
    *vec_push(&owner->fields) = field;
    return field;
}

/* Others may assign what isn't private. */
static void add_fields(JavaReader *reader, JavaClass *owner, TSNode node)
{
    TSNode modifiers = modifiers_of(node), type = java_part(node, "type");
    bool is_constant = java_is(node, "constant_declaration");
    Nodes parts = java_children(node);
    for (size_t i = 0; i < parts.count; i++) {
        TSNode declarator = parts.items[i];
        if (!java_is(declarator, "variable_declarator"))
            continue;
        JavaVariable *field = add_field(reader, owner, java_text(reader, java_part(declarator, "name")),
                                        java_declared_type(reader, type, declarator));
        field->value = java_part(declarator, "value");
        field->is_final = is_constant || java_has_word(modifiers, "final");
        field->is_static = is_constant || java_has_word(modifiers, "static");
        field->is_assigned = !field->is_final && !java_has_word(modifiers, "private");
        field->variable.is_global = field->is_static;
    }
    vec_free(&parts);
}

static void add_parameters(JavaReader *reader, JavaMethod *method, TSNode list)
{
    Nodes parts = java_children(list);
    JavaType *types = arena_new_array(reader->arena, JavaType, parts.count);
    const char **names = arena_new_array(reader->arena, const char *, parts.count);
    for (size_t i = 0; i < parts.count; i++) {
        TSNode part = parts.items[i];
        if (java_is(part, "formal_parameter")) {
            types[method->n_parameters] = java_declared_type(reader, java_part(part, "type"), part);
            names[method->n_parameters++] = java_text(reader, java_part(part, "name"));
        } else if (java_is(part, "spread_parameter")) {
            Nodes inner = java_children(part);
            TSNode declarator = inner.items[inner.count - 1];
            for (size_t j = 0; j + 1 < inner.count; j++)
                if (!java_is(inner.items[j], "modifiers"))
                    types[method->n_parameters] = java_array_of(java_type(reader, inner.items[j]), 1);
            names[method->n_parameters++] = java_text(reader, java_part(declarator, "name"));
            method->takes_more = true;
            vec_free(&inner);
        }
    }
    vec_free(&parts);
    method->parameters = types;
    method->parameter_names = names;
}

static JavaMethod *add_method(JavaReader *reader, JavaClass *owner, TSNode node)
{
    JavaMethod *method = arena_alloc(reader->arena, sizeof *method);
    TSNode modifiers = modifiers_of(node), list = java_part(node, "parameters");
    method->owner = owner;
    method->node = node;
    method->is_constructor = !java_is(node, "method_declaration");
    method->name = method->is_constructor ? owner->name : java_text(reader, java_part(node, "name"));
    method->body = java_part(node, "body");
    method->is_static = java_has_word(modifiers, "static");
    method->result =
        method->is_constructor ? java_primitive(JAVA_VOID) : java_declared_type(reader, java_part(node, "type"), node);
    if (java_is(node, "compact_constructor_declaration") || java_is(node, "record_declaration"))
        list = java_part(owner->node, "parameters");
    if (!ts_node_is_null(list))
        add_parameters(reader, method, list);
    *vec_push(&owner->methods) = method;
    return method;
}

static const char *signature(JavaReader *reader, const JavaMethod *method)
{
    const char *text = "";
    for (size_t i = 0; i < method->n_parameters; i++)
        text = arena_printf(reader->arena, "%s%s%s", text, i ? "," : "", java_type_text(reader, method->parameters[i]));
    return text;
}

/* "Pi.f", or "Pi.f(int,double)" where there are several. */
static void name_methods(JavaReader *reader, JavaClass *owner)
{
    for (size_t i = 0; i < owner->methods.count; i++) {
        JavaMethod *method = owner->methods.items[i];
        size_t n = 0;
        for (size_t j = 0; j < owner->methods.count; j++)
            n += strcmp(owner->methods.items[j]->name, method->name) == 0;
        method->full_name =
            n > 1 ? arena_printf(reader->arena, "%s.%s(%s)", owner->full_name, method->name, signature(reader, method))
                  : arena_printf(reader->arena, "%s.%s", owner->full_name, method->name);
    }
}

static void add_supertypes(JavaReader *reader, JavaClass *owner, TSNode node)
{
    Nodes parts = java_children(node);
    for (size_t i = 0; i < parts.count; i++) {
        if (java_is(parts.items[i], "type_list")) {
            add_supertypes(reader, owner, parts.items[i]);
            continue;
        }
        JavaType type = java_type(reader, parts.items[i]);
        if (type.kind == JAVA_REFERENCE)
            *vec_push(&owner->supertypes) = type.name;
    }
    vec_free(&parts);
}

static void add_constant(JavaReader *reader, JavaClass *owner, TSNode node)
{
    JavaVariable *field =
        add_field(reader, owner, java_text(reader, java_part(node, "name")), java_reference(owner->name));
    field->is_static = field->is_final = field->variable.is_global = true;
    TSNode body = java_part(node, "body");
    if (!ts_node_is_null(body)) {
        JavaClass *own = java_declare_class(reader, node, body, field->variable.name, owner);
        *vec_push(&own->supertypes) = owner->name;
    }
}

static bool is_class(TSNode node)
{
    return java_is(node, "class_declaration") || java_is(node, "interface_declaration") ||
           java_is(node, "enum_declaration") || java_is(node, "record_declaration");
}

static void add_members(JavaReader *reader, JavaClass *owner, TSNode body)
{
    Nodes members = java_children(body);
    for (size_t i = 0; i < members.count; i++) {
        TSNode member = members.items[i];
        if (java_is(member, "field_declaration") || java_is(member, "constant_declaration"))
            add_fields(reader, owner, member);
        else if (java_is(member, "method_declaration") || java_is(member, "constructor_declaration") ||
                 java_is(member, "compact_constructor_declaration"))
            add_method(reader, owner, member);
        else if (java_is(member, "enum_constant"))
            add_constant(reader, owner, member);
        else if (java_is(member, "enum_body_declarations"))
            add_members(reader, owner, member);
        else if (is_class(member))
            java_declare_class(reader, member, java_part(member, "body"), java_text(reader, java_part(member, "name")),
                               owner);
    }
    vec_free(&members);
}

static void add_components(JavaReader *reader, JavaClass *owner)
{
    Nodes parts = java_children(java_part(owner->node, "parameters"));
    for (size_t i = 0; i < parts.count; i++)
        if (java_is(parts.items[i], "formal_parameter")) {
            JavaVariable *field =
                add_field(reader, owner, java_text(reader, java_part(parts.items[i], "name")),
                          java_declared_type(reader, java_part(parts.items[i], "type"), parts.items[i]));
            field->is_final = true;
        }
    vec_free(&parts);
}

/* What a constructor has to do, where none is written. */
static bool has_initialisers(const JavaClass *owner)
{
    for (size_t i = 0; i < owner->fields.count; i++)
        if (!owner->fields.items[i]->is_static && !ts_node_is_null(owner->fields.items[i]->value))
            return true;
    return !ts_node_is_null(java_child(owner->body, "block"));
}

static void add_implicit_constructor(JavaReader *reader, JavaClass *owner)
{
    bool has_one = false;
    for (size_t i = 0; i < owner->methods.count; i++) {
        const JavaMethod *method = owner->methods.items[i];
        has_one |=
            method->is_constructor && (!owner->is_record || java_is(method->node, "compact_constructor_declaration"));
    }
    if (!has_one && !owner->is_interface && (owner->is_record || has_initialisers(owner))) {
        JavaMethod *method = add_method(reader, owner, owner->node);
        method->body = (TSNode){0};
        if (!owner->is_record)
            method->n_parameters = 0;
    }
}

JavaClass *java_declare_class(JavaReader *reader, TSNode node, TSNode body, const char *name, JavaClass *outer)
{
    JavaClass *owner = arena_alloc(reader->arena, sizeof *owner);
    owner->name = name;
    owner->full_name = outer ? arena_printf(reader->arena, "%s.%s", outer->full_name, name) : name;
    owner->outer = outer;
    owner->file = reader->scope->file;
    owner->node = node;
    owner->body = body;
    owner->is_enum = java_is(node, "enum_declaration");
    owner->is_record = java_is(node, "record_declaration");
    owner->is_interface = java_is(node, "interface_declaration");
    owner->self = java_variable(reader, "this", java_reference(name));
    *vec_push(&reader->classes) = owner;
    TSNode superclass = java_part(node, "superclass"), interfaces = java_part(node, "interfaces");
    TSNode extended = java_child(node, "extends_interfaces");
    if (!ts_node_is_null(superclass))
        add_supertypes(reader, owner, superclass);
    if (!ts_node_is_null(interfaces))
        add_supertypes(reader, owner, interfaces);
    if (!ts_node_is_null(extended))
        add_supertypes(reader, owner, extended);
    if (owner->is_record)
        add_components(reader, owner);
    add_members(reader, owner, body);
    add_implicit_constructor(reader, owner);
    name_methods(reader, owner);
    return owner;
}

void java_declare_file(JavaReader *reader, JavaFile *file)
{
    JavaScope scope = {.file = file, .outer = NULL}, *before = reader->scope;
    reader->scope = &scope;
    Nodes parts = java_children(ts_tree_root_node(file->tree));
    for (size_t i = 0; i < parts.count; i++)
        if (is_class(parts.items[i]))
            java_declare_class(reader, parts.items[i], java_part(parts.items[i], "body"),
                               java_text(reader, java_part(parts.items[i], "name")), NULL);
    vec_free(&parts);
    reader->scope = before;
}
