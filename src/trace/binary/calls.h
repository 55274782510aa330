/* SPDX-License-Identifier: BSD-3-Clause */
/* Private to binary/: from a symbol of an executable to the MPI call that it stands for, and what firma does with it.
 */
#pragma once

#include "trace/binary/binary.h"

/* A line of trace/calls.def. Made at build time by trace/recorder/gen_calls.py. */
typedef struct CallRule {
    const char *name; /* or a pattern: "MPI_Type_*" */
    CallClass class;
} CallRule;

extern const CallRule call_rules[];
extern const size_t n_call_rules;

/* Whether a symbol can be an MPI call at all, by its first letters. Most aren't, so this comes first. */
bool call_is_candidate(const char *symbol);

/* The call's name in C for the symbol of any language and profiling layer: "MPI_Send" for MPI_Send, PMPI_Send,
 * mpi_send_, mpi_send_f08ts_, … The class is CLASS_UNKNOWN where the table has no line for it. NULL: not the name of a
 * call, as MPI_F_STATUS_IGNORE isn't. */
const char *call_of_symbol(const char *symbol, Arena *arena, CallClass *class);
