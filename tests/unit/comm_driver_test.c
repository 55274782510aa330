/* SPDX-License-Identifier: BSD-3-Clause */
/* The plans of `firma comm`, and the results that it computes from workers' records, without a
 * worker. */
#include "comm/collect.h"
#include "comm/hosts.h"
#include "comm/modelling.h"
#include "comm/network.h"
#include "comm/path.h"
#include "comm/plan.h"
#include "comm/summary.h"
#include "comm/word.h"
#include "test.h"
#include "unit/near.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    assert_true(load_hosts("# ours\nalpha\nbeta 10.0.0.2\n\ngamma 10.0.0.3 0,2 slots=4 # fast\ndelta 3\n", *state,
                           &hosts, &err));
    assert_int_equal(hosts.n, 4);
    assert_string_equal(hosts.items[0].address, "alpha");
    assert_string_equal(hosts.items[1].address, "10.0.0.2");
    assert_int_equal(hosts.items[2].n_cpus, 2);
    assert_int_equal(hosts.items[2].cpus[1], 2);
    assert_int_equal(hosts.items[2].n_slots, 4);
    assert_int_equal(hosts_slots(&hosts), 7);
    assert_string_equal(hosts.items[3].address, "delta");
    assert_int_equal(hosts.items[3].cpus[0], 3);
}

static void a_wrong_line_of_hosts_is_named(void **state)
{
    static const char *const texts[] = {
        "alpha\nbeta 10.0.0.2 x\n", "alpha\nalpha\n", "a b c d\n",      "a\n-oProxy=x\n",
        "alpha\nbeta 1,,2\n",       "a\n/bin/sh\n",   "a\nb\xff\n",     "a\nb $(x)\n",
        "a\nb slots=0\n",           "a\nb slots=\n",  "a\nb slots=2x\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Hosts hosts;
        Err err = {0};
        assert_false(load_hosts(texts[i], *state, &hosts, &err));
        assert_error(err, ERR_INPUT, ", line ");
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
        hosts[i] = (Host){.name = arena_printf(arena, "host%u", i), .address = "", .n_slots = 1};
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
    assert_int_equal(plan.n_configurations, 15);
    /* One ping-pong each, and two numbers of processes for each with collectives: six with MPI,
     * six with PVM. */
    assert_int_equal(plan.n_launches, 15 + 2 * 12);
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
        assert_true(plan.launches[i].place == PLACE_LOCAL || strcmp(transport, "tcp") == 0 ||
                    strcmp(transport, COMM_DEFAULT) == 0);
    }
    /* Four in a host, two between hosts, and their collectives of two (not three) processes between
     * hosts. */
    assert_int_equal(plan.n_launches, 4 + 2 + 2);
}

static void some_operations_are_measured_only_if_they_are_named(void **state)
{
    static const char *const only[] = {"openmpi:shm", NULL}, *const named[] = {"gatherv", "gather", NULL};
    CommRequest request = request_on(1, *state);
    CommPlan plan;
    Err err = {0};
    request.only = only;
    assert_true(plan_make(&request, *state, &plan, &err));
    for (const char *const *operation = plan.launches[1].operations; *operation; operation++)
        assert_string_not_equal(*operation, "gatherv");
    request.operations = named;
    assert_true(plan_make(&request, *state, &plan, &err));
    assert_string_equal(plan.launches[0].operations[0], "gather");
    assert_string_equal(plan.launches[0].operations[1], "gatherv");
}

static void all_operations_are_named_by_all(void **state)
{
    static const char *const only[] = {"openmpi:shm", "os:tcp", NULL}, *const named[] = {"all", NULL};
    CommRequest request = request_on(1, *state);
    CommPlan plan;
    Err err = {0};
    request.only = only;
    assert_true(plan_make(&request, *state, &plan, &err));
    assert_null(plan.launches[1].operations[1]);
    request.operations = named;
    assert_true(plan_make(&request, *state, &plan, &err));
    assert_string_equal(plan.launches[0].operations[0], "pingpong");
    assert_null(plan.launches[0].operations[1]); /* sockets have no streams */
    assert_string_equal(plan.launches[1].operations[1], "stream");
    assert_string_equal(plan.launches[1].operations[2], "bidirectional");
    assert_string_equal(plan.launches[1].operations[4], "get");
    assert_string_equal(plan.launches[2].operations[0], "pairs");
}

static void pairs_are_of_even_numbers_and_between_two_hosts_at_a_time(void **state)
{
    static const char *const only[] = {"openmpi:tcp", NULL}, *const named[] = {"pairs", NULL};
    static const uint32_t numbers[] = {2, 3, 4, 6};
    CommRequest request = request_on(1, *state);
    CommPlan plan;
    Err err = {0};
    request.only = only;
    request.operations = named;
    request.n_ranks = 4;
    request.ranks = numbers;
    assert_true(plan_make(&request, *state, &plan, &err));
    assert_int_equal(plan.n_launches, 3);
    assert_int_equal(plan.launches[1].n_ranks, 4);
    request = request_on(3, *state);
    request.only = only;
    request.operations = named;
    request.n_ranks = 4;
    request.ranks = numbers;
    Host *hosts = (Host *)request.hosts.items;
    hosts[0].n_slots = 3;
    hosts[1].n_slots = 2;
    assert_true(plan_make(&request, *state, &plan, &err));
    assert_int_equal(plan.n_launches, 3); /* 2 and 4 processes between hosts 0 and 1, and 2 between 0 and 2 */
    const PlannedLaunch *four = &plan.launches[1];
    uint32_t before;
    assert_int_equal(plan_host(four, 1), 0);
    assert_int_equal(plan_host(four, 2), 1);
    assert_int_equal(plan_beside(four, 3, &before), 2);
    assert_int_equal(before, 1);
    assert_int_equal(plan_host(&plan.launches[2], 1), 2);
}

static void collectives_fill_slots_evenly(void **state)
{
    static const char *const only[] = {"openmpi:tcp", NULL}, *const named[] = {"broadcast", NULL};
    static const uint32_t numbers[] = {2, 5, 6};
    CommRequest request = request_on(2, *state);
    CommPlan plan;
    Err err = {0};
    request.only = only;
    request.operations = named;
    request.n_ranks = 3;
    request.ranks = numbers;
    Host *hosts = (Host *)request.hosts.items;
    hosts[0].n_slots = 2;
    hosts[1].n_slots = 3;
    assert_true(plan_make(&request, *state, &plan, &err));
    assert_int_equal(plan.n_launches, 2); /* six processes have no room */
    assert_int_equal(plan_host(&plan.launches[0], 1), 1);
    assert_int_equal(plan_beside(&plan.launches[1], 0, NULL), 2);
    assert_int_equal(plan_beside(&plan.launches[1], 2, NULL), 3);
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

static void sockets_leave_empty_messages_out_and_say_so_if_they_were_named(void **state)
{
    static const char *const only[] = {"os:tcp", "openmpi:shm", NULL}, *const operations[] = {"pingpong", NULL};
    static const uint64_t empty = 0;
    CommRequest request = request_on(1, *state);
    CommPlan plan;
    Err err = {0};
    request.only = only;
    request.operations = operations;
    request.n_sizes = 1;
    request.sizes = &empty;
    assert_true(plan_make(&request, *state, &plan, &err));
    assert_int_equal(plan.n_launches, 1);
    assert_string_equal(plan.configurations[0].middleware, "openmpi");
    request.n_sizes = 2;
    request.sizes = (const uint64_t[]){0, 8};
    assert_true(plan_make(&request, *state, &plan, &err));
    assert_int_equal(plan.n_launches, 2);
    for (int is_named = 0; is_named < 2; is_named++) {
        CommMeasurement m;
        request.has_named_sizes = is_named;
        Collection *collection = collection_new(&request, &plan, *state);
        collection_finish(collection, false, *state, &m);
        collection_free(collection);
        assert_int_equal(m.n_problems, is_named);
        if (is_named)
            assert_non_null(strstr(m.problems[0].message, "sockets carry no empty messages"));
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
    const CommPoint *point = &m.series[0].points[0];
    assert_near(point->median_s, 1e-6, 1e-12);
    /* The launches' medians, 1 and 3 µs, have a standard error of 1 µs; Student's t for one degree of freedom is 12.7. */
    assert_near(point->high_s, 13.706e-6, 1e-9);
    assert_near(point->low_s, point->minimum_s, 1e-12);
    assert_int_equal(point->n_launches, 2);
    assert_false(point->reached);
}

/* One launch of os:tcp with eight equal samples of each size. */
static void launch_equal(Collecting *c, const char *done)
{
    collection_begin(c->collection, &c->plan.launches[0]);
    collection_take(c->collection, SAMPLES("1", "1e-6,1e-6,1e-6,1e-6,1e-6,1e-6,1e-6,1e-6"));
    collection_take(c->collection, SAMPLES("1024", "2e-6,2e-6,2e-6,2e-6,2e-6,2e-6,2e-6,2e-6"));
    if (done)
        collection_take(c->collection, done);
    collection_end(c->collection, 0, NULL);
}

static void a_launch_is_precise_only_after_several_that_agree_and_left_nothing_out(void **state)
{
    static const char whole[] = "{\"record\":\"done\",\"seconds\":1.5,\"complete\":true,\"unvisited\":0}";
    static const char parts[] = "{\"record\":\"done\",\"seconds\":1.5,\"complete\":false,\"unvisited\":1}";
    Collecting c;
    begin(&c, "os:tcp", *state);
    launch_equal(&c, whole);
    assert_false(collection_is_precise(c.collection, 3));
    assert_near(collection_measured_s(c.collection), 1.5, 1e-12);
    launch_equal(&c, whole);
    assert_false(collection_is_precise(c.collection, 3));
    launch_equal(&c, whole);
    assert_true(collection_is_precise(c.collection, 3));
    launch_equal(&c, parts);
    assert_false(collection_is_precise(c.collection, 3));
    launch_equal(&c, NULL);
    assert_false(collection_is_precise(c.collection, 3));
    assert_true(collection_measured_s(c.collection) < 0);
    end(&c, *state);
}

static void minimum_and_90th_percentile_have_intervals_too(void **state)
{
    Collecting c;
    begin(&c, "os:tcp", *state);
    for (int launch = 0; launch < 2; launch++) {
        collection_begin(c.collection, &c.plan.launches[0]);
        for (int i = 1; i <= 100; i++) {
            char line[256];
            snprintf(line, sizeof line,
                     "{\"record\":\"samples\",\"operation\":\"pingpong\",\"bytes\":1,\"ranks\":2,\"from\":0,"
                     "\"to\":1,\"batch\":1,\"samples_s\":[%de-6]}",
                     i + launch);
            collection_take(c.collection, line);
        }
        collection_take(c.collection, "{\"record\":\"done\",\"seconds\":1,\"complete\":true}");
        collection_end(c.collection, 0, NULL);
    }
    CommMeasurement m = end(&c, *state);
    const CommPoint *point = &m.series[0].points[0];
    assert_near(point->minimum_s, 1e-6, 1e-12);
    assert_near(point->minimum_high_s, 2e-6, 1e-12);
    assert_near(point->p90_s, 90.5e-6, 1e-6);
    /* 200 · 0.9 ± 1.96 √(200 · 0.9 · 0.1) samples: from the 171st to the 189th; each time stands there twice. The launches
     * differ by 1 µs, so their means have a standard error of 0.5 µs, and Student's t is 12.7. */
    assert_near(point->p90_low_s, 84.2e-6, 0.5e-6);
    assert_near(point->p90_high_s, 96.9e-6, 0.5e-6);
}

static void percentiles_that_were_asked_for_are_told_if_samples_lie_beyond(void **state)
{
    static const uint64_t percents[] = {0, 50, 90, 99, 100};
    Collecting c;
    begin(&c, "os:tcp", *state);
    c.request.n_percentiles = 5;
    c.request.percentiles = percents;
    collection_begin(c.collection, &c.plan.launches[0]);
    collection_take(c.collection, SAMPLES("1", "1e-6,2e-6,3e-6,4e-6,5e-6,6e-6,7e-6,8e-6,9e-6,10e-6,11e-6"));
    collection_take(c.collection, "{\"record\":\"done\",\"seconds\":1,\"complete\":true}");
    collection_end(c.collection, 0, NULL);
    CommMeasurement m = end(&c, *state);
    const CommPoint *point = &m.series[0].points[0];
    assert_near(point->maximum_s, 11e-6, 1e-15);
    assert_int_equal(point->n_percentiles, 5);
    static const double expected_s[] = {1e-6, 6e-6, 10e-6, NAN, 11e-6};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(point->percentiles[i].percent, percents[i]);
        if (isnan(expected_s[i]))
            assert_true(isnan(point->percentiles[i].time_s));
        else
            assert_near(point->percentiles[i].time_s, expected_s[i], 1e-12);
    }
}

/* Starts the collection of nonblocking broadcasts among two processes. */
static void begin_nonblocking(Collecting *c, Arena *arena)
{
    static const char *const only[] = {"openmpi:shm", NULL}, *const operations[] = {"ibroadcast", NULL};
    Err err = {0};
    c->request = request_on(1, arena);
    c->request.only = only;
    c->request.operations = operations;
    assert_true(plan_make(&c->request, arena, &c->plan, &err));
    c->collection = collection_new(&c->request, &c->plan, arena);
    collection_begin(c->collection, &c->plan.launches[0]);
}

#define IBROADCAST(list, more)                                                                                         \
    "{\"record\":\"samples\",\"operation\":\"ibroadcast\",\"bytes\":8,\"ranks\":2,\"from\":0,\"to\":1,\"batch\":1,"    \
    "\"method\":\"window\",\"samples_s\":[" list "]" more "}"

static void what_computing_hides_is_the_overlap(void **state)
{
    Collecting c;
    begin_nonblocking(&c, *state);
    collection_take(c.collection, IBROADCAST("1e-5,1e-5,1e-5,1e-5,1e-5,1e-5", ""));
    collection_take(c.collection, IBROADCAST("4e-6,4e-6,4e-6,4e-6,4e-6,4e-6",
                                             ",\"compute_s\":[1e-5,1e-5,1.1e-5,1.1e-5,1.2e-5,1e-5]"));
    collection_take(c.collection, "{\"record\":\"done\",\"seconds\":1,\"complete\":true}");
    collection_end(c.collection, 0, NULL);
    CommMeasurement m = end(&c, *state);
    assert_int_equal(m.n_series, 1);
    assert_int_equal(m.series[0].n_points, 1);
    const CommPoint *point = m.series[0].points;
    assert_int_equal(point->n_samples, 6);
    assert_near(point->median_s, 1e-5, 1e-12);
    assert_near(point->overlap->exposed_s, 4e-6, 1e-12);
    assert_near(point->overlap->compute_s, 1.05e-5, 1e-12);
    assert_near(point->overlap->share, 0.6, 1e-9);
    assert_near(point->overlap->share_low, 0.6, 1e-9);
    assert_near(point->overlap->share_high, 0.6, 1e-9);
}

static void an_overlap_is_not_negative_and_few_samples_give_no_interval(void **state)
{
    Collecting c;
    begin_nonblocking(&c, *state);
    collection_take(c.collection, IBROADCAST("1e-5", ""));
    collection_take(c.collection, IBROADCAST("2e-5", ",\"compute_s\":[1e-5]"));
    collection_take(c.collection, IBROADCAST("2e-5,2e-5", ",\"compute_s\":[1e-5]")); /* one is missing */
    collection_end(c.collection, 0, NULL);
    CommMeasurement m = end(&c, *state);
    const CommOverlap *overlap = m.series[0].points[0].overlap;
    assert_near(overlap->share, 0, 0);
    assert_true(isnan(overlap->share_low) && isnan(overlap->share_high));
    assert_non_null(strstr(m.problems[0].message, "are invalid"));
}

static void a_stream_has_rates_and_is_no_ping_pong(void **state)
{
    static const char *const only[] = {"openmpi:shm", NULL}, *const operations[] = {"stream", NULL};
    Collecting c;
    Err err = {0};
    c.request = request_on(1, *state);
    c.request.only = only;
    c.request.operations = operations;
    assert_true(plan_make(&c.request, *state, &c.plan, &err));
    assert_int_equal(c.plan.n_launches, 1);
    c.collection = collection_new(&c.request, &c.plan, *state);
    collection_begin(c.collection, &c.plan.launches[0]);
    collection_take(c.collection,
                    "{\"record\":\"samples\",\"operation\":\"stream\",\"bytes\":1024,\"ranks\":2,\"from\":0,"
                    "\"to\":1,\"batch\":2,\"samples_s\":[1e-6,2e-6,4e-6]}");
    collection_take(c.collection, "{\"record\":\"done\",\"seconds\":1,\"complete\":true}");
    collection_end(c.collection, 0, NULL);
    CommMeasurement m = end(&c, *state);
    assert_int_equal(m.n_series, 1);
    const CommRate *rate = m.series[0].points[0].rate;
    assert_near(rate->messages_per_s, 5e5, 1e-3);
    assert_near(rate->bytes_per_s, 5.12e8, 1);
    assert_near(rate->low_messages_per_s, 2.5e5, 1e-3);
    assert_near(rate->high_messages_per_s, 1e6, 1e-3);
    assert_near(rate->most_bytes_per_s, 1.024e9, 1);
    uint32_t n;
    summary_make(&m, *state, &n);
    assert_int_equal(n, 0);
    summary_overheads(&m, *state, &n);
    assert_int_equal(n, 0);
    const MachineModel *machine = modelling_make(&m, COMM_MEDIAN, *state);
    assert_int_equal(machine->n_paths + machine->n_collectives, 0);
    assert_non_null(strstr(m.problems[0].message, "stream: 1 of 2 sizes"));
}

static const char *hello_under(double load, Arena *arena)
{
    return arena_printf(arena,
                        "{\"record\":\"hello\",\"rank\":0,\"system\":\"Linux\",\"processor\":\"p\",\"n_cpus\":2,"
                        "\"library\":\"l\",\"load\":%g}",
                        load);
}

static void the_load_of_others_makes_a_host_busy(void **state)
{
    Collecting c;
    begin(&c, "os:tcp", *state);
    collection_begin(c.collection, &c.plan.launches[0]);
    collection_take(c.collection, hello_under(0.2, *state));
    collection_end(c.collection, 0, NULL);
    collection_begin(c.collection, &c.plan.launches[0]);
    collection_take(c.collection, hello_under(2, *state)); /* the two processes of the launch before */
    collection_end(c.collection, 0, NULL);
    assert_near(c.plan.n_launches, 1, 0);
    CommMeasurement m = end(&c, *state);
    assert_near(m.hosts[0].load, 0.2, 1e-9);
    assert_false(comm_host_is_busy(&m.hosts[0]));
    begin(&c, "os:tcp", *state);
    collection_begin(c.collection, &c.plan.launches[0]);
    collection_take(c.collection, hello_under(20, *state));
    collection_end(c.collection, 0, NULL);
    m = end(&c, *state);
    assert_true(comm_host_is_busy(&m.hosts[0]));
    assert_non_null(strstr(m.problems[m.n_problems - 1].message, "a load of 20 besides firma's on 2 processors"));
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

static void late_processes_are_named_if_nothing_else_was_measured(void **state)
{
    Collecting c;
    begin(&c, "os:tcp", *state);
    collection_begin(c.collection, &c.plan.launches[0]);
    collection_take(c.collection, SAMPLES("1,\"late\":7", ""));
    collection_take(c.collection, "{\"record\":\"done\",\"seconds\":1,\"complete\":false}");
    collection_end(c.collection, 0, NULL);
    CommMeasurement m = end(&c, *state);
    bool is_named = false;
    for (uint32_t i = 0; i < m.n_problems; i++)
        is_named |= strstr(m.problems[i].message, "a process was late in all 7 repetitions") != NULL;
    assert_true(is_named);
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

static void bytes_on_another_network_than_the_named_one_are_doubted(void **state)
{
    PathEvidence found = {0};
    static const char *const records[] = {
        "{\"rank\":0,\"interface\":\"eth1\",\"payload_bytes\":10000000,\"counters\":{\"eth1\":[5300000,5300000]}}",
        "{\"rank\":1,\"interface\":\"eth1\",\"payload_bytes\":10000000,\"counters\":{\"lo\":[9000000,9000000],"
        "\"eth0\":[2400000,2400000],\"eth1\":[2500000,2500000]}}"};
    for (int i = 0; i < 2; i++) {
        json_t *record = json_loads(records[i], 0, NULL);
        path_note(&found, record);
        json_decref(record);
        assert_int_equal(path_is_elsewhere(&found), i == 1);
    }
    assert_string_equal(path_name(&found, *state), "eth1");
    assert_non_null(
        strstr(path_doubt(&found, MEDIUM_NETWORK, true, *state), "48 % of the bytes went by eth0, and not by eth1"));
}

static void the_parts_that_carried_messages_are_named(void **state)
{
    Arena *arena = *state;
    static const char ucx[] = "ucp_worker.c:1763 UCX  INFO    ep_cfg[1]: tag(sysv/memory cma/memory) rma(posix/memory)";
    assert_string_equal(path_parts("ob1 sm tcp vader", "memory", "", arena), "ob1 vader");
    assert_string_equal(path_parts("ob1 sm tcp vader", "eth0", "", arena), "ob1 tcp");
    assert_string_equal(path_parts("ob1 sm tcp", "memory", "", arena), "ob1 sm");
    assert_string_equal(path_parts("ch4:ucx", "memory", ucx, arena), "ch4:ucx sysv cma");
    assert_string_equal(path_parts("ch4:ucx", "eth0", "ep_cfg[1]: tag(tcp/eth0 tcp/eth1)", arena),
                        "ch4:ucx tcp/eth0 tcp/eth1");
    assert_string_equal(path_parts("", "lo", "", arena), "");
}

static void networks_hold_the_addresses_of_their_subnet(void **state)
{
    static const char *const inside[] = {"10.67.0.1", "10.67.0.254"}, *const outside[] = {"10.67.0.1", "10.67.1.1"},
                             *const unknown[] = {"10.67.0.1", NULL}, *const loopback[] = {"127.0.0.1", NULL};
    const Network network = {"eth1", "10.67.0.0/24"}, six = {"eth1", "fd00:1::/64"};
    static const char *const sixes[] = {"fd00:1::5", "fd00:1::ffff"};
    Network found;
    assert_true(network_holds(&network, inside, 2));
    assert_false(network_holds(&network, outside, 2));
    assert_false(network_holds(&network, unknown, 2));
    assert_true(network_holds(&six, sixes, 2));
    assert_false(network_holds(&six, inside, 2));
    assert_false(network_find(loopback, 2, &found));
}

/* ---- summary ---- */

static void a_library_is_held_against_the_system(void **state)
{
    const CommConfiguration configurations[] = {
        {"os", "tcp", "", ""}, {"os", "unix", "", ""}, {"openmpi", "tcp", "", ""}};
    /* The startups are compared at 1 byte, because sockets have no empty messages. */
    const CommPoint points[][3] = {
        {{.bytes = 1, .median_s = 2e-6}, {.bytes = 1000, .median_s = 4e-6}},
        {{.bytes = 1, .median_s = 1e-6}, {.bytes = 1000, .median_s = 2e-6}},
        {{.bytes = 0, .median_s = 2.5e-6}, {.bytes = 1, .median_s = 3e-6}, {.bytes = 1000, .median_s = 5e-6}}};
    CommSeries series[3];
    for (uint32_t i = 0; i < 3; i++)
        series[i] = (CommSeries){.configuration = i,
                                 .operation = "pingpong",
                                 .method = "",
                                 .n_ranks = 2,
                                 .path = "",
                                 .n_points = i == 2 ? 3 : 2,
                                 .points = points[i]};
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
        arena_test(some_operations_are_measured_only_if_they_are_named),
        arena_test(all_operations_are_named_by_all),
        arena_test(pairs_are_of_even_numbers_and_between_two_hosts_at_a_time),
        arena_test(collectives_fill_slots_evenly),
        arena_test(configurations_are_selected_from_the_left),
        arena_test(unknown_names_are_refused),
        arena_test(sockets_leave_empty_messages_out_and_say_so_if_they_were_named),
        arena_test(a_request_survives_as_one_word),
        arena_test(samples_of_all_launches_make_one_point),
        arena_test(launches_that_differ_widen_the_interval),
        arena_test(a_launch_is_precise_only_after_several_that_agree_and_left_nothing_out),
        arena_test(minimum_and_90th_percentile_have_intervals_too),
        arena_test(percentiles_that_were_asked_for_are_told_if_samples_lie_beyond),
        arena_test(what_computing_hides_is_the_overlap),
        arena_test(an_overlap_is_not_negative_and_few_samples_give_no_interval),
        arena_test(a_stream_has_rates_and_is_no_ping_pong),
        arena_test(the_load_of_others_makes_a_host_busy),
        arena_test(what_was_measured_before_a_death_is_kept_and_the_death_named),
        arena_test(a_launch_without_any_record_is_not_tried_again),
        arena_test(broken_records_are_problems),
        arena_test(late_processes_are_named_if_nothing_else_was_measured),
        arena_test(what_others_say_is_kept_as_far_as_it_helps),
        arena_test(a_worker_that_complains_without_end_is_cut_short),
        arena_test(sizes_that_there_was_no_time_for_are_counted),
        arena_test(bytes_that_went_another_way_are_doubted),
        arena_test(bytes_on_another_network_than_the_named_one_are_doubted),
        arena_test(the_parts_that_carried_messages_are_named),
        arena_test(networks_hold_the_addresses_of_their_subnet),
        arena_test(a_library_is_held_against_the_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
