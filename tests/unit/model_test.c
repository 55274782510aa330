/* SPDX-License-Identifier: BSD-3-Clause */
/* The data types of src/model, and their files. */
#include "base/sha256.h"
#include "base/text.h"
#include "model/application.h"
#include "model/lifetime.h"
#include "unit/example_signature.h"
#include "unit/fixture.h"
#include "unit/near.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    Err err = {0};
    Signature signature = example_signature(), *loaded;
    assert_true(signature_save(&signature, in_folder("a"), &err));
    assert_true(signature_load(in_folder("a"), arena, &loaded, &err));
    assert_true(signature_save(loaded, in_folder("b"), &err));
    assert_same_file(in_folder("a"), in_folder("b"));
    assert_int_equal(loaded->phases[1].n_events, 2);
    assert_true(loaded->phases[1].events[1].type == comm_type_collective(COLLECTIVE_ALLREDUCE, 0, NO_ROOT));
    assert_near(loaded->milestones[2].phase_time_s[1], 1.625, 1e-9);
}

static void times_survive_their_file(void **state)
{
    Err err = {0};
    PhaseTimes times = example_times(), *loaded;
    assert_true(times_save(&times, in_folder("a"), &err));
    assert_true(times_load(in_folder("a"), arena, &loaded, &err));
    assert_true(times_save(loaded, in_folder("b"), &err));
    assert_same_file(in_folder("a"), in_folder("b"));
}

static void broken_signatures_are_refused_with_their_place(void **state)
{
    static const struct {
        const char *from, *to, *said;
    } cases[] = {
        {"\"version\": 3", "\"version\": 99", "version 99"},
        {"\"version\": 3", "\"version\": 2", "too old"},
        {"firma signature", "firma machine", "firma machine"},
        {"\"weight\": 10", "\"weight\": -10", "phases[0].weight"},
        {"0:+1:800", "0:+1", "events[0]"},
        {"0:+1:800", "5:+1:800", "events[0]"},
        {"allreduce", "allreduced", "phases[1].events"},
        {"\"processes\": 2", "\"processes\": 3", "expected 3 items"},
        {"\"processes\": 2", "\"processes\": 0", "at least one process"},
        {"\"id\": 2", "\"id\": 1", "must be larger than in the phase before"},
        {"\"occurrence\": 20", "\"occurrence\": 3", "must not lie before the previous milestone"},
        {"\"coverage\"", "\"covered\"", "coverage"},
        {"\"period\": 4", "\"period\": 0", "strata[2].ranges[0]"},
        {"\"count\": 4", "\"count\": 6", "strata[0].count"},
        {"\"version\": 3", "\"version\": 0", "version: 0"},
        {"\"path_s\": 0.3", "\"path_s\": 0.5", "phases[1].strata[0].path_s"},
        {"\"phase\": 2", "\"phase\": 2, \"body\": []", "sequence.body[1]"},
        {"{", "{,", ":1:"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err err = {0};
        Signature signature = example_signature(), *loaded = NULL;
        assert_true(signature_save(&signature, in_folder("a"), &err));
        edit(in_folder("a"), cases[i].from, cases[i].to);
        assert_false(signature_load(in_folder("a"), arena, &loaded, &err));
        assert_error(err, ERR_INPUT, in_folder("a"));
        assert_non_null(strstr(err.message, cases[i].said));
        assert_null(loaded);
    }
}

static void impossible_numbers_of_processors_are_refused(void **state)
{
    static const double impossible[] = {-1, 1e308};
    for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
        Err err = {0};
        PhaseTimes times = example_times(), *loaded_times;
        times.busy_processors = impossible[i];
        assert_true(times_save(&times, in_folder("a"), &err));
        assert_false(times_load(in_folder("a"), arena, &loaded_times, &err));
        assert_non_null(strstr(err.message, "busy_processors"));
        times.busy_processors = 0;
        times.ranks_per_processor = impossible[i];
        assert_true(times_save(&times, in_folder("a"), &err));
        assert_false(times_load(in_folder("a"), arena, &loaded_times, &err));
        assert_non_null(strstr(err.message, "ranks_per_processor"));
        Signature signature = example_signature(), *loaded;
        signature.ranks_per_processor = impossible[i];
        assert_true(signature_save(&signature, in_folder("a"), &err));
        assert_false(signature_load(in_folder("a"), arena, &loaded, &err));
        assert_non_null(strstr(err.message, "ranks_per_processor"));
    }
}

static void phase_times_of_no_known_mode_or_version_are_refused(void **state)
{
    static const char *const cases[][3] = {{"\"mode\": \"prefix\"", "\"mode\": \"foo\"", "mode: expected `prefix`"},
                                           {"\"version\": 1", "\"version\": 0", "version: 0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err err = {0};
        PhaseTimes times = example_times(), *loaded;
        assert_true(times_save(&times, in_folder("a"), &err));
        edit(in_folder("a"), cases[i][0], cases[i][1]);
        assert_false(times_load(in_folder("a"), arena, &loaded, &err));
        assert_error(err, ERR_INPUT, in_folder("a"));
        assert_non_null(strstr(err.message, cases[i][2]));
    }
}

static void times_that_no_clock_tells_are_refused(void **state)
{
    static const double times[] = {-1, 1e-300, 1e300};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        Err err = {0};
        PhaseTimes saved = example_times(), *loaded;
        Window window = {.from_occurrence = 1, .to_occurrence = 2, .elapsed_s = 1, .reference_s = times[i]};
        saved.windows = &window;
        saved.n_windows = 1;
        assert_true(times_save(&saved, in_folder("a"), &err));
        assert_false(times_load(in_folder("a"), arena, &loaded, &err));
        assert_non_null(strstr(err.message, "windows[0].reference_s: expected a time in seconds"));
    }
}

static void absent_file_is_named(void **state)
{
    Err err = {0};
    Signature *signature;
    assert_false(signature_load(in_folder("b"), arena, &signature, &err));
    assert_error(err, ERR_INPUT, in_folder("b"));
}

static void links_and_devices_stay_what_they_are(void **state)
{
    Signature signature = example_signature();
    Err err = {0};
    struct stat status;
    FILE *file = fopen(in_folder("a"), "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(symlink(in_folder("a"), in_folder("b")), 0);
    assert_true(signature_save(&signature, in_folder("b"), &err));
    assert_int_equal(lstat(in_folder("b"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_same_file(in_folder("a"), in_folder("b"));
    assert_int_equal(unlink(in_folder("a")), 0); /* now the link's target doesn't exist */
    assert_true(signature_save(&signature, in_folder("b"), &err));
    assert_int_equal(lstat(in_folder("a"), &status), 0);
    assert_int_equal(unlink(in_folder("b")), 0);
    assert_int_equal(symlink("/dev/null", in_folder("b")), 0);
    assert_true(signature_save(&signature, in_folder("b"), &err));
    assert_int_equal(stat(in_folder("b"), &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    assert_int_equal(unlink(in_folder("b")), 0);
}

static void a_path_is_within_what_it_would_overwrite(void **state)
{
    char inside[128], through[160];
    assert_int_equal(mkdir(in_folder("a"), 0777), 0);
    snprintf(inside, sizeof inside, "%s/new", in_folder("a"));
    snprintf(through, sizeof through, "%s/../a/./new", in_folder("a"));
    assert_true(files_is_within(inside, in_folder("a")));
    assert_true(files_is_within(through, inside));
    assert_false(files_is_within(in_folder("a"), inside));
    assert_false(files_is_within(in_folder("b"), in_folder("a")));
    snprintf(through, sizeof through, "%s-too", in_folder("a"));
    assert_false(files_is_within(through, in_folder("a")));
}

static void communication_types_survive_their_text(void **state)
{
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
    Signature signature = example_signature();
    Application other = signature.application;
    const char *text;
    assert_int_equal(application_compare(&signature.application, &other, arena, &text), APPLICATION_SAME);
    other.executable = "/elsewhere/app";
    other.build_id = "1234";
    assert_int_equal(application_compare(&signature.application, &other, arena, &text), APPLICATION_REBUILT);
    other.n_processes = 4;
    assert_int_equal(application_compare(&signature.application, &other, arena, &text), APPLICATION_OTHER);
    assert_non_null(strstr(text, "4 processes, not 2"));
    other = signature.application;
    other.n_arguments = 2;
    assert_int_equal(application_compare(&signature.application, &other, arena, &text), APPLICATION_OTHER);
    assert_non_null(strstr(text, "`-n 100`"));
    other.n_arguments = 0;
    assert_int_equal(application_compare(&signature.application, &other, arena, &text), APPLICATION_OTHER);
    assert_non_null(strstr(text, "arguments none, not `"));
}

static void arguments_that_were_cut_off_are_never_the_same(void **state)
{
    Signature signature = example_signature(), *loaded;
    Err err = {0};
    const char *text;
    signature.application.arguments_truncated = true;
    assert_true(signature_save(&signature, in_folder("a"), &err));
    assert_true(signature_load(in_folder("a"), arena, &loaded, &err));
    assert_int_equal(application_compare(&loaded->application, &signature.application, arena, &text),
                     APPLICATION_REBUILT);
    assert_non_null(strstr(text, "arguments"));
}

static void folded_sequence_expands(void **state)
{
    Signature signature = example_signature();
    uint32_t ids[30] = {0};
    assert_int_equal(signature_expand(&signature, 5, ids), 5);
    assert_int_equal(ids[4], 1);
    assert_int_equal(ids[3], 2);
    assert_int_equal(signature_expand(&signature, 30, ids), 20);
}

static void progression_is_linear_between_milestones(void **state)
{
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
    const Event events[] = {{.kind = EVENT_RECV, .enter_ns = 10, .leave_ns = 90},
                            {.kind = EVENT_SEND, .enter_ns = 20, .leave_ns = 30}}; /* of another thread */
    Lifetime cut = lifetime_of(events, 2);
    assert_int_equal(cut.begin_ns, 10);
    assert_int_equal(cut.end_ns, 90);
    assert_false(cut.finished);
    assert_int_equal(lifetime_ns(&cut), 80);
}

static void a_digest_is_that_of_the_standard(void **state)
{
    static const char *const known[][2] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                                           {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                                           {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                                            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};
    uint8_t digest[SHA256_BYTES];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        sha256(known[i][0], strlen(known[i][0]), digest);
        assert_string_equal(text_hexadecimal(digest, sizeof digest, arena), known[i][1]);
    }
    char *many = arena_alloc(arena, 1000000);
    memset(many, 'a', 1000000);
    sha256(many, 1000000, digest);
    assert_string_equal(text_hexadecimal(digest, sizeof digest, arena),
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void hidden_arguments_are_recognised_and_not_shown(void **state)
{
    static const char *const secret[] = {"--password=hunter2", "10"}, *const other[] = {"--password=hunter3", "10"};
    const char *text, *salt, *another_salt;
    Err err;
    const Application plain = {
        .executable = "a", .build_id = "", .mpi_library = "", .n_processes = 2, .n_arguments = 2, .arguments = secret};
    Application hidden = plain, wrong = plain, apart = plain;
    wrong.arguments = other;
    assert_true(application_new_salt(arena, &salt, &err) && application_new_salt(arena, &another_salt, &err));
    application_hide_arguments(&hidden, salt, arena);
    application_hide_arguments(&apart, another_salt, arena);
    assert_string_equal(hidden.arguments[0], "…");
    assert_string_equal(application_salt(&hidden, arena), salt);
    assert_int_equal(application_compare(&hidden, &plain, arena, &text), APPLICATION_SAME);
    assert_int_equal(application_compare(&plain, &hidden, arena, &text), APPLICATION_SAME);
    assert_int_equal(application_compare(&hidden, &wrong, arena, &text), APPLICATION_OTHER);
    assert_string_equal(text, "other arguments, which are hidden");
    assert_int_equal(application_compare(&hidden, &apart, arena, &text), APPLICATION_REBUILT);
    application_hide_arguments(&wrong, salt, arena);
    assert_int_equal(application_compare(&hidden, &wrong, arena, &text), APPLICATION_OTHER);
    const Application copy = application_copy(&hidden, arena);
    assert_int_equal(application_compare(&copy, &plain, arena, &text), APPLICATION_SAME);
    static char *words[] = {"mpirun", "./app", "--password=hunter2", NULL};
    assert_string_equal(application_command(words, salt, arena), "mpirun …");
    assert_string_equal(application_command(words, NULL, arena), "mpirun ./app --password=hunter2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(signature_survives_its_file),
        fixture_test(a_digest_is_that_of_the_standard),
        fixture_test(hidden_arguments_are_recognised_and_not_shown),
        fixture_test(times_survive_their_file),
        fixture_test(broken_signatures_are_refused_with_their_place),
        fixture_test(impossible_numbers_of_processors_are_refused),
        fixture_test(phase_times_of_no_known_mode_or_version_are_refused),
        fixture_test(times_that_no_clock_tells_are_refused),
        fixture_test(absent_file_is_named),
        fixture_test(links_and_devices_stay_what_they_are),
        fixture_test(a_path_is_within_what_it_would_overwrite),
        cmocka_unit_test(communication_types_survive_their_text),
        fixture_test(difference_of_applications_names_what_differs),
        fixture_test(arguments_that_were_cut_off_are_never_the_same),
        cmocka_unit_test(folded_sequence_expands),
        cmocka_unit_test(a_process_lives_from_init_to_finalize),
        cmocka_unit_test(a_process_that_was_cut_off_lives_until_its_last_return),
        cmocka_unit_test(progression_is_linear_between_milestones),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
