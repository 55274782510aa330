/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes state.json (state.h). */
#include "signature/checkpoint/state.h"

#include "base/files.h"
#include "base/json.h"
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#define STATE_FORMAT "firma state"
enum { STATE_VERSION = 1 };

static const char *const kind_names[] = {
    [JOB_PATH_SHARED] = "shared", [JOB_PATH_SESSION] = "session", [JOB_PATH_HELD] = "held", [JOB_PATH_ASKED] = "asked"};
enum { N_KINDS = sizeof kind_names / sizeof *kind_names };
_Static_assert(N_KINDS == JOB_PATH_ASKED + 1, "each kind of path has a name");

const char *state_images(const char *directory, Arena *arena)
{
    return arena_printf(arena, "%s/images", directory);
}

const char *state_files(const char *directory, Arena *arena)
{
    return arena_printf(arena, "%s/files", directory);
}

void state_free(State *state)
{
    job_free(&state->job);
    vec_free(&state->files);
    vec_free(&state->mapped);
    vec_free(&state->addresses);
}

/* ---- Writing ---- */

static json_t *json_of_process(const JobProcess *process)
{
    json_t *threads = json_array();
    for (size_t i = 0; i < process->threads.count; i++)
        json_array_append_new(threads, json_pack("{s:I, s:s}", "id", (json_int_t)process->threads.items[i].id, "cpus",
                                                 process->threads.items[i].cpus));
    json_t *whole = json_pack("{s:I, s:o}", "id", (json_int_t)process->id, "threads", threads);
    if (process->rank >= 0)
        json_object_set_new(whole, "rank", json_integer(process->rank));
    return whole;
}

static json_t *json_of_file(const SavedFile *file)
{
    json_t *whole = json_pack("{s:o, s:I, s:I, s:I, s:I}", "path", json_from_text(file->path), "mode",
                              (json_int_t)file->mode, "user", (json_int_t)file->user, "group", (json_int_t)file->group,
                              "size_bytes", (json_int_t)file->size_bytes);
    if (file->stored)
        json_object_set_new(whole, "stored", json_string(file->stored));
    if (file->link)
        json_object_set_new(whole, "link", json_from_text(file->link));
    return whole;
}

static json_t *json_of_mapped(const MappedFile *file)
{
    return json_pack("{s:o, s:o, s:b, s:I}", "path", json_from_text(file->path), "identity",
                     json_from_text(file->identity), "executed", file->is_executed, "size_bytes",
                     (json_int_t)file->size_bytes);
}

bool state_write(const State *state, const char *directory, Err *err)
{
    char path[PATH_MAX];
    json_t *processes = json_array(), *paths = json_array(), *files = json_array(), *addresses = json_array(),
           *mapped = json_array();
    for (size_t i = 0; i < state->job.processes.count; i++)
        json_array_append_new(processes, json_of_process(&state->job.processes.items[i]));
    for (size_t i = 0; i < state->job.paths.count; i++)
        json_array_append_new(paths, json_pack("{s:o, s:s}", "path", json_from_text(state->job.paths.items[i].path),
                                               "kind", kind_names[state->job.paths.items[i].kind]));
    for (size_t i = 0; i < state->files.count; i++)
        json_array_append_new(files, json_of_file(&state->files.items[i]));
    for (size_t i = 0; i < state->mapped.count; i++)
        json_array_append_new(mapped, json_of_mapped(&state->mapped.items[i]));
    for (size_t i = 0; i < state->addresses.count; i++)
        json_array_append_new(addresses, json_string(state->addresses.items[i]));
    json_t *root = json_pack("{s:s, s:i, s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "format", STATE_FORMAT,
                             "version", STATE_VERSION, "back_end", state->back_end, "back_end_version", state->version,
                             "launcher", (json_int_t)state->launcher, "images_bytes", (json_int_t)state->images_bytes,
                             "files_bytes", (json_int_t)state->files_bytes, "addresses", addresses, "processes",
                             processes, "paths", paths, "files", files, "mapped", mapped);
    if (state->directory)
        json_object_set_new(root, "directory", json_from_text(state->directory));
    snprintf(path, sizeof path, "%s/state.json", directory);
    bool ok = json_save_document(root, path, err) &&
              (chmod(path, 0600) == 0 || err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno)));
    json_decref(root);
    return ok;
}

/* ---- Reading ---- */

#define NUMBER_LIMIT ((uint64_t)1 << 52)

static bool read_threads(const json_t *item, const JsonPlace *place, JobProcess *process, Arena *arena, Err *err)
{
    json_t *threads;
    if (!json_get_array(item, "threads", place, SIZE_MAX, &threads, err))
        return false;
    for (size_t i = 0; i < json_array_size(threads); i++) {
        uint64_t id;
        const char *cpus;
        if (!json_get_uint(json_array_get(threads, i), "id", place, INT32_MAX, &id, err) ||
            !json_get_string(json_array_get(threads, i), "cpus", place, &cpus, err))
            return false;
        *vec_push(&process->threads) = (JobThread){(int64_t)id, arena_strdup(arena, cpus)};
    }
    return true;
}

static bool read_process(const json_t *item, const JsonPlace *place, Arena *arena, State *state, Err *err)
{
    uint64_t id, rank = 0;
    bool has_rank = json_object_get(item, "rank") != NULL;
    if (!json_get_uint(item, "id", place, INT32_MAX, &id, err) ||
        (has_rank && !json_get_uint(item, "rank", place, INT32_MAX, &rank, err)))
        return false;
    JobProcess *process = vec_push(&state->job.processes);
    *process = (JobProcess){.id = (int64_t)id, .rank = has_rank ? (int64_t)rank : -1};
    return read_threads(item, place, process, arena, err);
}

static bool read_path(const json_t *item, const JsonPlace *place, Arena *arena, State *state, Err *err)
{
    const char *path, *name;
    size_t kind = 0;
    if (!json_get_text(item, "path", place, arena, &path, err) || !json_get_string(item, "kind", place, &name, err))
        return false;
    while (kind < N_KINDS && strcmp(kind_names[kind], name) != 0)
        kind++;
    if (kind == N_KINDS || *path != '/')
        return err_set(err, ERR_INPUT, "%s: %s: isn't a valid path of a saved job", place->file, place->path);
    *vec_push(&state->job.paths) = (JobPath){path, (JobPathKind)kind};
    return true;
}

static const char *optional_text(const json_t *item, const char *key, Arena *arena)
{
    return json_to_text(json_object_get(item, key), arena);
}

/* Whether the path is absolute and has no "..". A copy is put back below another directory, which
 * it must not leave. */
static bool is_straight(const char *path)
{
    for (const char *at = path; (at = strstr(at, "/.."));)
        if (*(at += 3) == '/' || *at == '\0')
            return false;
    return *path == '/' && strlen(path) < PATH_MAX;
}

/* Whether the file has a type that copies.c saves, with what this type needs. */
static bool is_consistent(const SavedFile *file)
{
    bool is_plain = file->stored && file->stored[strspn(file->stored, "0123456789")] == '\0';
    return is_straight(file->path) && (S_ISREG(file->mode)   ? is_plain
                                       : S_ISLNK(file->mode) ? file->link != NULL
                                                             : S_ISDIR(file->mode) || S_ISFIFO(file->mode));
}

static bool read_file(const json_t *item, const JsonPlace *place, Arena *arena, State *state, Err *err)
{
    uint64_t mode, user, group;
    SavedFile file = {0};
    if (!json_get_text(item, "path", place, arena, &file.path, err) ||
        !json_get_uint(item, "mode", place, UINT32_MAX, &mode, err) ||
        !json_get_uint(item, "user", place, UINT32_MAX, &user, err) ||
        !json_get_uint(item, "group", place, UINT32_MAX, &group, err) ||
        !json_get_uint(item, "size_bytes", place, NUMBER_LIMIT, &file.size_bytes, err))
        return false;
    file.mode = (uint32_t)mode, file.user = (uint32_t)user, file.group = (uint32_t)group;
    file.stored = optional_text(item, "stored", arena), file.link = optional_text(item, "link", arena);
    if (!is_consistent(&file))
        return err_set(err, ERR_INPUT, "%s: %s: isn't a valid file of a saved job", place->file, place->path);
    *vec_push(&state->files) = file;
    return true;
}

static bool read_mapped(const json_t *item, const JsonPlace *place, Arena *arena, State *state, Err *err)
{
    MappedFile file = {.is_executed = json_is_true(json_object_get(item, "executed"))};
    if (!json_get_text(item, "path", place, arena, &file.path, err) ||
        !json_get_text(item, "identity", place, arena, &file.identity, err) ||
        !json_get_uint(item, "size_bytes", place, NUMBER_LIMIT, &file.size_bytes, err))
        return false;
    *vec_push(&state->mapped) = file;
    return true;
}

static bool read_address(const json_t *item, const JsonPlace *place, Arena *arena, State *state, Err *err)
{
    const char *text = json_string_value(item);
    if (!text)
        return err_set(err, ERR_INPUT, "%s: %s: isn't a text", place->file, place->path);
    *vec_push(&state->addresses) = arena_strdup(arena, text);
    return true;
}

static const struct {
    const char *key;
    bool (*read)(const json_t *item, const JsonPlace *place, Arena *arena, State *state, Err *err);
} lists[] = {{"addresses", read_address},
             {"processes", read_process},
             {"paths", read_path},
             {"files", read_file},
             {"mapped", read_mapped}};

static bool read_lists(const json_t *root, const char *file, Arena *arena, State *state, Err *err)
{
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        const JsonPlace place = json_place(file, "%s", lists[k].key);
        json_t *list;
        if (!json_get_array(root, lists[k].key, &place, SIZE_MAX, &list, err))
            return false;
        for (size_t i = 0; i < json_array_size(list); i++) {
            const JsonPlace inner = json_place(file, "%s[%zu]", lists[k].key, i);
            if (!lists[k].read(json_array_get(list, i), &inner, arena, state, err))
                return false;
        }
    }
    return true;
}

static bool read_all(const json_t *root, const char *file, Arena *arena, State *state, Err *err)
{
    JsonPlace place = json_place(file, "%s", "");
    uint64_t launcher;
    if (!json_get_string(root, "back_end", &place, &state->back_end, err) ||
        !json_get_string(root, "back_end_version", &place, &state->version, err) ||
        !json_get_uint(root, "launcher", &place, INT32_MAX, &launcher, err) ||
        !json_get_uint(root, "images_bytes", &place, NUMBER_LIMIT, &state->images_bytes, err) ||
        !json_get_uint(root, "files_bytes", &place, NUMBER_LIMIT, &state->files_bytes, err))
        return false;
    state->launcher = (int64_t)launcher;
    state->back_end = arena_strdup(arena, state->back_end);
    state->version = arena_strdup(arena, state->version);
    state->directory = optional_text(root, "directory", arena);
    if (state->directory && *state->directory != '/')
        return err_set(err, ERR_INPUT, "%s: directory: isn't an absolute path", file);
    return read_lists(root, file, arena, state, err);
}

bool state_read(const char *directory, Arena *arena, State *state, Err *err)
{
    const char *file = arena_printf(arena, "%s/state.json", directory);
    json_t *root;
    if (!files_exist(file)) {
        bool is_half = files_exist(directory) || files_exist(arena_printf(arena, "%s.part", directory));
        err_set(err, ERR_INPUT, is_half ? "%s: this saved state is incomplete" : "%s: no saved state there", directory);
        return err_hint(err, "save it again");
    }
    if (!json_load_document(file, STATE_FORMAT, STATE_VERSION, &root, err))
        return false;
    State read = {0};
    bool ok = read_all(root, file, arena, &read, err);
    json_decref(root);
    if (ok)
        *state = read;
    else
        state_free(&read);
    return ok;
}
