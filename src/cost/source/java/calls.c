/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls: of methods whose source is there, by their full names; of Java's library and others as "Math.sqrt". Where an
 * object decides what is called, it's the method of its declared class, or the only one that there is. */
#include "cost/source/java/tree.h"

size_t java_arguments(JavaReader *reader, TSNode list, JavaValue **arguments)
{
    Nodes nodes = java_children(list);
    size_t n = nodes.count;
    *arguments = arena_new_array(reader->arena, JavaValue, n);
    for (size_t i = 0; i < n; i++)
        (*arguments)[i] = java_expression(reader, nodes.items[i]);
    vec_free(&nodes);
    return n;
}

SourceExpression *java_named_call(JavaReader *reader, const SourceExpression *like, const char *name, JavaType type)
{
    SourceExpression *call = java_like(reader, like, SOURCE_CALL, type);
    call->name = name;
    return call;
}

/* Those that the last parameter stands for, in an array that the compiler makes. */
static SourceExpression *spread(JavaReader *reader, const SourceExpression *like, JavaType type,
                                const JavaValue *arguments, size_t n)
{
    SourceExpression *size = java_like(reader, like, SOURCE_NUMBER, java_primitive(JAVA_INT));
    SourceExpression *array = java_like(reader, like, SOURCE_NEW, type), *list = array;
    Expressions operands = {0};
    size->value = (double)n;
    *vec_push(&operands) = size;
    java_operands(reader, array, &operands);
    for (size_t i = n; i-- > 0;)
        list = java_pair(reader, java_to(reader, arguments[i], java_element(type)), list);
    return list;
}

static bool is_array_itself(JavaType type, JavaType parameter)
{
    return type.dimensions == parameter.dimensions || (type.kind == JAVA_REFERENCE && !type.name);
}

SourceExpression *java_call_of(JavaReader *reader, TSNode node, JavaMethod *method, const JavaValue *arguments,
                               size_t n, bool is_exact)
{
    SourceExpression *call = java_new(reader, node, SOURCE_CALL, method->result);
    Expressions operands = {0};
    size_t n_parameters = method->n_parameters, last = n_parameters ? n_parameters - 1 : 0;
    bool spreads =
        method->takes_more && !(n == n_parameters && is_array_itself(arguments[last].type, method->parameters[last]));
    size_t n_fixed = spreads ? last : n_parameters;
    for (size_t i = 0; i < n_fixed && i < n; i++)
        *vec_push(&operands) = java_to(reader, arguments[i], method->parameters[i]);
    if (spreads)
        *vec_push(&operands) = spread(reader, call, method->parameters[last], arguments + n_fixed, n - n_fixed);
    java_operands(reader, call, &operands);
    bool is_sure = true;
    JavaMethod *body = is_exact ? method : java_find_body(reader, method, &is_sure);
    call->name = body ? body->full_name : method->full_name;
    if (!is_sure)
        java_note(reader, &call->place,
                  arena_printf(reader->arena, "which of several methods is called depends on the object: taken as %s",
                               call->name));
    if (body)
        java_want(reader, body);
    return call;
}

/* Arguments are taken as they come, but for those from `first` on, if what they become is known. */
static SourceExpression *other_call(JavaReader *reader, TSNode node, const char *name, const JavaValue *arguments,
                                    size_t n, JavaType parameter, size_t first)
{
    SourceExpression *call = java_new(reader, node, SOURCE_CALL, java_primitive(JAVA_UNKNOWN));
    Expressions operands = {0};
    call->name = name;
    for (size_t i = 0; i < n; i++)
        *vec_push(&operands) =
            i >= first && (java_is_primitive(arguments[i].type) || java_box_kind(arguments[i].type) != JAVA_UNKNOWN)
                ? java_to(reader, arguments[i], parameter)
                : arguments[i].expression;
    java_operands(reader, call, &operands);
    return call;
}

/* Of a class that isn't among the sources. receiver: the object's type, or the class's for static methods. */
static JavaValue library_call(JavaReader *reader, TSNode node, JavaType receiver, const char *name,
                              const JavaValue *arguments, size_t n)
{
    JavaType result, parameter = java_primitive(JAVA_UNKNOWN);
    const char *owner = receiver.dimensions ? "array" : receiver.name ? receiver.name : "object";
    bool is_known = java_library_method(reader, owner, receiver, name, arguments, n, &result, &parameter);
    size_t first = java_library_first(owner, name, n, &parameter);
    SourceExpression *call =
        other_call(reader, node, arena_printf(reader->arena, "%s.%s", owner, name), arguments, n, parameter, first);
    if (!is_known || result.kind == JAVA_UNKNOWN)
        return java_guess(reader, call);
    call->type = java_cpu_type(result);
    return (JavaValue){call, result};
}

static bool implements(const JavaClass *owner, const char *type)
{
    for (size_t i = 0; i < owner->supertypes.count; i++)
        if (strcmp(owner->supertypes.items[i], type) == 0)
            return true;
    return false;
}

/* The only method of this name in classes that say they are of a library's type; NULL: none, or several. */
static JavaMethod *implementation(JavaReader *reader, const char *type, const char *name, size_t n)
{
    JavaMethod *found = NULL;
    for (size_t i = 0; type && i < reader->classes.count; i++) {
        const JavaClass *owner = reader->classes.items[i];
        for (size_t j = 0; implements(owner, type) && j < owner->methods.count; j++) {
            JavaMethod *method = owner->methods.items[j];
            if (strcmp(method->name, name) != 0 || method->n_parameters != n || ts_node_is_null(method->body))
                continue;
            if (found)
                return NULL;
            found = method;
        }
    }
    return found;
}

/* A record's x() without a body of its own loads the component x. */
static JavaVariable *component(JavaReader *reader, JavaClass *owner, const char *name, size_t n)
{
    return owner->is_record && n == 0 ? java_find_field(reader, owner, name) : NULL;
}

static JavaValue call_on(JavaReader *reader, TSNode node, JavaValue object, const char *name,
                         const JavaValue *arguments, size_t n)
{
    JavaClass *owner = object.type.dimensions ? NULL : java_find_class(reader, object.type.name);
    JavaMethod *method = owner ? java_find_method(reader, owner, name, arguments, n) : NULL;
    JavaVariable *field = owner && !method ? component(reader, owner, name, n) : NULL;
    if (field)
        return java_field_of(reader, node, field, object.expression);
    if (!owner && !object.type.dimensions && (method = implementation(reader, object.type.name, name, n)))
        java_note(reader, &(SourcePlace){reader->scope->file->name, ts_node_start_point(node).row + 1, 1},
                  arena_printf(reader->arena, "%s.%s is taken as %s", object.type.name, name, method->full_name));
    bool is_super = java_is(java_part(node, "object"), "super");
    JavaValue call = method ? (JavaValue){java_call_of(reader, node, method, arguments, n, is_super), method->result}
                            : library_call(reader, node, object.type, name, arguments, n);
    if (object.type.kind == JAVA_UNKNOWN)
        java_settle(reader, &object, java_reference(NULL));
    SourceExpression *both = java_pair(reader, object.expression, call.expression);
    return (JavaValue){both, call.type};
}

static JavaValue static_call(JavaReader *reader, TSNode node, const char *class_name, const char *name,
                             const JavaValue *arguments, size_t n)
{
    JavaClass *owner = java_find_class(reader, class_name);
    JavaMethod *method = owner ? java_find_method(reader, owner, name, arguments, n) : NULL;
    if (method)
        return (JavaValue){java_call_of(reader, node, method, arguments, n, false), method->result};
    if (owner && owner->is_enum && strcmp(name, "values") == 0 && n == 0) {
        JavaType type = java_array_of(java_reference(owner->full_name), 1);
        SourceExpression *call = java_new(reader, node, SOURCE_CALL, type);
        call->name = arena_printf(reader->arena, "%s.values", owner->full_name);
        return (JavaValue){call, type};
    }
    return library_call(reader, node, java_reference(class_name), name, arguments, n);
}

/* The class of `import static a.B.name` or `import static a.B.*`; NULL: none that has it. */
static const char *imported_class(JavaReader *reader, const char *name, const JavaValue *arguments, size_t n)
{
    Nodes parts = java_children(ts_tree_root_node(reader->scope->file->tree));
    const char *found = NULL;
    for (size_t i = 0; i < parts.count && !found; i++) {
        TSNode qualified = java_child(parts.items[i], "scoped_identifier"), owner_name, last;
        bool is_static = java_is(parts.items[i], "import_declaration") && java_has_word(parts.items[i], "static");
        if (!is_static || ts_node_is_null(qualified))
            continue;
        bool is_all = !ts_node_is_null(java_child(parts.items[i], "asterisk"));
        owner_name = is_all ? qualified : java_part(qualified, "scope");
        last = java_part(owner_name, "name");
        const char *owner = java_text(reader, ts_node_is_null(last) ? owner_name : last);
        JavaClass *source = java_find_class(reader, owner);
        JavaType result, parameter;
        bool has_it = is_all ? (source && java_find_method(reader, source, name, arguments, n)) ||
                                   java_library_method(reader, owner, java_reference(owner), name, arguments, n,
                                                       &result, &parameter)
                             : strcmp(java_text(reader, java_part(qualified, "name")), name) == 0;
        if (has_it)
            found = owner;
    }
    vec_free(&parts);
    return found;
}

/* f(x): a method of this class, of those around it, of an imported one, or inherited from where no source is. */
static JavaValue own_call(JavaReader *reader, TSNode node, const char *name, const JavaValue *arguments, size_t n)
{
    for (const JavaScope *scope = reader->scope; scope; scope = scope->outer)
        for (JavaClass *owner = scope->owner; owner; owner = owner->outer) {
            JavaMethod *method = java_find_method(reader, owner, name, arguments, n);
            JavaVariable *field = method ? NULL : component(reader, owner, name, n);
            if (method)
                return (JavaValue){java_call_of(reader, node, method, arguments, n, false), method->result};
            if (field)
                return java_field_of(reader, node, field, NULL);
        }
    const char *imported = imported_class(reader, name, arguments, n);
    return imported ? static_call(reader, node, imported, name, arguments, n)
                    : library_call(reader, node, java_reference(reader->scope->owner->full_name), name, arguments, n);
}

JavaValue java_call(JavaReader *reader, TSNode node)
{
    TSNode object = java_part(node, "object");
    const char *name = java_text(reader, java_part(node, "name"));
    JavaValue *arguments;
    if (ts_node_is_null(object)) {
        size_t n = java_arguments(reader, java_part(node, "arguments"), &arguments);
        return own_call(reader, node, name, arguments, n);
    }
    const char *class_name = java_class_named(reader, object);
    JavaValue receiver = {0};
    if (java_is(object, "super")) {
        const JavaClass *owner = reader->scope->owner;
        receiver = java_this(reader, object);
        receiver.type.name = owner->supertypes.count ? owner->supertypes.items[0] : "Object";
    } else if (!class_name) {
        receiver = java_expression(reader, object);
    }
    size_t n = java_arguments(reader, java_part(node, "arguments"), &arguments);
    return class_name ? static_call(reader, node, class_name, name, arguments, n)
                      : call_on(reader, node, receiver, name, arguments, n);
}
