/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the arrays that tasks get are those of the source: compiles the batches that have some, and starts their
 * executors, as a run does. */
#include "base/files.h"
#include "base/interrupts.h"
#include "base/owner.h"
#include "cost/run/command.h"
#include "cost/run/compile.h"
#include "cost/source/program/program.h"

#include <errno.h>
#include <string.h>

static bool has_arrays(const PaslBatch *batch)
{
    for (size_t i = 0; i < batch->n_arguments; i++)
        if (batch->arguments[i].element)
            return true;
    return false;
}

/* Whatever else is wrong, the compiler says. Without libclang, names aren't known. */
bool arrays_check_names(const PaslApplication *application, const PaslBatch *batch, Arena *arena, Err *err)
{
    const SourceOptions how = {.file = batch->source, .options = batch->options};
    SourceProgram *program;
    Err other = {0};
    if (!has_arrays(batch) || !source_read_c(&how, arena, &program, &other))
        return true;
    const SourceFunction *entry = source_find(program, batch->entry);
    for (size_t i = 0; entry && i < batch->n_arguments && i < entry->n_parameters; i++) {
        const PaslBinding *array = &batch->arguments[i];
        if (array->element && strcmp(array->name, entry->parameters[i]->name) != 0)
            return err_set(err, ERR_INPUT, "%s:%u:%u: the array `%s` is called `%s` in `%s`", application->file,
                           array->line, array->column, array->name, entry->parameters[i]->name, batch->entry);
    }
    return true;
}

static bool take_answer(void *self, const char *line)
{
    Text *answer = self;
    if (!answer->bytes.count)
        text_add(answer, "%s", line);
    return true;
}

/* Without input, an executor says whether it is ready, and ends. */
static bool start_executor(const json_t *executor, Arena *arena, Err *err)
{
    static const char failed[] = "failed ";
    const size_t n = json_array_size(executor);
    const char **words = arena_new_array(arena, const char *, n + 1);
    Text text = {0};
    int status;
    for (size_t i = 0; i < n; i++)
        words[i] = json_string_value(json_array_get(executor, i));
    bool ok = command_run(words, NULL, take_answer, &text, arena, &status, err);
    const char *answer = text_take(&text, arena);
    return ok &&
           (strncmp(answer, failed, strlen(failed)) != 0 || err_set(err, ERR_INPUT, "%s", answer + strlen(failed)));
}

static bool compile_and_start(const PaslApplication *application, const char *directory, Arena *arena, Err *err)
{
    TaskPlace *places = arena_new_array(arena, TaskPlace, application->n_batches);
    const TaskList *lists = arena_new_array(arena, TaskList, application->n_batches);
    json_t *executors;
    const RunRequest request = {.application = application};
    if (!compile_tasks(&request, lists, directory, arena, &executors, places, err))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(executors); i++)
        ok = start_executor(json_array_get(executors, i), arena, err);
    json_decref(executors);
    return ok;
}

bool run_check_arrays(const PaslApplication *application, Arena *arena, Err *err)
{
    PaslBatch *batches = arena_new_array(arena, PaslBatch, application->n_batches);
    PaslApplication some = *application;
    Err own = {0};
    sigset_t before;
    some.batches = batches;
    some.n_batches = 0;
    for (size_t i = 0; i < application->n_batches; i++)
        if (strcmp(application->batches[i].language, "pamela") != 0 && has_arrays(&application->batches[i]))
            batches[some.n_batches++] = application->batches[i];
    if (!some.n_batches)
        return true;
    interrupts_hold(&before);
    const char *directory = owner_make_temporary(NULL, "firma-run", NULL, arena);
    bool ok = directory ? compile_and_start(&some, directory, arena, &own)
                        : err_set(&own, ERR_ENVIRONMENT, "cannot make a temporary directory: %s", strerror(errno));
    if (directory)
        files_remove_tree(directory);
    interrupts_release(&before);
    if (!ok && own.kind != ERR_ENVIRONMENT)
        *err = own;
    return ok || own.kind == ERR_ENVIRONMENT;
}
