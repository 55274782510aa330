/* SPDX-License-Identifier: BSD-3-Clause */
/* See inlining.h. HotSpot inlines methods that run often if they have at most 325 bytes of bytecode
 * (-XX:FreqInlineSize) and don't call themselves. An expression takes about two of these bytes: one to load a variable
 * or to compute, three for a field, a call or a branch. */
#include "cost/source/jvm/inlining.h"

#include <string.h>

enum { INLINED_BYTES = 325, EXPRESSION_BYTES = 2 };

bool is_warm_java(const Generator *all)
{
    return all->options->for_context && strcmp(all->program->language, "java") == 0;
}

static bool is_too_many(const SourceExpression *expression, void *self)
{
    unsigned *n = self;
    (void)expression;
    return ++*n > INLINED_BYTES / EXPRESSION_BYTES;
}

bool call_is_inlined(Generator *all, const SourceFunction *function)
{
    unsigned n = 0;
    return is_warm_java(all) && !source_any_in(function->body, is_too_many, &n) &&
           !calls_reach(all, function, function);
}
