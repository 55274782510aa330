/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that `firma doctor` traces: two messages and a collective on any number of processes.
 * doctor also saves and restores this program, with a directory as its argument: between the
 * messages and the collective, each process creates a file asleep.RANK there, and sleeps until a
 * file `go` exists, but at most a minute. */
#include <mpi.h>

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { SLEEPS_LIMIT = 60000 }; /* of a millisecond */

static void sleep_until_go(const char *directory, int rank)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/asleep.%d", directory, rank);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fclose(file);
    snprintf(path, sizeof path, "%s/go", directory);
    for (int i = 0; i < SLEEPS_LIMIT && access(path, F_OK) != 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

int main(int argc, char **argv)
{
    int rank, n_processes, token = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_processes);
    int next = (rank + 1) % n_processes, previous = (rank + n_processes - 1) % n_processes;
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &token, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (argc > 1)
        sleep_until_go(argv[1], rank);
    MPI_Allreduce(&token, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum == n_processes * (n_processes - 1) / 2 ? 0 : 1;
}
