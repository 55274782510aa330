/* SPDX-License-Identifier: BSD-3-Clause */
/* See caretaker.h. firma holds one end of a pair of sockets, the caretaker the other. Tasks go through it, each as a letter
 * and a text that ends with a zero. When firma has ended, the socket closes. */
#include "base/caretaker.h"

#include "base/arena.h"
#include "base/files.h"
#include "base/lock.h"
#include "base/marked.h"
#include "base/process.h"
#include "base/vec.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PATIENCE_MS = 5000, COMMAND_MS = 5000, FIRST_LETTER = 'A' };

typedef VEC(char) Notes;

/* ---- in the caretaker ---- */

static void end_processes(const char *mark, bool as_beginning)
{
    marked_signal(mark, as_beginning, SIGTERM);
    marked_sweep(mark, as_beginning, PATIENCE_MS);
}

static void execute(const char *command, Arena *arena)
{
    Err none;
    int status;
    const char *const words[] = {"/bin/sh", "-c", command, NULL};
    process_run(&(ProcessOptions){.words = words, .group = PROCESS_OWN_SESSION}, COMMAND_MS, arena, &status, &none);
}

static void remove_lock(const char *path, Arena *arena)
{
    Lock *lock;
    LockHolder holder;
    if (files_exist(path) && lock_try(path, "", arena, &lock, &holder) == LOCK_TAKEN)
        lock_release(lock);
}

static void do_task(CaretakerTask task, const char *text, Arena *arena)
{
    switch (task) {
    case CARETAKER_PROCESSES:
        end_processes(text, true);
        break;
    case CARETAKER_COMMAND:
        execute(text, arena);
        break;
    case CARETAKER_FILES:
        files_remove_tree(text);
        break;
    default:
        remove_lock(text, arena);
    }
}

/* Reads until firma has ended. */
static void read_notes(Notes *notes)
{
    char piece[4096];
    ssize_t n;
    while ((n = read(STDIN_FILENO, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR))
        for (ssize_t i = 0; i < n; i++)
            *vec_push(notes) = piece[i];
    *vec_push(notes) = '\0'; /* firma may have been killed while it wrote */
}

static int take_care(void *self)
{
    Notes notes = {0};
    Arena *arena = arena_new();
    read_notes(&notes);
    end_processes(self, true);
    for (int task = 0; task < CARETAKER_TASKS; task++)
        for (size_t at = 0; at < notes.count; at += strlen(notes.items + at) + 1)
            if (notes.items[at] == FIRST_LETTER + task)
                do_task((CaretakerTask)task, notes.items + at + 1, arena);
    return 0;
}

/* ---- in firma ---- */

static Process *caretaker;
static pid_t owner; /* a child that executes no program has no caretaker of its own */
static int line;

/* firma has ended as it should: everything that had to be cleaned up is. */
static void end_caretaker(void)
{
    if (!caretaker || owner != getpid())
        return;
    process_kill(caretaker, SIGKILL);
    process_wait(caretaker, -1);
    caretaker = NULL;
}

static void start_caretaker(void)
{
    int ends[2];
    Err none;
    static Arena *arena; /* for as long as firma lives */
    owner = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return;
    arena = arena_new();
    char *mark = arena_printf(arena, PROCESS_MARK "%d.", (int)owner);
    const ProcessOptions how = {.run = take_care, .self = mark, .input = ends[0], .group = PROCESS_OWN_SESSION};
    bool ok = process_start(&how, arena, &caretaker, &none);
    close(ends[0]);
    line = ends[1];
    if (ok)
        atexit(end_caretaker);
    else
        close(line);
}

void caretaker_note(CaretakerTask task, const char *text)
{
    const char letter = (char)(FIRST_LETTER + task);
    if (!owner)
        start_caretaker();
    if (!caretaker || owner != getpid())
        return;
    send(line, &letter, 1, MSG_NOSIGNAL);
    send(line, text, strlen(text) + 1, MSG_NOSIGNAL);
}
