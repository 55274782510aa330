/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes and reads states.json, and checks it (manifest.h). */
#include "signature/states/manifest.h"

#include "base/files.h"
#include "model/application.h"
#include "model/signature.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static const FieldList state_fields = FIELDS(
    State,
    FIELD_AS(State, number, "state", "its number, which is also the name of its directory", .limit = STATE_LIMIT),
    FIELD_AS(State, window.stop, "stop", "milestone of the signature at which the job was saved",
             .limit = MILESTONE_LIMIT),
    FIELD_AS(State, window.begin, "begin", "milestone at which the window begins", .limit = MILESTONE_LIMIT),
    FIELD_AS(State, window.end, "end", "milestone at which the window ends", .limit = MILESTONE_LIMIT),
    FIELD(State, checksum, "xxHash, 128 bits, of all files' names, sizes and contents"),
    FIELD(State, bytes, "size of all files"));

static bool check_states(const FieldContext *context, const JsonPlace *place, void *record, Err *err)
{
    const States *states = record;
    (void)context;
    if (states->recording[0] != '/' || files_base_name(states->recording)[0] == '\0')
        return json_refuse(place, "recording", err, "isn't an absolute path of a directory");
    return (states->n_states && states->n_states <= STATE_LIMIT) ||
           json_refuse(place, "states", err, "expected 1 to %d", STATE_LIMIT);
}

static const FieldList states_fields = FIELDS_CHECKED(
    States, check_states, FIELD(States, application, "the saved application", .of = &application_fields),
    FIELD(States, command, "its command line"), FIELD(States, host, "where rank 0 ran"),
    FIELD(States, back_end, "the back end that saved the states: `criu`, `dmtcp`"),
    FIELD(States, back_end_version, "its version"),
    FIELD(States, processor,
          "features of the processor, as the kernel lists them; firma refuses the states where one is missing"),
    FIELD(States, kernel, "name and release of the kernel; firma doesn't compare them"),
    FIELD(States, page_bytes, "size of memory pages; firma refuses the states where it differs", .limit = INT32_MAX),
    FIELD(States, recording, "absolute path of the recording's directory, as the processes know it"),
    FIELD_AS(States, is_complete, "complete",
             "whether each planned window has its state; if not, the program or firma ended early, or a state couldn't "
             "be saved",
             .flags = FIELD_OPTIONAL),
    FIELD_AS(States, n_planned, "planned", "number of planned windows", .limit = STATE_LIMIT),
    FIELD_LIST(States, states, n_states, "states", "by number", .of = &state_fields));

const Document states_document = {.format = "firma states", .version = 1, .fields = &states_fields};

bool manifest_save(const States *states, Err *err)
{
    Arena *scratch = arena_new();
    const char *path = manifest_path(states->directory, scratch);
    bool saved = document_save(&states_document, states, path, err) && files_make_private(path, err);
    arena_free(scratch);
    return saved;
}

static bool check_windows(const States *states, const Signature *signature, const char *path, Err *err)
{
    const JsonPlace place = json_place(path, "%s", "");
    for (uint32_t i = 0; i < states->n_states; i++) {
        const SpreadWindow *window = &states->states[i].window;
        const JsonPlace at = json_place_at(&place, "states", i);
        if (window->stop > window->begin || window->begin >= window->end || window->end >= signature->n_milestones)
            return json_refuse(&at, "", err, "the signature doesn't have the milestones of its window");
    }
    return true;
}

/* Checks again whether the states belong to the signature's application: files may have been
 * swapped since they were saved. */
static bool check_signature(const States *states, const Signature *signature, Arena *arena, Err *err)
{
    const char *difference;
    if (application_compare(&signature->application, &states->application, arena, &difference) != APPLICATION_OTHER)
        return true;
    return err_set(err, ERR_INPUT, "%s/app.firma: is the signature of another application than the saved states: %s",
                   states->directory, difference) ||
           err_hint(err, "save new states with firma checkpoint");
}

/* Saved states are the memory of the user's processes, and run with the user's rights. */
static bool check_privacy(const char *directory, Err *err)
{
    struct stat status;
    if (stat(directory, &status) == 0 && status.st_mode & (S_IRWXG | S_IRWXO))
        return err_set(err, ERR_ENVIRONMENT,
                       "%s: other users can read or change these saved states, so firma doesn't run them", directory) ||
               err_hint(err, "if nobody has: chmod 700 %s", directory);
    return true;
}

bool states_load(const char *directory, Arena *arena, States **states, Signature **signature, Err *err)
{
    const char *path = manifest_path(directory, arena);
    States *loaded;
    if (access(directory, X_OK) != 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", directory, strerror(errno)) ||
               err_hint(err, "only the owner of saved states can use them");
    if (!files_exist(path))
        return err_set(
                   err, ERR_INPUT,
                   "%s: holds no states.json: either it isn't a directory of saved states, or firma checkpoint saved none",
                   directory) ||
               err_hint(err, "firma checkpoint saves states");
    if (!check_privacy(directory, err) ||
        !signature_load(arena_printf(arena, "%s/app.firma", directory), arena, signature, err) ||
        !document_load(&states_document, path, arena, &loaded, err))
        return false;
    loaded->directory = arena_strdup(arena, directory);
    *states = loaded;
    return check_windows(loaded, *signature, path, err) && check_signature(loaded, *signature, arena, err);
}
