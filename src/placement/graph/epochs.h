/* SPDX-License-Identifier: BSD-3-Clause */
/* The one-sided operations of a process that aren't complete, by window (docs/METHOD.md, section
 * 13). When they complete, they become steps: all bytes that the process put to a target are one
 * put, and all that it got from there are one get. Private to the folder. */
#pragma once

#include "model/event.h"
#include "model/tfg.h"

typedef struct Epochs Epochs;

/* leaves_out: operations become no steps, and are counted alone. */
Epochs *epochs_new(const Trace *trace, bool leaves_out);
void epochs_free(Epochs *epochs);

/* To be called before the operations of each process. Operations of the former process that
 * nothing completed are left out. */
void epochs_start_process(Epochs *epochs, uint32_t process);

/* An operation of the current process. */
void epochs_add(Epochs *epochs, const Event *event);

/* The current process synchronises with members of a window, or with all of them by a fence.
 * Returns the number of steps that this becomes; they are valid until the next call. */
size_t epochs_synchronise(Epochs *epochs, const Event *event, const Step **steps);

/* What is left out, over all processes. */
void epochs_count(const Epochs *epochs, uint64_t *n_left_out, double *left_out_s);
