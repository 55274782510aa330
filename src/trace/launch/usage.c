/* SPDX-License-Identifier: BSD-3-Clause */
/* The processor time of a job on this host, from /proc/PID/stat, and from the files of its recorded
 * processes. A resource manager starts the processes of srun, and some launchers leave theirs to
 * init. So firma also counts processes by the recording directory in their environment. Such a
 * process that has ended is in no count of a living one: there, its recording helps. */
#include "base/marked.h"
#include "base/vec.h"
#include "trace/launch/state.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Usage {
    pid_t pid, parent;
    double ticks; /* of the process, and of its children that have ended */
    bool counts;
} Usage;

typedef VEC(Usage) Usages;

static bool read_usage(const char *pid, Usage *usage)
{
    char path[64], line[1024];
    unsigned long own[2];
    long children[2];
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    const char *name_end = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    fclose(file);
    usage->pid = (pid_t)strtol(pid, NULL, 10);
    if (!name_end || sscanf(name_end, ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld", &usage->parent,
                            &own[0], &own[1], &children[0], &children[1]) != 5)
        return false;
    usage->ticks = (double)(own[0] + own[1]) + (double)(children[0] + children[1]);
    return true;
}

static Usages read_all(const Launch *launch)
{
    const char *mark = arena_printf(launch->arena, RECORD_DIRECTORY_VARIABLE "=%s", launch->recording);
    pid_t root = launch->ended ? 0 : launch_pid(launch);
    Usages usages = {0};
    DIR *directory = opendir("/proc");
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        Usage usage = {0};
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9' || !read_usage(entry->d_name, &usage))
            continue;
        usage.counts = usage.pid == root || (usage.pid != getpid() && marked_has(usage.pid, mark, false));
        *vec_push(&usages) = usage;
    }
    if (directory)
        closedir(directory);
    return usages;
}

static bool is_counted(const Usages *usages, pid_t pid)
{
    for (size_t i = 0; i < usages->count; i++)
        if (usages->items[i].pid == pid)
            return usages->items[i].counts;
    return false;
}

static double running_s(const Launch *launch)
{
    Usages usages = read_all(launch);
    double ticks = 0;
    for (bool grows = true; grows;) { /* a generation after the other */
        grows = false;
        for (size_t i = 0; i < usages.count; i++) {
            Usage *usage = &usages.items[i];
            if (!usage->counts && is_counted(&usages, usage->parent))
                usage->counts = grows = true;
        }
    }
    for (size_t i = 0; i < usages.count; i++)
        ticks += usages.items[i].counts ? usages.items[i].ticks : 0;
    vec_free(&usages);
    return ticks / (double)sysconf(_SC_CLK_TCK);
}

LaunchUsage launch_usage(Launch *launch)
{
    LaunchUsage usage = {0};
    uint32_t n_processes;
    if (launch_is_adopted(launch))
        return usage;
    usage.running_s = running_s(launch);
    launch_send_events(launch, &n_processes); /* looks for new files */
    for (uint32_t rank = 0; rank < n_processes; rank++) {
        const ProcessFile *process = launch->watch.processes[rank];
        if (!process || strncmp(process->host, launch->control->owner_host, sizeof process->host) != 0)
            continue;
        usage.n_processes++;
        usage.finalized_s += 1e-9 * (double)process->processor_ns;
    }
    return usage;
}
