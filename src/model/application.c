/* SPDX-License-Identifier: BSD-3-Clause */
/* See application.h. */
#include "model/application.h"

#include "base/files.h"

#include <string.h>

json_t *application_to_json(const Application *application)
{
    json_t *arguments = json_array();
    for (uint32_t i = 0; i < application->n_arguments; i++)
        json_array_append_new(arguments, json_from_text(application->arguments[i]));
    json_t *object =
        json_pack("{s:o, s:s, s:o, s:o, s:I}", "executable", json_from_text(application->executable), "build_id",
                  application->build_id, "mpi_library", json_from_text(application->mpi_library), "arguments",
                  arguments, "processes", (json_int_t)application->n_processes);
    if (application->arguments_truncated)
        json_object_set_new(object, "arguments_truncated", json_true());
    return object;
}

bool application_from_json(const json_t *object, const char *file, Arena *arena, Application *application, Err *err)
{
    const JsonPlace place = json_place(file, "application");
    const char *executable, *build_id, *mpi_library;
    bool truncated = false;
    uint64_t processes;
    json_t *arguments;
    if (!json_get_string(object, "executable", &place, &executable, err) ||
        !json_get_string(object, "build_id", &place, &build_id, err) ||
        !json_get_string(object, "mpi_library", &place, &mpi_library, err) ||
        !json_get_uint(object, "processes", &place, PROCESS_LIMIT, &processes, err) ||
        !json_get_array(object, "arguments", &place, SIZE_MAX, &arguments, err) ||
        (json_object_get(object, "arguments_truncated") &&
         !json_get_bool(object, "arguments_truncated", &place, &truncated, err)))
        return false;
    if (processes == 0)
        return err_set(err, ERR_INPUT, "%s: application.processes: expected at least one process", file);
    size_t n_arguments = json_array_size(arguments);
    const char **texts = arena_new_array(arena, const char *, n_arguments);
    for (size_t i = 0; i < n_arguments; i++) {
        const char *text = json_string_value(json_array_get(arguments, i));
        if (!text)
            return err_set(err, ERR_INPUT, "%s: application.arguments[%zu]: expected a text in quotes", file, i);
        texts[i] = arena_strdup(arena, text);
    }
    *application = (Application){.executable = arena_strdup(arena, executable),
                                 .build_id = arena_strdup(arena, build_id),
                                 .mpi_library = arena_strdup(arena, mpi_library),
                                 .n_arguments = (uint32_t)n_arguments,
                                 .arguments = texts,
                                 .arguments_truncated = truncated,
                                 .n_processes = (uint32_t)processes};
    return true;
}

static const char *copy_text(const char *text, Arena *arena)
{
    return arena_strdup(arena, text ? text : "");
}

Application application_copy(const Application *application, Arena *arena)
{
    Application copy = *application;
    copy.executable = copy_text(application->executable, arena);
    copy.build_id = copy_text(application->build_id, arena);
    copy.mpi_library = copy_text(application->mpi_library, arena);
    const char **arguments = arena_new_array(arena, const char *, application->n_arguments);
    for (uint32_t i = 0; i < application->n_arguments; i++)
        arguments[i] = arena_strdup(arena, application->arguments[i]);
    copy.arguments = arguments;
    return copy;
}

static void add_difference(Arena *arena, const char **text, const char *difference)
{
    *text = arena_printf(arena, "%s%s%s", *text, (*text)[0] ? "; " : "", difference);
}

static const char *quote_arguments(const Application *application, const char *joined, Arena *arena)
{
    return application->n_arguments ? arena_printf(arena, "`%s`", joined) : "none";
}

ApplicationDifference application_compare(const Application *expected, const Application *found, Arena *arena,
                                          const char **text)
{
    *text = "";
    if (strcmp(files_base_name(expected->executable), files_base_name(found->executable)) != 0)
        add_difference(arena, text,
                       arena_printf(arena, "program %s, not %s", files_base_name(found->executable),
                                    files_base_name(expected->executable)));
    if (expected->n_processes != found->n_processes)
        add_difference(arena, text,
                       arena_printf(arena, "%u process%s, not %u", found->n_processes,
                                    found->n_processes == 1 ? "" : "es", expected->n_processes));
    const char *wanted = arena_join(arena, expected->arguments, expected->n_arguments),
               *given = arena_join(arena, found->arguments, found->n_arguments);
    if (expected->n_arguments != found->n_arguments || strcmp(wanted, given) != 0)
        add_difference(arena, text,
                       arena_printf(arena, "arguments %s, not %s", quote_arguments(found, given, arena),
                                    quote_arguments(expected, wanted, arena)));
    if ((*text)[0])
        return APPLICATION_OTHER;

    if (expected->arguments_truncated || found->arguments_truncated)
        add_difference(arena, text, "arguments too long to be kept whole, so they can't be compared to their end");
    if (expected->build_id[0] && found->build_id[0] && strcmp(expected->build_id, found->build_id) != 0)
        add_difference(arena, text, "another build of the program");
    if (strcmp(expected->mpi_library, found->mpi_library) != 0)
        add_difference(arena, text, arena_printf(arena, "%s, not %s", found->mpi_library, expected->mpi_library));
    return (*text)[0] ? APPLICATION_REBUILT : APPLICATION_SAME;
}
