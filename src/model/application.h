/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of an Application, shared by signature and phase times, and the comparison of two. */
#pragma once

#include "base/arena.h"
#include "base/fields.h"
#include "model/event.h"

/* Processes that firma's files may name: a limit against broken input. */
#define PROCESS_LIMIT 16777216u

extern const FieldList application_fields; /* of an Application */

/* A copy whose texts live in the arena. */
Application application_copy(const Application *application, Arena *arena);

typedef enum ApplicationDifference {
    APPLICATION_SAME,
    APPLICATION_REBUILT, /* the same program by name, arguments and processes; another build or MPI library, or
                           arguments that were cut off, so that nobody can tell */
    APPLICATION_OTHER    /* another program, other arguments, another number of processes */
} ApplicationDifference;

/* What differs is said in *text: "8 processes, not 4; arguments `-n 200`, not `-n 100`"; "" if nothing does. */
ApplicationDifference application_compare(const Application *expected, const Application *found, Arena *arena,
                                          const char **text);
