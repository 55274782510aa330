/* SPDX-License-Identifier: BSD-3-Clause */
/* See ownership.h. */
#include "trace/ownership.h"

#include "base/files.h"
#include "base/marked.h"
#include "base/owner.h"
#include "trace/archive_names.h"
#include "trace/gathering.h"
#include "trace/segment.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONTROL_NAME "control"
#define MEASURED_ARCHIVE "archive"

typedef enum ControlState { CONTROL_ABSENT, CONTROL_BLANK, CONTROL_VALID, CONTROL_STRANGE } ControlState;

/* A blank file means that a firma has created it, but not filled it in yet. */
static ControlState read_control(const char *recording, Arena *arena, ControlFile *control)
{
    FILE *file = fopen(arena_printf(arena, "%s/" CONTROL_NAME, recording), "rb");
    if (!file)
        return errno == ENOENT ? CONTROL_ABSENT : CONTROL_STRANGE;
    *control = (ControlFile){0};
    size_t size = fread(control, 1, sizeof *control, file);
    fclose(file);
    if (memcmp(control->magic, (char[8]){0}, sizeof control->magic) == 0)
        return CONTROL_BLANK;
    return size == sizeof *control && memcmp(control->magic, CONTROL_MAGIC, sizeof control->magic) == 0
               ? CONTROL_VALID
               : CONTROL_STRANGE;
}

static OwnerState control_owner_state(const ControlFile *control, Arena *arena)
{
    const Owner owner = {.pid = control->owner_pid,
                         .start_ticks = control->owner_start_ticks,
                         .pid_namespace = control->owner_pid_namespace,
                         .host = owner_host(arena_strndup(arena, control->owner_host,
                                                          strnlen(control->owner_host, sizeof control->owner_host)))};
    return owner_state(&owner);
}

size_t recording_signal_processes(const char *path, int number)
{
    Arena *scratch = arena_new();
    size_t count = marked_signal(arena_printf(scratch, RECORD_DIRECTORY_VARIABLE "=%s", path), false, number);
    arena_free(scratch);
    return count;
}

bool recording_check_unused(const char *path, Arena *arena, Err *err)
{
    ControlFile control;
    char resolved[PATH_MAX];
    if (read_control(path, arena, &control) != CONTROL_VALID || !realpath(path, resolved))
        return true;
    switch (control_owner_state(&control, arena)) {
    case OWNER_RUNS:
        if (control.owner_pid == getpid())
            return true;
        err_set(err, ERR_USAGE, "%s: in use by process %d", path, control.owner_pid);
        return err_hint(err, "wait for its end, or choose another place with -o");
    case OWNER_UNKNOWN:
        err_set(err, ERR_USAGE,
                "%s: process %d on %.*s recorded here, and firma can't tell from here whether it has ended", path,
                control.owner_pid, (int)sizeof control.owner_host, control.owner_host);
        return err_hint(err, "continue on that host, and in that container; or remove the directory if it has ended");
    case OWNER_GONE:
        break;
    }
    size_t n_running = recording_signal_processes(resolved, 0);
    if (n_running == 0)
        return true;
    err_set(err, ERR_USAGE, "%s: the firma that recorded here has ended, but %zu process%s of the program still run%s",
            path, n_running, n_running == 1 ? "" : "es", n_running == 1 ? "s" : "");
    return err_hint(err, "wait for the program's end, or end it; then `firma trace --convert %s` creates a trace",
                    path);
}

/* True for the files that firma writes before any process records. */
static bool is_without_records(const char *name)
{
    return owner_is_part_of(name, CONTROL_NAME) || strcmp(name, CONTROL_NAME) == 0 || strcmp(name, STOPS_NAME) == 0;
}

static bool is_of_recording(const char *name)
{
    return is_without_records(name) || owner_is_part_of(name, MEASURED_ARCHIVE) ||
           strcmp(name, MEASURED_ARCHIVE) == 0 || strcmp(name, NOTES_NAME) == 0 || files_has_suffix(name, ".process") ||
           files_has_suffix(name, ".comms") || files_has_suffix(name, ".tasks") || files_has_suffix(name, ".segment") ||
           files_has_suffix(name, GATHERING_PART);
}

bool archive_is_part(const char *name)
{
    return strcmp(name, ARCHIVE_NAME ".otf2") == 0 || strcmp(name, ARCHIVE_NAME ".def") == 0 ||
           strcmp(name, ARCHIVE_NAME ".marker") == 0 || strcmp(name, ARCHIVE_NAME) == 0;
}

static bool is_events_file(const char *name)
{
    return files_has_suffix(name, ".evt") || files_has_suffix(name, ".def");
}

static bool check_entries(const char *directory, bool (*is_expected)(const char *), const char *what, Err *err)
{
    char stranger[NAME_MAX + 1];
    if (!files_find_other(directory, is_expected, stranger))
        return true;
    err_set(err, ERR_USAGE, "%s: contains `%s`, which is not part of %s; nothing was touched", directory, stranger,
            what);
    return err_hint(err, "choose another place with -o");
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool archive_check_own(const char *directory, Arena *arena, Err *err)
{
    const char *events = arena_printf(arena, "%s/" ARCHIVE_NAME, directory);
    return check_entries(directory, archive_is_part, "a trace", err) &&
           (!is_directory(events) || check_entries(events, is_events_file, "a trace", err));
}

bool recording_check_own(const char *path, Arena *arena, Err *err)
{
    ControlFile control;
    if (!is_directory(path))
        return err_set(err, ERR_USAGE, "%s: exists, and isn't a recording; nothing was touched", path) ||
               err_hint(err, "choose another place with -o");
    const char *archive = arena_printf(arena, "%s/" MEASURED_ARCHIVE, path);
    if (!check_entries(path, is_of_recording, "a recording", err) ||
        (access(archive, F_OK) == 0 && !archive_check_own(archive, arena, err)))
        return false;
    switch (read_control(path, arena, &control)) {
    case CONTROL_VALID:
        return true;
    case CONTROL_BLANK:
        err_set(err, ERR_USAGE, "%s: another firma is beginning to record here", path);
        return err_hint(err, "choose another place with -o, or remove the directory if that firma was killed");
    case CONTROL_ABSENT:
        if (files_is_empty(path))
            return true;
        break;
    case CONTROL_STRANGE:
        break;
    }
    err_set(err, ERR_USAGE, "%s: has no control file of firma, so it isn't a recording; nothing was touched", path);
    return err_hint(err, "choose another place with -o");
}

void recording_remove_remains(const char *path, Arena *arena)
{
    ControlFile control;
    Err in_use;
    char record[NAME_MAX + 1];
    owner_remove_parts(path);
    owner_remove_parts(arena_printf(arena, "%s/" CONTROL_NAME, path));
    if (!files_is_directory(path) || files_find_other(path, is_without_records, record))
        return;
    ControlState state = read_control(path, arena, &control);
    bool is_abandoned = state == CONTROL_VALID && control_owner_state(&control, arena) == OWNER_GONE &&
                        recording_check_unused(path, arena, &in_use);
    /* Only older versions of firma left a blank file, when they were killed. */
    if (!is_abandoned && state != CONTROL_BLANK)
        return;
    unlink(arena_printf(arena, "%s/" CONTROL_NAME, path));
    unlink(arena_printf(arena, "%s/" STOPS_NAME, path));
}

void recording_release(const char *path, Arena *arena)
{
    ControlFile control;
    FILE *file = read_control(path, arena, &control) == CONTROL_VALID
                     ? fopen(arena_printf(arena, "%s/" CONTROL_NAME, path), "r+b")
                     : NULL;
    if (!file)
        return;
    control.owner_pid = 0;
    fwrite(&control, sizeof control, 1, file);
    fclose(file);
}

bool recording_is_at(const char *path, Arena *arena)
{
    ControlFile control;
    return read_control(path, arena, &control) == CONTROL_VALID;
}

double recording_slowdown(const char *path, Arena *arena)
{
    ControlFile control;
    return read_control(path, arena, &control) == CONTROL_VALID && isfinite(control.slowdown)
               ? fmax(0, control.slowdown)
               : 0;
}

const char *recording_local(const char *path, Arena *arena)
{
    ControlFile control;
    return read_control(path, arena, &control) == CONTROL_VALID && control.local[0]
               ? arena_strndup(arena, control.local, strnlen(control.local, sizeof control.local))
               : NULL;
}

bool recording_owner_is_unknown(const char *path, Arena *arena)
{
    ControlFile control;
    return read_control(path, arena, &control) == CONTROL_VALID &&
           control_owner_state(&control, arena) == OWNER_UNKNOWN;
}

bool recording_remove_abandoned(const char *path, Arena *arena)
{
    ControlFile control;
    Err kept;
    return read_control(path, arena, &control) == CONTROL_VALID && control.owner_pid != 0 &&
           control_owner_state(&control, arena) == OWNER_GONE && recording_remove(path, arena, &kept);
}

bool recording_remove(const char *path, Arena *arena, Err *err)
{
    struct stat status;
    owner_remove_parts(path);
    if (lstat(path, &status) != 0 && errno == ENOENT)
        return true;
    return recording_check_own(path, arena, err) && recording_check_unused(path, arena, err) &&
           (owner_remove_tree(path, path) ||
            err_set(err, ERR_ENVIRONMENT, "%s: can't be removed: %s", path, strerror(errno)));
}
