/* SPDX-License-Identifier: BSD-3-Clause */
/* See application.h. Build ids differ if the program was rebuilt. */
#include "model/application.h"

#include "base/files.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/words.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

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
          "true: arguments beyond 8 KiB were cut off, so firma can't compare them completely", .flags = FIELD_ABSENT),
    FIELD(Application, arguments_hash,
          "if the arguments are hidden (each is `…`): `SALT:HASH`, by which firma recognises the true ones",
          .flags = FIELD_ABSENT));

const FieldList process_place_fields = FIELDS(
    ProcessPlace, FIELD(ProcessPlace, host, "its host; empty: not known"),
    FIELD(ProcessPlace, processors, "the host's processors that it could use, such as `0-3,8`; empty: not known"));

static const char *copy_text(const char *text, Arena *arena)
{
    return arena_strdup(arena, text ? text : "");
}

bool application_is_simulated(const Application *application)
{
    return strncmp(application->mpi_library, "SMPI", 4) == 0;
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
    copy.arguments_hash = copy_text(application->arguments_hash, arena);
    return copy;
}

bool places_are_same(const ProcessPlace *a, const ProcessPlace *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(a[i].host, b[i].host) != 0 || strcmp(a[i].processors, b[i].processors) != 0)
            return false;
    return true;
}

const ProcessPlace *places_copy(const ProcessPlace *places, uint32_t n, Arena *arena)
{
    ProcessPlace *copy = arena_new_array(arena, ProcessPlace, n);
    for (uint32_t i = 0; i < n; i++)
        copy[i] = (ProcessPlace){copy_text(places[i].host, arena), copy_text(places[i].processors, arena)};
    return copy;
}

/* ---- hidden arguments ---- */

#define HIDDEN "…"

/* Passwords are often short. So the hash is repeated, which makes guessing them slower: 50 ms each. */
enum { SALT_BYTES = 16, HASH_ROUNDS = 1 << 16 };

bool application_new_salt(Arena *arena, const char **salt, Err *err)
{
    uint8_t bytes[SALT_BYTES];
    if (getentropy(bytes, sizeof bytes) != 0)
        return err_set(err, ERR_ENVIRONMENT, "no random numbers for hiding arguments: %s", strerror(errno));
    *salt = text_hexadecimal(bytes, sizeof bytes, arena);
    return true;
}

static bool is_hidden(const Application *application)
{
    return application->arguments_hash && *application->arguments_hash;
}

const char *application_salt(const Application *application, Arena *arena)
{
    const char *hash = application->arguments_hash;
    return is_hidden(application) ? arena_strndup(arena, hash, strcspn(hash, ":")) : NULL;
}

static const char *hash_arguments(const Application *application, const char *salt, Arena *arena)
{
    uint8_t digest[SHA256_BYTES];
    Text text = {0};
    text_add(&text, "%s:%u:%d", salt, application->n_arguments, application->arguments_truncated);
    for (uint32_t i = 0; i < application->n_arguments; i++)
        text_add(&text, ":%zu:%s", strlen(application->arguments[i]), application->arguments[i]);
    sha256(text.bytes.items, text.bytes.count, digest);
    for (int i = 1; i < HASH_ROUNDS; i++)
        sha256(digest, sizeof digest, digest);
    vec_free(&text.bytes);
    return arena_printf(arena, "%s:%s", salt, text_hexadecimal(digest, sizeof digest, arena));
}

void application_hide_arguments(Application *application, const char *salt, Arena *arena)
{
    if (!salt || is_hidden(application))
        return;
    const char **hidden = arena_new_array(arena, const char *, application->n_arguments);
    for (uint32_t i = 0; i < application->n_arguments; i++)
        hidden[i] = HIDDEN;
    application->arguments_hash = hash_arguments(application, salt, arena);
    application->arguments = hidden;
}

const char *application_command(char *const *words, const char *salt, Arena *arena)
{
    size_t n = words_count((const char *const *)words);
    return salt && n > 1 ? arena_printf(arena, "%s " HIDDEN, words[0])
                         : arena_join(arena, (const char *const *)words, n);
}

/* ---- comparing ---- */

static void add_difference(Arena *arena, const char **text, const char *difference)
{
    *text = arena_printf(arena, "%s%s%s", *text, (*text)[0] ? "; " : "", difference);
}

static const char *quote_arguments(const Application *application, const char *joined, Arena *arena)
{
    return application->n_arguments ? arena_printf(arena, "`%s`", joined) : "none";
}

typedef enum Likeness { LIKENESS_SAME, LIKENESS_OTHER, LIKENESS_UNKNOWN } Likeness;

static Likeness compare_arguments(const Application *expected, const Application *found, Arena *arena)
{
    const char *salt = application_salt(is_hidden(expected) ? expected : found, arena);
    const char *wanted, *given;
    if (salt) {
        wanted = is_hidden(expected) ? expected->arguments_hash : hash_arguments(expected, salt, arena);
        given = is_hidden(found) ? found->arguments_hash : hash_arguments(found, salt, arena);
        if (strcspn(wanted, ":") != strcspn(given, ":") || strncmp(wanted, given, strlen(salt)) != 0)
            return LIKENESS_UNKNOWN;
    } else {
        wanted = arena_join(arena, expected->arguments, expected->n_arguments);
        given = arena_join(arena, found->arguments, found->n_arguments);
    }
    return expected->n_arguments == found->n_arguments && strcmp(wanted, given) == 0 ? LIKENESS_SAME : LIKENESS_OTHER;
}

static const char *describe_arguments(const Application *expected, const Application *found, Arena *arena)
{
    if (is_hidden(expected) || is_hidden(found))
        return "other arguments, which are hidden";
    return arena_printf(
        arena, "arguments %s, not %s",
        quote_arguments(found, arena_join(arena, found->arguments, found->n_arguments), arena),
        quote_arguments(expected, arena_join(arena, expected->arguments, expected->n_arguments), arena));
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
    const Likeness arguments = compare_arguments(expected, found, arena);
    if (arguments == LIKENESS_OTHER)
        add_difference(arena, text, describe_arguments(expected, found, arena));
    if ((*text)[0])
        return APPLICATION_OTHER;

    if (arguments == LIKENESS_UNKNOWN)
        add_difference(arena, text, "arguments that were hidden separately, which firma can't compare");
    if (expected->arguments_truncated || found->arguments_truncated)
        add_difference(arena, text, "arguments beyond 8 KiB, which firma can't compare");
    if (expected->build_id[0] && found->build_id[0] && strcmp(expected->build_id, found->build_id) != 0)
        add_difference(arena, text, "another build of the program");
    if (strcmp(expected->mpi_library, found->mpi_library) != 0)
        add_difference(arena, text, arena_printf(arena, "%s, not %s", found->mpi_library, expected->mpi_library));
    return (*text)[0] ? APPLICATION_REBUILT : APPLICATION_SAME;
}
