/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that firma starts for a run: compilers, launchers. Private to the folder. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"

/* Called for each line that the command says; true: all that matters has been said, and it has a little time to end. */
typedef bool (*CommandHear)(void *self, const char *line);

/* Runs it to its end, with words NAME=VALUE added to our environment (NULL: none). *status: exit status, or 128 +
 * signal; 0 if it was stopped since all had been said. ERR_NEGATIVE: interrupted; it was stopped, with all that it
 * started on this host. ERR_ENVIRONMENT: it can't be started. */
bool command_run(const char *const *words, const char *const *environment, CommandHear hear, void *self, Arena *arena,
                 int *status, Err *err);

/* The words of an option text, as a shell would take them apart, behind those that are there. */
bool command_add_options(const char *const **words, size_t *n_words, const char *options, Arena *arena, Err *err);
