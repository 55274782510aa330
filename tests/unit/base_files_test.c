/* SPDX-License-Identifier: BSD-3-Clause */
/* Files, and JSON documents in files. */
#include "base/json.h"
#include "base/lock.h"
#include "base/owner.h"
#include "unit/fixture.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *loaded(const char *path)
{
    Err err;
    const char *text;
    if (!files_load_text(path, arena, &text, &err))
        fail_msg("%s", err.message);
    return text;
}

static void a_saved_text_is_loaded_again(void **state)
{
    assert_string_equal(loaded(saved("text", "one\ntwo")), "one\ntwo");
    assert_string_equal(loaded(saved("text", "")), "");
}

/* Runs a function in a process of its own, which then ends. */
static void in_a_process_that_ends(void (*run)(void))
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        run();
        _exit(0);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
}

static void make_temporary(void)
{
    owner_make_temporary(folder, "firma-run", NULL, arena);
}

static void make_part(void)
{
    fclose(fopen(arena_printf(arena, "%s.%s" OWNER_PART, in_folder("text"), owner_name(arena)), "w"));
}

static void make_part_of_part(void)
{
    const char *part = arena_printf(arena, "%s.%s" OWNER_PART, in_folder("text"), owner_name(arena));
    fclose(fopen(arena_printf(arena, "%s.%s" OWNER_PART, part, owner_name(arena)), "w"));
}

static void a_temporary_directory_stays_only_while_its_process_runs(void **state)
{
    in_a_process_that_ends(make_temporary);
    assert_false(files_is_empty(folder));
    const char *second = owner_make_temporary(folder, "firma-run", NULL, arena);
    const char *third = owner_make_temporary(folder, "firma-run", NULL, arena);
    assert_true(files_exist(second) && files_exist(third));
    assert_true(files_remove_tree(second) && files_remove_tree(third));
    assert_true(files_is_empty(folder));
}

static void saving_removes_what_a_killed_process_left_beside(void **state)
{
    in_a_process_that_ends(make_part);
    in_a_process_that_ends(make_part_of_part);
    assert_false(files_is_empty(folder));
    saved("text", "whole");
    unlink(in_folder("text"));
    assert_true(files_is_empty(folder));
}

static void saving_leaves_no_other_file(void **state)
{
    saved("text", "first");
    saved("text", "second");
    unlink(in_folder("text"));
    assert_true(files_is_empty(folder));
}

static void a_save_that_fails_keeps_the_file_and_names_it(void **state)
{
    Err err = {0};
    const char *path = saved("file", "kept");
    assert_false(files_save_text(arena_printf(arena, "%s/below", path), "new", &err));
    assert_error(err, ERR_ENVIRONMENT, "file/below: ");
    assert_string_equal(loaded(path), "kept");
}

static void a_link_stays_and_its_target_is_replaced(void **state)
{
    const char *target = saved("target", "old"), *link = in_folder("link");
    struct stat status;
    assert_int_equal(symlink(target, link), 0);
    saved("link", "new");
    assert_true(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
    assert_string_equal(loaded(target), "new");
}

static void a_link_with_the_name_of_the_file_beside_it_is_not_followed(void **state)
{
    const char *victim = saved("victim", "kept");
    assert_int_equal(symlink(victim, in_folder(arena_printf(arena, "text.%s.part", owner_name(arena)))), 0);
    assert_string_equal(loaded(saved("text", "new")), "new");
    assert_string_equal(loaded(victim), "kept");
}

static void a_text_with_a_zero_byte_is_refused(void **state)
{
    Err err = {0};
    const char *text, *path = saved("binary", "ab?d");
    FILE *file = fopen(path, "r+b");
    fseek(file, 2, SEEK_SET);
    fputc(0, file);
    fclose(file);
    assert_false(files_load_text(path, arena, &text, &err));
    assert_error(err, ERR_INPUT, "offset 2");
}

static void a_tree_is_removed_and_what_links_lead_to_stays(void **state)
{
    const char *kept = saved("kept", "x");
    mkdir(in_folder("tree"), 0700);
    mkdir(in_folder("tree/below"), 0700);
    saved("tree/below/file", "x");
    assert_int_equal(symlink(folder, in_folder("tree/up")), 0);
    assert_true(files_remove_tree(in_folder("tree")));
    assert_false(files_exist(in_folder("tree")));
    assert_true(files_exist(kept));
}

static bool is_expected(const char *name)
{
    return strcmp(name, "a") == 0;
}

static void the_first_other_entry_of_a_folder_is_found_by_name(void **state)
{
    char other[NAME_MAX + 1] = "";
    saved("a", "");
    assert_false(files_find_other(folder, is_expected, other));
    saved("c", "");
    saved("b", "");
    assert_true(files_find_other(folder, is_expected, other));
    assert_string_equal(other, "b");
}

static void a_file_is_within_its_folder_and_itself_by_any_name(void **state)
{
    const char *file = saved("file", "");
    mkdir(in_folder("below"), 0700);
    assert_int_equal(symlink(folder, in_folder("below/up")), 0);
    assert_true(files_is_within(file, file));
    assert_true(files_is_within(file, folder));
    assert_true(files_is_within(in_folder("new"), folder));
    assert_true(files_is_within(in_folder("below/up/file"), file));
    assert_false(files_is_within(file, in_folder("below")));
    assert_false(files_is_within(in_folder("file2"), file));
}

static void names_are_taken_apart(void **state)
{
    assert_string_equal(files_base_name("/usr/bin/mpirun"), "mpirun");
    assert_string_equal(files_base_name("mpirun"), "mpirun");
    assert_true(files_has_suffix("run.recording", ".recording"));
    assert_false(files_has_suffix(".recording", ".recording"));
    assert_false(files_has_suffix("run", ".recording"));
}

static void a_folder_is_no_program_and_a_private_file_is_its_owners_alone(void **state)
{
    Err err;
    struct stat status;
    const char *path = saved("program", "");
    assert_false(files_is_executable(path));
    assert_int_equal(chmod(path, 0755), 0);
    assert_true(files_is_executable(path));
    assert_true(files_is_directory(folder) && !files_is_executable(folder));
    assert_true(files_make_private(path, &err));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 077, 0);
}

/* ---- JSON ---- */

static const Err *refusal(const char *text)
{
    json_t *root;
    Err *err = arena_alloc(arena, sizeof *err);
    assert_false(json_load_document(saved("document", text), "firma test", 2, &root, err));
    assert_int_equal(err->kind, ERR_INPUT);
    return err;
}

static void a_document_is_loaded_if_its_format_and_version_are_known(void **state)
{
    json_t *root;
    Err err;
    assert_true(json_load_document(saved("document", "{\"format\": \"firma test\", \"version\": 1}"), "firma test", 2,
                                   &root, &err));
    assert_true(json_has_format(root, "firma test") && !json_has_format(root, "firma"));
    json_decref(root);
    assert_non_null(strstr(refusal("{\"format\": \"firma other\", \"version\": 1}")->message, "firma other"));
    assert_non_null(strstr(refusal("{\"format\": \"firma test\", \"version\": 3}")->message, "3"));
}

static void what_is_no_json_is_refused_with_line_and_column(void **state)
{
    assert_non_null(strstr(refusal("{\"format\":\n  }")->message, "document:2:"));
    refusal("");
    refusal("[]");
}

static void a_saved_document_is_the_same_byte_for_byte(void **state)
{
    Err err;
    json_t *root = json_pack("{s:i, s:[f, f], s:s}", "b", 1, "a", 0.1, 1e300, "c", "x");
    assert_true(json_save_document(root, in_folder("one"), &err) && json_save_document(root, in_folder("two"), &err));
    assert_string_equal(loaded(in_folder("one")), loaded(in_folder("two")));
    char *text = json_text(root);
    assert_string_equal(loaded(in_folder("one")), text);
    assert_int_equal(text[strlen(text) - 1], '\n');
    free(text);
    json_decref(root);
}

static void wrong_members_are_named_with_their_place(void **state)
{
    static const char *const texts[] = {"{}", "{\"n\": -1}", "{\"n\": 11}", "{\"n\": \"1\"}", "{\"n\": 1.5}"};
    const JsonPlace place = json_place("app.firma", "phases[%d]", 3);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *object = json_loads(texts[i], 0, NULL);
        uint64_t value = 77;
        Err err = {0};
        assert_false(json_get_uint(object, "n", &place, 10, &value, &err));
        assert_error(err, ERR_INPUT, "app.firma: phases[3]");
        assert_int_equal(value, 77);
        json_decref(object);
    }
}

static void times_are_not_negative_and_lists_have_the_length_that_is_expected(void **state)
{
    const JsonPlace place = json_place("f", "%s", "");
    json_t *object = json_loads("{\"good\": [0, 1.5], \"bad\": [0, -1], \"t\": -1}", 0, NULL);
    double values[2], time_s;
    Err err;
    assert_true(json_get_seconds_list(object, "good", &place, 2, values, &err));
    assert_true(values[0] == 0 && values[1] == 1.5);
    assert_false(json_get_seconds_list(object, "good", &place, 3, values, &err));
    assert_false(json_get_seconds_list(object, "bad", &place, 2, values, &err));
    assert_false(json_get_seconds(object, "t", &place, &time_s, &err));
    json_decref(object);
}

static void assert_survives_json(const char *text, const char *in_json)
{
    json_t *value = json_from_text(text);
    assert_string_equal(json_string_value(value), in_json);
    assert_string_equal(json_to_text(value, arena), text);
    json_decref(value);
}

static void texts_of_any_bytes_survive_json(void **state)
{
    assert_survives_json("", "");
    assert_survives_json("caf\xc3\xa9.c", "caf\xc3\xa9.c");
    assert_survives_json("caf\xe9.c", "caf\\xe9.c");
    assert_survives_json("\xff\xfe", "\\xff\\xfe");
    assert_survives_json("caf\\xe9.c", "caf\\\\xe9.c");
    assert_survives_json("a\\b\\", "a\\\\b\\\\");
    assert_survives_json("\xc0\x80", "\\xc0\\x80");                   /* an overlong form */
    assert_survives_json("\xed\xa0\x80", "\\xed\\xa0\\x80");          /* a surrogate */
    assert_survives_json("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"); /* beyond U+10FFFF */
    assert_survives_json("\xe2\x82", "\\xe2\\x82");                   /* cut off */
    assert_survives_json("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80");
}

static void every_text_of_two_bytes_survives_json(void **state)
{
    for (int first = 1; first < 256; first++)
        for (int second = 1; second < 256; second++) {
            const char text[] = {(char)first, (char)second, '\0'};
            json_t *value = json_from_text(text);
            assert_string_equal(json_to_text(value, arena), text);
            json_decref(value);
        }
}

static void a_backslash_that_firma_would_not_write_stays_as_it_is(void **state)
{
    static const char *const texts[] = {"a\\b", "\\", "\\x", "\\x41", "\\xe", "\\xeg", "\\x00"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *value = json_string(texts[i]);
        assert_string_equal(json_to_text(value, arena), texts[i]);
        json_decref(value);
    }
    assert_null(json_to_text(NULL, arena));
}

static mode_t mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 0777;
}

static void only_the_owner_may_read_what_is_private(void **state)
{
    Err err;
    int exit_status;
    pid_t child = fork();
    if (child == 0) {
        umask(022);
        files_keep_private();
        const char *secret = in_folder("secret"), *picture = in_folder("picture"), *log = in_folder("log");
        const FileText texts[] = {{.path = secret, .text = "s", .is_private = true}, {.path = picture, .text = "p"}};
        bool ok = files_save_texts(texts, 2, &err) && mode_of(secret) == 0600 && mode_of(picture) == 0644;
        fclose(fopen(log, "w"));
        ok = ok && mode_of(log) == 0600 && files_make_directory(in_folder("open"), false) &&
             mode_of(in_folder("open")) == 0755 && files_user_umask() == 022;
        ok = ok && chmod(secret, 0640) == 0 && files_save_texts(texts, 2, &err) && mode_of(secret) == 0640;
        _exit(ok ? 0 : 1);
    }
    assert_true(waitpid(child, &exit_status, 0) == child && exit_status == 0);
}

static void all_texts_are_saved_or_none(void **state)
{
    Err err;
    struct stat status;
    const char *kept = saved("kept", "old"), *program = in_folder("program");
    const FileText wrong[] = {{.path = kept, .text = "new"}, {.path = in_folder("no/file"), .text = "new"}};
    const FileText right[] = {{.path = kept, .text = "new"},
                              {.path = program, .text = "#!/bin/sh\n", .is_program = true}};
    assert_false(files_save_texts(wrong, 2, &err));
    assert_string_equal(loaded(kept), "old");
    assert_true(files_save_texts(right, 2, &err));
    assert_string_equal(loaded(kept), "new");
    assert_true(stat(program, &status) == 0 && (status.st_mode & 0111) == 0111);
    unlink(kept);
    unlink(program);
    assert_true(files_is_empty(folder));
}

static void only_regular_files_and_the_shells_pipes_are_inputs(void **state)
{
    Err err;
    int ends[2];
    const char *pipe_path = in_folder("pipe");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_int_equal(pipe(ends), 0);
    assert_true(files_check_input(saved("file", ""), &err));
    assert_true(files_check_input(arena_printf(arena, "/dev/fd/%d", ends[0]), &err));
    assert_false(files_check_input(pipe_path, &err));
    assert_error(err, ERR_INPUT, "not a regular file, but a named pipe");
    assert_false(files_check_input("/dev/zero", &err));
    assert_false(files_check_input(in_folder("no"), &err));
    assert_int_equal(err.kind, ERR_INPUT);
    close(ends[0]);
    close(ends[1]);
}

static void a_lock_names_its_holder_and_is_free_when_the_holder_has_ended(void **state)
{
    Lock *lock, *other;
    LockHolder holder;
    char byte;
    int status, taken[2], end[2];
    const char *path = in_folder("lock");
    assert_true(pipe(taken) == 0 && pipe(end) == 0);
    pid_t child = fork();
    if (child == 0) {
        bool is_taken = lock_try(path, "firma a\nb", arena, &lock, &holder) == LOCK_TAKEN;
        _exit(write(taken[1], "t", 1) == 1 && read(end[0], &byte, 1) == 1 && is_taken ? 0 : 1);
    }
    assert_int_equal(read(taken[0], &byte, 1), 1);
    assert_int_equal(lock_try(path, "firma c", arena, &lock, &holder), LOCK_HELD);
    assert_int_equal(holder.pid, child);
    assert_non_null(strstr(holder.text, ": firma a"));
    assert_null(strchr(holder.text, '\n'));
    assert_int_equal(write(end[1], "e", 1), 1);
    assert_int_equal(lock_wait(path, "firma d", arena, &lock), LOCK_TAKEN);
    assert_true(waitpid(child, &status, 0) == child && status == 0);
    assert_int_equal(lock_try(path, "firma e", arena, &other, &holder), LOCK_HELD);
    lock_release(lock);
    assert_false(files_exist(path));
    assert_int_equal(symlink("elsewhere", path), 0);
    assert_int_equal(lock_try(path, "firma f", arena, &other, &holder), LOCK_IMPOSSIBLE);
    assert_false(files_exist(in_folder("elsewhere")));
    for (int i = 0; i < 2; i++) {
        close(taken[i]);
        close(end[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(all_texts_are_saved_or_none),
        fixture_test(only_the_owner_may_read_what_is_private),
        fixture_test(only_regular_files_and_the_shells_pipes_are_inputs),
        fixture_test(a_lock_names_its_holder_and_is_free_when_the_holder_has_ended),
        fixture_test(a_saved_text_is_loaded_again),
        fixture_test(saving_leaves_no_other_file),
        fixture_test(a_save_that_fails_keeps_the_file_and_names_it),
        fixture_test(a_link_stays_and_its_target_is_replaced),
        fixture_test(a_link_with_the_name_of_the_file_beside_it_is_not_followed),
        fixture_test(a_text_with_a_zero_byte_is_refused),
        fixture_test(a_tree_is_removed_and_what_links_lead_to_stays),
        fixture_test(the_first_other_entry_of_a_folder_is_found_by_name),
        fixture_test(a_file_is_within_its_folder_and_itself_by_any_name),
        fixture_test(names_are_taken_apart),
        fixture_test(a_folder_is_no_program_and_a_private_file_is_its_owners_alone),
        fixture_test(a_document_is_loaded_if_its_format_and_version_are_known),
        fixture_test(what_is_no_json_is_refused_with_line_and_column),
        fixture_test(a_saved_document_is_the_same_byte_for_byte),
        fixture_test(wrong_members_are_named_with_their_place),
        fixture_test(times_are_not_negative_and_lists_have_the_length_that_is_expected),
        fixture_test(texts_of_any_bytes_survive_json),
        fixture_test(a_temporary_directory_stays_only_while_its_process_runs),
        fixture_test(saving_removes_what_a_killed_process_left_beside),
        fixture_test(every_text_of_two_bytes_survives_json),
        fixture_test(a_backslash_that_firma_would_not_write_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
