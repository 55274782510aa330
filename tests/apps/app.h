/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts that the programs of this folder share: numbers from the command line, their wall-clock
 * time, and counts of their messages and collectives. Tests compare traces with these counts.
 *
 * At its end every rank prints    events rank R sends N send_bytes N receives N collectives N and
 * rank 0 also                 NAME checksum X    and    time_s X    (after MPI_Init to before
 * MPI_Finalize). */
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    double start_s;
    int rank, n_ranks;
    long long sends, send_bytes, receives, collectives;
} app;

static inline void app_start(void)
{
    app.start_s = MPI_Wtime();
    MPI_Comm_rank(MPI_COMM_WORLD, &app.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &app.n_ranks);
}

/* The i-th word of the command line as a number; `standard` if it is missing. */
static inline long app_argument(int argc, char **argv, int i, long standard)
{
    return i < argc ? strtol(argv[i], NULL, 10) : standard;
}

static inline void app_sent(size_t bytes)
{
    app.sends++;
    app.send_bytes += (long long)bytes;
}

static inline void app_received(void)
{
    app.receives++;
}

static inline void app_collective(void)
{
    app.collectives++;
}

/* Computes for about this many operations. In a simulation that doesn't measure computation
 * (APP_SIMULATED), the operations are simulated, so that every run is the same. */
static inline void app_work(long operations)
{
#ifdef APP_SIMULATED
    smpi_execute_flops((double)operations);
#else
    volatile double value = 1;
    for (long i = 0; i < operations / 2; i++)
        value = value * 0.5 + 1;
#endif
}

/* Follows a computation that the run needs. In a simulation that doesn't measure computation,
 * simulates this many operations for it. */
static inline void app_computed(long operations)
{
#ifdef APP_SIMULATED
    smpi_execute_flops((double)operations);
#else
    (void)operations;
#endif
}

/* A number that looks random, but is the same in every run. */
static inline unsigned long app_hash(unsigned long a, unsigned long b)
{
    unsigned long hash = (a + 1) * 0x9e3779b97f4a7c15u ^ (b + 1) * 0xc2b2ae3d27d4eb4fu;
    hash = (hash ^ hash >> 31) * 0xd6e8feb86659fd93u;
    return hash ^ hash >> 29;
}

static inline double app_sum(double value)
{
    double sum;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    app_collective();
    return sum;
}

/* A rank's share of `n` items that are divided into blocks: its first item, and their number. */
static inline void app_block(long n, int rank, int n_ranks, long *first, long *count)
{
    *first = n * rank / n_ranks;
    *count = n * (rank + 1) / n_ranks - *first;
}

static inline void app_report(const char *name, double checksum)
{
    double elapsed_s = MPI_Wtime() - app.start_s;
    printf("events rank %d sends %lld send_bytes %lld receives %lld collectives %lld\n", app.rank, app.sends,
           app.send_bytes, app.receives, app.collectives);
    if (app.rank == 0)
        printf("%s checksum %.10e\ntime_s %.6f\n", name, checksum, elapsed_s);
    fflush(stdout);
}
