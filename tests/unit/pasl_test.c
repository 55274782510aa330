/* SPDX-License-Identifier: BSD-3-Clause */
/* PASL: the meaning of flow files, errors in wrong ones, and drawings of flows. */
#include "cost/lang/pasl.h"
#include "unit/fixture.h"
#include "verbs/cost/check_text.h"

#define BATCH(name) "batch " name " { source a.c entry f tasks 1 }\n"
#define IN_BATCH(items) "application x\nparameter N\nbatch a { source a.c entry f tasks 8\n" items "}"

static const PaslApplication *read(const char *text)
{
    PaslApplication *application;
    Err err;
    if (!pasl_parse("a.pasl", text, arena, &application, &err))
        fail_msg("%s", err.message);
    return application;
}

static void refuse(const char *text, const char *message)
{
    PaslApplication *application = NULL;
    Err err = {0};
    assert_false(pasl_parse("a.pasl", text, arena, &application, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_string_equal(err.message, message);
    assert_null(application);
}

static void an_item_may_stand_where_it_likes(void **state)
{
    const PaslBatch *batch =
        read("application x batch a{tasks 3 returns 2 KiB;source\"b c.c\"entry Pi.f(int,double) language java}")
            ->batches;
    assert_string_equal(batch->source, "b c.c");
    assert_string_equal(batch->entry, "Pi.f(int,double)");
    assert_string_equal(batch->language, "java");
    assert_string_equal(batch->options, "");
    assert_string_equal(expr_text(batch->returns_bytes, arena), "2048");
    assert_string_equal(expr_text(batch->receives_bytes, arena), "0");
}

static void the_language_is_by_the_extension(void **state)
{
    assert_string_equal(read("application x batch a { source Pi.java entry f tasks 1 }")->batches->language, "java");
    assert_string_equal(read("application x batch a { source a.pamela entry f tasks 1 }")->batches->language, "pamela");
    refuse("application x batch a { source a.f90 entry f tasks 1 }",
           "a.pasl:1:32: expected a source that ends in .c, .java or .pamela, or a line `language`");
}

static void a_source_is_beside_its_flow_file(void **state)
{
    PaslApplication *application;
    Err err;
    static const char text[] = "application x batch a { source s/a.c entry f tasks 1 }\n"
                               "batch b { source /a.c entry f tasks 1 }";
    assert_true(pasl_parse("dir/a.pasl", text, arena, &application, &err));
    assert_string_equal(application->batches[0].source, "dir/s/a.c");
    assert_string_equal(application->batches[1].source, "/a.c");
}

static void expressions_of_a_batch_hold_parameters_and_task_alone(void **state)
{
    const PaslBatch *batch = read(IN_BATCH("Q a.c:3 = from/to\nargument from = (task - 1)*N/tasks\n"
                                           "argument to = task*N/tasks\nvalue k = tasks\nreceives tasks*N bytes"))
                                 ->batches;
    assert_string_equal(expr_text(batch->arguments[1].value, arena), "N*task/8");
    assert_string_equal(expr_text(batch->values[1].value, arena), "8");
    assert_string_equal(expr_text(batch->receives_bytes, arena), "8*N");
    assert_string_equal(batch->values[0].name, "a.c:3");
    assert_true(expr_has_symbol(batch->values[0].value, "task"));
    assert_false(expr_has_symbol(batch->values[0].value, "from"));
}

static void an_array_has_a_type_a_length_and_a_fill(void **state)
{
    const PaslBinding *arguments =
        read(
            IN_BATCH("argument n = N\nargument unsigned long keys[2*N] = ramp\nargument double x[task*tasks] = random\n"
                     "argument int y[1] = random(7*N); argument int z[N] = zeros"))
            ->batches->arguments;
    assert_null(arguments[0].element);
    assert_string_equal(arguments[1].name, "keys");
    assert_string_equal(arguments[1].element, "unsigned long");
    assert_string_equal(expr_text(arguments[1].value, arena), "2*N");
    assert_int_equal(arguments[1].fill, PASL_RAMP);
    assert_string_equal(expr_text(arguments[2].value, arena), "8*task");
    assert_string_equal(expr_text(arguments[2].seed, arena), "task");
    assert_string_equal(expr_text(arguments[3].seed, arena), "7*N");
    assert_int_equal(arguments[4].fill, PASL_ZEROS);
    refuse(IN_BATCH("argument x[N] = zeros"),
           "a.pasl:4:10: expected the type of the array's elements, as in `argument double x[…]`");
    refuse(IN_BATCH("argument int x[N] = 0"), "a.pasl:4:21: expected zeros, ramp, random or random(SEED), found `0`");
    refuse(IN_BATCH("argument int x = 0"), "a.pasl:4:16: expected `[`, found `=`");
    refuse(IN_BATCH("argument int x[M] = zeros"), "a.pasl:4:16: `M` isn't a known parameter here");
    refuse(IN_BATCH("argument int x[N] = random(M)"), "a.pasl:4:16: `M` isn't a known parameter here");
}

static void batches_stand_behind_those_that_they_wait_for(void **state)
{
    const PaslApplication *application =
        read("application x\n" BATCH("d") BATCH("c") BATCH("b") BATCH("a") "flow a -> b, c -> d\nflow a -> d, d");
    static const char *const names[] = {"a", "b", "c", "d"}; /* d waits for b, named first in the flow, and for c */
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(application->batches[i].name, names[i]);
    assert_int_equal(application->batches[3].n_before, 3);
    assert_int_equal(application->batches[3].before[0], 0);
    assert_int_equal(application->batches[3].before[2], 2);
    assert_int_equal(application->batches[0].n_before, 0);
}

static void batches_without_flow_stay_in_the_order_of_the_file(void **state)
{
    const PaslApplication *application = read("application x\n" BATCH("c") BATCH("a") BATCH("b"));
    assert_string_equal(application->batches[0].name, "c");
    assert_string_equal(application->batches[2].name, "b");
}

static void each_step_of_the_flow_is_drawn_once(void **state)
{
    const PaslApplication *application = read("application x\n" BATCH("a") BATCH("b") BATCH("c") BATCH("d")
                                                  BATCH("e") "flow a -> b, c -> d\nflow a -> d");
    assert_string_equal(flow_drawing(application, arena), "a -> b -> d\na -> c -> d\na -> d\ne\n");
}

static void a_cycle_is_named_by_its_batches_in_order(void **state)
{
    refuse("application x\n" BATCH("a") BATCH("b") BATCH("c") "flow a -> b\nflow b -> c -> a",
           "a.pasl:5:11: the flow is a cycle: a -> b -> c -> a");
    refuse("application x\n" BATCH("a") "flow a -> a", "a.pasl:3:11: the flow is a cycle: a -> a");
}

static void what_is_missing_is_named(void **state)
{
    refuse("", "a.pasl:1:1: expected `application NAME` at the top, found the end of the file");
    refuse("application x", "a.pasl:1:14: expected a `batch`, found the end of the file");
    refuse("application x\nbatch a { entry f tasks 1 }", "a.pasl:2:7: batch `a` has no `source`");
    refuse("application x\nbatch a { source a.c tasks 1 }", "a.pasl:2:7: batch `a` has no `entry`");
    refuse("application x\nbatch a { source a.c entry f }", "a.pasl:2:7: batch `a` has no `tasks`");
    refuse("application x\nbatch a {\nsource\nentry f",
           "a.pasl:4:1: expected the source's file name on the same line, found `entry`");
    refuse(IN_BATCH("argument n =\ntasks 3"), "a.pasl:5:1: expected a value after `=` on the same line, found `tasks`");
    refuse("application x\n" BATCH("a") "flow a", "a.pasl:3:7: expected `->` and the next batch, found the "
                                                  "end of the file");
}

static void what_is_unknown_is_named(void **state)
{
    refuse("application x\nbatches a", "a.pasl:2:1: expected `parameter`, `batch` or `flow`, found `batches`");
    refuse(IN_BATCH("task 3"), "a.pasl:4:1: expected language, source, options, entry, tasks, argument, receives, "
                               "returns, Q, value, depth or `}`, found `task`");
    refuse("application x\n" BATCH("a") "flow a -> b", "a.pasl:3:11: there is no batch `b`");
    refuse(IN_BATCH("argument n = M"), "a.pasl:4:14: `M` isn't a known parameter here");
    refuse(IN_BATCH("language fortran"), "a.pasl:4:10: expected c, java or pamela, found `fortran`");
}

static void what_is_there_twice_is_named(void **state)
{
    refuse(IN_BATCH("tasks 3"), "a.pasl:4:1: `tasks` is already given in line 3");
    refuse("application x\n" BATCH("a") BATCH("a"), "a.pasl:3:7: there is a batch `a` already");
    refuse("application x\nparameter N\nparameter N", "a.pasl:3:11: there is a parameter `N` already");
    refuse(IN_BATCH("argument n = 1\nargument n = 2"), "a.pasl:5:10: there is an argument `n` already");
    refuse(IN_BATCH("Q a.c:1 = 1\nQ a.c:1 = 0"), "a.pasl:5:3: `a.c:1` has a value already");
}

static void numbers_have_to_make_sense(void **state)
{
    refuse("application x\nbatch a { tasks 1/2", "a.pasl:2:17: expected a number of tasks, 1 or more, found 0.5");
    refuse(IN_BATCH("Q a.c:1 = 1.5"), "a.pasl:4:11: expected a probability from 0 to 1, found 1.5");
    refuse(IN_BATCH("returns 0 - 1 bytes"), "a.pasl:4:9: expected a number of bytes, found -1");
    refuse("application x\nparameter task", "a.pasl:2:11: `task` can't be a parameter: it is the number of a task in "
                                            "its batch");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(an_item_may_stand_where_it_likes),
        fixture_test(the_language_is_by_the_extension),
        fixture_test(a_source_is_beside_its_flow_file),
        fixture_test(expressions_of_a_batch_hold_parameters_and_task_alone),
        fixture_test(an_array_has_a_type_a_length_and_a_fill),
        fixture_test(batches_stand_behind_those_that_they_wait_for),
        fixture_test(batches_without_flow_stay_in_the_order_of_the_file),
        fixture_test(each_step_of_the_flow_is_drawn_once),
        fixture_test(a_cycle_is_named_by_its_batches_in_order),
        fixture_test(what_is_missing_is_named),
        fixture_test(what_is_unknown_is_named),
        fixture_test(what_is_there_twice_is_named),
        fixture_test(numbers_have_to_make_sense),
    };
    return cmocka_run_group_tests_name("pasl", tests, NULL, NULL);
}
