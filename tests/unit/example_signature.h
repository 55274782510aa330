/* SPDX-License-Identifier: BSD-3-Clause */
/* A small complete signature and phase times, for tests of their files. Static, so valid during the
 * whole test. */
#pragma once

#include "model/signature.h"
#include "model/times.h"

static const char *const example_arguments[] = {"-n", "100", "caf\xc3\xa9"};
static const PhaseEvent example_events_a[] = {
    {0, 0, (CommType)TYPE_SEND << 60 | 1, 800},
    {0, 1, (CommType)TYPE_SEND << 60 | 0, 800},
};
static const uint64_t example_start_a[] = {0, 0}, example_end_a[] = {1, 1}, example_start_b[] = {1, 1},
                      example_end_b[] = {2, 2};
static const ProcessTime example_times_a[] = {{10, 0.5}, {10, 0.25}}, example_times_b[] = {{10, 1.5}, {10, 1.75}},
                         example_no_times[] = {{0, 0}, {0, 0}};
static const double example_zero[] = {0, 0}, example_half[] = {5, 5}, example_all[] = {10, 10},
                    example_half_s[] = {0.1875, 0.8125}, example_all_s[] = {0.375, 1.625},
                    example_half_path_s[] = {0.125, 0.5}, example_all_path_s[] = {0.25, 1.25},
                    example_edge_s[] = {0.01, 0.02};
static const StratumRange example_ranges_1[] = {{0, 1, 1}}, example_ranges_2[] = {{1, 3, 4}, {6, 2, 1}};
static const double example_base_s[] = {0, 0.2, 0.4}, example_first_s[] = {0, 0.225, 0.225},
                    example_others_s[] = {0, 0.6, 1};
static const Stratum example_strata[] = {{4, 0.4, 0.3, 0, NULL, 3, example_base_s},
                                         {1, 0.225, 0.125, 1, example_ranges_1, 3, example_first_s},
                                         {5, 1, 0.75, 2, example_ranges_2, 3, example_others_s}};
static const uint64_t example_events_0[] = {0, 0}, example_events_5[] = {10, 10}, example_events_10[] = {20, 20};
static const Milestone example_milestones[] = {
    {0, 0.015, example_events_0, example_zero, example_zero, example_zero},
    {10, 1.0, example_events_5, example_half, example_half_s, example_half_path_s},
    {20, 2.0, example_events_10, example_all, example_all_s, example_all_path_s},
};
static const Loop example_body[] = {{1, 1, 0, NULL}, {1, 2, 0, NULL}};

static const PhasePlace example_places_a[] = {{example_start_a, example_end_a}, {example_start_b, example_end_b}},
                        example_places_b[] = {{example_start_b, example_end_b}};

static Signature example_signature(void)
{
    static PhaseEvent collective[2];
    static Phase phases[2];
    for (uint32_t process = 0; process < 2; process++)
        collective[process] = (PhaseEvent){0, process, comm_type_collective(COLLECTIVE_ALLREDUCE, 0, NO_ROOT), 16};
    phases[0] =
        (Phase){1, 1, 2, example_events_a, 10, 0, 2, example_places_a, example_times_a, 1, 0.5, 0.1875, true, 0, NULL};
    phases[1] = (Phase){2,      1,    2, collective,    10, 1, 1, example_places_b, example_times_b, 0.99, 1.8,
                        0.8125, true, 3, example_strata};
    return (Signature){.application = {"/bin/app", "00ff", "Open MPI v4.1.4", 3, example_arguments, 2, false},
                       .host = "node1",
                       .ranks_per_processor = 2,
                       .recording_cost_s = 2e-7,
                       .n_recorded = 2,
                       .recorded_calls = example_events_10,
                       .parameters = PHASE_PARAMETERS_DEFAULT,
                       .application_s = 2,
                       .startup_s = example_edge_s,
                       .shutdown_s = example_edge_s,
                       .coverage = 1,
                       .n_send_events = 40,
                       .n_ticks = 20,
                       .n_occurrences = 20,
                       .complete = true,
                       .n_phases = 2,
                       .phases = phases,
                       .sequence = {10, 0, 2, example_body},
                       .n_milestones = 3,
                       .milestones = example_milestones};
}

static PhaseTimes example_times(void)
{
    static const Window windows[] = {{2, 6, 0.4, 0.4, 0.25, 0.3, 0.2, 0}, {6, 10, 0.41, 0.4, 0, 0, 0, 1}};
    static const MeasuredStratum strata[] = {
        {3, example_times_a, 0.09, 0.01}, {0, example_no_times, 0, 0}, {1, example_times_b, 0.3, 0}};
    static const MeasuredPhase phases[] = {{1, 4, example_times_a, 0.05, 0.001, 0.04, 0.03, 0, NULL},
                                           {2, 4, example_times_b, 0.18, 0.002, 0.16, 0, 3, strata}};
    return (PhaseTimes){.mode = "prefix",
                        .application = {"/bin/app", "00ff", "Open MPI v4.1.4", 3, example_arguments, 2, false},
                        .accepted_difference = "",
                        .command = "mpirun -n 2 app",
                        .host = "node1",
                        .recording_cost_s = 3e-7,
                        .signature_s = 1.25,
                        .agreement = 1,
                        .event_agreement = 1,
                        .warmup_occurrences = 2,
                        .prefix_occurrences = 10,
                        .prefix_s = example_all_s,
                        .startup_s = example_edge_s,
                        .costs = {0.75, 0.125, 0.25},
                        .n_windows = 2,
                        .windows = windows,
                        .n_phases = 2,
                        .phases = phases};
}
