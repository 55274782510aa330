/* SPDX-License-Identifier: BSD-3-Clause */
/* Comparing runs with a mapping and runs with the default against the prediction. */
#include "test.h"
#include "verbs/map/placement.h"

#include <string.h>

enum { RUNS = 7 };

static const Mapping usual = {.mapper = "block", .completion_s = 2};
static const Mapping better = {
    .mapper = "search", .completion_s = 1.5, .gain = 0.25, .gain_low = 0.2, .gain_high = 0.3};
static const Mapping alike = {
    .mapper = "search", .completion_s = 1.99, .gain = 0.005, .gain_low = 0.002, .gain_high = 0.1};
static const Mapping worse = {.mapper = "given", .completion_s = 3, .gain = -0.5, .gain_low = -0.6, .gain_high = -0.4};

/* Runs with the default take a little more than 10 s. Runs with the mapping take `saved_s` less, ±
 * `scatter_s`. */
static json_t *judge(const Mapping *mapped, uint32_t n, double saved_s, double scatter_s)
{
    double usual_s[RUNS], mapped_s[RUNS];
    for (uint32_t i = 0; i < n; i++) {
        usual_s[i] = 10 + 0.125 * i;
        mapped_s[i] = usual_s[i] - saved_s + (i % 2 ? scatter_s : -scatter_s);
    }
    const PlacementRuns runs = {n, usual_s, mapped_s, &usual, mapped};
    return placement_runs_json(&runs);
}

static void check_verdict(const Mapping *mapped, uint32_t n, double saved_s, double scatter_s, const char *expected)
{
    json_t *said = judge(mapped, n, saved_s, scatter_s);
    assert_string_equal(json_string_value(json_object_get(said, "verdict")), expected);
    json_decref(said);
}

static void what_was_saved_has_the_sign_that_was_predicted_or_not(void **state)
{
    check_verdict(&better, RUNS, 0.5, 0.125, "the mapping is faster, as predicted");
    check_verdict(&better, RUNS, -0.5, 0.125, "the mapping is slower, against the prediction");
    check_verdict(&alike, RUNS, 0.5, 0.125, "the mapping is faster, which was not predicted");
    check_verdict(&worse, RUNS, -0.5, 0.125, "the mapping is slower, as predicted");
    check_verdict(&worse, RUNS, 0.5, 0.125, "the mapping is faster, against the prediction");
}

static void runs_that_scatter_more_than_they_differ_tell_nothing(void **state)
{
    check_verdict(&better, RUNS, 0.125, 1, "the runs vary too much to show a difference; a gain was predicted");
    check_verdict(&alike, RUNS, 0, 1, "the runs show no difference, as predicted");
}

static void few_runs_tell_nothing(void **state)
{
    json_t *said = judge(&better, 5, 0.5, 0);
    assert_false(json_is_true(json_object_get(said, "is_95_percent_interval")));
    assert_non_null(strstr(json_string_value(json_object_get(said, "verdict")), "too few"));
    json_decref(said);
}

static void start_up_and_drift_cancel_in_what_was_saved(void **state)
{
    json_t *said = judge(&better, RUNS, 0.5, 0), *saved = json_object_get(said, "saved");
    assert_true(json_number_value(json_object_get(saved, "median_s")) == 0.5);
    assert_true(json_number_value(json_object_get(saved, "low_s")) == 0.5);
    assert_true(json_number_value(json_object_get(saved, "predicted_s")) == 0.5);
    json_decref(said);
}

static void the_text_shows_both_and_what_was_saved(void **state)
{
    Arena *arena = arena_new();
    const double usual_s[] = {2, 2, 2, 2, 2, 2}, mapped_s[] = {1.5, 1.5, 1.5, 1.5, 1.5, 1.5};
    const PlacementRuns runs = {6, usual_s, mapped_s, &usual, &better};
    const char *text = placement_runs_text(&runs, false, arena);
    assert_non_null(strstr(text, "as given"));
    assert_non_null(strstr(text, "search"));
    assert_non_null(strstr(text, "500 ms to 500 ms"));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_saved_has_the_sign_that_was_predicted_or_not),
        cmocka_unit_test(runs_that_scatter_more_than_they_differ_tell_nothing),
        cmocka_unit_test(few_runs_tell_nothing),
        cmocka_unit_test(start_up_and_drift_cancel_in_what_was_saved),
        cmocka_unit_test(the_text_shows_both_and_what_was_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
