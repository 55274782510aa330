/* SPDX-License-Identifier: BSD-3-Clause */
/* See arrays.h. */
#include "cost/source/arrays.h"

#include "base/vec.h"
#include <string.h>

enum { PAGE_BYTES = 4096 };

typedef VEC(const SourceVariable *) Arrays;

static bool add_array(const SourceExpression *expression, void *self)
{
    Arrays *arrays = self;
    const SourceVariable *variable = expression->kind == SOURCE_VARIABLE ? expression->variable : NULL;
    if (!variable || variable->is_parameter || variable->array_bytes < PAGE_BYTES)
        return false;
    for (size_t i = 0; i < arrays->count; i++)
        if (arrays->items[i] == variable)
            return false;
    *vec_push(arrays) = variable;
    return false;
}

double arrays_bytes(Generator *all, const SourceFunction *entry)
{
    Arrays arrays = {0};
    double bytes = 0;
    if (strcmp(all->program->language, "c") != 0)
        return 0;
    for (size_t i = 0; i < all->program->n_functions; i++) {
        const SourceFunction *function = &all->program->functions[i];
        if (function == entry || calls_reach(all, entry, function))
            source_any_in(function->body, add_array, &arrays);
    }
    for (size_t i = 0; i < arrays.count; i++)
        bytes += arrays.items[i]->array_bytes;
    vec_free(&arrays);
    return bytes;
}
