/* SPDX-License-Identifier: BSD-3-Clause */
/* Java's types, and those of them that costs are known of. */
#include "cost/source/java/tree.h"

static const struct {
    JavaKind kind;
    const char *name, *box;
    CpuType cpu_type;
} PRIMITIVES[] = {
    {JAVA_VOID, "void", "Void", CPU_INT32},        {JAVA_BOOLEAN, "boolean", "Boolean", CPU_INT8},
    {JAVA_BYTE, "byte", "Byte", CPU_INT8},         {JAVA_SHORT, "short", "Short", CPU_INT16},
    {JAVA_CHAR, "char", "Character", CPU_INT16},   {JAVA_INT, "int", "Integer", CPU_INT32},
    {JAVA_LONG, "long", "Long", CPU_INT64},        {JAVA_FLOAT, "float", "Float", CPU_FLOAT},
    {JAVA_DOUBLE, "double", "Double", CPU_DOUBLE},
};
enum { N_PRIMITIVES = sizeof PRIMITIVES / sizeof *PRIMITIVES };

JavaType java_primitive(JavaKind kind)
{
    return (JavaType){.kind = kind};
}

JavaType java_reference(const char *name)
{
    return (JavaType){.kind = JAVA_REFERENCE, .name = name};
}

JavaType java_array_of(JavaType element, unsigned dimensions)
{
    element.dimensions += dimensions;
    return element;
}

JavaType java_element(JavaType array)
{
    if (!array.dimensions)
        return java_primitive(JAVA_UNKNOWN);
    array.dimensions--;
    return array;
}

bool java_is_primitive(JavaType type)
{
    return !type.dimensions && type.kind != JAVA_REFERENCE && type.kind != JAVA_UNKNOWN;
}

bool java_is_number(JavaType type)
{
    return java_is_primitive(type) && type.kind >= JAVA_BYTE;
}

bool java_is_text(JavaType type)
{
    return type.kind == JAVA_REFERENCE && !type.dimensions && type.name && strcmp(type.name, "String") == 0;
}

CpuType java_cpu_type(JavaType type)
{
    for (size_t i = 0; java_is_primitive(type) && i < N_PRIMITIVES; i++)
        if (PRIMITIVES[i].kind == type.kind)
            return PRIMITIVES[i].cpu_type;
    return CPU_REFERENCE;
}

JavaKind java_box_kind(JavaType type)
{
    for (size_t i = 0; type.kind == JAVA_REFERENCE && !type.dimensions && type.name && i < N_PRIMITIVES; i++)
        if (strcmp(PRIMITIVES[i].box, type.name) == 0)
            return PRIMITIVES[i].kind;
    return JAVA_UNKNOWN;
}

const char *java_box_name(JavaKind kind)
{
    for (size_t i = 0; i < N_PRIMITIVES; i++)
        if (PRIMITIVES[i].kind == kind)
            return PRIMITIVES[i].box;
    return "Object";
}

JavaType java_promoted(JavaType a, JavaType b)
{
    JavaKind kind = a.kind > b.kind ? a.kind : b.kind;
    return java_primitive(kind < JAVA_INT ? JAVA_INT : kind);
}

static JavaType named_primitive(const char *name)
{
    for (size_t i = 0; i < N_PRIMITIVES; i++)
        if (strcmp(PRIMITIVES[i].name, name) == 0)
            return java_primitive(PRIMITIVES[i].kind);
    return java_primitive(JAVA_UNKNOWN);
}

static JavaType generic(JavaReader *reader, TSNode node)
{
    JavaType type = java_primitive(JAVA_UNKNOWN);
    JavaType *arguments = arena_new_array(reader->arena, JavaType, 2);
    Nodes parts = java_children(node);
    if (parts.count)
        type = java_type(reader, parts.items[0]);
    TSNode list = java_child(node, "type_arguments");
    Nodes listed = ts_node_is_null(list) ? (Nodes){0} : java_children(list);
    for (size_t i = 0; i < listed.count && i < 2; i++)
        arguments[i] = java_type(reader, listed.items[i]);
    if (listed.count)
        type.arguments = arguments;
    vec_free(&listed);
    vec_free(&parts);
    return type;
}

static unsigned count_dimensions(TSNode dimensions)
{
    unsigned count = 0;
    uint32_t n = ts_node_is_null(dimensions) ? 0 : ts_node_child_count(dimensions);
    for (uint32_t i = 0; i < n; i++)
        count += strcmp(ts_node_type(ts_node_child(dimensions, i)), "[") == 0;
    return count;
}

/* The last part: of a qualified name its class, of an annotated type the type, of `? extends T` T. */
static JavaType last_part(JavaReader *reader, TSNode node)
{
    JavaType type = java_primitive(JAVA_UNKNOWN);
    Nodes parts = java_children(node);
    if (parts.count)
        type = java_type(reader, parts.items[parts.count - 1]);
    vec_free(&parts);
    return type;
}

JavaType java_type(JavaReader *reader, TSNode node)
{
    if (ts_node_is_null(node))
        return java_primitive(JAVA_UNKNOWN);
    const char *kind = ts_node_type(node);
    if (strcmp(kind, "type_identifier") == 0 || strcmp(kind, "identifier") == 0) {
        const char *name = java_text(reader, node);
        return strcmp(name, "var") == 0 ? java_primitive(JAVA_UNKNOWN) : java_reference(name);
    }
    if (strcmp(kind, "generic_type") == 0)
        return generic(reader, node);
    if (strcmp(kind, "array_type") == 0)
        return java_array_of(java_type(reader, java_part(node, "element")),
                             count_dimensions(java_part(node, "dimensions")));
    if (strcmp(kind, "scoped_type_identifier") == 0 || strcmp(kind, "annotated_type") == 0 ||
        strcmp(kind, "wildcard") == 0 || strcmp(kind, "catch_type") == 0)
        return last_part(reader, node);
    return named_primitive(java_text(reader, node));
}

JavaType java_declared_type(JavaReader *reader, TSNode type, TSNode declarator)
{
    return java_array_of(java_type(reader, type), count_dimensions(java_part(declarator, "dimensions")));
}

const char *java_type_text(JavaReader *reader, JavaType type)
{
    const char *text = type.kind == JAVA_REFERENCE && type.name ? type.name : "?";
    for (size_t i = 0; i < N_PRIMITIVES; i++)
        if (PRIMITIVES[i].kind == type.kind)
            text = PRIMITIVES[i].name;
    for (unsigned i = 0; i < type.dimensions; i++)
        text = arena_printf(reader->arena, "%s[]", text);
    return text;
}
