/* SPDX-License-Identifier: BSD-3-Clause */
/* Running PVM's daemon and its console, and finding what they started. Private to comm/pvm_machine.c. */
#ifndef FIRMA_COMM_PVM_PROGRAMS_H
#define FIRMA_COMM_PVM_PROGRAMS_H

#include "base/arena.h"
#include "base/err.h"
#include <sys/types.h>

typedef struct PvmProgram {
    const char *const *argv;        /* NULL at the end; argv[0] is looked for on PATH */
    const char *const *environment; /* words NAME=VALUE that are added, NULL at the end */
    const char *input;              /* a file; NULL: none */
    const char *output;             /* a file for stdout and stderr, written anew */
    bool dies_with_us;              /* SIGTERM when this process ends */
} PvmProgram;

/* Starts it in a session of its own. */
bool pvm_program_start(const PvmProgram *program, pid_t *process, Err *err);

/* Waits for its end; false if it takes longer. */
bool pvm_program_wait(pid_t process, int timeout_ms);

/* The same, but kills it if it takes longer. */
bool pvm_program_run(const PvmProgram *program, int timeout_ms, Err *err);

/* Whether a program is on PATH. */
bool pvm_program_is_there(const char *name);

/* Waits until no process is left whose environment has PVM_TMP in that directory; kills those that are left then. */
void pvm_programs_sweep(const char *directory, int patience_ms);

#endif
