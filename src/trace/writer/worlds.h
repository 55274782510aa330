/* SPDX-License-Identifier: BSD-3-Clause */
/* Telling apart the MPI jobs that left their records in one directory: a script with two mpiruns, a program that starts
 * another MPI program. Nothing in a record names its job, so this goes by what can't be otherwise:
 *
 *   - the processes of a job agree on their number, and each has its own rank;
 *   - on one host, none of a job enters MPI_Init after another of it has left MPI_Init.
 *
 * Where that leaves a choice (jobs of one size that start together), a process joins the job of its own program and
 * arguments, of these the one whose latest process has the nearest process number. Private to trace/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct WorldMember {
    int32_t pid, rank, n_processes;
    int64_t init_enter_ns, init_leave_ns; /* CLOCK_REALTIME */
    uint64_t host, program;               /* equal for equal ones */
    uint32_t world; /* result: numbered in the order in which the first of each entered MPI_Init */
} WorldMember;

/* Sets each member's world; *certain is false if there was a choice. */
void worlds_tell_apart(WorldMember *members, size_t count, bool *certain);
