/* SPDX-License-Identifier: BSD-3-Clause */
/* A task of the Monte Carlo method for pi: counts the random points of the unit square that lie in
 * the circle. With all tasks' points together, pi = 4 inside/points. Herai and Henriques, 4.3.1. */
#include <stdlib.h>

long count_points(long points, long seed)
{
    long inside = 0;
    unsigned short state[3] = {(unsigned short)seed, (unsigned short)(seed >> 16), 1};
    for (long i = 0; i < points; i++) {
        double x = erand48(state);
        double y = erand48(state);
        if (x * x + y * y <= 1.0)
            inside++;
    }
    return inside;
}
