/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks that go to the first free worker: runs that were scheduled by hand, and the intervals of predictions. */
#include "cost/predict/predict.h"
#include "cost/predict/schedule.h"
#include "test.h"
#include "unit/near.h"

#include <stdlib.h>

/* --- schedules by hand --- */

typedef struct Given {
    double message_s;        /* each, in both directions */
    const double *compute_s; /* [tasks] on group 0; half as much on group 1 */
} Given;

static ScheduleTask cost_of(const void *self, uint64_t task, size_t group)
{
    const Given *given = self;
    return (ScheduleTask){given->message_s, given->compute_s[task] / (group ? 2 : 1), given->message_s};
}

static double scheduled(const CostGroup *groups, size_t n_groups, const Given *given, uint64_t n, uint64_t *worker_of)
{
    const CostPlatform platform = {.n_groups = n_groups, .groups = groups};
    return schedule_time(&platform, &(ScheduleTasks){n, cost_of, given}, worker_of);
}

/* Both are free at 5; the last task ends at 5 + 4. */
static void the_first_free_worker_gets_the_next_task(void **state)
{
    const CostGroup group = {"k", 1, 2, 2};
    const Given given = {0, (const double[]){5, 2, 3, 4}};
    uint64_t worker_of[4];
    assert_near(scheduled(&group, 1, &given, 4, worker_of), 9, 0);
    assert_true(worker_of[0] == 0 && worker_of[1] == 1 && worker_of[2] == 1);
}

/*     link      give 1 | give 2 |      | take 1 | give 3 | take 2 |          | take 3
 *     worker 1           1……………………5                          7………………………11
 *     worker 2                    2……………………6      */
static void the_master_does_one_message_at_a_time(void **state)
{
    const CostGroup group = {"k", 1, 2, 2};
    const Given given = {1, (const double[]){4, 4, 4}};
    uint64_t worker_of[3];
    assert_near(scheduled(&group, 1, &given, 3, worker_of), 12, 0);
    assert_true(worker_of[0] == 0 && worker_of[1] == 1 && worker_of[2] == 0);
}

/* Two workers on one core: the second task ends at 4, and the first one has 2 seconds left. The third begins then, and
 * ends at 6; the first one ends at 7. */
static void workers_of_a_machine_share_its_cores(void **state)
{
    const CostGroup group = {"k", 1, 2, 1};
    const Given given = {0, (const double[]){4, 2, 1}};
    assert_near(scheduled(&group, 1, &given, 3, NULL), 7, 1e-12);
}

/* The fast worker takes 1 second for a task, the slow one 2: it has the fourth task when the third has ended. */
static void faster_workers_get_more_tasks(void **state)
{
    const CostGroup groups[] = {{"old", 1, 1, 1}, {"fast", 1, 1, 1}};
    const Given given = {0, (const double[]){2, 2, 2, 2, 2, 2}};
    uint64_t worker_of[6], n_fast = 0;
    assert_near(scheduled(groups, 2, &given, 6, worker_of), 4, 0);
    for (size_t i = 0; i < 6; i++)
        n_fast += worker_of[i];
    assert_int_equal(n_fast, 4);
}

static void nothing_to_do_takes_no_time(void **state)
{
    const CostGroup group = {"k", 3, 2, 1};
    const Given given = {1, (const double[]){3}};
    assert_near(scheduled(&group, 1, &given, 0, NULL), 0, 0);
    assert_near(scheduled(&group, 1, &given, 1, NULL), 5, 0);
}

/* --- predictions --- */

enum { N_TASKS = 10 };

typedef struct Fixture {
    Arena *arena;
    CpuCosts costs[2];
    CpuModel kinds[2];
    MachineModel machine;
    PredictOptions options;
    Predictor *predictor;
} Fixture;

/* Task t sums up 100/t doubles, which take 2 to 4 s on an old machine, and 1 to 2 s on a fast one. */
static int make_fixture(void **state)
{
    static const char flow[] = "application a\nbatch b { source w.pamela entry work tasks 10 argument n = 100/task }\n"
                               "batch c { source w.pamela entry work tasks 1 argument n = 5 }\nflow b -> c\n";
    static Fixture fixture;
    static const PamelaModel *models[2];
    PaslApplication *application;
    PamelaModel *model;
    Err err = {0};
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
                                         .n_cores = 2,
                                         .n_languages = 1,
                                         .languages = costs};
    }
    fixture.machine = (MachineModel){.n_processors = 2, .processors = fixture.kinds, .date = "", .command = ""};
    fixture.options = (PredictOptions){.machine = &fixture.machine, .without_messages = true, .is_dynamic = true};
    if (!pasl_parse("flow", flow, fixture.arena, &application, &err) ||
        !pamela_parse("model", "work(n) = n sum_double\n", application->space, fixture.arena, &model, &err))
        fail_msg("%s", err.message);
    models[0] = models[1] = model;
    if (!predictor_new(application, models, &fixture.options, fixture.arena, &fixture.predictor, &err))
        fail_msg("%s", err.message);
    *state = &fixture;
    return 0;
}

static int free_fixture(void **state)
{
    Fixture *fixture = *state;
    predictor_end(fixture->predictor);
    arena_free(fixture->arena);
    return 0;
}

static const CostPrediction *predicted(Fixture *fixture, const MachineChoice *choices, size_t n)
{
    CostPrediction *prediction;
    Err err = {0};
    if (!predictor_predict(fixture->predictor, choices, n, &prediction, &err))
        fail_msg("%s", err.message);
    return prediction;
}

/* Each task is added to the worker with less to do; 5 s of batch c follow. */
static void equal_workers_have_the_times_of_the_cheapest_and_the_dearest_costs(void **state)
{
    double load[2] = {0, 0};
    uint64_t n[2] = {0, 0};
    for (int task = 1; task <= N_TASKS; task++) {
        const int worker = load[1] < load[0];
        load[worker] += 100.0 / task;
        n[worker]++;
    }
    const double sums = fmax(load[0], load[1]) + 5;
    const CostPrediction *prediction = predicted(*state, &(MachineChoice){"fast", 1, 2}, 1);
    assert_true(prediction->is_dynamic);
    assert_near(prediction->time_s.low, sums, 1e-6);
    assert_near(prediction->time_s.high, 2 * sums, 1e-6);
    assert_near(prediction->without_contention_s.low, 100 + 5, 1e-6);
    assert_near(prediction->resource_s[0].low, (292.896825396825 + 5) / 2, 1e-6);
    assert_true(prediction->counts[0][0] == n[0] && prediction->counts[0][1] == n[1]);
}

/* With two kinds of machines, the run with all costs at their ends may be longer or shorter than others. */
typedef struct Drawn {
    double sum_s[2];
    bool is_last;
} Drawn;

static ScheduleTask drawn_cost(const void *self, uint64_t task, size_t group)
{
    const Drawn *drawn = self;
    const double n = drawn->is_last ? 5 : 100.0 / (double)(task + 1);
    return (ScheduleTask){0, n * drawn->sum_s[group], 0};
}

static void all_costs_within_the_intervals_are_within_the_predicted_one(void **state)
{
    const MachineChoice both[] = {{"old", 1, 1}, {"fast", 1, 1}};
    const CostGroup groups[] = {{"old", 1, 1, 2}, {"fast", 1, 1, 2}};
    const CostPlatform platform = {.n_groups = 2, .groups = groups};
    const CostPrediction *prediction = predicted(*state, both, 2);
    srandom(5);
    for (int round = 0; round < 5000; round++) {
        const double old = (double)(random() % 1001) / 1000, fast = (double)(random() % 1001) / 1000;
        Drawn drawn = {{2 + 2 * old, 1 + fast}, false};
        double time_s = schedule_time(&platform, &(ScheduleTasks){N_TASKS, drawn_cost, &drawn}, NULL);
        drawn.is_last = true;
        time_s += schedule_time(&platform, &(ScheduleTasks){1, drawn_cost, &drawn}, NULL);
        assert_true(prediction->time_s.low <= time_s && time_s <= prediction->time_s.high);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_fixture, free_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_free_worker_gets_the_next_task),
        cmocka_unit_test(the_master_does_one_message_at_a_time),
        cmocka_unit_test(workers_of_a_machine_share_its_cores),
        cmocka_unit_test(faster_workers_get_more_tasks),
        cmocka_unit_test(nothing_to_do_takes_no_time),
        TEST(equal_workers_have_the_times_of_the_cheapest_and_the_dearest_costs),
        TEST(all_costs_within_the_intervals_are_within_the_predicted_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
