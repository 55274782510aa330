/* SPDX-License-Identifier: BSD-3-Clause */
/* Communication measurements and machine models: their files, and the models that follow from
 * measurements. */
#include "comm/candidates.h"
#include "comm/modelling.h"
#include "unit/example_machine.h"
#include "unit/fixture.h"
#include "unit/near.h"

#include <math.h>
#include <string.h>

static void assert_same_file(void)
{
    const char *a, *b;
    Err err;
    assert_true(files_load_text(in_folder("a"), arena, &a, &err) && files_load_text(in_folder("b"), arena, &b, &err));
    assert_string_equal(a, b);
}

static void a_measurement_comes_back_from_its_file(void **state)
{
    Err err = {0};
    CommMeasurement measurement = example_measurement(), *read;
    assert_true(comm_save(&measurement, in_folder("a"), &err));
    assert_true(comm_load(in_folder("a"), arena, &read, &err));
    assert_true(comm_save(read, in_folder("b"), &err));
    assert_same_file();
    assert_int_equal(read->n_series, 3);
    assert_string_equal(read->series[0].path, "eth0");
    assert_string_equal(read->series[1].method, "window");
    assert_near(read->series[0].points[0].samples_s[1], 1.25e-6, 1e-15);
    assert_int_equal(read->series[0].points[0].launches[2], 1);
    assert_null(read->series[0].points[1].samples_s);
    assert_int_equal(read->problems[1].configuration, UINT32_MAX);
}

static void an_overlap_comes_back_from_its_file(void **state)
{
    Err err = {0};
    CommMeasurement measurement = example_measurement(), *read;
    const CommOverlap overlap = {2e-6, 5e-7, 0.75, NAN, NAN}, exact = {2e-6, 5e-7, 0.75, 0.5, 1};
    CommPoint points[2] = {measurement.series[0].points[0], measurement.series[0].points[1]};
    CommSeries series = measurement.series[0];
    points[0].overlap = &overlap;
    points[1].overlap = &exact;
    series.points = points;
    measurement.n_series = 1;
    measurement.series = &series;
    assert_true(comm_save(&measurement, in_folder("a"), &err));
    assert_true(comm_load(in_folder("a"), arena, &read, &err));
    assert_true(comm_save(read, in_folder("b"), &err));
    assert_same_file();
    assert_near(read->series[0].points[0].overlap->share, 0.75, 1e-12);
    assert_near(read->series[0].points[1].overlap->share_low, 0.5, 1e-12);
}

static void the_rate_of_a_stream_comes_back_from_its_file(void **state)
{
    Err err = {0};
    CommMeasurement measurement = example_measurement(), *read;
    const CommRate rate = {2e9, 1e6, 0.9e6, 1.1e6, 3e9, 1.5e6};
    CommPoint point = measurement.series[0].points[0];
    CommSeries series = measurement.series[0];
    point.rate = &rate;
    series.n_points = 1;
    series.points = &point;
    measurement.n_series = 1;
    measurement.series = &series;
    assert_true(comm_save(&measurement, in_folder("a"), &err));
    assert_true(comm_load(in_folder("a"), arena, &read, &err));
    assert_true(comm_save(read, in_folder("b"), &err));
    assert_same_file();
    assert_near(read->series[0].points[0].rate->high_messages_per_s, 1.1e6, 1e-3);
}

static void a_machine_model_comes_back_from_its_file(void **state)
{
    Err err = {0};
    MachineModel machine = example_machine(), *read;
    assert_true(machine_save(&machine, in_folder("a"), &err));
    assert_true(machine_load(in_folder("a"), arena, &read, &err));
    assert_true(machine_save(read, in_folder("b"), &err));
    assert_same_file();
    assert_int_equal(read->paths[0].segments[1].from_bytes, 4097);
    assert_near(read->paths[0].segments[0].s_per_byte.high, 2e-9, 1e-20);
    assert_false(read->paths[1].linear);
    assert_string_equal(read->collectives[0].model, "binomial tree");
}

static bool load_text(const char *text, MachineModel **machine, Err *err)
{
    assert_true(files_save_text(in_folder("a"), text, err));
    return machine_load(in_folder("a"), arena, machine, err);
}

static void a_model_of_computing_alone_comes_back_from_its_file(void **state)
{
    Err err = {0};
    MachineModel *machine, *read;
    CpuOperation operation;
    CpuType type;
    assert_true(load_text("{\"format\": \"firma machine\", \"version\": 1, \"processors\": [{\"name\": \"old\", "
                          "\"cores\": 2, \"hosts\": [\"anna\"], \"languages\": [{\"language\": \"c\", "
                          "\"benchmark_s\": 2, \"operations\": {\"sum_double\": [1e-9, 2.5e-9]}}]}]}",
                          &machine, &err));
    assert_true(machine_save(machine, in_folder("a"), &err) && machine_load(in_folder("a"), arena, &read, &err));
    assert_true(machine_save(read, in_folder("b"), &err));
    assert_same_file();
    const CpuModel *old = machine_find_processor(read, "old");
    assert_true(old && old->n_cores == 2 && cpu_costs(old, "c") && !cpu_costs(old, "java"));
    assert_string_equal(old->hosts[0], "anna");
    assert_true(cpu_find("sum_double", &operation, &type));
    assert_near(cpu_costs(old, "c")->cost_s[operation][type].high, 2.5e-9, 1e-20);
    assert_true(cpu_find("sum_int8", &operation, &type));
    assert_true(cpu_costs(old, "c")->cost_s[operation][type].high < 0);
    assert_false(cpu_find("sum", &operation, &type) || cpu_find("double_sum", &operation, &type));
    assert_false(load_text("{\"format\": \"firma machine\", \"version\": 1, \"processors\": [{\"name\": \"old\", "
                           "\"cores\": 2, \"hosts\": [], \"languages\": [{\"language\": \"c\", "
                           "\"benchmark_s\": 2, \"operations\": {\"visit_double\": [1e-9, 2.5e-9]}}]}]}",
                           &machine, &err));
    assert_non_null(strstr(err.message, "visit_double: unknown operation"));
    assert_non_null(strstr(err.hint, "measure anew: firma machine cpu"));
}

static void costs_in_context_are_found_by_the_options_that_change_code(void **state)
{
    Err err = {0};
    MachineModel *machine;
    assert_true(
        load_text("{\"format\": \"firma machine\", \"version\": 1, \"processors\": [{\"name\": \"old\", "
                  "\"cores\": 1, \"languages\": [{\"language\": \"c\", \"options\": \"-O2\", \"benchmark_s\": 1, "
                  "\"operations\": {\"element_double\": [1e-9, 2e-9]}, \"far\": [{\"operation\": \"element\", "
                  "\"near_bytes\": 1024, \"cost_s\": [1e-9, 3e-9]}]}, {\"language\": \"c\", "
                  "\"benchmark_s\": 1, \"operations\": {}}]}]}",
                  &machine, &err));
    const CpuModel *old = machine_find_processor(machine, "old");
    const CpuCosts *in_context = cpu_costs_at(old, "c", "-I. -O0 -Wall -O2 -lm");
    assert_ptr_equal(in_context, &old->languages[0]);
    assert_ptr_equal(cpu_costs_at(old, "c", "-O2 -fopenmp"), in_context);
    assert_ptr_equal(cpu_costs(old, "c"), &old->languages[1]);
    assert_null(cpu_costs_at(old, "c", ""));
    assert_null(cpu_costs_at(old, "c", "-O2 -march=native"));
    assert_null(cpu_costs_at(old, "java", "-O2"));
    assert_true(machine_has_context(machine));
    /* Two doublings beyond near_bytes. A stray element that wasn't measured costs what an element does. */
    assert_near(cpu_cost(in_context, CPU_ELEMENT, CPU_DOUBLE, 1000).high, 2e-9, 1e-20);
    assert_near(cpu_cost(in_context, CPU_ELEMENT, CPU_DOUBLE, 4096).high, 8e-9, 1e-20);
    assert_near(cpu_cost(in_context, CPU_STRAY, CPU_DOUBLE, 4096).low, 1e-9, 1e-20);
    assert_true(cpu_cost(in_context, CPU_SUM, CPU_DOUBLE, 0).high < 0);
    assert_near(cpu_cost(in_context, CPU_SURPRISE, CPU_INT32, 0).high, 0, 0);
}

/* 1 KiB to 2, 4 and 8 KiB: a half, a half, and all; from there on as between the last two. */
static void distances_may_have_a_shape(void **state)
{
    Err err = {0};
    MachineModel *machine;
    assert_true(
        load_text("{\"format\": \"firma machine\", \"version\": 1, \"processors\": [{\"name\": \"old\", "
                  "\"cores\": 1, \"languages\": [{\"language\": \"c\", \"options\": \"-O2\", \"benchmark_s\": 1, "
                  "\"operations\": {}, \"far\": [{\"operation\": \"roam\", \"near_bytes\": 1024, "
                  "\"cost_s\": [2e-9, 4e-9], \"shape\": [0.5, 0.5, 1]}]}]}]}",
                  &machine, &err));
    const CpuCosts *costs = cpu_costs_at(machine_find_processor(machine, "old"), "c", "-O2");
    const double bytes[] = {1000, 1024 * sqrt(2), 2048, 4096, 8192, 16384},
                 expected_s[] = {0, 1e-9, 2e-9, 2e-9, 4e-9, 6e-9};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        assert_near(cpu_cost(costs, CPU_ROAM, CPU_INT64, bytes[i]).high, expected_s[i], 1e-20);
}

static void an_operation_that_is_none_is_refused_by_its_place(void **state)
{
    Err err = {0};
    MachineModel *machine;
    assert_false(load_text("{\"format\": \"firma machine\", \"version\": 1, \"processors\": [{\"name\": \"old\", "
                           "\"cores\": 1, \"languages\": [{\"language\": \"c\", \"benchmark_s\": 1, "
                           "\"operations\": {\"sum_complex\": [0, 1]}}]}]}",
                           &machine, &err));
    assert_error(err, ERR_INPUT, "processors[0].languages[0].operations.sum_complex");
}

static void what_is_not_a_number_is_not_written(void **state)
{
    static const double wrong[] = {NAN, INFINITY, -1e-6};
    for (size_t i = 0; i < 3; i++) {
        Err err = {0};
        CommMeasurement measurement = example_measurement();
        CommSeries series = measurement.series[0];
        CommPoint point = series.points[0];
        point.median_s = wrong[i];
        series.points = &point;
        series.n_points = measurement.n_series = 1;
        measurement.series = &series;
        assert_false(comm_save(&measurement, in_folder("a"), &err));
        assert_error(err, ERR_BUG, "series[0].points[0].median_s");
        MachineModel machine = example_machine();
        MachinePath path = machine.paths[0];
        path.largest_error = wrong[i];
        machine.paths = &path;
        machine.n_paths = 1;
        assert_false(machine_save(&machine, in_folder("a"), &err));
        assert_non_null(strstr(err.message, "paths[0].largest_error"));
        assert_false(files_exist(in_folder("a")));
    }
}

static void a_sample_that_is_not_a_number_is_not_dropped_silently(void **state)
{
    Err err = {0};
    const double samples_s[] = {1e-6, NAN, 1e-6};
    CommMeasurement measurement = example_measurement();
    CommSeries series = measurement.series[0];
    CommPoint point = series.points[0];
    point.samples_s = samples_s;
    series.points = &point;
    series.n_points = measurement.n_series = 1;
    measurement.series = &series;
    assert_false(comm_save(&measurement, in_folder("a"), &err));
    assert_non_null(strstr(err.message, "samples_s"));
}

static void configurations_are_named_by_their_words(void **state)
{
    assert_string_equal(comm_configuration_name(&example_configurations[0], arena), "openmpi tcp");
    assert_string_equal(comm_configuration_name(&example_configurations[1], arena), "pvm direct raw");
}

static void a_message_costs_what_its_segment_says(void **state)
{
    MachineModel machine = example_machine();
    assert_near(machine_message_s(&machine.paths[0], 0), 1e-6, 1e-18);
    assert_near(machine_message_s(&machine.paths[0], 4096), 5.096e-6, 1e-15);
    assert_near(machine_message_s(&machine.paths[0], 4097), 8.194e-6, 1e-15);
}

/* True if a segment of the path begins between two neighbouring sizes. */
static bool has_switch(const MachinePath *path, uint64_t from_bytes, uint64_t to_bytes)
{
    for (uint32_t i = 1; i < path->n_segments; i++)
        if (path->segments[i].from_bytes > from_bytes && path->segments[i].from_bytes <= to_bytes)
            return true;
    return false;
}

/* Measured on two processors that other programs used, too. The eager limits are those of the
 * libraries' settings. */
static void eager_limits_are_found_in_what_a_busy_host_measured(void **state)
{
    const char *directory = getenv("TEST_DATA");
    if (!directory)
        skip();
    static const struct {
        CommConfiguration configuration;
        uint64_t from_bytes, to_bytes;
        double least_latency_s, most_latency_s;
    } expected[] = {{{"openmpi", "shm", "", ""}, 2896, 4096, 0.4e-6, 0.6e-6},
                    {{"openmpi", "tcp", "", ""}, 46341, 65536, 6e-6, 9e-6},
                    {{"mpich", "shm", "", ""}, 8192, 11585, 0.5e-6, 0.7e-6},
                    {{"mpich", "tcp", "", ""}, 5793, 8192, 5e-6, 8e-6}};
    Err err = {0};
    CommMeasurement *measurement;
    if (!comm_load(arena_printf(arena, "%s/pingpong-busy-host.json", directory), arena, &measurement, &err))
        fail_msg("%s", err.message);
    const MachineModel *machine = modelling_make(measurement, COMM_MEDIAN, arena);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const MachinePath *path = machine_find_path(machine, &expected[i].configuration, 0, 0);
        assert_non_null(path);
        assert_true(path->n_segments <= 4);
        assert_true(has_switch(path, expected[i].from_bytes, expected[i].to_bytes));
        double latency_s = path->segments[0].latency_s.value;
        assert_true(expected[i].least_latency_s < latency_s && latency_s < expected[i].most_latency_s);
        for (uint32_t k = 0; k < path->n_segments; k++)
            assert_true(path->segments[k].error < 0.1);
    }
}

/* ---- candidates ---- */

enum { SIZES = 8, MOST_SERIES = 4 };

typedef struct Made {
    CommPoint points[MOST_SERIES][SIZES];
    CommSeries series[MOST_SERIES];
    const CommSeries *pointers[MOST_SERIES];
} Made;

/* Measurements that follow a candidate, with errors of some percent to both sides. */
static void measure(const Candidate *candidate, const uint32_t *n_ranks, uint32_t n_series, Made *made)
{
    const double alpha_s = 20e-6, s_per_byte = 9e-9;
    bool is_barrier = strcmp(candidate->operation, "barrier") == 0;
    for (uint32_t i = 0; i < n_series; i++) {
        double p = n_ranks[i];
        made->series[i] = (CommSeries){.operation = candidate->operation,
                                       .method = "window",
                                       .n_ranks = n_ranks[i],
                                       .n_points = is_barrier ? 1 : SIZES,
                                       .points = made->points[i]};
        for (uint32_t k = 0; k < made->series[i].n_points; k++) {
            double bytes = is_barrier ? 0 : exp2(3 * k), error = 1 + 0.02 * ((int)(k + i) % 3 - 1);
            double time_s =
                error * (candidate->latency_factor(p) * alpha_s + candidate->byte_factor(p) * bytes * s_per_byte);
            made->points[i][k] = (CommPoint){
                .bytes = (uint64_t)bytes, .n_samples = 10, .median_s = time_s, .low_s = time_s, .high_s = time_s};
        }
        made->pointers[i] = &made->series[i];
    }
}

/* The factor if one candidate is a multiple of the other. Then times can't tell them apart, and α
 * and β may have any value. */
static double multiple(const Candidate *a, const Candidate *b, const uint32_t *n_ranks, uint32_t n)
{
    double ratio = a->latency_factor(n_ranks[0]) / b->latency_factor(n_ranks[0]);
    for (uint32_t i = 0; i < n; i++)
        if (fabs(a->latency_factor(n_ranks[i]) - ratio * b->latency_factor(n_ranks[i])) > 1e-9 ||
            fabs(a->byte_factor(n_ranks[i]) - ratio * b->byte_factor(n_ranks[i])) > 1e-9)
            return 0;
    return ratio;
}

static void each_candidate_is_recognised_from_what_it_costs(void **state)
{
    static const uint32_t n_ranks[] = {2, 3, 5, 8};
    for (unsigned i = 0; i < n_candidates; i++) {
        Made made;
        uint32_t n_fits;
        measure(&candidates[i], n_ranks, MOST_SERIES, &made);
        const CandidateFit *fits = candidates_fit(made.pointers, MOST_SERIES, COMM_MEDIAN, arena, &n_fits);
        assert_true(n_fits > 0);
        double ratio = multiple(&candidates[i], fits[0].candidate, n_ranks, MOST_SERIES);
        if (ratio == 0)
            fail_msg("%s: %s is taken for %s", candidates[i].operation, candidates[i].name, fits[0].candidate->name);
        assert_true(fits[0].error < 0.03);
        assert_near(fits[0].latency_s.value, ratio * 20e-6, ratio * 1e-6);
        if (candidates[i].byte_factor(2) > 0)
            assert_near(fits[0].s_per_byte.value, ratio * 9e-9, ratio * 0.3e-9);
        for (uint32_t k = 1; k < n_fits; k++)
            assert_true(fits[k - 1].mean_error <= fits[k].mean_error + 1e-6);
    }
}

static void one_number_of_processes_does_not_tell_candidates_apart(void **state)
{
    static const uint32_t n_ranks[] = {4};
    Made made;
    uint32_t n_fits;
    unsigned first = 0;
    while (strcmp(candidates[first].operation, "allreduce") != 0)
        first++;
    measure(&candidates[first + 2], n_ranks, 1, &made);
    const CandidateFit *fits = candidates_fit(made.pointers, 1, COMM_MEDIAN, arena, &n_fits);
    assert_int_equal(n_fits, 4);
    for (uint32_t i = 0; i < n_fits; i++) {
        assert_ptr_equal(fits[i].candidate, &candidates[first + i]);
        assert_near(fits[i].error, fits[0].error, 1e-6);
    }
}

static void what_messages_cost_tells_candidates_apart_that_tie(void **state)
{
    static const uint32_t n_ranks[] = {5};
    const CostSegment segment = {0, {20e-6, 20e-6, 20e-6}, {9e-9, 9e-9, 9e-9}, 0};
    const MachinePath path = {.n_segments = 1, .segments = &segment};
    for (unsigned i = 0; i < n_candidates; i++) {
        Made made;
        uint32_t n_fits;
        measure(&candidates[i], n_ranks, 1, &made);
        const CandidateFit *fits = candidates_fit(made.pointers, 1, COMM_MEDIAN, arena, &n_fits);
        assert_string_equal(candidates_choose(fits, n_fits, &path)->candidate->name, candidates[i].name);
        assert_ptr_equal(candidates_choose(fits, n_fits, NULL), &fits[0]);
    }
}

static void factors_are_above_zero_wherever_there_are_processes(void **state)
{
    for (unsigned i = 0; i < n_candidates; i++)
        for (double p = 2; p <= 4096; p++)
            assert_true(candidates[i].latency_factor(p) > 0 && candidates[i].byte_factor(p) >= 0);
}

static void a_measurement_becomes_paths_and_collectives(void **state)
{
    Err err = {0};
    CommMeasurement measurement = example_measurement();
    MachineModel *machine = modelling_make(&measurement, COMM_MEDIAN, arena);
    assert_int_equal(machine->n_hosts, 2);
    assert_int_equal(machine->n_paths, 1); /* the other series of ping-pongs is empty */
    assert_string_equal(machine->paths[0].configuration.middleware, "openmpi");
    assert_int_equal(machine->paths[0].to_host, 1);
    assert_int_equal(machine->n_collectives, 1);
    assert_string_equal(machine->collectives[0].operation, "barrier");
    assert_int_equal(machine->collectives[0].most_ranks, 4);
    assert_true(machine_save(machine, in_folder("a"), &err));
}

/* Shortest times are 1 µs + n · 1 ns, medians 2 µs + n · 3 ns. */
static void a_model_describes_the_statistic_that_was_chosen(void **state)
{
    static const double latencies_s[] = {[COMM_MEDIAN] = 2e-6, [COMM_MINIMUM] = 1e-6},
                        per_byte_s[] = {[COMM_MEDIAN] = 3e-9, [COMM_MINIMUM] = 1e-9};
    CommPoint points[8];
    for (uint32_t i = 0; i < 8; i++) {
        double least_s = 1e-6 + 1e-9 * (double)(64 << i), median_s = 2e-6 + 3e-9 * (double)(64 << i);
        points[i] = (CommPoint){.bytes = 64ULL << i,
                                .minimum_s = least_s,
                                .minimum_high_s = 1.01 * least_s,
                                .median_s = median_s,
                                .low_s = 0.99 * median_s,
                                .high_s = 1.01 * median_s};
    }
    const CommSeries series = {.operation = "pingpong", .method = "", .n_points = 8, .points = points};
    CommMeasurement measurement = example_measurement();
    measurement.n_series = 1;
    measurement.series = &series;
    for (CommStatistic statistic = COMM_MEDIAN; statistic <= COMM_MINIMUM; statistic++) {
        const MachineModel *machine = modelling_make(&measurement, statistic, arena);
        assert_int_equal(machine->statistic, statistic);
        assert_int_equal(machine->paths[0].n_segments, 1);
        assert_near(machine->paths[0].segments[0].latency_s.value, latencies_s[statistic], 1e-12);
        assert_near(machine->paths[0].segments[0].s_per_byte.value, per_byte_s[statistic], 1e-15);
    }
}

static void a_model_of_the_shortest_times_leaves_disturbances_out(void **state)
{
    CommPoint points[8];
    for (uint32_t i = 0; i < 8; i++) {
        double least_s = 1e-6 + 1e-9 * (double)(1 << i);
        points[i] = (CommPoint){.bytes = 1ULL << i,
                                .minimum_s = least_s,
                                .minimum_high_s = 1.01 * least_s,
                                .median_s = 20e-3,
                                .low_s = 1e-3,
                                .high_s = 40e-3};
    }
    const CommSeries series = {.operation = "pingpong", .method = "", .n_points = 8, .points = points};
    CommMeasurement measurement = example_measurement();
    measurement.n_series = 1;
    measurement.series = &series;
    MachineModel *machine = modelling_make(&measurement, COMM_MINIMUM, arena), *read;
    Err err = {0};
    assert_near(machine->paths[0].segments[0].latency_s.value, 1e-6, 1e-8);
    assert_true(machine_save(machine, in_folder("a"), &err) && machine_load(in_folder("a"), arena, &read, &err));
    assert_int_equal(read->statistic, COMM_MINIMUM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(a_measurement_comes_back_from_its_file),
        fixture_test(an_overlap_comes_back_from_its_file),
        fixture_test(the_rate_of_a_stream_comes_back_from_its_file),
        fixture_test(a_machine_model_comes_back_from_its_file),
        fixture_test(a_model_of_computing_alone_comes_back_from_its_file),
        fixture_test(costs_in_context_are_found_by_the_options_that_change_code),
        fixture_test(distances_may_have_a_shape),
        fixture_test(an_operation_that_is_none_is_refused_by_its_place),
        fixture_test(what_is_not_a_number_is_not_written),
        fixture_test(a_sample_that_is_not_a_number_is_not_dropped_silently),
        fixture_test(configurations_are_named_by_their_words),
        cmocka_unit_test(a_message_costs_what_its_segment_says),
        fixture_test(eager_limits_are_found_in_what_a_busy_host_measured),
        fixture_test(each_candidate_is_recognised_from_what_it_costs),
        fixture_test(one_number_of_processes_does_not_tell_candidates_apart),
        fixture_test(what_messages_cost_tells_candidates_apart_that_tie),
        cmocka_unit_test(factors_are_above_zero_wherever_there_are_processes),
        fixture_test(a_measurement_becomes_paths_and_collectives),
        fixture_test(a_model_describes_the_statistic_that_was_chosen),
        fixture_test(a_model_of_the_shortest_times_leaves_disturbances_out),
    };
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
