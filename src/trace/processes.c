/* SPDX-License-Identifier: BSD-3-Clause */
/* See launch_processes.h. */
#include "trace/processes.h"

#include "base/arena.h"
#include "trace/segment.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENVIRON_LIMIT_BYTES (2u << 20)

/* Whether the process was started with the recording directory in its environment: nothing else was. */
static bool is_of_launch(const char *recording, pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    char *text = memory_resize(NULL, ENVIRON_LIMIT_BYTES);
    size_t used = 0;
    for (ssize_t got; used < ENVIRON_LIMIT_BYTES && (got = read(file, text + used, ENVIRON_LIMIT_BYTES - used)) > 0;)
        used += (size_t)got;
    close(file);
    size_t name_length = strlen(RECORD_DIRECTORY_VARIABLE "="), directory_length = strlen(recording) + 1;
    bool found = false;
    for (size_t at = 0; at < used && !found;) {
        size_t length = strnlen(text + at, used - at);
        found = length + 1 == name_length + directory_length && at + length < used &&
                memcmp(text + at, RECORD_DIRECTORY_VARIABLE "=", name_length) == 0 &&
                memcmp(text + at + name_length, recording, directory_length) == 0;
        at += length + 1;
    }
    free(text);
    return found;
}

size_t launch_signal_processes(const char *recording, int number)
{
    DIR *processes = opendir("/proc");
    size_t count = 0;
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        if (*end || pid <= 1 || pid == getpid() || !is_of_launch(recording, (pid_t)pid))
            continue;
        count++;
        if (number)
            kill((pid_t)pid, number);
    }
    if (processes)
        closedir(processes);
    return count;
}
