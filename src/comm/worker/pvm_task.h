/* SPDX-License-Identifier: BSD-3-Clause */
/* This process as a task of PVM, and its fellows. Private to the PVM worker.
 *
 * PVM's calls wait for ever for a task that has ended. So tasks ask PVM to be told (pvm_notify), rank 0 of the others,
 * and the others of rank 0; the notice comes to a handler inside whatever PVM call waits, and pvm_task_call leaves that
 * call by a jump. After it nothing in the library can be relied on, and nothing is called any more: the process's end
 * tells the others. */
#pragma once

#include "comm/worker/transport.h"
#include <setjmp.h>

typedef enum Presence { PRESENT, PARTING, RELEASED, GONE } Presence;

typedef struct PvmTask {
    Transport common;
    Arena *arena;
    int encoding, route;
    int *tids;          /* of the ranks */
    Presence *presence; /* of the ranks, as far as this one is told */
    char group[32];     /* "": none was asked for */
    int calls;          /* collective calls so far, the same in all tasks */
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

/* Enrols, and spawns or joins the others; `task` has its common.kind, encoding and route. */
bool pvm_task_start(PvmTask *task, const json_t *request, bool needs_group, Err *err);

/* Ends in good order, unless a call has failed. */
void pvm_task_end(PvmTask *task);

typedef int PvmWork(PvmTask *task, void *argument);

/* Does what calls PVM; false if that gives a PVM error (negative), or a rank that is needed ends meanwhile. */
bool pvm_task_call(PvmTask *task, PvmWork *work, void *argument, const char *what, Err *err);
