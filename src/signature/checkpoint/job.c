/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a job's processes and files from /proc (job.h). A back end saves private memory, and files
 * that have no name any more. firma saves the contents of named files: segments in /dev/shm, the
 * launcher's session directory (mpirun removes both when it ends), and files that the job writes.
 * So a restored job finds them as they were, and doesn't touch the original's files. */
#include "signature/checkpoint/job.h"

#include "signature/checkpoint/copies.h"
#include "signature/checkpoint/cpus.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROCESSES_LIMIT = 65536 };

void job_free(Job *job)
{
    for (size_t i = 0; i < job->processes.count; i++)
        vec_free(&job->processes.items[i].threads);
    vec_free(&job->processes);
    vec_free(&job->paths);
}

/* ---- Processes ---- */

/* The value of a variable in a process's initial environment. */
static const char *find_variable(pid_t process, const char *name, Arena *arena)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)process);
    FILE *file = fopen(path, "r");
    char *entry = NULL;
    size_t capacity = 0, length = strlen(name);
    const char *value = NULL;
    while (file && !value && getdelim(&entry, &capacity, '\0', file) > 0) {
        if (strncmp(entry, name, length) == 0 && entry[length] == '=')
            value = arena_strdup(arena, entry + length + 1);
    }
    if (file)
        fclose(file);
    free(entry);
    return value;
}

static int64_t find_rank(pid_t process, Arena *arena)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = find_variable(process, names[i], arena);
        if (value && *value >= '0' && *value <= '9')
            return strtoll(value, NULL, 10);
    }
    return -1;
}

static bool add_process(Job *job, pid_t process);

static void add_children(Job *job, pid_t process, pid_t thread)
{
    char path[96];
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)thread);
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%d", &child) == 1)
        add_process(job, child);
    if (file)
        fclose(file);
}

static bool add_process(Job *job, pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *directory = job->processes.count < PROCESSES_LIMIT ? opendir(path) : NULL;
    if (!directory)
        return false;
    size_t place = job->processes.count;
    *vec_push(&job->processes) = (JobProcess){.id = process, .rank = -1};
    for (struct dirent *entry; (entry = readdir(directory));) {
        long thread = strtol(entry->d_name, NULL, 10);
        if (thread > 0)
            *vec_push(&job->processes.items[place].threads) = (JobThread){.id = thread};
    }
    closedir(directory);
    for (size_t i = 0; i < job->processes.items[place].threads.count; i++)
        add_children(job, process, (pid_t)job->processes.items[place].threads.items[i].id);
    return true;
}

bool job_find_processes(pid_t launcher, Arena *arena, Job *job, Err *err)
{
    if (!add_process(job, launcher))
        return err_set(err, ERR_ENVIRONMENT, "process %d: cannot read its state in /proc: %s", (int)launcher,
                       strerror(errno));
    for (size_t i = 0; i < job->processes.count; i++) {
        JobProcess *process = &job->processes.items[i];
        process->rank = find_rank((pid_t)process->id, arena);
        for (size_t j = 0; j < process->threads.count; j++) {
            const char *cpus = cpus_of_thread((pid_t)process->threads.items[j].id, arena);
            process->threads.items[j].cpus = cpus ? cpus : CPUS_ALL;
        }
    }
    return true;
}

const char *job_program(pid_t process, Arena *arena)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%d/comm", (int)process);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%31[^\n]", name) != 1)
        name[0] = '\0';
    if (file)
        fclose(file);
    return arena_strdup(arena, name);
}

/* ---- Paths ---- */

void job_add_path(Job *job, const char *path, JobPathKind kind, Arena *arena)
{
    for (size_t i = 0; i < job->paths.count; i++) {
        if (copies_is_below(path, job->paths.items[i].path))
            return;
    }
    *vec_push(&job->paths) = (JobPath){arena_strdup(arena, path), kind};
}

/* Adds a file that exists under this name and that a process writes. Removed files, and those of
 * the kernel's file systems, are left to the back end. */
static void add_file(Job *job, const char *path, bool is_written, const char *except, Arena *arena)
{
    static const char *const not_files[] = {"/dev", "/proc", "/sys"};
    struct stat status;
    if (*path != '/' || lstat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
        (except && copies_is_below(path, except)))
        return;
    if (copies_is_below(path, "/dev/shm")) {
        job_add_path(job, path, JOB_PATH_SHARED, arena);
        return;
    }
    for (size_t i = 0; i < sizeof not_files / sizeof *not_files; i++)
        is_written &= !copies_is_below(path, not_files[i]);
    if (is_written)
        job_add_path(job, path, JOB_PATH_HELD, arena);
}

/* Reads lines such as "7f00-7f10 rw-s 00000000 00:19 42   /dev/shm/name". */
void job_visit_mappings(pid_t process, JobMappingVisit *visit, void *self)
{
    char path[64], *line = NULL;
    size_t capacity = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)process);
    FILE *file = fopen(path, "r");
    while (file && getline(&line, &capacity, file) > 0) {
        char access[5] = "";
        const char *name = strchr(line, '/');
        line[strcspn(line, "\n")] = '\0';
        if (name && sscanf(line, "%*s %4s", access) == 1)
            visit(self, name, access);
    }
    if (file)
        fclose(file);
    free(line);
}

typedef struct SharedFinder {
    Job *job;
    const char *except;
    Arena *arena;
} SharedFinder;

static void add_shared(void *self, const char *path, const char *access)
{
    const SharedFinder *finder = self;
    if (access[3] == 's')
        add_file(finder->job, path, access[1] == 'w', finder->except, finder->arena);
}

static bool is_open_for_writing(pid_t process, const char *descriptor)
{
    char path[96], line[128];
    unsigned flags = O_RDONLY;
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%s", (int)process, descriptor);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "flags: %o", &flags) == 1)
            break;
    }
    if (file)
        fclose(file);
    return (flags & O_ACCMODE) != O_RDONLY;
}

static void add_open(Job *job, pid_t process, const char *except, Arena *arena)
{
    char path[64], name[PATH_MAX];
    snprintf(path, sizeof path, "/proc/%d/fd", (int)process);
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        ssize_t length = readlinkat(dirfd(directory), entry->d_name, name, sizeof name - 1);
        if (length <= 0)
            continue;
        name[length] = '\0';
        add_file(job, name, is_open_for_writing(process, entry->d_name), except, arena);
    }
    if (directory)
        closedir(directory);
}

void job_find_paths(Job *job, const char *except, Arena *arena)
{
    for (size_t i = 0; i < job->processes.count; i++) {
        const char *session = find_variable((pid_t)job->processes.items[i].id, "PMIX_SERVER_TMPDIR", arena);
        struct stat status;
        if (session && *session == '/' && stat(session, &status) == 0 && S_ISDIR(status.st_mode))
            job_add_path(job, session, JOB_PATH_SESSION, arena);
    }
    for (size_t i = 0; i < job->processes.count; i++) {
        job_visit_mappings((pid_t)job->processes.items[i].id, add_shared, &(SharedFinder){job, except, arena});
        add_open(job, (pid_t)job->processes.items[i].id, except, arena);
    }
}
