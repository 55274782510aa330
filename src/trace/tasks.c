/* SPDX-License-Identifier: BSD-3-Clause */
/* See tasks.h. */
#include "trace/tasks.h"

#include "base/files.h"
#include "base/vec.h"
#include "model/application.h"
#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* A task with the time at which it came. */
typedef struct Arrival {
    int64_t time_ns; /* CLOCK_REALTIME */
    int32_t task, parent;
    bool is_spawned; /* from a list of tasks; otherwise from the task's own record */
    size_t place;    /* of the arrivals, in the order of reading */
} Arrival;

typedef VEC(Arrival) Arrivals;

static void add_arrival(Arrivals *arrivals, int64_t time_ns, int32_t task, int32_t parent, bool is_spawned)
{
    const size_t place = arrivals->count;
    *vec_push(arrivals) = (Arrival){time_ns, task, parent, is_spawned, place};
}

/* The beginning of a ProcessFile is enough. Returns false if it isn't one of a PVM task. */
static bool read_process(const char *path, ProcessFile *process)
{
    const size_t size = offsetof(ProcessFile, host);
    FILE *file = fopen(path, "rb");
    const bool valid = file && fread(process, 1, size, file) == size &&
                       memcmp(process->magic, PROCESS_MAGIC, sizeof process->magic) == 0 &&
                       process->version == SEGMENT_VERSION && process->flavour == MPI_FLAVOUR_PVM;
    if (file)
        fclose(file);
    return valid;
}

/* A task that was killed while it appended a record leaves an incomplete one, which is dropped. */
static void read_spawned(const char *path, const ProcessFile *process, Arrivals *arrivals)
{
    TaskRecord record;
    FILE *file = fopen(path, "rb");
    while (file && fread(&record, sizeof record, 1, file) == 1)
        add_arrival(arrivals, record.time_ns + process->realtime_offset_ns, record.task, process->task, true);
    if (file)
        fclose(file);
}

static void read_directory(const char *recording, Arena *scratch, Arrivals *arrivals)
{
    ProcessFile *process = arena_new_array(scratch, ProcessFile, 1);
    DIR *directory = opendir(recording);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        const char *path = arena_printf(scratch, "%s/%s", recording, entry->d_name);
        if (!files_has_suffix(path, ".process") || !read_process(path, process))
            continue;
        add_arrival(arrivals, process->init_enter_ns + process->realtime_offset_ns, process->task, process->parent,
                    false);
        read_spawned(arena_printf(scratch, "%.*s.tasks", (int)(strlen(path) - strlen(".process")), path), process,
                     arrivals);
    }
    if (directory)
        closedir(directory);
}

/* By task; the list of the task that spawned it comes before its own record. */
static int by_task(const void *left, const void *right)
{
    const Arrival *a = left, *b = right;
    if (a->task != b->task)
        return a->task < b->task ? -1 : 1;
    if (a->is_spawned != b->is_spawned)
        return a->is_spawned ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int by_time(const void *left, const void *right)
{
    const Arrival *a = left, *b = right;
    const bool a_is_master = !a->is_spawned && a->parent <= 0, b_is_master = !b->is_spawned && b->parent <= 0;
    if (a_is_master != b_is_master)
        return a_is_master ? -1 : 1;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int by_id(const void *left, const void *right)
{
    const TaskRank *a = left, *b = right;
    return (a->task > b->task) - (a->task < b->task);
}

static bool has_task(const Arrivals *arrivals, int32_t task)
{
    for (size_t i = 0; i < arrivals->count; i++)
        if (arrivals->items[i].task == task)
            return true;
    return false;
}

/* True for a task whose parent is recorded, but hasn't listed it. */
static bool is_early(const Arrivals *arrivals, const Arrival *arrival)
{
    return !arrival->is_spawned && arrival->parent > 0 && has_task(arrivals, arrival->parent);
}

/* Keeps the first arrival of each task. */
static void keep_first(Arrivals *arrivals, bool has_ended)
{
    size_t kept = 0;
    if (arrivals->count)
        qsort(arrivals->items, arrivals->count, sizeof *arrivals->items, by_task);
    for (size_t i = 0; i < arrivals->count; i++) {
        const Arrival arrival = arrivals->items[i];
        const bool is_first = !kept || arrivals->items[kept - 1].task != arrival.task;
        if (is_first && (has_ended || !is_early(arrivals, &arrival)))
            arrivals->items[kept++] = arrival;
    }
    arrivals->count = kept < PROCESS_LIMIT ? kept : PROCESS_LIMIT;
}

Tasks tasks_load(const char *recording, bool has_ended, Arena *arena)
{
    Arrivals arrivals = {0};
    Arena *scratch = arena_new();
    read_directory(recording, scratch, &arrivals);
    arena_free(scratch);
    keep_first(&arrivals, has_ended);
    TaskRank *ranks = arena_new_array(arena, TaskRank, arrivals.count + 1);
    if (arrivals.count)
        qsort(arrivals.items, arrivals.count, sizeof *arrivals.items, by_time);
    for (size_t i = 0; i < arrivals.count; i++)
        ranks[i] = (TaskRank){arrivals.items[i].task, (uint32_t)i};
    qsort(ranks, arrivals.count, sizeof *ranks, by_id);
    const Tasks tasks = {.n = (uint32_t)arrivals.count, .ranks = ranks};
    vec_free(&arrivals);
    return tasks;
}

int32_t tasks_rank(const Tasks *tasks, int32_t task)
{
    size_t at = 0;
    vec_bisect(at, tasks->n, tasks->ranks[at].task < task);
    return at < tasks->n && tasks->ranks[at].task == task ? (int32_t)tasks->ranks[at].rank : -1;
}

void tasks_number(const Tasks *tasks, ProcessFile *process)
{
    if (process->flavour != MPI_FLAVOUR_PVM)
        return;
    process->rank = tasks_rank(tasks, process->task);
    process->n_processes = (int32_t)tasks->n;
}
