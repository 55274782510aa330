/* SPDX-License-Identifier: BSD-3-Clause */
/* Separates the MPI jobs that recorded into one directory: a script with two mpiruns, or a program
 * that starts another MPI program. A record doesn't name its job. So the following rules decide:
 *
 *   - The processes of a job agree on their number, and each has its own rank.
 *   - On one host, no process of a job enters MPI_Init after another of the job has left MPI_Init.
 *
 * If these rules leave a choice (jobs of the same size that start together), a process joins a job
 * with its own program and arguments. Of several such jobs, it joins the one whose latest process
 * has the nearest process id. Private to trace/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct WorldMember {
    int32_t pid, rank, n_processes;
    int64_t init_enter_ns, init_leave_ns; /* CLOCK_REALTIME */
    uint64_t host, program;               /* equal numbers mean equal hosts or programs */
    uint32_t world; /* result: jobs are numbered in the order in which the first process of each entered MPI_Init */
} WorldMember;

/* Sets the world of each member. *certain becomes false if the rules left a choice. */
void worlds_tell_apart(WorldMember *members, size_t count, bool *certain);
