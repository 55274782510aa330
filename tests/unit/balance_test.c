/* SPDX-License-Identifier: BSD-3-Clause */
/* The time of made-up runs: each process's, and the tree of efficiencies, computed by hand. Times
 * are in ns. */
#include "scaling/balance.h"
#include "test.h"

#include "property/random_trace.h"

#include <math.h>

/* A call of a process. The time since its previous call was computation. */
static Event *call(MemoryTrace *trace, uint32_t process, Event event, int64_t enter_ns, int64_t leave_ns)
{
    const MemoryProcess *own = &trace->processes[process];
    int64_t before_ns = own->events.count ? own->events.items[own->events.count - 1].leave_ns : 0;
    Event *added = memory_trace_add(trace, process, event);
    added->compute_ns = enter_ns - before_ns;
    added->enter_ns = enter_ns;
    added->leave_ns = leave_ns;
    return added;
}

static void begin_all(MemoryTrace *trace)
{
    for (uint32_t i = 0; i < trace->trace.application.n_processes; i++)
        call(trace, i, (Event){.kind = EVENT_BEGIN}, 0, 0);
}

static void finish(MemoryTrace *trace, uint32_t process, int64_t at_ns)
{
    call(trace, process, (Event){.kind = EVENT_END}, at_ns, at_ns);
}

static void send(MemoryTrace *trace, uint32_t process, uint32_t to, int64_t enter_ns, int64_t leave_ns)
{
    call(trace, process, (Event){.kind = EVENT_SEND, .peer = to, .request = NO_REQUEST}, enter_ns, leave_ns);
}

static void receive(MemoryTrace *trace, uint32_t process, uint32_t from, int64_t enter_ns, int64_t leave_ns)
{
    call(trace, process, (Event){.kind = EVENT_RECV, .peer = from, .request = NO_REQUEST}, enter_ns, leave_ns);
}

static void collective(MemoryTrace *trace, uint32_t process, Collective kind, uint32_t root, int64_t enter_ns,
                       int64_t leave_ns)
{
    call(trace, process,
         (Event){.kind = EVENT_COLLECTIVE, .collective = (uint8_t)kind, .peer = root, .request = NO_REQUEST}, enter_ns,
         leave_ns);
}

static Efficiencies balance_of(MemoryTrace *trace, Arena *arena)
{
    Err err = {0};
    Efficiencies tree;
    if (!balance_read(memory_trace_source(trace), NULL, arena, &tree, &err))
        fail_msg("%s", err.message);
    return tree;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 + 1e-9 * fabs(expected)))
        fail_msg("%.12g isn't %.12g", value, expected);
}

static void assert_ns(double seconds, double expected_ns)
{
    assert_near(seconds * 1e9, expected_ns);
}

static void assert_process(const Efficiencies *tree, uint32_t process, const double expected_ns[5])
{
    const ProcessBalance *own = &tree->processes[process];
    assert_ns(own->whole_s, expected_ns[0]);
    assert_ns(own->compute_s, expected_ns[1]);
    assert_ns(own->idle_s, expected_ns[2]);
    assert_ns(own->transfer_s, expected_ns[3]);
    assert_ns(own->other_s, expected_ns[4]);
}

static void processes_that_never_communicate_are_balanced_or_not(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(2);
    begin_all(trace);
    finish(trace, 0, 100);
    finish(trace, 1, 60);
    const Efficiencies tree = balance_of(trace, arena);
    assert_process(&tree, 0, (double[]){100, 100, 0, 0, 0});
    assert_process(&tree, 1, (double[]){60, 60, 0, 0, 0});
    assert_near(tree.load_balance, 0.8);
    assert_near(tree.communication, 1);
    assert_near(tree.parallel, 0.8);
    assert_true(isinf(tree.granularity));
    memory_trace_free(trace);
    arena_free(arena);
}

/*      0   |-------- 100 --------|send 4|
 *      1   |-- 40 --|recv ········· 70  |- 10 -|         on an ideal network, 1 would wait for 60 */
static void a_late_sender_makes_its_receiver_idle(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(2);
    begin_all(trace);
    send(trace, 0, 1, 100, 104);
    finish(trace, 0, 104);
    receive(trace, 1, 0, 40, 110);
    finish(trace, 1, 120);
    const Efficiencies tree = balance_of(trace, arena);
    assert_process(&tree, 0, (double[]){104, 100, 0, 4, 0});
    assert_process(&tree, 1, (double[]){120, 50, 60, 10, 0});
    assert_ns(tree.run_s, 120);
    assert_ns(tree.ideal_s, 110);
    assert_near(tree.granularity, 150. / 14);
    assert_near(tree.load_balance, 75. / 100);
    assert_near(tree.serialisation, 100. / 110);
    assert_near(tree.transfer, 110. / 120);
    assert_near(tree.communication, 100. / 120);
    assert_near(tree.parallel, 75. / 120);
    memory_trace_free(trace);
    arena_free(arena);
}

static void processes_that_work_in_turn_are_balanced_but_serial(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(2);
    begin_all(trace);
    send(trace, 0, 1, 100, 100);
    finish(trace, 0, 100);
    receive(trace, 1, 0, 0, 100);
    finish(trace, 1, 200);
    const Efficiencies tree = balance_of(trace, arena);
    assert_near(tree.load_balance, 1);
    assert_near(tree.serialisation, 0.5);
    assert_near(tree.transfer, 1);
    assert_near(tree.parallel, 0.5);
    memory_trace_free(trace);
    arena_free(arena);
}

/* A wait for transfer causes waits elsewhere that an ideal network wouldn't have: 2 waits for 1,
 * which waited for bytes. */
static void waits_for_whoever_waited_for_the_network_are_transfer(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(3);
    begin_all(trace);
    send(trace, 0, 1, 10, 10);
    finish(trace, 0, 10);
    receive(trace, 1, 0, 10, 50);
    send(trace, 1, 2, 50, 50);
    finish(trace, 1, 50);
    receive(trace, 2, 1, 10, 50);
    finish(trace, 2, 60);
    const Efficiencies tree = balance_of(trace, arena);
    assert_process(&tree, 1, (double[]){50, 10, 0, 40, 0});
    assert_process(&tree, 2, (double[]){60, 20, 0, 40, 0});
    assert_ns(tree.ideal_s, 20);
    memory_trace_free(trace);
    arena_free(arena);
}

/* Four collectives with the same timing. They differ in what process 0, the root, and process 1
 * wait for. */
static void who_waits_in_a_collective_depends_on_its_kind(void **state)
{
    static const struct {
        Collective kind;
        uint32_t root;
        int64_t enter_ns[2];
        double idle_ns[2];
    } cases[] = {
        {COLLECTIVE_ALLREDUCE, NO_ROOT, {10, 50}, {40, 0}},
        {COLLECTIVE_ALLREDUCE, NO_ROOT, {50, 10}, {0, 40}},
        {COLLECTIVE_BCAST, 0, {10, 50}, {0, 0}},
        {COLLECTIVE_BCAST, 0, {50, 10}, {0, 40}},
        {COLLECTIVE_REDUCE, 0, {10, 50}, {40, 0}},
        {COLLECTIVE_REDUCE, 0, {50, 10}, {0, 0}},
        {COLLECTIVE_SCATTERV, 0, {50, 10}, {0, 40}},
        {COLLECTIVE_GATHER, 0, {50, 10}, {0, 0}},
        {COLLECTIVE_BARRIER, NO_ROOT, {10, 50}, {40, 0}},
        {COLLECTIVE_NEIGHBOR_ALLTOALL, NO_ROOT, {10, 50}, {0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena *arena = arena_new();
        MemoryTrace *trace = memory_trace_new(2);
        begin_all(trace);
        for (uint32_t k = 0; k < 2; k++) {
            collective(trace, k, cases[i].kind, cases[i].root, cases[i].enter_ns[k], 60);
            finish(trace, k, 70);
        }
        const Efficiencies tree = balance_of(trace, arena);
        for (uint32_t k = 0; k < 2; k++) {
            assert_ns(tree.processes[k].idle_s, cases[i].idle_ns[k]);
            assert_ns(tree.processes[k].transfer_s, (double)(60 - cases[i].enter_ns[k]) - cases[i].idle_ns[k]);
        }
        memory_trace_free(trace);
        arena_free(arena);
    }
}

static void whoever_left_a_collective_before_others_came_has_not_waited_for_them(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(3);
    const int64_t enter_ns[] = {10, 40, 20}, leave_ns[] = {11, 45, 30};
    begin_all(trace);
    for (uint32_t i = 0; i < 3; i++) {
        collective(trace, i, COLLECTIVE_ALLREDUCE, NO_ROOT, enter_ns[i], leave_ns[i]);
        finish(trace, i, 50);
    }
    const Efficiencies tree = balance_of(trace, arena);
    for (uint32_t i = 0; i < 3; i++)
        assert_ns(tree.processes[i].idle_s, 0);
    assert_int_equal(tree.n_incomplete, 0);
    memory_trace_free(trace);
    arena_free(arena);
}

/* Process 0 begins a nonblocking barrier before it sends. Process 1 needs this message to reach the
 * barrier. */
static void a_nonblocking_collective_does_not_hold_up_the_replay(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(2);
    begin_all(trace);
    collective(trace, 0, COLLECTIVE_BARRIER, NO_ROOT, 10, 11);
    send(trace, 0, 1, 30, 31);
    finish(trace, 0, 60);
    receive(trace, 1, 0, 5, 35);
    collective(trace, 1, COLLECTIVE_BARRIER, NO_ROOT, 45, 46);
    finish(trace, 1, 60);
    const Efficiencies tree = balance_of(trace, arena);
    assert_ns(tree.processes[0].idle_s, 0);
    assert_ns(tree.processes[1].idle_s, 29 - 5);
    assert_int_equal(tree.n_unmatched, 0);
    memory_trace_free(trace);
    arena_free(arena);
}

static void post(MemoryTrace *trace, uint32_t process, Collective kind, uint32_t root, int64_t enter_ns,
                 int64_t leave_ns)
{
    call(trace, process, (Event){.kind = EVENT_COLLECTIVE, .collective = (uint8_t)kind, .peer = root, .request = 7},
         enter_ns, leave_ns);
}

static void complete(MemoryTrace *trace, uint32_t process, int64_t enter_ns, int64_t leave_ns)
{
    call(trace, process, (Event){.kind = EVENT_REQUEST_DONE, .request = 7}, enter_ns, leave_ns);
}

/*      0   |-- 10 --|post|-- 10 --|wait ········· 105  |-- 10 --|
 *      1   |-------------- 100 --------------|post|wait|-- 10 --|     0 waits for 1 in the wait alone */
static void whoever_completes_a_nonblocking_collective_waits_for_its_members(void **state)
{
    static const struct {
        Collective kind;
        uint32_t root;
        double idle_ns;
    } cases[] = {{COLLECTIVE_ALLREDUCE, NO_ROOT, 80},
                 {COLLECTIVE_BCAST, 1, 80},
                 {COLLECTIVE_BCAST, 0, 0},
                 {COLLECTIVE_REDUCE, 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena *arena = arena_new();
        MemoryTrace *trace = memory_trace_new(2);
        begin_all(trace);
        post(trace, 0, cases[i].kind, cases[i].root, 10, 11);
        complete(trace, 0, 21, 105);
        finish(trace, 0, 115);
        post(trace, 1, cases[i].kind, cases[i].root, 100, 101);
        complete(trace, 1, 101, 105);
        finish(trace, 1, 115);
        const Efficiencies tree = balance_of(trace, arena);
        assert_process(&tree, 0, (double[]){115, 30, cases[i].idle_ns, 85 - cases[i].idle_ns, 0});
        assert_process(&tree, 1, (double[]){115, 110, 0, 5, 0});
        assert_int_equal(tree.n_incomplete, 0);
        memory_trace_free(trace);
        arena_free(arena);
    }
}

/* Two collectives are open at once, and the later one is completed first. */
static void nonblocking_collectives_complete_in_any_order(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(2);
    begin_all(trace);
    for (uint32_t k = 0; k < 2; k++) {
        int64_t start_ns = k ? 50 : 10;
        for (uint64_t request = 1; request <= 2; request++) {
            int64_t at_ns = start_ns + 10 * (int64_t)request;
            call(trace, k,
                 (Event){
                     .kind = EVENT_COLLECTIVE, .collective = COLLECTIVE_BARRIER, .peer = NO_ROOT, .request = request},
                 at_ns, at_ns);
        }
        call(trace, k, (Event){.kind = EVENT_REQUEST_DONE, .request = 2}, start_ns + 20, 80);
        call(trace, k, (Event){.kind = EVENT_REQUEST_DONE, .request = 1}, 80, 80);
        finish(trace, k, 90);
    }
    const Efficiencies tree = balance_of(trace, arena);
    assert_process(&tree, 0, (double[]){90, 40, 40, 10, 0});
    assert_process(&tree, 1, (double[]){90, 80, 0, 10, 0});
    assert_int_equal(tree.n_incomplete, 0);
    memory_trace_free(trace);
    arena_free(arena);
}

static void waiting_for_a_send_is_transfer(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(2);
    begin_all(trace);
    call(trace, 0, (Event){.kind = EVENT_SEND, .peer = 1, .request = 7}, 10, 10);
    complete(trace, 0, 20, 30);
    finish(trace, 0, 30);
    receive(trace, 1, 0, 30, 30);
    finish(trace, 1, 30);
    const Efficiencies tree = balance_of(trace, arena);
    assert_process(&tree, 0, (double[]){30, 20, 0, 10, 0});
    memory_trace_free(trace);
    arena_free(arena);
}

/* Two receives are posted. The second one's message arrives first, and the process waits for it
 * first. */
static void receives_match_in_the_order_in_which_they_were_posted(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(2);
    begin_all(trace);
    send(trace, 0, 1, 20, 20);
    send(trace, 0, 1, 90, 90);
    finish(trace, 0, 90);
    call(trace, 1, (Event){.kind = EVENT_RECV_POST, .request = 1}, 5, 5);
    call(trace, 1, (Event){.kind = EVENT_RECV_POST, .request = 2}, 10, 10);
    call(trace, 1, (Event){.kind = EVENT_RECV, .peer = 0, .request = 2}, 15, 95);
    call(trace, 1, (Event){.kind = EVENT_RECV, .peer = 0, .request = 1}, 100, 100);
    finish(trace, 1, 100);
    const Efficiencies tree = balance_of(trace, arena);
    assert_process(&tree, 1, (double[]){100, 20, 75, 5, 0});
    memory_trace_free(trace);
    arena_free(arena);
}

static void time_off_the_processor_is_neither_computation_nor_communication(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(1);
    begin_all(trace);
    call(trace, 0, (Event){.kind = EVENT_END}, 100, 100)->compute_ns = 30;
    const Efficiencies tree = balance_of(trace, arena);
    assert_process(&tree, 0, (double[]){100, 30, 0, 0, 70});
    assert_near(tree.transfer, 0.3);
    memory_trace_free(trace);
    arena_free(arena);
}

/* A killed run: process 1 never reaches the second barrier, and never sends the message that
 * process 0 waits for. */
static void what_a_cut_off_trace_lacks_is_counted_and_not_waited_for(void **state)
{
    Arena *arena = arena_new();
    MemoryTrace *trace = memory_trace_new(2);
    begin_all(trace);
    collective(trace, 0, COLLECTIVE_BARRIER, NO_ROOT, 10, 20);
    collective(trace, 1, COLLECTIVE_BARRIER, NO_ROOT, 15, 20);
    receive(trace, 0, 1, 30, 40);
    collective(trace, 0, COLLECTIVE_BARRIER, NO_ROOT, 45, 60);
    const Efficiencies tree = balance_of(trace, arena);
    assert_int_equal(tree.n_unmatched, 1);
    assert_int_equal(tree.n_incomplete, 1);
    assert_int_equal(tree.n_unfinished, 2);
    assert_process(&tree, 0, (double[]){60, 25, 5, 30, 0});
    memory_trace_free(trace);
    arena_free(arena);
}

static void a_run_that_computes_nothing_has_no_efficiencies(void **state)
{
    Arena *arena = arena_new();
    Err err = {0};
    Efficiencies tree;
    MemoryTrace *trace = memory_trace_new(1);
    begin_all(trace);
    finish(trace, 0, 0);
    assert_false(balance_read(memory_trace_source(trace), NULL, arena, &tree, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    memory_trace_free(trace);
    arena_free(arena);
}

static void redundant_computation_is_what_grows_with_the_processes(void **state)
{
    BalancePoint points[] = {
        {.trace = "b", .efficiencies = {.n_processes = 4, .all = {.compute_s = 15}, .parallel = 0.5}},
        {.trace = "a", .efficiencies = {.n_processes = 2, .all = {.compute_s = 12}, .parallel = 0.9}}};
    balance_compare(points, 2);
    assert_string_equal(points[0].trace, "a");
    assert_near(points[0].redundant_s, 0);
    assert_near(points[1].redundant_s, 3);
    assert_near(points[1].computation_scaling, 0.8);
    assert_near(points[1].global, 0.4);
}

/* Checks what holds in every legal run: nothing is negative, parts add up, products hold, and an
 * ideal network makes nothing slower. */
static void check_tree(const Efficiencies *tree)
{
    for (uint32_t i = 0; i < tree->n_processes; i++) {
        const ProcessBalance *own = &tree->processes[i];
        assert_true(own->compute_s >= 0 && own->idle_s >= 0 && own->transfer_s >= 0 && own->other_s >= 0);
        assert_near(own->compute_s + own->idle_s + own->transfer_s + own->other_s, own->whole_s);
    }
    assert_true(tree->ideal_s <= tree->run_s);
    assert_true(tree->parallel == tree->load_balance * tree->communication);
    assert_true(tree->communication == tree->serialisation * tree->transfer);
    assert_near(tree->parallel, tree->all.compute_s / tree->n_processes / tree->run_s);
    assert_true(tree->serialisation <= 1 && tree->transfer <= 1 && tree->load_balance <= 1);
}

/* Sets a process's computation to a part of the time between its calls, which the trace leaves
 * open. */
static void compute_between_calls(MemoryTrace *trace, uint64_t *random)
{
    for (uint32_t p = 0; p < trace->trace.application.n_processes; p++)
        for (size_t k = 1; k < trace->processes[p].events.count; k++) {
            Event *events = trace->processes[p].events.items;
            int64_t passed_ns = events[k].enter_ns - events[k - 1].leave_ns;
            if (passed_ns > 0)
                events[k].compute_ns = random_below(random, (uint32_t)passed_ns + 1);
        }
}

static void random_runs_have_trees_whose_products_hold_however_they_are_read(void **state)
{
    enum { N_TRACES = 300 };
    for (uint64_t i = 0; i < N_TRACES; i++) {
        uint64_t random = i * 77 + 5;
        Arena *arena = arena_new();
        MemoryTrace *trace = random_trace(i + 1, 2 + random_below(&random, 6), 40 + (int)random_below(&random, 1200));
        compute_between_calls(trace, &random);
        const Efficiencies tree = balance_of(trace, arena);
        check_tree(&tree);
        assert_int_equal(tree.n_unmatched, 0);
        trace->random = i + 1;
        const Efficiencies again = balance_of(trace, arena);
        assert_true(again.ideal_s == tree.ideal_s && again.all.idle_s == tree.all.idle_s);
        memory_trace_free(trace);
        arena_free(arena);
    }
}

/* Reads processes in turns of random lengths. */
static Efficiencies watched(MemoryTrace *trace, uint64_t *random, Arena *arena)
{
    uint32_t n = trace->trace.application.n_processes, n_ended = 0;
    BalanceWatch *watch = balance_watch_new(memory_trace_source(trace));
    EventSource *source = balance_watch_source(watch);
    bool *ended = arena_new_array(arena, bool, n);
    Efficiencies tree;
    Err err = {0};
    while (n_ended < n) {
        Event events[64];
        size_t count;
        uint32_t process = random_below(random, n);
        assert_true(ended[process] ||
                    source->read(source, process, events, 1 + random_below(random, 64), &count, &err));
        n_ended += !ended[process] && !count;
        ended[process] = ended[process] || !count;
    }
    assert_false(balance_watch_has_given_up(watch));
    assert_true(balance_watch_finish(watch, arena, &tree, &err));
    balance_watch_free(watch);
    return tree;
}

static void assert_same_process(const ProcessBalance *a, const ProcessBalance *b)
{
    assert_true(a->whole_s == b->whole_s && a->compute_s == b->compute_s && a->idle_s == b->idle_s);
    assert_true(a->transfer_s == b->transfer_s && a->other_s == b->other_s && a->finished == b->finished);
}

static void a_trace_that_is_read_for_another_purpose_has_the_same_tree(void **state)
{
    enum { N_TRACES = 200 };
    for (uint64_t i = 0; i < N_TRACES; i++) {
        uint64_t random = i * 31 + 7;
        Arena *arena = arena_new();
        MemoryTrace *trace = random_trace(i + 1, 2 + random_below(&random, 6), 40 + (int)random_below(&random, 1200));
        compute_between_calls(trace, &random);
        if (i % 2) /* cut off: processes wait for what isn't there */
            trace->processes[0].events.count /= 2;
        const Efficiencies tree = balance_of(trace, arena), again = watched(trace, &random, arena);
        assert_true(again.ideal_s == tree.ideal_s && again.run_s == tree.run_s);
        assert_true(again.n_unmatched == tree.n_unmatched && again.n_incomplete == tree.n_incomplete);
        for (uint32_t p = 0; p < tree.n_processes; p++)
            assert_same_process(&again.processes[p], &tree.processes[p]);
        memory_trace_free(trace);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_that_never_communicate_are_balanced_or_not),
        cmocka_unit_test(a_late_sender_makes_its_receiver_idle),
        cmocka_unit_test(processes_that_work_in_turn_are_balanced_but_serial),
        cmocka_unit_test(waits_for_whoever_waited_for_the_network_are_transfer),
        cmocka_unit_test(who_waits_in_a_collective_depends_on_its_kind),
        cmocka_unit_test(whoever_left_a_collective_before_others_came_has_not_waited_for_them),
        cmocka_unit_test(a_nonblocking_collective_does_not_hold_up_the_replay),
        cmocka_unit_test(whoever_completes_a_nonblocking_collective_waits_for_its_members),
        cmocka_unit_test(nonblocking_collectives_complete_in_any_order),
        cmocka_unit_test(waiting_for_a_send_is_transfer),
        cmocka_unit_test(receives_match_in_the_order_in_which_they_were_posted),
        cmocka_unit_test(time_off_the_processor_is_neither_computation_nor_communication),
        cmocka_unit_test(what_a_cut_off_trace_lacks_is_counted_and_not_waited_for),
        cmocka_unit_test(a_run_that_computes_nothing_has_no_efficiencies),
        cmocka_unit_test(redundant_computation_is_what_grows_with_the_processes),
        cmocka_unit_test(random_runs_have_trees_whose_products_hold_however_they_are_read),
        cmocka_unit_test(a_trace_that_is_read_for_another_purpose_has_the_same_tree),
    };
    return cmocka_run_group_tests_name("balance", tests, NULL, NULL);
}
