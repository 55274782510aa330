/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends a job whose firma has died. Private to trace/launch.
 *
 *    firma ──────── write end of a pipe ────────┐ firma ends, in whatever way, even by SIGKILL
 *      ├── launcher ── ranks                    ▼ the pipe closes
 *      └── guard: sleeps in read() ──────────── SIGTERM to the job; 5 s later SIGKILL to what is left
 *
 * The guard is a process of firma's own, in a session of its own. The program doesn't see it, and
 * nothing in the program is changed for it. While firma lives, the guard only sleeps. */
#pragma once

#include "trace/launch/state.h"

/* To be called before the launcher is started. ERR_ENVIRONMENT: no process could be made. */
bool guard_start(Launch *launch, Err *err);

/* Ends the guard; the job may then outlive firma. Fine if there is none. */
void guard_end(Launch *launch);
