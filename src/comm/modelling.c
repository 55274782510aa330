/* SPDX-License-Identifier: BSD-3-Clause */
/* See modelling.h. Each series of ping-pongs gives a path, in the series' order. Then each
 * configuration, operation and method gives a collective, if a candidate fits. */
#include "comm/modelling.h"

#include "comm/candidates.h"
#include "comm/fit.h"
#include <math.h>
#include <string.h>

static bool is_pingpong(const CommSeries *series)
{
    return strcmp(series->operation, "pingpong") == 0;
}

static bool is_same_kind(const CommSeries *a, const CommSeries *b)
{
    return a->configuration == b->configuration && strcmp(a->operation, b->operation) == 0 &&
           strcmp(a->method, b->method) == 0;
}

static void add_path(const CommMeasurement *measurement, const CommSeries *series, Arena *arena, MachineModel *machine,
                     MachinePath *paths)
{
    MachinePath path = {.configuration = measurement->configurations[series->configuration],
                        .from_host = series->from_host,
                        .to_host = series->to_host,
                        .level = series->level};
    fit_path(series, machine->statistic, arena, &path);
    if (path.n_segments)
        paths[machine->n_paths++] = path;
}

/* The configuration's path between the root and the last rank, or else within the root's host. */
static const MachinePath *nearest_path(const MachineModel *machine, const CommConfiguration *configuration,
                                       const CommSeries *series)
{
    const MachinePath *path = machine_find_path(machine, configuration, series->from_host, series->to_host);
    return path ? path : machine_find_path(machine, configuration, series->from_host, series->from_host);
}

/* If there is a single point, the interval of α is that of the point. */
static CandidateFit with_own_interval(const CandidateFit *chosen, uint32_t n_series, const CommSeries *series,
                                      CommStatistic statistic)
{
    CandidateFit fit = *chosen;
    double factor = fit.candidate->latency_factor(series->n_ranks);
    if (n_series == 1 && series->n_points == 1) {
        double low_s, high_s;
        comm_point_interval(&series->points[0], statistic, &low_s, &high_s);
        fit.latency_s.low = fmin(fit.latency_s.value, low_s / factor);
        fit.latency_s.high = fmax(fit.latency_s.value, high_s / factor);
    }
    return fit;
}

/* Adds the collective of all series of one kind; `first` is the first of them. */
static void add_collective(const CommMeasurement *measurement, uint32_t first, Arena *arena, MachineModel *machine,
                           MachineCollective *collectives)
{
    const CommSeries **same = arena_new_array(arena, const CommSeries *, measurement->n_series), *one;
    uint32_t n = 0, n_fits, least = UINT32_MAX, most = 0;
    for (uint32_t i = first; i < measurement->n_series; i++) {
        one = &measurement->series[i];
        if (!is_same_kind(one, &measurement->series[first]))
            continue;
        same[n++] = one;
        least = one->n_ranks < least ? one->n_ranks : least;
        most = one->n_ranks > most ? one->n_ranks : most;
    }
    const CandidateFit *fits = candidates_fit(same, n, machine->statistic, arena, &n_fits);
    if (!n_fits)
        return;
    one = &measurement->series[first];
    const CommConfiguration *configuration = &measurement->configurations[one->configuration];
    const CandidateFit *chosen = candidates_choose(fits, n_fits, nearest_path(machine, configuration, one));
    const CandidateFit known = with_own_interval(chosen, n, one, machine->statistic), *fit = &known;
    collectives[machine->n_collectives++] = (MachineCollective){.configuration = *configuration,
                                                                .operation = one->operation,
                                                                .model = fit->candidate->name,
                                                                .latency_s = fit->latency_s,
                                                                .s_per_byte = fit->s_per_byte,
                                                                .error = fit->error,
                                                                .least_ranks = least,
                                                                .most_ranks = most};
}

static bool is_first_of_its_kind(const CommMeasurement *measurement, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (is_same_kind(&measurement->series[i], &measurement->series[at]))
            return false;
    return true;
}

MachineModel *modelling_make(const CommMeasurement *measurement, CommStatistic statistic, Arena *arena)
{
    MachineModel *machine = arena_new_array(arena, MachineModel, 1);
    MachinePath *paths = arena_new_array(arena, MachinePath, measurement->n_series);
    MachineCollective *collectives = arena_new_array(arena, MachineCollective, measurement->n_series);
    machine->statistic = statistic;
    machine->date = measurement->date;
    machine->command = measurement->command;
    machine->hosts = measurement->hosts;
    machine->n_hosts = measurement->n_hosts;
    machine->paths = paths;
    machine->collectives = collectives;
    for (uint32_t i = 0; i < measurement->n_series; i++)
        if (is_pingpong(&measurement->series[i]))
            add_path(measurement, &measurement->series[i], arena, machine, paths);
    for (uint32_t i = 0; i < measurement->n_series; i++)
        if (comm_is_collective(measurement->series[i].operation) && is_first_of_its_kind(measurement, i))
            add_collective(measurement, i, arena, machine, collectives);
    return machine;
}
