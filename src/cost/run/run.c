/* SPDX-License-Identifier: BSD-3-Clause */
/* See run.h. All files are in one temporary directory. Open MPI's shared memory is in a second one, since a launcher
 * that is stopped leaves the files of processes that were starting. A launcher of the user's may start processes on other hosts,
 * so then the directory is in the working directory, which the hosts share. */
#include "cost/run/run.h"

#include "base/files.h"
#include "base/json.h"
#include "base/owner.h"
#include "cost/run/compile.h"
#include "cost/run/launch.h"
#include "cost/run/protocol.h"
#include "cost/run/tasks.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { LEAST_FREE_BYTES = 16 << 20 };

struct Run {
    RunRequest request;
    Arena *arena;
    const char *directory, *plan, *results, *library;
    const char *shared;             /* directory in /dev/shm; NULL: none */
    const char *const *environment; /* of firma's own launcher; NULL: nothing more */
    const TaskList *lists;
    const char *const *command;
};

/* ---- the plan -------------------------------------------------------------------------------- */

static json_t *pieces_of_plan(const TaskList *list)
{
    json_t *counts = json_array(), *workers = json_array(), *receives = json_array(), *returns = json_array();
    for (uint64_t i = 0; i < list->n_pieces; i++) {
        json_array_append_new(counts, json_integer((json_int_t)list->pieces[i].count));
        json_array_append_new(workers, json_integer((json_int_t)list->pieces[i].worker));
        json_array_append_new(receives, json_integer((json_int_t)list->pieces[i].receives));
        json_array_append_new(returns, json_integer((json_int_t)list->pieces[i].returns));
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "counts", counts, "workers", workers, "receives", receives, "returns",
                     returns);
}

static json_t *batch_of_plan(const Run *run, size_t i, const TaskPlace *place)
{
    const PaslBatch *batch = &run->request.application->batches[i];
    const TaskList *list = &run->lists[i];
    return json_pack("{s:o, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "name", json_from_text(batch->name), "level",
                     (json_int_t)list->level, "executor", (json_int_t)place->executor, "entry",
                     (json_int_t)place->entry, "n_arguments", (json_int_t)tasks_slots(batch), "numbers",
                     json_from_uints(list->numbers, list->n_tasks), "arguments",
                     json_from_reals(list->arguments, list->n_tasks * tasks_slots(batch)), "pieces",
                     pieces_of_plan(list));
}

/* The batches, ordered by level. */
static json_t *batches_of_plan(const Run *run, const TaskPlace *places)
{
    const size_t n = run->request.application->n_batches;
    json_t *batches = json_array();
    for (uint32_t level = 0; json_array_size(batches) < n; level++)
        for (size_t i = 0; i < n; i++)
            if (run->lists[i].level == level)
                json_array_append_new(batches, batch_of_plan(run, i, &places[i]));
    return batches;
}

static bool save_plan(const Run *run, json_t *executors, const TaskPlace *places, Err *err)
{
    json_t *plan =
        json_pack("{s:s, s:i, s:I, s:f, s:o, s:o, s:o}", "format", RUN_PLAN_FORMAT, "version", RUN_VERSION, "n_workers",
                  (json_int_t)run->request.n_workers, "limit_s", run->request.limit_s, "results",
                  json_from_text(run->results), "executors", executors, "batches", batches_of_plan(run, places));
    bool ok = json_save_document(plan, run->plan, err);
    json_decref(plan);
    return ok;
}

/* Where Open MPI's own files don't fit, mpirun waits for ever for the processes that it started. */
static bool check_space(const char *directory, Err *err)
{
    struct statvfs info;
    if (statvfs(directory, &info) != 0 || (double)info.f_bavail * (double)info.f_frsize >= LEAST_FREE_BYTES)
        return true;
    return err_set(err, ERR_ENVIRONMENT, "%s: the disk is nearly full, and MPI needs 16 MiB", directory) ||
           err_hint(err, "set TMPDIR to a directory with room");
}

static bool make_directory(Run *run, Err *err)
{
    char here[PATH_MAX];
    const char *folder = run->request.launcher ? getcwd(here, sizeof here) : NULL;
    char *name = owner_make_temporary(folder, "firma-run", NULL, run->arena);
    if (!name)
        return err_set(err, ERR_ENVIRONMENT, "cannot make a temporary directory (%s): %s",
                       folder ? "the working directory" : "TMPDIR", strerror(errno));
    run->directory = name;
    run->plan = arena_printf(run->arena, "%s/plan.json", name);
    run->results = arena_printf(run->arena, "%s/results.json", name);
    return check_space(name, err);
}

/* Open MPI 5 renamed `vader` to `sm`, and orte to prte. */
static void place_shared_memory(Run *run)
{
    static const char *const names[] = {"OMPI_MCA_btl_vader_backing_directory", "OMPI_MCA_btl_sm_backing_directory",
                                        "OMPI_MCA_orte_tmpdir_base", "PRTE_MCA_prte_tmpdir_base"};
    enum { SHARED = 2, ALL = sizeof names / sizeof *names };
    if (run->request.launcher || !(run->shared = owner_make_temporary("/dev/shm", "firma-run", NULL, run->arena)))
        return;
    const char **words = arena_new_array(run->arena, const char *, ALL + 1);
    for (size_t i = 0; i < ALL; i++)
        words[i] = arena_printf(run->arena, "%s=%s", names[i], i < SHARED ? run->shared : run->directory);
    run->environment = words;
}

bool run_prepare(const RunRequest *request, Arena *arena, Run **result, Err *err)
{
    Run *run = arena_new_array(arena, Run, 1);
    TaskPlace *places = arena_new_array(arena, TaskPlace, request->application->n_batches);
    json_t *executors = NULL;
    *run = (Run){.request = *request, .arena = arena, .library = ""};
    bool ok = tasks_list(request, arena, &run->lists, err) && make_directory(run, err);
    if (ok)
        place_shared_memory(run);
    progress_report(request->progress, "compiling", 0, 0);
    ok = ok && launch_command(request, run->plan, arena, &run->command, err) &&
         compile_tasks(request, run->lists, run->directory, arena, &executors, places, err) &&
         save_plan(run, executors, places, err);
    if (ok)
        *result = run;
    else
        run_end(run);
    return ok;
}

void run_end(Run *run)
{
    if (run && run->directory)
        files_remove_tree(run->directory);
    if (run && run->shared)
        files_remove_tree(run->shared);
}

const char *run_library(const Run *run)
{
    return run->library;
}

/* ---- the results ----------------------------------------------------------------------------- */

static bool read_batch(const json_t *object, const JsonPlace *place, const TaskList *list, Arena *arena,
                       RunBatchTimes *times, Err *err)
{
    json_t *values;
    double *task_s = arena_new_array(arena, double, list->n_tasks),
           *value = arena_new_array(arena, double, list->n_tasks);
    uint64_t *worker = arena_new_array(arena, uint64_t, list->n_tasks);
    if (!json_get_seconds(object, "begin_s", place, &times->begin_s, err) ||
        !json_get_seconds(object, "end_s", place, &times->end_s, err) ||
        !json_get_seconds_list(object, "task_s", place, list->n_tasks, task_s, err) ||
        !json_get_array(object, "value", place, list->n_tasks, &values, err) ||
        !json_get_uints(object, "worker", place, list->n_tasks, worker, err))
        return false;
    for (uint64_t i = 0; i < list->n_tasks; i++) {
        const json_t *number = json_array_get(values, i);
        value[i] = json_is_number(number) ? json_number_value(number) : NAN;
    }
    times->n_tasks = list->n_tasks;
    times->numbers = list->numbers;
    times->worker = worker;
    times->task_s = task_s;
    times->value = value;
    return true;
}

static bool read_batches(const Run *run, const json_t *array, RunBatchTimes *batches, Err *err)
{
    const size_t n = run->request.application->n_batches;
    size_t next = 0;
    for (uint32_t level = 0; next < n; level++)
        for (size_t i = 0; i < n; i++) {
            if (run->lists[i].level != level)
                continue;
            const JsonPlace place = json_place(run->results, "batches[%zu]", next);
            if (!read_batch(json_array_get(array, next++), &place, &run->lists[i], run->arena, &batches[i], err))
                return false;
        }
    return true;
}

static bool read_worker(const json_t *object, const JsonPlace *place, Arena *arena, RunWorkerTimes *worker, Err *err)
{
    return json_get_text(object, "host", place, arena, &worker->host, err) &&
           json_get_seconds(object, "end_s", place, &worker->end_s, err) &&
           json_get_seconds(object, "busy_s", place, &worker->busy_s, err);
}

static bool read_times(Run *run, const json_t *root, RunTimes *times, Err *err)
{
    const JsonPlace place = json_place(run->results, "%s", "");
    const uint32_t n_workers = run->request.n_workers;
    RunWorkerTimes *workers = arena_new_array(run->arena, RunWorkerTimes, n_workers);
    RunBatchTimes *batches = arena_new_array(run->arena, RunBatchTimes, run->request.application->n_batches);
    json_t *worker_list, *batch_list;
    if (!json_get_seconds(root, "seconds", &place, &times->time_s, err) ||
        !json_get_text(root, "library", &place, run->arena, &run->library, err) ||
        !json_get_array(root, "workers", &place, n_workers, &worker_list, err) ||
        !json_get_array(root, "batches", &place, run->request.application->n_batches, &batch_list, err))
        return false;
    for (uint32_t i = 0; i < n_workers; i++) {
        const JsonPlace at = json_place(run->results, "workers[%u]", i);
        if (!read_worker(json_array_get(worker_list, i), &at, run->arena, &workers[i], err))
            return false;
    }
    times->workers = workers;
    times->batches = batches;
    return read_batches(run, batch_list, batches, err);
}

/* Turns the master's report of a failed task into an error. */
static bool check_failure(const json_t *root, const JsonPlace *place, Arena *arena, Err *err)
{
    const json_t *error = json_object_get(root, "error");
    const char *message;
    if (!error)
        return true;
    json_int_t kind = json_integer_value(json_object_get(error, "kind"));
    return json_get_text(error, "message", place, arena, &message, err) &&
           err_set(err, kind ? (ErrKind)kind : ERR_NEGATIVE, "%s", message);
}

bool run_once(Run *run, RunTimes *times, Err *err)
{
    json_t *root;
    if (!launch_follow(run->command, run->environment, run->results, run->request.say, run->arena, err) ||
        !json_load_document(run->results, RUN_RESULTS_FORMAT, RUN_VERSION, &root, err))
        return false;
    const JsonPlace place = json_place(run->results, "%s", "");
    bool ok = check_failure(root, &place, run->arena, err) && read_times(run, root, times, err);
    json_decref(root);
    return ok;
}
