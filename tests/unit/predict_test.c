/* SPDX-License-Identifier: BSD-3-Clause */
/* Prediction from signatures and phase times made by hand. */
#include "signature/predict/predict.h"
#include "unit/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { PROCESSES = 2 };

/* A program of two processes that alternates phases 1 and 2, weights given, at constant durations. */
typedef struct Model {
    Signature signature;
    PhaseTimes times;
    Phase phases[2];
    ProcessTime traced[2][PROCESSES], measured[2][PROCESSES];
    MeasuredPhase measured_phases[2];
    Milestone milestones[101];
    double weights[101][2], times_s[101][2];
    uint64_t send_events[101][PROCESSES];
    double startup_s[PROCESSES], shutdown_s[PROCESSES], prefix_s[PROCESSES];
    Window windows[4];
} Model;

static void make_model(Model *m, uint64_t weight, const double traced_s[2], const double target_s[2])
{
    memset(m, 0, sizeof *m);
    Signature *s = &m->signature;
    s->application = (Application){.executable = "app", .build_id = "", .mpi_library = "", .n_processes = PROCESSES};
    s->parameters.order = "pas2p";
    s->parameters.similarity = "phase";
    s->n_phases = 2;
    s->phases = m->phases;
    s->startup_s = m->startup_s;
    s->shutdown_s = m->shutdown_s;
    s->n_occurrences = 2 * weight;
    s->coverage = 1;
    double total_s = (double)weight * (traced_s[0] + traced_s[1]);
    s->application_s = total_s;
    for (int i = 0; i < 2; i++) {
        for (int p = 0; p < PROCESSES; p++)
            m->traced[i][p] = (ProcessTime){weight, (double)weight * traced_s[i]};
        m->phases[i] = (Phase){.id = (uint32_t)i + 1,
                               .n_ticks = 1,
                               .weight = weight,
                               .processes = m->traced[i],
                               .share = (double)weight * traced_s[i] / total_s,
                               .relevant = true};
    }
    for (int k = 0; k <= 100; k++) {
        for (int i = 0; i < 2; i++) {
            m->weights[k][i] = (double)weight * k / 100;
            m->times_s[k][i] = m->weights[k][i] * traced_s[i];
        }
        m->milestones[k] = (Milestone){.occurrence = 2 * weight * (uint64_t)k / 100,
                                       .time_s = total_s * k / 100,
                                       .send_events = m->send_events[k],
                                       .phase_weight = m->weights[k],
                                       .phase_time_s = m->times_s[k]};
    }
    s->n_milestones = 101;
    s->milestones = m->milestones;

    /* measured: milestones 1 to 5, in four windows */
    PhaseTimes *t = &m->times;
    t->mode = "prefix";
    t->agreement = 1;
    t->application = s->application;
    t->accepted_difference = "";
    t->command = t->host = "";
    t->signature_s = 1;
    t->prefix_s = m->prefix_s;
    t->startup_s = m->startup_s;
    t->prefix_occurrences = m->milestones[5].occurrence;
    t->warmup_occurrences = m->milestones[1].occurrence;
    t->n_windows = 4;
    t->windows = m->windows;
    double target_total_s = (double)weight * (target_s[0] + target_s[1]);
    for (int w = 0; w < 4; w++)
        m->windows[w] = (Window){m->milestones[w + 1].occurrence, m->milestones[w + 2].occurrence, target_total_s / 100,
                                 total_s / 100, 0};
    for (int i = 0; i < 2; i++) {
        uint64_t count = weight * 4 / 100;
        for (int p = 0; p < PROCESSES; p++)
            m->measured[i][p] = (ProcessTime){count, (double)count * target_s[i]};
        m->measured_phases[i] = (MeasuredPhase){.id = (uint32_t)i + 1,
                                                .occurrences = count,
                                                .processes = m->measured[i],
                                                .slowest_mean_s = target_s[i],
                                                .reference_s = traced_s[i]};
    }
    t->n_phases = 2;
    t->phases = m->measured_phases;
    for (int p = 0; p < PROCESSES; p++)
        m->prefix_s[p] = target_total_s * 5 / 100;
}

static Prediction predict(Model *m, const char *estimator, Arena *arena)
{
    Prediction prediction;
    Err err = {0};
    assert_true(predict_run_time(&m->signature, &m->times, estimator, arena, &prediction, &err));
    return prediction;
}

static void predicts_a_stationary_run_exactly(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Model m;
    make_model(&m, 1000, (double[]){0.002, 0.005}, (double[]){0.003, 0.010});
    for (const char *const *name = (const char *const[]){"process", "slowest", NULL}; *name; name++) {
        Prediction p = predict(&m, *name, arena);
        assert_near(p.predicted_s, 13.0, 1e-9);
        assert_near(p.interval_s[0], 13.0, 1e-6);
        assert_near(p.interval_s[1], 13.0, 1e-6);
        assert_near(p.pet_s, 13.0, 1e-9);
        assert_near(p.set_s, 0.013, 1e-12);
        assert_near(p.stationarity, 0, 1e-9);
    }
    arena_free(arena);
}

/* Thesis: CG class C on 8 processes, table 4.2. */
static void reproduces_the_thesis_on_cg(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Model m;
    make_model(&m, 1976, (double[]){0.0028973, 0.0980623}, (double[]){0.0028973, 0.0980623});
    m.phases[0].weight = 3952;
    Prediction p = predict(&m, "slowest", arena);
    assert_near(p.pet_s, 205.221, 0.001);
    assert_near(prediction_error_percent(p.pet_s, 208.146), 1.41, 0.005);
    arena_free(arena);
}

static void process_estimator_does_not_charge_alternating_bad_luck(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Model m;
    make_model(&m, 1000, (double[]){0.002, 0.002}, (double[]){0.002, 0.002});
    /* In each phase one of the two processes waits: the slowest takes 3 ms, their means stay 2 ms. */
    m.measured_phases[0].slowest_mean_s = m.measured_phases[1].slowest_mean_s = 0.003;
    assert_near(predict(&m, "process", arena).predicted_s, 4.0, 1e-9);
    assert_near(predict(&m, "slowest", arena).predicted_s, 6.0, 1e-9);
    arena_free(arena);
}

static void corrects_for_a_second_half_that_is_slower(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Model m;
    make_model(&m, 1000, (double[]){0.002, 0.002}, (double[]){0.002, 0.002});
    /* From milestone 50 on, the traced run's second phase takes twice as long. */
    for (int k = 51; k <= 100; k++) {
        m.times_s[k][1] += 10 * (k - 50) * 0.002;
        m.milestones[k].time_s += 10 * (k - 50) * 0.002;
    }
    Prediction p = predict(&m, "process", arena);
    assert_true(p.predicted_s > 4.5 && p.predicted_s < 5.2); /* 5.0 in fact */
    assert_true(p.stationarity > 0.1);
    assert_true(p.interval_s[0] < 5.0 && p.interval_s[1] > 5.0);
    arena_free(arena);
}

/* Every fourth occurrence of phase 1 takes ten times as long, from the second on. Those in [from, to) of it were
 * measured; up to `to` it was executed. */
typedef struct Uneven {
    Model m;
    StratumRange range;
    Stratum strata[2];
    MeasuredStratum measured[2];
    ProcessTime times[2][PROCESSES];
} Uneven;

static uint64_t slow_ones(uint64_t end)
{
    return (end + 2) / 4;
}

static void make_uneven(Uneven *u, uint64_t from, uint64_t to, double target)
{
    enum { WEIGHT = 1000 };
    const double base_s = 0.002, slow_s = 0.02, other_s = 0.001;
    double mean_s = base_s + (slow_s - base_s) * (double)slow_ones(WEIGHT) / WEIGHT;
    Model *m = &u->m;
    make_model(m, WEIGHT, (double[]){mean_s, other_s}, (double[]){mean_s * target, other_s * target});
    u->range = (StratumRange){1, slow_ones(WEIGHT), 4};
    u->strata[1] = (Stratum){slow_ones(WEIGHT), slow_s * (double)slow_ones(WEIGHT), 1, &u->range};
    u->strata[0] = (Stratum){WEIGHT - slow_ones(WEIGHT), base_s * (double)(WEIGHT - slow_ones(WEIGHT)), 0, NULL};
    m->phases[0].n_strata = 2;
    m->phases[0].strata = u->strata;
    for (int k = 0; k <= 100; k++) {
        uint64_t done = (uint64_t)m->weights[k][0];
        m->times_s[k][0] = base_s * (double)done + (slow_s - base_s) * (double)slow_ones(done);
        m->milestones[k].time_s = m->times_s[k][0] + m->times_s[k][1];
    }
    uint64_t counts[2] = {to - from - (slow_ones(to) - slow_ones(from)), slow_ones(to) - slow_ones(from)};
    for (int i = 0; i < 2; i++) {
        double duration_s = target * (i ? slow_s : base_s);
        for (int p = 0; p < PROCESSES; p++)
            u->times[i][p] = (ProcessTime){counts[i], (double)counts[i] * duration_s};
        u->measured[i] = (MeasuredStratum){counts[i], u->times[i], counts[i] ? duration_s : 0};
    }
    MeasuredPhase *measured = &m->measured_phases[0];
    measured->occurrences = to - from;
    measured->n_strata = 2;
    measured->strata = u->measured;
    for (int p = 0; p < PROCESSES; p++) {
        m->measured[0][p] = (ProcessTime){to - from, u->times[0][p].total_s + u->times[1][p].total_s};
        m->prefix_s[p] =
            target * (base_s * (double)to + (slow_s - base_s) * (double)slow_ones(to) + other_s * (double)to);
    }
    m->times.n_windows = 1;
    m->times.warmup_occurrences = 2 * from;
    m->times.prefix_occurrences = 2 * to;
    double traced_s = 0;
    for (uint64_t i = from; i < to; i++)
        traced_s += other_s + (i % 4 == 1 ? slow_s : base_s);
    m->windows[0] = (Window){2 * from, 2 * to, traced_s * target, traced_s, 0};
}

static void strata_make_any_window_predict_exactly(void **state)
{
    (void)state;
    const double whole_s = 2 * (750 * 0.002 + 250 * 0.02 + 1000 * 0.001);
    for (uint64_t to = 30; to <= 60; to += 10) /* windows of one, two, and three slow ones more than their share */
        for (const char *const *name = (const char *const[]){"process", "slowest", NULL}; *name; name++) {
            Arena *arena = arena_new();
            Uneven u;
            memset(&u, 0, sizeof u);
            make_uneven(&u, 20, to, 2);
            Prediction p = predict(&u.m, *name, arena);
            assert_near(p.predicted_s, whole_s, 1e-9);
            assert_near(p.stationarity, 0, 1e-9);
            assert_near(p.correction_s, 0, 1e-9);
            assert_near(p.pet_s, whole_s, 1e-9);
            arena_free(arena);
        }
}

static void a_stratum_that_was_not_measured_is_scaled_and_said_to_be(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Uneven u;
    memset(&u, 0, sizeof u);
    make_uneven(&u, 20, 60, 2);
    /* Of the forty, the slow ones aren't among what was measured. */
    u.measured[1] = (MeasuredStratum){0, u.times[1], 0};
    memset(u.times[1], 0, sizeof u.times[1]);
    Prediction p = predict(&u.m, "process", arena);
    assert_near(p.predicted_s, 15.0, 1e-9);
    assert_true(p.interval_s[0] < 15.0 - 2 * (0.02 - 0.002) * 230);
    const PhasePrediction *phase = &p.phases[0];
    assert_int_equal(phase->id, 1);
    assert_int_equal(phase->n_strata, 2);
    assert_true(phase->strata[0].measured && !phase->strata[1].measured);
    assert_near(phase->strata[1].time_s, 0.04, 1e-9);
    assert_near(phase->strata[0].total_s + phase->strata[1].total_s, phase->total_s, 1e-9);
    arena_free(arena);
}

static void an_interruption_of_few_occurrences_is_not_multiplied_into_another_stratum(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Uneven u;
    memset(&u, 0, sizeof u);
    make_uneven(&u, 20, 60, 1);
    /* One of the base took ten times as long, none of the slow ones was measured, and the machine is no slower. */
    u.measured[1] = (MeasuredStratum){0, u.times[1], 0};
    memset(u.times[1], 0, sizeof u.times[1]);
    u.measured[0].occurrences = 1;
    for (int p = 0; p < PROCESSES; p++)
        u.times[0][p] = (ProcessTime){1, 0.02};
    Prediction p = predict(&u.m, "process", arena);
    assert_true(p.phases[0].strata[1].time_s > 0.02);
    assert_true(p.phases[0].strata[1].time_s < 0.02 * 1.2); /* not 0.2 */
    arena_free(arena);
}

static void a_rest_that_is_slower_without_computing_is_not_corrected_for(void **state)
{
    (void)state;
    double predicted_s[2];
    for (int computes = 0; computes < 2; computes++) {
        Arena *arena = arena_new();
        Model m;
        make_model(&m, 1000, (double[]){0.002, 0.002}, (double[]){0.002, 0.002});
        static double computed_s[101][2];
        for (int k = 0; k <= 100; k++) {
            for (int i = 0; i < 2; i++)
                computed_s[k][i] = m.times_s[k][i];
            m.milestones[k].phase_compute_s = computed_s[k];
            double more_s = k > 50 ? 10 * (k - 50) * 0.002 : 0;
            m.times_s[k][1] += more_s;
            m.milestones[k].time_s += more_s;
            computed_s[k][1] += computes ? more_s : 0;
        }
        predicted_s[computes] = predict(&m, "process", arena).predicted_s;
        arena_free(arena);
    }
    assert_near(predicted_s[0], 4.0, 1e-9);
    assert_true(predicted_s[1] > 4.5);
}

static void scales_what_was_not_measured_and_says_so(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Model m;
    make_model(&m, 1000, (double[]){0.002, 0.002}, (double[]){0.004, 0.004});
    m.times.n_phases = 1;
    Prediction p = predict(&m, "process", arena);
    assert_near(p.predicted_s, 8.0, 1e-9);
    assert_near(p.measured_coverage, 0.5, 1e-9);
    for (uint32_t i = 0; i < p.n_phases; i++)
        assert_int_equal(p.phases[i].measured, p.phases[i].id == 1);
    arena_free(arena);
}

static void widens_the_interval_with_the_spread_of_windows(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Model m;
    make_model(&m, 1000, (double[]){0.002, 0.002}, (double[]){0.002, 0.002});
    m.windows[0].elapsed_s *= 1.1;
    m.windows[1].elapsed_s *= 0.9;
    Prediction p = predict(&m, "process", arena);
    assert_true(p.interval_s[0] < 3.7 && p.interval_s[1] > 4.3);
    arena_free(arena);
}

/* Events come at another rate in every second stretch of the traced run. */
static void make_rate_uneven(Model *m)
{
    for (int k = 0; k <= 100; k++)
        for (int p = 0; p < PROCESSES; p++)
            m->send_events[k][p] = (uint64_t)(100 * k + (k / 5 % 2 ? 60 : 0));
}

static void widens_the_interval_where_the_order_varies(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Model m;
    make_model(&m, 1000, (double[]){0.002, 0.002}, (double[]){0.002, 0.002});
    make_rate_uneven(&m);
    m.times.agreement = 0.95;
    Prediction little = predict(&m, "process", arena);
    m.times.agreement = 0.3;
    m.times.n_phases = 0;
    Prediction much = predict(&m, "process", arena);
    assert_true(little.order_variation > 0);
    assert_near(much.order_variation, 20 * little.order_variation, 1e-9);
    assert_true(much.interval_s[1] - much.predicted_s > 1.9 * much.order_variation * much.predicted_s);
    arena_free(arena);
}

static void adds_nothing_for_the_order_where_all_phases_came_again(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Model m;
    make_model(&m, 1000, (double[]){0.002, 0.002}, (double[]){0.002, 0.002});
    make_rate_uneven(&m);
    Prediction p = predict(&m, "process", arena);
    assert_near(p.order_variation, 0, 1e-12);
    assert_near(p.interval_s[1], p.predicted_s, 1e-9);
    arena_free(arena);
}

static void refuses_times_of_another_application(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Model m;
    Prediction prediction;
    Err err = {0};
    make_model(&m, 1000, (double[]){0.002, 0.002}, (double[]){0.002, 0.002});
    m.times.application.executable = "other";
    assert_false(predict_run_time(&m.signature, &m.times, "process", arena, &prediction, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_non_null(strstr(err.message, "other"));
    arena_free(arena);
}

static void refuses_strata_that_the_signature_lacks(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Uneven u;
    Prediction prediction;
    Err err = {0};
    memset(&u, 0, sizeof u);
    make_uneven(&u, 20, 60, 2);
    u.m.phases[0].n_strata = 0;
    assert_false(predict_run_time(&u.m.signature, &u.m.times, "process", arena, &prediction, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_non_null(strstr(err.message, "strata"));
    arena_free(arena);
}

static void refuses_times_that_give_no_finite_prediction(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Model m;
    Prediction prediction;
    Err err = {0};
    make_model(&m, 1000, (double[]){0.002, 0.002}, (double[]){0.002, 0.002});
    m.windows[1].reference_s = 1e-308;
    assert_false(predict_run_time(&m.signature, &m.times, "process", arena, &prediction, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    arena_free(arena);
}

static void refuses_phases_that_the_signature_lacks(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Model m;
    Prediction prediction;
    Err err = {0};
    make_model(&m, 1000, (double[]){0.002, 0.002}, (double[]){0.002, 0.002});
    m.measured_phases[1].id = 7;
    assert_false(predict_run_time(&m.signature, &m.times, "process", arena, &prediction, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predicts_a_stationary_run_exactly),
        cmocka_unit_test(reproduces_the_thesis_on_cg),
        cmocka_unit_test(process_estimator_does_not_charge_alternating_bad_luck),
        cmocka_unit_test(corrects_for_a_second_half_that_is_slower),
        cmocka_unit_test(strata_make_any_window_predict_exactly),
        cmocka_unit_test(a_stratum_that_was_not_measured_is_scaled_and_said_to_be),
        cmocka_unit_test(an_interruption_of_few_occurrences_is_not_multiplied_into_another_stratum),
        cmocka_unit_test(a_rest_that_is_slower_without_computing_is_not_corrected_for),
        cmocka_unit_test(scales_what_was_not_measured_and_says_so),
        cmocka_unit_test(widens_the_interval_with_the_spread_of_windows),
        cmocka_unit_test(widens_the_interval_where_the_order_varies),
        cmocka_unit_test(adds_nothing_for_the_order_where_all_phases_came_again),
        cmocka_unit_test(refuses_times_of_another_application),
        cmocka_unit_test(refuses_times_that_give_no_finite_prediction),
        cmocka_unit_test(refuses_strata_that_the_signature_lacks),
        cmocka_unit_test(refuses_phases_that_the_signature_lacks),
    };
    return cmocka_run_group_tests_name("predict", tests, NULL, NULL);
}
