/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of --memory. */
#include "cli/values.h"
#include "test.h"

static void units_are_powers_of_1024(void **state)
{
    static const struct {
        const char *text;
        size_t size_bytes;
    } cases[] = {{"4096", 4096},
                 {"4096B", 4096},
                 {"3K", 3072},
                 {"512M", (size_t)512 << 20},
                 {"512m", (size_t)512 << 20},
                 {"2G", (size_t)2 << 30},
                 {"2GB", (size_t)2 << 30},
                 {"2GiB", (size_t)2 << 30},
                 {"1.5K", 1536},
                 {"1T", (size_t)1 << 40}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size_bytes = 0;
        Err err;
        assert_true(memory_option_parse(cases[i].text, &size_bytes, &err));
        assert_int_equal(size_bytes, cases[i].size_bytes);
    }
}

static void what_is_no_size_is_a_usage_error(void **state)
{
    static const char *const cases[] = {"",    "M",   "0",   "-1G", "2X",    "2 G",  "2GG",
                                        "2Mi", "1G1", "nan", "inf", "1e30G", "0x10M"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size_bytes = 17;
        Err err = {0};
        if (memory_option_parse(cases[i], &size_bytes, &err))
            fail_msg("\"%s\" was taken", cases[i]);
        assert_int_equal(err.kind, ERR_USAGE);
        assert_int_equal(size_bytes, 17);
    }
}

static void without_a_size_half_of_the_machine_is_taken(void **state)
{
    size_t size_bytes = 0;
    Err err;
    assert_true(memory_option_parse(NULL, &size_bytes, &err));
    assert_true(size_bytes >= (size_t)1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_powers_of_1024),
        cmocka_unit_test(what_is_no_size_is_a_usage_error),
        cmocka_unit_test(without_a_size_half_of_the_machine_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
