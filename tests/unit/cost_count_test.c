/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts at several sizes, and the places in sources at which something is counted. */
#include "cost/count/choose.h"
#include "cost/count/edits.h"
#include "test.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* Two runs, at N = 100 and 200. */
static const TaskSize at_100 = {"N", 100}, at_200 = {"N", 200};
static const TaskCountsValue values_100[] = {{"Q_a_1", "a.c:1", COUNT_TRUE, 0.25, 100},
                                             {"iterations_a_2", "a.c:2", COUNT_ITERATIONS, 10, 100},
                                             {"Q_a_3", "a.c:3", COUNT_TRUE, NAN, 0}},
                             values_200[] = {{"Q_a_1", "a.c:1", COUNT_TRUE, 0.5, 200},
                                             {"iterations_a_2", "a.c:2", COUNT_ITERATIONS, 40, 200},
                                             {"Q_a_3", "a.c:3", COUNT_TRUE, NAN, 0}};
static const TaskCountsRun runs[] = {{1, 3, &at_100, 1, values_100}, {1, 3, &at_200, 1, values_200}};
static const TaskCountsBatch one_size = {.batch = "b", .n_runs = 1, .runs = runs},
                             two_sizes = {.batch = "b", .n_runs = 2, .runs = runs};

static Arena *arena;

static int new_arena(void **state)
{
    arena = arena_new();
    return 0;
}

static int free_arena(void **state)
{
    arena_free(arena);
    return 0;
}

static TaskCountsChosen choose(const TaskCountsBatch *batch, const char *name, double n)
{
    const TaskSize now = {"N", n};
    TaskCountsChosen chosen;
    assert_true(task_counts_choose(batch, name, &now, 1, arena, &chosen));
    return chosen;
}

/* At n, with counts at these sizes of something that follows this law. */
static TaskCountsChosen choose_of(CountKind kind, double (*law)(double), const double sizes[3], double n)
{
    TaskSize at[3];
    TaskCountsValue values[3];
    TaskCountsRun three[3];
    for (size_t i = 0; i < 3; i++) {
        at[i] = (TaskSize){"N", sizes[i]};
        values[i] = (TaskCountsValue){"number_a_2", "a.c:2", kind, law(sizes[i]), 1e6};
        three[i] = (TaskCountsRun){1, 1, &at[i], 1, &values[i]};
    }
    const TaskCountsBatch batch = {.batch = "b", .n_runs = 3, .runs = three};
    return choose(&batch, "number_a_2", n);
}

static TaskCountsChosen choose_by_law(double (*law)(double), const double sizes[3], double n)
{
    return choose_of(COUNT_ITERATIONS, law, sizes, n);
}

static void a_value_is_that_of_the_nearest_size(void **state)
{
    assert_float_equal(choose(&two_sizes, "Q_a_1", 100).number, 0.25, 0);
    assert_float_equal(choose(&two_sizes, "Q_a_1", 1000).number, 0.5, 0);
    assert_float_equal(choose(&two_sizes, "Q_a_1", 120).number, 0.25, 0);
    assert_false(choose(&two_sizes, "Q_a_1", 100).is_other_size);
    assert_true(choose(&two_sizes, "Q_a_1", 120).is_other_size);
}

static void two_sizes_tell_the_power_with_which_iterations_grow(void **state)
{
    TaskCountsChosen chosen = choose(&two_sizes, "iterations_a_2", 400);
    assert_string_equal(chosen.growth, "N^2");
    assert_int_equal(chosen.n_known, 2);
    assert_float_equal(chosen.number, 160, 1e-9);
    assert_float_equal(chosen.high / chosen.low, 1, 1e-12);
    assert_float_equal(choose(&two_sizes, "iterations_a_2", 200).number, 40, 0);
    assert_null(choose(&one_size, "iterations_a_2", 400).growth);
    assert_string_equal(choose(&one_size, "iterations_a_2", 400).unknown, "N");
    assert_float_equal(choose(&one_size, "iterations_a_2", 400).number, 10, 0);
}

static double square(double n)
{
    return 3 * n * n;
}

static double startup_and_line(double n)
{
    return 100 + n;
}

static double of_queens(double n)
{
    const double calls[] = {552, 2057, 8394, 35539, 166926, 856189, 4674890};
    return calls[(int)n - 7];
}

static void three_sizes_tell_the_law(void **state)
{
    const double sizes[] = {1000, 2000, 4000};
    double (*const laws[])(double) = {square, startup_and_line, log};
    for (size_t i = 0; i < 3; i++) {
        TaskCountsChosen chosen = choose_by_law(laws[i], sizes, 1e6);
        assert_int_equal(chosen.n_known, 3);
        assert_true(chosen.low <= laws[i](1e6) * (1 + 1e-9) && laws[i](1e6) * (1 - 1e-9) <= chosen.high);
        assert_true(chosen.high < 2 * chosen.low);
    }
}

/* Such as means that chance tells. */
static double up_and_down(double n)
{
    return n == 2000 ? 1.7 : n == 1000 ? 2.5 : 2.0;
}

static void what_grows_and_falls_varies(void **state)
{
    const double sizes[] = {1000, 2000, 4000};
    TaskCountsChosen chosen = choose_by_law(up_and_down, sizes, 1e9);
    assert_string_equal(chosen.growth, "N^0");
    assert_float_equal(chosen.low, 1.3, 1e-12);
    assert_float_equal(chosen.high, 2.9, 1e-12);
}

static void calls_may_grow_exponentially(void **state)
{
    const double sizes[] = {7, 8, 9};
    TaskCountsChosen calls = choose_of(COUNT_CALLS, of_queens, sizes, 13);
    assert_true(calls.high > of_queens(13) / 3);
    assert_true(choose_by_law(of_queens, sizes, 13).high < of_queens(13) / 4);
}

static double steps_of_trees(double n)
{
    return n < 4000 ? 2.98 : n > 4000 ? 5.98 : 3.98;
}

static void where_the_growth_is_not_sure_the_counted_numbers_are_possible(void **state)
{
    const double sizes[] = {1000, 2000, 4000};
    TaskCountsChosen chosen = choose_by_law(steps_of_trees, sizes, 400000);
    assert_true(chosen.low < 2.98 && 5.98 < chosen.high);
}

static double share(double n)
{
    return 0.2 / n;
}

static void a_probability_goes_on_but_not_beyond_1(void **state)
{
    const double sizes[] = {50, 100, 200};
    TaskCountsChosen less = choose_of(COUNT_SHARE, share, sizes, 400);
    assert_float_equal(less.low, share(400), 1e-9);
    assert_float_equal(less.high, share(400), 1e-9);
    TaskCountsChosen most = choose_of(COUNT_TRUE, square, (const double[]){0.1, 0.2, 0.4}, 10);
    assert_float_equal(most.low, square(0.4), 1e-9);
    assert_float_equal(most.high, 1, 1e-9);
}

static void what_grows_does_not_fall_beyond_the_sizes(void **state)
{
    const double sizes[] = {10, 20, 40};
    TaskCountsChosen chosen = choose_by_law(log, sizes, 1e9);
    assert_true(chosen.low >= log(40));
}

static void sizes_in_reverse_tell_the_same(void **state)
{
    const double up[] = {1000, 2000, 4000}, mixed[] = {4000, 1000, 2000};
    TaskCountsChosen a = choose_by_law(log, up, 64000), b = choose_by_law(log, mixed, 64000);
    assert_float_equal(a.low, b.low, 1e-12 * a.low);
    assert_float_equal(a.high, b.high, 1e-12 * a.high);
}

static void a_place_that_no_run_reached_has_no_value(void **state)
{
    const TaskSize now = {"N", 100};
    TaskCountsChosen chosen;
    assert_null(choose(&two_sizes, "Q_a_3", 100).value);
    assert_false(choose(&two_sizes, "Q_a_3", 100).is_other_size);
    assert_true(choose(&two_sizes, "Q_a_3", 400).is_other_size);
    assert_false(task_counts_choose(&two_sizes, "Q_a_4", &now, 1, arena, &chosen));
}

static void a_run_at_the_same_size_replaces_the_one_before(void **state)
{
    const TaskCountsBatch again = task_counts_with_run(&two_sizes, &one_size, &runs[0], arena);
    assert_int_equal(again.n_runs, 2);
    assert_float_equal(again.runs[0].sizes[0].value, 200, 0);
    assert_int_equal(task_counts_with_run(&one_size, &one_size, &runs[1], arena).n_runs, 2);
    assert_int_equal(task_counts_with_run(NULL, &one_size, &runs[1], arena).n_runs, 1);
}

static void options_that_define_something_belong_to_the_source(void **state)
{
    assert_string_equal(task_counts_definitions("-O2 -DN=3 -march=native -I include -g", arena), "-DN=3 -I include");
    assert_string_equal(task_counts_definitions("-O3", arena), "");
}

/* ---- Places in sources --------------------------------------------------------------------------------------------- */

static const char SOURCE[] = "if (MAX(a, b) > c) x;\n"
                             "#pragma GCC ivdep\n"
                             "for (i = f(\"(;\"); i /* ; */ < 3; i++) y;\n";

/* The source in a file, which is removed. */
static WrittenFiles files_of(char path[])
{
    WrittenFiles files = {.arena = arena};
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, SOURCE, sizeof SOURCE - 1) == sizeof SOURCE - 1);
    close(file);
    assert_non_null(written_file(&files, path));
    unlink(path);
    return files;
}

static SourceExpression expression_at(const char *path, unsigned line, unsigned from, unsigned to)
{
    return (SourceExpression){.place = {path, line, from}, .end = {path, line, to}};
}

static void what_a_macro_holds_is_not_written(void **state)
{
    char path[] = "/tmp/firma-cost-count-XXXXXX";
    WrittenFiles files = files_of(path);
    const SourceExpression whole = expression_at(path, 1, 5, 18), macro = expression_at(path, 1, 5, 14);
    const SourceExpression argument = expression_at(path, 1, 5, 5), open = expression_at(path, 1, 5, 17);
    Stretch found = written_expression(&files, &whole, &whole);
    assert_string_equal(written_text(found, arena), "MAX(a, b) > c");
    assert_true(written_is_behind(found, "if"));
    assert_string_equal(written_text(written_expression(&files, &macro, &whole), arena), "MAX(a, b)");
    assert_null(written_expression(&files, &macro, &macro).file); /* the condition in MAX */
    assert_null(written_expression(&files, &argument, NULL).file);
    assert_null(written_expression(&files, &open, NULL).file); /* it ends in an argument */
    written_end(&files);
}

static void semicolons_of_a_loop_are_those_outside_of_brackets_texts_and_comments(void **state)
{
    char path[] = "/tmp/firma-cost-count-XXXXXX";
    WrittenFiles files = files_of(path);
    Stretch loop = written_word(&files, &(SourcePlace){path, 3, 1}, "for");
    assert_int_equal(written_semicolon(loop, 0) - loop.from, strlen("for (i = f(\"(;\")"));
    assert_int_equal(written_semicolon(loop, 1) - loop.from, strlen("for (i = f(\"(;\"); i /* ; */ < 3"));
    assert_true(written_after_directive(loop));
    assert_false(written_after_directive(written_word(&files, &(SourcePlace){path, 1, 1}, "if")));
    assert_null(written_word(&files, &(SourcePlace){path, 3, 1}, "fo").file);
    written_end(&files);
}

static void what_is_inserted_at_one_place_nests(void **state)
{
    const WrittenFile file = {.text = "ab c", .length = 4};
    Edits edits = {.file = &file};
    edits_around(&edits, 0, 2, "(", ")");
    edits_around(&edits, 0, 4, "[", "]");
    edits_around(&edits, 3, 4, "{", "}");
    *vec_push(&edits.items) = (Insertion){0, INSERT_BEFORE_STATEMENT, 0, "if "};
    assert_string_equal(edits_apply(&edits, arena), "if [(ab) {c}]");
    vec_free(&edits.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_that_of_the_nearest_size),
        cmocka_unit_test(two_sizes_tell_the_power_with_which_iterations_grow),
        cmocka_unit_test(three_sizes_tell_the_law),
        cmocka_unit_test(what_grows_and_falls_varies),
        cmocka_unit_test(calls_may_grow_exponentially),
        cmocka_unit_test(where_the_growth_is_not_sure_the_counted_numbers_are_possible),
        cmocka_unit_test(a_probability_goes_on_but_not_beyond_1),
        cmocka_unit_test(what_grows_does_not_fall_beyond_the_sizes),
        cmocka_unit_test(sizes_in_reverse_tell_the_same),
        cmocka_unit_test(a_place_that_no_run_reached_has_no_value),
        cmocka_unit_test(a_run_at_the_same_size_replaces_the_one_before),
        cmocka_unit_test(options_that_define_something_belong_to_the_source),
        cmocka_unit_test(what_a_macro_holds_is_not_written),
        cmocka_unit_test(semicolons_of_a_loop_are_those_outside_of_brackets_texts_and_comments),
        cmocka_unit_test(what_is_inserted_at_one_place_nests),
    };
    return cmocka_run_group_tests(tests, new_arena, free_arena);
}
