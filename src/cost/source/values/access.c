/* SPDX-License-Identifier: BSD-3-Clause */
/* See access.h. A dereferenced pointer is its first element: (*p).n is p[0].n, so all of it stands behind the variable. */
#include "cost/source/values/access.h"

#define FIRST_ELEMENT "[0]"

static const Access NONE = {NULL, NULL};

static Access add(const Access *before, Arena *arena, const char *separator, const char *name)
{
    return before->text ? (Access){arena_printf(arena, "%s%s%s", before->text, separator, name), before->held} : NONE;
}

/* A union's field begins with |. One without a name is left out in sources. */
static const char *field_name(const SourceExpression *field)
{
    const char *name = field->name ? field->name : "";
    return name + (*name == '|');
}

bool access_is_cast(const SourceExpression *reference)
{
    return reference->taken_as && (!reference->pointee || strcmp(reference->taken_as, reference->pointee) != 0);
}

Access access_to(const SourceExpression *expression, const SourceVariable *variable, Arena *arena)
{
    if (access_is_cast(expression))
        return NONE;
    if (expression->kind == SOURCE_VARIABLE && expression->variable == variable)
        return (Access){"", expression->is_structure ? expression->held : expression->pointee};
    if (expression->kind != SOURCE_FIELD && expression->kind != SOURCE_DEREFERENCE)
        return NONE;
    const SourceExpression *object = expression->operands[0];
    const Access before = access_to(object, variable, arena);
    if (expression->kind == SOURCE_DEREFERENCE)
        return add(&before, arena, FIRST_ELEMENT, "");
    return *field_name(expression) ? add(&before, arena, object->is_structure ? "." : "->", field_name(expression))
                                   : NONE;
}

Access access_through(const SourceExpression *argument, const char *text, const SourceVariable *variable, Arena *arena)
{
    const bool is_address = argument->kind == SOURCE_ADDRESS;
    const Access before = access_to(is_address ? argument->operands[0] : argument, variable, arena);
    if (!text || access_is_cast(argument))
        return NONE;
    if (is_address && strncmp(text, "->", 2) == 0)
        return add(&before, arena, ".", text + 2);
    if (is_address && strncmp(text, FIRST_ELEMENT, strlen(FIRST_ELEMENT)) == 0)
        return add(&before, arena, "", text + strlen(FIRST_ELEMENT));
    return is_address ? NONE : add(&before, arena, "", text);
}
