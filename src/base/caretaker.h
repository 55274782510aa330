/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that cleans up if SIGKILL ends firma, which no handler of signals sees. It sleeps as long as firma lives, and
 * ends with it. */
#pragma once

typedef enum CaretakerTask {
    CARETAKER_PROCESSES, /* "NAME=VALUE": end processes of this host that have this word in their environment (marked.h) */
    CARETAKER_COMMAND, /* a command for a shell */
    CARETAKER_FILES,   /* remove this file or directory */
    CARETAKER_LOCK,    /* remove this lock (lock.h), unless another process holds it */
    CARETAKER_TASKS
} CaretakerTask;

/* Adds a task. Tasks are done in the order of the enumeration, after all processes that firma launched to be swept
 * (process.h) have ended. Without effect if the caretaker can't be started. */
void caretaker_note(CaretakerTask task, const char *text);
