/* SPDX-License-Identifier: BSD-3-Clause */
/* Linked to an MPI program, prints the CPU time of process 0 between MPI_Init and MPI_Finalize. For
 * bench/cost_programs.py. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static double start_s;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);
    start_s = now_s();
    return result;
}

int MPI_Finalize(void)
{
    int rank;
    double cpu_s = now_s() - start_s;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fprintf(stderr, "cpu_s %.9f\n", cpu_s);
    return PMPI_Finalize();
}
