/* SPDX-License-Identifier: BSD-3-Clause */
/* What is made: objects with their constructors, arrays with their values, lambdas. */
#include "cost/source/java/tree.h"

static bool is_exception(const char *name)
{
    size_t length = strlen(name);
    return (length >= 9 && strcmp(name + length - 9, "Exception") == 0) ||
           (length >= 5 && strcmp(name + length - 5, "Error") == 0);
}

/* Classes of the library whose constructors do little more than allocate. */
static bool is_plain(const char *name)
{
    static const char *const NAMES[] = {"Object",     "Random",        "SplittableRandom", "ArrayList",
                                        "LinkedList", "ArrayDeque",    "StringBuilder",    "StringBuffer",
                                        "HashMap",    "HashSet",       "TreeMap",          "TreeSet",
                                        "Vector",     "Stack",         "AtomicInteger",    "AtomicLong",
                                        "Thread",     "PriorityQueue", "LinkedHashMap",    "LinkedHashSet"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(NAMES[i], name) == 0)
            return true;
    return is_exception(name);
}

/* The class that `new T() {…}` makes: its methods are read here, where its names mean something. */
static JavaClass *anonymous(JavaReader *reader, TSNode node, TSNode body, const char *supertype)
{
    JavaClass *outer = reader->scope->owner;
    const char *name = arena_printf(reader->arena, "%u", ++outer->n_anonymous);
    JavaClass *owner = java_declare_class(reader, node, body, name, outer);
    *vec_push(&owner->supertypes) = supertype;
    java_read_inner_class(reader, owner);
    return owner;
}

static SourceExpression *constructed(JavaReader *reader, TSNode node, JavaClass *owner, const char *name,
                                     SourceExpression *object, const JavaValue *arguments, size_t n)
{
    JavaMethod *constructor = owner ? java_find_constructor(reader, owner, arguments, n) : NULL;
    SourceExpression *call = NULL;
    if (constructor)
        call = java_call_of(reader, node, constructor, arguments, n, true);
    else if (!owner && !is_plain(name))
        call = java_named_call(reader, object, arena_printf(reader->arena, "%s.%s", name, name), java_reference(name));
    else if (!owner && !is_exception(name)) /* what is thrown: see there */
        java_note(reader, &object->place,
                  arena_printf(reader->arena, "the constructor of %s counts as an allocation", name));
    if (call && !constructor) {
        Expressions operands = {0};
        for (size_t i = 0; i < n; i++)
            *vec_push(&operands) = arguments[i].expression;
        java_operands(reader, call, &operands);
    }
    if (call)
        call->type = CPU_REFERENCE;
    else
        for (size_t i = n; i-- > 0;)
            object = java_pair(reader, arguments[i].expression, object);
    return call ? java_pair(reader, object, call) : object;
}

JavaValue java_new_object(JavaReader *reader, TSNode node)
{
    JavaType type = java_type(reader, java_part(node, "type"));
    const char *name = type.name ? type.name : "Object";
    TSNode body = java_child(node, "class_body");
    JavaValue *arguments;
    size_t n = java_arguments(reader, java_part(node, "arguments"), &arguments);
    SourceExpression *object = java_new(reader, node, SOURCE_NEW, type);
    JavaClass *owner = java_find_class(reader, name);
    if (!ts_node_is_null(body)) {
        JavaClass *made = anonymous(reader, node, body, name);
        owner = !owner || owner->is_interface || java_find_constructor(reader, made, NULL, 0) ? made : owner;
        if (owner == made) {
            for (size_t i = n; i-- > 0;)
                object = java_pair(reader, arguments[i].expression, object);
            n = 0;
        }
        type.name = made->full_name;
    }
    object = constructed(reader, node, owner, name, object, arguments, n);
    return (JavaValue){object, type};
}

static SourceExpression *number(JavaReader *reader, const SourceExpression *like, size_t value)
{
    SourceExpression *expression = java_like(reader, like, SOURCE_NUMBER, java_primitive(JAVA_INT));
    expression->value = (double)value;
    return expression;
}

static SourceExpression *with_operands(JavaReader *reader, SourceExpression *expression, SourceExpression *first,
                                       SourceExpression *second)
{
    Expressions operands = {0};
    *vec_push(&operands) = first;
    if (second)
        *vec_push(&operands) = second;
    java_operands(reader, expression, &operands);
    return expression;
}

/* An assignment of `value` to an element of an array without a name. */
static SourceExpression *stored(JavaReader *reader, SourceExpression *array, size_t index, SourceExpression *value,
                                JavaType element)
{
    SourceExpression *place = java_like(reader, value, SOURCE_ELEMENT, element);
    SourceExpression *assignment = java_like(reader, value, SOURCE_ASSIGN, element);
    assignment->operator= "=";
    with_operands(reader, place, array, number(reader, value, index));
    return with_operands(reader, assignment, place, value);
}

/* `{a, b}` to a variable: new T[2], and as assignments made[0] = a, made[1] = b. */
SourceExpression *java_array_parts(JavaReader *reader, TSNode list, JavaVariable *variable, Expressions *assignments)
{
    JavaType element = java_element(variable->type);
    SourceExpression *made = java_new(reader, list, SOURCE_NEW, variable->type);
    SourceExpression *use = java_use(reader, list, variable);
    Nodes nodes = java_children(list);
    with_operands(reader, made, number(reader, made, nodes.count), NULL);
    for (size_t i = 0; i < nodes.count; i++) {
        SourceExpression *value = java_is(nodes.items[i], "array_initializer")
                                      ? java_array_values(reader, nodes.items[i], element)
                                      : java_to(reader, java_expression(reader, nodes.items[i]), element);
        *vec_push(assignments) = stored(reader, use, i, value, element);
    }
    vec_free(&nodes);
    return made;
}

/* The same to a variable without a name, whose value it has. */
SourceExpression *java_array_values(JavaReader *reader, TSNode list, JavaType type)
{
    JavaVariable *variable = java_variable(reader, "", type);
    SourceExpression *use = java_use(reader, list, variable);
    SourceExpression *first = java_new(reader, list, SOURCE_ASSIGN, type);
    SourceExpression *all = java_new(reader, list, SOURCE_COMMA, type);
    Expressions operands = {0};
    first->operator= "=";
    *vec_push(&operands) = first;
    SourceExpression *made = java_array_parts(reader, list, variable, &operands);
    with_operands(reader, first, use, made);
    *vec_push(&operands) = use;
    java_operands(reader, all, &operands);
    return all;
}

static unsigned count_brackets(TSNode node)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < ts_node_child_count(node); i++)
        count += strcmp(ts_node_type(ts_node_child(node, i)), "[") == 0;
    return count;
}

JavaValue java_new_array(JavaReader *reader, TSNode node)
{
    JavaType type = java_type(reader, java_part(node, "type"));
    TSNode values = java_part(node, "value");
    Nodes parts = java_children(node);
    Expressions sizes = {0};
    for (size_t i = 0; i < parts.count; i++) {
        Nodes inner = {0};
        if (java_is(parts.items[i], "dimensions"))
            type = java_array_of(type, count_brackets(parts.items[i]));
        else if (java_is(parts.items[i], "dimensions_expr"))
            inner = java_children(parts.items[i]);
        if (inner.count) {
            JavaValue size = java_expression(reader, inner.items[inner.count - 1]);
            *vec_push(&sizes) = java_to(reader, size, java_primitive(JAVA_INT));
            type = java_array_of(type, 1);
        }
        vec_free(&inner);
    }
    vec_free(&parts);
    if (!ts_node_is_null(values)) {
        vec_free(&sizes);
        return (JavaValue){java_array_values(reader, values, type), type};
    }
    SourceExpression *made = java_new(reader, node, SOURCE_NEW, type);
    java_operands(reader, made, &sizes);
    return (JavaValue){made, type};
}

/* How often it's called isn't known: its body, once, is what is understood of it. */
JavaValue java_lambda(JavaReader *reader, TSNode node)
{
    JavaType type = java_reference("lambda");
    SourceExpression *expression = java_new(reader, node, SOURCE_UNKNOWN, type);
    expression->name = expression->text;
    with_operands(reader, expression, java_lambda_body(reader, node), NULL);
    return (JavaValue){expression, type};
}

/* `object::method`, of which the object is computed. */
JavaValue java_method_reference(JavaReader *reader, TSNode node)
{
    JavaType type = java_reference("lambda");
    SourceExpression *expression = java_new(reader, node, SOURCE_UNKNOWN, type);
    Nodes parts = java_children(node);
    expression->name = expression->text;
    bool is_value = parts.count > 1 && !strstr(ts_node_type(parts.items[0]), "type") &&
                    !java_is(parts.items[0], "super") && !java_class_named(reader, parts.items[0]);
    if (is_value)
        with_operands(reader, expression, java_expression(reader, parts.items[0]).expression, NULL);
    vec_free(&parts);
    return (JavaValue){expression, type};
}
