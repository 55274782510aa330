/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocating tasks to workers, turning models into expressions, and expressions into intervals. */
#include "base/files.h"
#include "cost/predict/allocate.h"
#include "cost/predict/calibrated.h"
#include "cost/predict/measured.h"
#include "cost/predict/predict.h"
#include "cost/predict/scale.h"
#include "cost/predict/task_parts.h"
#include "test.h"
#include "unit/near.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Fixture {
    Arena *arena;
    CpuCosts costs[2];
    CpuModel kinds[2];
    MachineModel machine;
    PredictOptions options;
} Fixture;

static int make_fixture(void **state)
{
    static Fixture fixture;
    fixture = (Fixture){.arena = arena_new()};
    for (size_t kind = 0; kind < 2; kind++) {
        CpuCosts *costs = &fixture.costs[kind];
        *costs = (CpuCosts){.language = "c", .compiler = "", .options = "", .benchmark_s = kind ? 1 : 2};
        for (size_t i = 0; i < CPU_OPERATIONS; i++)
            for (size_t j = 0; j < CPU_TYPES; j++)
                costs->cost_s[i][j] = (Interval){0, -1};
        costs->cost_s[CPU_SUM][CPU_DOUBLE] = kind ? (Interval){1, 2} : (Interval){2, 4};
        fixture.kinds[kind] = (CpuModel){.name = kind ? "fast" : "old",
                                         .processor = "",
                                         .date = "",
                                         .command = "",
                                         .n_cores = kind ? 2 : 1,
                                         .n_languages = 1,
                                         .languages = costs};
    }
    fixture.machine = (MachineModel){.n_processors = 2, .processors = fixture.kinds, .date = "", .command = ""};
    fixture.options = (PredictOptions){.machine = &fixture.machine, .without_messages = true};
    *state = &fixture;
    return 0;
}

static int free_fixture(void **state)
{
    arena_free(((Fixture *)*state)->arena);
    return 0;
}

/* --- allocation --- */

static void tasks_are_shared_by_performance(void **state)
{
    uint64_t counts[3];
    allocate_tasks(100, (const double[]){0.5, 1, 0.5}, 3, counts);
    assert_true(counts[0] == 25 && counts[1] == 50 && counts[2] == 25);
}

static void tasks_left_over_go_to_the_largest_remainders_and_lower_workers(void **state)
{
    uint64_t counts[3];
    allocate_tasks(10, (const double[]){1, 1, 1}, 3, counts);
    assert_true(counts[0] == 4 && counts[1] == 3 && counts[2] == 3);
    allocate_tasks(1, (const double[]){0.5, 1, 0.5}, 3, counts);
    assert_true(counts[0] == 0 && counts[1] == 1 && counts[2] == 0);
}

static void all_tasks_are_given_however_workers_differ(void **state)
{
    double performance[40];
    uint64_t counts[40];
    srandom(3);
    for (unsigned round = 0; round < 2000; round++) {
        size_t n = 1 + (size_t)random() % 40;
        uint64_t n_tasks = (uint64_t)random() % 1000, sum = 0;
        double total = 0;
        for (size_t i = 0; i < n; i++)
            total += performance[i] = (double)(1 + random() % 1000) / 1000;
        allocate_tasks(n_tasks, performance, n, counts);
        for (size_t i = 0; i < n; i++) {
            double exact = (double)n_tasks * performance[i] / total;
            assert_true((double)counts[i] > exact - 1 && (double)counts[i] < exact + 1);
            sum += counts[i];
        }
        assert_true(sum == n_tasks);
    }
}

/* --- models written by hand --- */

static bool predict_text(Fixture *fixture, const char *text, const MachineChoice *choices, size_t n,
                         CostPrediction **prediction, Err *err)
{
    PamelaModel *model;
    Predictor *predictor = NULL;
    if (!pamela_parse("model", text, expr_space_new(fixture->arena), fixture->arena, &model, err))
        fail_msg("%s", err->message);
    bool ok = predictor_of_model(model, &fixture->options, fixture->arena, &predictor, err) &&
              predictor_predict(predictor, choices, n, prediction, err);
    predictor_end(predictor);
    return ok;
}

static CostPrediction *predicted(Fixture *fixture, const char *text, const MachineChoice *choices, size_t n)
{
    CostPrediction *prediction;
    Err err = {0};
    if (!predict_text(fixture, text, choices, n, &prediction, &err))
        fail_msg("%s", err.message);
    return prediction;
}

static const MachineChoice one_old[] = {{"old", 1, 1}}, mixed[] = {{"old", 3, 1}, {"fast", 2, 1}};

static void sequential_parts_add_up_and_parallel_ones_take_the_longest(void **state)
{
    Fixture *fixture = *state;
    const CostPrediction *prediction = predicted(
        fixture, "main = { 3 sum_double[1]; 5 sum_double[4] || 2 sum_double[1]; seq (i = 1, 10) sum_double[5] }", mixed,
        2);
    assert_near(prediction->without_contention_s.low, 6 + 5 + 10, 1e-9);
    assert_near(prediction->time_s.high, 2 * (6 + 5 + 10), 1e-9);
}

static void what_runs_on_one_processor_contends_for_it(void **state)
{
    Fixture *fixture = *state;
    const CostPrediction *prediction =
        predicted(fixture, "main = par (j = 1, 8) { sum_double[2]; delay(3) }", mixed, 2);
    assert_near(prediction->without_contention_s.low, 5, 1e-9);
    assert_near(prediction->time_s.low, 16, 1e-9);
    assert_string_equal(prediction->bottleneck, "processor of old 2");
}

static void workers_beyond_the_cores_share_them(void **state)
{
    Fixture *fixture = *state;
    const MachineChoice four[] = {{"fast", 1, 4}}, two[] = {{"fast", 1, 2}};
    const char *text = "parameter P\nmain = par (w = 1, P) 10 sum_double[w]";
    assert_near(predicted(fixture, text, two, 1)->time_s.low, 10, 1e-9);
    assert_near(predicted(fixture, text, four, 1)->time_s.low, 20, 1e-9);
}

static void stages_that_wait_for_each_other_do_not_overlap(void **state)
{
    Fixture *fixture = *state;
    const CostPrediction *prediction =
        predicted(fixture, "main = { par (j = 1, 4) sum_double[1]; par (j = 1, 4) sum_double[2] }", mixed, 2);
    assert_near(prediction->paper_s.low, 8, 1e-9);
    assert_near(prediction->time_s.low, 16, 1e-9);
    assert_int_equal(prediction->expressions->n_stages, 2);
}

static void ten_thousand_machines_are_as_short_as_two(void **state)
{
    Fixture *fixture = *state;
    const MachineChoice many[] = {{"fast", 10000, 1}};
    const CostPrediction *prediction =
        predicted(fixture, "parameter P\nparameter n = 7\nmain = par (w = 1, P) n sum_double[w]", many, 1);
    assert_int_equal(prediction->expressions->whole.n_resources, 1);
    assert_string_equal(expr_text(prediction->expressions->whole.without_contention, fixture->arena),
                        "n*t_sum_double[fast]");
    assert_near(prediction->time_s.high, 14, 1e-9);
}

static void a_probability_that_nobody_gives_is_one_half_and_said_to_be_assumed(void **state)
{
    Fixture *fixture = *state;
    const CostPrediction *prediction =
        predicted(fixture, "parameter Q_7\nmain = if (x, Q_7) 10 sum_double", one_old, 1);
    assert_near(prediction->time_s.low, 10, 1e-9);
    assert_string_equal(prediction->numbers[0].name, "Q_7");
    assert_int_equal(prediction->numbers[0].origin, NUMBER_ASSUMED);
}

static void all_parameters_without_a_value_are_named_with_their_comments(void **state)
{
    Fixture *fixture = *state;
    CostPrediction *prediction;
    Err err = {0};
    assert_false(predict_text(
        fixture, "parameter n\nparameter rounds at \"pi.c:30\"  # a while loop\nmain = n*rounds sum_double\n", one_old,
        1, &prediction, &err));
    assert_error(err, ERR_INPUT, "n; rounds (pi.c:30: a while loop)");
}

static void operations_that_were_not_measured_are_named(void **state)
{
    Fixture *fixture = *state;
    CostPrediction *prediction;
    Err err = {0};
    assert_false(predict_text(fixture, "main = { sum_double; mod_int64; sqrt_double }", one_old, 1, &prediction, &err));
    assert_non_null(strstr(err.message, "mod_int64 on old, sqrt_double on old"));
}

static void formulas_that_stand_for_each_other_are_an_error_that_shows_them(void **state)
{
    Fixture *fixture = *state;
    CostPrediction *prediction;
    Err err = {0};
    PamelaModel *model;
    Predictor *predictor = NULL;
    ExprSpace *space = expr_space_new(fixture->arena);
    const ExprPlace place = {"set", 1, 1};
    CostValue set[] = {{.name = "a"}, {.name = "b"}};
    assert_true(expr_parse(space, "b + 1", &place, &set[0].value, &err) &&
                expr_parse(space, "2*a", &place, &set[1].value, &err));
    assert_true(
        pamela_parse("model", "parameter a\nparameter b\nmain = a sum_double", space, fixture->arena, &model, &err));
    fixture->options.set = set;
    fixture->options.n_set = 2;
    assert_true(predictor_of_model(model, &fixture->options, fixture->arena, &predictor, &err));
    assert_false(predictor_predict(predictor, one_old, 1, &prediction, &err));
    assert_non_null(strstr(err.message, "a -> b -> a"));
    predictor_end(predictor);
}

static void a_processor_that_is_not_there_is_an_error(void **state)
{
    Fixture *fixture = *state;
    CostPrediction *prediction;
    Err err = {0};
    assert_false(predict_text(fixture, "main = par (w = 1, 6) sum_double[w]", mixed, 2, &prediction, &err));
    assert_non_null(strstr(err.message, "there is no processor 6"));
}

static void the_last_sub_model_has_no_processor_of_its_caller(void **state)
{
    Fixture *fixture = *state;
    CostPrediction *prediction;
    Err err = {0};
    assert_false(predict_text(fixture, "main = sum_double[p]", one_old, 1, &prediction, &err));
    assert_non_null(strstr(err.message, "nothing calls the last sub-model"));
}

/* --- applications of batches --- */

static const char task_text[] = "parameter Q_3 = 1/2 at \"prime.c:3\"  # is_prime\n"
                                "test(x) = if (is_prime, Q_3) 100 sum_double\n"
                                "search(a, b) = seq (x = a + 1, b) test(x)\n";

static Predictor *application(Fixture *fixture, const char *q, const char *text)
{
    static PaslBinding arguments[2], values[1];
    static PaslBatch batch;
    static PaslApplication app;
    static const PamelaModel *models[1];
    const ExprPlace place = {"flow", 1, 1};
    ExprSpace *space = expr_space_new(fixture->arena);
    PamelaModel *model;
    Predictor *predictor;
    Err err = {0};
    batch = (PaslBatch){.name = "primes",
                        .language = "c",
                        .source = "",
                        .options = "",
                        .entry = "search",
                        .tasks = expr_integer(space, 10),
                        .n_arguments = 2,
                        .arguments = arguments,
                        .receives_bytes = expr_integer(space, 0),
                        .returns_bytes = expr_integer(space, 0)};
    arguments[0].name = "a";
    arguments[1].name = "b";
    assert_true(expr_parse(space, "100*(task - 1)", &place, &arguments[0].value, &err) &&
                expr_parse(space, "100*task", &place, &arguments[1].value, &err));
    if (q) {
        values[0].name = "prime.c:3";
        assert_true(expr_parse(space, q, &place, &values[0].value, &err));
        batch.n_values = 1;
        batch.values = values;
    }
    assert_true(pamela_parse("model", text, space, fixture->arena, &model, &err));
    models[0] = model;
    app = (PaslApplication){.name = "primes", .file = "", .space = space, .n_batches = 1, .batches = &batch};
    if (!predictor_new(&app, models, &fixture->options, fixture->arena, &predictor, &err))
        fail_msg("%s", err.message);
    return predictor;
}

static double time_of(Predictor *predictor, const MachineChoice *choices, size_t n)
{
    CostPrediction *prediction;
    Err err = {0};
    if (!predictor_predict(predictor, choices, n, &prediction, &err))
        fail_msg("%s", err.message);
    return prediction->time_s.low;
}

static void batches_are_allocated_and_the_slowest_worker_counts(void **state)
{
    Fixture *fixture = *state;
    const MachineChoice both[] = {{"old", 1, 1}, {"fast", 1, 1}};
    Predictor *predictor = application(fixture, NULL, task_text);
    assert_near(time_of(predictor, one_old, 1), 10 * 100 * 50 * 2, 1e-6);
    assert_near(time_of(predictor, both, 2), 7 * 100 * 50, 1e-6); /* 3 and 7 tasks: 300·100, 350·100 */
    predictor_end(predictor);
}

static void a_probability_may_be_a_formula_in_the_tasks_parameters(void **state)
{
    Fixture *fixture = *state;
    Predictor *predictor = application(fixture, "(b - a)/(b + a)", task_text);
    double sum = 0;
    for (int task = 1; task <= 10; task++)
        sum += 100 * 100 * 2 * (100.0 / (200 * task - 100));
    assert_near(time_of(predictor, one_old, 1), sum, 1e-6);
    predictor_end(predictor);
}

static void a_calibrated_scale_replaces_the_models_width(void **state)
{
    Fixture *fixture = *state;
    const Calibration calibrations[] = {{.batch = "primes", .kind = "old", .scale = {0.4, 0.5}}};
    CostPrediction *prediction;
    Err err = {0};
    fixture->options.calibrations = calibrations;
    fixture->options.n_calibrations = 1;
    Predictor *predictor = application(fixture, NULL, task_text);
    assert_true(predictor_predict(predictor, one_old, 1, &prediction, &err));
    assert_true(prediction->is_calibrated);
    assert_near(prediction->time_s.low, 10 * 100 * 50 * 3 * 0.4, 1e-6);
    assert_near(prediction->time_s.high, 10 * 100 * 50 * 3 * 0.5, 1e-6);
    assert_false(predictor_predict(predictor, mixed, 2, &prediction, &err));
    assert_non_null(strstr(err.message, "lacks batch `primes` on fast"));
    predictor_end(predictor);
}

static void a_scale_is_of_the_workers_on_a_machine(void **state)
{
    Fixture *fixture = *state;
    const Calibration calibrations[] = {
        {.batch = "primes", .kind = "fast", .scale = {0.4, 0.5}, .busy_scale = {0.9, 1.25}}};
    const MachineChoice one[] = {{"fast", 1, 1}}, two[] = {{"fast", 1, 2}}, many[] = {{"fast", 1, 3}};
    CostPrediction *prediction;
    Err err = {0};
    fixture->kinds[1].n_cores = 3;
    fixture->options.calibrations = calibrations;
    fixture->options.n_calibrations = 1;
    Predictor *predictor = application(fixture, NULL, task_text);
    const struct {
        const MachineChoice *choice;
        double low, high;
    } expected[] = {{one, 0.4, 0.5}, {two, 0.6, sqrt(0.5 * 1.25)}, {many, 0.9, 1.25}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        size_t n_scales = 0;
        assert_true(predictor_predict(predictor, expected[i].choice, 1, &prediction, &err));
        for (size_t k = 0; k < prediction->n_numbers; k++)
            if (strncmp(prediction->numbers[k].name, "scale_", 6) == 0) {
                assert_near(prediction->numbers[k].value.low, expected[i].low, 1e-9);
                assert_near(prediction->numbers[k].value.high, expected[i].high, 1e-9);
                n_scales++;
            }
        assert_int_equal(n_scales, 1);
    }
    predictor_end(predictor);
}

typedef struct Refusal {
    Fixture *fixture;
    PaslApplication *application;
    PamelaModel *model;
    PredictOptions how;
    Calibration calibration;
    const char *far;
} Refusal;

static Refusal calibrated(Fixture *fixture)
{
    static const char flow[] = "application app\nparameter N = 100\n"
                               "batch b { language c source \"b.c\" options \"-O2\" entry f tasks 1 }\n";
    static const double measured_s[] = {1};
    static const TaskSize size = {"N", 100};
    static const CalibrationRun run = {
        .predicted = {.computation_s = 3}, .n_measured = 1, .measured_s = measured_s, .n_sizes = 1, .sizes = &size};
    Refusal refusal = {.fixture = fixture, .calibration = {.batch = "b", .kind = "old", .n_runs = 1, .runs = &run}};
    Err err = {0};
    if (!pasl_parse("app.pasl", flow, fixture->arena, &refusal.application, &err) ||
        !pamela_parse("model", "f = { sum_double }", refusal.application->space, fixture->arena, &refusal.model, &err))
        fail_msg("%s", err.message);
    return refusal;
}

static bool is_accepted(Refusal *refusal, Err *err)
{
    const PamelaModel *models[] = {refusal->model};
    const CalibratedUse use = {refusal->application, models, &refusal->how};
    Arena *arena = refusal->fixture->arena;
    const Calibration *scaled;
    size_t n;
    refusal->how.machine = &refusal->fixture->machine;
    refusal->how.n_calibrations = 1;
    refusal->how.calibrations = &refusal->calibration;
    refusal->calibration.cpu = &refusal->fixture->kinds[0];
    if (!refusal->calibration.model)
        calibrated_describe(&use, 0, &refusal->calibration, arena);
    return calibrated_check(&use, "c.json", arena, err) &&
           calibrated_scale(&use, &n, &scaled, &refusal->far, arena, err);
}

static void a_calibration_is_for_its_model_options_and_costs(void **state)
{
    Fixture *fixture = *state;
    Refusal refusal = calibrated(fixture);
    Err err = {0};
    assert_true(is_accepted(&refusal, &err));
    assert_string_equal(refusal.far, "");

    fixture->costs[1].cost_s[CPU_SUM][CPU_DOUBLE].high = 2.5; /* of another kind */
    assert_true(is_accepted(&refusal, &err));
    fixture->costs[0].cost_s[CPU_SUM][CPU_DOUBLE].high = 5;
    assert_false(is_accepted(&refusal, &err));
    assert_string_equal(err.message, "c.json: batch `b` on old was calibrated with other costs of operations than the "
                                     "machine model has");
    fixture->costs[0].cost_s[CPU_SUM][CPU_DOUBLE].high = 4;
    const CpuFar far = {.operation = "element", .near_bytes = 1000, .cost_s = {1, 2}};
    fixture->costs[0].far = &far;
    fixture->costs[0].n_far = 1;
    assert_false(is_accepted(&refusal, &(Err){0}));
    fixture->costs[0].n_far = 0;

    refusal.calibration.options = "-O0";
    err = (Err){0};
    assert_false(is_accepted(&refusal, &err));
    assert_non_null(strstr(err.message, "the compiler's options `-O0` instead of `-O2`"));
    refusal.calibration.options = "-O2";

    err = (Err){0};
    if (!pamela_parse("model", "f = { 2 sum_double }", refusal.application->space, fixture->arena, &refusal.model,
                      &err))
        fail_msg("%s", err.message);
    assert_false(is_accepted(&refusal, &err));
    assert_non_null(strstr(err.message, "another model of its task"));
}

static void sizes_far_from_the_calibrated_ones_are_named(void **state)
{
    Fixture *fixture = *state;
    Refusal refusal = calibrated(fixture);
    Err err = {0};
    assert_true(is_accepted(&refusal, &err));
    const CostValue eight[] = {{"N", expr_integer(refusal.application->space, 800), NULL}},
                    nine[] = {{"N", expr_integer(refusal.application->space, 900), NULL}};
    refusal.how.n_set = 1;
    refusal.how.set = eight;
    assert_true(is_accepted(&refusal, &err));
    assert_string_equal(refusal.far, "");
    refusal.how.set = nine;
    assert_true(is_accepted(&refusal, &err));
    assert_string_equal(refusal.far, "N = 900 instead of 100");
}

/* The scales of a task's calibration on old, and what is carried from there to fast. */
static void scale_both(Fixture *fixture, const char *task, Interval *old, Interval *fast)
{
    Refusal refusal = calibrated(fixture);
    Err err = {0};
    const Calibration *scaled;
    size_t n;
    if (!pamela_parse("model", task, refusal.application->space, fixture->arena, &refusal.model, &err) ||
        !is_accepted(&refusal, &err))
        fail_msg("%s", err.message);
    const PamelaModel *models[] = {refusal.model};
    const CalibratedUse use = {refusal.application, models, &refusal.how};
    assert_true(calibrated_scale(&use, &n, &scaled, &refusal.far, fixture->arena, &err));
    assert_int_equal(n, 2);
    assert_string_equal(scaled[0].kind, "old");
    assert_null(scaled[0].carried);
    assert_string_equal(scaled[1].kind, "fast");
    assert_string_equal(scaled[1].carried, "old");
    *old = scaled[0].scale;
    *fast = scaled[1].scale;
}

static double width_of(Interval scale)
{
    return log(scale.high / scale.low);
}

static void a_calibration_is_carried_to_a_kind_that_has_none_by_its_costs(void **state)
{
    Fixture *fixture = *state;
    Interval old, fast, uneven;
    /* Each operation is twice as fast there: the same ratio of measured to predicted time. */
    fixture->costs[0].cost_s[CPU_SUM][CPU_DOUBLE] = (Interval){2, 98};
    fixture->costs[1].cost_s[CPU_SUM][CPU_DOUBLE] = (Interval){1, 49};
    scale_both(fixture, "f = { sum_double }", &old, &fast);
    assert_near(old.low * old.high, fast.low * fast.high, 1e-9);
    assert_true(width_of(fast) > width_of(old));
    /* One is as fast on both kinds. */
    fixture->costs[0].cost_s[CPU_MUL][CPU_DOUBLE] = fixture->costs[1].cost_s[CPU_MUL][CPU_DOUBLE] = (Interval){1, 99};
    scale_both(fixture, "f = { sum_double; mul_double }", &old, &uneven);
    assert_true(width_of(uneven) > width_of(fast) * 1.02);
}

static void what_is_carried_is_never_wider_than_the_models_interval(void **state)
{
    Fixture *fixture = *state;
    Interval old, fast;
    fixture->costs[0].cost_s[CPU_MUL][CPU_DOUBLE] = fixture->costs[1].cost_s[CPU_MUL][CPU_DOUBLE] = (Interval){3, 3};
    scale_both(fixture, "f = { sum_double; mul_double }", &old, &fast);
    assert_near(fast.low, 4 / 4.5, 1e-9);
    assert_near(fast.high, 5 / 4.5, 1e-9);
}

/* Runs of tasks that take exactly so long, at three sizes, each twice as large as the one before. */
typedef struct Law {
    double startup_s, computation, ordered, scattered; /* factors on what is predicted */
} Law;

enum { LAW_SIZES = 3 };

typedef struct Calibrated {
    double times_s[LAW_SIZES][2];
    CalibrationRun runs[LAW_SIZES];
    Calibration calibration;
} Calibrated;

static TaskParts task_of_size(double size)
{
    return (TaskParts){.computation_s = size,
                       .ordered_s = size > 2 ? 0.1 * size * log2(size / 2) : 0,
                       .scattered_s = size > 1 ? 0.2 * size * log2(size) : 0,
                       .data_bytes = size * (1 << 20)};
}

static double law_s(const Law *law, TaskParts task)
{
    return law->startup_s + law->computation * task.computation_s + law->ordered * task.ordered_s +
           law->scattered * task.scattered_s;
}

static void calibrate(Calibrated *made, const Law *law, double first_size, size_t n_sizes)
{
    made->calibration = (Calibration){.n_runs = n_sizes, .runs = made->runs};
    for (size_t i = 0; i < n_sizes; i++) {
        TaskParts task = task_of_size(first_size * (double)(1 << i));
        made->times_s[i][0] = made->times_s[i][1] = law_s(law, task);
        made->runs[i] = (CalibrationRun){.predicted = task, .n_measured = 2, .measured_s = made->times_s[i]};
    }
}

static bool holds(const Calibrated *made, const Law *law, double size, double *width)
{
    TaskParts task = task_of_size(size);
    Interval scale = scale_at(&made->calibration, task, 0);
    double truth = law_s(law, task) / task_parts_s(task);
    *width = (scale.high - scale.low) / truth;
    return scale.low <= truth && truth <= scale.high;
}

static void runs_at_several_sizes_tell_startup_from_computation(void **state)
{
    Calibrated made;
    double width;
    (void)state;
    static const Law laws[] = {{0, 0.4, 0, 0}, {0.1, 2, 0, 0}, {0.01, 0.5, 0, 0}};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        calibrate(&made, &laws[i], 1.0 / 64, 3);
        assert_true(holds(&made, &laws[i], 8 * 4.0 / 64, &width));
        assert_true(width < (laws[i].startup_s > 0 ? 0.8 : 0.2));
    }
}

static void workers_beside_a_task_count_apart(void **state)
{
    Calibrated made;
    (void)state;
    const Law law = {0, 1, 0, 0};
    const double slower = 1.4;
    calibrate(&made, &law, 1.0 / 64, 2);
    made.runs[1].predicted = made.runs[0].predicted;
    made.runs[1].busy = 1;
    made.times_s[1][0] = made.times_s[1][1] = slower * made.times_s[0][0];
    Interval alone = scale_at(&made.calibration, task_of_size(1.0 / 64), 0),
             busy = scale_at(&made.calibration, task_of_size(1.0 / 64), 1);
    assert_true(alone.low < 1 && 1 < alone.high && alone.high / alone.low < 1.2);
    assert_true(busy.low < slower && slower < busy.high && busy.high / busy.low < 1.2);
}

static void memory_counts_where_sizes_show_it(void **state)
{
    Calibrated made;
    double width;
    (void)state;
    static const Law in_order = {0, 0.5, 0.1, 0}, everywhere = {0, 0.5, 0.1, 2};
    calibrate(&made, &in_order, 1, 3);
    assert_true(holds(&made, &in_order, 32, &width));
    calibrate(&made, &everywhere, 4, 3);
    assert_true(holds(&made, &everywhere, 32, &width));
    double near = width;
    assert_true(holds(&made, &everywhere, 128, &width));
    assert_true(width > near);
}

static void one_size_scales_its_own_and_is_wider_for_others(void **state)
{
    Calibrated made;
    double here, there, farther;
    (void)state;
    const Law law = {0, 3, 0, 0};
    calibrate(&made, &law, 1.0 / 64, 1);
    assert_true(holds(&made, &law, 1.0 / 64, &here) && holds(&made, &law, 2.0 / 64, &there) &&
                holds(&made, &law, 16.0 / 64, &farther));
    assert_true(here < there && there < farther);
}

static void a_size_that_ran_takes_what_it_took(void **state)
{
    Calibrated made;
    double width;
    (void)state;
    const Law law = {0, 1, 0, 0}, slower = {0, 1.3, 0, 0};
    calibrate(&made, &law, 1.0 / 64, 3);
    made.times_s[1][0] = made.times_s[1][1] = law_s(&slower, made.runs[1].predicted);
    assert_true(holds(&made, &slower, 2.0 / 64, &width) && !holds(&made, &law, 2.0 / 64, &width));
}

static void data_that_malloc_takes_anew_widen_the_interval(void **state)
{
    Calibrated made;
    double reused, anew;
    (void)state;
    const Law law = {0, 0.5, 0.1, 0};
    calibrate(&made, &law, 4, 3);
    assert_true(holds(&made, &law, 32, &reused) && holds(&made, &law, 33, &anew));
    assert_true(anew > 1.5 * reused);
}

static void sizes_that_follow_no_law_give_a_finite_interval(void **state)
{
    Calibrated made;
    (void)state;
    const Law law = {0, 1, 0, 0};
    calibrate(&made, &law, 1, LAW_SIZES);
    made.times_s[0][0] = made.times_s[0][1] = 1e9;
    made.times_s[2][0] = made.times_s[2][1] = 1e-12;
    Interval scale = scale_at(&made.calibration, task_of_size(1e12), 0);
    assert_true(0 <= scale.low && scale.low < scale.high && isfinite(scale.high));
}

static void the_shortest_run_counts_as_surely_as_the_next_one_is_near(void **state)
{
    Calibrated made;
    double quiet, disturbed, unsure, once;
    static const double near_s[] = {9, 1, 1, 3}, far_s[] = {1.3, 1.2, 1, 1.4};
    (void)state;
    const Law law = {0, 1, 0, 0};
    calibrate(&made, &law, 1, 1);
    assert_true(holds(&made, &law, 1, &quiet));
    made.runs[0].measured_s = near_s;
    made.runs[0].n_measured = 4;
    assert_true(holds(&made, &law, 1, &disturbed));
    const CalibrationSpread spread = calibration_spread(&made.calibration, 1);
    assert_true(spread.middle == 2 && spread.most == 9);
    made.runs[0].measured_s = far_s;
    assert_true(holds(&made, &law, 1, &unsure));
    made.runs[0].measured_s = near_s + 1;
    made.runs[0].n_measured = 1;
    assert_true(holds(&made, &law, 1, &once));
    assert_near(disturbed, quiet, 1e-12);
    assert_true(quiet < 0.2 && once > 1.1 * quiet && unsure > once);
}

static void a_placed_model_reads_again_as_what_it_costs(void **state)
{
    Fixture *fixture = *state;
    CostPrediction *prediction;
    Err err = {0};
    Predictor *predictor = application(fixture, "(b - a)/(b + a)", task_text);
    assert_true(predictor_predict(predictor, mixed, 2, &prediction, &err));
    const char *text = pamela_text(prediction->model, fixture->arena);
    double expected = prediction->time_s.high;
    predictor_end(predictor);
    assert_near(predicted(fixture, text, mixed, 2)->time_s.high, expected, 1e-6);
}

/* Of a flow whose tasks have one argument, the number of their operations: a second each on `fast`. */
static const CostPrediction *of_flow(Fixture *fixture, const char *flow, const MachineChoice *choices, size_t n)
{
    PaslApplication *application;
    PamelaModel *model;
    Predictor *predictor = NULL;
    CostPrediction *prediction;
    Err err = {0};
    const PamelaModel *models[3];
    if (!pasl_parse("app.pasl", flow, fixture->arena, &application, &err) ||
        !pamela_parse("model", "work(n) = n sum_double", application->space, fixture->arena, &model, &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        models[i] = model;
    if (!predictor_new(application, models, &fixture->options, fixture->arena, &predictor, &err) ||
        !predictor_predict(predictor, choices, n, &prediction, &err))
        fail_msg("%s", err.message);
    predictor_end(predictor);
    return prediction;
}

static void a_workers_tasks_of_a_level_add_up(void **state)
{
    static const char flow[] = "application app\n"
                               "batch a { source w.c entry work tasks 1 argument n = 10 }\n"
                               "batch b { source w.c entry work tasks 1 argument n = 10 }\n"
                               "batch c { source w.c entry work tasks 3 argument n = task }\n";
    const MachineChoice two[] = {{"fast", 1, 2}};
    const CostPrediction *prediction = of_flow(*state, flow, two, 1);
    assert_near(prediction->time_s.low, 10 + 10 + 1 + 2, 1e-9);
    assert_near(prediction->time_s.high, 2 * (10 + 10 + 1 + 2), 1e-9);
    assert_int_equal(prediction->expressions->n_stages, 1);
    assert_false(prediction->is_bounded);
}

/* All four compute, then three, two, one. */
static void workers_with_differently_much_to_do_share_processors(void **state)
{
    static const char flow[] = "application app\n"
                               "batch a { source w.c entry work tasks 4 argument n = task }\n"
                               "batch b { source w.c entry work tasks 4 argument n = 10*task }\n"
                               "batch c { source w.c entry work tasks 1 argument n = 5 }\n"
                               "flow a -> b -> c\n";
    const MachineChoice four[] = {{"fast", 1, 4}};
    const double time_s = (4 + (1 + 2) / 2.0) * 11 + 5;
    const CostPrediction *prediction = of_flow(*state, flow, four, 1);
    assert_near(prediction->time_s.low, time_s, 1e-9);
    assert_near(prediction->time_s.high, 2 * time_s, 1e-9);
    assert_near(prediction->paper_s.low, 5 * 11 + 2.5, 1e-9);
    assert_int_equal(prediction->expressions->n_stages, 3);
    assert_true(prediction->is_bounded);
    assert_near(prediction->workers_a_processor, 2, 0);
}

static void the_machine_whose_workers_share_longest_counts(void **state)
{
    static const char flow[] = "application app\nbatch a { source w.c entry work tasks 9 argument n = task }\n";
    const MachineChoice old_first[] = {{"old", 1, 1}, {"fast", 2, 4}};
    assert_near(of_flow(*state, flow, old_first, 2)->time_s.low, 9 + (6 + 7) / 2.0, 1e-9);
}

static void measured_times_are_read_by_the_names_of_columns(void **state)
{
    Fixture *fixture = *state;
    char path[] = "/tmp/firma-measured-test-XXXXXX";
    TaskRuns runs;
    Err err = {0};
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_true(files_save_text(path, "run, time, workers\n1, 2.5, 4\n2, 2.75,4\n\n", &err));
    assert_true(measured_load(path, fixture->arena, &runs, &err));
    assert_true(runs.count == 2 && runs.items[1].n_workers == 4);
    assert_near(runs.items[1].time_s, 2.75, 1e-12);
    assert_true(files_save_text(path, "workers,time\n4,soon\n", &err));
    assert_false(measured_load(path, fixture->arena, &runs, &err));
    assert_non_null(strstr(err.message, ":2:3: `soon` is not a number"));
    remove(path);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, free_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tasks_are_shared_by_performance),
        TEST(tasks_left_over_go_to_the_largest_remainders_and_lower_workers),
        TEST(all_tasks_are_given_however_workers_differ),
        TEST(sequential_parts_add_up_and_parallel_ones_take_the_longest),
        TEST(what_runs_on_one_processor_contends_for_it),
        TEST(workers_beyond_the_cores_share_them),
        TEST(stages_that_wait_for_each_other_do_not_overlap),
        TEST(ten_thousand_machines_are_as_short_as_two),
        TEST(a_probability_that_nobody_gives_is_one_half_and_said_to_be_assumed),
        TEST(all_parameters_without_a_value_are_named_with_their_comments),
        TEST(operations_that_were_not_measured_are_named),
        TEST(formulas_that_stand_for_each_other_are_an_error_that_shows_them),
        TEST(a_processor_that_is_not_there_is_an_error),
        TEST(the_last_sub_model_has_no_processor_of_its_caller),
        TEST(batches_are_allocated_and_the_slowest_worker_counts),
        TEST(a_probability_may_be_a_formula_in_the_tasks_parameters),
        TEST(a_calibrated_scale_replaces_the_models_width),
        TEST(a_scale_is_of_the_workers_on_a_machine),
        TEST(a_calibration_is_for_its_model_options_and_costs),
        TEST(sizes_far_from_the_calibrated_ones_are_named),
        TEST(a_calibration_is_carried_to_a_kind_that_has_none_by_its_costs),
        TEST(what_is_carried_is_never_wider_than_the_models_interval),
        TEST(runs_at_several_sizes_tell_startup_from_computation),
        TEST(workers_beside_a_task_count_apart),
        TEST(memory_counts_where_sizes_show_it),
        TEST(one_size_scales_its_own_and_is_wider_for_others),
        TEST(a_size_that_ran_takes_what_it_took),
        TEST(data_that_malloc_takes_anew_widen_the_interval),
        TEST(sizes_that_follow_no_law_give_a_finite_interval),
        TEST(the_shortest_run_counts_as_surely_as_the_next_one_is_near),
        TEST(a_placed_model_reads_again_as_what_it_costs),
        TEST(a_workers_tasks_of_a_level_add_up),
        TEST(workers_with_differently_much_to_do_share_processors),
        TEST(the_machine_whose_workers_share_longest_counts),
        TEST(measured_times_are_read_by_the_names_of_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
