/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of a study (study.h). Its lines are those of runs.csv (model/runs.h), with two further
 * columns: the clock and the command.
 *
 *     n,p,time,slowdown,clock,command
 *     100,4,0.73125,1,wall,"mpirun -n {processes} ./app {size}"
 *
 * So firma can refuse to continue the file with another command. */
#include "scaling/study.h"

#include "base/files.h"
#include "base/lock.h"
#include "base/text.h"
#include "model/application.h"
#include "model/runs.h"

#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct StudyFile {
    const char *path, *command;
    int descriptor;
    Lock *lock; /* NULL: the folder allows none */
    Arena *arena;
};

static const char *names(const Study *study)
{
    return study->has_sizes ? "n,p,time,slowdown,clock,command\n" : "p,time,slowdown,clock,command\n";
}

/* ---- Reading ---- */

typedef struct Check {
    const Study *study;
    const char *path, *command;
    unsigned line, field;
    bool failed;
    Err *err;
} Check;

static void check_field(void *bytes, size_t length, void *self)
{
    (void)length;
    Check *check = self;
    unsigned clock = check->study->has_sizes ? 4 : 3, field = check->field++;
    if (check->failed || check->line == 1 || (field != clock && field != clock + 1))
        return;
    const char *expected = field == clock ? check->study->clock : check->command;
    if (strcmp(bytes, expected) == 0)
        return;
    check->failed = true;
    err_set(check->err, ERR_INPUT, "%s:%u: belongs to %s `%.200s`, not to `%.200s`", check->path, check->line,
            field == clock ? "the clock" : "the command", (const char *)bytes, expected);
    err_hint(check->err, "choose another place with -o");
}

static void check_line(int byte, void *self)
{
    (void)byte;
    Check *check = self;
    check->line++;
    check->field = 0;
}

static bool check_origin(const StudyFile *file, const Study *study, const char *text, Err *err)
{
    Check check = {.study = study, .path = file->path, .command = file->command, .line = 1, .err = err};
    struct csv_parser parser;
    if (strncmp(text, names(study), strlen(names(study))) != 0)
        return err_set(err, ERR_INPUT, "%s:1: isn't a file of `firma scale run`%s", file->path,
                       study->has_sizes ? " with sizes" : " without sizes") ||
               err_hint(err, "choose another place with -o");
    if (csv_init(&parser, CSV_APPEND_NULL) != 0)
        return err_set(err, ERR_BUG, "libcsv cannot be used");
    csv_parse(&parser, text, strlen(text), check_field, check_line, &check);
    csv_free(&parser);
    return !check.failed;
}

static void count_runs(const Runs *runs, Study *study)
{
    for (uint32_t i = 0; i < runs->n_points; i++)
        for (uint32_t k = 0; k < study->n_points; k++) {
            StudyPoint *point = &study->points[k];
            if (runs->points[i].p == point->p && (!study->has_sizes || runs->points[i].n == (double)point->n))
                point->n_done = runs->points[i].n_times;
        }
}

/* ---- Writing ---- */

static bool write_line(const StudyFile *file, const char *line, Err *err)
{
    size_t length = strlen(line);
    ssize_t n = write(file->descriptor, line, length);
    if (n == (ssize_t)length && fsync(file->descriptor) == 0)
        return true;
    return err_set(err, ERR_ENVIRONMENT, "%s: cannot be written: %s", file->path,
                   n >= 0 && n < (ssize_t)length ? "no space left" : strerror(errno));
}

/* Removes an incomplete last line, which a crash cut off. */
static bool cut_off(const StudyFile *file, const char *text, bool *was_cut_off, Err *err)
{
    const char *end = strrchr(text, '\n');
    size_t kept = end ? (size_t)(end + 1 - text) : 0;
    *was_cut_off = kept < strlen(text);
    return !*was_cut_off || ftruncate(file->descriptor, (off_t)kept) == 0 ||
           err_set(err, ERR_ENVIRONMENT, "%s: cannot be written: %s", file->path, strerror(errno));
}

static bool take_up(const StudyFile *file, Study *study, Arena *arena, bool *was_cut_off, Err *err)
{
    const char *text;
    Runs *runs;
    if (!files_load_text(file->path, arena, &text, err))
        return false;
    const char *end = strrchr(text, '\n');
    const char *whole = arena_strndup(arena, text, end ? (size_t)(end + 1 - text) : 0);
    if (!*whole && strncmp(text, names(study), strlen(text)) == 0)
        return cut_off(file, text, was_cut_off, err) && write_line(file, names(study), err);
    if (!check_origin(file, study, whole, err) || !cut_off(file, text, was_cut_off, err))
        return false;
    if (strcmp(whole, names(study)) == 0)
        return true;
    if (!runs_load(file->path, arena, &runs, err))
        return false;
    count_runs(runs, study);
    return true;
}

static bool lock_file(StudyFile *file, const char *writer, Err *err)
{
    char resolved[PATH_MAX];
    LockHolder holder;
    if (!files_resolve(file->path, resolved) || lock_try(arena_printf(file->arena, "%s.lock", resolved), writer,
                                                         file->arena, &file->lock, &holder) != LOCK_HELD)
        return true;
    return err_set(err, ERR_ENVIRONMENT, "%s: is being written by %s", file->path, holder.text) ||
           err_hint(err, "wait until that has ended, or choose another place with -o");
}

static bool is_of_point(const Study *study, const char *line)
{
    char *rest;
    uint64_t n = study->has_sizes ? strtoull(line, &rest, 10) : 0;
    uint64_t p = strtoull(study->has_sizes ? rest + (*rest == ',') : line, NULL, 10);
    for (uint32_t i = 0; i < study->n_points; i++)
        if (study->points[i].n == n && study->points[i].p == p)
            return true;
    return false;
}

static bool remove_points(const char *path, const Study *study, Arena *arena, Err *err)
{
    const char *text;
    size_t begin = strlen(names(study));
    if (!files_exist(path))
        return true;
    if (!files_load_text(path, arena, &text, err))
        return false;
    if (strncmp(text, names(study), begin) != 0)
        return true; /* the file isn't a study's, and is refused */
    Text kept = {0};
    text_add(&kept, "%s", names(study));
    for (const char *line = text + begin; *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (!is_of_point(study, line))
            text_add(&kept, "%.*s", (int)length, line);
        line += length;
    }
    return files_save_text(path, text_take(&kept, arena), err);
}

bool study_open(const char *path, const char *writer, Study *study, Arena *arena, StudyFile **file, bool *was_cut_off,
                Err *err)
{
    StudyFile *opened = arena_new_array(arena, StudyFile, 1);
    *was_cut_off = false;
    *opened = (StudyFile){.path = path, .arena = arena};
    opened->command = text_as_line(application_command(study->words, study->salt, arena), arena);
    if (files_is_device(path))
        return err_set(err, ERR_USAGE, "%s: not a regular file: a study goes on where its file ends", path);
    if (!lock_file(opened, writer, err))
        return false;
    const bool is_new = !files_exist(path);
    if (study->replaces && !remove_points(path, study, arena, err)) {
        lock_release(opened->lock);
        return false;
    }
    opened->descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (opened->descriptor < 0)
        err_set(err, ERR_ENVIRONMENT, "%s: %s", path, strerror(errno));
    else if (take_up(opened, study, arena, was_cut_off, err)) {
        *file = opened;
        return true;
    } else {
        close(opened->descriptor);
        if (is_new)
            unlink(path);
    }
    lock_release(opened->lock);
    return false;
}

/* A CSV field in quotes, with its quotes doubled. */
static const char *quoted(const char *text, Arena *arena)
{
    Text result = {0};
    text_add(&result, "\"");
    for (; *text; text++)
        text_add(&result, *text == '"' ? "\"\"" : "%c", *text);
    text_add(&result, "\"");
    return text_take(&result, arena);
}

bool study_add(StudyFile *file, Study *study, uint32_t point, double time_s, double slowdown, Err *err)
{
    StudyPoint *done = &study->points[point];
    const char *size = study->has_sizes ? arena_printf(file->arena, "%" PRIu64 ",", done->n) : "";
    const char *line = arena_printf(file->arena, "%s%" PRIu64 ",%.9g,%.3g,%s,%s\n", size, done->p, time_s, slowdown,
                                    study->clock, quoted(file->command, file->arena));
    if (!write_line(file, line, err))
        return false;
    done->n_done++;
    return true;
}

void study_close(StudyFile *file)
{
    close(file->descriptor);
    lock_release(file->lock);
}
