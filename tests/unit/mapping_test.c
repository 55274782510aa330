/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulation on cases computed by hand; platforms; limits of mappers. */
#include "placement/mapping/mapping.h"
#include "unit/fixture.h"
#include "unit/near.h"

#include <string.h>

static Err err;

#define COMPUTE(s) ((Step){.kind = STEP_COMPUTE, .seconds = (s), .times = 1})
#define SEND(to, size) ((Step){.kind = STEP_SEND, .peer = (to), .bytes = (size), .times = 1})
#define RECV(from) ((Step){.kind = STEP_RECV, .peer = (from), .times = 1})
#define LOOP(n, steps)                                                                                                 \
    ((Step){.kind = STEP_LOOP, .times = (n), .n_body = sizeof(steps) / sizeof(Step), .body = (steps)})
#define TASK(steps) ((Task){"", sizeof(steps) / sizeof(Step), (steps)})
#define GRAPH(list) ((TaskGraph){.source = "", .n_tasks = sizeof(list) / sizeof(Task), .tasks = (list)})

/* Between nodes 1 s and 1 byte/s; within a node 0.1 s and 10 byte/s. */
#define TWO_NODES "2x2:1s,1B/s:100ms,10B/s"

static Platform *platform(const char *text)
{
    Platform *made;
    assert_true(platform_from_text(text, arena, &made, &err));
    return made;
}

static Outcome outcome_on(const TaskGraph *graph, const Platform *on, const uint32_t *processors)
{
    Simulation *simulation;
    assert_true(simulation_new(graph, on, arena, &simulation, &err));
    Outcome first = simulate(simulation, processors), second = simulate(simulation, processors);
    assert_memory_equal(&first, &second, sizeof first);
    return first;
}

static double time_on(const TaskGraph *graph, const char *text, const uint32_t *processors)
{
    return outcome_on(graph, platform(text), processors).completion_s;
}

static void message_costs_what_its_path_says(void **state)
{
    Step sender[] = {COMPUTE(2), SEND(1, 4)}, receiver[] = {COMPUTE(1), RECV(0), COMPUTE(3)};
    Task tasks[] = {TASK(sender), TASK(receiver)};
    TaskGraph graph = GRAPH(tasks);
    assert_near(time_on(&graph, TWO_NODES, (uint32_t[]){0, 2}), 2 + (1 + 4) + 3, 1e-12);
    assert_near(time_on(&graph, TWO_NODES, (uint32_t[]){0, 1}), 2 + (0.1 + 0.4) + 3, 1e-12);
    assert_near(time_on(&graph, TWO_NODES, (uint32_t[]){0, 0}), 2 + 1 + 3, 1e-12);
    Outcome remote = outcome_on(&graph, platform(TWO_NODES), (uint32_t[]){0, 2});
    assert_near(remote.remote_bytes, 4, 0);
    assert_near(remote.local_bytes, 0, 0);
    assert_near(remote.busy_s, 6, 1e-12);
    assert_near(remote.overlap, 6 / (2 * 10.0), 1e-12);
}

static void sender_does_not_wait_for_its_receiver(void **state)
{
    Step sender[] = {SEND(1, 1), COMPUTE(5)}, receiver[] = {COMPUTE(1), RECV(0)};
    Task tasks[] = {TASK(sender), TASK(receiver)};
    TaskGraph graph = GRAPH(tasks);
    assert_near(time_on(&graph, TWO_NODES, (uint32_t[]){0, 2}), 5, 1e-12);
}

/* Both start at once, in opposite directions. The put takes 4 s and 1 s of latency, and the answer
 * that it has arrived 1 s; the get takes less. */
static void puts_and_gets_wait_for_no_partner(void **state)
{
    Step put = {.kind = STEP_PUT, .peer = 1, .bytes = 4, .times = 1};
    Step get = {.kind = STEP_GET, .peer = 1, .bytes = 2, .times = 1, .blocks = true};
    Step both[] = {put, get, COMPUTE(3)}, get_body[] = {get}, many[] = {LOOP(10, get_body)}, partner[] = {COMPUTE(1)};
    Step unawaited[] = {put, COMPUTE(3)};
    Task tasks[] = {TASK(both), TASK(partner)};
    Task loop[] = {TASK(many), TASK(partner)}, rest[] = {TASK(unawaited), TASK(partner)};
    TaskGraph graph = GRAPH(tasks), repeated = GRAPH(loop), free = GRAPH(rest);
    Outcome outcome = outcome_on(&graph, platform(TWO_NODES), (uint32_t[]){0, 2});
    assert_near(outcome.completion_s, 4 + 1 + 1 + 3, 1e-12);
    assert_near(outcome.remote_bytes, 6, 0);
    assert_near(time_on(&graph, TWO_NODES, (uint32_t[]){0, 1}), 0.4 + 0.1 + 0.1 + 3, 1e-12);
    assert_near(time_on(&graph, TWO_NODES, (uint32_t[]){0, 0}), 1 + 3, 1e-12);
    assert_near(time_on(&repeated, TWO_NODES, (uint32_t[]){0, 2}), 10 * (2 + 1 + 1), 1e-12);
    assert_near(time_on(&free, TWO_NODES, (uint32_t[]){0, 2}), 3, 1e-12);
}

/* Stages of 1 s each, with 10 items: 10 s + 2 later stages, and two messages on the way. */
static void pipeline_fills_and_drains(void **state)
{
    Step first_body[] = {COMPUTE(1), SEND(1, 0)}, middle_body[] = {RECV(0), COMPUTE(1), SEND(2, 0)};
    Step last_body[] = {RECV(1), COMPUTE(1)};
    Step first[] = {LOOP(10, first_body)}, middle[] = {LOOP(10, middle_body)}, last[] = {LOOP(10, last_body)};
    Task tasks[] = {TASK(first), TASK(middle), TASK(last)};
    TaskGraph graph = GRAPH(tasks);
    assert_near(time_on(&graph, TWO_NODES, (uint32_t[]){0, 1, 2}), 10 + 2 + 0.1 + 1, 1e-9);
    assert_near(time_on(&graph, "1x1", (uint32_t[]){0, 0, 0}), 30, 1e-9);
}

/* Two messages of 4 s that a node sends at the same time take twice as long. Both directions are
 * separate links. */
static void messages_share_what_a_node_sends_and_receives(void **state)
{
    Step a[] = {SEND(2, 4)}, b[] = {SEND(3, 4)}, c[] = {RECV(0)}, d[] = {RECV(1)};
    Task tasks[] = {TASK(a), TASK(b), TASK(c), TASK(d)};
    TaskGraph graph = GRAPH(tasks);
    assert_near(time_on(&graph, TWO_NODES, (uint32_t[]){0, 1, 2, 3}), 4 + 4 + 1, 1e-12);
    assert_near(time_on(&graph, TWO_NODES, (uint32_t[]){0, 2, 3, 1}), 4 + 1, 1e-12);
    assert_near(time_on(&graph, "3x2:1s,1B/s:0s,1B/s", (uint32_t[]){0, 1, 2, 4}), 4 + 4 + 1, 1e-12);
    assert_near(time_on(&graph, "3x2:1s,1B/s:0s,1B/s", (uint32_t[]){0, 2, 4, 5}), 4 + 4 + 1, 1e-12);
    assert_near(time_on(&graph, "4x1:1s,1B/s", (uint32_t[]){0, 1, 2, 3}), 4 + 1, 1e-12);
}

/* a sends 4 bytes to b and 4 to c, and d sends 1 byte to c. First each of a's messages has half of
 * a's rate, and d's the other half of c's: d's byte takes 2 s. a's messages have left after 8 s. */
static void one_sender_does_not_keep_a_receiver_from_others(void **state)
{
    Step a[] = {SEND(1, 4), SEND(2, 4)}, b[] = {RECV(0)}, c[] = {RECV(3), COMPUTE(20), RECV(0)}, d[] = {SEND(2, 1)};
    Task tasks[] = {TASK(a), TASK(b), TASK(c), TASK(d)};
    TaskGraph graph = GRAPH(tasks);
    assert_near(time_on(&graph, "4x1:1s,1B/s", (uint32_t[]){0, 1, 2, 3}), 2 + 1 + 20, 1e-12);
    tasks[2].n_steps = 1;
    assert_near(time_on(&graph, "4x1:1s,1B/s", (uint32_t[]){0, 1, 2, 3}), 8 + 1, 1e-12);
}

/* a's messages to b cross one after the other, so a's message to c has half of a's rate: it leaves
 * after 8 s. Its latency is over 1 s later. */
static void messages_of_a_pair_cross_links_one_at_a_time(void **state)
{
    Step a[] = {SEND(1, 4), SEND(1, 4), SEND(1, 4), SEND(2, 4)}, b[] = {RECV(0), RECV(0), RECV(0)}, c[] = {RECV(0)};
    Task tasks[] = {TASK(a), TASK(b), TASK(c)};
    TaskGraph graph = GRAPH(tasks);
    Step waiting[] = {RECV(0), COMPUTE(100)};
    assert_near(time_on(&graph, "3x1:1s,1B/s", (uint32_t[]){0, 1, 2}), 16 + 1, 1e-12);
    tasks[2] = TASK(waiting);
    assert_near(time_on(&graph, "3x1:1s,1B/s", (uint32_t[]){0, 1, 2}), 8 + 1 + 100, 1e-12);
}

/* 100 kB cross in 1 s and arrive 1 s later. */
#define LONG_BYTES 100e3

static Step blocking(Step step)
{
    step.blocks = true;
    return step;
}

static double time_of_long_message(Step send, Step receive)
{
    Step sender[] = {send, COMPUTE(5)}, receiver[] = {COMPUTE(10), receive};
    Task tasks[] = {TASK(sender), TASK(receiver)};
    TaskGraph graph = GRAPH(tasks);
    return time_on(&graph, "2x1:1s,100kB/s", (uint32_t[]){0, 1});
}

static void long_messages_wait_for_their_receivers(void **state)
{
    Step send = SEND(1, LONG_BYTES), receive = RECV(0), eager = SEND(1, 50e3);
    assert_near(time_of_long_message(blocking(send), blocking(receive)), 10 + 1 + 5, 1e-12);
    assert_near(time_of_long_message(send, blocking(receive)), 10 + 1 + 1, 1e-12);
    assert_near(time_of_long_message(blocking(send), receive), 10, 1e-12);
    assert_near(time_of_long_message(blocking(eager), blocking(receive)), 10, 1e-12);
}

static double time_of_both_kinds(Step receives_long, Step receives_short)
{
    Step long_one = SEND(1, LONG_BYTES), short_one = SEND(1, 0);
    Step sends[] = {blocking(long_one), short_one}, receives[] = {COMPUTE(10), receives_long, receives_short};
    Step sender[] = {LOOP(3, sends)}, receiver[] = {LOOP(3, receives)};
    Task tasks[] = {TASK(sender), TASK(receiver)};
    TaskGraph graph = GRAPH(tasks);
    return time_on(&graph, "2x1:1s,100kB/s", (uint32_t[]){0, 1});
}

/* Only the receive of the long message decides whether it waits: 10 s, 1 s and 1 s a round. */
static void a_posted_receive_says_nothing_about_others_of_its_pair(void **state)
{
    Step receive = RECV(0);
    assert_near(time_of_both_kinds(blocking(receive), receive), 3 * (10 + 1 + 1), 1e-12);
    assert_near(time_of_both_kinds(receive, blocking(receive)), 3 * 10, 1e-12);
}

/* A root that sends to three tasks in turn: each message has the link for itself. */
static void blocking_sends_of_long_messages_take_turns(void **state)
{
    Step to_1 = SEND(1, LONG_BYTES), to_2 = SEND(2, LONG_BYTES), from = RECV(0);
    Step root[] = {blocking(to_1), blocking(to_2)}, first[] = {blocking(from), COMPUTE(9)}, second[] = {blocking(from)};
    Task tasks[] = {TASK(root), TASK(first), TASK(second)};
    TaskGraph graph = GRAPH(tasks);
    assert_near(time_on(&graph, "3x1:1s,100kB/s", (uint32_t[]){0, 1, 2}), 1 + 1 + 9, 1e-12);
}

/* Both send before they receive. The first message leaves at 0 s, for want of anything else. So its
 * sender receives from 1 s on, and the other message leaves. */
static void tasks_that_rely_on_buffers_come_to_their_end(void **state)
{
    Step to_1 = SEND(1, LONG_BYTES), to_0 = SEND(0, LONG_BYTES), from_1 = RECV(1), from_0 = RECV(0);
    Step a[] = {blocking(to_1), blocking(from_1)}, b[] = {blocking(to_0), blocking(from_0)};
    Task tasks[] = {TASK(a), TASK(b)};
    TaskGraph graph = GRAPH(tasks);
    assert_near(time_on(&graph, "2x1:1s,100kB/s", (uint32_t[]){0, 1}), 1 + 1 + 1, 1e-12);
}

static void short_message_does_not_overtake_a_long_one(void **state)
{
    Step sender[] = {SEND(1, 100), SEND(1, 0)}, receiver[] = {RECV(0), COMPUTE(1), RECV(0)};
    Task tasks[] = {TASK(sender), TASK(receiver)};
    TaskGraph graph = GRAPH(tasks);
    assert_near(time_on(&graph, TWO_NODES, (uint32_t[]){0, 1}), 0.1 + 10 + 1, 1e-12);
}

static void fast_processors_take_less_time(void **state)
{
    Step work[] = {COMPUTE(6)};
    Task tasks[] = {TASK(work)};
    TaskGraph graph = GRAPH(tasks);
    Platform *on = platform(TWO_NODES);
    assert_true(platform_set_speeds(on, (const char *const[]){"n1=2", "n0=0.5", NULL}, arena, &err));
    assert_near(outcome_on(&graph, on, (uint32_t[]){0}).completion_s, 12, 1e-12);
    assert_near(outcome_on(&graph, on, (uint32_t[]){3}).completion_s, 3, 1e-12);
}

/* 0 computes for 1 s and waits for 1, which needs 2 s. They alternate on one processor, without
 * gaps. */
static void tasks_of_a_processor_take_turns(void **state)
{
    Step a[] = {COMPUTE(1), RECV(1), COMPUTE(1)}, b[] = {COMPUTE(2), SEND(0, 0), COMPUTE(4)};
    Task tasks[] = {TASK(a), TASK(b)};
    TaskGraph graph = GRAPH(tasks);
    /* a's message doesn't interrupt b: 1 + 2 + 4, then a's last second. */
    assert_near(time_on(&graph, "1x1", (uint32_t[]){0, 0}), 8, 1e-12);
    assert_near(time_on(&graph, "1x2:0s,1B/s", (uint32_t[]){0, 1}), 6, 1e-12);
}

/* 1 computes for 1 s, waits 1 s for 0 to send, and 5 s for the message. Then it waits for its
 * processor, where 2 computes until 8. */
static void a_watched_simulation_says_what_each_task_does_when(void **state)
{
    Step a[] = {COMPUTE(2), SEND(1, 4)}, b[] = {COMPUTE(1), RECV(0), COMPUTE(3)}, c[] = {COMPUTE(7)};
    Task tasks[] = {TASK(a), TASK(b), TASK(c)};
    TaskGraph graph = GRAPH(tasks);
    const uint32_t processors[] = {0, 2, 2};
    const double expected[3][N_ACTIVITIES] = {{2, 0, 0, 0}, {4, 5, 1, 1}, {7, 0, 0, 1}};
    Simulation *simulation;
    assert_true(simulation_new(&graph, platform(TWO_NODES), arena, &simulation, &err));
    Schedule *schedule = schedule_new(3, 22, 11, arena);
    Outcome watched = simulate_watched(simulation, processors, schedule), plain = simulate(simulation, processors);
    assert_memory_equal(&watched, &plain, sizeof plain);
    for (uint32_t task = 0; task < 3; task++) {
        double sums[N_ACTIVITIES] = {0};
        for (uint32_t bin = 0; bin < 22; bin++)
            for (int doing = 0; doing < N_ACTIVITIES; doing++)
                sums[doing] += schedule_bin(schedule, task, bin)[doing];
        for (int doing = 0; doing < N_ACTIVITIES; doing++)
            assert_near(sums[doing], expected[task][doing], 1e-12);
    }
    assert_near(schedule_bin(schedule, 1, 3)[ACTIVITY_WAIT], 0.5, 1e-12); /* from 1.5 to 2 */
    assert_near(schedule_bin(schedule, 1, 15)[ACTIVITY_QUEUE], 0.5, 1e-12);
}

static void circle_of_waits_names_its_tasks(void **state)
{
    Step free_steps[] = {COMPUTE(1), RECV(3)}, a[] = {RECV(2), SEND(2, 0)}, b[] = {RECV(1), SEND(1, 0), SEND(3, 0)};
    Step c[] = {RECV(2), SEND(0, 0)};
    Task tasks[] = {{"zero", 2, free_steps}, {"one", 2, a}, {"two", 3, b}, {"three", 2, c}};
    TaskGraph graph = GRAPH(tasks);
    Simulation *simulation;
    assert_false(simulation_new(&graph, platform(TWO_NODES), arena, &simulation, &err));
    assert_error(err, ERR_INPUT, "one");
    assert_non_null(strstr(err.message, "two"));
    assert_null(strstr(err.message, "zero"));
    assert_null(strstr(err.message, "three"));
}

static Outcome extrapolated(const TaskGraph *graph, const uint32_t *processors)
{
    Simulation *simulation;
    assert_true(simulation_new_within(graph, platform(TWO_NODES), 1e5, arena, &simulation, &err));
    assert_true(simulation_run_steps(simulation) < 1e5);
    return simulate(simulation, processors);
}

static void the_time_of_a_long_graph_is_extrapolated(void **state)
{
    Step inner_body[] = {COMPUTE(1)}, body[] = {LOOP(100, inner_body)};
    Step sends[] = {COMPUTE(1), SEND(1, 2)}, receives[] = {RECV(0), COMPUTE(2)};
    Step alone[] = {COMPUTE(5), LOOP(1000000, body)}, sender[] = {LOOP(1000000000, sends)};
    Step receiver[] = {LOOP(1000000000, receives), COMPUTE(4)};
    Task one[] = {TASK(alone)}, two[] = {TASK(sender), TASK(receiver)};
    TaskGraph nested = GRAPH(one), matching = GRAPH(two);
    assert_near(extrapolated(&nested, (uint32_t[]){0}).completion_s, 1e8 + 5, 1e-3);
    /* the first message arrives after 1 + (1 + 2) s; then each takes 2 s of its receiver */
    Outcome outcome = extrapolated(&matching, (uint32_t[]){0, 2});
    assert_near(outcome.completion_s, 4 + 2e9 + 4, 1);
    assert_near(outcome.remote_bytes, 2e9, 0);
    assert_near(outcome.busy_s, 3e9 + 4, 1);
}

static void too_many_steps_are_refused_by_number(void **state)
{
    Step inner_body[] = {COMPUTE(1)}, body[] = {LOOP(1000000000, inner_body)}, steps[] = {LOOP(1000, body)};
    Task tasks[] = {TASK(steps)};
    TaskGraph graph = GRAPH(tasks);
    Simulation *simulation;
    assert_false(simulation_new(&graph, platform(TWO_NODES), arena, &simulation, &err));
    assert_error(err, ERR_INPUT, "1e+12");
}

static void what_is_no_platform_is_refused(void **state)
{
    static const char *const texts[] = {"",
                                        "4",
                                        "4x",
                                        "0x2:1us,1GB/s:1us,1GB/s",
                                        "-1x2",
                                        "2x2",
                                        "2x2:1us,1GB/s",
                                        "2x2:1us,1GB/s:1us",
                                        "2x2:1us,0GB/s:1us,1GB/s",
                                        "2x2:1us,1GB/s:1us,1GB/s:",
                                        "2x2:-1us,1GB/s:1us,1GB/s",
                                        "2x2:1,1GB/s:1us,1GB/s",
                                        "2x1:nan us,1GB/s",
                                        "99999x1:1us,1GB/s",
                                        "1024x99999:1us,1GB/s:1us,1GB/s"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Platform *made;
        assert_false(platform_from_text(texts[i], arena, &made, &err));
        assert_int_equal(err.kind, ERR_USAGE);
    }
}

static void an_unreadable_platform_is_told_from_one_that_ends_too_early(void **state)
{
    static const char *const texts[][2] = {{"4x1", "--platform 4x1: the text ends too early"},
                                           {"4x1:2us", "--platform 4x1:2us: the text ends too early"},
                                           {"4x2:2us,1GB/s", "--platform 4x2:2us,1GB/s: the text ends too early"},
                                           {"4x1:2us,1Gb/s", "--platform 4x1:2us,1Gb/s: `1Gb/s` cannot be read"},
                                           {"4:2us,1GB/s", "--platform 4:2us,1GB/s: `:2us,1GB/s` cannot be read"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Platform *made;
        assert_false(platform_from_text(texts[i][0], arena, &made, &err));
        assert_string_equal(err.message, texts[i][1]);
    }
}

static void costs_that_a_platform_does_not_need_are_ignored(void **state)
{
    const Platform *node = platform("1x2:1us,1GB/s:2us,2GB/s"), *cores = platform("2x1:1us,1GB/s:2us,2GB/s");
    assert_near(platform_message_s(node, 0, 1, 0), 2e-6, 1e-12);
    assert_near(platform_message_s(cores, 0, 1, 0), 1e-6, 1e-12);
}

static void a_measured_level_costs_what_was_measured_between_its_units(void **state)
{
    const HostLevel package = {"package", 4, (const uint32_t[]){0, 0, 1, 1}};
    const CostSegment near = {0, {1, 1, 1}, {0, 0, 0}, 0}, far = {0, {3, 3, 3}, {0, 0, 0}, 0};
    CommHost hosts[] = {{"a", "", "", 4, 1, &package, 0}};
    MachinePath paths[2] = {{.configuration = {"mpich", "shm", "", ""}, .level = "core", .n_segments = 1}};
    paths[1] = paths[0];
    paths[1].level = "package";
    paths[0].segments = &near;
    paths[1].segments = &far;
    MachineModel machine = {.date = "", .command = "", .n_hosts = 1, .hosts = hosts, .n_paths = 2, .paths = paths};
    Platform *made;
    assert_true(platform_from_machine(&machine, NULL, NULL, 0, NULL, arena, &made, &err));
    assert_near(platform_message_s(made, 0, 1, 8), 1, 1e-12);
    assert_near(platform_message_s(made, 1, 2, 8), 3, 1e-12);
    assert_near(platform_message_s(made, 2, 3, 8), 1, 1e-12);
    machine.n_paths = 1; /* what wasn't measured costs as much as what was */
    assert_true(platform_from_machine(&machine, NULL, NULL, 0, NULL, arena, &made, &err));
    assert_near(platform_message_s(made, 1, 2, 8), 1, 1e-12);
}

/* 2 switches of 2 nodes of 2 packages of 2 cores. */
static void a_message_costs_what_the_outermost_level_says_at_which_its_ends_are_apart(void **state)
{
    const Platform *on = platform("2/2x2x2:8s,2B/s:4s,1B/s:2s,5B/s:1s,10B/s");
    assert_int_equal(on->n_nodes, 4);
    assert_int_equal(on->n_processors, 16);
    assert_int_equal(on->processors[2].socket, 2);
    assert_near(platform_message_s(on, 0, 1, 10), 1 + 1, 1e-12);
    assert_near(platform_message_s(on, 0, 2, 10), 2 + 2, 1e-12);
    assert_near(platform_message_s(on, 0, 4, 10), 4 + 10, 1e-12);
    assert_near(platform_message_s(on, 0, 8, 10), 8 + 10, 1e-12); /* nodes' own links are narrower */
    assert_int_equal(platform_route(on, 0, 2)->n_links, 0);
    assert_int_equal(platform_route(on, 0, 4)->n_links, 2);
    assert_int_equal(platform_route(on, 0, 8)->n_links, 4);
}

/* Both nodes of the first switch send to the second at once. Its link up is as fast as one node's. */
static void nodes_share_the_link_of_their_switch(void **state)
{
    Step a[] = {SEND(2, 4)}, b[] = {SEND(3, 4)}, c[] = {RECV(0)}, d[] = {RECV(1)};
    Task tasks[] = {TASK(a), TASK(b), TASK(c), TASK(d)};
    TaskGraph graph = GRAPH(tasks);
    assert_near(time_on(&graph, "2/2x1:1s,1B/s:1s,1B/s", (uint32_t[]){0, 1, 2, 3}), 8 + 1, 1e-12);
    assert_near(time_on(&graph, "2/2x1:1s,1B/s:1s,1B/s", (uint32_t[]){0, 2, 1, 3}), 4 + 1, 1e-12);
}

static void unknown_nodes_are_refused_by_name(void **state)
{
    Platform *on = platform(TWO_NODES), *chosen;
    assert_false(platform_set_speeds(on, (const char *const[]){"n7=2", NULL}, arena, &err));
    assert_error(err, ERR_USAGE, "n7");
    assert_false(platform_set_speeds(on, (const char *const[]){"n1=0", NULL}, arena, &err));
    assert_false(platform_set_speeds(on, (const char *const[]){"n1", NULL}, arena, &err));
    assert_false(platform_choose_nodes(on, "n1,n7", arena, &chosen, &err));
    assert_error(err, ERR_USAGE, "n7");
    assert_false(platform_choose_nodes(on, "n1,n1", arena, &chosen, &err));
}

static void chosen_nodes_stand_in_the_given_order(void **state)
{
    Platform *on = platform("3x2:1s,1B/s:0s,1B/s"), *chosen;
    assert_true(platform_choose_nodes(on, "n2,n0", arena, &chosen, &err));
    assert_int_equal(chosen->n_nodes, 2);
    assert_int_equal(chosen->n_processors, 4);
    assert_string_equal(chosen->processors[0].node, "n2");
    assert_string_equal(chosen->processors[3].node, "n0");
    assert_int_equal(chosen->processors[3].node_index, 1);
    assert_near(platform_message_s(chosen, 0, 3, 4), 5, 1e-12);
}

static CostSegment cost(double latency_s, double s_per_byte)
{
    return (CostSegment){.latency_s = {latency_s, latency_s, latency_s},
                         .s_per_byte = {s_per_byte, s_per_byte, s_per_byte}};
}

static void machine_gives_the_faster_mpi_or_the_named_configuration(void **state)
{
    CostSegment shm = cost(1e-6, 1e-10), tcp = cost(1e-4, 1e-8), slow = cost(1e-3, 1e-7);
    CommHost hosts[] = {{"a", "", "", 2, 0, NULL, 0}, {"b", "", "", 4, 0, NULL, 0}, {"c", "", "", 1, 0, NULL, 0}};
    MachinePath paths[] = {
        {.configuration = {"mpich", "tcp", "", ""}, .from_host = 0, .to_host = 0, .n_segments = 1, .segments = &slow},
        {.configuration = {"mpich", "tcp", "", ""}, .from_host = 0, .to_host = 1, .n_segments = 1, .segments = &slow},
        {.configuration = {"openmpi", "shm", "", ""}, .from_host = 0, .to_host = 0, .n_segments = 1, .segments = &shm},
        {.configuration = {"openmpi", "tcp", "", ""}, .from_host = 0, .to_host = 0, .n_segments = 1, .segments = &tcp},
        {.configuration = {"openmpi", "tcp", "", ""}, .from_host = 0, .to_host = 1, .n_segments = 1, .segments = &tcp},
    };
    MachineModel machine = {.date = "", .command = "", .n_hosts = 3, .n_paths = 5, .hosts = hosts, .paths = paths};
    Platform *made;
    assert_true(platform_from_machine(&machine, NULL, NULL, 0, NULL, arena, &made, &err));
    assert_int_equal(made->n_processors, 7);
    assert_string_equal(made->description, "openmpi shm within nodes, openmpi tcp between");
    assert_near(platform_message_s(made, 0, 1, 0), 1e-6, 1e-12);
    assert_near(platform_message_s(made, 5, 0, 0), 1e-4, 1e-12); /* measured in the other direction */
    assert_near(platform_message_s(made, 0, 6, 0), 1e-4, 1e-12); /* not measured: taken from another pair */
    assert_true(
        platform_from_machine(&machine, NULL, "mpich tcp", 3, (const char *const[]){"c=2", NULL}, arena, &made, &err));
    assert_int_equal(made->n_processors, 9);
    assert_near(platform_message_s(made, 0, 1, 0), 1e-3, 1e-12);
    assert_near(made->processors[8].speed, 2, 0);
    assert_false(platform_from_machine(&machine, NULL, "openmpi shm", 0, NULL, arena, &made, &err));
    assert_int_equal(err.kind, ERR_INPUT);
}

static void chosen_hosts_have_their_own_paths_and_need_no_others(void **state)
{
    CostSegment fast = cost(1e-6, 1e-10), slow = cost(1e-3, 1e-7);
    const CommConfiguration shm = {"openmpi", "shm", "", ""}, tcp = {"openmpi", "tcp", "", ""};
    CommHost hosts[] = {{"a", "", "", 2, 0, NULL, 0},
                        {"b", "", "", 2, 0, NULL, 0},
                        {"c", "", "", 2, 0, NULL, 0},
                        {"d", "", "", 2, 0, NULL, 0}};
    MachinePath paths[] = {
        {.configuration = shm, .from_host = 0, .to_host = 0, .n_segments = 1, .segments = &fast},
        {.configuration = shm, .from_host = 2, .to_host = 2, .n_segments = 1, .segments = &slow},
        {.configuration = tcp, .from_host = 0, .to_host = 1, .n_segments = 1, .segments = &fast},
        {.configuration = tcp, .from_host = 2, .to_host = 1, .n_segments = 1, .segments = &slow},
    };
    MachineModel machine = {.date = "", .command = "", .n_hosts = 4, .n_paths = 4, .hosts = hosts, .paths = paths};
    Platform *made;
    assert_true(platform_from_machine(&machine, "c,b", NULL, 0, NULL, arena, &made, &err));
    assert_string_equal(made->nodes[0], "c");
    assert_near(platform_message_s(made, 0, 1, 0), 1e-3, 1e-12);
    assert_near(platform_message_s(made, 0, 2, 0), 1e-3, 1e-12);
    assert_true(platform_from_machine(&machine, "d,c", NULL, 0, NULL, arena, &made, &err));
    assert_near(platform_message_s(made, 0, 2, 0), 1e-6, 1e-12); /* not measured there: taken from another pair */
    machine.n_paths = 2;
    assert_false(platform_from_machine(&machine, NULL, NULL, 0, NULL, arena, &made, &err));
    /* There is no path between them. */
    assert_true(platform_from_machine(&machine, "c", NULL, 0, NULL, arena, &made, &err));
}

static void hosts_of_the_same_name_are_refused(void **state)
{
    CommHost hosts[] = {{"a", "", "", 1, 0, NULL, 0}, {"b", "", "", 1, 0, NULL, 0}, {"a", "", "", 1, 0, NULL, 0}};
    MachineModel machine = {.date = "", .command = "", .n_hosts = 3, .hosts = hosts};
    Platform *made;
    assert_false(platform_from_machine(&machine, NULL, NULL, 0, NULL, arena, &made, &err));
    assert_error(err, ERR_INPUT, "nodes 0 and 2 have the same name, \"a\"");
}

static void slots_leave_the_default_as_launchers_have_it(void **state)
{
    TtigNode nodes[] = {{"0", 1}, {"1", 1}, {"2", 1}, {"3", 1}};
    Ttig ttig = {.source = "", .n_nodes = 4, .nodes = nodes};
    MappingProblem *problem;
    Mapping mapping;
    assert_true(mapping_problem_new(&ttig, platform(TWO_NODES), 4, arena, &problem, &err));
    assert_true(mapping_by_name(problem, MAPPING_DEFAULT, NULL, arena, &mapping, &err));
    assert_memory_equal(mapping.processors, ((uint32_t[]){0, 1, 2, 3}), 4 * sizeof(uint32_t));
}

static void mappers_that_are_left_out_are_named(void **state)
{
    TtigNode nodes[] = {{"0", 1}, {"1", 1}, {"2", 1}, {"3", 1}};
    Ttig ttig = {.source = "", .n_nodes = 4, .nodes = nodes};
    MappingProblem *problem;
    const Mapping *mappings;
    const char *const *left_out;
    uint32_t n, n_left_out = 0;
    assert_true(mapping_problem_new(&ttig, platform(TWO_NODES), 0, arena, &problem, &err));
    assert_true(mapping_compare(problem, NULL, arena, &mappings, &n, &left_out, &err));
    assert_null(left_out[0]);
    uint32_t n_all = n;
    problem->full_steps = 2 * simulation_steps(problem->simulation);
    assert_true(mapping_compare(problem, NULL, arena, &mappings, &n, &left_out, &err));
    assert_int_equal(n, 3); /* the default, another mapper, and the search */
    while (left_out[n_left_out])
        assert_string_not_equal(left_out[n_left_out++], MAPPING_DEFAULT);
    assert_int_equal(n + n_left_out, n_all);
}

/* Two pairs; by default, 2 and 3 are with 0 and 1. A message of 4 bytes takes 1 + 4 s between nodes,
 * 0.5 s within one. Both pairs together share their nodes' links: 1 + 8 s. */
static void a_gain_has_an_interval(void **state)
{
    Step a[] = {SEND(2, 4), COMPUTE(1)}, b[] = {SEND(3, 4), COMPUTE(1)}, c[] = {RECV(0)}, d[] = {RECV(1)};
    Task tasks[] = {TASK(a), TASK(b), TASK(c), TASK(d)};
    TaskGraph graph = GRAPH(tasks);
    TtigNode nodes[] = {{"0", 1}, {"1", 1}, {"2", 1}, {"3", 1}};
    Ttig ttig = {.source = "", .n_nodes = 4, .nodes = nodes, .tasks = &graph};
    Mapping mappings[] = {{.mapper = "other", .processors = (uint32_t[]){0, 2, 1, 3}, .completion_s = 1},
                          {.mapper = MAPPING_DEFAULT, .processors = (uint32_t[]){0, 1, 2, 3}, .completion_s = 9}};
    MappingProblem *problem;
    assert_true(mapping_problem_new(&ttig, platform(TWO_NODES), 0, arena, &problem, &err));
    mapping_find_gains(problem, mappings, 2);
    assert_near(mappings[0].gain, 8.0 / 9, 1e-12);
    assert_near(mappings[0].gain_low, 1 - 1 / (1 + 8 / 1.25) - 8.0 / 27, 1e-9);
    assert_near(mappings[0].gain_high, 1 - 1.0 / 121 / (1.0 / 11 + 8.0 / 27), 1e-9);
    assert_int_equal(mapping_sign(&mappings[0]), 1);
    assert_true(mappings[1].gain == 0 && mappings[1].gain_low == 0 && mappings[1].gain_high == 0);
    graph.left_out_share = 0.9;
    mapping_find_gains(problem, mappings, 2);
    assert_near(mappings[0].gain_low, 1 - 1 / (1 + 8 / 1.25) - 8.0 / 27 - 0.9, 1e-9);
    assert_int_equal(mapping_sign(&mappings[0]), 0);
    double low = mappings[0].gain_low;
    graph.guessed_share = graph.left_out_share;
    graph.left_out_share = 0;
    mapping_find_gains(problem, mappings, 2);
    assert_near(mappings[0].gain_low, low, 1e-12);
    assert_near(simulate(problem->simulation, mappings[1].processors).completion_s, 9, 1e-12);
}

static void more_tasks_than_slots_are_refused(void **state)
{
    TtigNode nodes[9] = {{"0", 1}, {"1", 1}, {"2", 1}, {"3", 1}, {"4", 1}, {"5", 1}, {"6", 1}, {"7", 1}, {"8", 1}};
    Ttig ttig = {.source = "", .n_nodes = 9, .nodes = nodes};
    MappingProblem *problem;
    assert_false(mapping_problem_new(&ttig, platform(TWO_NODES), 2, arena, &problem, &err));
    assert_error(err, ERR_INPUT, "9 tasks");
    assert_true(mapping_problem_new(&ttig, platform(TWO_NODES), 0, arena, &problem, &err));
    assert_int_equal(problem->slots_per_processor, 3);
}

/* w(0) = 4 and w(1) = 3, of which p = 1/3 may overlap: 4 + comm + 2. */
static void made_tasks_take_what_the_ttig_says(void **state)
{
    TtigNode nodes[] = {{"0", 4}, {"1", 3}};
    TtigEdge edges[] = {{0, 1, 2, 1, 1 / 3.0}};
    Ttig ttig = {.source = "", .n_nodes = 2, .n_edges = 1, .nodes = nodes, .edges = edges};
    const TaskGraph *made = mapping_make_tasks(&ttig, arena);
    assert_near(time_on(made, TWO_NODES, (uint32_t[]){0, 2}), 4 + (1 + 2) + 2, 1e-12);
    assert_near(time_on(made, TWO_NODES, (uint32_t[]){0, 0}), 7, 1e-12);
}

static void made_tasks_of_a_circle_do_not_wait_for_each_other(void **state)
{
    TtigNode nodes[] = {{"0", 1}, {"1", 1}, {"2", 1}};
    TtigEdge edges[] = {{0, 1, 2, 1, 1}, {1, 0, 2, 1, 1}, {1, 2, 1, 1, 0}, {2, 0, 1, 1, 0}};
    Ttig ttig = {.source = "", .n_nodes = 3, .n_edges = 4, .nodes = nodes, .edges = edges};
    MappingProblem *problem;
    assert_true(mapping_problem_new(&ttig, platform(TWO_NODES), 0, arena, &problem, &err));
}

static void unknown_mapper_is_refused_with_those_there_are(void **state)
{
    TtigNode nodes[] = {{"0", 1}};
    Ttig ttig = {.source = "", .n_nodes = 1, .nodes = nodes};
    MappingProblem *problem;
    Mapping mapping;
    assert_true(mapping_problem_new(&ttig, platform(TWO_NODES), 0, arena, &problem, &err));
    assert_false(mapping_by_name(problem, "magic", NULL, arena, &mapping, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.hint, "round-robin"));
    assert_true(mapping_by_name(problem, "search", NULL, arena, &mapping, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(message_costs_what_its_path_says),
        fixture_test(sender_does_not_wait_for_its_receiver),
        fixture_test(puts_and_gets_wait_for_no_partner),
        fixture_test(pipeline_fills_and_drains),
        fixture_test(messages_share_what_a_node_sends_and_receives),
        fixture_test(one_sender_does_not_keep_a_receiver_from_others),
        fixture_test(messages_of_a_pair_cross_links_one_at_a_time),
        fixture_test(long_messages_wait_for_their_receivers),
        fixture_test(a_posted_receive_says_nothing_about_others_of_its_pair),
        fixture_test(blocking_sends_of_long_messages_take_turns),
        fixture_test(tasks_that_rely_on_buffers_come_to_their_end),
        fixture_test(short_message_does_not_overtake_a_long_one),
        fixture_test(fast_processors_take_less_time),
        fixture_test(tasks_of_a_processor_take_turns),
        fixture_test(a_watched_simulation_says_what_each_task_does_when),
        fixture_test(circle_of_waits_names_its_tasks),
        fixture_test(the_time_of_a_long_graph_is_extrapolated),
        fixture_test(too_many_steps_are_refused_by_number),
        fixture_test(what_is_no_platform_is_refused),
        fixture_test(an_unreadable_platform_is_told_from_one_that_ends_too_early),
        fixture_test(costs_that_a_platform_does_not_need_are_ignored),
        fixture_test(a_measured_level_costs_what_was_measured_between_its_units),
        fixture_test(a_message_costs_what_the_outermost_level_says_at_which_its_ends_are_apart),
        fixture_test(nodes_share_the_link_of_their_switch),
        fixture_test(unknown_nodes_are_refused_by_name),
        fixture_test(chosen_nodes_stand_in_the_given_order),
        fixture_test(machine_gives_the_faster_mpi_or_the_named_configuration),
        fixture_test(chosen_hosts_have_their_own_paths_and_need_no_others),
        fixture_test(hosts_of_the_same_name_are_refused),
        fixture_test(slots_leave_the_default_as_launchers_have_it),
        fixture_test(mappers_that_are_left_out_are_named),
        fixture_test(a_gain_has_an_interval),
        fixture_test(more_tasks_than_slots_are_refused),
        fixture_test(made_tasks_take_what_the_ttig_says),
        fixture_test(made_tasks_of_a_circle_do_not_wait_for_each_other),
        fixture_test(unknown_mapper_is_refused_with_those_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
