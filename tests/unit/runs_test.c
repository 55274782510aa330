/* SPDX-License-Identifier: BSD-3-Clause */
/* Run times from CSV and JSON. */
#include "base/files.h"
#include "model/runs.h"
#include "test.h"
#include "unit/near.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/firma-runs-XXXXXX";

static Runs *load(const char *text, Arena *arena, Err *err)
{
    Runs *runs = NULL;
    *err = (Err){0};
    assert_true(files_save_text(path, text, err));
    return runs_load(path, arena, &runs, err) ? runs : NULL;
}

static void repeats_become_one_point_with_their_median(void **state)
{
    Arena *arena = arena_new();
    Err err;
    Runs *runs = load("p,time\n2,3\n1,5\n2,4\n2,1\n", arena, &err);
    assert_non_null(runs);
    assert_int_equal(runs->n_points, 2);
    assert_int_equal(runs->points[0].p, 1);
    assert_int_equal(runs->points[1].n_times, 3);
    assert_near(runs->points[1].median_s, 3, 0);
    assert_near(runs->points[1].low_s, 1, 0);
    assert_near(runs->points[1].high_s, 4, 0);
    assert_false(runs->has_sizes);
    arena_free(arena);
}

static void columns_are_found_by_name_in_any_order(void **state)
{
    Arena *arena = arena_new();
    Err err;
    Runs *runs = load("host;Time_s;\"P\";n\nanna;1.5;4;100\nanna;1e1;1;100\n", arena, &err);
    assert_non_null(runs);
    assert_true(runs->has_sizes);
    assert_int_equal(runs->n_points, 2);
    assert_near(runs->points[0].median_s, 10, 0);
    assert_int_equal(runs->points[1].p, 4);
    arena_free(arena);
}

static void sequential_times_belong_to_sizes(void **state)
{
    Arena *arena = arena_new();
    Err err;
    Runs *runs = load("n\tp\ttime\tsequential\r\n8\t1\t2\t1.5\r\n8\t2\t1\t\r\n9\t1\t3\t\r\n", arena, &err);
    assert_non_null(runs);
    assert_int_equal(runs->n_sequential, 1);
    assert_near(runs->sequential[0].n, 8, 0);
    assert_near(runs->sequential[0].time_s, 1.5, 0);
    arena_free(arena);
}

static void a_point_is_as_slow_as_its_slowest_run(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Err err;
    Runs *runs = load("p,time,slowdown\n1,2,1\n1,3,1.5\n2,1,\n", arena, &err);
    assert_non_null(runs);
    assert_near(runs->points[0].slowdown, 1.5, 0);
    assert_near(runs->points[1].slowdown, 1, 0);
    json_t *document = runs_to_json(runs), *points = json_object_get(document, "points");
    assert_near(json_real_value(json_object_get(json_array_get(points, 0), "slowdown")), 1.5, 0);
    assert_null(json_object_get(json_array_get(points, 1), "slowdown"));
    json_decref(document);
    assert_null(load("p,time,slowdown\n1,2,0\n", arena, &err));
    assert_non_null(strstr(err.message, ":2:5: `0` is not above 0"));
    arena_free(arena);
}

static void what_was_saved_loads_again(void **state)
{
    Arena *arena = arena_new();
    Err err;
    Runs *again, *runs = load("n,p,time,sequential\n8,1,2.25,2\n8,2,1.125,2\n9,1,3,\n", arena, &err);
    assert_non_null(runs);
    assert_true(runs_save_csv(runs, path, &err));
    assert_true(runs_load(path, arena, &again, &err));
    assert_int_equal(again->n_points, 3);
    assert_int_equal(again->n_sequential, 1);
    assert_near(again->points[1].median_s, 1.125, 0);
    arena_free(arena);
}

static void json_says_the_same_as_csv(void **state)
{
    Arena *arena = arena_new();
    Err err;
    Runs *runs = load("{\"format\": \"firma runs\", \"version\": 1, \"points\": [{\"n\": 10, \"p\": 2, \"times_s\": "
                      "[3, 2.5]}, {\"n\": 10, \"p\": 1, \"times_s\": [5], \"sequential_s\": 4}]}",
                      arena, &err);
    assert_non_null(runs);
    assert_int_equal(runs->n_points, 2);
    assert_near(runs->points[1].median_s, 2.75, 0);
    assert_near(runs->sequential[0].time_s, 4, 0);
    json_t *document = runs_to_json(runs);
    assert_int_equal(json_array_size(json_object_get(document, "points")), 2);
    json_decref(document);
    arena_free(arena);
}

static void mistakes_are_named_with_line_and_column(void **state)
{
    static const char *const wrong[][2] = {
        {"", "is empty"},
        {"p,time\n", "holds no runs"},
        {"n,time\n1,2\n", ":1: no column is named `p`"},
        {"p,time,p\n1,2,3\n", ":1:8: `p` names a second column"},
        {"p,time\n1,2\n2,x\n", ":3:3: `x` is not a number"},
        {"p,time\n1,2\n\n2,-1\n", ":4:3: `-1` is not above 0"},
        {"p,time\n1.5,1\n", ":2:1: `1.5` is not a whole number"},
        {"p,time\n1,nan\n", ":2:3: `nan` is not a number"},
        {"p,time\n1,0x10\n", ":2:3: `0x10` is not a number"},
        {"p,time\n1,1e300\n", ":2:3: `1e300` is above the limit of 1e+12"},
        {"p,time\n1,1e-300\n", ":2:3: `1e-300` is below the limit of 1e-30"},
        {"p,time\n1,0\n", ":2:3: `0` is not above 0"},
        {"p,time\n1,2,\n2,5,7\n", ":3:5: `7` is in no named column"},
        {"{\"format\": \"firma runs\", \"version\": 1, \"points\": [{\"p\": 1, \"times_s\": [1e-300]}]}",
         "expected a number from 1e-30 to 1e+12; found 1e-300"},
        {"p,time\n1\n", ":2: no value in column `time`"},
        {"name,p,time\n\"a\nb\",2,x\n", ":3:6: `x` is not a number"},
        {"p,time,name\n1,2,\"a\n2,1,\"b\"\n", ":2:5: the quotes in this field don't enclose it"},
        {"p,time,name\n1,2,a\n2,1,\"b\n4,1,c\n", ":3:5: the quotes in this field don't enclose it"},
        {"p,time,name\n1,2,a\"b\n", ":2:5: the quotes in this field don't enclose it"},
        {"p,time,sequential\n1,2,1\n2,1,2\n", "two sequential times, 1 and 2"},
        {"{\"format\": \"firma runs\", \"version\": 1, \"points\": [{\"p\": 0, \"times_s\": [1]}]}", "points[0].p"},
        {"{\"format\": \"firma runs\", \"version\": 1, \"points\": [{\"p\": 1, \"times_s\": []}]}",
         "expected at least one time"},
        {"{\"format\": \"firma runs\", \"version\": 1, \"points\": [{\"p\": 1, \"times_s\": [1]}, {\"n\": 1, \"p\": 1, "
         "\"times_s\": [1]}]}",
         "points[1].n"},
    };
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Err err;
        assert_null(load(wrong[i][0], arena, &err));
        assert_int_equal(err.kind, ERR_INPUT);
        if (!strstr(err.message, wrong[i][1]) || !strstr(err.message, path))
            fail_msg("`%s` should say `%s`", err.message, wrong[i][1]);
    }
    arena_free(arena);
}

static int make_file(void **state)
{
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_file(void **state)
{
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeats_become_one_point_with_their_median),
        cmocka_unit_test(columns_are_found_by_name_in_any_order),
        cmocka_unit_test(sequential_times_belong_to_sizes),
        cmocka_unit_test(a_point_is_as_slow_as_its_slowest_run),
        cmocka_unit_test(what_was_saved_loads_again),
        cmocka_unit_test(json_says_the_same_as_csv),
        cmocka_unit_test(mistakes_are_named_with_line_and_column),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
