/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists and ranges of numbers as values of options. */
#include "cli/values.h"
#include "unit/fixture.h"

#include <string.h>

static Err err;

#define MOST ((uint64_t)1 << 40)

static void lists_are_ascending_and_hold_each_number_once(void **state)
{
    static const struct {
        const char *text;
        bool has_units;
        uint32_t n;
        uint64_t numbers[8];
    } cases[] = {{"3", false, 1, {3}},
                 {"8,2,8,1", false, 3, {1, 2, 8}},
                 {"2:5", false, 4, {2, 3, 4, 5}},
                 {"7:7", false, 1, {7}},
                 {"1:8x2", false, 4, {1, 2, 4, 8}},
                 {"1:7x2", false, 3, {1, 2, 4}},
                 {"3:100x10", false, 2, {3, 30}},
                 {"0,1:9x3,9:10", false, 5, {0, 1, 3, 9, 10}},
                 {"1k:4kx2,1M", true, 4, {1024, 2048, 4096, 1 << 20}},
                 {"1024:1K", true, 1, {1024}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t n = 0;
        const uint64_t *numbers;
        const NumberList list = {
            .option = "--sizes", .by_default = cases[i].text, .has_units = cases[i].has_units, .most = MOST};
        if (!numbers_option_parse(&list, arena, &n, &numbers, &err))
            fail_msg("%s", err.message);
        assert_int_equal(n, cases[i].n);
        assert_memory_equal(numbers, cases[i].numbers, n * sizeof *numbers);
    }
}

static void what_is_no_list_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *text, *said;
    } cases[] = {{"", "--processes: ``, character 1: expected a number"},
                 {"2,", "--processes: `2,`, character 3: expected a number"},
                 {"2,x", "--processes: `2,x`, character 3: expected a number"},
                 {"-1", "character 1: expected a number"},
                 {"4 ", "character 2: expected a comma or the end"},
                 {"4k", "character 2: expected a comma or the end"},
                 {"2:", "character 3: expected a number"},
                 {"010", "character 1: expected a number"},
                 {"2,08", "character 3: expected a number"},
                 {"1:08", "character 3: expected a number"},
                 {":2", "character 1: expected a number"},
                 {"1,5:4", "character 5: the range ends before it begins"},
                 {"1:8x", "character 5: expected a number"},
                 {"1:8x1", "character 5: expected a factor of at least 2"},
                 {"0:8x2", "character 4: a range from 0 can't be multiplied"},
                 {"2,1000", "character 3: expected numbers from 0 to 999"},
                 {"0:999", "character 1: more than 512 numbers"},
                 {"99999999999999999999", "character 1: expected a number"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t n = 17;
        const uint64_t *numbers;
        const NumberList list = {.option = "--processes", .by_default = cases[i].text, .most = 999};
        if (numbers_option_parse(&list, arena, &n, &numbers, &err))
            fail_msg("`%s` was taken", cases[i].text);
        assert_int_equal(err.kind, ERR_USAGE);
        if (!strstr(err.message, cases[i].said))
            fail_msg("`%s` isn't said: %s", cases[i].said, err.message);
        assert_int_equal(n, 17);
    }
}

static void multiplying_ends_at_the_largest_numbers(void **state)
{
    uint32_t n = 0;
    const uint64_t *numbers;
    const NumberList list = {.option = "--sizes", .by_default = "1:9223372036854775807x1000000", .most = UINT64_MAX};
    assert_true(numbers_option_parse(&list, arena, &n, &numbers, &err));
    assert_int_equal(n, 4);
    assert_int_equal(numbers[3], 1000000000000000000);
}

static void a_list_that_keeps_its_order_may_repeat_numbers(void **state)
{
    static const uint64_t expected[] = {3, 3, 0, 1, 2, 4, 8};
    const NumberList list = {.option = "--given", .by_default = "3,3,0:1,2:8x2", .keeps_order = true, .most = 8};
    const uint64_t *numbers;
    uint32_t n;
    assert_true(numbers_option_parse(&list, arena, &n, &numbers, &err));
    assert_int_equal(n, sizeof expected / sizeof *expected);
    assert_memory_equal(numbers, expected, sizeof expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(a_list_that_keeps_its_order_may_repeat_numbers),
        fixture_test(lists_are_ascending_and_hold_each_number_once),
        fixture_test(what_is_no_list_is_refused_with_its_place),
        fixture_test(multiplying_ends_at_the_largest_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
