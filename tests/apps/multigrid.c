/* SPDX-License-Identifier: BSD-3-Clause */
/* Multigrid V-cycles for the cell-centred Poisson equation, on 2^LEVELS rows a rank and 2^LEVELS
 * columns. Rows are divided into blocks. Every level halves both, so messages get shorter from
 * level to level.
 *
 *   multigrid [LEVELS [CYCLES]]
 */
#include "app.h"
#include <math.h>
#include <string.h>

enum { SWEEPS = 2, COARSEST_SWEEPS = 20 };

typedef struct Level {
    long rows, columns;   /* own cells; arrays have a halo of one all around */
    double *u, *f, *next; /* solution, right-hand side (times the cell's area), work */
} Level;

static long level_cells(const Level *level)
{
    return (level->rows + 2) * (level->columns + 2);
}

/* Neighbours' rows. At the domain's edge, where the solution is 0: the mirror image with the
 * opposite sign. */
static void fill_halo(const Level *level)
{
    long stride = level->columns + 2;
    int above = app.rank > 0 ? app.rank - 1 : MPI_PROC_NULL;
    int below = app.rank < app.n_ranks - 1 ? app.rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(level->u + stride, (int)stride, MPI_DOUBLE, above, 0, level->u + (level->rows + 1) * stride,
                 (int)stride, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(level->u + level->rows * stride, (int)stride, MPI_DOUBLE, below, 1, level->u, (int)stride, MPI_DOUBLE,
                 above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < (above != MPI_PROC_NULL) + (below != MPI_PROC_NULL); i++)
        app_sent((size_t)stride * sizeof(double)), app_received();
    double *last = level->u + level->rows * stride;
    for (long j = 0; j < stride && above == MPI_PROC_NULL; j++)
        level->u[j] = -level->u[stride + j];
    for (long j = 0; j < stride && below == MPI_PROC_NULL; j++)
        last[stride + j] = -last[j];
    for (double *row = level->u; row <= last + stride; row += stride) {
        row[0] = -row[1];
        row[level->columns + 1] = -row[level->columns];
    }
}

static double residual_at(const Level *level, long k)
{
    long stride = level->columns + 2;
    const double *u = level->u + k;
    return level->f[k] + u[-stride] + u[stride] + u[-1] + u[1] - 4 * u[0];
}

/* Damped Jacobi. */
static void smooth(Level *level, int sweeps)
{
    long stride = level->columns + 2;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        fill_halo(level);
        for (long i = 1; i <= level->rows; i++)
            for (long k = i * stride + 1; k <= i * stride + level->columns; k++)
                level->next[k] = level->u[k] + 0.2 * residual_at(level, k);
        app_computed(8 * level->rows * level->columns);
        double *swap = level->u;
        level->u = level->next;
        level->next = swap;
    }
}

/* The residual becomes the right-hand side of the next coarser level. */
static void restrict_residual(const Level *fine, Level *coarse)
{
    long fine_stride = fine->columns + 2, stride = coarse->columns + 2;
    fill_halo(fine);
    for (long i = 1; i <= coarse->rows; i++)
        for (long j = 1; j <= coarse->columns; j++) {
            long k = (2 * i - 1) * fine_stride + 2 * j - 1;
            coarse->f[i * stride + j] = residual_at(fine, k) + residual_at(fine, k + 1) +
                                        residual_at(fine, k + fine_stride) + residual_at(fine, k + fine_stride + 1);
        }
    memset(coarse->u, 0, (size_t)level_cells(coarse) * sizeof(double));
    app_computed(6 * fine->rows * fine->columns);
}

/* Bilinear interpolation: a fine cell takes from its coarse cell, and from the three next to it. */
static void add_correction(const Level *coarse, Level *fine)
{
    long fine_stride = fine->columns + 2, stride = coarse->columns + 2;
    fill_halo(coarse);
    for (long i = 1; i <= fine->rows; i++) {
        long vertical = i % 2 ? -stride : stride;
        for (long j = 1; j <= fine->columns; j++) {
            const double *u = &coarse->u[(i + 1) / 2 * stride + (j + 1) / 2];
            long horizontal = j % 2 ? -1 : 1;
            fine->u[i * fine_stride + j] +=
                (9 * u[0] + 3 * u[vertical] + 3 * u[horizontal] + u[vertical + horizontal]) / 16;
        }
    }
    app_computed(8 * fine->rows * fine->columns);
}

static void cycle(Level *levels, int n_levels)
{
    if (n_levels == 1) {
        smooth(levels, COARSEST_SWEEPS);
        return;
    }
    smooth(levels, SWEEPS);
    restrict_residual(levels, levels + 1);
    cycle(levels + 1, n_levels - 1);
    add_correction(levels + 1, levels);
    smooth(levels, SWEEPS);
}

static double residual_norm(const Level *level)
{
    double sum = 0;
    fill_halo(level);
    for (long i = 1; i <= level->rows; i++)
        for (long j = 1; j <= level->columns; j++) {
            double residual = residual_at(level, i * (level->columns + 2) + j);
            sum += residual * residual;
        }
    app_computed(8 * level->rows * level->columns);
    return sqrt(app_sum(sum));
}

static void set_up(Level *level, long cells_a_side)
{
    level->rows = level->columns = cells_a_side;
    size_t n = (size_t)level_cells(level);
    level->u = calloc(n, sizeof(double));
    level->f = calloc(n, sizeof(double));
    level->next = calloc(n, sizeof(double));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    int n_levels = (int)app_argument(argc, argv, 1, 7);
    long cycles = app_argument(argc, argv, 2, 50);
    Level *levels = calloc((size_t)n_levels, sizeof *levels);
    for (int l = 0; l < n_levels; l++)
        set_up(&levels[l], 1L << (n_levels - l));
    double norm = 0;
    for (long c = 0; c < cycles; c++) {
        for (long k = 0; k < level_cells(&levels[0]); k++) /* a new source each time, so that the problem stays hard */
            levels[0].f[k] = sin(0.01 * (double)(k + c));
        cycle(levels, n_levels);
        norm = residual_norm(&levels[0]);
    }
    app_report("multigrid", norm);
    for (int l = 0; l < n_levels; l++)
        free(levels[l].u), free(levels[l].f), free(levels[l].next);
    free(levels);
    MPI_Finalize();
    return 0;
}
