/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that firma starts: launchers, compilers, back ends, what draws. Every child process comes from here.
 *
 *     ProcessOptions how = {.words = words, .output = PROCESS_PIPE};
 *     if (process_start(&how, arena, &process, err)) {
 *         while (process_read(process, 100, &line) != PROCESS_ENDED)
 *             ...
 *         status = process_stop(process);
 *     }
 */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct Process Process;

/* What stands for an input or output, besides a descriptor of ours above 0. */
enum {
    PROCESS_NOTHING = 0, /* /dev/null; as `errors`: the same as the output */
    PROCESS_OURS = -1,   /* our own standard input, output, error */
    PROCESS_PIPE = -2,   /* as `output`: process_read takes it */
};

typedef enum ProcessGroup {
    PROCESS_OWN_GROUP,   /* Ctrl-C doesn't reach it; signals that we send reach all of the group */
    PROCESS_OWN_SESSION, /* the same, and it has no terminal */
    PROCESS_OUR_GROUP,   /* it shares our terminal and gets Ctrl-C; signals that we send reach the process alone */
} ProcessGroup;

typedef struct ProcessOptions {
    const char *const *words; /* command line, NULL at the end; the first word is looked up on PATH */
    int (*run)(void *self);   /* instead of a program: a function of ours; it returns the exit status */
    void *self;
    const char *const *environment; /* words NAME=VALUE that are added to ours, NULL at the end; NULL: none */
    int input, output, errors;
    const char *input_text;  /* instead of `input`; NULL: none */
    const char *output_file; /* instead of `output`; NULL: none */
    bool appends;            /* to the output file; otherwise the file is emptied */
    bool is_private;         /* what the program writes, its owner alone may read: umask 077 */
    bool keeps_files;        /* our other open files are open in the program, too */
    ProcessGroup group;
    const sigset_t *blocked;  /* the program's blocked signals; it ignores what we ignore. NULL: it blocks and ignores
                                 none */
    int dies_with_us;         /* signal that the program gets when we end, however we end; 0: none */
    bool sweeps;              /* process_stop also kills what has left the group, found by a word in its environment */
    unsigned long namespaces; /* CLONE_NEWPID …: new ones for the program */
} ProcessOptions;

/* Returns when the program is running. ERR_ENVIRONMENT, and errno: it can't be executed, or its files can't be opened.
 */
bool process_start(const ProcessOptions *options, Arena *arena, Process **process, Err *err);

typedef enum ProcessNews {
    PROCESS_LINE,  /* *line is one, without its newline, valid until the next call */
    PROCESS_ENDED, /* it has ended, or will say no more; what it has left behind isn't waited for */
    PROCESS_QUIET, /* nothing came for timeout_ms */
} ProcessNews;

ProcessNews process_read(Process *process, int timeout_ms, const char **line);

/* True when it has ended; waits at most timeout_ms (-1: as long as it takes). */
bool process_wait(Process *process, int timeout_ms);

/* Sends a signal, unless it has ended. */
void process_kill(const Process *process, int number);

/* Ends it if it runs: asks by SIGTERM, and after five seconds kills it; kills what is left of its group. Gives back
 * what reading took. Returns process_status. */
int process_stop(Process *process);

/* Of one that has ended: exit status, or 128 + signal; the signal that ended it, or 0. */
int process_status(const Process *process);
int process_signal(const Process *process);

pid_t process_id(const Process *process);

/* Runs it to its end. ERR_ENVIRONMENT: it can't be started, or takes longer (-1: any time); then it is killed. */
bool process_run(const ProcessOptions *options, int timeout_ms, Arena *arena, int *status, Err *err);

/* The same for what it prints: *text is the first MiB of it, in whole lines. False: as above. */
bool process_capture(const ProcessOptions *options, int timeout_ms, Arena *arena, char **text, int *status);

/* The executable file that a command line's first word names: as it is if it has a slash, else in the first of the
 * folders (separated by colons; NULL: PATH) that has one. NULL: none. */
const char *process_find(const char *word, const char *folders, Arena *arena);
