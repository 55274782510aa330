/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the MPI call that a symbol stands for, and what firma does with the call. Private to
 * binary/. */
#pragma once

#include "trace/binary/binary.h"

/* A line of trace/calls.def. trace/recorder/gen_calls.py generates the table at build time. */
typedef struct CallRule {
    const char *name; /* or a pattern: "MPI_Type_*" */
    CallClass class;
} CallRule;

extern const CallRule call_rules[];
extern const size_t n_call_rules;

/* True if a symbol can be an MPI call by its first letters. Most symbols can't, so this quick test
 * comes first. */
bool call_is_candidate(const char *symbol);

/* The call's name in C for a symbol of any language and profiling layer: "MPI_Send" for MPI_Send,
 * PMPI_Send, mpi_send_, mpi_send_f08ts_, …. *class is CLASS_UNKNOWN if the table has no line for
 * the call. NULL: the symbol names no call; an example is MPI_F_STATUS_IGNORE. */
const char *call_of_symbol(const char *symbol, Arena *arena, CallClass *class);
