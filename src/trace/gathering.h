/* SPDX-License-Identifier: BSD-3-Clause */
/* `firma trace --local`: processes record into a directory that each node has for itself, and their
 * records are gathered in the recording directory, which the nodes share:
 *
 *     node a   LOCAL-SPACE/HOST-PID-0.segment ──┐   each process copies its files at its end, and
 *     node b   LOCAL-SPACE/HOST-PID-0.segment ──┴►  those of processes of its node that were killed;
 *                                                   firma does the latter on its own node
 *
 * Process files stay in the recording directory all the time. So they tell which records are
 * missing: those of a node whose last process was killed.
 *
 * SPACE is the PID namespace, because a process can only tell within its own one whether another
 * process has ended. The functions are for the recorder, too: they need no memory, and may be called
 * in a signal handler. */
#pragma once

#include "trace/segment.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GATHERING_PART ".part"
#define GATHERING_PATH_BYTES 4608

/* The node's directory: LOCAL of the control file, and this PID namespace. */
static inline void gathering_directory(const char *local, char path[GATHERING_PATH_BYTES])
{
    struct stat space;
    snprintf(path, GATHERING_PATH_BYTES, "%s-%lu", local,
             stat("/proc/self/ns/pid", &space) == 0 ? (unsigned long)space.st_ino : 0UL);
}

static inline int gathering_copy_to(int source, int target)
{
    for (;;) {
        const ssize_t n = sendfile(target, source, NULL, 1 << 20);
        if (n == 0 || (n < 0 && errno != EINTR))
            return n < 0 ? errno : 0;
    }
}

/* Moves a file to another file system. It appears there when it is complete. Returns 0 or an errno. */
static inline int gathering_move(const char *from, const char *to)
{
    char part[GATHERING_PATH_BYTES + 64];
    snprintf(part, sizeof part, "%s.%ld" GATHERING_PART, to, (long)getpid());
    const int source = open(from, O_RDONLY | O_CLOEXEC);
    if (source < 0)
        return errno == ENOENT ? 0 : errno; /* another process has moved it */
    const int target = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int error = target < 0 ? errno : gathering_copy_to(source, target);
    if (target >= 0 && close(target) != 0 && !error)
        error = errno;
    close(source);
    if (!error && rename(part, to) != 0)
        error = errno;
    if (error)
        unlink(part);
    else
        unlink(from);
    return error;
}

/* True if the process has ended; also if its parent hasn't noticed yet. */
static inline bool gathering_has_ended(long pid)
{
    char path[64], line[512];
    if (kill((pid_t)pid, 0) != 0)
        return errno == ESRCH;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, line, sizeof line - 1);
    if (file >= 0)
        close(file);
    if (size <= 0)
        return false;
    line[size] = '\0';
    const char *state = strrchr(line, ')'); /* "PID (NAME) STATE …" */
    return state && (strncmp(state, ") Z", 3) == 0 || strncmp(state, ") X", 3) == 0);
}

/* True if a file HOST-PID… belongs to this process, or to one that has ended. */
static inline bool gathering_is_due(const char *name, const char *host, long pid)
{
    const size_t length = strlen(host);
    if (strncmp(name, host, length) != 0 || name[length] != '-')
        return false;
    const long owner = strtol(name + length + 1, NULL, 10);
    return owner > 0 && (owner == pid || gathering_has_ended(owner));
}

/* Moves the records of process `pid` (0: none), and of processes that have ended, from the node's
 * directory to the recording. Removes the directory once it is empty. Returns 0 or an errno. */
static inline int gathering_collect(const char *directory, const char *recording, const char *host, long pid)
{
    struct Entry { /* as the kernel gives it; opendir() would allocate memory */
        uint64_t inode, offset;
        unsigned short size;
        unsigned char type;
        char name[];
    };
    _Alignas(struct Entry) char entries[4096];
    const int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return errno == ENOENT ? 0 : errno;
    int first_error = 0;
    for (long size; (size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;) {
        for (long at = 0; at < size;) {
            const struct Entry *entry = (const struct Entry *)(const void *)(entries + at);
            char from[GATHERING_PATH_BYTES + NAME_MAX], to[GATHERING_PATH_BYTES];
            at += entry->size;
            if (!gathering_is_due(entry->name, host, pid))
                continue;
            snprintf(from, sizeof from, "%s/%s", directory, entry->name);
            const int length = snprintf(to, sizeof to, "%s/%s", recording, entry->name);
            const int error = length < (int)sizeof to ? gathering_move(from, to) : ENAMETOOLONG;
            first_error = first_error ? first_error : error;
        }
    }
    close(folder);
    rmdir(directory);
    return first_error;
}
