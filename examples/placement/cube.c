/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat in a flat box, shared out among processes in all three dimensions: a program whose processes should not be
 * placed in the order of their ranks.
 *
 *     mpicc -O2 cube.c -o cube
 *     mpirun -n 8 ./cube [STEPS]       default: 200 steps
 *
 * Eight processes are the corners of a cube. The box is thin in y, so the faces between neighbours in y are 16 times as
 * large as the other faces. Rank 0's neighbour in y is rank 2; launchers place rank 1 beside rank 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIMENSIONS = 3, X = 128, Y = 8, Z = 128 }; /* cells of the whole box */

static MPI_Comm cube;
static int size[DIMENSIONS]; /* cells of this process, without the frame that holds the neighbours' faces */

static size_t index_of(const int cell[DIMENSIONS])
{
    return ((size_t)cell[0] * (size_t)(size[1] + 2) + (size_t)cell[1]) * (size_t)(size[2] + 2) + (size_t)cell[2];
}

/* Copies the layer of cells at `place` of a dimension into the buffer, or back; returns how many they are. */
static int copy_face(double *cells, int dimension, int place, double *buffer, int is_back)
{
    int a = (dimension + 1) % DIMENSIONS, b = (dimension + 2) % DIMENSIONS, count = 0, cell[DIMENSIONS];
    cell[dimension] = place;
    for (cell[a] = 1; cell[a] <= size[a]; cell[a]++) {
        for (cell[b] = 1; cell[b] <= size[b]; cell[b]++, count++) {
            double *value = &cells[index_of(cell)];
            *(is_back ? value : &buffer[count]) = is_back ? buffer[count] : *value;
        }
    }
    return count;
}

/* Sends the layer at `from` one step along a dimension, and puts the layer that comes from the other side to `to`. */
static void exchange(double *cells, int dimension, int step, double *out, double *in)
{
    int source, destination, from = step > 0 ? size[dimension] : 1, to = step > 0 ? 0 : size[dimension] + 1;
    MPI_Cart_shift(cube, dimension, step, &source, &destination);
    int count = copy_face(cells, dimension, from, out, 0);
    MPI_Sendrecv(out, count, MPI_DOUBLE, destination, dimension, in, count, MPI_DOUBLE, source, dimension, cube,
                 MPI_STATUS_IGNORE);
    if (source != MPI_PROC_NULL)
        copy_face(cells, dimension, to, in, 1);
}

static void relax(const double *from, double *to)
{
    size_t x = (size_t)(size[1] + 2) * (size_t)(size[2] + 2), y = (size_t)(size[2] + 2);
    int cell[DIMENSIONS];
    for (cell[0] = 1; cell[0] <= size[0]; cell[0]++) {
        for (cell[1] = 1; cell[1] <= size[1]; cell[1]++) {
            for (cell[2] = 1; cell[2] <= size[2]; cell[2]++) {
                size_t i = index_of(cell);
                to[i] = (from[i - x] + from[i + x] + from[i - y] + from[i + y] + from[i - 1] + from[i + 1]) / 6;
            }
        }
    }
}

int main(int argc, char **argv)
{
    int n_processes, rank, n_steps = argc > 1 ? atoi(argv[1]) : 200;
    int shape[DIMENSIONS] = {0}, is_periodic[DIMENSIONS] = {0};
    const int whole[DIMENSIONS] = {X, Y, Z};
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n_processes);
    MPI_Dims_create(n_processes, DIMENSIONS, shape);
    MPI_Cart_create(MPI_COMM_WORLD, DIMENSIONS, shape, is_periodic, 0, &cube);
    MPI_Comm_rank(cube, &rank);
    size_t n_cells = 1;
    for (int i = 0; i < DIMENSIONS; i++) {
        size[i] = whole[i] / shape[i];
        n_cells *= (size_t)(size[i] + 2);
    }
    double *cells[2], *out = malloc(n_cells * sizeof *out), *in = malloc(n_cells * sizeof *in);
    for (int i = 0; i < 2; i++) {
        cells[i] = malloc(n_cells * sizeof *cells[i]);
        for (size_t k = 0; k < n_cells; k++)
            cells[i][k] = rank == 0; /* one corner is hot */
    }
    for (int n = 0; n < n_steps; n++) {
        for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
            exchange(cells[n % 2], dimension, 1, out, in);
            exchange(cells[n % 2], dimension, -1, out, in);
        }
        relax(cells[n % 2], cells[1 - n % 2]);
    }
    if (rank == 0)
        printf("%d processes as %d x %d x %d, %d steps\n", n_processes, shape[0], shape[1], shape[2], n_steps);
    for (int i = 0; i < 2; i++)
        free(cells[i]);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
