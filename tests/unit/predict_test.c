/* SPDX-License-Identifier: BSD-3-Clause */
/* Prediction from signatures and phase times made by hand. */
#include "signature/predict/predict.h"
#include "unit/fixture.h"
#include "unit/near.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PROCESSES = 2 };

/* A program of two processes that alternates between phases 1 and 2, with given weights and
 * constant durations. */
typedef struct Model {
    Signature signature;
    PhaseTimes times;
    Phase phases[2];
    ProcessTime traced[2][PROCESSES], measured[2][PROCESSES];
    MeasuredPhase measured_phases[2];
    Milestone milestones[101];
    double weights[101][2], times_s[101][2], paths_s[101][2];
    uint64_t send_events[101][PROCESSES];
    double startup_s[PROCESSES], shutdown_s[PROCESSES], prefix_s[PROCESSES];
    Window windows[4];
} Model;

/* A case such as: "1000 times: phase 1 takes 2 ms, here 3 ms; phase 2 takes 5 ms, here 10 ms". */
typedef struct Story {
    uint64_t weight;
    double traced_s[2], here_s[2];
    double traced_total_s, here_total_s;
} Story;

static Story read_story(const char *text)
{
    Story story;
    int length = 0;
    assert_int_equal(
        sscanf(text, "%" SCNu64 " times: phase 1 takes %lf ms, here %lf ms; phase 2 takes %lf ms, here %lf ms%n",
               &story.weight, &story.traced_s[0], &story.here_s[0], &story.traced_s[1], &story.here_s[1], &length),
        5);
    assert_int_equal(text[length], '\0');
    for (int i = 0; i < 2; i++) {
        story.traced_s[i] *= 1e-3;
        story.here_s[i] *= 1e-3;
    }
    story.traced_total_s = (double)story.weight * (story.traced_s[0] + story.traced_s[1]);
    story.here_total_s = (double)story.weight * (story.here_s[0] + story.here_s[1]);
    return story;
}

static void make_phases(Model *m, const Story *story)
{
    for (int i = 0; i < 2; i++) {
        double phase_s = (double)story->weight * story->traced_s[i];
        for (int p = 0; p < PROCESSES; p++)
            m->traced[i][p] = (ProcessTime){story->weight, phase_s};
        m->phases[i] = (Phase){.id = (uint32_t)i + 1,
                               .n_ticks = 1,
                               .weight = story->weight,
                               .processes = m->traced[i],
                               .share = phase_s / story->traced_total_s,
                               .relevant = true};
    }
}

static void make_milestones(Model *m, const Story *story)
{
    for (int k = 0; k <= 100; k++) {
        for (int i = 0; i < 2; i++) {
            m->weights[k][i] = (double)story->weight * k / 100;
            m->times_s[k][i] = m->weights[k][i] * story->traced_s[i];
        }
        m->milestones[k] = (Milestone){.occurrence = 2 * story->weight * (uint64_t)k / 100,
                                       .time_s = story->traced_total_s * k / 100,
                                       .send_events = m->send_events[k],
                                       .phase_weight = m->weights[k],
                                       .phase_time_s = m->times_s[k],
                                       .phase_path_s = m->paths_s[k]};
    }
}

static void make_signature(Model *m, const Story *story)
{
    make_phases(m, story);
    make_milestones(m, story);
    m->signature = (Signature){
        .application = {.executable = "app", .build_id = "", .mpi_library = "SMPI Version 3", .n_processes = PROCESSES},
        .parameters = {.order = "pas2p", .similarity = "phase"},
        .n_phases = 2,
        .phases = m->phases,
        .startup_s = m->startup_s,
        .shutdown_s = m->shutdown_s,
        .n_occurrences = 2 * story->weight,
        .coverage = 1,
        .application_s = story->traced_total_s,
        .n_milestones = 101,
        .milestones = m->milestones};
}

/* Milestones 1 to 5 are measured, in four windows. */
static void make_times(Model *m, const Story *story)
{
    uint64_t count = story->weight * 4 / 100;
    for (int w = 0; w < 4; w++)
        m->windows[w] = (Window){m->milestones[w + 1].occurrence,
                                 m->milestones[w + 2].occurrence,
                                 story->here_total_s / 100,
                                 story->traced_total_s / 100,
                                 0,
                                 0,
                                 0,
                                 0};
    for (int i = 0; i < 2; i++) {
        for (int p = 0; p < PROCESSES; p++)
            m->measured[i][p] = (ProcessTime){count, (double)count * story->here_s[i]};
        m->measured_phases[i] = (MeasuredPhase){.id = (uint32_t)i + 1,
                                                .occurrences = count,
                                                .processes = m->measured[i],
                                                .slowest_mean_s = story->here_s[i],
                                                .reference_s = story->traced_s[i]};
    }
    for (int p = 0; p < PROCESSES; p++)
        m->prefix_s[p] = story->here_total_s * 5 / 100;
    m->times = (PhaseTimes){.mode = "prefix",
                            .agreement = 1,
                            .application = m->signature.application,
                            .accepted_difference = "",
                            .command = "",
                            .host = "",
                            .signature_s = 1,
                            .prefix_s = m->prefix_s,
                            .startup_s = m->startup_s,
                            .prefix_occurrences = m->milestones[5].occurrence,
                            .warmup_occurrences = m->milestones[1].occurrence,
                            .n_windows = 4,
                            .windows = m->windows,
                            .n_phases = 2,
                            .phases = m->measured_phases};
}

static void make_model(Model *m, const char *text)
{
    const Story story = read_story(text);
    memset(m, 0, sizeof *m);
    make_signature(m, &story);
    make_times(m, &story);
}

static Prediction predict(Model *m, const char *estimator)
{
    Prediction prediction;
    Err err = {0};
    assert_true(predict_run_time(&m->signature, &m->times, estimator, arena, &prediction, &err));
    return prediction;
}

static void predicts_a_stationary_run_exactly(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 3 ms; phase 2 takes 5 ms, here 10 ms");
    for (const char *const *name = (const char *const[]){"process", "slowest", NULL}; *name; name++) {
        Prediction p = predict(&m, *name);
        assert_near(p.predicted_s, 13.0, 1e-9);
        assert_near(p.interval_s[0], 13.0, 1e-6);
        assert_near(p.interval_s[1], 13.0, 1e-6);
        assert_near(p.pet_s, 13.0, 1e-9);
        assert_near(p.set_s, 0.013, 1e-12);
        assert_near(p.stationarity, 0, 1e-9);
    }
}

/* Source: the thesis, CG class C on 8 processes, table 4.2. */
static void reproduces_the_thesis_on_cg(void **state)
{
    Model m;
    make_model(&m, "1976 times: phase 1 takes 2.8973 ms, here 2.8973 ms; phase 2 takes 98.0623 ms, here 98.0623 ms");
    m.phases[0].weight = 3952;
    Prediction p = predict(&m, "slowest");
    assert_near(p.pet_s, 205.221, 0.001);
    assert_near(prediction_error_percent(p.pet_s, 208.146), 1.41, 0.005);
}

static void process_estimator_does_not_charge_alternating_bad_luck(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
    /* In each phase, one of the two processes waits: the slowest takes 3 ms, but their means stay
     * at 2 ms. */
    m.measured_phases[0].slowest_mean_s = m.measured_phases[1].slowest_mean_s = 0.003;
    assert_near(predict(&m, "process").predicted_s, 4.0, 1e-9);
    assert_near(predict(&m, "slowest").predicted_s, 6.0, 1e-9);
    assert_near(predict(&m, "process").pet_s, 6.0, 1e-9); /* equation 4.1, by any estimator */
    assert_near(predict(&m, "process").set_s, 0.006, 1e-12);
}

/* Both processes take equally long in the traced run. Here, one took 10 % longer than the mean, in
 * few occurrences or in many. */
static void differences_of_processes_are_kept_if_the_ends_of_the_stretch_cannot_explain_them(void **state)
{
    double predicted_s[2];
    for (int many = 0; many < 2; many++) {
        Model m;
        make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
        for (int i = 0; i < 2; i++) {
            uint64_t count = many ? 40 : 2;
            m.measured_phases[i].occurrences = count;
            for (int p = 0; p < PROCESSES; p++)
                m.measured[i][p] = (ProcessTime){count, (double)count * (p ? 0.0022 : 0.0018)};
        }
        predicted_s[many] = predict(&m, "process").predicted_s;
    }
    assert_near(predicted_s[0], 4.0, 1e-9);
    assert_near(predicted_s[1], 0.2 + 3.8 * 1.1, 0.01);
}

static void other_programs_on_the_host_widen_the_interval(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 4 ms; phase 2 takes 2 ms, here 4 ms");
    m.times.n_processors = 4;
    m.times.busy_processors = 1; /* there is room for them */
    Prediction p = predict(&m, "process");
    assert_near(p.slowdown, 1, 1e-12);
    assert_near(p.interval_s[0], 8, 1e-6);
    m.times.busy_processors = 4; /* six want to run on four */
    p = predict(&m, "process");
    assert_near(p.slowdown, 1.5, 1e-12);
    assert_near(p.interval_s[0], 8 / 1.5, 1e-6);
    assert_near(p.interval_s[1], 8 * 1.5, 1e-6);
}

/* The windows passed between two turns of the others; the warm-ups didn't. */
static void warmups_tell_of_waiting_that_short_windows_do_not(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 4 ms; phase 2 takes 2 ms, here 4 ms");
    m.times.costs = (StateCosts){.warmup_s = 2, .traced_warmup_s = 0.1};
    assert_near(predict(&m, "process").interval_s[1], 8, 1e-6); /* without others, it is the restart's cost */
    m.times.n_processors = 4;
    m.times.busy_processors = 4;
    assert_near(predict(&m, "process").interval_s[1], 8 * 10, 1e-6);
    m.times.costs.warmup_s = 0.2; /* as the windows */
    assert_near(predict(&m, "process").interval_s[1], 8 * 1.5, 1e-6);
}

/* The four windows' paces differ by ±10 %: their mean has a standard error of 5.8 %. */
static void noise_on_the_traced_machine_is_not_believed(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2.06 ms; phase 2 takes 2 ms, here 2.06 ms");
    for (int w = 0; w < 4; w++)
        m.windows[w].elapsed_s *= w % 2 ? 0.9 : 1.1;
    m.signature.host = "node1";
    m.signature.application.mpi_library = m.times.application.mpi_library = "Open MPI";
    m.times.host = "node2"; /* another machine may well take 3 % longer */
    assert_near(predict(&m, "process").predicted_s, 4.12, 1e-9);
    assert_near(predict(&m, "process").same_machine, 1, 1e-12);
    m.times.host = "node1";
    assert_near(predict(&m, "process").predicted_s, 0.206 + 3.8, 1e-9);
    assert_near(predict(&m, "process").same_machine, 0, 1e-12);
    assert_near(predict(&m, "slowest").predicted_s, 4.12, 1e-9);
}

static void a_traced_run_that_others_disturbed_is_not_believed_more_than_the_measurement(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 1.94 ms; phase 2 takes 2 ms, here 1.94 ms");
    for (int w = 0; w < 4; w++)
        m.windows[w].elapsed_s *= w % 2 ? 0.9 : 1.1;
    m.signature.application.mpi_library = m.times.application.mpi_library = "Open MPI";
    m.signature.host = m.times.host = "node1";
    assert_near(predict(&m, "process").same_machine, 0, 1e-12);
    m.signature.slowdown = 1.5;
    assert_near(predict(&m, "process").predicted_s, 3.88, 1e-9);
    assert_near(predict(&m, "process").traced_slowdown, 1.5, 1e-12);
}

static void a_difference_beyond_noise_is_believed_on_the_traced_machine(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 4 ms; phase 2 takes 2 ms, here 4 ms");
    for (int w = 0; w < 4; w++)
        m.windows[w].elapsed_s *= w % 2 ? 0.99 : 1.01;
    m.signature.host = m.times.host = "node1";
    m.signature.application.mpi_library = m.times.application.mpi_library = "Open MPI";
    Prediction p = predict(&m, "process");
    assert_true(p.same_machine > 0.99 && p.same_machine < 1);
    assert_near(p.predicted_s, 8, 0.01);
    assert_true(p.interval_s[0] < 8 && p.interval_s[1] > 8);
}

/* A run on a real machine differs from the next one by more than a single run tells. */
static void runs_on_a_real_machine_drift(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
    Prediction simulated = predict(&m, "process");
    assert_near(simulated.interval_s[1], 4, 1e-6);
    assert_near(simulated.drift, 0, 0);
    m.signature.application.mpi_library = m.times.application.mpi_library = "Open MPI";
    m.signature.host = "node1";
    m.times.host = "node2";
    Prediction other = predict(&m, "process");
    assert_int_equal(other.traced_runs, 0);
    assert_near(other.drift, 3.182 * 0.027, 1e-4);
    assert_near(other.interval_s[1], 4 + 4 * other.drift, 1e-3);
    assert_near(other.interval_s[0], 4 / (1 + other.drift), 1e-3);
    m.times.host = "node1";
    Prediction same = predict(&m, "process");
    assert_int_equal(same.traced_runs, 1);
    assert_near(same.drift, other.drift, 0);
    double again_s[101];
    for (int k = 0; k <= 100; k++)
        again_s[k] = m.milestones[k].time_s;
    const RepeatedRun again = {again_s[100], 101, again_s};
    m.signature.repeats = &again;
    m.signature.n_repeats = 1;
    Prediction repeated = predict(&m, "process");
    assert_int_equal(repeated.traced_runs, 2);
    assert_true(repeated.drift < same.drift);
    assert_true(repeated.interval_s[1] < same.interval_s[1]);
    m.times.host = "node2"; /* of another machine, the traced one's runs tell nothing */
    assert_near(predict(&m, "process").drift, other.drift, 0);
}

/* The second run took 21 % longer than the first: their geometric mean predicts best. */
static void what_is_drawn_to_the_traced_machine_is_drawn_to_the_mean_of_its_runs(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
    double again_s[101];
    for (int k = 0; k <= 100; k++)
        again_s[k] = m.milestones[k].time_s * 1.21;
    const RepeatedRun again = {again_s[100], 101, again_s};
    m.signature.repeats = &again;
    m.signature.n_repeats = 1;
    m.signature.host = m.times.host = "node1";
    m.signature.application.mpi_library = m.times.application.mpi_library = "Open MPI";
    assert_near(predict(&m, "process").predicted_s, 0.2 + 3.8 * 1.1, 1e-6);
}

static void what_recording_costs_on_the_target_is_taken_off(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 3 ms; phase 2 takes 2 ms, here 3 ms");
    Prediction with = predict(&m, "process");
    static const uint64_t calls[PROCESSES] = {40000, 40000};
    m.signature.n_recorded = PROCESSES;
    m.signature.recorded_calls = calls;
    m.signature.recording_cost_s = 5e-6; /* of the traced machine */
    m.times.recording_cost_s = 10e-6;
    Prediction p = predict(&m, "process");
    assert_near(p.recording_s, -0.4, 1e-9);
    assert_near(p.predicted_s, with.predicted_s - 0.4, 1e-9);
    assert_near(predict(&m, "slowest").recording_s, -0.4, 1e-9);
    double rows_s = p.executed_s + p.correction_s + p.drawn_s + p.recording_s + p.shutdown_s;
    for (uint32_t i = 0; i < p.n_phases; i++)
        rows_s += p.phases[i].total_s;
    assert_near(rows_s, p.predicted_s, 1e-9);
    /* The cost itself isn't known exactly. */
    assert_true(p.interval_s[1] - p.predicted_s > 0.15);
    assert_true(p.predicted_s - p.interval_s[0] > 0.15);
    assert_true(p.interval_s[0] > 0);
}

static void recording_that_one_process_alone_pays_is_not_taken_off(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 3 ms; phase 2 takes 2 ms, here 3 ms");
    static const uint64_t calls[PROCESSES] = {40000, 100};
    m.signature.n_recorded = PROCESSES;
    m.signature.recorded_calls = calls;
    m.times.recording_cost_s = 10e-6;
    assert_near(predict(&m, "process").recording_s, -0.001, 1e-9);
    assert_near(predict(&m, "slowest").recording_s, -0.001, 1e-9);
}

/* Both runs were recorded. So they are compared as they are. */
static void recording_makes_no_difference_to_the_traced_run(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
    static const uint64_t calls[PROCESSES] = {40000, 40000};
    m.signature.n_recorded = PROCESSES;
    m.signature.recorded_calls = calls;
    m.signature.recording_cost_s = m.times.recording_cost_s = 10e-6;
    m.signature.host = m.times.host = "node1";
    Prediction p = predict(&m, "process");
    assert_near(p.drawn_s, 0, 1e-9);
    assert_near(p.predicted_s, 4 - 0.4, 1e-9);
}

static void a_prediction_stays_positive_if_recording_seems_to_cost_more(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 3 ms; phase 2 takes 2 ms, here 3 ms");
    static const uint64_t calls[PROCESSES] = {40000, 40000};
    m.signature.n_recorded = PROCESSES;
    m.signature.recorded_calls = calls;
    m.times.recording_cost_s = 0.9;
    Prediction p = predict(&m, "process");
    assert_near(p.predicted_s, 3, 1e-9);
    assert_true(p.interval_s[0] > 0 && p.interval_s[0] < 3 && p.interval_s[1] > 3);
}

static void corrects_for_a_second_half_that_is_slower(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
    /* From milestone 50 on, phase 2 takes twice as long in the traced run. */
    for (int k = 51; k <= 100; k++) {
        m.times_s[k][1] += 10 * (k - 50) * 0.002;
        m.milestones[k].time_s += 10 * (k - 50) * 0.002;
    }
    Prediction p = predict(&m, "process");
    assert_true(p.predicted_s > 4.5 && p.predicted_s < 5.2); /* 5.0 is right */
    assert_true(p.stationarity > 0.1);
    assert_true(p.interval_s[0] < 5.0 && p.interval_s[1] > 5.0);
}

/* The occurrences of phase 1 in the range take ten times as long. The occurrences in [from, to) were measured, those
 * below `to` were executed. */
typedef struct Uneven {
    Model m;
    StratumRange range;
    Stratum strata[2];
    double strata_s[2][101];
    MeasuredStratum measured[2];
    ProcessTime times[2][PROCESSES];
} Uneven;

enum { UNEVEN_WEIGHT = 1000 };

/* From the second one on. */
static const StratumRange every_fourth = {1, UNEVEN_WEIGHT / 4, 4};

static uint64_t slow_ones(const StratumRange *range, uint64_t end)
{
    uint64_t n = end > range->first ? (end - range->first + range->period - 1) / range->period : 0;
    return n < range->count ? n : range->count;
}

static void make_uneven(Uneven *u, StratumRange range, uint64_t from, uint64_t to, double target)
{
    enum { WEIGHT = UNEVEN_WEIGHT };
    const double base_s = 0.002, slow_s = 0.02, other_s = 0.001;
    double mean_s = base_s + (slow_s - base_s) * (double)slow_ones(&range, WEIGHT) / WEIGHT;
    Model *m = &u->m;
    make_model(m,
               arena_printf(arena, "%d times: phase 1 takes %.17g ms, here %.17g ms; phase 2 takes %g ms, here %g ms",
                            WEIGHT, 1e3 * mean_s, 1e3 * mean_s * target, 1e3 * other_s, 1e3 * other_s * target));
    u->range = range;
    u->strata[1] = (Stratum){
        slow_ones(&range, WEIGHT), slow_s * (double)slow_ones(&range, WEIGHT), 0, 1, &u->range, 101, u->strata_s[1]};
    u->strata[0] = (Stratum){WEIGHT - slow_ones(&range, WEIGHT),
                             base_s * (double)(WEIGHT - slow_ones(&range, WEIGHT)),
                             0,
                             0,
                             NULL,
                             101,
                             u->strata_s[0]};
    m->phases[0].n_strata = 2;
    m->phases[0].strata = u->strata;
    for (int k = 0; k <= 100; k++) {
        uint64_t done = (uint64_t)m->weights[k][0];
        m->times_s[k][0] = base_s * (double)done + (slow_s - base_s) * (double)slow_ones(&range, done);
        m->milestones[k].time_s = m->times_s[k][0] + m->times_s[k][1];
        u->strata_s[0][k] = base_s * (double)(done - slow_ones(&range, done));
        u->strata_s[1][k] = slow_s * (double)slow_ones(&range, done);
    }
    uint64_t counts[2] = {to - from - (slow_ones(&range, to) - slow_ones(&range, from)),
                          slow_ones(&range, to) - slow_ones(&range, from)};
    for (int i = 0; i < 2; i++) {
        double duration_s = target * (i ? slow_s : base_s);
        for (int p = 0; p < PROCESSES; p++)
            u->times[i][p] = (ProcessTime){counts[i], (double)counts[i] * duration_s};
        u->measured[i] = (MeasuredStratum){counts[i], u->times[i], counts[i] ? duration_s : 0, 0};
    }
    MeasuredPhase *measured = &m->measured_phases[0];
    measured->occurrences = to - from;
    measured->n_strata = 2;
    measured->strata = u->measured;
    for (int p = 0; p < PROCESSES; p++) {
        m->measured[0][p] = (ProcessTime){to - from, u->times[0][p].total_s + u->times[1][p].total_s};
        m->prefix_s[p] =
            target * (base_s * (double)to + (slow_s - base_s) * (double)slow_ones(&range, to) + other_s * (double)to);
    }
    m->times.n_windows = 1;
    m->times.warmup_occurrences = 2 * from;
    m->times.prefix_occurrences = 2 * to;
    double traced_s = 0;
    for (uint64_t i = from; i < to; i++)
        traced_s += other_s + (slow_ones(&range, i + 1) > slow_ones(&range, i) ? slow_s : base_s);
    m->windows[0] = (Window){2 * from, 2 * to, traced_s * target, traced_s, 0, 0, 0, 0};
}

static void strata_make_any_window_predict_exactly(void **state)
{
    const double whole_s = 2 * (750 * 0.002 + 250 * 0.02 + 1000 * 0.001);
    for (uint64_t to = 30; to <= 60; to += 10) /* windows with one, two and three slow occurrences too many */
        for (const char *const *name = (const char *const[]){"process", "slowest", NULL}; *name; name++) {
            Uneven u;
            memset(&u, 0, sizeof u);
            make_uneven(&u, every_fourth, 20, to, 2);
            Prediction p = predict(&u.m, *name);
            assert_near(p.predicted_s, whole_s, 1e-9);
            assert_near(p.stationarity, 0, 1e-9);
            assert_near(p.correction_s, 0, 1e-9);
            assert_near(p.pet_s, whole_s, 1e-9);
        }
}

static void a_stratum_that_was_not_measured_is_scaled_and_said_to_be(void **state)
{
    Uneven u;
    memset(&u, 0, sizeof u);
    make_uneven(&u, every_fourth, 20, 60, 2);
    /* None of the forty slow occurrences was measured. */
    u.measured[1] = (MeasuredStratum){0, u.times[1], 0, 0};
    memset(u.times[1], 0, sizeof u.times[1]);
    Prediction p = predict(&u.m, "process");
    assert_near(p.predicted_s, 15.0, 1e-9);
    assert_true(p.interval_s[0] < 15.0 - 2 * (0.02 - 0.002) * 230);
    const PhasePrediction *phase = &p.phases[0];
    assert_int_equal(phase->id, 1);
    assert_int_equal(phase->n_strata, 2);
    assert_true(phase->strata[0].measured && !phase->strata[1].measured);
    assert_near(phase->strata[1].time_s, 0.04, 1e-9);
    assert_near(phase->strata[0].total_s + phase->strata[1].total_s, phase->total_s, 1e-9);
}

static void an_interruption_of_few_occurrences_is_not_multiplied_into_another_stratum(void **state)
{
    Uneven u;
    memset(&u, 0, sizeof u);
    make_uneven(&u, every_fourth, 20, 60, 1);
    /* One occurrence of the base took ten times as long. No slow occurrence was measured. The
     * machine is no slower. */
    u.measured[1] = (MeasuredStratum){0, u.times[1], 0, 0};
    memset(u.times[1], 0, sizeof u.times[1]);
    u.measured[0].occurrences = 1;
    for (int p = 0; p < PROCESSES; p++)
        u.times[0][p] = (ProcessTime){1, 0.02};
    Prediction p = predict(&u.m, "process");
    assert_true(p.phases[0].strata[1].time_s > 0.02 - 1e-9);
    assert_true(p.phases[0].strata[1].time_s < 0.02 * 1.2); /* not 0.2 */
}

/* In the second half of the run, phase 2 takes ten times as long, because it computes or because it
 * does something else. Before, half of all time was on the path. Here, the path takes half of its
 * traced time, and other time takes all of it. */
static void a_slower_rest_is_translated_by_the_paces_of_what_makes_it_slower(void **state)
{
    double predicted_s[2];
    for (int computes = 0; computes < 2; computes++) {
        Model m;
        make_model(&m, "1000 times: phase 1 takes 2 ms, here 1.5 ms; phase 2 takes 2 ms, here 1.5 ms");
        for (int k = 0; k <= 100; k++) {
            double more_s = k > 50 ? 10 * (k - 50) * 0.018 : 0;
            for (int i = 0; i < 2; i++)
                m.paths_s[k][i] = m.times_s[k][i] / 2;
            m.paths_s[k][1] += computes ? more_s : 0;
            m.times_s[k][1] += more_s;
            m.milestones[k].time_s += more_s;
        }
        for (int w = 0; w < 4; w++) {
            m.windows[w].reference_path_s = 0.02;
            m.windows[w].path_s = 0.01;
        }
        predicted_s[computes] = predict(&m, "process").predicted_s;
    }
    assert_near(predicted_s[0], 3 + 9, 1e-9);
    assert_near(predicted_s[1], 3 + 9.0 / 2, 1e-9);
}

/* The rest of the traced run is uneven: it takes 20 % longer, and neighbouring pieces differ by 40
 * %. In a further run, the same recurs, or nothing of it does. */
static void what_recurs_in_another_run_is_corrected_for_and_what_does_not_is_noise(void **state)
{
    static double again_s[101];
    double predicted_s[2];
    for (int recurs = 0; recurs < 2; recurs++) {
        Model m;
        make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
        double more_s = 0;
        for (int k = 0; k <= 100; k++) {
            if (k > 30)
                more_s += (k % 2 ? 0.4 : 0) * 10 * 0.004;
            again_s[k] = m.milestones[k].time_s + (recurs ? more_s : 0);
            m.times_s[k][1] += more_s;
            m.milestones[k].time_s += more_s;
        }
        const RepeatedRun again = {again_s[100], 101, again_s};
        m.signature.repeats = &again;
        m.signature.n_repeats = 1;
        predicted_s[recurs] = predict(&m, "process").predicted_s;
    }
    assert_true(predicted_s[1] > 4.4); /* 4.56 is right */
    assert_true(predicted_s[0] < 4.35);
}

static void scales_what_was_not_measured_and_says_so(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 4 ms; phase 2 takes 2 ms, here 4 ms");
    m.times.n_phases = 1;
    Prediction p = predict(&m, "process");
    assert_near(p.predicted_s, 8.0, 1e-9);
    assert_near(p.measured_coverage, 0.5, 1e-9);
    for (uint32_t i = 0; i < p.n_phases; i++)
        assert_int_equal(p.phases[i].measured, p.phases[i].id == 1);
}

static void widens_the_interval_with_the_spread_of_windows(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
    m.windows[0].elapsed_s *= 1.1;
    m.windows[1].elapsed_s *= 0.9;
    Prediction p = predict(&m, "process");
    assert_true(p.interval_s[0] < 3.7 && p.interval_s[1] > 4.3);
}

/* In every second stretch of the traced run, events come at another rate. */
static void make_rate_uneven(Model *m)
{
    for (int k = 0; k <= 100; k++)
        for (int p = 0; p < PROCESSES; p++)
            m->send_events[k][p] = (uint64_t)(100 * k + (k / 5 % 2 ? 60 : 0));
}

static void widens_the_interval_where_the_order_varies(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
    make_rate_uneven(&m);
    m.times.agreement = 0.95;
    Prediction little = predict(&m, "process");
    m.times.agreement = 0.3;
    m.times.n_phases = 0;
    Prediction much = predict(&m, "process");
    assert_true(little.order_variation > 0);
    assert_near(much.order_variation, 20 * little.order_variation, 1e-9);
    assert_true(much.interval_s[1] - much.predicted_s > 1.9 * much.order_variation * much.predicted_s);
}

static void adds_nothing_for_the_order_where_all_phases_came_again(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
    make_rate_uneven(&m);
    Prediction p = predict(&m, "process");
    assert_near(p.order_variation, 0, 1e-12);
    assert_near(p.interval_s[1], p.predicted_s, 1e-9);
}

static void refuses_times_of_another_application(void **state)
{
    Model m;
    Prediction prediction;
    Err err = {0};
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
    m.times.application.executable = "other";
    assert_false(predict_run_time(&m.signature, &m.times, "process", arena, &prediction, &err));
    assert_error(err, ERR_INPUT, "other");
}

static void refuses_strata_that_the_signature_lacks(void **state)
{
    Uneven u;
    Prediction prediction;
    Err err = {0};
    memset(&u, 0, sizeof u);
    make_uneven(&u, every_fourth, 20, 60, 2);
    u.m.phases[0].n_strata = 0;
    assert_false(predict_run_time(&u.m.signature, &u.m.times, "process", arena, &prediction, &err));
    assert_error(err, ERR_INPUT, "strata");
}

static void refuses_times_that_give_no_finite_prediction(void **state)
{
    Model m;
    Prediction prediction;
    Err err = {0};
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
    for (int i = 0; i < 4; i++)
        m.windows[i].reference_s = 1e-320;
    assert_false(predict_run_time(&m.signature, &m.times, "process", arena, &prediction, &err));
    assert_int_equal(err.kind, ERR_INPUT);
}

static void refuses_times_without_a_window(void **state)
{
    Model m;
    Prediction prediction;
    Err err = {0};
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
    m.times.n_windows = 0;
    assert_false(predict_run_time(&m.signature, &m.times, "process", arena, &prediction, &err));
    assert_int_equal(err.kind, ERR_INPUT);
}

/* A short window that is slow counts less than a long one. */
static void windows_spread_by_what_they_weigh(void **state)
{
    double width[2];
    for (int slow = 0; slow < 2; slow++) {
        Model m;
        make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
        for (int w = 0; w < 4; w++)
            m.windows[w].elapsed_s = m.windows[w].reference_s *= w ? 1 : 6;
        m.windows[slow].elapsed_s *= 1.5;
        Prediction p = predict(&m, "process");
        width[slow] = p.interval_s[1] / p.predicted_s;
    }
    assert_true(width[0] - 1 > 1.4 * (width[1] - 1));
}

static void refuses_phases_that_the_signature_lacks(void **state)
{
    Model m;
    Prediction prediction;
    Err err = {0};
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 2 ms, here 2 ms");
    m.measured_phases[1].id = 7;
    assert_false(predict_run_time(&m.signature, &m.times, "process", arena, &prediction, &err));
    assert_int_equal(err.kind, ERR_INPUT);
}

/* The sequence: phase 1 once, then a loop of phase 2 and phase 1, then phase 2 once. */
static void make_sequence(Model *m, Loop parts[3], Loop body[2])
{
    body[0] = (Loop){.count = 1, .phase = 2};
    body[1] = (Loop){.count = 1, .phase = 1};
    parts[0] = (Loop){.count = 1, .phase = 1};
    parts[1] = (Loop){.count = m->phases[0].weight - 1, .n_body = 2, .body = body};
    parts[2] = (Loop){.count = 1, .phase = 2};
    m->signature.sequence = (Loop){.count = 1, .n_body = 3, .body = parts};
}

static void further_steps_repeat_the_main_loop_alone(void **state)
{
    Model m;
    Loop parts[3], body[2];
    Prediction more, fewer;
    Err err = {0};
    make_model(&m, "1001 times: phase 1 takes 2 ms, here 3 ms; phase 2 takes 5 ms, here 10 ms");
    make_sequence(&m, parts, body);
    for (const char *const *name = (const char *const[]){"process", "slowest", NULL}; *name; name++) {
        Prediction same = predict(&m, *name);
        assert_true(predict_steps_time(&m.signature, &m.times, *name, 2.5, arena, &more, &err));
        assert_true(predict_steps_time(&m.signature, &m.times, *name, 0.5, arena, &fewer, &err));
        assert_near(more.predicted_s, same.predicted_s + 1501.5 * 0.013, 1e-6);
        assert_near(fewer.predicted_s, same.predicted_s - 500.5 * 0.013, 1e-6);
        assert_int_equal(more.loop_times, 1000);
        assert_near(more.loop_share, 1, 1e-3); /* between milestones, time is linear */
        for (uint32_t i = 0; i < 2; i++) {
            assert_int_equal(more.phases[i].weight, 2503);
            assert_int_equal(fewer.phases[i].weight, 501);
        }
    }
}

static void what_is_slow_at_the_ends_of_the_run_alone_is_not_repeated(void **state)
{
    (void)state;
    const struct {
        StratumRange slow;
        double slow_ones; /* of 3000 further occurrences */
    } cases[] = {{{0, 40, 1}, 0}, {{990, 10, 1}, 0}, {every_fourth, 750}};
    for (int same_machine = 0; same_machine < 2; same_machine++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            for (const char *const *name = (const char *const[]){"process", "slowest", NULL}; *name; name++) {
                Uneven u;
                Prediction more, fewer;
                Err err = {0};
                memset(&u, 0, sizeof u);
                make_uneven(&u, cases[i].slow, 20, 60, 1);
                Loop body[] = {{.count = 1, .phase = 1}, {.count = 1, .phase = 2}};
                u.m.signature.sequence = (Loop){.count = UNEVEN_WEIGHT, .n_body = 2, .body = body};
                u.m.signature.host = u.m.times.host = same_machine ? "here" : "";
                double one_s = 0.001 + 0.002 + cases[i].slow_ones / 3000 * 0.018,
                       whole_s = UNEVEN_WEIGHT * 0.003 + 0.018 * (double)cases[i].slow.count;
                assert_true(predict_steps_time(&u.m.signature, &u.m.times, *name, 4, arena, &more, &err));
                assert_near(more.predicted_s, whole_s + 3000 * one_s, 1e-9);
                assert_near(more.phases[0].strata[1].weight, (double)cases[i].slow.count + cases[i].slow_ones, 1e-9);
                assert_true(predict_steps_time(&u.m.signature, &u.m.times, *name, 0.5, arena, &fewer, &err));
                assert_near(fewer.predicted_s, whole_s - 500 * one_s, 1e-9);
            }
}

/* Steps that the folding has as (parts), count times. */
static void check_steps(Model *m, Loop *parts, uint32_t n, uint64_t count, uint64_t times, double first, double second)
{
    double weights[2];
    m->signature.sequence = (Loop){.count = count, .n_body = n, .body = parts};
    m->signature.n_occurrences = loop_length(&m->signature.sequence);
    const SequencePeriod period = signature_steps(&m->signature, weights);
    assert_int_equal(period.times, times);
    assert_near(weights[0] * (double)times, first, 1e-9);
    assert_near(weights[1] * (double)times, second, 1e-9);
}

static void steps_may_be_few_or_cut_into_pieces(void **state)
{
    Model m;
    make_model(&m, "1000 times: phase 1 takes 2 ms, here 2 ms; phase 2 takes 1 ms, here 1 ms");
    Loop inner[] = {{.count = 25, .phase = 1}, {.count = 1, .phase = 2}};
    check_steps(&m, inner, 2, 2, 2, 50, 2);
    Loop output[] = {{.count = 9, .phase = 1}, {.count = 1, .phase = 2}, {.count = 2, .phase = 1}};
    check_steps(&m, output, 3, 1, 11, 11, 1);
    Loop body[] = {{.count = 10, .phase = 1}, {.count = 1, .phase = 2}};
    Loop rest[] = {{.count = 1, .phase = 2}, {.count = 4, .n_body = 2, .body = body}, {.count = 5, .phase = 1}};
    check_steps(&m, rest, 3, 1, 4, 45, 4); /* the first one belongs to no iteration */
    /* What comes again after a long other part is no step. */
    Loop apart[] = {{.count = 1, .phase = 1}, {.count = 900, .phase = 2}, {.count = 400, .phase = 1}};
    check_steps(&m, apart, 3, 1, 900, 0, 900);
}

static void another_number_of_steps_needs_a_loop_and_a_rest(void **state)
{
    Model m;
    Loop parts[3], body[2];
    Prediction prediction;
    Err err = {0};
    make_model(&m, "1001 times: phase 1 takes 2 ms, here 3 ms; phase 2 takes 5 ms, here 10 ms");
    make_sequence(&m, parts, body);
    assert_false(predict_steps_time(&m.signature, &m.times, "process", 0.01, arena, &prediction, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    parts[1].count = 1;
    err = (Err){0};
    assert_false(predict_steps_time(&m.signature, &m.times, "process", 2, arena, &prediction, &err));
    assert_int_equal(err.kind, ERR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(further_steps_repeat_the_main_loop_alone),
        fixture_test(steps_may_be_few_or_cut_into_pieces),
        fixture_test(what_is_slow_at_the_ends_of_the_run_alone_is_not_repeated),
        fixture_test(another_number_of_steps_needs_a_loop_and_a_rest),
        fixture_test(predicts_a_stationary_run_exactly),
        fixture_test(reproduces_the_thesis_on_cg),
        fixture_test(process_estimator_does_not_charge_alternating_bad_luck),
        fixture_test(differences_of_processes_are_kept_if_the_ends_of_the_stretch_cannot_explain_them),
        fixture_test(other_programs_on_the_host_widen_the_interval),
        fixture_test(warmups_tell_of_waiting_that_short_windows_do_not),
        fixture_test(noise_on_the_traced_machine_is_not_believed),
        fixture_test(a_traced_run_that_others_disturbed_is_not_believed_more_than_the_measurement),
        fixture_test(a_difference_beyond_noise_is_believed_on_the_traced_machine),
        fixture_test(runs_on_a_real_machine_drift),
        fixture_test(what_is_drawn_to_the_traced_machine_is_drawn_to_the_mean_of_its_runs),
        fixture_test(what_recording_costs_on_the_target_is_taken_off),
        fixture_test(recording_that_one_process_alone_pays_is_not_taken_off),
        fixture_test(recording_makes_no_difference_to_the_traced_run),
        fixture_test(a_prediction_stays_positive_if_recording_seems_to_cost_more),
        fixture_test(corrects_for_a_second_half_that_is_slower),
        fixture_test(strata_make_any_window_predict_exactly),
        fixture_test(a_stratum_that_was_not_measured_is_scaled_and_said_to_be),
        fixture_test(an_interruption_of_few_occurrences_is_not_multiplied_into_another_stratum),
        fixture_test(a_slower_rest_is_translated_by_the_paces_of_what_makes_it_slower),
        fixture_test(what_recurs_in_another_run_is_corrected_for_and_what_does_not_is_noise),
        fixture_test(scales_what_was_not_measured_and_says_so),
        fixture_test(widens_the_interval_with_the_spread_of_windows),
        fixture_test(widens_the_interval_where_the_order_varies),
        fixture_test(adds_nothing_for_the_order_where_all_phases_came_again),
        fixture_test(refuses_times_of_another_application),
        fixture_test(refuses_times_that_give_no_finite_prediction),
        fixture_test(refuses_strata_that_the_signature_lacks),
        fixture_test(refuses_times_without_a_window),
        fixture_test(windows_spread_by_what_they_weigh),
        fixture_test(refuses_phases_that_the_signature_lacks),
    };
    return cmocka_run_group_tests_name("predict", tests, NULL, NULL);
}
