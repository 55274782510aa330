/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of MPI in models: what they cost a process among many alike, in terms of the number of processes and of
 * what messages cost, ts + tw·bytes. docs/SOURCES.md, *Calls of MPI*. Private to this folder. */
#pragma once

#include "cost/source/values/scope.h"

/* Emits what the call costs. False: it isn't a call whose cost is known. */
bool communication_emit(Scope *scope, const SourceExpression *call, const char *name, const Amount *values);

/* The options that tell the compiler where mpi.h is; "": mpicc doesn't know, or isn't there. */
const char *communication_options(Arena *arena);
