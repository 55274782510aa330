/* SPDX-License-Identifier: BSD-3-Clause */
/* See modelling.h. A path for each series of ping-pongs, in their order; a collective for each configuration, operation
 * and method of which a candidate fits. */
#include "comm/modelling.h"

#include "comm/candidates.h"
#include "comm/fit.h"
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

static CommConfiguration copy_configuration(const CommConfiguration *configuration, Arena *arena)
{
    return (CommConfiguration){
        arena_strdup(arena, configuration->middleware), arena_strdup(arena, configuration->transport),
        arena_strdup(arena, configuration->packing), arena_strdup(arena, configuration->library)};
}

static const CommHost *copy_hosts(const CommMeasurement *measurement, Arena *arena)
{
    CommHost *hosts = arena_new_array(arena, CommHost, measurement->n_hosts);
    for (uint32_t i = 0; i < measurement->n_hosts; i++) {
        const CommHost *host = &measurement->hosts[i];
        hosts[i] = (CommHost){arena_strdup(arena, host->name), arena_strdup(arena, host->system),
                              arena_strdup(arena, host->processor), host->n_cpus};
    }
    return hosts;
}

static void add_path(const CommMeasurement *measurement, const CommSeries *series, Arena *arena, MachineModel *machine,
                     MachinePath *paths)
{
    MachinePath path = {.configuration = copy_configuration(&measurement->configurations[series->configuration], arena),
                        .from_host = series->from_host,
                        .to_host = series->to_host};
    fit_path(series, arena, &path);
    if (path.n_segments)
        paths[machine->n_paths++] = path;
}

/* All series of one kind, beginning with `first`, which is the first of them. */
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
    const CandidateFit *fits = candidates_fit(same, n, arena, &n_fits);
    one = &measurement->series[first];
    if (n_fits)
        collectives[machine->n_collectives++] = (MachineCollective){
            .configuration = copy_configuration(&measurement->configurations[one->configuration], arena),
            .operation = arena_strdup(arena, one->operation),
            .model = fits[0].candidate->name,
            .latency_s = fits[0].latency_s,
            .s_per_byte = fits[0].s_per_byte,
            .error = fits[0].error,
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

MachineModel *modelling_make(const CommMeasurement *measurement, Arena *arena)
{
    MachineModel *machine = arena_new_array(arena, MachineModel, 1);
    MachinePath *paths = arena_new_array(arena, MachinePath, measurement->n_series);
    MachineCollective *collectives = arena_new_array(arena, MachineCollective, measurement->n_series);
    machine->date = arena_strdup(arena, measurement->date);
    machine->command = arena_strdup(arena, measurement->command);
    machine->hosts = copy_hosts(measurement, arena);
    machine->n_hosts = measurement->n_hosts;
    machine->paths = paths;
    machine->collectives = collectives;
    for (uint32_t i = 0; i < measurement->n_series; i++) {
        const CommSeries *series = &measurement->series[i];
        if (is_pingpong(series))
            add_path(measurement, series, arena, machine, paths);
        else if (is_first_of_its_kind(measurement, i))
            add_collective(measurement, i, arena, machine, collectives);
    }
    return machine;
}
