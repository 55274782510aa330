/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that gives its ranks the tasks of a mapping: firma map cube.trace … -o cube writes
 * cube.ranks. Each rank of the launcher's order takes the task in its line of this file.
 *
 *     mpicc examples/placement/reorder.c -o reorder && mpirun -n 8 ./reorder cube.ranks
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>

/* Use the result wherever the program has MPI_COMM_WORLD: its ranks are the mapping's tasks. */
static MPI_Comm world_of_tasks(const char *path)
{
    int rank, task = 0;
    MPI_Comm tasks;
    FILE *file = fopen(path, "r");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int line = 0; line <= rank; line++)
        if (!file || fscanf(file, "%d", &task) != 1)
            MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(file);
    MPI_Comm_split(MPI_COMM_WORLD, 0, task, &tasks);
    return tasks;
}

int main(int argc, char **argv)
{
    int rank, task, length;
    char host[MPI_MAX_PROCESSOR_NAME];
    MPI_Init(&argc, &argv);
    MPI_Comm tasks = world_of_tasks(argc > 1 ? argv[1] : "cube.ranks");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_rank(tasks, &task);
    MPI_Get_processor_name(host, &length);
    printf("task %d is rank %d of the launcher, on %s, processor %d\n", task, rank, host, sched_getcpu());
    MPI_Finalize();
    return 0;
}
