/* SPDX-License-Identifier: BSD-3-Clause */
/* A small communication measurement that uses every member, for tests of files and models. */
#pragma once

#include "model/comm.h"
#include "model/machine.h"

static const CommHost example_hosts[] = {{"anna", "Linux 6.1 x86_64", "made up \xc2\xb5", 2, 0, NULL},
                                         {"otto", "", "", 4, 0, NULL}};
static const CommConfiguration example_configurations[] = {{"openmpi", "tcp", "", "Open MPI v4.1.4"},
                                                           {"pvm", "direct", "raw", ""}};
static const double example_samples_s[] = {1.5e-6, 1.25e-6, 1.75e-6};
static const uint32_t example_launches[] = {0, 0, 1};

static CommMeasurement example_measurement(void)
{
    static const CommPoint points[] = {
        {1, 3, 1.25e-6, 1.5e-6, 1.5e-6, 1.25e-6, 1.75e-6, 1.25e-6, 1.75e-6, 1.75e-6, true, 0, 0, 16, example_samples_s,
         example_launches},
        {1000, 50, 2e-6, 2.5e-6, 2.625e-6, 2.375e-6, 2.75e-6, 2e-6, 4e-6, 5e-6, false, 0, 0, 1, NULL, NULL},
    };
    static const CommPoint barrier[] = {
        {0, 20, 3e-6, 3.5e-6, 4e-6, 3.25e-6, 3.75e-6, 3e-6, 5e-6, 6e-6, true, 1e-7, 2, 1, NULL, NULL}};
    static const CommSeries series[] = {{0, "pingpong", "", 2, 0, 1, NULL, "eth0", 2, points},
                                        {1, "barrier", "window", 4, 0, 1, NULL, "", 1, barrier},
                                        {1, "pingpong", "", 2, 0, 0, NULL, "", 0, NULL}};
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
