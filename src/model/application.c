/* SPDX-License-Identifier: BSD-3-Clause */
/* See application.h. Build ids differ if the program was rebuilt. */
#include "model/application.h"

#include "base/files.h"

#include <string.h>

static bool check_application(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    (void)context;
    return ((const Application *)record)->n_processes > 0 ||
           json_refuse(place, "processes", err, "expected at least one process");
}

const FieldList application_fields = FIELDS_CHECKED(
    Application, check_application, FIELD(Application, executable, "path of the program"),
    FIELD(Application, build_id, "hexadecimal; empty if the program has none"),
    FIELD(Application, mpi_library, "first line of MPI_Get_library_version's text"),
    FIELD_LIST(Application, arguments, n_arguments, "arguments", "without the program's name"),
    FIELD_AS(Application, n_processes, "processes", "number of processes", .limit = PROCESS_LIMIT),
    FIELD(Application, arguments_truncated,
          "true: arguments beyond 8 KiB were cut off, so firma can't compare them completely", .flags = FIELD_ABSENT));

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
        add_difference(arena, text, "arguments beyond 8 KiB, which firma can't compare");
    if (expected->build_id[0] && found->build_id[0] && strcmp(expected->build_id, found->build_id) != 0)
        add_difference(arena, text, "another build of the program");
    if (strcmp(expected->mpi_library, found->mpi_library) != 0)
        add_difference(arena, text, arena_printf(arena, "%s, not %s", found->mpi_library, expected->mpi_library));
    return (*text)[0] ? APPLICATION_REBUILT : APPLICATION_SAME;
}
