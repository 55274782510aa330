/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts child processes, reads their output and ends them. All child processes of firma come from
 * here: launchers, compilers, checkpointers, drawing programs.
 *
 *     ProcessOptions how = {.words = words, .output = PROCESS_PIPE};
 *     if (process_start(&how, arena, &process, err)) {
 *         while (process_read(process, 100, &line) != PROCESS_ENDED)
 *             ...
 *         status = process_stop(process);
 *     }
 *
 * Below, "our" and "we" mean firma's own process. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Begins the word that marks processes of `sweeps`; firma's process id and a dot follow. */
#define PROCESS_MARK "FIRMA_LAUNCH="

typedef struct Process Process;

/* Values of `input`, `output` and `errors`, besides a file descriptor above 0. */
enum {
    PROCESS_NOTHING = 0, /* /dev/null; for `errors`: the same file as the output */
    PROCESS_OURS = -1,   /* our own standard input, output or error */
    PROCESS_PIPE = -2,   /* only for `output`: process_read() reads it */
};

typedef enum ProcessGroup {
    PROCESS_OWN_GROUP,   /* Ctrl-C doesn't reach the process; our signals reach its whole group */
    PROCESS_OWN_SESSION, /* the same, and the process has no terminal */
    PROCESS_OUR_GROUP,   /* the process shares our terminal and gets Ctrl-C; our signals reach it alone */
} ProcessGroup;

/* For programs whose messages firma reads. */
extern const char *const process_in_english[];

typedef struct ProcessOptions {
    const char *const *words;       /* command line, ends with NULL; the first word is looked up on PATH */
    int (*run)(void *self);         /* instead of a program: a function of ours, which returns the exit status */
    void *self;                     /* argument of `run` */
    const char *const *environment; /* words NAME=VALUE to add to our environment, ends with NULL; may be NULL */
    int input, output, errors;
    const char *input_text;  /* instead of `input`; NULL: none */
    const char *output_file; /* instead of `output`; NULL: none */
    bool appends;            /* output_file is appended to, not emptied */
    bool is_private;         /* only the owner may read files that the program creates: umask 077 */
    bool keeps_files;        /* the program inherits our other open files */
    ProcessGroup group;
    /* Signals that the program blocks; it ignores the signals that we ignore. NULL: it blocks and
     * ignores none. */
    const sigset_t *blocked;
    int dies_with_us; /* signal that the program gets when we end, in whatever way; 0: none */
    /* Limits of the address space and of CPU time; 0: none. At its CPU limit, the program gets SIGXCPU,
     * and SIGKILL some seconds later. */
    uint64_t memory_bytes, cpu_s;
    bool dumps_no_core; /* the program leaves no core file, unless it raises the limit */
    bool sweeps; /* process_stop() also kills processes that left the group; a word in their environment marks them */
    unsigned long namespaces; /* flags such as CLONE_NEWPID: new namespaces for the program */
} ProcessOptions;

/* Returns when the program is running. ERR_ENVIRONMENT, with errno set: the program can't be
 * executed, or its files can't be opened. */
bool process_start(const ProcessOptions *options, Arena *arena, Process **process, Err *err);

typedef enum ProcessNews {
    PROCESS_LINE,  /* *line is a line without its newline, valid until the next call */
    PROCESS_ENDED, /* the process has ended or closed its output; children that it left behind may still write */
    PROCESS_QUIET, /* no line arrived for timeout_ms */
} ProcessNews;

ProcessNews process_read(Process *process, int timeout_ms, const char **line);

/* Waits until the process has ended, for at most timeout_ms (-1: without limit). True: it has
 * ended. */
bool process_wait(Process *process, int timeout_ms);

/* Sends a signal, unless the process has ended. */
void process_kill(const Process *process, int number);

/* Ends the process if it runs: sends SIGTERM, and SIGKILL after five seconds. Kills the rest of its
 * group, unless the group is ours. Frees the memory of lines that were read. Returns
 * process_status(). */
int process_stop(Process *process);

/* For a process that has ended. The status is the exit status, or 128 + the number of the signal
 * that ended it. The signal is that number, or 0. */
int process_status(const Process *process);
int process_signal(const Process *process);

/* A status in words: "3", or "139 (SIGSEGV)" for one that tells of a signal. */
const char *process_status_text(int status, Arena *arena);

pid_t process_id(const Process *process);

/* Runs a process to its end. ERR_ENVIRONMENT: it can't be started, or it was killed after
 * timeout_ms (-1: no limit). */
bool process_run(const ProcessOptions *options, int timeout_ms, Arena *arena, int *status, Err *err);

/* Runs a process to its end, and sets *text to its output: the whole lines of the first MiB.
 * Returns false if the process can't be started, or was killed after timeout_ms. */
bool process_capture(const ProcessOptions *options, int timeout_ms, Arena *arena, char **text, int *status);

/* The executable file that the first word of a command line names, or NULL. A word with a slash is
 * the file itself. Other words are looked up in `folders`, separated by colons (NULL: PATH). */
const char *process_find(const char *word, const char *folders, Arena *arena);
