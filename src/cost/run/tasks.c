/* SPDX-License-Identifier: BSD-3-Clause */
/* See tasks.h. Evaluates the flow file's expressions for each task. */
#include "cost/run/tasks.h"

#include "cost/lang/pamela.h"
#include "cost/run/protocol.h"
#include "cost/source/program/program.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Values of the application's parameters, followed by the value of `task`. */
typedef struct Values {
    const PaslApplication *application;
    ExprBinding *bindings;
    size_t count;
} Values;

static bool evaluate(const Values *values, const Expr *expr, double *value, Err *err)
{
    Interval interval;
    if (!expr_evaluate(expr, values->bindings, values->count, &interval, NULL, err))
        return false;
    *value = interval.low + (interval.high - interval.low) / 2;
    return true;
}

/* A parameter may use earlier ones. */
static bool find_values(const PaslApplication *application, Arena *arena, Values *values, Err *err)
{
    *values = (Values){application, arena_new_array(arena, ExprBinding, application->n_parameters + 1), 0};
    for (size_t i = 0; i < application->n_parameters; i++) {
        const PaslBinding *parameter = &application->parameters[i];
        double value;
        if (!parameter->value)
            return err_set(err, ERR_INPUT, "%s:%u:%u: parameter `%s` has no value", application->file, parameter->line,
                           parameter->column, parameter->name) ||
                   err_hint(err, "add --set %s=…", parameter->name);
        if (!evaluate(values, parameter->value, &value, err))
            return err_prefix(err, "%s:%u:%u: parameter `%s`", application->file, parameter->line, parameter->column,
                              parameter->name);
        values->bindings[values->count++] = (ExprBinding){parameter->name, {value, value}};
    }
    return true;
}

static bool count_tasks(const Values *values, const PaslBatch *batch, uint64_t *n_tasks, Err *err)
{
    double n;
    if (!evaluate(values, batch->tasks, &n, err))
        return err_prefix(err, "%s:%u: batch `%s`: tasks", values->application->file, batch->line, batch->name);
    if (!(n >= 0 && n <= RUN_TASKS_LIMIT) || n != floor(n))
        return err_set(err, ERR_INPUT,
                       "%s:%u: batch `%s`: the number of tasks is %.15g; expected a whole number, at most %d",
                       values->application->file, batch->line, batch->name, n, RUN_TASKS_LIMIT);
    *n_tasks = (uint64_t)n;
    return true;
}

bool run_count_tasks(const PaslApplication *application, const PaslBatch *batch, uint64_t *n_tasks, Err *err)
{
    Arena *scratch = arena_new();
    Values values;
    bool ok = find_values(application, scratch, &values, err) && count_tasks(&values, batch, n_tasks, err);
    arena_free(scratch);
    return ok;
}

bool run_check_lengths(const PaslApplication *application, Err *err)
{
    Arena *scratch = arena_new();
    Values values;
    bool ok = true, is_complete = true;
    for (size_t i = 0; i < application->n_parameters; i++)
        is_complete = is_complete && application->parameters[i].value;
    ok = !is_complete || find_values(application, scratch, &values, err);
    for (size_t i = 0; ok && is_complete && i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        double n = 0;
        ok = (evaluate(&values, batch->tasks, &n, err) ||
              err_prefix(err, "%s:%u: batch `%s`: tasks", application->file, batch->line, batch->name)) &&
             pasl_check_lengths(application, batch, n > 0 ? (uint64_t)n : 0, values.bindings, values.count, err);
    }
    arena_free(scratch);
    return ok;
}

static void set_task(Values *values, uint64_t number)
{
    double task = (double)number;
    values->bindings[values->application->n_parameters] = (ExprBinding){"task", {task, task}};
    values->count = values->application->n_parameters + 1;
}

size_t tasks_slots(const PaslBatch *batch)
{
    size_t n = 0;
    for (size_t i = 0; i < batch->n_arguments; i++)
        n += batch->arguments[i].element ? 2 : 1;
    return n;
}

static bool find_argument(const Values *values, const PaslBinding *argument, uint64_t task, double **next, Err *err)
{
    double value, seed = 0;
    if (!evaluate(values, argument->value, &value, err) ||
        (argument->element && !evaluate(values, argument->seed, &seed, err)))
        return err_prefix(err, "%s:%u:%u: argument `%s` of task %" PRIu64, values->application->file, argument->line,
                          argument->column, argument->name, task);
    if (argument->element && !pasl_check_length(values->application, argument, task, value, err))
        return false;
    *(*next)++ = value;
    if (argument->element)
        *(*next)++ = seed;
    return true;
}

static bool find_arguments(Values *values, const PaslBatch *batch, TaskList *list, Arena *arena, Err *err)
{
    double *arguments = arena_new_array(arena, double, list->n_tasks *tasks_slots(batch)), *next = arguments;
    for (uint64_t i = 0; i < list->n_tasks; i++) {
        set_task(values, list->numbers[i]);
        for (size_t k = 0; k < batch->n_arguments; k++)
            if (!find_argument(values, &batch->arguments[k], list->numbers[i], &next, err))
                return false;
    }
    list->arguments = arguments;
    return true;
}

/* The bytes of all tasks of a piece, which begins with the task of this index. */
static bool add_bytes(Values *values, const PaslBatch *batch, const TaskList *list, const TaskPiece *piece,
                      uint64_t first, const Expr *each, const char *what, uint64_t *bytes, Err *err)
{
    double sum = 0, one;
    for (uint64_t i = 0; each && i < piece->count; i++, sum += one) {
        set_task(values, list->numbers[first + i]);
        if (!evaluate(values, each, &one, err))
            return err_prefix(err, "%s:%u: batch `%s`: %s", values->application->file, batch->line, batch->name, what);
    }
    if (!(sum >= 0 && sum <= RUN_MESSAGE_LIMIT)) {
        const unsigned long long number = piece->worker ? piece->worker : list->numbers[first];
        return err_set(err, ERR_INPUT, "%s:%u: batch `%s`: %s: %g bytes for %s %llu; expected at most %d",
                       values->application->file, batch->line, batch->name, what, sum,
                       piece->worker ? "worker" : "task", number, RUN_MESSAGE_LIMIT);
    }
    *bytes = (uint64_t)ceil(sum);
    return true;
}

/* A piece for each worker; without counts, a piece for each task. */
static bool find_pieces(Values *values, const PaslBatch *batch, TaskList *list, const uint64_t *counts,
                        uint32_t n_workers, Arena *arena, Err *err)
{
    const uint64_t n = counts ? n_workers : list->n_tasks;
    TaskPiece *pieces = arena_new_array(arena, TaskPiece, n);
    uint64_t first = 0;
    list->pieces = pieces;
    for (uint64_t i = 0; i < n; i++) {
        TaskPiece *piece = &pieces[list->n_pieces];
        *piece = counts ? (TaskPiece){.count = counts[i], .worker = (uint32_t)i + 1} : (TaskPiece){.count = 1};
        if (!piece->count)
            continue;
        if (!add_bytes(values, batch, list, piece, first, batch->receives_bytes, "receives", &piece->receives, err) ||
            !add_bytes(values, batch, list, piece, first, batch->returns_bytes, "returns", &piece->returns, err))
            return false;
        first += piece->count;
        list->n_pieces++;
    }
    return true;
}

static const uint64_t *count_up(uint64_t n, Arena *arena)
{
    uint64_t *numbers = arena_new_array(arena, uint64_t, n);
    for (uint64_t i = 0; i < n; i++)
        numbers[i] = i + 1;
    return numbers;
}

static uint32_t find_level(const PaslBatch *batch, const TaskList *lists)
{
    uint32_t level = 0;
    for (size_t i = 0; i < batch->n_before; i++)
        if (lists[batch->before[i]].level >= level)
            level = lists[batch->before[i]].level + 1;
    return level;
}

static const PaslBinding *named(const PaslBinding *bindings, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(bindings[i].name, name) == 0)
            return &bindings[i];
    return NULL;
}

/* The same number for all tasks of a batch. */
static bool find_threads(const Values *values, const PaslBatch *batch, const Expr *set, Arena *arena, uint32_t *threads,
                         Err *err)
{
    const PaslApplication *application = values->application;
    const PaslBinding *said = named(batch->values, batch->n_values, PAMELA_THREADS);
    double n = 0;
    if (!said)
        said = named(application->parameters, application->n_parameters, PAMELA_THREADS);
    *threads = 0;
    if (strcmp(batch->language, "c") != 0 || !source_has_threads(batch->options) || !(set || said))
        return true;
    const char *place = set ? "--set" : arena_printf(arena, "%s:%u:%u", application->file, said->line, said->column);
    if (!evaluate(values, set ? set : said->value, &n, err))
        return err_prefix(err, "%s: `" PAMELA_THREADS "` of all tasks of batch `%s`", place, batch->name);
    if (!(n >= 1 && n <= INT32_MAX) || n != floor(n))
        return err_set(err, ERR_INPUT,
                       "%s: `" PAMELA_THREADS "` is a number of threads; expected a whole number from 1 on, not %g",
                       place, n);
    *threads = (uint32_t)n;
    return true;
}

bool tasks_list(const RunRequest *request, Arena *arena, const TaskList **result, Err *err)
{
    const PaslApplication *application = request->application;
    TaskList *lists = arena_new_array(arena, TaskList, application->n_batches);
    Values values;
    if (!find_values(application, arena, &values, err))
        return false;
    for (size_t i = 0; i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        TaskList *list = &lists[i];
        for (uint32_t worker = 0; request->counts && worker < request->n_workers; worker++)
            list->n_tasks += request->counts[i][worker];
        if (!request->counts && !count_tasks(&values, batch, &list->n_tasks, err))
            return false;
        list->numbers = request->numbers ? request->numbers[i] : count_up(list->n_tasks, arena);
        list->level = find_level(batch, lists);
        if (!find_threads(&values, batch, request->omp_threads, arena, &list->threads, err) ||
            !find_arguments(&values, batch, list, arena, err) ||
            !find_pieces(&values, batch, list, request->counts ? request->counts[i] : NULL, request->n_workers, arena,
                         err))
            return false;
    }
    *result = lists;
    return true;
}
