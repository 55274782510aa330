/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat in a square plate, by Jacobi's method: the first program to try firma on.
 *
 *     mpicc -O2 jacobi.c -o jacobi -lm
 *     mpirun -n 2 ./jacobi [CELLS] [STEPS]       default: 1000 cells a side, 6000 steps; about 7 seconds
 *
 * Each rank holds some rows of the plate. In each step it exchanges its border rows with its two neighbours and replaces
 * each cell by the mean of the four around it; every tenth step all ranks agree on how much has changed. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, n_ranks, cells, rows;

/* One border row up and one down; MPI_PROC_NULL stands for the neighbour that the first and last rank lack. */
static void exchange_borders(double *plate)
{
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL, below = rank < n_ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    double *first = plate + cells, *last = plate + (size_t)rows * cells;
    MPI_Sendrecv(first, cells, MPI_DOUBLE, above, 0, last + cells, cells, MPI_DOUBLE, below, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, cells, MPI_DOUBLE, below, 1, plate, cells, MPI_DOUBLE, above, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* The largest change of any cell. */
static double step(const double *from, double *to)
{
    double largest = 0;
    for (int row = 1; row <= rows; row++) {
        const double *here = from + (size_t)row * cells;
        for (int i = 1; i < cells - 1; i++) {
            double mean = 0.25 * (here[i - 1] + here[i + 1] + here[i - cells] + here[i + cells]);
            largest = fmax(largest, fabs(mean - here[i]));
            to[(size_t)row * cells + i] = mean;
        }
    }
    return largest;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    cells = argc > 1 ? atoi(argv[1]) : 1000;
    int n_steps = argc > 2 ? atoi(argv[2]) : 6000;
    rows = cells / n_ranks;
    double *plates[2];
    for (int i = 0; i < 2; i++) {
        plates[i] = calloc((size_t)(rows + 2) * cells, sizeof(double));
        for (int j = 0; rank == 0 && j < cells; j++)
            plates[i][j] = 1; /* the upper edge is hot */
    }
    double change = 0;
    for (int n = 0; n < n_steps; n++) {
        exchange_borders(plates[n % 2]);
        double own = step(plates[n % 2], plates[1 - n % 2]);
        if (n % 10 == 9)
            MPI_Allreduce(&own, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%d cells a side, %d steps: the last step changed no cell by more than %.3g\n", cells, n_steps, change);
    free(plates[0]);
    free(plates[1]);
    MPI_Finalize();
    return 0;
}
