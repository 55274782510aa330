/* SPDX-License-Identifier: BSD-3-Clause */
/* This process as a task of PVM, and the other ranks' tasks. Private to the PVM worker.
 *
 * A PVM call that waits for an ended task never returns. So tasks request notices (pvm_notify):
 * rank 0 of the end of the others, and the others of the end of rank 0. A notice reaches a handler
 * inside the waiting PVM call, and the handler leaves that call by a longjmp() to pvm_task_call().
 * Then PVM's state is undefined, and the task makes no further PVM calls. When its process ends,
 * the other tasks get a notice in turn. */
#pragma once

#include "comm/worker/harness/transport.h"
#include <setjmp.h>

typedef enum Presence { PRESENT, PARTING, RELEASED, GONE } Presence;

typedef struct PvmTask {
    Transport common;
    Arena *arena;
    int encoding, route;
    int *tids;          /* of the ranks */
    Presence *presence; /* of the ranks, as far as this task is notified */
    char group[32];     /* "": none is needed */
    int calls;          /* collective calls so far; the same in all tasks */
    jmp_buf leave;
    volatile int lost; /* a rank that ended too early; -1: none */
    volatile bool is_inside, has_failed;
} PvmTask;

enum {
    PVM_TAG_MESSAGE = 1,
    PVM_TAG_TABLE,
    PVM_TAG_READY,
    PVM_TAG_PART,
    PVM_TAG_RELEASE,
    PVM_TAG_EXIT,
    PVM_TAG_CALLS = 4096
};

/* Enrols in PVM, and spawns the other ranks or joins them. `task` has common.kind, encoding and
 * route. */
bool pvm_task_start(PvmTask *task, const json_t *request, bool needs_group, Err *err);

/* Leaves PVM in good order, unless a call has failed. */
void pvm_task_end(PvmTask *task);

typedef int PvmWork(PvmTask *task, void *argument);

/* Executes `work`, which calls PVM. `what` names the work in errors. Returns false if `work`
 * returns a PVM error (negative), or if a needed rank ends meanwhile. */
bool pvm_task_call(PvmTask *task, PvmWork *work, void *argument, const char *what, Err *err);
