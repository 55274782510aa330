/* SPDX-License-Identifier: BSD-3-Clause */
/* See manifest.h. */
#include "signature/states/manifest.h"

#include "base/files.h"
#include "base/json.h"
#include "model/application.h"
#include "model/signature.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STATES_FORMAT "firma states"
#define STATES_VERSION 1
#define STATE_LIMIT 4096
#define MILESTONE_LIMIT (1u << 20)

static const char *manifest_path(const char *directory, Arena *arena)
{
    return arena_printf(arena, "%s/states.json", directory);
}

const char *state_path(const char *directory, uint32_t number, Arena *arena)
{
    return arena_printf(arena, "%s/%u", directory, number);
}

bool states_are_at(const char *path)
{
    return files_is_directory(path);
}

static json_t *state_to_json(const State *state)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:s, s:I}", "state", (json_int_t)state->number, "stop",
                     (json_int_t)state->window.stop, "begin", (json_int_t)state->window.begin, "end",
                     (json_int_t)state->window.end, "checksum", state->checksum, "bytes", (json_int_t)state->bytes);
}

bool manifest_save(const States *states, Err *err)
{
    Arena *scratch = arena_new();
    json_t *array = json_array();
    for (uint32_t i = 0; i < states->n_states; i++)
        json_array_append_new(array, state_to_json(&states->states[i]));
    json_t *root = json_pack(
        "{s:s, s:i, s:o, s:o, s:o, s:s, s:s, s:s, s:s, s:I, s:o, s:b, s:I, s:o}", "format", STATES_FORMAT, "version",
        STATES_VERSION, "application", application_to_json(&states->application), "command",
        json_from_text(states->command), "host", json_from_text(states->host), "back_end", states->back_end,
        "back_end_version", states->back_end_version, "processor", states->processor, "kernel", states->kernel,
        "page_bytes", (json_int_t)states->page_bytes, "recording", json_from_text(states->recording), "complete",
        states->is_complete, "planned", (json_int_t)states->n_planned, "states", array);
    const char *path = manifest_path(states->directory, scratch);
    bool saved = json_save_document(root, path, err) && files_make_private(path, err);
    json_decref(root);
    arena_free(scratch);
    return saved;
}

static bool state_from_json(const json_t *object, const JsonPlace *place, const Signature *signature, Arena *arena,
                            State *state, Err *err)
{
    uint64_t number, stop, begin, end;
    const char *checksum;
    if (!json_get_uint(object, "state", place, STATE_LIMIT, &number, err) ||
        !json_get_uint(object, "stop", place, MILESTONE_LIMIT, &stop, err) ||
        !json_get_uint(object, "begin", place, MILESTONE_LIMIT, &begin, err) ||
        !json_get_uint(object, "end", place, MILESTONE_LIMIT, &end, err) ||
        !json_get_string(object, "checksum", place, &checksum, err) ||
        !json_get_uint(object, "bytes", place, INT64_MAX, &state->bytes, err))
        return false;
    if (!(stop <= begin && begin < end && end < signature->n_milestones))
        return err_set(err, ERR_INPUT, "%s: %s: its window doesn't lie in the signature", place->file, place->path);
    state->number = (uint32_t)number;
    state->window = (SpreadWindow){.stop = (uint32_t)stop, .begin = (uint32_t)begin, .end = (uint32_t)end};
    state->checksum = arena_strdup(arena, checksum);
    return true;
}

static bool states_from_json(const json_t *root, const char *file, const Signature *signature, Arena *arena,
                             States *states, Err *err)
{
    const JsonPlace place = json_place(file, "states");
    json_t *application, *array;
    uint64_t n_planned;
    const char **texts[] = {&states->command,   &states->host,   &states->back_end, &states->back_end_version,
                            &states->processor, &states->kernel, &states->recording};
    static const char *const keys[] = {"command",   "host",   "back_end", "back_end_version",
                                       "processor", "kernel", "recording"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!json_get_string(root, keys[i], &place, texts[i], err))
            return false;
        *texts[i] = arena_strdup(arena, *texts[i]);
    }
    if (states->recording[0] != '/' || files_base_name(states->recording)[0] == '\0')
        return err_set(err, ERR_INPUT, "%s: recording: isn't a directory's path from /", file);
    if (!json_get_uint(root, "planned", &place, STATE_LIMIT, &n_planned, err) ||
        !json_get_uint(root, "page_bytes", &place, INT32_MAX, &states->page_bytes, err) ||
        !json_get_object(root, "application", &place, &application, err) ||
        !application_from_json(application, file, arena, &states->application, err) ||
        !json_get_array(root, "states", &place, SIZE_MAX, &array, err))
        return false;
    size_t n = json_array_size(array);
    if (!n || n > STATE_LIMIT)
        return err_set(err, ERR_INPUT, "%s: states: expected 1 to %d", file, STATE_LIMIT);
    State *all = arena_new_array(arena, State, n);
    for (size_t i = 0; i < n; i++) {
        const JsonPlace inner = json_place(file, "states[%zu]", i);
        if (!state_from_json(json_array_get(array, i), &inner, signature, arena, &all[i], err))
            return false;
    }
    states->is_complete = json_is_true(json_object_get(root, "complete"));
    states->n_planned = (uint32_t)n_planned;
    states->n_states = (uint32_t)n;
    states->states = all;
    return true;
}

/* What was saved is of the signature's application: who saves sees to that, and files can be exchanged. */
static bool check_signature(const States *states, const Signature *signature, Arena *arena, Err *err)
{
    const char *difference;
    if (application_compare(&signature->application, &states->application, arena, &difference) != APPLICATION_OTHER)
        return true;
    return err_set(err, ERR_INPUT, "%s/app.firma: isn't the signature that the states were saved for: %s",
                   states->directory, difference) ||
           err_hint(err, "make the states anew: firma checkpoint");
}

bool states_load(const char *directory, Arena *arena, States **states, Signature **signature, Err *err)
{
    const char *path = manifest_path(directory, arena);
    json_t *root;
    if (access(directory, X_OK) != 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", directory, strerror(errno)) ||
               err_hint(err, "states are for their owner alone");
    if (!files_exist(path))
        return err_set(err, ERR_INPUT,
                       "%s: holds no states.json: it isn't a directory of saved states, or no state of it was finished",
                       directory) ||
               err_hint(err, "firma checkpoint makes it");
    States *loaded = arena_new_array(arena, States, 1);
    loaded->directory = arena_strdup(arena, directory);
    if (!signature_load(arena_printf(arena, "%s/app.firma", directory), arena, signature, err) ||
        !json_load_document(path, STATES_FORMAT, STATES_VERSION, &root, err))
        return false;
    bool ok =
        states_from_json(root, path, *signature, arena, loaded, err) && check_signature(loaded, *signature, arena, err);
    json_decref(root);
    if (ok)
        *states = loaded;
    return ok;
}
