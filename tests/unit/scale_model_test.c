/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost models as formulas: known tables, isoefficiency, limits, crossovers, intervals, and errors
 * in formulas. */
#include "scaling/model_table.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { PARAMETERS = 8, FORMULAS = 3, POINTS = 8 };

/* A question and its answer. */
typedef struct Asked {
    Arena *arena;
    ExprSpace *space;
    Formula formulas[FORMULAS], sequential;
    FormulaParameter parameters[PARAMETERS];
    ModelQuestion question;
    ModelAnswer answer;
} Asked;

static void must(bool ok, const Err *err)
{
    if (!ok)
        fail_msg("%s", err->message);
}

static Asked *asked_new(const char *const *texts, const char *sequential)
{
    Err err = {0};
    Arena *arena = arena_new();
    Asked *asked = arena_new_array(arena, Asked, 1);
    asked->arena = arena;
    asked->space = expr_space_new(arena);
    asked->question = (ModelQuestion){.formulas = asked->formulas, .efficiency = 0.5};
    asked->question.parameters.items = asked->parameters;
    for (; *texts; texts++)
        must(
            formula_parse(asked->space, "--model", *texts, arena, &asked->formulas[asked->question.n_formulas++], &err),
            &err);
    if (sequential) {
        must(formula_parse(asked->space, "--sequential-model", sequential, arena, &asked->sequential, &err), &err);
        asked->question.sequential = &asked->sequential;
    }
    return asked;
}

static void set(Asked *asked, const char *name, double low, double high)
{
    asked->parameters[asked->question.parameters.count++] =
        (FormulaParameter){name, {low + (high - low) / 2, low, high}, "given"};
}

static void answer(Asked *asked, uint32_t n_sizes, const double *sizes, uint32_t n_processes, const double *processes)
{
    Err err = {0};
    ModelQuestion *question = &asked->question;
    question->n_sizes = n_sizes;
    question->sizes = sizes;
    question->n_processes = n_processes;
    question->processes = processes;
    for (uint32_t i = 0; i < question->n_formulas; i++)
        must(formula_check(asked->space, &asked->formulas[i], &question->parameters, &err), &err);
    must(model_answer(question, asked->arena, &asked->answer, &err), &err);
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g isn't %.9g", value, expected);
}

static const char *const hypercube[] = {"n/p + 2*log2(p)", NULL};

static void the_sum_on_a_hypercube_has_the_efficiencies_of_the_table(void **state)
{
    static const double sizes[] = {64, 192, 320, 512}, processes[] = {1, 4, 8, 16, 32};
    static const double expected[4][5] = {
        {1.0, .80, .57, .33, .17}, {1.0, .92, .80, .60, .38}, {1.0, .95, .87, .71, .50}, {1.0, .97, .91, .80, .62}};
    Asked *asked = asked_new(hypercube, NULL);
    answer(asked, 4, sizes, 5, processes);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 5; k++)
            assert_near(asked->answer.tables[0].cells[i * 5 + k].efficiency.value, expected[i][k], 0.00501);
    arena_free(asked->arena);
}

static void the_sum_on_a_hypercube_keeps_its_efficiency_along_8_p_log_p(void **state)
{
    static const double sizes[] = {64, 512}, processes[] = {1, 4, 8, 16};
    static const double expected[] = {0, 64, 192, 512};
    Asked *asked = asked_new(hypercube, NULL);
    asked->question.efficiency = 0.8;
    answer(asked, 2, sizes, 4, processes);
    const ModelTable *table = asked->answer.tables;
    assert_int_equal(table->iso[0].kind, ISO_ANY);
    for (int i = 1; i < 4; i++) {
        assert_int_equal(table->iso[i].kind, ISO_SIZE);
        assert_near(table->iso[i].n.value, expected[i], 1e-6);
    }
    assert_true(table->is_scalable);
    assert_near(table->growth, 1 + log2(20. / 19), 1e-6); /* p log p, from 2^19 to 2^20 */
    assert_int_equal(table->limits[0].kind, LIMIT_PEAK);
    assert_near(table->limits[0].best_p, 22, 1e-9); /* 64 log(2) / 2 = 22.18 */
    assert_near(table->limits[0].most_processes, 4, 1e-6);
    arena_free(asked->arena);
}

/* T1 = tc N² Z, Tp = tc N² Z/p + 2 ts + 4 tw N Z: E = tc N² Z / (tc N² Z + 2 p ts + 4 p tw N Z). */
static void finite_differences_have_their_efficiency_and_grow_with_p(void **state)
{
    static const char *const texts[] = {"tc*n^2*z/p + 2*ts + 4*tw*n*z", NULL};
    static const double sizes[] = {100, 1000}, processes[] = {2, 16};
    const double tc = 1e-8, ts = 1e-5, tw = 1e-9, z = 10;
    Asked *asked = asked_new(texts, "tc*n^2*z");
    set(asked, "tc", tc, tc);
    set(asked, "ts", ts, ts);
    set(asked, "tw", tw, tw);
    set(asked, "z", z, z);
    answer(asked, 2, sizes, 2, processes);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            double n = sizes[i], p = processes[k], work = tc * n * n * z;
            double expected = work / (work + 2 * p * ts + 4 * p * tw * n * z);
            assert_near(asked->answer.tables[0].cells[i * 2 + k].efficiency.value, expected, 1e-12);
        }
    assert_true(asked->answer.tables[0].is_scalable);
    assert_near(asked->answer.tables[0].growth, 1, 0.01); /* N ~ p as soon as the volume outweighs the latency */
    arena_free(asked->arena);
}

static void a_phase_that_stays_serial_bounds_the_speedup_by_2_and_rewritten_it_does_not(void **state)
{
    static const char *const texts[] = {"serial = n^2/p + n^2", "rewritten = n^2/p + n^2/p + p", NULL};
    static const double sizes[] = {100}, processes[] = {1, 2, 64, 1024};
    Asked *asked = asked_new(texts, "2*n^2");
    answer(asked, 1, sizes, 4, processes);
    const ModelTable *serial = &asked->answer.tables[0], *rewritten = &asked->answer.tables[1];
    for (int k = 0; k < 4; k++) {
        double n = 100, p = processes[k];
        assert_true(serial->cells[k].speedup.value <= 2);
        assert_near(rewritten->cells[k].speedup.value, 2 * n * n * p / (2 * n * n + p * p), 1e-9);
    }
    assert_int_equal(serial->limits[0].kind, LIMIT_BOUND);
    assert_near(serial->limits[0].speedup, 2, 1e-6);
    assert_int_equal(rewritten->limits[0].kind, LIMIT_PEAK);
    assert_near(rewritten->limits[0].best_p, 141, 1e-9);    /* 100 sqrt(2) = 141.4 */
    assert_false(serial->limits[0].most_processes > 3.001); /* 2/(p + 1) = 1/2 */
    assert_near(serial->limits[0].most_processes, 3, 1e-6);
    assert_int_equal(serial->iso[2].kind, ISO_NONE);
    assert_false(serial->is_scalable);
    arena_free(asked->arena);
}

static void an_efficiency_that_only_approaches_the_limit_is_kept_by_no_size(void **state)
{
    static const char *const texts[] = {"n + p/4", NULL};
    static const double sizes[] = {64}, processes[] = {1, 2};
    Asked *asked = asked_new(texts, NULL);
    answer(asked, 1, sizes, 2, processes);
    const ModelTable *table = &asked->answer.tables[0];
    assert_int_equal(table->iso[0].kind, ISO_ANY);
    assert_int_equal(table->iso[1].kind, ISO_NONE);
    assert_near(table->limits[0].most_processes, 1, 0); /* 1.992 processes are not two */
    arena_free(asked->arena);
}

static void what_grows_with_p_without_end_has_no_limit(void **state)
{
    static const char *const texts[] = {"n/p", "n/log2(2*p)", NULL};
    static const double sizes[] = {64}, processes[] = {2, 4};
    Asked *asked = asked_new(texts, NULL);
    answer(asked, 1, sizes, 2, processes);
    assert_int_equal(asked->answer.tables[0].limits[0].kind, LIMIT_NONE);
    assert_int_equal(asked->answer.tables[1].limits[0].kind, LIMIT_NONE);
    assert_true(isinf(asked->answer.tables[0].limits[0].most_processes));
    assert_near(asked->answer.tables[0].cells[1].efficiency.value, 1, 0);
    arena_free(asked->arena);
}

/* log2 p and p/4 are equal at p = 16 (and between 1 and 2). */
static void where_one_model_becomes_better_than_another_is_found_over_p_and_over_n(void **state)
{
    static const char *const texts[] = {"tree = n + log2(p)", "line = n + p/4", NULL};
    static const char *const by_size[] = {"linear = 100*n/p", "square = n^2/p", NULL};
    static const double sizes[] = {8, 1024}, processes[] = {2, 64}, one[] = {8};
    Asked *asked = asked_new(texts, NULL);
    answer(asked, 1, one, 2, processes);
    assert_int_equal(asked->answer.n_crossovers, 1);
    const Crossover *found = asked->answer.crossovers;
    assert_true(found->over_processes);
    assert_int_equal(found->first, 1);
    assert_int_equal(found->second, 0);
    assert_near(found->at, 16, 1e-6);
    assert_near(found->fixed, 8, 0);
    arena_free(asked->arena);
    asked = asked_new(by_size, NULL);
    answer(asked, 2, sizes, 1, processes);
    assert_int_equal(asked->answer.n_crossovers, 1);
    assert_false(asked->answer.crossovers[0].over_processes);
    assert_int_equal(asked->answer.crossovers[0].first, 1);
    assert_near(asked->answer.crossovers[0].at, 100, 1e-6);
    arena_free(asked->arena);
}

/* S = (n + o) / (n/p + o) falls with o. The same o is in both times. */
static void intervals_of_parameters_go_into_times_and_speedups(void **state)
{
    static const char *const texts[] = {"n/p + o", NULL};
    static const double sizes[] = {90}, processes[] = {9};
    Asked *asked = asked_new(texts, NULL);
    set(asked, "o", 10, 20);
    asked->question.efficiency = 0.4;
    answer(asked, 1, sizes, 1, processes);
    const ModelCell *cell = asked->answer.tables[0].cells;
    assert_near(cell->time_s.low, 20, 1e-9);
    assert_near(cell->time_s.value, 25, 1e-9);
    assert_near(cell->time_s.high, 30, 1e-9);
    assert_near(cell->speedup.low, 110. / 30, 1e-9);
    assert_near(cell->speedup.high, 100. / 20, 1e-9);
    /* (n + o) = 3.6 (n/9 + o): n = 2.6 o / 0.6 */
    assert_near(asked->answer.tables[0].iso[0].n.low, 2.6 * 10 / 0.6, 1e-6);
    assert_near(asked->answer.tables[0].iso[0].n.high, 2.6 * 20 / 0.6, 1e-6);
    arena_free(asked->arena);
}

static void a_mistake_in_a_formula_is_named_with_its_column(void **state)
{
    Arena *arena = arena_new();
    ExprSpace *space = expr_space_new(arena);
    Formula formula;
    Err err = {0};
    assert_false(formula_parse(space, "--model", "ring = n/p + *2", arena, &formula, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    if (!strstr(err.message, "--model:1:14"))
        fail_msg("`%s` doesn't name the column", err.message);
    arena_free(arena);
}

static void variables_without_a_value_are_all_named(void **state)
{
    Arena *arena = arena_new();
    ExprSpace *space = expr_space_new(arena);
    Formula formula;
    Err err = {0};
    must(formula_parse(space, "--model", "tc*n/p + ts", arena, &formula, &err), &err);
    assert_false(formula_check(space, &formula, &(FormulaParameters){0}, &err));
    assert_error(err, ERR_USAGE, "`tc`, `ts`");
    arena_free(arena);
}

static void a_time_that_is_negative_or_undefined_is_refused_with_its_place(void **state)
{
    static const char *const texts[] = {"n - p", "n/(p - 2)", NULL};
    for (int i = 0; texts[i]; i++) {
        Arena *arena = arena_new();
        ExprSpace *space = expr_space_new(arena);
        Formula formula;
        Estimated time_s;
        Err err = {0};
        must(formula_parse(space, "--model", texts[i], arena, &formula, &err), &err);
        assert_false(formula_time_s(&formula, &(FormulaParameters){0}, 1, 2, &time_s, &err));
        assert_error(err, ERR_INPUT, "n = 1, p = 2");
        arena_free(arena);
    }
}

static MachinePath path(uint32_t from, uint32_t to, const char *transport, const CostSegment *segments, uint32_t n)
{
    return (MachinePath){.configuration = {"openmpi", transport, "", ""},
                         .from_host = from,
                         .to_host = to,
                         .n_segments = n,
                         .segments = segments,
                         .linear = true};
}

static void a_machine_gives_ts_and_tw_of_its_paths_between_hosts(void **state)
{
    const CostSegment within[] = {{0, {1e-6, 1e-6, 1e-6}, {1e-10, 1e-10, 1e-10}, 0}};
    const CostSegment near[] = {{0, {2e-5, 1e-5, 3e-5}, {9e-9, 9e-9, 9e-9}, 0},
                                {4096, {5e-5, 5e-5, 5e-5}, {1e-8, 8e-9, 1.1e-8}, 0}};
    const CostSegment far[] = {{0, {4e-5, 3e-5, 6e-5}, {2e-8, 2e-8, 2e-8}, 0}};
    const MachinePath paths[] = {path(0, 0, "tcp", within, 1), path(0, 1, "tcp", near, 2), path(1, 2, "tcp", far, 1),
                                 path(0, 0, "shm", within, 1)};
    const MachineModel machine = {.n_paths = 4, .paths = paths};
    Arena *arena = arena_new();
    FormulaParameter found[2];
    Err err = {0};
    must(formula_machine_parameters(&machine, "openmpi tcp", arena, found, &err), &err);
    assert_string_equal(found[0].name, "ts");
    assert_near(found[0].value.value, 3e-5, 1e-12);
    assert_near(found[0].value.low, 1e-5, 1e-12);
    assert_near(found[0].value.high, 6e-5, 1e-12);
    assert_near(found[1].value.value, 1.5e-8, 1e-15);
    assert_near(found[1].value.low, 8e-9, 1e-15);
    must(formula_machine_parameters(&machine, "openmpi shm", arena, found, &err), &err);
    assert_near(found[0].value.value, 1e-6, 1e-12);
    assert_false(formula_machine_parameters(&machine, NULL, arena, found, &err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_false(formula_machine_parameters(&machine, "mpich tcp", arena, found, &err));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sum_on_a_hypercube_has_the_efficiencies_of_the_table),
        cmocka_unit_test(the_sum_on_a_hypercube_keeps_its_efficiency_along_8_p_log_p),
        cmocka_unit_test(finite_differences_have_their_efficiency_and_grow_with_p),
        cmocka_unit_test(a_phase_that_stays_serial_bounds_the_speedup_by_2_and_rewritten_it_does_not),
        cmocka_unit_test(an_efficiency_that_only_approaches_the_limit_is_kept_by_no_size),
        cmocka_unit_test(what_grows_with_p_without_end_has_no_limit),
        cmocka_unit_test(where_one_model_becomes_better_than_another_is_found_over_p_and_over_n),
        cmocka_unit_test(intervals_of_parameters_go_into_times_and_speedups),
        cmocka_unit_test(a_mistake_in_a_formula_is_named_with_its_column),
        cmocka_unit_test(variables_without_a_value_are_all_named),
        cmocka_unit_test(a_time_that_is_negative_or_undefined_is_refused_with_its_place),
        cmocka_unit_test(a_machine_gives_ts_and_tw_of_its_paths_between_hosts),
    };
    return cmocka_run_group_tests_name("models of scaling", tests, NULL, NULL);
}
