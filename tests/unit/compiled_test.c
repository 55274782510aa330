/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled code: assembler text to loops, and loops matched with those of a source. */
#include "base/process.h"
#include "cost/compiled/compile.h"
#include "cost/compiled/forwarding.h"
#include "cost/compiled/pieces.h"
#include "cost/compiled/scheduler.h"
#include "test.h"
#include "unit/near.h"

/*  1  double sum(const double *x, long n, long m)
 *  2  {
 *  3      double sum = 0;
 *  4      for (long i = 0; i < n; i++)
 *  5          for (long j = 0; j < m; j++)
 *  6              sum += x[j];
 *  7      return sum;
 *  8  } */
static const char sum_text[] = "\t.file\t\"sum.c\"\n"
                               "\t.text\n"
                               "\t.type\tsum, @function\n"
                               "sum:\n"
                               ".LFB0:\n"
                               "\t.file 1 \"/some/sum.c\"\n"
                               "\t.file 2 \"/usr/include/math.h\"\n"
                               "\t.loc 1 2 1 view -0\n"
                               "\tpxor\t%xmm0, %xmm0\n"
                               "\tleaq\t(%rdi,%rdx,8), %rcx\n"
                               "\t.loc 1 4 10 view .LVU3\n"
                               "\txorl\t%edx, %edx\n"
                               ".L3:\n"
                               ".LBB2:\n"
                               "\t.loc 1 5 14 is_stmt 0 view .LVU4\n"
                               "\tmovq\t%rdi, %rax\n"
                               ".L2:\n"
                               "\t.loc 1 6 13 view .LVU5\n"
                               "\taddsd\t(%rax), %xmm0\n"
                               "\t.loc 2 9 1\n"
                               "\taddq\t$8, %rax\n"
                               "\t.loc 1 5 28 view .LVU6\n"
                               "\tcmpq\t%rcx, %rax\n"
                               "\tjne\t.L2\n"
                               "\t.loc 1 4 24 view .LVU7\n"
                               "\taddq\t$1, %rdx\n"
                               "\tcmpq\t%rdx, %rsi\n"
                               "\tjne\t.L3\n"
                               "\t.loc 1 8 1\n"
                               "\tret\n"
                               "\t.size\tsum, .-sum\n";

enum { FUNCTION, OUTER, INNER, REGIONS };

static void make_regions(CompiledRegion items[REGIONS], CompiledPoint points[4], CompiledRegions *regions)
{
    static const CompiledPoint all[] = {
        {1, 1, FUNCTION, -1, 0}, {4, 22, OUTER, -1, 1}, {5, 26, INNER, -1, 2}, {7, 5, FUNCTION, -1, 3}};
    items[FUNCTION] = (CompiledRegion){
        .kind = COMPILED_FUNCTION, .outer = -1, .function = "sum", .place = {"sum.c", 1, 1}, .count = 1};
    items[OUTER] = (CompiledRegion){
        .kind = COMPILED_LOOP, .outer = FUNCTION, .function = "sum", .place = {"sum.c", 4, 5}, .count = 10};
    items[INNER] = (CompiledRegion){
        .kind = COMPILED_LOOP, .outer = OUTER, .function = "sum", .place = {"sum.c", 5, 9}, .count = 40};
    memcpy(points, all, sizeof all);
    *regions = (CompiledRegions){.n = REGIONS, .items = items, .n_points = 4, .points = points};
}

typedef struct Example {
    Arena *arena;
    Assembly *assembly;
    CompiledRegion items[REGIONS];
    CompiledPoint points[4];
    CompiledRegions regions;
} Example;

static void make_example(const char *text, Example *example)
{
    example->arena = arena_new();
    example->assembly = assembly_read(text, "folder/sum.c", example->arena);
    make_regions(example->items, example->points, &example->regions);
}

static void reads_functions_blocks_and_places(void **state)
{
    Example example;
    make_example(sum_text, &example);
    assert_int_equal(example.assembly->n_functions, 1);
    const AssemblyFunction *sum = &example.assembly->functions[0];
    assert_string_equal(sum->name, "sum");
    assert_int_equal(sum->n_blocks, 5);
    const BasicBlock *inner = &sum->blocks[2];
    assert_int_equal(inner->n_instructions, 4);
    assert_string_equal(inner->instructions[0].text, "addsd\t(%rax), %xmm0");
    assert_int_equal(inner->instructions[0].line, 6);
    assert_int_equal(inner->instructions[1].line, 0); /* another file's */
    assert_int_equal(inner->n_next, 2);
    assert_int_equal(inner->next[0], 2);
    assert_int_equal(inner->next[1], 3);
    arena_free(example.arena);
}

static void finds_nested_loops(void **state)
{
    Example example;
    make_example(sum_text, &example);
    const AssemblyFunction *sum = &example.assembly->functions[0];
    assert_int_equal(sum->n_loops, 2);
    assert_int_equal(sum->loops[0].n_blocks, 3);
    assert_int_equal(sum->loops[0].outer, -1);
    assert_int_equal(sum->loops[1].outer, 0);
    assert_int_equal(sum->loops[1].head, 2);
    assert_true(assembly_owns(sum, 0, 1) && !assembly_owns(sum, 0, 2) && assembly_owns(sum, -1, 0));
    arena_free(example.arena);
}

static void matches_loops_by_the_place_of_their_last_jump(void **state)
{
    Example example;
    const Report report = {0, NULL};
    make_example(sum_text, &example);
    const Pieces *pieces = pieces_find(example.assembly, "sum", &example.regions, &report, example.arena);
    assert_int_equal(pieces->n, 3);
    assert_int_equal(pieces->items[0].unit, INNER);
    assert_int_equal(pieces->items[1].unit, OUTER);
    assert_int_equal(pieces->items[2].unit, FUNCTION);
    assert_ptr_equal(pieces_of_unit(pieces, INNER), &pieces->items[0]);
    assert_null(pieces_find(example.assembly, "other", &example.regions, &report, example.arena));
    arena_free(example.arena);
}

/* The same with a version of the outer loop for m <= 0, which has nothing in it but the inner loop's condition. */
static const char versions_text[] = "\t.type\tsum, @function\n"
                                    "sum:\n"
                                    "\t.file 1 \"/some/sum.c\"\n"
                                    "\t.loc 1 5 26\n"
                                    "\ttestq\t%rdx, %rdx\n"
                                    "\tjle\t.L7\n"
                                    ".L3:\n"
                                    "\tmovq\t%rdi, %rax\n"
                                    ".L2:\n"
                                    "\t.loc 1 6 13\n"
                                    "\taddsd\t(%rax), %xmm0\n"
                                    "\taddq\t$8, %rax\n"
                                    "\t.loc 1 5 28\n"
                                    "\tcmpq\t%rcx, %rax\n"
                                    "\tjne\t.L2\n"
                                    "\t.loc 1 4 24\n"
                                    "\taddq\t$1, %r8\n"
                                    "\tcmpq\t%r8, %rsi\n"
                                    "\tjne\t.L3\n"
                                    "\tret\n"
                                    ".L7:\n"
                                    "\t.loc 1 5 28\n"
                                    "\tnop\n"
                                    "\t.loc 1 4 24\n"
                                    "\taddq\t$1, %r8\n"
                                    "\tcmpq\t%r8, %rsi\n"
                                    "\tjne\t.L7\n"
                                    "\tret\n"
                                    "\t.size\tsum, .-sum\n";

static void a_version_without_the_inner_loop_does_no_work(void **state)
{
    Example example;
    const Report report = {0, NULL};
    (void)state;
    make_example(versions_text, &example);
    const Pieces *pieces = pieces_find(example.assembly, "sum", &example.regions, &report, example.arena);
    unsigned n_outer = 0, n_main = 0;
    for (size_t i = 0; i < pieces->n; i++) {
        n_outer += pieces->items[i].unit == OUTER;
        n_main += pieces->items[i].unit == OUTER && pieces->items[i].is_main;
    }
    assert_int_equal(n_outer, 2);
    assert_int_equal(n_main, 1);
    assert_int_equal(pieces_of_unit(pieces, OUTER)->n_inner, 1);
    arena_free(example.arena);
}

/* The same with two iterations of the outer loop at once (.L2), and an odd last one (.L6). The compiler gives the first
 * loop two heads, and its jump to the inner one another place. */
static const char jammed_text[] = "\t.type\tsum, @function\n"
                                  "sum:\n"
                                  "\t.file 1 \"/some/sum.c\"\n"
                                  ".L4:\n"
                                  "\t.loc 1 5 28\n"
                                  "\tcmpq\t$1, %rdx\n"
                                  "\tje\t.L5\n"
                                  ".L3:\n"
                                  "\tmovq\t%rdi, %rax\n"
                                  ".L2:\n"
                                  "\t.loc 1 6 13\n"
                                  "\taddsd\t(%rax), %xmm0\n"
                                  "\taddsd\t(%rax), %xmm0\n"
                                  "\t.loc 1 5 28\n"
                                  "\tcmpq\t%rcx, %rax\n"
                                  "\tjne\t.L2\n"
                                  "\tcmpq\t%r9, %rdx\n"
                                  "\tjne\t.L5\n"
                                  "\t.loc 1 4 24\n"
                                  "\tcmpq\t%r8, %rsi\n"
                                  "\tjle\t.L7\n"
                                  "\t.loc 1 6 13\n"
                                  "\tmovq\t%r8, %r10\n"
                                  "\tjmp\t.L3\n"
                                  ".L5:\n"
                                  "\t.loc 1 6 13\n"
                                  "\taddsd\t(%r11), %xmm0\n"
                                  "\t.loc 1 4 24\n"
                                  "\tcmpq\t%r8, %rsi\n"
                                  "\tjg\t.L4\n"
                                  ".L7:\n"
                                  "\tmovq\t%rdi, %rax\n"
                                  ".L6:\n"
                                  "\t.loc 1 6 13\n"
                                  "\taddsd\t(%rax), %xmm0\n"
                                  "\t.loc 1 5 28\n"
                                  "\tcmpq\t%rcx, %rax\n"
                                  "\tjne\t.L6\n"
                                  "\t.loc 1 4 24\n"
                                  "\tcmpq\t%r8, %rsi\n"
                                  "\tjg\t.L7\n"
                                  "\tret\n"
                                  "\t.size\tsum, .-sum\n";

static void the_rest_of_a_jammed_loop_is_not_the_loop(void **state)
{
    Example example;
    const ReportedLoop reported[] = {{.line = 4, .jammed = 2}};
    const Report report = {1, reported};
    unsigned n_outer = 0, n_main = 0;
    make_example(jammed_text, &example);
    const Pieces *pieces = pieces_find(example.assembly, "sum", &example.regions, &report, example.arena);
    for (size_t i = 0; i < pieces->n; i++) {
        n_outer += pieces->items[i].unit == OUTER;
        n_main += pieces->items[i].unit == OUTER && pieces->items[i].is_main;
    }
    assert_int_equal(n_outer, 3);
    assert_int_equal(n_main, 1);
    assert_int_equal(pieces_of_unit(pieces, OUTER)->factor, 2);
    assert_int_equal(pieces_of_unit(pieces, INNER)->factor, 2);
    assert_true(piece_is_within(pieces_of_unit(pieces, INNER), pieces_of_unit(pieces, OUTER)));
    arena_free(example.arena);
}

/* The same with the inner loop by twos. For m = 1, it is entered at its odd last iteration (.L5). */
static const char entries_text[] = "\t.type\tsum, @function\n"
                                   "sum:\n"
                                   "\t.file 1 \"/some/sum.c\"\n"
                                   "\t.loc 1 5 28\n"
                                   "\tcmpq\t$1, %rdx\n"
                                   "\tje\t.L6\n"
                                   ".L3:\n"
                                   "\tmovq\t%rdi, %rax\n"
                                   ".L2:\n"
                                   "\t.loc 1 6 13\n"
                                   "\taddpd\t(%rax), %xmm0\n"
                                   "\t.loc 1 5 28\n"
                                   "\tcmpq\t%rcx, %rax\n"
                                   "\tjne\t.L2\n"
                                   ".L5:\n"
                                   "\t.loc 1 6 13\n"
                                   "\taddsd\t(%r11), %xmm0\n"
                                   "\t.loc 1 4 24\n"
                                   "\tcmpq\t%r8, %rsi\n"
                                   "\tje\t.L7\n"
                                   "\t.loc 1 5 28\n"
                                   "\tcmpq\t$1, %rdx\n"
                                   "\tjne\t.L3\n"
                                   ".L6:\n"
                                   "\tjmp\t.L5\n"
                                   ".L7:\n"
                                   "\tret\n"
                                   "\t.size\tsum, .-sum\n";

static void finds_loops_with_a_second_entry(void **state)
{
    Example example;
    const Report report = {0, NULL};
    make_example(entries_text, &example);
    const Pieces *pieces = pieces_find(example.assembly, "sum", &example.regions, &report, example.arena);
    assert_int_equal(pieces->n, 3);
    const AssemblyLoop *loops = example.assembly->functions[0].loops;
    assert_true(loops[0].has_entries);
    assert_int_equal(loops[0].head, 1);
    assert_int_equal(loops[1].outer, 0);
    assert_false(loops[1].has_entries);
    assert_int_equal(pieces->items[0].unit, INNER);
    assert_int_equal(pieces->items[1].unit, OUTER);
    arena_free(example.arena);
}

/* A loop by twos, and what is left of it; the second has its condition apart. */
static const char unrolled_text[] = "\t.type\tsum, @function\n"
                                    "sum:\n"
                                    "\t.file 1 \"/some/sum.c\"\n"
                                    ".L2:\n"
                                    "\t.loc 1 6 13\n"
                                    "\taddsd\t(%rax), %xmm0\n"
                                    "\taddsd\t8(%rax), %xmm0\n"
                                    "\t.loc 1 5 28\n"
                                    "\tcmpq\t%rcx, %rax\n"
                                    "\tjne\t.L2\n"
                                    ".L3:\n"
                                    "\t.loc 1 6 13\n"
                                    "\taddsd\t(%rdx), %xmm0\n"
                                    "\t.loc 1 5 28\n"
                                    "\taddq\t$8, %rdx\n"
                                    "\tleaq\t(%rdx), %rcx\n"
                                    "\tcmpq\t%rdx, %r8\n"
                                    "\tjne\t.L3\n"
                                    "\tret\n"
                                    "\t.size\tsum, .-sum\n";

static void counts_iterations_that_a_loop_does_at_once(void **state)
{
    Example example;
    const Report report = {0, NULL};
    make_example(unrolled_text, &example);
    const Pieces *pieces = pieces_find(example.assembly, "sum", &example.regions, &report, example.arena);
    const Piece *found = pieces_of_unit(pieces, INNER);
    assert_int_equal(found->factor, 2);
    assert_int_equal(found->function->loops[found->loop].head, 1);
    arena_free(example.arena);
}

static void walks_inner_loops_as_often_as_the_source_does(void **state)
{
    Example example;
    Walked walked;
    const double share[] = {1, 1, 1, 1, 1}, trips[] = {0, 4};
    make_example(sum_text, &example);
    const WalkPlan plan = {&example.assembly->functions[0], 0, share, trips};
    assert_true(walk(&plan, 10, 1000, example.arena, &walked));
    assert_near(walked.trips, 10, 1e-9);
    assert_near(walked.inner[1], 40, 1e-9);
    assert_int_equal(walked.instructions.count, 10 * (1 + 4 * 4 + 3));
    arena_free(example.arena);
}

static void passes_long_inner_loops_by(void **state)
{
    Example example;
    Walked walked;
    const double share[] = {1, 1, 1, 1, 1}, trips[] = {0, -1};
    make_example(sum_text, &example);
    const WalkPlan plan = {&example.assembly->functions[0], 0, share, trips};
    assert_true(walk(&plan, 10, 1000, example.arena, &walked));
    assert_int_equal(walked.instructions.count, 10 * (1 + 3));
    arena_free(example.arena);
}

static void follows_jump_tables(void **state)
{
    static const char text[] = "\t.type\tf, @function\nf:\n\tleaq\t.L4(%rip), %rdx\n\tmovslq\t(%rdx,%rdi,4), %rax\n"
                               "\taddq\t%rdx, %rax\n\tnotrack jmp\t*%rax\n\t.section\t.rodata\n.L4:\n"
                               "\t.long\t.L5-.L4\n\t.long\t.L6-.L4\n\t.long\t.L5-.L4\n\t.text\n.L5:\n\tret\n.L6:\n"
                               "\tnop\n\tret\n\t.size\tf, .-f\n";
    Example example;
    make_example(text, &example);
    assert_int_equal(example.assembly->functions[0].blocks[0].n_next, 3);
    arena_free(example.arena);
}

/* No debug lines, an empty function, inline assembler, a computed goto, text that ends early, no text. */
static void reads_odd_texts(void **state)
{
    static const char *const texts[] = {
        "",
        "no assembler at all\n",
        "\t.type\tf, @function\nf:\n\t.size\tf, .-f\n",
        "\t.type\tf, @function\nf:\n.L2:\n\taddq\t$1, %rax\n\tjmp\t.L2\n\t.size\tf, .-f\n",
        "\t.type\tf, @function\nf:\n#APP\n\tnop; nop\n# 3 \"f.c\" 1\n\tcpuid\n#NO_APP\n\tret\n\t.size\tf, .-f\n",
        "\t.type\tf, @function\nf:\n\tjmp\t*%rax\n.L2:\n\tret\n\t.size\tf, .-f\n",
        "\t.type\tf, @function\nf:\n\tjne\t.L9\n\tret",
        "\t.loc 1\n\t.file 1\n\t.file 2 \"\n\t.long\t.L\n.L1:\n\t.long\t.L-\n\t.size",
    };
    static const size_t n_loops[] = {0, 0, 0, 1, 0, 0, 0, 0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Arena *arena = arena_new();
        Assembly *assembly = assembly_read(texts[i], "f.c", arena);
        size_t n = assembly->n_functions ? assembly->functions[0].n_loops : 0;
        assert_int_equal(n, n_loops[i]);
        arena_free(arena);
    }
}

static void reads_what_gcc_reports_of_loops(void **state)
{
    static const char text[] = "/some/sum.c:5:28: note:   vectorization factor = 4\n"
                               "/some/sum.c:5:28: note:  ***** Choosing vector mode V16QI\n"
                               "/some/sum.c:5:28: note:   vectorization factor = 8\n"
                               "/some/sum.c:5:28: optimized: loop vectorized using 16 byte vectors\n"
                               "/some/other_sum.c:5:28: note:   vectorization factor = 2\n"
                               "/some/sum.c:9:1: optimized: Loop 4 distributed: split to 0 loops and 1 library calls.\n"
                               "/some/sum.c:11:1: note:   vectorization factor = 4\n"
                               "/some/sum.c:13:1: note:   vectorization factor = 1\n"
                               "/some/sum.c:13:1: note:  ***** Choosing vector mode V2DF\n"
                               "/some/sum.c:13:1: optimized: loop vectorized using 16 byte vectors\n"
                               "/some/sum.c:13:1: note:   vectorization factor = 2\n"
                               "/some/sum.c:13:1: note:  ***** Choosing vector mode V2DF\n"
                               "/some/sum.c:13:1: optimized: loop vectorized using 16 byte vectors\n"
                               "/some/sum.c:4:24: optimized: applying unroll and jam with factor 2\n";
    Arena *arena = arena_new();
    const Report report = report_read(text, "sum.c", arena);
    assert_int_equal(report_of(&report, 5)->factor, 4);
    assert_true(report_of(&report, 9)->is_call);
    assert_int_equal(report_of(&report, 4)->jammed, 2);
    assert_int_equal(report_of(&report, 11)->factor, 0);
    assert_int_equal(report_of(&report, 13)->factor, 2);
    assert_null(report_of(&report, 7));
    arena_free(arena);
}

/* Each addition waits for the one before: three or four cycles on all processors of this kind. */
static void a_chain_takes_its_latency(void **state)
{
    Example example;
    Walked walked;
    Err err = {0};
    const double share[] = {1, 1, 1, 1, 1}, trips[] = {0, 0};
    make_example(sum_text, &example);
    if (!process_find("llvm-mca", NULL, example.arena)) {
        arena_free(example.arena);
        skip();
    }
    const WalkPlan plan = {&example.assembly->functions[0], 1, share, trips};
    assert_true(walk(&plan, 50, 1000, example.arena, &walked));
    Stream stream = {&walked, -1};
    if (!scheduler_run(&stream, 1, "znver3", example.arena, &err))
        fail_msg("%s", err.message);
    assert_near(stream.cycles / walked.trips, 3.5, 1);
    if (!scheduler_run(&stream, 1, "znver3+add2", example.arena, &err))
        fail_msg("%s", err.message);
    assert_near(stream.cycles / walked.trips, 2, 0.3); /* a sum, on newer processors */
    assert_false(scheduler_run(&stream, 1, "no_such_processor", example.arena, &err));
    assert_int_equal(err.kind, ERR_ENVIRONMENT);
    arena_free(example.arena);
}

/* Each register is stored and loaded by itself. */
static const char saving_text[] = "\t.type\tsum, @function\n"
                                  "sum:\n"
                                  "\t.file 1 \"/some/sum.c\"\n"
                                  "\t.loc 1 2 1\n"
                                  "\tpushq\t%r15\n"
                                  "\tpushq\t%r14\n"
                                  "\tpushq\t%r13\n"
                                  "\tpushq\t%r12\n"
                                  "\tpopq\t%r12\n"
                                  "\tpopq\t%r13\n"
                                  "\tpopq\t%r14\n"
                                  "\tpopq\t%r15\n"
                                  "\tret\n"
                                  "\t.size\tsum, .-sum\n";

static void registers_on_the_stack_do_not_wait_for_each_other(void **state)
{
    Example example;
    Walked walked;
    Err err = {0};
    const double share[] = {1, 1};
    make_example(saving_text, &example);
    if (!process_find("llvm-mca", NULL, example.arena)) {
        arena_free(example.arena);
        skip();
    }
    const WalkPlan plan = {&example.assembly->functions[0], -1, share, NULL};
    assert_true(walk(&plan, 50, 1000, example.arena, &walked));
    Stream stream = {&walked, -1};
    if (!scheduler_run(&stream, 1, "znver3", example.arena, &err))
        fail_msg("%s", err.message);
    assert_near(stream.cycles / walked.trips, 3, 2);
    arena_free(example.arena);
}

static bool cost(const CompiledCode *code, CompiledRegions *regions, Arena *arena, Err *err)
{
    CompiledWalks *walks;
    if (!compiled_walk(code, "sum", regions, arena, &walks, err) || !compiled_schedule(&walks, 1, arena, err))
        return false;
    compiled_set_costs(walks);
    return true;
}

/* Three loops, of which the compiler unrolled the two inner ones: the middle one has no instruction. */
static const char absorbed_text[] = "\t.type\tsum, @function\n"
                                    "sum:\n"
                                    "\t.file 1 \"/some/sum.c\"\n"
                                    ".L2:\n"
                                    "\t.loc 1 6 13\n"
                                    "\taddsd\t(%rax), %xmm0\n"
                                    "\taddsd\t8(%rax), %xmm0\n"
                                    "\t.loc 1 4 24\n"
                                    "\tcmpq\t%rcx, %rax\n"
                                    "\tjne\t.L2\n"
                                    "\tret\n"
                                    "\t.size\tsum, .-sum\n";

static void a_loop_between_two_is_a_part_of_the_outer_one(void **state)
{
    Example example;
    Err err = {0};
    make_example(absorbed_text, &example);
    if (!process_find("llvm-mca", NULL, example.arena)) {
        arena_free(example.arena);
        skip();
    }
    CompiledRegion items[REGIONS + 1];
    const CompiledPoint points[] = {{1, 1, FUNCTION, -1, 0}, {4, 22, OUTER, -1, 1}, {6, 13, REGIONS, -1, 2}};
    memcpy(items, example.items, sizeof example.items);
    items[REGIONS] = items[INNER];
    items[REGIONS].outer = INNER;
    items[REGIONS].place.line = 6;
    CompiledRegions regions = {.n = REGIONS + 1, .items = items, .n_points = 3, .points = points};
    const CompiledCode code = {.scheduler = "znver3", .assembly = example.assembly};
    if (!cost(&code, &regions, example.arena, &err))
        fail_msg("%s", err.message);
    assert_true(items[FUNCTION].cycles > 0); /* with all its loops */
    assert_true(items[INNER].is_compiled);
    assert_near(items[INNER].cycles, 0, 0);
    assert_true(items[REGIONS].is_compiled);
    arena_free(example.arena);
}

/* The loop to m calls maximum(), of which the assembler text has no place. */
static void a_function_without_code_is_a_part_of_the_loops_that_call_it(void **state)
{
    Example example;
    Err err = {0};
    make_example(sum_text, &example);
    if (!process_find("llvm-mca", NULL, example.arena)) {
        arena_free(example.arena);
        skip();
    }
    CompiledRegion items[REGIONS + 1];
    const SourceExpression call = {.kind = SOURCE_CALL, .name = "maximum"};
    const CompiledUse uses[] = {{INNER, NULL, &call}};
    memcpy(items, example.items, sizeof example.items);
    items[REGIONS] = (CompiledRegion){
        .kind = COMPILED_FUNCTION, .outer = -1, .function = "maximum", .place = {"sum.c", 20, 1}, .count = 40};
    CompiledRegions regions = {
        .n = REGIONS + 1, .items = items, .n_points = 4, .points = example.points, .n_uses = 1, .uses = uses};
    const CompiledCode code = {.scheduler = "znver3", .assembly = example.assembly};
    if (!cost(&code, &regions, example.arena, &err))
        fail_msg("%s", err.message);
    assert_true(items[REGIONS].is_compiled);
    assert_near(items[REGIONS].cycles, 0, 0);
    items[REGIONS].is_compiled = false;
    regions.n_uses = 0; /* nobody is known to call it */
    if (!cost(&code, &regions, example.arena, &err))
        fail_msg("%s", err.message);
    assert_false(items[REGIONS].is_compiled);
    arena_free(example.arena);
}

static void a_load_waits_for_the_store_of_what_it_loads(void **state)
{
    static const Instruction body[] = {{"mulsd\t-8(%rdx), %xmm0", 1, 1},     {"addsd\t(%rsi), %xmm0", 1, 1},
                                       {"movsd\t%xmm0, (%rdx)", 1, 1},       {"addq\t$8, %rdx", 1, 1},
                                       {"movl\t8(%rax,%rcx,4), %edi", 1, 1}, {"movl\t%edi, 4(%rax,%rcx,4)", 1, 1},
                                       {"leaq\t-1(%rcx), %rcx", 1, 1}};
    enum { BODY = sizeof body / sizeof *body, TRIPS = 3 };
    Arena *arena = arena_new();
    const Instruction *items[TRIPS * BODY];
    for (size_t i = 0; i < TRIPS * BODY; i++)
        items[i] = &body[i % BODY];
    const Walked walked = {.instructions = {TRIPS * BODY, items}, .trips = TRIPS};
    const Instruction *const *found = forwarding_find(&walked, arena);
    for (size_t i = 0; i < TRIPS * BODY; i++) {
        const Instruction *expected = i < BODY ? NULL : i % BODY == 0 ? &body[2] : i % BODY == 4 ? &body[5] : NULL;
        assert_ptr_equal(found[i], expected);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_functions_blocks_and_places),
        cmocka_unit_test(finds_nested_loops),
        cmocka_unit_test(matches_loops_by_the_place_of_their_last_jump),
        cmocka_unit_test(a_version_without_the_inner_loop_does_no_work),
        cmocka_unit_test(the_rest_of_a_jammed_loop_is_not_the_loop),
        cmocka_unit_test(finds_loops_with_a_second_entry),
        cmocka_unit_test(counts_iterations_that_a_loop_does_at_once),
        cmocka_unit_test(walks_inner_loops_as_often_as_the_source_does),
        cmocka_unit_test(passes_long_inner_loops_by),
        cmocka_unit_test(follows_jump_tables),
        cmocka_unit_test(reads_odd_texts),
        cmocka_unit_test(reads_what_gcc_reports_of_loops),
        cmocka_unit_test(a_loop_between_two_is_a_part_of_the_outer_one),
        cmocka_unit_test(a_function_without_code_is_a_part_of_the_loops_that_call_it),
        cmocka_unit_test(a_chain_takes_its_latency),
        cmocka_unit_test(a_load_waits_for_the_store_of_what_it_loads),
        cmocka_unit_test(registers_on_the_stack_do_not_wait_for_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
