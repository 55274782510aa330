/* SPDX-License-Identifier: BSD-3-Clause */
/* The plans of `firma comm`, and the results that it computes from workers' records, without a
 * worker. */
#include "comm/collect.h"
#include "comm/hosts.h"
#include "comm/path.h"
#include "comm/plan.h"
#include "comm/summary.h"
#include "comm/word.h"
#include "unit/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int setup(void **state)
{
    *state = arena_new();
    return 0;
}

static int teardown(void **state)
{
    arena_free(*state);
    return 0;
}

/* ---- hosts ---- */

static bool load_hosts(const char *text, Arena *arena, Hosts *hosts, Err *err)
{
    static const char *const agent[] = {"ssh", NULL};
    char path[] = "/tmp/firma-hosts-XXXXXX";
    int file = mkstemp(path);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    bool ok = hosts_load(path, agent, arena, hosts, err);
    unlink(path);
    return ok;
}

static void hosts_have_names_addresses_and_processors(void **state)
{
    Hosts hosts;
    Err err = {0};
    assert_true(
        load_hosts("# ours\nalpha\nbeta 10.0.0.2\n\ngamma 10.0.0.3 0,2 # fast\ndelta 3\n", *state, &hosts, &err));
    assert_int_equal(hosts.n, 4);
    assert_string_equal(hosts.items[0].address, "alpha");
    assert_string_equal(hosts.items[1].address, "10.0.0.2");
    assert_int_equal(hosts.items[2].n_cpus, 2);
    assert_int_equal(hosts.items[2].cpus[1], 2);
    assert_string_equal(hosts.items[3].address, "delta");
    assert_int_equal(hosts.items[3].cpus[0], 3);
}

static void a_wrong_line_of_hosts_is_named(void **state)
{
    static const char *const texts[] = {"alpha\nbeta 10.0.0.2 x\n", "alpha\nalpha\n", "a b c d\n",  "a\n-oProxy=x\n",
                                        "alpha\nbeta 1,,2\n",       "a\n/bin/sh\n",   "a\nb\xff\n", "a\nb $(x)\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Hosts hosts;
        Err err = {0};
        assert_false(load_hosts(texts[i], *state, &hosts, &err));
        assert_int_equal(err.kind, ERR_INPUT);
        assert_non_null(strstr(err.message, ", line "));
    }
}

static void one_host_in_the_file_is_too_few(void **state)
{
    Hosts hosts;
    Err err = {0};
    assert_false(load_hosts("alpha\n", *state, &hosts, &err));
    assert_non_null(strstr(err.message, "only one host"));
}

/* ---- plan ---- */

static const uint64_t sizes[] = {1, 1024};
static const uint32_t ranks[] = {2, 3};

static CommRequest request_on(uint32_t n_hosts, Arena *arena)
{
    Host *hosts = arena_new_array(arena, Host, n_hosts);
    for (uint32_t i = 0; i < n_hosts; i++)
        hosts[i] = (Host){.name = arena_printf(arena, "host%u", i), .address = ""};
    return (CommRequest){.hosts = {n_hosts, hosts, NULL},
                         .target = 0.05,
                         .n_sizes = 2,
                         .sizes = sizes,
                         .n_collective_sizes = 2,
                         .collective_sizes = sizes,
                         .n_ranks = 2,
                         .ranks = ranks,
                         .method = "window"};
}

static void everything_is_planned_on_one_host(void **state)
{
    CommRequest request = request_on(1, *state);
    CommPlan plan;
    Err err = {0};
    assert_true(plan_make(&request, *state, &plan, &err));
    assert_int_equal(plan.n_configurations, 13);
    /* One ping-pong each, and two numbers of processes for each with collectives: four with MPI,
     * six with PVM. */
    assert_int_equal(plan.n_launches, 13 + 2 * 10);
}

static void what_stays_in_memory_is_not_measured_between_hosts(void **state)
{
    static const char *const only[] = {"openmpi", "os:unix", NULL};
    CommRequest request = request_on(2, *state);
    CommPlan plan;
    Err err = {0};
    request.only = only;
    assert_true(plan_make(&request, *state, &plan, &err));
    for (uint32_t i = 0; i < plan.n_launches; i++) {
        const char *transport = plan.configurations[plan.launches[i].configuration].transport;
        assert_true(plan.launches[i].place == PLACE_LOCAL || strcmp(transport, "tcp") == 0);
    }
    /* Three in a host, one between hosts, and collectives of two (not three) processes between
     * hosts. */
    assert_int_equal(plan.n_launches, 3 + 1 + 1);
}

static void configurations_are_selected_from_the_left(void **state)
{
    static const char *const only[] = {"pvm:direct", "mpich:tcp", NULL};
    CommRequest request = request_on(1, *state);
    CommPlan plan;
    Err err = {0};
    request.only = only;
    assert_true(plan_make(&request, *state, &plan, &err));
    assert_int_equal(plan.n_configurations, 4);
    assert_string_equal(plan.configurations[0].middleware, "mpich");
    assert_string_equal(plan.configurations[3].packing, "inplace");
}

static void unknown_names_are_refused(void **state)
{
    static const char *const names[] = {"openmp", "openmpi:ib", "openmpi:tcp:raw", "os:", "", "pvm:direct:raw:x"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *only[] = {names[i], NULL};
        CommRequest request = request_on(1, *state);
        CommPlan plan;
        Err err = {0};
        request.only = only;
        assert_false(plan_make(&request, *state, &plan, &err));
        assert_int_equal(err.kind, ERR_USAGE);
        request.only = NULL;
        request.operations = only;
        assert_false(plan_make(&request, *state, &plan, &err));
        assert_int_equal(err.kind, ERR_USAGE);
    }
}

static void a_request_survives_as_one_word(void **state)
{
    json_t *document = json_pack("{s:s}", "text", "a 'b' \"c\" $d\n%");
    const char *word = word_pack(document, *state);
    assert_int_equal(strspn(word, "0123456789abcdef"), strlen(word));
    json_t *back = json_loads(word_unpack(word, *state), 0, NULL);
    assert_true(json_equal(document, back));
    assert_null(word_unpack("{\"a\":1}", *state));
    json_decref(document);
    json_decref(back);
}

/* ---- records ---- */

typedef struct Collecting {
    CommRequest request;
    CommPlan plan;
    Collection *collection;
} Collecting;

static void begin(Collecting *c, const char *only, Arena *arena)
{
    const char **list = arena_new_array(arena, const char *, 2);
    Err err = {0};
    list[0] = only;
    c->request = request_on(1, arena);
    c->request.only = list;
    assert_true(plan_make(&c->request, arena, &c->plan, &err));
    c->collection = collection_new(&c->request, &c->plan, arena);
}

static CommMeasurement end(Collecting *c, Arena *arena)
{
    CommMeasurement measurement = {0};
    collection_finish(c->collection, true, arena, &measurement);
    collection_free(c->collection);
    return measurement;
}

#define SAMPLES(bytes, list)                                                                                           \
    "{\"record\":\"samples\",\"operation\":\"pingpong\",\"bytes\":" bytes                                              \
    ",\"ranks\":2,\"from\":0,\"to\":1,\"batch\":1,\"samples_s\":[" list "]}"

static void samples_of_all_launches_make_one_point(void **state)
{
    Collecting c;
    begin(&c, "os:tcp", *state);
    collection_begin(c.collection, &c.plan.launches[0]);
    collection_take(c.collection, SAMPLES("1024", "3e-6, 1e-6, 2e-6"));
    collection_take(c.collection, SAMPLES("1", "1e-6"));
    assert_int_equal(collection_take(c.collection, "{\"record\":\"done\",\"seconds\":1,\"complete\":true}"), LINE_DONE);
    assert_true(collection_end(c.collection, 0, NULL));
    collection_begin(c.collection, &c.plan.launches[0]);
    collection_take(c.collection, SAMPLES("1024", "5e-6, 4e-6"));
    collection_take(c.collection, "{\"record\":\"done\",\"seconds\":1,\"complete\":true}");
    assert_true(collection_end(c.collection, 0, NULL));
    CommMeasurement m = end(&c, *state);
    assert_int_equal(m.n_series, 1);
    assert_int_equal(m.series[0].n_points, 2);
    const CommPoint *point = &m.series[0].points[1];
    assert_int_equal(point->bytes, 1024);
    assert_int_equal(point->n_samples, 5);
    assert_near(point->minimum_s, 1e-6, 1e-12);
    assert_near(point->median_s, 3e-6, 1e-12);
    assert_near(point->mean_s, 3e-6, 1e-12);
    assert_false(point->reached);
    assert_int_equal(point->launches[4], 2);
    assert_int_equal(m.n_problems, 0);
}

static void launches_that_differ_widen_the_interval(void **state)
{
    Collecting c;
    begin(&c, "os:tcp", *state);
    for (int launch = 0; launch < 2; launch++) {
        collection_begin(c.collection, &c.plan.launches[0]);
        for (int i = 0; i < 50; i++)
            collection_take(c.collection, launch ? SAMPLES("1", "3e-6") : SAMPLES("1", "1e-6, 1e-6"));
        collection_take(c.collection, "{\"record\":\"done\",\"seconds\":1,\"complete\":true}");
        collection_end(c.collection, 0, NULL);
    }
    CommMeasurement m = end(&c, *state);
    assert_near(m.series[0].points[0].median_s, 1e-6, 1e-12);
    assert_near(m.series[0].points[0].high_s, 3e-6, 1e-12);
    assert_false(m.series[0].points[0].reached);
}

static void what_was_measured_before_a_death_is_kept_and_the_death_named(void **state)
{
    Collecting c;
    begin(&c, "openmpi:tcp", *state);
    collection_begin(c.collection, &c.plan.launches[0]);
    collection_take(c.collection, SAMPLES("1", "1e-6"));
    assert_int_equal(collection_take(c.collection, "{\"record\":\"samples\",\"sam"), LINE_OTHER);
    assert_int_equal(collection_take(c.collection, "mpirun noticed that process rank 1 exited on signal 9"),
                     LINE_OTHER);
    assert_int_equal(collection_take(c.collection, "--------------"), LINE_OTHER);
    assert_true(collection_end(c.collection, 137, NULL));
    CommMeasurement m = end(&c, *state);
    assert_int_equal(m.n_series, 1);
    assert_int_equal(m.n_problems, 2);
    assert_non_null(strstr(m.problems[0].message, "status 137: mpirun noticed"));
    assert_non_null(strstr(m.problems[1].message, "1 of 2 sizes"));
}

static void a_launch_without_any_record_is_not_tried_again(void **state)
{
    Collecting c;
    begin(&c, "openmpi:tcp", *state);
    collection_begin(c.collection, &c.plan.launches[0]);
    assert_false(collection_end(c.collection, 1, NULL));
    collection_begin(c.collection, &c.plan.launches[0]);
    collection_take(c.collection, "{\"record\":\"error\",\"message\":\"no host is called beta\"}");
    assert_false(collection_end(c.collection, 1, NULL));
    CommMeasurement m = end(&c, *state);
    assert_int_equal(m.n_problems, 2);
    assert_non_null(strstr(m.problems[1].message, "no host is called beta"));
}

static void broken_records_are_problems(void **state)
{
    static const char *const lines[] = {
        SAMPLES("1", "\"x\""),
        SAMPLES("1", "-1"),
        SAMPLES("1", "0"),
        SAMPLES("-4", "1e-6"),
        SAMPLES("1", "1e308"),
        SAMPLES("1,\"late\":-5", "1e-6"),
        SAMPLES("1,\"moved_bytes\":-1", "1e-6"),
        "{\"record\":\"samples\",\"operation\":\"pingpong\",\"bytes\":1,\"ranks\":2,\"batch\":-5,\"samples_s\":[1e-6]}",
        "{\"record\":\"samples\",\"operation\":\"pingpong\",\"bytes\":1,\"ranks\":3,\"samples_s\":[1e-6]}",
        "{\"record\":\"samples\",\"operation\":\"broadcast\",\"bytes\":1,\"ranks\":2,\"samples_s\":[1e-6]}",
        "{\"record\":\"samples\",\"operation\":\"pingpong\",\"bytes\":1,\"ranks\":2,\"samples_s\":[1e-6],\"skew_s\":[-1]}",
        "{\"record\":\"samples\",\"operation\":\"pingpong\",\"bytes\":1,\"ranks\":2}"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Collecting c;
        begin(&c, "os:tcp", *state);
        collection_begin(c.collection, &c.plan.launches[0]);
        collection_take(c.collection, lines[i]);
        collection_end(c.collection, 1, NULL);
        CommMeasurement m = end(&c, *state);
        assert_int_equal(m.n_series, 0);
        assert_non_null(strstr(m.problems[0].message, "are invalid"));
    }
}

static void what_others_say_is_kept_as_far_as_it_helps(void **state)
{
    Collecting c;
    begin(&c, "openmpi:tcp", *state);
    collection_begin(c.collection, &c.plan.launches[0]);
    collection_take(c.collection, "one");
    char *longest = memory_zeroed(1, 100000);
    memset(longest, 'x', 99999);
    collection_take(c.collection, longest);
    free(longest);
    collection_take(c.collection, "\x1b[2Jlast");
    collection_end(c.collection, 1, NULL);
    CommMeasurement m = end(&c, *state);
    assert_int_equal(m.n_problems, 1);
    assert_non_null(strstr(m.problems[0].message, "status 1: one … ?[2Jlast"));
}

static void a_worker_that_complains_without_end_is_cut_short(void **state)
{
    Collecting c;
    begin(&c, "openmpi:tcp", *state);
    collection_begin(c.collection, &c.plan.launches[0]);
    for (int i = 0; i < 1000; i++) {
        char line[128];
        snprintf(line, sizeof line, "{\"record\":\"unsupported\",\"operation\":\"x\",\"message\":\"%d\"}", i);
        collection_take(c.collection, line);
    }
    collection_end(c.collection, 1, NULL);
    CommMeasurement m = end(&c, *state);
    assert_true(m.n_problems < 50);
}

static void sizes_that_there_was_no_time_for_are_counted(void **state)
{
    Collecting c;
    begin(&c, "os:tcp", *state);
    collection_begin(c.collection, &c.plan.launches[0]);
    collection_take(c.collection, SAMPLES("1", "1e-6"));
    collection_take(c.collection, "{\"record\":\"done\",\"seconds\":1,\"complete\":false}");
    collection_end(c.collection, 0, NULL);
    CommMeasurement m = end(&c, *state);
    assert_int_equal(m.n_problems, 1);
    assert_non_null(strstr(m.problems[0].message, "1 of 2 sizes weren't measured"));
}

static PathEvidence evidence(const char *counters)
{
    PathEvidence found = {0};
    char text[256];
    snprintf(text, sizeof text, "{\"rank\":0,\"payload_bytes\":10000000,\"counters\":{%s}}", counters);
    json_t *record = json_loads(text, 0, NULL);
    path_note(&found, record);
    json_decref(record);
    return found;
}

static void bytes_that_went_another_way_are_doubted(void **state)
{
    const CommMedium tcp = MEDIUM_NETWORK, shm = MEDIUM_MEMORY;
    const PathEvidence none = evidence("\"lo\":[5000,5000]"), loopback = evidence("\"lo\":[11000000,11000000]"),
                       network = evidence("\"lo\":[5,5],\"eth0\":[5300000,5300000]");
    assert_null(path_doubt(&none, shm, false, *state));
    assert_non_null(path_doubt(&none, tcp, false, *state));
    assert_non_null(path_doubt(&none, tcp, true, *state));
    assert_null(path_doubt(&loopback, tcp, false, *state));
    assert_non_null(path_doubt(&loopback, tcp, true, *state));
    assert_non_null(path_doubt(&loopback, shm, false, *state));
    assert_null(path_doubt(&network, tcp, true, *state));
    assert_string_equal(path_name(&network, *state), "eth0");
    assert_string_equal(path_name(&none, *state), "memory");
}

/* ---- summary ---- */

static void a_library_is_held_against_the_system(void **state)
{
    const CommConfiguration configurations[] = {
        {"os", "tcp", "", ""}, {"os", "unix", "", ""}, {"openmpi", "tcp", "", ""}};
    const CommPoint points[][2] = {{{.bytes = 1, .median_s = 2e-6}, {.bytes = 1000, .median_s = 4e-6}},
                                   {{.bytes = 1, .median_s = 1e-6}, {.bytes = 1000, .median_s = 2e-6}},
                                   {{.bytes = 1, .median_s = 3e-6}, {.bytes = 1000, .median_s = 5e-6}}};
    CommSeries series[3];
    for (uint32_t i = 0; i < 3; i++)
        series[i] = (CommSeries){i, "pingpong", "", 2, 0, 0, NULL, "", 2, points[i]};
    const CommMeasurement m = {
        .n_configurations = 3, .configurations = configurations, .n_series = 3, .series = series};
    uint32_t n;
    const CommOverhead *overheads = summary_overheads(&m, *state, &n);
    assert_int_equal(n, 1);
    assert_ptr_equal(overheads->baseline, &series[0]);
    assert_near(overheads->startup_s - overheads->baseline_startup_s, 1e-6, 1e-12);
    assert_near(overheads->at_largest / overheads->baseline_at_largest, 0.8, 1e-9);
    const CommSummary *summaries = summary_make(&m, *state, &n);
    assert_int_equal(n, 2);
    assert_ptr_equal(summaries[0].local[STARTUP_LEAST].series, &series[1]);
    assert_ptr_equal(summaries[0].local[STARTUP_MOST].series, &series[0]);
    assert_near(summaries[0].local[BANDWIDTH_MOST].value, 5e8, 1);
    assert_null(summaries[0].remote[STARTUP_LEAST].series);
}

int main(void)
{
#define arena_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        arena_test(hosts_have_names_addresses_and_processors),
        arena_test(a_wrong_line_of_hosts_is_named),
        arena_test(one_host_in_the_file_is_too_few),
        arena_test(everything_is_planned_on_one_host),
        arena_test(what_stays_in_memory_is_not_measured_between_hosts),
        arena_test(configurations_are_selected_from_the_left),
        arena_test(unknown_names_are_refused),
        arena_test(a_request_survives_as_one_word),
        arena_test(samples_of_all_launches_make_one_point),
        arena_test(launches_that_differ_widen_the_interval),
        arena_test(what_was_measured_before_a_death_is_kept_and_the_death_named),
        arena_test(a_launch_without_any_record_is_not_tried_again),
        arena_test(broken_records_are_problems),
        arena_test(what_others_say_is_kept_as_far_as_it_helps),
        arena_test(a_worker_that_complains_without_end_is_cut_short),
        arena_test(sizes_that_there_was_no_time_for_are_counted),
        arena_test(bytes_that_went_another_way_are_doubted),
        arena_test(a_library_is_held_against_the_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
