/* SPDX-License-Identifier: BSD-3-Clause */
/* The prediction as a document. */
#include "verbs/show/waits.h"
#include "verbs/simulate/views.h"

#include <math.h>

typedef struct ToleranceRow {
    double slower, latency_factor;
} ToleranceRow;

typedef struct SweepRow {
    double latency, bandwidth, speed, predicted_s, change;
} SweepRow;

typedef struct SimulateDocument {
    const char *answer;
    double predicted_s, low_s, high_s, traced_s, compute_share, transfer_share, waiting_share, latency_s;
    const char *platform, *computation;
    ComputationSource computation_source;
    double compute_speed;
    uint64_t eager_bytes;
    EagerSource eager_source;
    uint64_t occurrences, simulated_occurrences, simulated_events;
    bool is_whole;
    uint32_t n_processes, simulations;
    const double *processes_s;
    double latency_elasticity, bandwidth_elasticity, compute_elasticity; /* NAN: not known */
    double latency_change, bandwidth_change, network_change, speed_change;
    uint32_t n_tolerances, n_sweep;
    const ToleranceRow *tolerances;
    const SweepRow *sweep;
} SimulateDocument;

static json_t *factor_json(const FieldContext *context, const void *record)
{
    double factor = ((const ToleranceRow *)record)->latency_factor;
    (void)context;
    return isfinite(factor) ? json_real(factor) : json_null();
}

static const FieldList tolerance_fields =
    FIELDS(ToleranceRow, FIELD(ToleranceRow, slower, "share by which the run is slower"),
           FIELD_OWN("latency_factor", SHAPE_ONE, factor_json, NULL,
                     "how many times as long latencies may be until then; `null`: more than 10 000", .noun = "number"));

static const FieldList sweep_fields = FIELDS(
    SweepRow, FIELD(SweepRow, latency, "as a multiple of the platform's"), FIELD(SweepRow, bandwidth, "the same"),
    FIELD(SweepRow, speed, "of the processors, the same"), FIELD(SweepRow, predicted_s, "the run's time"),
    FIELD(SweepRow, change, "share by which it differs from the platform's"));

#define ELASTICITY "; share by which the time changes for each share of change. Absent with `--no-sensitivity`"

#define CHANGE ", the share by which the time changes"

const FieldList simulate_fields = FIELDS(
    SimulateDocument,
    FIELD(SimulateDocument, answer,
          "which would help more, faster processors or a better network, as a sentence. Absent with `--no-sensitivity`",
          .flags = FIELD_ABSENT),
    FIELD(SimulateDocument, predicted_s, "from MPI_Init to MPI_Finalize, in the slowest process"),
    FIELD(SimulateDocument, low_s, "lower end of the 95 % interval"), FIELD(SimulateDocument, high_s, "its upper end"),
    FIELD(SimulateDocument, traced_s, "the traced run's time"),
    FIELD(SimulateDocument, compute_share, "of the time, in the mean of all processes"),
    FIELD(SimulateDocument, transfer_share, "of messages and collectives, the same"),
    FIELD(SimulateDocument, waiting_share, "for other processes, the same"),
    FIELD(SimulateDocument, platform, "where the costs of messages come from"),
    FIELD(SimulateDocument, computation, "how computation was scaled, in words"),
    FIELD(
        SimulateDocument, computation_source,
        "how that is known: `as traced`, `--times`, `--compute-speed`, or `--traced-cpu`: by the benchmarks of both machines",
        .choices = computation_sources),
    FIELD(SimulateDocument, compute_speed,
          "how many times as fast as in the trace processors compute; beside `--times`"),
    FIELD(SimulateDocument, eager_bytes, "from this size on, messages wait for their receivers"),
    FIELD(SimulateDocument, eager_source,
          "how that is known: `SMPI's default`, `--eager`, or `by the costs of the machine model`",
          .choices = eager_sources),
    FIELD(SimulateDocument, occurrences, "of phases in the trace"),
    FIELD(SimulateDocument, simulated_occurrences, "how many of them were simulated"),
    FIELD(SimulateDocument, simulated_events, "in one simulation"),
    FIELD(SimulateDocument, simulations, "how many there were, without those of `--sweep` and of sensitivities"),
    FIELD(SimulateDocument, is_whole, "whether all were simulated"),
    FIELD_LIST(SimulateDocument, processes_s, n_processes, "processes_s", "each process's time, by rank"),
    FIELD(SimulateDocument, latency_elasticity, "of longer latency" ELASTICITY, .flags = FIELD_ABSENT),
    FIELD(SimulateDocument, bandwidth_elasticity, "of higher bandwidth" ELASTICITY, .flags = FIELD_ABSENT),
    FIELD(SimulateDocument, compute_elasticity, "of longer computation" ELASTICITY, .flags = FIELD_ABSENT),
    FIELD(SimulateDocument, latency_change, "with 10 % longer latencies" CHANGE, .flags = FIELD_ABSENT),
    FIELD(SimulateDocument, bandwidth_change, "with 10 % more bandwidth" CHANGE, .flags = FIELD_ABSENT),
    FIELD(SimulateDocument, network_change, "with 10 % shorter latencies and 10 % more bandwidth" CHANGE,
          .flags = FIELD_ABSENT),
    FIELD(SimulateDocument, speed_change, "with 10 % faster processors" CHANGE, .flags = FIELD_ABSENT),
    FIELD(SimulateDocument, latency_s, "the longest between two processes on the platform; 0: not known"),
    FIELD_LIST(SimulateDocument, tolerances, n_tolerances, "tolerances", "latency that the program tolerates",
               .of = &tolerance_fields),
    FIELD_LIST(SimulateDocument, sweep, n_sweep, "sweep", "all combinations of `--sweep`", .of = &sweep_fields));

static const SweepRow *sweep_rows(const Sweep *sweep, double platform_s, Arena *arena)
{
    SweepRow *rows = arena_new_array(arena, SweepRow, sweep->n_points);
    for (uint32_t i = 0; i < sweep->n_points; i++)
        rows[i] = (SweepRow){sweep->points[i].factors[SWEEP_LATENCY], sweep->points[i].factors[SWEEP_BANDWIDTH],
                             sweep->points[i].factors[SWEEP_SPEED], sweep->points[i].application_s,
                             sweep->points[i].application_s / platform_s - 1};
    return rows;
}

json_t *simulate_json(const SimulateView *view, Arena *arena)
{
    const Simulated *simulated = view->simulated;
    const Sensitivity *sensitivity = &simulated->sensitivity;
    ToleranceRow tolerances[TOLERANCES];
    for (int i = 0; i < TOLERANCES; i++)
        tolerances[i] = (ToleranceRow){simulation_tolerances[i], sensitivity->tolerated[i]};
    const double unknown = simulated->has_sensitivity ? 0 : NAN;
    const SimulateDocument document = {
        .answer = simulate_answer(simulated, arena),
        .predicted_s = simulated->application_s,
        .low_s = simulated->low_s,
        .high_s = simulated->high_s,
        .traced_s = simulated->traced_s,
        .compute_share = simulated->compute_share,
        .transfer_share = fmax(0, 1 - simulated->compute_share - simulated->waiting_share),
        .waiting_share = simulated->waiting_share,
        .latency_s = simulated->latency_s,
        .simulations = simulated->n_simulations,
        .platform = view->platform->description,
        .computation = view->computation.text,
        .computation_source = view->computation.source,
        .compute_speed = view->computation.speed,
        .eager_bytes = simulated->eager_bytes,
        .eager_source = simulated->eager_source,
        .occurrences = simulated->n_occurrences,
        .simulated_occurrences = simulated->n_sampled,
        .simulated_events = simulated->n_events,
        .is_whole = simulated->n_sampled == simulated->n_occurrences,
        .n_processes = simulated->signature->application.n_processes,
        .processes_s = simulated->process_s,
        .latency_elasticity = unknown + sensitivity->latency,
        .bandwidth_elasticity = unknown + sensitivity->bandwidth,
        .compute_elasticity = unknown + sensitivity->compute,
        .latency_change = unknown + simulate_change(sensitivity->latency),
        .bandwidth_change = unknown + simulate_change(sensitivity->bandwidth),
        .network_change = unknown + simulate_change(sensitivity->bandwidth - sensitivity->latency),
        .speed_change = unknown + simulate_change(-sensitivity->compute),
        .n_tolerances = simulated->has_sensitivity ? TOLERANCES : 0,
        .tolerances = tolerances,
        .n_sweep = view->sweep->n_points,
        .sweep = sweep_rows(view->sweep, simulated->application_s, arena)};
    json_t *json = fields_to_json(&simulate_fields, &document, 0), *waits = waits_json(&simulated->waits, arena);
    json_object_update(json, waits);
    json_decref(waits);
    return json;
}
