/* SPDX-License-Identifier: BSD-3-Clause */
/* What launchers say when they cannot start a program, and which word of a command line they take for the program. */
#include "trace/launch_failure.h"
#include "unit/fixture.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRAME "--------------------------------------------------------------------------\n"

/* The program printed "before" first. */
static LauncherComplaint heard(const char *text)
{
    LauncherComplaint complaint = {0};
    launcher_complaint_read(&complaint, saved("output", arena_printf(arena, "before\n%s", text)));
    return complaint;
}

static void openmpis_first_sentence_is_the_complaint(void **state)
{
    LauncherComplaint complaint =
        heard(FRAME "There are not enough slots available in the system to satisfy the 9\n"
                    "slots that were requested by the application:\n\n  ./app\n\nEither\n" FRAME);
    assert_string_equal(complaint.text,
                        "There are not enough slots available in the system to satisfy the 9 slots that "
                        "were requested by the application");
    assert_non_null(strstr(complaint.advice, "--oversubscribe"));
    assert_string_equal(complaint.last_line, "before");
    complaint = heard("mpirun: Error: unknown option \"--no\"\nType 'mpirun --help' for usage.\n");
    assert_string_equal(complaint.text, "mpirun: Error: unknown option \"--no\"");
}

static void hydras_and_slurms_lines_are_complaints(void **state)
{
    LauncherComplaint complaint = heard("[proxy:0:0@vm] HYDU_create_process (utils/launch/launch.c:73): execvp error "
                                        "on file ./no (No such file or directory)\n");
    assert_string_equal(complaint.text, "execvp error on file ./no (No such file or directory)");
    complaint = heard("slurmstepd: error: execve(): ./no: No such file or directory\n"
                      "srun: error: n1: task 0: Exited with exit code 2\n");
    assert_string_equal(complaint.text, "slurmstepd: error: execve(): ./no: No such file or directory");
    complaint = heard("srun: error: n1: task 0: Exited with exit code 2\n");
    assert_string_equal(complaint.text, "");
}

static void a_program_that_fails_has_its_own_last_words(void **state)
{
    const char *const ends[] = {
        FRAME "Primary job  terminated normally, but 1 process returned\na non-zero exit code.\n" FRAME,
        "\n===================================================================================\n"
        "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   EXIT CODE: 11\n"
        "===================================================================================\n"
        "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)\n"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        LauncherComplaint complaint = heard(arena_printf(arena, "-----\nno luck\n%s", ends[i]));
        Err err;
        char *const argv[] = {(char *)"./app", NULL};
        assert_string_equal(complaint.text, "");
        assert_string_equal(complaint.last_line, "no luck");
        assert_false(launcher_complaint_explain(&complaint, argv, 3, arena, &err));
        assert_int_equal(err.kind, ERR_NEGATIVE);
        assert_string_equal(err.message, "./app failed with status 3; its last words: no luck");
    }
}

static void the_program_stands_behind_the_launchers_options(void **state)
{
    const char *launcher = saved("mpirun", "#!/bin/sh\n");
    static const char *const commands[][12] = {
        {"-n", "2", "--mca", "a", "b", "-x", "A", "--oversubscribe", "./no", "3"},
        {"-np", "2", "-genv", "A", "1", "-ppn", "1", "./no", "-n"},
        {"-n2", "--map-by", "core", "--host=a", "./no"},
        {"./no"},
    };
    chmod(launcher, 0755);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char *argv[16] = {(char *)"env", (char *)launcher};
        for (size_t k = 0; k < 12 && commands[i][k]; k++)
            argv[k + 2] = (char *)commands[i][k];
        int program = launch_find_program(argv, arena);
        assert_true(program > 0);
        assert_string_equal(argv[program], "./no");
    }
    char *const none[] = {(char *)launcher, (char *)"-n", (char *)"2", NULL};
    assert_int_equal(launch_find_program(none, arena), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(openmpis_first_sentence_is_the_complaint),
        fixture_test(hydras_and_slurms_lines_are_complaints),
        fixture_test(a_program_that_fails_has_its_own_last_words),
        fixture_test(the_program_stands_behind_the_launchers_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
