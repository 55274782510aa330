/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits of random programs, whose times come from a small simulation: each process has a clock, and
 * what it waits for another is added up as the clocks are set. */
#include "../property/memory_trace.h"
#include "near.h"
#include "signature/profile/waits.h"
#include "test.h"

#include <string.h>

enum { PROCESSES = 5, PROGRAMS = 120, STEP_NS = 10, CALL_NS = 7, EAGER_NS = 3 };

typedef struct Simulation {
    MemoryTrace *trace;
    uint64_t random;
    int64_t clock_ns[PROCESSES];
    int64_t computed_ns[PROCESSES]; /* since the last event that has a logical time … */
    int64_t posted_ns[PROCESSES];   /* … and of it, before posted receives */
    PhaseTime expected[PROCESSES];
    int64_t waited_ns[PROCESSES][PROCESSES]; /* by process and cause, kinds together */
} Simulation;

static void compute(Simulation *simulation, uint32_t process)
{
    int64_t time_ns = STEP_NS * (1 + (int64_t)random_below(&simulation->random, 100));
    simulation->clock_ns[process] += time_ns;
    simulation->computed_ns[process] += time_ns;
    simulation->expected[process].compute_ns += time_ns;
}

static void wait_for(Simulation *simulation, uint32_t process, uint32_t cause, WaitKind kind, int64_t time_ns)
{
    if (time_ns <= 0)
        return;
    simulation->expected[process].waits_ns[kind] += time_ns;
    simulation->waited_ns[process][cause] += time_ns;
}

/* The process's latest events happened in one call, which began at its clock. */
static void call_ends(Simulation *simulation, uint32_t process, size_t n_events, int64_t leave_ns)
{
    MemoryProcess *of = &simulation->trace->processes[process];
    for (size_t i = 0; i < n_events; i++) {
        Event *event = &of->events.items[of->events.count - n_events + i];
        event->enter_ns = simulation->clock_ns[process];
        event->leave_ns = leave_ns;
        event->compute_ns = i ? 0 : simulation->computed_ns[process] - simulation->posted_ns[process];
    }
    simulation->computed_ns[process] = simulation->posted_ns[process] = 0;
    simulation->expected[process].mpi_ns += leave_ns - simulation->clock_ns[process];
    simulation->clock_ns[process] = leave_ns;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* A send and its receive, both blocking; a send that doesn't wait for its receive ends at once. */
static void message(Simulation *simulation, uint32_t from, uint32_t to, bool is_synchronous)
{
    int64_t sent = simulation->clock_ns[from], called = simulation->clock_ns[to], both = later(sent, called);
    add_send(simulation->trace, from, to, 1, 100);
    call_ends(simulation, from, 1, is_synchronous ? both + CALL_NS : sent + EAGER_NS);
    add_recv(simulation->trace, to, from, 1, 100);
    call_ends(simulation, to, 1, both + CALL_NS);
    wait_for(simulation, to, from, WAIT_LATE_SENDER, sent - called);
    if (is_synchronous || called < sent + EAGER_NS)
        wait_for(simulation, from, to, WAIT_LATE_RECEIVER, called - sent);
}

/* Posts a receive, in no time. What was computed before belongs to the process's next event. */
static void post(Simulation *simulation, uint32_t process, uint64_t request)
{
    MemoryProcess *of = &simulation->trace->processes[process];
    add_post(simulation->trace, process, request);
    Event *event = &of->events.items[of->events.count - 1];
    event->enter_ns = event->leave_ns = simulation->clock_ns[process];
    event->compute_ns = simulation->posted_ns[process] ? 0 : simulation->computed_ns[process];
    simulation->posted_ns[process] += event->compute_ns;
}

/* Two messages to one process, which posts both receives, computes, and completes them in one call. */
static void two_messages(Simulation *simulation, uint32_t first, uint32_t second, uint32_t to)
{
    post(simulation, to, 1);
    post(simulation, to, 2);
    compute(simulation, to);
    int64_t sent[2] = {simulation->clock_ns[first], simulation->clock_ns[second]}, called = simulation->clock_ns[to];
    const uint32_t senders[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        add_send(simulation->trace, senders[i], to, 2, 100);
        call_ends(simulation, senders[i], 1, sent[i] + EAGER_NS);
        if (called < sent[i] + EAGER_NS)
            wait_for(simulation, senders[i], to, WAIT_LATE_RECEIVER, called - sent[i]);
    }
    for (int i = 0; i < 2; i++)
        add_completion(simulation->trace, to, senders[i], 2, 100, (uint64_t)i + 1);
    int64_t last = later(sent[0], sent[1]);
    call_ends(simulation, to, 2, later(last, called) + CALL_NS);
    /* by the cause: not told apart here, since they share one wait */
    if (last > called)
        simulation->expected[to].waits_ns[WAIT_LATE_SENDER] += last - called;
}

static void collective(Simulation *simulation, Collective kind, uint32_t root)
{
    int64_t enter[PROCESSES], last = 0;
    uint32_t latest = 0;
    memcpy(enter, simulation->clock_ns, sizeof enter);
    for (uint32_t i = 0; i < PROCESSES; i++)
        if (enter[i] > last) {
            last = enter[i];
            latest = i;
        }
    for (uint32_t i = 0; i < PROCESSES; i++) {
        uint32_t cause = kind == COLLECTIVE_BCAST ? root : latest;
        bool waits = kind != COLLECTIVE_REDUCE || i == root;
        int64_t until = waits ? later(enter[i], enter[cause]) : enter[i];
        add_collective(simulation->trace, i, 0, kind, 8);
        if (kind != COLLECTIVE_ALLREDUCE)
            simulation->trace->processes[i].events.items[simulation->trace->processes[i].events.count - 1].peer = root;
        call_ends(simulation, i, 1, until + CALL_NS);
        wait_for(simulation, i, cause, WAIT_COLLECTIVE, until - enter[i]);
    }
}

static void step(Simulation *simulation, uint32_t action, uint32_t first)
{
    uint32_t second = (first + 1) % PROCESSES, third = (first + 2) % PROCESSES;
    for (uint32_t i = 0; i < PROCESSES; i++)
        compute(simulation, i);
    switch (action) {
    case 0:
        message(simulation, first, second, true);
        break;
    case 1:
        message(simulation, first, second, false);
        break;
    case 2:
        two_messages(simulation, first, second, third);
        break;
    case 3:
        collective(simulation, COLLECTIVE_ALLREDUCE, NO_ROOT);
        break;
    case 4:
        collective(simulation, COLLECTIVE_BCAST, first);
        break;
    default:
        collective(simulation, COLLECTIVE_REDUCE, first);
        break;
    }
}

/* A program that repeats some steps, with others between. */
static Simulation simulate(uint64_t seed)
{
    enum { ACTIONS = 6, LONGEST = 6 };
    Simulation simulation = {.trace = memory_trace_new(PROCESSES), .random = seed * 7919 + 1};
    uint32_t actions[LONGEST], firsts[LONGEST], n = 1 + random_below(&simulation.random, LONGEST);
    for (uint32_t i = 0; i < PROCESSES; i++)
        add_begin(simulation.trace, i);
    for (uint32_t i = 0; i < n; i++) {
        actions[i] = random_below(&simulation.random, ACTIONS);
        firsts[i] = random_below(&simulation.random, PROCESSES);
    }
    for (uint32_t repetition = 0; repetition < 30; repetition++) {
        for (uint32_t i = 0; i < n; i++)
            step(&simulation, actions[i], firsts[i]);
        if (!random_below(&simulation.random, 5))
            step(&simulation, random_below(&simulation.random, ACTIONS), random_below(&simulation.random, PROCESSES));
    }
    for (uint32_t i = 0; i < PROCESSES; i++) {
        simulation.trace->now_ns = simulation.clock_ns[i];
        add_end(simulation.trace, i);
    }
    return simulation;
}

static Waits find(MemoryTrace *trace, Arena *arena)
{
    const PhaseParameters parameters = PHASE_PARAMETERS_DEFAULT;
    Waits waits;
    Err err = {0};
    if (!waits_find(memory_trace_source(trace), &parameters, NULL, NULL, NULL, arena, &waits, &err))
        fail_msg("%s", err.message);
    return waits;
}

static void check_process(const Simulation *simulation, const Waits *waits, uint32_t process, uint64_t seed)
{
    PhaseTime sum = waits->outside[process];
    const PhaseTime *expected = &simulation->expected[process];
    for (uint32_t i = 0; i < waits->signature->n_phases; i++) {
        const PhaseTime *time = &waits->times[i * PROCESSES + process];
        /* this program does nothing but compute and call MPI */
        assert_near(waits->signature->phases[i].processes[process].total_s,
                    1e-9 * (double)(time->compute_ns + time->mpi_ns), 1e-12);
        sum.compute_ns += time->compute_ns;
        sum.mpi_ns += time->mpi_ns;
        for (int kind = 0; kind < N_WAITS; kind++)
            sum.waits_ns[kind] += time->waits_ns[kind];
    }
    for (int kind = 0; kind < N_WAITS; kind++)
        if (sum.waits_ns[kind] != expected->waits_ns[kind])
            fail_msg("program %d, process %u: wait %d is %ld ns, not %ld", (int)seed, process, kind,
                     (long)sum.waits_ns[kind], (long)expected->waits_ns[kind]);
    assert_int_equal(sum.mpi_ns, expected->mpi_ns);
    assert_int_equal(sum.compute_ns, expected->compute_ns - simulation->computed_ns[process]);
}

static void check_causes(const Simulation *simulation, const Waits *waits)
{
    int64_t found[PROCESSES][PROCESSES] = {0};
    for (size_t i = 0; i < waits->n_causes; i++) {
        const WaitCause *cause = &waits->causes[i];
        assert_true(cause->time_ns > 0 && cause->count && (!i || cause->time_ns <= waits->causes[i - 1].time_ns));
        found[cause->process][cause->cause] += cause->time_ns;
    }
    for (uint32_t i = 0; i < PROCESSES; i++)
        for (uint32_t k = 0; k < PROCESSES; k++)
            assert_true(found[i][k] >= simulation->waited_ns[i][k]); /* and those of two messages */
}

static void waits_are_those_of_the_simulation(void **state)
{
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        Simulation simulation = simulate(seed);
        Arena *arena = arena_new();
        const Waits waits = find(simulation.trace, arena);
        for (uint32_t i = 0; i < PROCESSES; i++)
            check_process(&simulation, &waits, i, seed);
        check_causes(&simulation, &waits);
        arena_free(arena);
        memory_trace_free(simulation.trace);
    }
}

/* The time of an activity in a process's row. */
static double time_of(const ActivityGrid *grid, uint32_t process, RunActivity activity)
{
    double columns = 0;
    for (uint32_t i = 0; i < grid->n_columns; i++)
        columns += grid->shares[process * grid->n_columns + i][activity];
    return columns * (double)(grid->end_ns - grid->begin_ns) / grid->n_columns;
}

static void activities_over_time_add_up_to_those_of_the_simulation(void **state)
{
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        Simulation simulation = simulate(seed);
        Arena *arena = arena_new();
        const PhaseParameters parameters = PHASE_PARAMETERS_DEFAULT;
        Profile profile;
        Waits waits;
        Err err = {0};
        assert_true(profile_read(memory_trace_source(simulation.trace), NULL, arena, &profile, &err));
        ActivityRecord *record = activity_record_new(PROCESSES, PROCESSES);
        assert_true(
            waits_find(memory_trace_source(simulation.trace), &parameters, NULL, record, NULL, arena, &waits, &err));
        const ActivityGrid grid = activity_record_finish(record, &profile, 7, arena);
        assert_int_equal(grid.n_rows, PROCESSES);
        for (uint32_t i = 0; i < PROCESSES; i++) {
            const PhaseTime *expected = &simulation.expected[i];
            double waited = (double)(expected->waits_ns[WAIT_LATE_SENDER] + expected->waits_ns[WAIT_LATE_RECEIVER] +
                                     expected->waits_ns[WAIT_COLLECTIVE]);
            assert_near(time_of(&grid, i, RUN_ACTIVITY_WAITING), waited, 1);
            assert_near(time_of(&grid, i, RUN_ACTIVITY_TRANSFER), (double)expected->mpi_ns - waited, 1);
            /* this program computes from 0 on, and its first MPI_Init returns only then */
            assert_near(time_of(&grid, i, RUN_ACTIVITY_COMPUTATION), (double)profile.processes[i].compute_ns,
                        (double)grid.begin_ns + 1);
        }
        activity_record_free(record);
        arena_free(arena);
        memory_trace_free(simulation.trace);
    }
}

static void several_processes_share_a_row(void **state)
{
    Simulation simulation = simulate(1);
    Arena *arena = arena_new();
    Profile profile;
    Err err = {0};
    assert_true(profile_read(memory_trace_source(simulation.trace), NULL, arena, &profile, &err));
    ActivityRecord *record = activity_record_new(PROCESSES, 2);
    const ActivityGrid grid = activity_record_finish(record, &profile, 7, arena);
    assert_int_equal(grid.processes_per_row, (PROCESSES + 1) / 2);
    assert_int_equal(grid.n_rows, 2);
    for (uint32_t i = 0; i < 2 * grid.n_columns; i++)
        for (int k = 0; k < N_RUN_ACTIVITIES; k++)
            assert_true(grid.shares[i][k] >= 0 && grid.shares[i][k] <= 1);
    activity_record_free(record);
    arena_free(arena);
    memory_trace_free(simulation.trace);
}

static void another_order_is_refused(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(1);
    const PhaseParameters parameters = {.order = "lamport", .similarity = "phase"};
    Waits waits;
    Err err = {0};
    assert_false(waits_find(memory_trace_source(trace), &parameters, NULL, NULL, NULL, arena, &waits, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    memory_trace_free(trace);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_are_those_of_the_simulation),
        cmocka_unit_test(activities_over_time_add_up_to_those_of_the_simulation),
        cmocka_unit_test(several_processes_share_a_row),
        cmocka_unit_test(another_order_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
