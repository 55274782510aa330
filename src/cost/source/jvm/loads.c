/* SPDX-License-Identifier: BSD-3-Clause */
/* See loads.h. */
#include "cost/source/jvm/loads.h"

#include "cost/source/jvm/inlining.h"
#include "cost/source/values/objects.h"
#include "cost/source/values/value.h"
#include <math.h>
#include <string.h>

enum { SMALL_ARRAY_BYTES = 16384, LINE_BYTES = 64, REFERENCE_BYTES = 4 /* HotSpot compresses them */ };

/* An array that any first cache holds. */
static bool is_small(const SourceExpression *array)
{
    array = without_casts(array);
    return array->kind == SOURCE_VARIABLE && array->variable->array_bytes > 0 &&
           array->variable->array_bytes <= SMALL_ARRAY_BYTES;
}

/* Whether the loop's iterations change what the expression is computed from. */
static bool is_changed(const SourceExpression *expression, void *self)
{
    const Loop *loop = self;
    return (expression->kind == SOURCE_VARIABLE &&
            (expression->variable->is_global || assigned_count(loop->assigned, expression->variable))) ||
           expression->kind == SOURCE_CALL || expression->kind == SOURCE_ASSIGN ||
           expression->kind == SOURCE_INCREMENT || expression->kind == SOURCE_UNKNOWN;
}

static bool stays(const Scope *scope, const SourceExpression *expression)
{
    return scope->loop && !source_any_in_expression(expression, is_changed, scope->loop);
}

/* How many bytes the index moves from one iteration of the innermost loop to the next is at most a line. */
static bool is_near_step(const Scope *scope, const Expr *index, CpuType type)
{
    const char *name = scope->loop->index;
    const Expr *next = expr_add(scope->space, expr_symbol(scope->space, name), expr_integer(scope->space, 1));
    const Expr *moved = expr_substitute(scope->space, index, &name, &next, 1);
    double step;
    return expr_is_number(expr_subtract(scope->space, moved, index), &step) &&
           fabs(step) * cpu_type_bytes(type, REFERENCE_BYTES) <= LINE_BYTES;
}

bool load_is_stray(const Scope *scope, const SourceExpression *element)
{
    if (!scope->all->options->for_context || is_small(element->operands[0]))
        return false;
    const Expr *index = amount_of(scope, element->operands[1]).expr;
    if (!index)
        return true;
    bool is_of_changing_row = is_warm_java(scope->all) && scope->loop && element->type != CPU_REFERENCE &&
                              element->operands[0]->kind == SOURCE_ELEMENT && !stays(scope, element->operands[0]) &&
                              stays(scope, element->operands[1]);
    return is_of_changing_row ||
           (is_warm_java(scope->all) && scope->loop && !is_near_step(scope, index, element->type));
}

/* Fields may change by stores that aren't looked for here, but for references that C keeps. */
static bool is_kept_in_java(const Scope *scope, const SourceExpression *expression)
{
    bool is_row = expression->kind == SOURCE_ELEMENT && expression->type == CPU_REFERENCE;
    return (is_row || expression->kind == SOURCE_LENGTH) && stays(scope, expression);
}

/* Of a structure that is a variable, or of the one object to which a parameter leads, if the function doesn't let it lead
 * elsewhere. */
static bool is_of_fixed(const Scope *scope, const SourceExpression *object, const char *field)
{
    const SourceFunction *function = scope->function;
    if (object->kind != SOURCE_VARIABLE || !function || !field || strcmp(scope->all->program->language, "c") != 0 ||
        object_field_is_stored(function, field))
        return false;
    return object->is_structure ||
           (object->variable->is_parameter && object_is_fixed(scope->all, function, object->variable));
}

bool load_is_kept(const Scope *scope, const SourceExpression *expression)
{
    if (!scope->all->options->for_context)
        return false;
    if (scope->loop && is_warm_java(scope->all) && is_kept_in_java(scope, expression))
        return true;
    if (expression->kind != SOURCE_FIELD || expression->type != CPU_REFERENCE)
        return false;
    const SourceExpression *object = expression->operands[0];
    if (object->kind == SOURCE_DEREFERENCE)
        object = object->operands[0];
    bool is_unchanged =
        object->kind == SOURCE_VARIABLE && scope->loop && !assigned_count(scope->loop->assigned, object->variable);
    return is_unchanged || is_of_fixed(scope, object, expression->name);
}
