/* SPDX-License-Identifier: BSD-3-Clause */
/* See writing.h. */
#include "cost/source/writing.h"

#include "cost/source/library.h"
#include "cost/source/operation.h"
#include "cost/source/program/syntax.h"

#include <string.h>

typedef struct Writing {
    const char *name;
    size_t n_fixed; /* arguments before the values to be converted; of what converts nothing: 0 */
    CpuType writes; /* what it writes without conversions */
    bool is_to_stream;
} Writing;

static const Writing writings[] = {
    {"sprintf", 2, CPU_INT32, false}, {"snprintf", 3, CPU_INT32, false}, {"printf", 1, CPU_INT32, true},
    {"fprintf", 2, CPU_INT32, true},  {"puts", 0, CPU_REFERENCE, true},  {"fputs", 0, CPU_REFERENCE, true},
    {"putchar", 0, CPU_INT8, true},   {"fputc", 0, CPU_INT8, true},      {"putc", 0, CPU_INT8, true},
};

static const Writing *find_writing(const char *name)
{
    for (size_t i = 0; i < sizeof writings / sizeof *writings; i++)
        if (library_is_named(name, writings[i].name))
            return &writings[i];
    return NULL;
}

/* With _FORTIFY_SOURCE, a flag comes before the format, and of texts their size. */
static size_t count_fixed(const Writing *writing, const char *name)
{
    size_t length = strlen(name);
    bool is_checked = length > 4 && strcmp(name + length - 4, "_chk") == 0;
    return writing->n_fixed + (!is_checked ? 0 : writing->is_to_stream ? 1 : 2);
}

/* A conversion for each value, whatever the format says of it; a format without conversions costs as one. */
static void emit_conversions(Scope *scope, const SourceExpression *call, size_t n_fixed)
{
    for (size_t i = n_fixed; i < call->n_operands; i++)
        emit_operation(scope, CPU_FORMAT, type_is_whole(call->operands[i]->type) ? CPU_INT32 : CPU_DOUBLE);
}

/* What the device takes behind a stream: nothing, unless the user knows it. */
static void emit_device(Scope *scope, const SourceExpression *call, const Writing *writing)
{
    Generator *all = scope->all;
    const char *cost = arena_printf(all->arena, "cost_%s", writing->name);
    const char *message =
        arena_printf(all->arena, "seconds of the device to which %s writes, for a call: not included", writing->name);
    parameter_make(all, cost, expr_integer(scope->space, 0), &call->place, message);
    finding_add(all, &call->place, cost, message);
    block_cost(all, scope->block, cost, expr_integer(scope->space, 1));
}

bool writing_emit(Scope *scope, const SourceExpression *call, const char *name)
{
    const Writing *writing = find_writing(name);
    if (!writing || scope->is_seldom)
        return false;
    size_t n_fixed = count_fixed(writing, name);
    if (writing->n_fixed && call->n_operands > n_fixed)
        emit_conversions(scope, call, n_fixed);
    else
        emit_operation(scope, CPU_FORMAT, writing->writes);
    if (writing->is_to_stream)
        emit_device(scope, call, writing);
    return true;
}
