/* SPDX-License-Identifier: BSD-3-Clause */
/* See sizes.h. */
#include "cost/predict/sizes.h"

#include <string.h>

/* The parameter's value, if it is a number. */
static bool number_of(const PaslBinding *parameter, const PredictOptions *how, double *value)
{
    const Expr *found = parameter->value;
    for (size_t i = 0; i < how->n_set; i++)
        if (strcmp(how->set[i].name, parameter->name) == 0)
            found = how->set[i].value;
    return found && expr_is_number(found, value);
}

const TaskSize *predict_sizes(const PaslApplication *application, const PredictOptions *how, size_t *n, Arena *arena)
{
    TaskSize *sizes = arena_new_array(arena, TaskSize, application->n_parameters);
    *n = 0;
    for (size_t i = 0; i < application->n_parameters; i++) {
        sizes[*n].name = application->parameters[i].name;
        *n += number_of(&application->parameters[i], how, &sizes[*n].value);
    }
    return sizes;
}
