/* SPDX-License-Identifier: BSD-3-Clause */
/* The nouns and their files. */
#include "base/files.h"
#include "model/application.h"
#include "model/lifetime.h"
#include "unit/example_signature.h"
#include "unit/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Place {
    char directory[64], a[96], b[96];
    Arena *arena;
} Place;

static int make_place(void **state)
{
    static Place place;
    strcpy(place.directory, "/tmp/firma-model-test-XXXXXX");
    assert_non_null(mkdtemp(place.directory));
    snprintf(place.a, sizeof place.a, "%s/a", place.directory);
    snprintf(place.b, sizeof place.b, "%s/b", place.directory);
    place.arena = arena_new();
    *state = &place;
    return 0;
}

static int remove_place(void **state)
{
    Place *place = *state;
    arena_free(place->arena);
    return files_remove_tree(place->directory) ? 0 : -1;
}

static char *contents(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static void assert_same_file(const char *a, const char *b)
{
    char *left = contents(a), *right = contents(b);
    assert_string_equal(left, right);
    free(left);
    free(right);
}

/* Replaces the first `from` in a file by `to`. */
static void edit(const char *path, const char *from, const char *to)
{
    char *text = contents(path), *at = strstr(text, from);
    assert_non_null(at);
    FILE *file = fopen(path, "wb");
    fprintf(file, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    fclose(file);
    free(text);
}

static void signature_survives_its_file(void **state)
{
    Place *place = *state;
    Err err = {0};
    Signature signature = example_signature(), *loaded;
    assert_true(signature_save(&signature, place->a, &err));
    assert_true(signature_load(place->a, place->arena, &loaded, &err));
    assert_true(signature_save(loaded, place->b, &err));
    assert_same_file(place->a, place->b);
    assert_int_equal(loaded->phases[1].n_events, 2);
    assert_true(loaded->phases[1].events[1].type == comm_type_collective(COLLECTIVE_ALLREDUCE, 0, NO_ROOT));
    assert_near(loaded->milestones[2].phase_time_s[1], 1.625, 1e-9);
}

static void times_survive_their_file(void **state)
{
    Place *place = *state;
    Err err = {0};
    PhaseTimes times = example_times(), *loaded;
    assert_true(times_save(&times, place->a, &err));
    assert_true(times_load(place->a, place->arena, &loaded, &err));
    assert_true(times_save(loaded, place->b, &err));
    assert_same_file(place->a, place->b);
}

static void broken_signatures_are_refused_with_their_place(void **state)
{
    Place *place = *state;
    static const struct {
        const char *from, *to, *said;
    } cases[] = {
        {"\"version\": 2", "\"version\": 99", "version 99"},
        {"firma signature", "firma machine", "firma machine"},
        {"\"weight\": 10", "\"weight\": -10", "phases[0].weight"},
        {"0:+1:800", "0:+1", "events[0]"},
        {"0:+1:800", "5:+1:800", "events[0]"},
        {"allreduce", "allreduced", "phases[1].events"},
        {"\"processes\": 2", "\"processes\": 3", "expected 3 items"},
        {"\"processes\": 2", "\"processes\": 0", "at least one process"},
        {"\"id\": 2", "\"id\": 1", "ids must ascend"},
        {"\"occurrence\": 20", "\"occurrence\": 3", "must not go back"},
        {"\"coverage\"", "\"covered\"", "coverage"},
        {"\"period\": 4", "\"period\": 0", "strata[2].ranges[0]"},
        {"\"count\": 4", "\"count\": 6", "strata[0].count"},
        {"{", "{,", ":1:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err err = {0};
        Signature signature = example_signature(), *loaded = NULL;
        assert_true(signature_save(&signature, place->a, &err));
        edit(place->a, cases[i].from, cases[i].to);
        assert_false(signature_load(place->a, place->arena, &loaded, &err));
        assert_int_equal(err.kind, ERR_INPUT);
        assert_non_null(strstr(err.message, place->a));
        assert_non_null(strstr(err.message, cases[i].said));
        assert_null(loaded);
    }
}

static void absent_file_is_named(void **state)
{
    Place *place = *state;
    Err err = {0};
    Signature *signature;
    assert_false(signature_load(place->b, place->arena, &signature, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_non_null(strstr(err.message, place->b));
}

static void links_and_devices_stay_what_they_are(void **state)
{
    Place *place = *state;
    Signature signature = example_signature();
    Err err = {0};
    struct stat status;
    FILE *file = fopen(place->a, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(symlink(place->a, place->b), 0);
    assert_true(signature_save(&signature, place->b, &err));
    assert_int_equal(lstat(place->b, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_same_file(place->a, place->b);
    assert_int_equal(unlink(place->a), 0); /* now the link leads nowhere */
    assert_true(signature_save(&signature, place->b, &err));
    assert_int_equal(lstat(place->a, &status), 0);
    assert_int_equal(unlink(place->b), 0);
    assert_int_equal(symlink("/dev/null", place->b), 0);
    assert_true(signature_save(&signature, place->b, &err));
    assert_int_equal(stat(place->b, &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(unlink(place->b), 0);
}

static void a_path_is_within_what_it_would_overwrite(void **state)
{
    Place *place = *state;
    char inside[128], through[160];
    assert_int_equal(mkdir(place->a, 0777), 0);
    snprintf(inside, sizeof inside, "%s/new", place->a);
    snprintf(through, sizeof through, "%s/../a/./new", place->a);
    assert_true(files_is_within(inside, place->a));
    assert_true(files_is_within(through, inside));
    assert_false(files_is_within(place->a, inside));
    assert_false(files_is_within(place->b, place->a));
    snprintf(through, sizeof through, "%s-too", place->a);
    assert_false(files_is_within(through, place->a));
}

static void communication_types_survive_their_text(void **state)
{
    (void)state;
    const CommType types[] = {comm_type_message(TYPE_SEND, 0),
                              comm_type_message(TYPE_RECV, 0),
                              comm_type_message(TYPE_SEND, 4095),
                              comm_type_message(TYPE_ONE_SIDED, 7),
                              comm_type_collective(COLLECTIVE_BCAST, 0, 0),
                              comm_type_collective(COLLECTIVE_BARRIER, 3, NO_ROOT),
                              comm_type_collective(COLLECTIVE_GATHERV, 12, 5)};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char text[64];
        CommType parsed;
        comm_type_format(types[i], text);
        assert_true(comm_type_parse(text, &parsed));
        assert_true(parsed == types[i]);
    }
    CommType parsed;
    for (const char *const *bad =
             (const char *const[]){"", "+", "+x", "5", "bcast<", "bcast<1x", "bcast@", "put>", NULL};
         *bad; bad++)
        assert_false(comm_type_parse(*bad, &parsed));
}

static void difference_of_applications_names_what_differs(void **state)
{
    Place *place = *state;
    Signature signature = example_signature();
    Application other = signature.application;
    const char *text;
    assert_int_equal(application_compare(&signature.application, &other, place->arena, &text), APPLICATION_SAME);
    other.executable = "/elsewhere/app";
    other.build_id = "1234";
    assert_int_equal(application_compare(&signature.application, &other, place->arena, &text), APPLICATION_REBUILT);
    other.n_processes = 4;
    assert_int_equal(application_compare(&signature.application, &other, place->arena, &text), APPLICATION_OTHER);
    assert_non_null(strstr(text, "4 processes, not 2"));
    other = signature.application;
    other.n_arguments = 2;
    assert_int_equal(application_compare(&signature.application, &other, place->arena, &text), APPLICATION_OTHER);
    assert_non_null(strstr(text, "`-n 100`"));
    other.n_arguments = 0;
    assert_int_equal(application_compare(&signature.application, &other, place->arena, &text), APPLICATION_OTHER);
    assert_non_null(strstr(text, "arguments none, not `"));
}

static void arguments_that_were_cut_off_are_never_the_same(void **state)
{
    Place *place = *state;
    Signature signature = example_signature(), *loaded;
    Err err = {0};
    const char *text;
    signature.application.arguments_truncated = true;
    assert_true(signature_save(&signature, place->a, &err));
    assert_true(signature_load(place->a, place->arena, &loaded, &err));
    assert_int_equal(application_compare(&loaded->application, &signature.application, place->arena, &text),
                     APPLICATION_REBUILT);
    assert_non_null(strstr(text, "arguments"));
}

static void folded_sequence_expands(void **state)
{
    (void)state;
    Signature signature = example_signature();
    uint32_t ids[30] = {0};
    assert_int_equal(signature_expand(&signature, 5, ids), 5);
    assert_int_equal(ids[4], 1);
    assert_int_equal(ids[3], 2);
    assert_int_equal(signature_expand(&signature, 30, ids), 20);
}

static void progression_is_linear_between_milestones(void **state)
{
    (void)state;
    Signature signature = example_signature();
    assert_near(signature_time_s(&signature, 15), 1.5, 1e-12);
    assert_near(signature_phase_weight(&signature, 0, 5), 2.5, 1e-12);
    assert_near(signature_phase_time_s(&signature, 1, 20), 1.625, 1e-12);
    assert_near(signature_time_s(&signature, 99), 2.0, 1e-12);
}

static Lifetime lifetime_of(const Event *events, size_t count)
{
    Lifetime lifetime = {0};
    for (size_t i = 0; i < count; i++)
        lifetime_add(&lifetime, &events[i]);
    return lifetime;
}

static void a_process_lives_from_init_to_finalize(void **state)
{
    (void)state;
    const Event events[] = {{.kind = EVENT_BEGIN, .enter_ns = 1, .leave_ns = 10},
                            {.kind = EVENT_SEND, .enter_ns = 20, .leave_ns = 90},
                            {.kind = EVENT_END, .enter_ns = 50, .leave_ns = 60}};
    Lifetime whole = lifetime_of(events, 3);
    assert_int_equal(whole.begin_ns, 10);
    assert_int_equal(whole.end_ns, 50);
    assert_true(whole.finished);
}

static void a_process_that_was_cut_off_lives_until_its_last_return(void **state)
{
    (void)state;
    const Event events[] = {{.kind = EVENT_RECV, .enter_ns = 10, .leave_ns = 90},
                            {.kind = EVENT_SEND, .enter_ns = 20, .leave_ns = 30}}; /* of another thread */
    Lifetime cut = lifetime_of(events, 2);
    assert_int_equal(cut.begin_ns, 10);
    assert_int_equal(cut.end_ns, 90);
    assert_false(cut.finished);
    assert_int_equal(lifetime_ns(&cut), 80);
}

int main(void)
{
#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)
    const struct CMUnitTest tests[] = {
        IN_PLACE(signature_survives_its_file),
        IN_PLACE(times_survive_their_file),
        IN_PLACE(broken_signatures_are_refused_with_their_place),
        IN_PLACE(absent_file_is_named),
        IN_PLACE(links_and_devices_stay_what_they_are),
        IN_PLACE(a_path_is_within_what_it_would_overwrite),
        cmocka_unit_test(communication_types_survive_their_text),
        IN_PLACE(difference_of_applications_names_what_differs),
        IN_PLACE(arguments_that_were_cut_off_are_never_the_same),
        cmocka_unit_test(folded_sequence_expands),
        cmocka_unit_test(a_process_lives_from_init_to_finalize),
        cmocka_unit_test(a_process_that_was_cut_off_lives_until_its_last_return),
        cmocka_unit_test(progression_is_linear_between_milestones),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
