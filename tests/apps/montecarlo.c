/* SPDX-License-Identifier: BSD-3-Clause */
/* The volume of the five-dimensional ball by random points: long computation, one reduction after
 * each batch.
 *
 *   montecarlo [BATCHES [POINTS]]      POINTS a rank and batch
 */
#include "app.h"

static double random_real(unsigned long long *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53;
}

static long count_inside(unsigned long long *state, long points)
{
    long inside = 0;
    for (long i = 0; i < points; i++) {
        double square = 0;
        for (int d = 0; d < 5; d++) {
            double x = random_real(state);
            square += x * x;
        }
        inside += square <= 1;
    }
    return inside;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    long batches = app_argument(argc, argv, 1, 20), points = app_argument(argc, argv, 2, 500000);
    unsigned long long state = 0x9e3779b97f4a7c15u * (unsigned long long)(app.rank + 1);
    double volume = 0;
    for (long batch = 0; batch < batches; batch++)
        volume += 32 * app_sum((double)count_inside(&state, points)) / ((double)points * app.n_ranks);
    app_report("montecarlo", volume / (double)batches);
    MPI_Finalize();
    return 0;
}
