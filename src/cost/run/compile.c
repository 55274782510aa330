/* SPDX-License-Identifier: BSD-3-Clause */
/* See compile.h. */
#include "cost/run/compile.h"

#include "base/json.h"
#include "base/libraries.h"
#include "base/text.h"
#include "cost/run/protocol.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static json_t *words_of(const char *const *words)
{
    json_t *list = json_array();
    for (; *words; words++)
        json_array_append_new(list, json_from_text(*words));
    return list;
}

/* What executors get to know of time: see protocol.h. */
static const char *clock_of(bool without_waiting)
{
    return without_waiting ? RUN_CLOCK_RUNNING : RUN_CLOCK_WALL;
}

static bool find_c(bool without_waiting, json_t **executor, Arena *arena, Err *err)
{
    const char *path = libraries_find_program("firma-cost-tasks", "cost/run/worker", arena);
    if (!path)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks firma-cost-tasks, which runs tasks in C") ||
               err_hint(err, "install firma again");
    *executor = words_of((const char *const[]){path, clock_of(without_waiting), NULL});
    return true;
}

/* index: of the first batch in Java, for errors. */
static bool find_java(const PaslApplication *application, size_t index, const char *classes, bool without_waiting,
                      json_t **executor, Arena *arena, Err *err)
{
    const char *runner = libraries_find("FirmaTasks.java", "cost/run/worker", arena), *path = classes;
    const PaslBatch own = {.name = application->batches[index].name, .source = runner, .options = ""};
    if (!runner)
        return err_set(err, ERR_ENVIRONMENT, "firma's installation lacks FirmaTasks.java, which runs tasks in Java") ||
               err_hint(err, "install firma again");
    if (mkdir(classes, 0700) != 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", classes, strerror(errno));
    for (size_t i = 0; i < application->n_batches; i++) {
        const char *more = NULL;
        if (strcmp(application->batches[i].language, "java") == 0 &&
            !compile_class_path(&application->batches[i], arena, &more, err))
            return false;
        if (more)
            path = arena_printf(arena, "%s:%s", path, more);
    }
    *executor = words_of((const char *const[]){"java", "-cp", path, "FirmaTasks", clock_of(without_waiting), NULL});
    return compile_java(&own, classes, arena, err);
}

static uint32_t add_entry(json_t *executor, size_t first, size_t each)
{
    return (uint32_t)((json_array_size(executor) - first) / each);
}

enum { C_WORDS = 2, JAVA_WORDS = 5 };

static bool place_c(const RunRequest *request, size_t index, uint32_t threads, const char *directory, json_t *executor,
                    TaskPlace *place, Arena *arena, Err *err)
{
    const PaslApplication *application = request->application;
    const char *library;
    place->entry = add_entry(executor, C_WORDS, 1);
    if (!compile_c(request, index, threads, directory, arena, &library, err) ||
        !arrays_check_names(application, &application->batches[index], arena, err))
        return false;
    json_array_append_new(executor, json_from_text(library));
    return true;
}

/* What FirmaTasks.java must know of the parameters: "number,zeros double x". */
static const char *parameters_of(const PaslBatch *batch, Arena *arena)
{
    Text text = {0};
    for (size_t i = 0; i < batch->n_arguments; i++) {
        const PaslBinding *argument = &batch->arguments[i];
        if (argument->element)
            text_add(&text, "%s%s %s %s", i ? "," : "", pasl_fills[argument->fill], argument->element, argument->name);
        else
            text_add(&text, "%snumber", i ? "," : "");
    }
    return text_take(&text, arena);
}

static bool place_java(const char *file, const PaslBatch *batch, const char *classes, json_t *executor,
                       TaskPlace *place, Arena *arena, Err *err)
{
    place->entry = add_entry(executor, JAVA_WORDS, 3);
    if (!compile_java(batch, classes, arena, err))
        return false;
    json_array_append_new(executor, json_from_text(batch->entry));
    json_array_append_new(executor, json_from_text(parameters_of(batch, arena)));
    json_array_append_new(executor,
                          json_from_text(arena_printf(arena, "%s:%u: batch `%s`", file, batch->line, batch->name)));
    return true;
}

/* Executors have the order in which languages first occur. */
bool compile_tasks(const RunRequest *request, const TaskList *lists, const char *directory, Arena *arena,
                   json_t **executors, TaskPlace *places, Err *err)
{
    const PaslApplication *application = request->application;
    const bool without_waiting = request->without_waiting;
    const char *classes = arena_printf(arena, "%s/classes", directory);
    json_t *list = json_array(), *c = NULL, *java = NULL;
    uint32_t c_index = 0, java_index = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < application->n_batches; i++) {
        const PaslBatch *batch = &application->batches[i];
        bool is_c = strcmp(batch->language, "c") == 0, is_java = strcmp(batch->language, "java") == 0;
        if (is_c && !c && (ok = find_c(without_waiting, &c, arena, err))) {
            c_index = (uint32_t)json_array_size(list);
            json_array_append_new(list, c);
        }
        if (is_java && !java && (ok = find_java(application, i, classes, without_waiting, &java, arena, err))) {
            java_index = (uint32_t)json_array_size(list);
            json_array_append_new(list, java);
        }
        if (!ok)
            break;
        places[i].executor = is_c ? c_index : java_index;
        if (is_c)
            ok = place_c(request, i, lists[i].threads, directory, c, &places[i], arena, err);
        else if (is_java)
            ok = place_java(application->file, batch, classes, java, &places[i], arena, err);
        else
            ok = err_set(err, ERR_INPUT, "%s:%u: batch `%s`: a model that was written by hand can't be run",
                         application->file, batch->line, batch->name);
    }
    if (ok)
        *executors = list;
    else
        json_decref(list);
    return ok;
}
