/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided operations between two fences of a window (docs/METHOD.md, section 13). They become
 * messages at the fence that completes them: all bytes that a process puts to a target are one
 * message, and so are all that it gets from there. The target waits at its own fence. So it must be
 * known who reaches a target at which of its fences. That holds if, whenever a process comes to a
 * fence by the same kind of step, the same processes have reached it. Private to the folder. */
#pragma once

#include "model/event.h"
#include "placement/graph/algorithms.h"

/* An epoch's operations of one process on another. */
typedef struct Operation {
    uint32_t with; /* the other's place in the window's group */
    double sent, fetched;
} Operation;

typedef struct Epochs Epochs;

Epochs *epochs_new(const Trace *trace);
void epochs_free(Epochs *epochs);

/* To be called before the operations of each process. Operations that no fence of the former
 * process completed are left out. */
void epochs_start_process(Epochs *epochs);

/* An operation of the current process on the member at place `target`; NO_TARGET: not a member. */
#define NO_TARGET UINT32_MAX
void epochs_add(Epochs *epochs, uint32_t window, uint32_t target, const Event *event);

/* The process comes to the window's next collective. Returns a number for the operations that this
 * completes; 0: none. If it isn't a fence, operations are left out. */
uint32_t epochs_end(Epochs *epochs, uint32_t window, bool is_fence);

/* The process at this place came to the window's next collective by a step of this kind. */
void epochs_note(Epochs *epochs, uint32_t window, uint32_t place, uint32_t kind, uint32_t operations);

/* To be called when all processes are read. Windows of which it isn't known who reaches whom are
 * left out. */
void epochs_resolve(Epochs *epochs);
void epochs_leave_out(Epochs *epochs, uint32_t window);

/* Messages of the process at a place, at its steps of a kind. `operations`: from epochs_end(). */
void epochs_put(const Epochs *epochs, uint32_t window, uint32_t place, uint32_t kind, uint32_t operations,
                MessageSink *sink);

/* What is left out, over all processes. */
void epochs_count(const Epochs *epochs, uint64_t *n_left_out, double *left_out_s);
