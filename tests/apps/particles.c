/* SPDX-License-Identifier: BSD-3-Clause */
/* Gravitating particles, all pairs. Each rank owns some particles. In each step, a copy of every
 * rank's particles travels around the ring (MPI_Sendrecv_replace). Every tenth step sums up the
 * energy.
 *
 *   particles [PARTICLES_A_RANK [STEPS]]
 */
#include "app.h"
#include <math.h>
#include <string.h>

typedef struct Particle {
    double x, y, z, mass;
} Particle;

typedef struct Motion {
    double vx, vy, vz, ax, ay, az;
} Motion;

static const double step_s = 1e-3, softening = 1e-2;

static void attract(const Particle *own, Motion *motion, const Particle *others, long n)
{
    for (long i = 0; i < n; i++) {
        double ax = 0, ay = 0, az = 0;
        for (long j = 0; j < n; j++) {
            double dx = others[j].x - own[i].x, dy = others[j].y - own[i].y, dz = others[j].z - own[i].z;
            double square = dx * dx + dy * dy + dz * dz + softening;
            double pull = others[j].mass / (square * sqrt(square));
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        motion[i].ax += ax;
        motion[i].ay += ay;
        motion[i].az += az;
    }
    app_computed(20 * n * n);
}

static void move(Particle *own, Motion *motion, long n)
{
    for (long i = 0; i < n; i++) {
        motion[i].vx += step_s * motion[i].ax;
        motion[i].vy += step_s * motion[i].ay;
        motion[i].vz += step_s * motion[i].az;
        own[i].x += step_s * motion[i].vx;
        own[i].y += step_s * motion[i].vy;
        own[i].z += step_s * motion[i].vz;
        motion[i].ax = motion[i].ay = motion[i].az = 0;
    }
}

static double kinetic_energy(const Particle *own, const Motion *motion, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += 0.5 * own[i].mass *
               (motion[i].vx * motion[i].vx + motion[i].vy * motion[i].vy + motion[i].vz * motion[i].vz);
    return app_sum(sum);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    long n = app_argument(argc, argv, 1, 100), steps = app_argument(argc, argv, 2, 500);
    size_t bytes = (size_t)n * sizeof(Particle);
    Particle *own = calloc((size_t)n, sizeof *own), *travelling = calloc((size_t)n, sizeof *travelling);
    Motion *motion = calloc((size_t)n, sizeof *motion);
    int next = (app.rank + 1) % app.n_ranks, previous = (app.rank + app.n_ranks - 1) % app.n_ranks;
    for (long i = 0; i < n; i++) {
        double angle = (double)(app.rank * n + i);
        own[i] = (Particle){cos(angle), sin(1.3 * angle), cos(2.1 * angle), 1.0 / (double)(n * app.n_ranks)};
    }
    double energy = 0;
    for (long step = 1; step <= steps; step++) {
        memcpy(travelling, own, bytes);
        attract(own, motion, travelling, n);
        for (int hop = 1; hop < app.n_ranks; hop++) {
            MPI_Sendrecv_replace(travelling, (int)bytes, MPI_BYTE, next, 0, previous, 0, MPI_COMM_WORLD,
                                 MPI_STATUS_IGNORE);
            app_sent(bytes);
            app_received();
            attract(own, motion, travelling, n);
        }
        move(own, motion, n);
        if (step % 10 == 0)
            energy = kinetic_energy(own, motion, n);
    }
    app_report("particles", energy);
    free(own), free(travelling), free(motion);
    MPI_Finalize();
    return 0;
}
