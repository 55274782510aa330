/* SPDX-License-Identifier: BSD-3-Clause */
/* See lock.h. The holder removes the file before it releases the lock. So a process that waited may
 * get the lock of a file that is no more under its name; then it tries again. */
#include "base/lock.h"

#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct Lock {
    const char *path;
    int file;
};

enum { TEXT_LIMIT = 400, HOST_LIMIT = 256 };

/* Returns -1 if the file can't be made, or isn't a file of this user. */
static int open_file(const char *path)
{
    struct stat status;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid())
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

static bool is_still_named(int file, const char *path)
{
    struct stat opened, named;
    return fstat(file, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static void name_holder(int file, const char *command, Arena *arena)
{
    char host[HOST_LIMIT] = "";
    gethostname(host, sizeof host - 1);
    const char *text = arena_printf(arena, "process %d on %s: %s\n", (int)getpid(), host, text_as_line(command, arena));
    if (ftruncate(file, 0) != 0 || pwrite(file, text, strlen(text), 0) < 0)
        return; /* the disk is full: then the lock has no name */
}

static void read_holder(int file, Arena *arena, LockHolder *holder)
{
    char text[TEXT_LIMIT + 1];
    int pid = 0;
    ssize_t n = pread(file, text, TEXT_LIMIT, 0);
    text[n > 0 ? n : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    *holder = (LockHolder){.text = *text ? arena_printf(arena, "%s%s", text, n == TEXT_LIMIT ? "…" : "")
                                         : "another process of firma"};
    if (sscanf(text, "process %d ", &pid) == 1)
        holder->pid = pid;
}

static LockState take(const char *path, const char *command, int how, Arena *arena, Lock **lock, LockHolder *holder)
{
    for (;;) {
        int file = open_file(path), failed;
        if (file < 0)
            return LOCK_IMPOSSIBLE;
        while ((failed = flock(file, how)) != 0 && errno == EINTR)
            continue;
        bool is_held = failed && errno == EWOULDBLOCK, is_named = is_still_named(file, path);
        if (is_held)
            read_holder(file, arena, holder);
        if (!failed && is_named) {
            name_holder(file, command, arena);
            *lock = arena_alloc(arena, sizeof **lock);
            **lock = (Lock){arena_strdup(arena, path), file};
            return LOCK_TAKEN;
        }
        close(file);
        if (failed && (!is_held || is_named))
            return is_held ? LOCK_HELD : LOCK_IMPOSSIBLE;
    }
}

LockState lock_try(const char *path, const char *command, Arena *arena, Lock **lock, LockHolder *holder)
{
    return take(path, command, LOCK_EX | LOCK_NB, arena, lock, holder);
}

LockState lock_wait(const char *path, const char *command, Arena *arena, Lock **lock)
{
    return take(path, command, LOCK_EX, arena, lock, NULL);
}

void lock_release(Lock *lock)
{
    if (!lock)
        return;
    unlink(lock->path);
    close(lock->file);
}
