/* SPDX-License-Identifier: BSD-3-Clause */
/* Running child processes, with shell commands as programs. */
#include "base/process.h"

#include "base/monotonic.h"
#include "base/words.h"
#include "unit/fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONG_MS = 60000 };

/* Options for `sh -c script`, with output through a pipe. */
static ProcessOptions shell(const char *script)
{
    const char **words = arena_new_array(arena, const char *, 4);
    words[0] = "sh";
    words[1] = "-c";
    words[2] = script;
    return (ProcessOptions){.words = words, .output = PROCESS_PIPE};
}

static Process *start(const ProcessOptions *options)
{
    Process *process = NULL;
    Err err = {0};
    if (!process_start(options, arena, &process, &err))
        fail_msg("%s", err.message);
    return process;
}

static const char *printed_by(const ProcessOptions *options)
{
    char *text = NULL;
    int status;
    assert_true(process_capture(options, LONG_MS, arena, &text, &status));
    assert_int_equal(status, 0);
    return text;
}

static const char *text_of_file(const char *path)
{
    const char *text = NULL;
    Err err = {0};
    if (!files_load_text(path, arena, &text, &err))
        fail_msg("%s", err.message);
    return text;
}

static void make_program(const char *path, const char *script)
{
    Err err = {0};
    assert_true(files_save_text(path, arena_printf(arena, "#!/bin/sh\n%s\n", script), &err));
    assert_int_equal(chmod(path, 0700), 0);
}

/* Waits until the process has gone. A zombie of another parent counts as gone. */
static bool goes(pid_t id)
{
    for (int i = 0; i < 2000; i++) {
        char letter = 'X';
        FILE *file = fopen(arena_printf(arena, "/proc/%d/stat", (int)id), "r");
        if (file && fscanf(file, "%*d (%*[^)]) %c", &letter) != 1)
            letter = 'X';
        if (file)
            fclose(file);
        if (letter == 'X' || letter == 'Z')
            return true;
        usleep(5000);
    }
    return false;
}

/* ---- starting ---- */

static void a_program_that_is_not_there_is_an_error_with_its_name(void **state)
{
    const char *const words[] = {"no-such-program", NULL};
    Process *process;
    Err err = {0};
    assert_false(process_start(&(ProcessOptions){.words = words}, arena, &process, &err));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(err.kind, ERR_ENVIRONMENT);
    assert_string_equal(err.message, "no-such-program: cannot be started: No such file or directory");
}

static void a_file_that_may_not_be_executed_is_an_error(void **state)
{
    const char *path = in_folder("file"), *const words[] = {path, NULL};
    Process *process;
    Err err = {0};
    assert_true(files_save_text(path, "#!/bin/sh\n", &err));
    assert_false(process_start(&(ProcessOptions){.words = words}, arena, &process, &err));
    assert_int_equal(errno, EACCES);
}

static void a_programs_own_127_is_a_status(void **state)
{
    ProcessOptions how = shell("exit 127");
    int status = 0;
    Err err = {0};
    assert_true(process_run(&how, LONG_MS, arena, &status, &err));
    assert_int_equal(status, 127);
}

static void a_failed_start_leaves_no_child_and_no_open_file(void **state)
{
    const char *const words[] = {"no-such-program", NULL};
    Process *process;
    Err err = {0};
    int before = dup(0), after;
    close(before);
    assert_false(process_start(&(ProcessOptions){.words = words, .output = PROCESS_PIPE}, arena, &process, &err));
    after = dup(0);
    close(after);
    assert_int_equal(after, before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void an_output_file_that_cannot_be_opened_is_named(void **state)
{
    ProcessOptions how = shell("true");
    Process *process;
    Err err = {0};
    how.output_file = in_folder("none/output");
    assert_false(process_start(&how, arena, &process, &err));
    assert_string_equal(err.message, arena_printf(arena, "%s: No such file or directory", how.output_file));
}

static void words_of_the_environment_are_added_and_replaced(void **state)
{
    ProcessOptions how = shell("echo $FIRST $SECOND");
    setenv("FIRST", "ours", 1);
    setenv("SECOND", "ours", 1);
    how.environment = (const char *const[]){"SECOND=its", NULL};
    assert_string_equal(printed_by(&how), "ours its\n");
    assert_string_equal(getenv("SECOND"), "ours");
}

static void a_program_has_no_input_unless_it_is_given_one(void **state)
{
    ProcessOptions how = shell("cat; echo end");
    assert_string_equal(printed_by(&how), "end\n");
    how.input_text = "one\ntwo\n";
    assert_string_equal(printed_by(&how), "one\ntwo\nend\n");
}

static void an_output_file_is_emptied_or_appended_to(void **state)
{
    ProcessOptions how = shell("echo out; echo err >&2");
    int status;
    Err err = {0};
    how.output_file = in_folder("output");
    assert_true(process_run(&how, LONG_MS, arena, &status, &err));
    assert_true(process_run(&how, LONG_MS, arena, &status, &err));
    assert_string_equal(text_of_file(how.output_file), "out\nerr\n");
    how.appends = true;
    assert_true(process_run(&how, LONG_MS, arena, &status, &err));
    assert_string_equal(text_of_file(how.output_file), "out\nerr\nout\nerr\n");
}

static void our_open_files_are_closed_in_the_program_unless_it_keeps_them(void **state)
{
    int file = open(in_folder("file"), O_RDWR | O_CREAT, 0600);
    ProcessOptions how = shell(arena_printf(arena, "[ -e /proc/self/fd/%d ] && echo open || echo closed", file));
    assert_string_equal(printed_by(&how), "closed\n");
    how.keeps_files = true;
    assert_string_equal(printed_by(&how), "open\n");
    close(file);
}

static void what_a_private_program_writes_is_its_users_alone(void **state)
{
    struct stat file;
    int status;
    Err err = {0};
    ProcessOptions how = shell(arena_printf(arena, "echo > %s", in_folder("made")));
    how.output_file = in_folder("output");
    how.is_private = true;
    assert_true(process_run(&how, LONG_MS, arena, &status, &err));
    assert_int_equal(stat(in_folder("made"), &file), 0);
    assert_int_equal(file.st_mode & 0777, 0600);
    assert_int_equal(stat(in_folder("output"), &file), 0);
    assert_int_equal(file.st_mode & 0777, 0600);
}

static void a_program_dumps_no_core_if_that_is_asked(void **state)
{
    char *text;
    int status;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_CORE, &before), 0);
    ProcessOptions how = shell("ulimit -Sc; ulimit -Hc");
    const struct rlimit now = {before.rlim_max, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_CORE, &now), 0);
    assert_true(process_capture(&how, LONG_MS, arena, &text, &status));
    const char *hard = arena_strdup(arena, strchr(text, '\n') + 1);
    how.dumps_no_core = true;
    assert_true(process_capture(&how, LONG_MS, arena, &text, &status));
    assert_string_equal(text, arena_printf(arena, "0\n%s", hard));
    assert_int_equal(setrlimit(RLIMIT_CORE, &before), 0);
}

static void signals_that_we_hold_back_reach_the_program(void **state)
{
    sigset_t held, before;
    ProcessOptions how = shell("kill -TERM $$; echo still here");
    sigemptyset(&held);
    sigaddset(&held, SIGTERM);
    sigprocmask(SIG_BLOCK, &held, &before);
    Process *process = start(&how);
    assert_int_equal(process_wait(process, LONG_MS), true);
    assert_int_equal(process_signal(process), SIGTERM);
    assert_int_equal(process_stop(process), 128 + SIGTERM);
    how.blocked = &held;
    assert_string_equal(printed_by(&how), "still here\n");
    sigprocmask(SIG_SETMASK, &before, NULL);
}

static int answer(void *self)
{
    return *(int *)self;
}

static void a_function_of_ours_runs_as_a_process(void **state)
{
    int value = 42;
    Process *process = start(&(ProcessOptions){.run = answer, .self = &value});
    assert_true(process_wait(process, LONG_MS));
    assert_int_equal(process_status(process), 42);
    assert_int_equal(process_signal(process), 0);
}

static void a_status_names_its_signal(void **state)
{
    assert_string_equal(process_status_text(3, *state), "3");
    assert_string_equal(process_status_text(128 + SIGSEGV, *state), "139 (SIGSEGV)");
    assert_string_equal(process_status_text(255, *state), "255");
}

/* ---- reading ---- */

static void lines_come_one_by_one_and_the_last_needs_no_end(void **state)
{
    ProcessOptions how = shell("echo one; echo two >&2; printf three");
    Process *process = start(&how);
    const char *line;
    assert_int_equal(process_read(process, LONG_MS, &line), PROCESS_LINE);
    assert_string_equal(line, "one");
    assert_int_equal(process_read(process, LONG_MS, &line), PROCESS_LINE);
    assert_string_equal(line, "two");
    assert_int_equal(process_read(process, LONG_MS, &line), PROCESS_LINE);
    assert_string_equal(line, "three");
    assert_int_equal(process_read(process, LONG_MS, &line), PROCESS_ENDED);
    assert_int_equal(process_stop(process), 0);
}

static void a_silent_program_is_quiet_and_not_ended(void **state)
{
    ProcessOptions how = shell("exec sleep 60");
    Process *process = start(&how);
    const char *line;
    assert_int_equal(process_read(process, 20, &line), PROCESS_QUIET);
    assert_int_equal(process_stop(process), 128 + SIGTERM);
}

static void who_holds_the_output_after_the_programs_end_is_not_waited_for(void **state)
{
    ProcessOptions how = shell("echo said; sleep 60 &");
    Process *process = start(&how);
    const char *line;
    assert_int_equal(process_read(process, LONG_MS, &line), PROCESS_LINE);
    double before_s = monotonic_s();
    assert_int_equal(process_read(process, LONG_MS, &line), PROCESS_ENDED);
    assert_true(monotonic_s() - before_s < 30);
    assert_int_equal(process_stop(process), 0);
}

static void captured_is_what_a_command_prints_on_both_streams(void **state)
{
    ProcessOptions how = shell("echo out; echo err >&2; exit 3");
    char *text;
    int status;
    assert_true(process_capture(&how, LONG_MS, arena, &text, &status));
    assert_string_equal(text, "out\nerr\n");
    assert_int_equal(status, 3);
}

static void captured_is_the_first_mebibyte(void **state)
{
    ProcessOptions how = shell("yes 123456789 | head -c 2000000");
    size_t length = strlen(printed_by(&how));
    assert_true(length > (1 << 20) - 20 && length <= 1 << 20);
}

static void a_command_that_hangs_is_not_waited_for(void **state)
{
    ProcessOptions how = shell("sleep 60");
    char *text;
    int status;
    assert_false(process_capture(&how, 50, arena, &text, &status));
}

static void a_command_that_is_not_there_gives_nothing(void **state)
{
    const char *const words[] = {"no-such-command", NULL};
    char *text;
    int status;
    assert_false(process_capture(&(ProcessOptions){.words = words}, LONG_MS, arena, &text, &status));
}

/* ---- ending ---- */

static void waiting_ends_with_its_time(void **state)
{
    ProcessOptions how = shell("exec sleep 60");
    Process *process = start(&how);
    assert_false(process_wait(process, 0));
    assert_false(process_wait(process, 20));
    process_kill(process, SIGKILL);
    assert_true(process_wait(process, -1));
    assert_int_equal(process_status(process), 128 + SIGKILL);
    process_stop(process);
}

static void a_run_that_takes_too_long_is_killed_with_its_group(void **state)
{
    ProcessOptions how = shell(arena_printf(arena, "sleep 60 & echo $! >%s; wait", in_folder("id")));
    int status;
    Err err = {0};
    how.output = PROCESS_NOTHING;
    assert_false(process_run(&how, 1000, arena, &status, &err));
    assert_string_equal(err.message, "sh: killed, because it still ran after 1 s");
    assert_true(goes((pid_t)atoi(text_of_file(in_folder("id")))));
}

static void stopping_ends_what_the_program_has_left_behind(void **state)
{
    ProcessOptions how = shell("sleep 60 >/dev/null 2>&1 & echo $!");
    Process *process = start(&how);
    const char *line;
    assert_int_equal(process_read(process, LONG_MS, &line), PROCESS_LINE);
    pid_t left = (pid_t)atoi(line);
    assert_true(process_wait(process, LONG_MS));
    assert_int_equal(process_stop(process), 0);
    assert_true(goes(left));
}

static void sweeping_ends_also_what_has_left_the_group(void **state)
{
    ProcessOptions how = shell("setsid sh -c 'echo $$; exec sleep 60' & wait");
    how.sweeps = true;
    Process *process = start(&how);
    const char *line;
    assert_int_equal(process_read(process, LONG_MS, &line), PROCESS_LINE);
    pid_t left = (pid_t)atoi(line);
    process_stop(process);
    assert_true(goes(left));
}

/* Starts a program that prints its id and dies with its parent; then dies. */
static int start_and_die(void *self)
{
    ProcessOptions how = shell("echo $$; exec sleep 60");
    Process *process;
    Err err;
    (void)self;
    how.output = PROCESS_NOTHING;
    how.output_file = in_folder("id");
    how.dies_with_us = SIGKILL;
    if (!process_start(&how, arena, &process, &err))
        return 1;
    while (strchr(text_of_file(how.output_file), '\n') == NULL)
        usleep(1000);
    return 0;
}

static void a_program_that_dies_with_us_does_not_outlive_us(void **state)
{
    Process *process = start(&(ProcessOptions){.run = start_and_die});
    assert_true(process_wait(process, LONG_MS));
    assert_int_equal(process_status(process), 0);
    assert_true(goes((pid_t)atoi(text_of_file(in_folder("id")))));
}

/* ---- finding ---- */

static void the_first_folder_with_an_executable_file_wins(void **state)
{
    Err err = {0};
    const char *folders =
        arena_printf(arena, "%s:%s:%s:%s", in_folder("none"), in_folder("a"), in_folder("b"), in_folder("c"));
    assert_int_equal(mkdir(in_folder("a"), 0700), 0);
    assert_int_equal(mkdir(in_folder("b"), 0700), 0);
    assert_int_equal(mkdir(in_folder("b/tool"), 0700), 0);
    assert_int_equal(mkdir(in_folder("c"), 0700), 0);
    assert_true(files_save_text(in_folder("a/tool"), "not executable", &err));
    assert_null(process_find("tool", folders, arena));
    make_program(in_folder("c/tool"), "true");
    assert_string_equal(process_find("tool", folders, arena), in_folder("c/tool"));
}

static void a_word_with_a_slash_is_not_looked_up(void **state)
{
    make_program(in_folder("tool"), "true");
    assert_string_equal(process_find(in_folder("tool"), "/bin", arena), in_folder("tool"));
    assert_null(process_find("./sh", "/bin", arena));
}

static void an_empty_folder_of_the_path_is_the_current_one(void **state)
{
    make_program(in_folder("tool"), "true");
    assert_int_equal(chdir(folder), 0);
    assert_string_equal(process_find("tool", "/none:", arena), "./tool");
    assert_string_equal(process_find("tool", "", arena), "./tool");
    assert_int_equal(chdir("/"), 0);
}

static void without_a_path_programs_of_the_system_are_found(void **state)
{
    const char *path = getenv("PATH"), *before = path ? arena_strdup(arena, path) : NULL;
    unsetenv("PATH");
    assert_non_null(process_find("sh", NULL, arena));
    assert_null(process_find("no-such-program", NULL, arena));
    if (before)
        setenv("PATH", before, 1);
}

static void words_are_split_as_by_a_shell_and_joined(void **state)
{
    static const char *const first[] = {"cc", NULL}, *const none[] = {NULL}, *const last[] = {"-o", "x", NULL};
    const char *const *given, *const *all;
    size_t n;
    assert_null(words_split("-O2  -D'A B' \"c\\\"d\"", arena, &given, &n));
    assert_int_equal(n, 3);
    assert_string_equal(given[1], "-DA B");
    assert_string_equal(given[2], "c\"d");
    all = words_join((const char *const *const[]){first, none, given, last, NULL}, arena);
    assert_string_equal(all[0], "cc");
    assert_string_equal(all[3], "c\"d");
    assert_string_equal(all[5], "x");
    assert_null(all[6]);
    for (const char *const *blank = (const char *const[]){"", " \t\n", NULL}; *blank; blank++) {
        assert_null(words_split(*blank, arena, &given, &n));
        assert_true(n == 0 && !given[0]);
    }
    assert_null(words_split(NULL, arena, &given, NULL));
    assert_non_null(words_split("-DA=\\", arena, &given, &n)); /* nothing behind the backslash */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(words_are_split_as_by_a_shell_and_joined),
        fixture_test(a_program_that_is_not_there_is_an_error_with_its_name),
        fixture_test(a_file_that_may_not_be_executed_is_an_error),
        fixture_test(a_programs_own_127_is_a_status),
        fixture_test(a_failed_start_leaves_no_child_and_no_open_file),
        fixture_test(an_output_file_that_cannot_be_opened_is_named),
        fixture_test(words_of_the_environment_are_added_and_replaced),
        fixture_test(a_program_has_no_input_unless_it_is_given_one),
        fixture_test(an_output_file_is_emptied_or_appended_to),
        fixture_test(our_open_files_are_closed_in_the_program_unless_it_keeps_them),
        fixture_test(what_a_private_program_writes_is_its_users_alone),
        fixture_test(a_program_dumps_no_core_if_that_is_asked),
        fixture_test(signals_that_we_hold_back_reach_the_program),
        fixture_test(a_function_of_ours_runs_as_a_process),
        fixture_test(a_status_names_its_signal),
        fixture_test(lines_come_one_by_one_and_the_last_needs_no_end),
        fixture_test(a_silent_program_is_quiet_and_not_ended),
        fixture_test(who_holds_the_output_after_the_programs_end_is_not_waited_for),
        fixture_test(captured_is_what_a_command_prints_on_both_streams),
        fixture_test(captured_is_the_first_mebibyte),
        fixture_test(a_command_that_hangs_is_not_waited_for),
        fixture_test(a_command_that_is_not_there_gives_nothing),
        fixture_test(waiting_ends_with_its_time),
        fixture_test(a_run_that_takes_too_long_is_killed_with_its_group),
        fixture_test(stopping_ends_what_the_program_has_left_behind),
        fixture_test(sweeping_ends_also_what_has_left_the_group),
        fixture_test(a_program_that_dies_with_us_does_not_outlive_us),
        fixture_test(the_first_folder_with_an_executable_file_wins),
        fixture_test(a_word_with_a_slash_is_not_looked_up),
        fixture_test(an_empty_folder_of_the_path_is_the_current_one),
        fixture_test(without_a_path_programs_of_the_system_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
