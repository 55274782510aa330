/* SPDX-License-Identifier: BSD-3-Clause */
/* A profiling tool. It defines MPI_Barrier and MPI_Allreduce, and calls PMPI functions while it
 * holds a mutex that isn't recursive. At the end it prints how many calls it saw. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n_barriers, n_reductions;

int MPI_Barrier(MPI_Comm comm)
{
    pthread_mutex_lock(&mutex);
    n_barriers++;
    const int result = PMPI_Barrier(comm);
    pthread_mutex_unlock(&mutex);
    return result;
}

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    pthread_mutex_lock(&mutex);
    n_reductions++;
    PMPI_Barrier(comm);
    const int result = PMPI_Allreduce(in, out, count, datatype, op, comm);
    pthread_mutex_unlock(&mutex);
    return result;
}

int MPI_Finalize(void)
{
    pthread_mutex_lock(&mutex);
    PMPI_Barrier(MPI_COMM_WORLD);
    pthread_mutex_unlock(&mutex);
    printf("tool: %d barriers, %d reductions\n", n_barriers, n_reductions);
    fflush(stdout);
    return PMPI_Finalize();
}
