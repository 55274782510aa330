/* SPDX-License-Identifier: BSD-3-Clause */
/* Phase times from another traced run of the program, by position alone. The signature gives
 * startpoints and endpoints as numbers of send-like events. Here these events are looked up in the
 * other run. This works alike for every method of analysis, and shows what a method's phases are
 * worth. If the numbers mean different events in the two runs, the times are wrong. */
#include "signature/execute/measure.h"

#include "signature/execute/positions.h"
#include <math.h>

static const double S_PER_NS = 1e-9;

/* Whether the process has an event in the occurrence. */
static bool takes_part(const PhasePlace *place, uint32_t process)
{
    return place->startpoint[process] != place->endpoint[process];
}

static void want_phases(const Signature *signature, Positions *positions)
{
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        for (uint32_t k = 0; phase->relevant && k < phase->n_places; k++)
            for (uint32_t p = 0; p < positions->n_processes; p++) {
                if (!takes_part(&phase->places[k], p))
                    continue;
                positions_want(positions, p, phase->places[k].startpoint[p]);
                positions_want(positions, p, phase->places[k].endpoint[p]);
            }
    }
}

/* Duration of an occurrence in a process that takes part; negative if the run doesn't reach it. If
 * the endpoint doesn't exist, the occurrence ends at the process's last event. */
static double duration_s(const PhasePlace *place, const Positions *positions, uint32_t p)
{
    const Position *start = positions_find(positions, p, place->startpoint[p]);
    const Position *end = positions_find(positions, p, place->endpoint[p]);
    if (!start)
        return -1;
    return (double)((end ? end->enter_ns : positions->processes[p].last_ns) - start->enter_ns) * S_PER_NS;
}

static MeasuredPhase measure_phase(const Phase *phase, const Positions *positions, Arena *arena)
{
    ProcessTime *processes = arena_new_array(arena, ProcessTime, positions->n_processes);
    MeasuredPhase measured = {.id = phase->id, .processes = processes};
    for (uint32_t k = 0; k < phase->n_places; k++) {
        double slowest_s = -1;
        for (uint32_t p = 0; p < positions->n_processes; p++) {
            double time_s = takes_part(&phase->places[k], p) ? duration_s(&phase->places[k], positions, p) : -1;
            if (time_s < 0)
                continue;
            processes[p].count++;
            processes[p].total_s += time_s;
            slowest_s = fmax(slowest_s, time_s);
        }
        if (slowest_s < 0)
            continue;
        measured.occurrences++;
        measured.slowest_mean_s += slowest_s;
    }
    if (measured.occurrences)
        measured.slowest_mean_s /= (double)measured.occurrences;
    return measured;
}

static CommType first_type(const Phase *phase, uint32_t process)
{
    for (uint32_t i = 0; i < phase->n_events; i++)
        if (phase->events[i].process == process && comm_type_kind(phase->events[i].type) != TYPE_RECV)
            return phase->events[i].type;
    return 0;
}

/* Share of the startpoints at which the run does what the phase begins with. */
static double agreement(const Signature *signature, const Positions *positions)
{
    double same = 0, all = 0;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        const Phase *phase = &signature->phases[i];
        for (uint32_t k = 0; phase->relevant && k < phase->n_places; k++)
            for (uint32_t p = 0; p < positions->n_processes; p++) {
                if (!takes_part(&phase->places[k], p))
                    continue;
                const Position *start = positions_find(positions, p, phase->places[k].startpoint[p]);
                all++;
                same += start && start->type == first_type(phase, p);
            }
    }
    return all > 0 ? same / all : 0;
}

/* Both runs as one window. Its pace is that of the measured phases. */
static Window whole_window(const Signature *signature, const PhaseTimes *times)
{
    Window window = {.to_occurrence = signature->n_occurrences};
    uint32_t n = signature->application.n_processes;
    for (uint32_t i = 0; i < times->n_phases; i++) {
        const Phase *phase = &signature->phases[signature_find_phase(signature, times->phases[i].id)];
        for (uint32_t p = 0; p < n; p++)
            if (times->phases[i].processes[p].count) {
                window.elapsed_s += (double)phase->processes[p].count * times->phases[i].processes[p].total_s /
                                    (double)times->phases[i].processes[p].count / n;
                window.reference_s += phase->processes[p].total_s / n;
            }
    }
    return window;
}

static void fill_times(const Signature *signature, const Positions *positions, Arena *arena, PhaseTimes *times)
{
    uint32_t n = positions->n_processes;
    double *startup_s = arena_new_array(arena, double, n);
    MeasuredPhase *phases = arena_new_array(arena, MeasuredPhase, signature->n_phases);
    Window *window = arena_new_array(arena, Window, 1);
    times->phases = phases;
    for (uint32_t i = 0; i < signature->n_phases; i++) {
        MeasuredPhase measured = {0};
        if (signature->phases[i].relevant)
            measured = measure_phase(&signature->phases[i], positions, arena);
        if (!measured.occurrences)
            continue;
        phases[times->n_phases++] = measured;
        times->signature_s += measured.slowest_mean_s;
    }
    for (uint32_t p = 0; p < n; p++)
        startup_s[p] =
            (double)(positions->processes[p].first_ns - positions->processes[p].lifetime.begin_ns) * S_PER_NS;
    *window = whole_window(signature, times);
    times->windows = window;
    times->n_windows = 1;
    times->startup_s = times->prefix_s = startup_s;
    times->agreement = times->event_agreement = times->partner_agreement = agreement(signature, positions);
}

static double longest_s(const Positions *positions)
{
    double longest = 0;
    for (uint32_t p = 0; p < positions->n_processes; p++)
        longest = fmax(longest, (double)lifetime_ns(&positions->processes[p].lifetime) * S_PER_NS);
    return longest;
}

bool measure_recorded(const Signature *signature, EventSource *source, const Progress *progress, Arena *arena,
                      PhaseTimes *times, double *application_s, Err *err)
{
    uint32_t n = signature->application.n_processes;
    if (source->trace->application.n_processes != n)
        return err_set(err, ERR_INPUT, "the signature has %u processes, the measured trace %u", n,
                       source->trace->application.n_processes);
    Positions positions;
    PhaseTimes result = {.mode = "trace",
                         .application = source->trace->application,
                         .accepted_difference = "",
                         .command = "",
                         .host = ""};
    positions_init(&positions, n);
    want_phases(signature, &positions);
    bool ok = positions_read(&positions, source, progress, err);
    if (ok) {
        fill_times(signature, &positions, arena, &result);
        *application_s = longest_s(&positions);
        *times = result;
    }
    positions_free(&positions);
    return ok;
}
