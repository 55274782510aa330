/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that a run starts: compilers and launchers. Private to this folder. */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"

/* Called for each line that a command prints. Returns true if no further line matters; then the
 * command has a second to end. */
typedef bool (*CommandTakeLine)(void *self, const char *line);

/* Runs a command to its end. `environment`: words NAME=VALUE to add; NULL: none. *status: exit
 * status, or 128 + signal; 0 if the command was stopped after take_line returned true.
 * ERR_NEGATIVE: interrupted; the command and all processes that it started on this host have been
 * stopped. ERR_ENVIRONMENT: it can't be started. */
bool command_run(const char *const *words, const char *const *environment, CommandTakeLine take_line, void *self,
                 Arena *arena, int *status, Err *err);

/* Appends words; more: ends with NULL. */
void command_add(const char *const **words, size_t *n_words, const char *const *more, Arena *arena);

/* Appends the words of an option text, split as by a shell. */
bool command_add_options(const char *const **words, size_t *n_words, const char *options, Arena *arena, Err *err);
