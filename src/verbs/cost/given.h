/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of --set for a source that firma runs through (cost/source/mpi). */
#pragma once

#include "base/arena.h"
#include "base/err.h"
#include "cost/source/mpi/processes.h"

/* ERR_USAGE: the value isn't a number. */
bool given_values_read(Arena *arena, size_t *n, GivenValue **given, Err *err);

/* ERR_USAGE: the source doesn't need this value. */
bool given_values_check(const GivenValue *given, size_t n, const char *path, Err *err);
