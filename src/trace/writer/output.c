/* SPDX-License-Identifier: BSD-3-Clause */
/* See output.h. */
#include "trace/writer/output.h"

#include "base/files.h"
#include "base/json.h"
#include "base/leftovers.h"
#include "base/map.h"
#include "base/owner.h"
#include "trace/archive_names.h"
#include "trace/otf2_callbacks.h"
#include "trace/otf2_errors.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVENT_CHUNK_BYTES = 256 * 1024, MEMBER_BYTES = 10 };

/* Works around an error of OTF2 3.0.2. If a file can't be written, OTF2 frees the file's buffer,
 * goes on filling it, and frees it again when the file is closed. So firma writes nothing after a
 * failure, and leaves open files open (output_close_events, output_close).
 *
 * By default, OTF2 keeps 128 MiB of events, and writes them while it closes their file. That is too
 * late to notice a failure. So OTF2 gets one chunk at a time. The last chunk fits into the buffer,
 * because it is smaller than the others, of which 16 fill the buffer. */
static bool has_failed(void)
{
    return *otf2_errors_first() != '\0';
}

static OTF2_FlushType flush_unless_failed(UNUSED void *user, UNUSED OTF2_FileType type,
                                          UNUSED OTF2_LocationRef location, UNUSED void *caller, UNUSED bool final)
{
    return has_failed() ? OTF2_NO_FLUSH : OTF2_FLUSH;
}

static void *give_chunk(UNUSED void *user, UNUSED OTF2_FileType type, UNUSED OTF2_LocationRef location, void **held,
                        uint64_t size_bytes)
{
    return *held ? NULL : (*held = malloc(size_bytes));
}

static void take_chunk(UNUSED void *user, UNUSED OTF2_FileType type, UNUSED OTF2_LocationRef location, void **held,
                       UNUSED bool final)
{
    free(*held);
    *held = NULL;
}

static bool succeeded(OTF2_ErrorCode status)
{
    return status == OTF2_SUCCESS && !has_failed();
}

/* The name that the user knows: DIR of "DIR.OWNER.part", which is being filled. */
static int known_length(const char *directory)
{
    size_t length = strlen(directory);
    if (files_has_suffix(directory, OWNER_PART)) {
        size_t end = length - strlen(OWNER_PART);
        while (end > 0 && directory[end - 1] != '.' && directory[end - 1] != '/')
            end--;
        if (end > 1 && directory[end - 1] == '.')
            length = end - 1;
    }
    return (int)length;
}

bool output_check(const ArchiveOutput *output, const char *what, OTF2_ErrorCode status, Err *err)
{
    const char *cause = otf2_errors_cause(status), *file = strstr(cause, ": POSIX: /"); /* in a ".part" */
    return succeeded(status) ||
           err_set(err, ERR_ENVIRONMENT, "%.*s: cannot write %s: %.*s", known_length(output->directory),
                   output->directory, what, (int)(file ? (size_t)(file - cause) : strlen(cause)), cause);
}

/* False if the place holds anything but an archive that is to be replaced. */
static bool check_place(const ArchiveOutput *output, Arena *scratch, Err *err)
{
    const char *anchor = arena_printf(scratch, "%s/" ARCHIVE_NAME ".otf2", output->resolved);
    if (!files_is_directory(output->resolved) || files_is_empty(output->resolved))
        return true;
    if (files_exist(anchor) && output->replaces)
        return true;
    err_set(err, ERR_USAGE, files_exist(anchor) ? "%s: a trace exists there" : "%s: this directory isn't empty",
            output->directory);
    return err_hint(err, "choose another directory with -o, or remove this one");
}

bool output_prepare(ArchiveOutput *output, Arena *arena, Err *err)
{
    if (!files_resolve(output->directory, output->resolved))
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot create the directory: %s", output->directory, strerror(errno));
    if (!check_place(output, arena, err))
        return false;
    owner_remove_parts(output->resolved);
    output->part = arena_printf(arena, "%s.%s" OWNER_PART, output->resolved, owner_name(arena));
    leftovers_note(output->part);
    files_remove_tree(output->part); /* of an archive of this process that failed */
    return mkdir(output->part, 0700) == 0 ||
           err_set(err, ERR_ENVIRONMENT, "%s: cannot create the directory: %s", output->directory, strerror(errno));
}

/* Moves the archive to its place. A former archive stays until then, and is removed afterwards. */
static bool put_in_place(ArchiveOutput *output, Err *err)
{
    if (rename(output->part, output->resolved) == 0) /* also onto an empty directory */
        return true;
    if ((errno == ENOTEMPTY || errno == EEXIST) && output->replaces &&
        renameat2(AT_FDCWD, output->part, AT_FDCWD, output->resolved, RENAME_EXCHANGE) == 0) {
        files_remove_tree(output->part);
        return true;
    }
    if ((errno == EINVAL || errno == ENOSYS) && output->replaces) { /* a file system that can't exchange */
        char former[PATH_MAX + sizeof OWNER_FORMER];
        snprintf(former, sizeof former, "%.*s" OWNER_FORMER, (int)(strlen(output->part) - strlen(OWNER_PART)),
                 output->part);
        if (rename(output->resolved, former) == 0 && rename(output->part, output->resolved) == 0) {
            files_remove_tree(former);
            return true;
        }
    }
    return err_set(err, ERR_ENVIRONMENT, "%s: the archive cannot be moved there: %s", output->directory,
                   strerror(errno));
}

void output_remove(ArchiveOutput *output)
{
    if (output->part)
        files_remove_tree(output->part);
}

/* A definition must fit into a chunk, so a chunk needs room for a group of all processes. It is no
 * larger, because readers clear a chunk for each file. */
static uint64_t definition_chunk_bytes(uint32_t n_processes)
{
    uint64_t needed = 2 * MEMBER_BYTES * (uint64_t)n_processes;
    return needed < OTF2_CHUNK_SIZE_MIN   ? OTF2_CHUNK_SIZE_MIN
           : needed > OTF2_CHUNK_SIZE_MAX ? OTF2_CHUNK_SIZE_MAX
                                          : needed;
}

bool output_open(ArchiveOutput *output, uint32_t n_processes, Err *err)
{
    static const OTF2_MemoryCallbacks memory = {.otf2_allocate = give_chunk, .otf2_free_all = take_chunk};
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = flush_unless_failed};
    otf2_errors_start();
    output->otf2 = OTF2_Archive_Open(output->part, ARCHIVE_NAME, OTF2_FILEMODE_WRITE, EVENT_CHUNK_BYTES,
                                     definition_chunk_bytes(n_processes), OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!output->otf2)
        return output_check(output, "the archive", OTF2_ERROR_INVALID, err);
    OTF2_ErrorCode status = OTF2_Archive_SetFlushCallbacks(output->otf2, &flush, NULL);
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_SetMemoryCallbacks(output->otf2, &memory, NULL);
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_SetSerialCollectiveCallbacks(output->otf2);
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_SetCreator(output->otf2, "firma " FIRMA_VERSION);
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_OpenEvtFiles(output->otf2);
    return output_check(output, "the archive", status, err);
}

OTF2_ErrorCode output_close_events(ArchiveOutput *output, OTF2_EvtWriter *writer)
{
    return has_failed() ? OTF2_ERROR_PROCESSED_WITH_FAULTS : OTF2_Archive_CloseEvtWriter(output->otf2, writer);
}

bool output_write_local_definitions(ArchiveOutput *output, const Recording *recording, Err *err)
{
    OTF2_ErrorCode status = OTF2_Archive_OpenDefFiles(output->otf2);
    for (uint32_t rank = 0; rank < recording->n_processes && succeeded(status); rank++) {
        const RecordedProcess *process = &recording->processes[rank];
        for (uint32_t i = 0; i < process->n_threads && succeeded(status); i++) {
            OTF2_DefWriter *definitions =
                OTF2_Archive_GetDefWriter(output->otf2, (uint64_t)process->threads[i] << 32 | rank);
            status = definitions ? OTF2_Archive_CloseDefWriter(output->otf2, definitions) : OTF2_ERROR_INVALID;
        }
    }
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_CloseDefFiles(output->otf2);
    return output_check(output, "local definitions", status, err);
}

bool output_write_definitions(ArchiveOutput *output, const ArchiveContents *contents, Err *err)
{
    OTF2_GlobalDefWriter *definitions = OTF2_Archive_GetGlobalDefWriter(output->otf2);
    if (!definitions)
        return output_check(output, "definitions", OTF2_ERROR_INVALID, err);
    OTF2_ErrorCode status = definitions_write(definitions, contents);
    if (status == OTF2_SUCCESS)
        status = OTF2_Archive_CloseGlobalDefWriter(output->otf2, definitions);
    return output_check(output, "definitions", status, err);
}

/* Sets a property. OTF2 has no empty property values, so a property without value is left out. */
static OTF2_ErrorCode set_property(ArchiveOutput *output, const char *name, const char *value)
{
    return value && *value ? OTF2_Archive_SetProperty(output->otf2, name, value, true) : OTF2_SUCCESS;
}

static OTF2_ErrorCode set_json_property(ArchiveOutput *output, const char *name, json_t *array)
{
    char *text = json_dumps(array, JSON_COMPACT);
    OTF2_ErrorCode status = set_property(output, name, text);
    free(text);
    json_decref(array);
    return status;
}

/* How many ranks share a processor, where most do. 0: not known. */
static double ranks_per_processor(const Recording *recording)
{
    Map counts = {0};
    double most = 0;
    if (recording->origin)
        return recording->origin->ranks_per_processor;
    for (uint32_t i = 0; i < recording->n_processes; i++) {
        const RecordedProcess *process = &recording->processes[i];
        if (!process->host || !process->n_processors)
            continue;
        MapKey key = {(uint64_t)(uintptr_t)process->host, 0}; /* processes of one host share the text of its name */
        for (const char *c = process->processors; *c; c++)
            key = hash_word(key, (uint64_t)*c);
        uint64_t *count = map_put(&counts, key, NULL);
        most = fmax(most, (double)++*count / process->n_processors);
    }
    map_free(&counts);
    return most;
}

/* PROPERTY_PLACES. Empty: no place is known. */
static json_t *places_json(const Recording *recording)
{
    const ProcessPlace *origin = recording->origin ? recording->origin->places : NULL;
    json_t *places = json_array();
    bool is_known = false;
    for (uint32_t i = 0; i < recording->n_processes; i++) {
        const RecordedProcess *process = &recording->processes[i];
        const char *host = origin ? origin[i].host : process->host,
                   *list = origin ? origin[i].processors : process->processors;
        is_known |= list && *list;
        json_array_append_new(places,
                              json_pack("[oo]", json_from_text(host ? host : ""), json_from_text(list ? list : "")));
    }
    if (!is_known)
        json_array_clear(places);
    return places;
}

static OTF2_ErrorCode set_number_property(ArchiveOutput *output, const char *name, double value)
{
    char text[32] = "";
    if (value > 0)
        snprintf(text, sizeof text, "%.6g", value);
    return set_property(output, name, text);
}

bool output_write_properties(ArchiveOutput *output, const Recording *recording, const ArchiveNote *notes,
                             uint32_t n_notes, Err *err)
{
    const Application *application = &recording->application;
    json_t *arguments = json_array(), *hosts = json_array(), *sentences = json_array();
    json_t *calls = json_array();
    bool has_calls = false;
    json_t *incomplete = recording->n_incomplete ? json_array() : NULL;
    for (uint32_t i = 0; i < application->n_arguments; i++)
        json_array_append_new(arguments, json_from_text(application->arguments[i]));
    const char *previous = NULL;
    for (uint32_t i = 0; i < recording->n_processes; i++) {
        const char *host = recording->processes[i].host;
        if (host && host != previous && is_first_of_host(recording, i))
            json_array_append_new(hosts, json_from_text(host));
        previous = host ? host : previous;
        json_array_append_new(calls, json_integer((json_int_t)recording->processes[i].n_calls));
        has_calls |= recording->processes[i].n_calls != 0;
    }
    if (!has_calls)
        json_array_clear(calls);
    if (recording->origin && recording->origin->host && recording->origin->host[0])
        json_array_append_new(hosts, json_from_text(recording->origin->host));
    for (uint32_t i = 0; i < n_notes; i++)
        json_array_append_new(sentences, json_from_text(notes[i].text));
    for (uint32_t i = 0; i < recording->n_incomplete; i++)
        json_array_append_new(incomplete, json_from_text(recording->incomplete[i]));
    OTF2_ErrorCode results[] = {
        set_property(output, PROPERTY_EXECUTABLE, application->executable),
        set_property(output, PROPERTY_BUILD_ID, application->build_id),
        set_property(output, PROPERTY_MPI_LIBRARY, application->mpi_library),
        set_json_property(output, PROPERTY_ARGUMENTS, arguments),
        set_property(output, PROPERTY_ARGUMENTS_TRUNCATED, application->arguments_truncated ? "true" : ""),
        set_property(output, PROPERTY_ARGUMENTS_HASH, application->arguments_hash ? application->arguments_hash : ""),
        set_json_property(output, PROPERTY_HOSTS, hosts),
        set_json_property(output, PROPERTY_PLACES, places_json(recording)),
        set_number_property(output, PROPERTY_RANKS_PER_PROCESSOR, ranks_per_processor(recording)),
        set_number_property(output, PROPERTY_RECORDING_COST_S, recording_cost_s(recording)),
        set_number_property(output, PROPERTY_SLOWDOWN,
                            recording->origin ? recording->origin->slowdown : recording->slowdown),
        set_json_property(output, PROPERTY_RECORDED_CALLS, calls),
        set_json_property(output, PROPERTY_INCOMPLETE, incomplete),
        set_json_property(output, PROPERTY_NOTES, sentences),
    };
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (results[i] != OTF2_SUCCESS)
            return output_check(output, "properties", results[i], err);
    return true;
}

bool output_close(ArchiveOutput *output, bool ok, Err *err)
{
    if (!output->otf2)
        return ok;
    OTF2_ErrorCode status = has_failed() ? OTF2_ERROR_PROCESSED_WITH_FAULTS : OTF2_Archive_Close(output->otf2);
    output->otf2 = NULL;
    return ok && output_check(output, "the archive", status, err) && put_in_place(output, err);
}
