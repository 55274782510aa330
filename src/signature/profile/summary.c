/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the time of processes went (profile.h). */
#include "signature/profile/profile.h"

TimeSpent process_time_spent(const ProcessProfile *process)
{
    TimeSpent spent = {.whole_s = (double)lifetime_ns(&process->lifetime) / 1e9,
                       .compute_s = (double)process->compute_ns / 1e9,
                       .mpi_s = (double)process->mpi_ns / 1e9};
    spent.rest_s = spent.whole_s - spent.compute_s - spent.mpi_s;
    if (spent.rest_s < 0) /* several threads can compute in one process's time */
        spent.rest_s = 0;
    return spent;
}

TimeSpent profile_time_spent(const Profile *profile)
{
    TimeSpent sum = {0};
    for (uint32_t i = 0; i < profile->n_processes; i++) {
        TimeSpent spent = process_time_spent(&profile->processes[i]);
        sum.whole_s += spent.whole_s;
        sum.compute_s += spent.compute_s;
        sum.mpi_s += spent.mpi_s;
        sum.rest_s += spent.rest_s;
    }
    return sum;
}

double profile_slowest_s(const Profile *profile)
{
    double slowest = 0;
    for (uint32_t i = 0; i < profile->n_processes; i++) {
        double whole_s = process_time_spent(&profile->processes[i]).whole_s;
        slowest = whole_s > slowest ? whole_s : slowest;
    }
    return slowest;
}

uint32_t profile_count_unfinished(const Profile *profile)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < profile->n_processes; i++)
        count += !profile->processes[i].lifetime.finished;
    return count;
}

double profile_balance(const Profile *profile)
{
    double most = 0;
    for (uint32_t i = 0; i < profile->n_processes; i++) {
        double compute_s = (double)profile->processes[i].compute_ns / 1e9;
        most = compute_s > most ? compute_s : most;
    }
    return most > 0 ? profile_time_spent(profile).compute_s / profile->n_processes / most : 1;
}
