/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of options: which are refused, and what is suggested instead. */
#include "base/nearest.h"
#include "cli/option_values.h"
#include "test.h"

static const char *fruit_at(size_t index)
{
    static const char *const fruits[] = {"apple", "pear", "pomegranate", "passion fruit"};
    return index < sizeof fruits / sizeof *fruits ? fruits[index] : NULL;
}

static Choice few = {.names = (const char *const[]){"window", "barrier", NULL}}, many = {.name_at = fruit_at};
static int number;
static double real;

static const struct poptOption choice = {"method", 'm', OPTION_CHOICE, &few, 0, "how", "NAME"},
                               choices = {"fruits", 0, OPTION_CHOICES, &many, 0, "what", "LIST"},
                               count = {"repeat", 'r', OPTION_COUNT, &number, 0, "how often", "N"},
                               natural = {"seed", 0, OPTION_NATURAL, &number, 0, "seed", "N"},
                               any = {"shift", 0, POPT_ARG_INT, &number, 0, "any", "N"},
                               seconds = {"actual", 0, OPTION_SECONDS, &real, 0, "time", "SECONDS"},
                               percent = {"relevance", 0, OPTION_PERCENT, &real, 0, "part", "PERCENT"},
                               part = {"budget", 0, OPTION_PART, &real, 0, "part", "PERCENT"},
                               share = {"efficiency", 0, OPTION_SHARE, &real, 0, "kept", "SHARE"},
                               any_real = {"share", 0, POPT_ARG_DOUBLE, &real, 0, "any", "SHARE"};

static const char *refusal(const struct poptOption *option, const char *value)
{
    static Err err;
    err = (Err){0};
    if (option_check_value(option, "--it=x", 4, value, &err))
        return "";
    assert_int_equal(err.kind, ERR_USAGE);
    return err.message;
}

static void slips_are_counted_letter_by_letter(void **state)
{
    assert_int_equal(edit_distance("model", "model"), 0);
    assert_int_equal(edit_distance("modle", "model"), 1);
    assert_int_equal(edit_distance("mdl", "model"), 2);
    assert_int_equal(edit_distance("models", "model"), 1);
    assert_int_equal(edit_distance("", "model"), 5);
    assert_int_equal(edit_distance("ca", "abc"), 3);
    assert_true(edit_distance("a-very-long-word-that-is-longer-than-any-name", "model") == SIZE_MAX);
}

static void the_nearest_name_is_found_unless_none_is_near(void **state)
{
    Nearest nearest = nearest_to("brrier");
    nearest_try(&nearest, "window");
    assert_null(nearest.name);
    nearest_try(&nearest, "barriers");
    nearest_try(&nearest, "barrier");
    nearest_try(&nearest, "carrier");
    assert_string_equal(nearest.name, "barrier");
    nearest = nearest_to("accept");
    nearest_try(&nearest, "accept-differences");
    assert_string_equal(nearest.name, "accept-differences");
    nearest = nearest_to("ab");
    nearest_try(&nearest, "abbreviation");
    nearest_try(&nearest, "cd");
    assert_null(nearest.name);
}

static void a_name_that_is_none_is_refused_with_what_was_meant(void **state)
{
    Err err = {0};
    assert_string_equal(refusal(&choice, "barrier"), "");
    assert_false(option_check_value(&choice, "--method", 8, "windwo", &err));
    assert_string_equal(err.message, "--method: there is no `windwo`");
    assert_string_equal(err.hint, "did you mean `window`?");
    assert_false(option_check_value(&choices, "--fruits", 8, "pear,aple", &err));
    assert_string_equal(err.message, "--fruits: there is no `aple`");
    assert_string_equal(err.hint, "did you mean `apple`?");
    assert_false(option_check_value(&choice, "--method", 8, "mean", &err));
    assert_string_equal(err.hint, "choose from window, barrier");
    assert_string_equal(refusal(&choices, "pear,passion fruit"), "");
    assert_true(*refusal(&choices, "pear,"));
    assert_true(*refusal(&choices, ""));
    assert_true(*refusal(&choice, "window,barrier"));
}

static void numbers_are_refused_with_option_and_value(void **state)
{
    assert_string_equal(refusal(&count, "12"), "");
    assert_string_equal(refusal(&count, "0"), "--it: 0 is less than 1");
    assert_string_equal(refusal(&count, "-3"), "--it: -3 is less than 1");
    assert_string_equal(refusal(&natural, "0"), "");
    assert_string_equal(refusal(&natural, "-1"), "--it: -1 is less than 0");
    assert_string_equal(refusal(&any, "-1"), "");
    assert_string_equal(refusal(&any, "2147483648"), "--it: 2147483648 is too large");
    assert_string_equal(refusal(&any, "-99999999999999999999"), "--it: -99999999999999999999 is too small");
    assert_string_equal(refusal(&any, ""), "--it: the number is empty");
    assert_string_equal(refusal(&any, "1x"), "--it: `1x` is not a whole number");
    assert_string_equal(refusal(&any, "010"), "--it: `010` is not a whole number");
    assert_string_equal(refusal(&any, " 1"), "--it: ` 1` is not a whole number");
}

static void real_numbers_are_finite(void **state)
{
    assert_string_equal(refusal(&any_real, "-1.5e3"), "");
    assert_string_equal(refusal(&any_real, "nan"), "--it: `nan` is not a number");
    assert_string_equal(refusal(&any_real, "inf"), "--it: `inf` is not a finite number");
    assert_string_equal(refusal(&any_real, "1e999"), "--it: `1e999` is not a finite number");
    assert_string_equal(refusal(&any_real, "5%"), "--it: `5%` is not a number");
    assert_string_equal(refusal(&any_real, "0x10"), "--it: `0x10` is not a number");
    assert_string_equal(refusal(&seconds, "0"), "--it: 0 is not above 0, and at most 1e12 seconds");
    assert_string_equal(refusal(&seconds, "1e-9"), "");
}

static void numbers_outside_their_range_are_refused(void **state)
{
    assert_true(*refusal(&seconds, "1e13"));
    assert_string_equal(refusal(&percent, "0"), "");
    assert_string_equal(refusal(&percent, "100"), "");
    assert_string_equal(refusal(&percent, "100.5"), "--it: 100.5 is not a percentage from 0 to 100");
    assert_true(*refusal(&percent, "-1"));
    assert_string_equal(refusal(&part, "0"), "--it: 0 is not a percentage above 0, and at most 100");
    assert_string_equal(refusal(&part, "100"), "");
    assert_string_equal(refusal(&share, "0.5"), "");
    assert_true(*refusal(&share, "0") && *refusal(&share, "1"));
}

static void few_names_stand_at_the_option_and_many_behind_its_meaning(void **state)
{
    Arena *arena = arena_new();
    assert_true(option_names_are_short(&choice));
    assert_false(option_names_are_short(&choices));
    assert_false(option_names_are_short(&count));
    assert_string_equal(option_names(&choice, "|", arena), "window|barrier");
    assert_string_equal(option_name_at(&choices, 3), "passion fruit");
    assert_null(option_name_at(&choices, 4));
    assert_null(option_names(&count, "|", arena));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_are_counted_letter_by_letter),
        cmocka_unit_test(the_nearest_name_is_found_unless_none_is_near),
        cmocka_unit_test(a_name_that_is_none_is_refused_with_what_was_meant),
        cmocka_unit_test(numbers_are_refused_with_option_and_value),
        cmocka_unit_test(real_numbers_are_finite),
        cmocka_unit_test(numbers_outside_their_range_are_refused),
        cmocka_unit_test(few_names_stand_at_the_option_and_many_behind_its_meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
