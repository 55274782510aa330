/* SPDX-License-Identifier: BSD-3-Clause */
/* See outputs.h. */
#include "cli/outputs.h"

#include "base/files.h"
#include "base/json.h"
#include "base/leftovers.h"
#include "base/owner.h"
#include "trace/ownership.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int force;

const struct poptOption force_option_table[] = {
    {"force", 'f', POPT_ARG_NONE, &force, 0, "replace results that exist already", NULL}, POPT_TABLEEND};

bool force_is_given(void)
{
    return force;
}

/* ---- one output ---- */

static bool refuse_existing(const char *path, Err *err)
{
    return err_set(err, ERR_USAGE, "%s: exists already", path) ||
           err_hint(err, "choose another name, or replace it with --force");
}

/* A file is written beside its place and then renamed, so its folder counts. */
static bool check_folder(const char *path, Err *err)
{
    char resolved[PATH_MAX];
    if (!files_resolve(path, resolved))
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot write: its folder: %s", path, strerror(errno));
    const char *folder = dirname(resolved);
    return access(folder, W_OK | X_OK) == 0 ||
           err_set(err, ERR_ENVIRONMENT, "%s: cannot write: %s: %s", path, folder, strerror(errno));
}

static bool check_file(const Output *output, Err *err)
{
    struct stat status;
    const char *path = output->path;
    if (files_descriptor_of(path) >= 0)
        return true;
    if (stat(path, &status) != 0)
        return check_folder(path, err);
    if (S_ISDIR(status.st_mode))
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot write: %s", path, strerror(EISDIR));
    if (!S_ISREG(status.st_mode))
        return access(path, W_OK) == 0 || err_set(err, ERR_ENVIRONMENT, "%s: cannot write: %s", path, strerror(errno));
    return force || output->is_edited ? check_folder(path, err) : refuse_existing(path, err);
}

/* True if firma wrote everything in the directory. */
static bool check_own(const Output *output, Arena *arena, Err *err)
{
    char other[NAME_MAX + 1];
    const DirectoryKind *kind = output->kind;
    owner_remove_parts_in(output->path);
    if (files_is_empty(output->path)) /* firma was killed before it wrote anything */
        return true;
    if (files_find_other(output->path, kind->is_part, other))
        return err_set(err, ERR_USAGE, "%s: contains `%s`, which is not part of %s; nothing was touched", output->path,
                       other, kind->what) ||
               err_hint(err, "choose another directory");
    if (!files_exist(arena_printf(arena, "%s/%s", output->path, kind->mark)) &&
        !(kind->early_mark && files_exist(arena_printf(arena, "%s/%s", output->path, kind->early_mark))))
        return err_set(err, ERR_USAGE, "%s: contains no `%s`, so it isn't %s; nothing was touched", output->path,
                       kind->mark, kind->what) ||
               err_hint(err, "choose another directory");
    return !kind->check_below || kind->check_below(output->path, arena, err);
}

/* A firma that was killed while it replaced the directory has left the former one beside it. */
static void restore_former(const char *path)
{
    char resolved[PATH_MAX], former[PATH_MAX];
    if (files_resolve(path, resolved) && (!files_exist(resolved) || files_is_empty(resolved)) &&
        owner_find_former(path, former))
        rename(former, resolved);
}

static bool check_directory(const Output *output, Arena *arena, Err *err)
{
    struct stat status;
    restore_former(output->path);
    if (lstat(output->path, &status) != 0)
        return check_folder(output->path, err);
    if (stat(output->path, &status) != 0)
        return err_set(err, ERR_USAGE, "%s: exists, and is a link that leads nowhere", output->path) ||
               err_hint(err, "choose another name");
    if (!S_ISDIR(status.st_mode))
        return err_set(err, ERR_USAGE, "%s: exists, and isn't a directory", output->path) ||
               err_hint(err, "choose another name");
    if (files_is_empty(output->path))
        return access(output->path, W_OK | X_OK) == 0 ||
               err_set(err, ERR_ENVIRONMENT, "%s: cannot write: %s", output->path, strerror(errno));
    if (!force)
        return refuse_existing(output->path, err);
    if (access(output->path, R_OK | W_OK | X_OK) != 0)
        return err_set(err, ERR_ENVIRONMENT, "%s: cannot replace this directory: %s", output->path, strerror(errno)) ||
               err_hint(err, "choose another directory");
    return check_own(output, arena, err) && check_folder(output->path, err);
}

/* The anchor of an archive counts as the whole archive. */
static bool is_part_of(const char *path, const char *input, Arena *arena)
{
    if (files_is_within(path, input))
        return true;
    if (!files_has_suffix(input, ".otf2"))
        return false;
    const char *stem = arena_strndup(arena, input, strlen(input) - strlen(".otf2"));
    return files_is_within(path, stem) || files_is_within(path, arena_printf(arena, "%s.def", stem));
}

static bool check_inputs(const Output *output, const char *const *inputs, size_t n_inputs, Arena *arena, Err *err)
{
    for (size_t i = 0; i < n_inputs; i++) {
        bool is_part = inputs[i] && is_part_of(output->path, inputs[i], arena);
        bool holds = inputs[i] && (output->kind || is_part) && files_is_within(inputs[i], output->path);
        if (!is_part && !holds)
            continue;
        const char *how = is_part && holds ? "is" : is_part ? "is part of" : "holds";
        return err_set(err, ERR_USAGE, "%s: %s an input, %s", output->path, how, inputs[i]) ||
               err_hint(err, "choose another place for the result");
    }
    return true;
}

static bool stdout_is_taken;

void outputs_reserve_stdout(void)
{
    stdout_is_taken = true;
}

bool outputs_check_one(const Output *output, const char *const *inputs, size_t n_inputs, Arena *arena, Err *err)
{
    if (!output->path)
        return true;
    if (!*output->path)
        return err_set(err, ERR_USAGE, "the name of an output is empty");
    if (stdout_is_taken && files_descriptor_of(output->path) == STDOUT_FILENO)
        return err_set(err, ERR_USAGE, "%s: --json writes its document there", output->path) ||
               err_hint(err, "name a file, or leave --json out");
    return check_inputs(output, inputs, n_inputs, arena, err) &&
           (output->kind ? check_directory(output, arena, err) : check_file(output, err));
}

/* ---- all of them ---- */

/* True if both paths name the same output. Two outputs may go to the same device, but not to the
 * same file. */
static bool are_same(const char *path, const char *other)
{
    struct stat status;
    return (files_is_within(path, other) || files_is_within(other, path)) &&
           !(stat(path, &status) == 0 && S_ISCHR(status.st_mode));
}

bool outputs_check(const Output *outputs, size_t n, const char *const *inputs, size_t n_inputs, Arena *arena, Err *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!outputs_check_one(&outputs[i], inputs, n_inputs, arena, err))
            return false;
        for (size_t k = 0; outputs[i].path && k < i; k++)
            if (outputs[k].path && are_same(outputs[i].path, outputs[k].path))
                return err_set(err, ERR_USAGE, "%s: two results would be written there", outputs[i].path) ||
                       err_hint(err, "choose a file for each");
    }
    return true;
}

/* ---- directories ---- */

const DirectoryKind archive_directory = {.what = "a trace",
                                         .mark = "traces.otf2",
                                         .is_part = archive_is_part,
                                         .check_below = archive_check_own,
                                         .is_private = true};

static bool move_aside(const char *path, Arena *arena, const char **former, Err *err)
{
    char resolved[PATH_MAX];
    if (!realpath(path, resolved))
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    *former = arena_printf(arena, "%s.%s" OWNER_FORMER, resolved, owner_name(arena));
    return rename(resolved, *former) == 0 ||
           err_set(err, ERR_ENVIRONMENT, "%s: cannot be moved aside: %s", path, strerror(errno));
}

/* Creates the directory. A link stays, and its target is created. */
static bool make_directory(const char *path, bool is_private, Err *err)
{
    char resolved[PATH_MAX];
    if (files_resolve(path, resolved) && files_make_directory(resolved, is_private))
        return true;
    int failure = errno;
    err_set(err, ERR_ENVIRONMENT, "%s: cannot make this directory: %s", path, strerror(failure));
    return failure == ENAMETOOLONG ? err_hint(err, "choose a shorter name") : false;
}

static void bring_back(const OutputDirectory *directory)
{
    char resolved[PATH_MAX];
    if (directory->former && files_resolve(directory->path, resolved))
        rename(directory->former, resolved);
}

static bool begin_in_place(OutputDirectory *directory, bool is_private, Arena *arena, Err *err)
{
    directory->filled = directory->path;
    if (directory->replaces && !move_aside(directory->path, arena, &directory->former, err))
        return false;
    if (!directory->is_new || make_directory(directory->path, is_private, err))
        return true;
    bring_back(directory);
    return false;
}

static bool begin_beside(OutputDirectory *directory, bool is_private, Arena *arena, Err *err)
{
    char resolved[PATH_MAX];
    if (!files_resolve(directory->path, resolved))
        return err_set(err, ERR_ENVIRONMENT, "%s: %s", directory->path, strerror(errno));
    directory->filled = arena_printf(arena, "%s.%s" OWNER_PART, resolved, owner_name(arena));
    leftovers_note(directory->filled);
    return make_directory(directory->filled, is_private, err);
}

bool output_directory_begin(const Output *output, Arena *arena, OutputDirectory *directory, Err *err)
{
    OutputDirectory begun = {.path = output->path};
    if (!outputs_check_one(output, NULL, 0, arena, err))
        return false;
    owner_remove_parts(output->path);
    begun.is_new = !files_is_directory(output->path) || !files_is_empty(output->path);
    begun.replaces = begun.is_new && files_exist(output->path);
    bool in_place = output->kind->grows || !begun.is_new;
    if (!(in_place ? begin_in_place : begin_beside)(&begun, output->kind->is_private, arena, err))
        return false;
    *directory = begun;
    return true;
}

/* Gives a directory that was filled beside its place its name. */
static bool put_in_place(OutputDirectory *directory, Arena *arena, Err *err)
{
    char resolved[PATH_MAX];
    if (directory->filled == directory->path)
        return true;
    if (directory->replaces && !move_aside(directory->path, arena, &directory->former, err))
        return false;
    if (files_resolve(directory->path, resolved) && rename(directory->filled, resolved) == 0)
        return true;
    err_set(err, ERR_ENVIRONMENT, "%s: cannot write this directory: %s", directory->path, strerror(errno));
    bring_back(directory);
    return false;
}

bool output_directory_end(OutputDirectory *directory, bool is_whole, Arena *arena, Err *err)
{
    char resolved[PATH_MAX];
    char abandoned[PATH_MAX];
    bool is_beside = directory->filled != directory->path;
    is_whole = is_whole && put_in_place(directory, arena, err);
    if (is_whole && directory->former)
        owner_remove_tree(directory->former, directory->path);
    while (is_whole && owner_find_former(directory->path, abandoned) && owner_remove_tree(abandoned, directory->path)) {
    }
    if (is_whole || !directory->is_new || !files_resolve(directory->filled, resolved))
        return is_whole;
    files_remove_tree(resolved);
    if (!is_beside)
        bring_back(directory);
    return false;
}

static int is_shown(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

json_t *output_directory_json(const char *directory)
{
    json_t *paths = json_array();
    struct dirent **entries;
    int n = scandir(directory, &entries, is_shown, alphasort);
    for (int i = 0; i < n; i++) {
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name) < (int)sizeof path)
            json_array_append_new(paths, json_from_text(path));
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return paths;
}
