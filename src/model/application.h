/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON form of an Application, which signatures and phase times share, and the comparison of
 * two applications. */
#pragma once

#include "base/arena.h"
#include "base/fields.h"
#include "model/event.h"

/* The most processes that firma's files may name: a limit against broken input. */
#define PROCESS_LIMIT 16777216u

extern const FieldList application_fields;   /* of an Application */
extern const FieldList process_place_fields; /* of a ProcessPlace */

/* Whether it ran on a simulated machine: it is linked with SMPI. */
bool application_is_simulated(const Application *application);

/* Whether each process ran on the same processors of the same host. */
bool places_are_same(const ProcessPlace *a, const ProcessPlace *b, uint32_t n);

/* Copies whose texts lie in the arena. */
Application application_copy(const Application *application, Arena *arena);
const ProcessPlace *places_copy(const ProcessPlace *places, uint32_t n, Arena *arena);

typedef enum ApplicationDifference {
    APPLICATION_SAME,
    /* The same program by name, arguments and number of processes. The build or the MPI library
     * differs, or the arguments were cut off. */
    APPLICATION_REBUILT,
    APPLICATION_OTHER /* another program, other arguments, another number of processes */
} ApplicationDifference;

/* A new random salt for hiding arguments. ERR_ENVIRONMENT: the system gives no random numbers. */
bool application_new_salt(Arena *arena, const char **salt, Err *err);

/* The salt by which the application's arguments were hidden. NULL: they aren't hidden. */
const char *application_salt(const Application *application, Arena *arena);

/* Replaces arguments by "…", and keeps a hash by which application_compare() recognises the true
 * ones. Arguments that are hidden under one salt can't be compared with those of another. Does
 * nothing without a salt (NULL), or if the arguments are hidden already. */
void application_hide_arguments(Application *application, const char *salt, Arena *arena);

/* A launcher's command line, as files hold it: only its first word if arguments are hidden by the
 * salt. */
const char *application_command(char *const *words, const char *salt, Arena *arena);

/* *text becomes a list of the differences: "8 processes, not 4; arguments `-n 200`, not `-n 100`".
 * It is "" if nothing differs. */
ApplicationDifference application_compare(const Application *expected, const Application *found, Arena *arena,
                                          const char **text);
