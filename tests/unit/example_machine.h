/* SPDX-License-Identifier: BSD-3-Clause */
/* A small communication measurement that uses every member, for tests of files and models. */
#pragma once

#include "model/comm.h"
#include "model/machine.h"
#include <math.h>

static const CommHost example_hosts[] = {
    {.name = "anna", .system = "Linux 6.1 x86_64", .processor = "made up \xc2\xb5", .n_cpus = 2, .load = 0.25},
    {.name = "otto", .system = "", .processor = "", .n_cpus = 4, .load = NAN}};
static const CommConfiguration example_configurations[] = {{"openmpi", "tcp", "", "Open MPI v4.1.4"},
                                                           {"pvm", "direct", "raw", ""}};
static const double example_samples_s[] = {1.5e-6, 1.25e-6, 1.75e-6};
static const uint32_t example_launches[] = {0, 0, 1};

static CommMeasurement example_measurement(void)
{
    static const CommPoint points[] = {{.bytes = 1,
                                        .n_samples = 3,
                                        .n_launches = 2,
                                        .minimum_s = 1.25e-6,
                                        .median_s = 1.5e-6,
                                        .mean_s = 1.5e-6,
                                        .low_s = 1.25e-6,
                                        .high_s = 1.75e-6,
                                        .p5_s = 1.25e-6,
                                        .p95_s = 1.75e-6,
                                        .p99_s = 1.75e-6,
                                        .reached = true,
                                        .batch = 16,
                                        .samples_s = example_samples_s,
                                        .launches = example_launches},
                                       {.bytes = 1000,
                                        .n_samples = 50,
                                        .n_launches = 1,
                                        .minimum_s = 2e-6,
                                        .median_s = 2.5e-6,
                                        .mean_s = 2.625e-6,
                                        .low_s = 2.375e-6,
                                        .high_s = 2.75e-6,
                                        .p5_s = 2e-6,
                                        .p95_s = 4e-6,
                                        .p99_s = 5e-6,
                                        .batch = 1}};
    static const CommPoint barrier[] = {{.n_samples = 20,
                                         .n_launches = 1,
                                         .minimum_s = 3e-6,
                                         .median_s = 3.5e-6,
                                         .mean_s = 4e-6,
                                         .low_s = 3.25e-6,
                                         .high_s = 3.75e-6,
                                         .p5_s = 3e-6,
                                         .p95_s = 5e-6,
                                         .p99_s = 6e-6,
                                         .reached = true,
                                         .skew_s = 1e-7,
                                         .late = 2,
                                         .batch = 1}};
    static const CommSeries series[] = {
        {.operation = "pingpong",
         .method = "",
         .n_ranks = 2,
         .to_host = 1,
         .path = "eth0",
         .parts = "ob1 tcp",
         .n_points = 2,
         .points = points},
        {.configuration = 1,
         .operation = "barrier",
         .method = "window",
         .n_ranks = 4,
         .to_host = 1,
         .path = "",
         .parts = "",
         .n_points = 1,
         .points = barrier},
        {.configuration = 1, .operation = "pingpong", .method = "", .n_ranks = 2, .path = "", .parts = ""}};
    static const CommProblem problems[] = {{1, "the library doesn't answer"}, {UINT32_MAX, "no time was left"}};
    return (CommMeasurement){.date = "2026-01-02T03:04:05Z",
                             .command = "firma comm -o here",
                             .elapsed_s = 12.5,
                             .n_hosts = 2,
                             .n_configurations = 2,
                             .n_series = 3,
                             .n_problems = 2,
                             .hosts = example_hosts,
                             .configurations = example_configurations,
                             .series = series,
                             .problems = problems};
}

static MachineModel example_machine(void)
{
    static const CostSegment segments[] = {{0, {1e-6, 0.75e-6, 1.25e-6}, {1e-9, 0.5e-9, 2e-9}, 0.01},
                                           {4097, {0, 0, 1e-6}, {2e-9, 2e-9, 2e-9}, 0.125}};
    static const MachinePath paths[] = {
        {{"openmpi", "tcp", "", "Open MPI v4.1.4"}, 0, 1, NULL, 2, segments, true, 0.25, 65536},
        {{"pvm", "direct", "raw", ""}, 1, 1, NULL, 1, segments, false, 0.5, 1024}};
    static const MachineCollective collectives[] = {{{"openmpi", "tcp", "", "Open MPI v4.1.4"},
                                                     "broadcast",
                                                     "binomial tree",
                                                     {1e-6, 0, 2e-6},
                                                     {1e-9, 0, 2e-9},
                                                     0.0625,
                                                     2,
                                                     8}};
    return (MachineModel){.date = "2026-01-02T03:04:05Z",
                          .command = "firma comm -o here",
                          .n_hosts = 2,
                          .n_paths = 2,
                          .n_collectives = 1,
                          .hosts = example_hosts,
                          .paths = paths,
                          .collectives = collectives};
}
