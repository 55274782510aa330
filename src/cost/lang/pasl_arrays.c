/* SPDX-License-Identifier: BSD-3-Clause */
/* Lengths of the arrays that tasks get. */
#include "cost/lang/pasl.h"

#include <inttypes.h>
#include <math.h>

#define TASKS_LIMIT 1000000 /* more can't be run */

bool pasl_check_length(const PaslApplication *application, const PaslBinding *array, uint64_t task, double length,
                       Err *err)
{
    return (length >= 0 && length <= PASL_ELEMENTS_LIMIT && length == floor(length)) ||
           err_set(err, ERR_INPUT,
                   "%s:%u:%u: argument `%s` of task %" PRIu64
                   ": the length would be %.15g; expected a whole number, at most %d",
                   application->file, array->line, array->column, array->name, task, length, PASL_ELEMENTS_LIMIT);
}

static bool check_task(const PaslApplication *application, const PaslBinding *array, uint64_t task,
                       const ExprBinding *bindings, size_t n_bindings, Err *err)
{
    Interval length;
    if (!expr_evaluate(array->value, bindings, n_bindings, &length, NULL, err))
        return err_prefix(err, "%s:%u:%u: argument `%s` of task %" PRIu64, application->file, array->line,
                          array->column, array->name, task);
    return pasl_check_length(application, array, task, length.low + (length.high - length.low) / 2, err);
}

bool pasl_check_lengths(const PaslApplication *application, const PaslBatch *batch, uint64_t n_tasks,
                        ExprBinding *bindings, size_t n_bindings, Err *err)
{
    n_tasks = n_tasks < TASKS_LIMIT ? n_tasks : TASKS_LIMIT;
    for (size_t i = 0; i < batch->n_arguments; i++) {
        const PaslBinding *array = &batch->arguments[i];
        const uint64_t n = !array->element ? 0 : expr_has_symbol(array->value, "task") ? n_tasks : n_tasks > 0;
        for (uint64_t task = 1; task <= n; task++) {
            bindings[n_bindings] = (ExprBinding){"task", {(double)task, (double)task}};
            if (!check_task(application, array, task, bindings, n_bindings + 1, err))
                return false;
        }
    }
    return true;
}
