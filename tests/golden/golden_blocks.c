/* SPDX-License-Identifier: BSD-3-Clause */
/* The thesis's examples of block similarity: SMG2000 (figures 3.12, 3.15, 3.17), CG in Lamport
 * order (3.6, 3.14, 3.16), and the sequence of figure 3.18. Blocks count from 0 here, but from 1 in
 * the thesis. */
#include "../property/memory_trace.h"
#include "signature/phases/block_phases.h"
#include "signature/phases/finder.h"
#include "test.h"

/* An iteration of SMG2000: s2 is a send to process 2, r3 a receive from process 3. */
static const char *const SMG2000[4] = {"s2 r2 r3 r4 s3 s4", "s1 r1 s3 r3 r4 s4", "s1 s2 r1 r2 s4 r4",
                                       "s1 s2 s3 r1 r2 r3"};

static MemoryTrace *make_smg2000(int iterations)
{
    MemoryTrace *trace = memory_trace_new(4);
    for (int i = 0; i < iterations; i++)
        for (uint32_t p = 0; p < 4; p++)
            for (const char *c = SMG2000[p]; *c; c += c[2] ? 3 : 2)
                (*c == 's' ? add_send : add_recv)(trace, p, (uint32_t)(c[1] - '1'), 0, 20);
    return trace;
}

static Signature *find(MemoryTrace *trace, const char *order)
{
    PhaseParameters parameters = PHASE_PARAMETERS_DEFAULT;
    parameters.order = order;
    parameters.similarity = "block";
    Signature *signature = NULL;
    OrderReport report;
    Err err = {0};
    if (!phases_find(memory_trace_source(trace), &parameters, NULL, NULL, trace->arena, &signature, &report, &err))
        fail_msg("%s", err.message);
    return signature;
}

static void smg2000_has_eleven_distinct_blocks_and_two_phases(void **state)
{
    MemoryTrace *trace = make_smg2000(2);
    const Signature *signature = find(trace, "pas2p");
    assert_int_equal(signature->n_ticks, 22);
    assert_int_equal(signature->n_blocks, 21);
    assert_int_equal(signature->n_distinct_blocks, 11);
    assert_int_equal(signature->n_phases, 2);
    assert_int_equal(signature->phases[0].n_ticks, 10);
    assert_int_equal(signature->phases[0].weight, 2);
    assert_int_equal(signature->phases[1].n_ticks, 1);
    assert_int_equal(signature->phases[1].weight, 1);
    static const uint64_t second[4] = {3, 3, 3, 3}, end[4] = {6, 6, 6, 6};
    assert_memory_equal(signature->phases[0].places[0].startpoint, second, sizeof second);
    assert_memory_equal(signature->phases[0].places[0].endpoint, end, sizeof end);
    memory_trace_free(trace);
}

/* CG has four exchanges an iteration, with different volumes. Here they are ticks of the Lamport
 * order: 2 -2 2 -2 1 -1 2 -2 … */
static void feed_cg(TickSink *sink, int iterations)
{
    static const uint32_t partners[4][4] = {{2, 2, 1, 2}, {1, 1, 3, 1}, {4, 4, 2, 4}, {3, 3, 4, 3}};
    static const uint64_t bytes[4] = {1000, 2000, 4000, 8};
    Err err;
    for (uint64_t tick = 0; tick < 8 * (uint64_t)iterations; tick++) {
        LogicalEvent events[4];
        for (uint32_t p = 0; p < 4; p++)
            events[p] = (LogicalEvent){
                .process = p,
                .type = comm_type_message(tick % 2 ? TYPE_RECV : TYPE_SEND, partners[p][tick % 8 / 2] - 1),
                .bytes = bytes[tick % 8 / 2],
                .number = (tick + 1) / 2,
                .enter_ns = (int64_t)(100 * tick),
                .compute_ns = 90};
        assert_true(sink->tick(sink, tick, TICK_MIXED, events, 4, &err));
    }
}

static void cg_has_eight_distinct_blocks_and_two_phases(void **state)
{
    PhaseParameters parameters = PHASE_PARAMETERS_DEFAULT;
    parameters.similarity = "block";
    PhaseFinder *finder = phase_finder_new(&parameters, 4, NULL, 0);
    assert_true(phase_finder_sink(finder)->wants_receives);
    feed_cg(phase_finder_sink(finder), 2);
    ProcessSpan spans[4];
    for (int p = 0; p < 4; p++)
        spans[p] = (ProcessSpan){.end_ns = 1600, .last_ns = 1400};
    OrderReport report = {.processes = spans};
    Arena *arena = arena_new();
    Signature signature = {0};
    Err err;
    assert_true(phase_finder_finish(finder, &report, arena, &signature, &err));
    assert_int_equal(signature.n_ticks, 16);
    assert_int_equal(signature.n_blocks, 15);
    assert_int_equal(signature.n_distinct_blocks, 8);
    assert_int_equal(signature.n_phases, 2);
    assert_int_equal(signature.phases[0].n_ticks, 7);
    assert_int_equal(signature.phases[0].weight, 2);
    assert_int_equal(signature.phases[1].n_ticks, 1);
    assert_int_equal(signature.phases[1].weight, 1);
    assert_true(signature.parameters.compute_floor_s == 0);
    static const uint32_t renamed[15] = {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7};
    uint32_t names[16];
    assert_int_equal(signature_expand(&(Signature){.sequence = signature.renamed}, 16, names), 15);
    assert_memory_equal(names, renamed, sizeof renamed);
    for (uint64_t name = 0; name < 8; name++)
        assert_int_equal(signature.first_blocks[name], name);
    phase_finder_free(finder);
    arena_free(arena);
}

/* The same, from a trace of the processes' calls. */
static void cg_in_lamport_order_has_two_phases(void **state)
{
    static const uint32_t partners[4][4] = {{1, 1, 0, 1}, {0, 0, 2, 0}, {3, 3, 1, 3}, {2, 2, 3, 2}};
    static const uint64_t bytes[4] = {1000, 2000, 4000, 8};
    MemoryTrace *trace = memory_trace_new(4);
    for (int i = 0; i < 2; i++)
        for (uint32_t p = 0; p < 4; p++)
            for (int exchange = 0; exchange < 4; exchange++) {
                add_send(trace, p, partners[p][exchange], 0, bytes[exchange]);
                add_recv(trace, p, partners[p][exchange], 0, bytes[exchange]);
            }
    const Signature *signature = find(trace, "lamport");
    assert_int_equal(signature->n_blocks, 15);
    assert_int_equal(signature->n_distinct_blocks, 8);
    assert_int_equal(signature->n_phases, 2);
    assert_int_equal(signature->phases[0].weight, 2);
    assert_int_equal(signature->phases[1].weight, 1);
    memory_trace_free(trace);
}

static void figure_3_18_has_seven_phases(void **state)
{
    static const uint32_t names[] = {1, 2, 3, 4, 5, 6, 1, 2, 9, 10, 5};
    static const BlockPhase expected[] = {{0, 2, 2}, {2, 1, 1}, {3, 1, 1}, {4, 1, 2}, {5, 1, 1}, {8, 1, 1}, {9, 1, 1}};
    static const uint32_t sequence[] = {0, 1, 2, 3, 4, 0, 5, 6, 3};
    BlockPhases found = {0};
    block_phases_find(names, 11, 11, &found);
    assert_int_equal(found.phases.count, 7);
    assert_memory_equal(found.phases.items, expected, sizeof expected);
    assert_int_equal(found.sequence.count, 9);
    assert_memory_equal(found.sequence.items, sequence, sizeof sequence);
    block_phases_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smg2000_has_eleven_distinct_blocks_and_two_phases),
        cmocka_unit_test(cg_has_eight_distinct_blocks_and_two_phases),
        cmocka_unit_test(cg_in_lamport_order_has_two_phases),
        cmocka_unit_test(figure_3_18_has_seven_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
