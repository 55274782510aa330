/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches with shell commands as launchers, and an empty library as the recorder. FIRMA_LIBDIR
 * names its directory. */
#include "base/owner.h"
#include "base/process.h"
#include "trace/host_load.h"
#include "trace/launch.h"
#include "trace/ownership.h"
#include "trace/throttling.h"
#include "unit/fixture.h"

#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static LaunchOptions openmpi_options(void)
{
    return (LaunchOptions){
        .recording = in_folder("recording"), .flavour = MPI_FLAVOUR_OPENMPI, .output_path = in_folder("output")};
}

/* Launches `sh -c script`. */
static Launch *start(const char *script)
{
    LaunchOptions options = openmpi_options();
    char *const argv[] = {(char *)"sh", (char *)"-c", arena_strdup(arena, script), NULL};
    Launch *launch = NULL;
    Err err = {0};
    if (!launch_start(&options, argv, arena, &launch, &err))
        fail_msg("%s", err.message);
    return launch;
}

static char *read_output(void)
{
    FILE *file = fopen(in_folder("output"), "r");
    assert_non_null(file);
    char text[4096];
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    return arena_strndup(arena, text, length);
}

static void the_exit_status_is_the_launchers(void **state)
{
    Launch *launch = start("exit 7");
    assert_true(launch_wait(launch, -1));
    assert_int_equal(launch_status(launch), 7);
}

static void a_signal_adds_128_to_the_status(void **state)
{
    Launch *launch = start("kill -KILL $$");
    assert_true(launch_wait(launch, -1));
    assert_int_equal(launch_status(launch), 128 + SIGKILL);
}

static void waiting_ends_with_its_time(void **state)
{
    Launch *launch = start("sleep 30");
    assert_false(launch_wait(launch, 10));
    assert_true(launch_elapsed_s(launch) >= 0.01);
    launch_stop(launch);
}

static void the_recorder_stands_before_the_users_preload(void **state)
{
    setenv("LD_PRELOAD", "libm.so.6", 1);
    Launch *launch = start("echo $LD_PRELOAD");
    unsetenv("LD_PRELOAD");
    launch_wait(launch, -1);
    const char *output = read_output();
    assert_non_null(strstr(output, "/libfirma-openmpi.so:libm.so.6\n"));
}

static void the_recording_directory_is_handed_on_as_an_absolute_path(void **state)
{
    Launch *launch = start("cd /; echo $" RECORD_DIRECTORY_VARIABLE);
    launch_wait(launch, -1);
    assert_string_equal(read_output(), arena_printf(arena, "%s/recording\n", folder));
}

static void openmpi_is_told_to_hand_on_what_the_user_hands_on_and_ours(void **state)
{
    setenv("OMPI_MCA_mca_base_env_list", "MINE", 1);
    Launch *launch = start("echo $OMPI_MCA_mca_base_env_list");
    unsetenv("OMPI_MCA_mca_base_env_list");
    launch_wait(launch, -1);
    assert_string_equal(read_output(), "MINE;LD_PRELOAD;" RECORD_DIRECTORY_VARIABLE "\n");
}

static void where_the_user_says_x_so_does_firma(void **state)
{
    LaunchOptions options = openmpi_options();
    char *const argv[] = {(char *)"echo", (char *)"-x", (char *)"MINE", NULL};
    Launch *launch;
    Err err = {0};
    assert_true(launch_start(&options, argv, arena, &launch, &err));
    launch_wait(launch, -1);
    assert_string_equal(read_output(), "-x LD_PRELOAD -x " RECORD_DIRECTORY_VARIABLE " -x MINE\n");
}

static void a_command_line_that_sets_the_preload_is_refused(void **state)
{
    LaunchOptions options = openmpi_options();
    char *const argv[] = {(char *)"no-launcher", (char *)"-x", (char *)"LD_PRELOAD=mine.so", (char *)"no-program",
                          NULL};
    Launch *launch;
    Err err = {0};
    assert_false(launch_start(&options, argv, arena, &launch, &err));
    assert_int_equal(err.kind, ERR_USAGE);
}

static void a_launcher_that_is_not_there_is_named(void **state)
{
    LaunchOptions options = openmpi_options();
    char *const argv[] = {(char *)"no-such-launcher", NULL};
    Launch *launch;
    Err err = {0};
    assert_false(launch_start(&options, argv, arena, &launch, &err));
    assert_error(err, ERR_ENVIRONMENT, "no-such-launcher");
    assert_true(err.hint[0] != '\0');
}

static void a_recorder_that_is_not_there_is_named(void **state)
{
    const char *path;
    Err err = {0};
    assert_false(launch_find_recorder(MPI_FLAVOUR_MPICH, arena, &path, &err));
    assert_error(err, ERR_ENVIRONMENT, "libfirma-mpich.so");
}

static void a_directory_with_an_earlier_recording_is_refused(void **state)
{
    launch_wait(start("touch $" RECORD_DIRECTORY_VARIABLE "/host-1.process"), -1);
    LaunchOptions options = openmpi_options();
    char *const argv[] = {(char *)"true", NULL};
    Launch *launch;
    Err err = {0};
    assert_false(launch_start(&options, argv, arena, &launch, &err));
    assert_int_equal(err.kind, ERR_USAGE);
}

static bool starts_true(Err *err)
{
    LaunchOptions options = openmpi_options();
    char *const argv[] = {(char *)"true", NULL};
    Launch *launch;
    *err = (Err){0};
    if (!launch_start(&options, argv, arena, &launch, err))
        return false;
    launch_wait(launch, -1);
    return true;
}

static void a_directory_with_files_of_the_user_is_neither_used_nor_removed(void **state)
{
    Err err;
    assert_true(starts_true(&err));
    const char *thesis = in_folder("recording/thesis.tex");
    fclose(fopen(thesis, "w"));
    assert_false(recording_remove(in_folder("recording"), arena, &err));
    assert_error(err, ERR_USAGE, "thesis.tex");
    assert_false(starts_true(&err));
    assert_non_null(strstr(err.message, "thesis.tex"));
    assert_int_equal(access(in_folder("recording/control"), F_OK), 0);
    assert_int_equal(unlink(thesis), 0);
    assert_true(recording_remove(in_folder("recording"), arena, &err));
    assert_int_equal(access(in_folder("recording"), F_OK), -1);
}

static void a_directory_without_a_control_file_is_no_recording(void **state)
{
    Err err;
    assert_true(starts_true(&err));
    fclose(fopen(in_folder("recording/a-1.comms"), "w"));
    assert_int_equal(unlink(in_folder("recording/control")), 0);
    assert_false(recording_remove(in_folder("recording"), arena, &err));
    assert_int_equal(err.kind, ERR_USAGE);
}

/* Pretends that another process owns the recording. */
static void give_recording_to(pid_t pid, uint64_t start_ticks)
{
    FILE *file = fopen(in_folder("recording/control"), "r+");
    ControlFile control;
    assert_non_null(file);
    assert_int_equal(fread(&control, sizeof control, 1, file), 1);
    control.owner_pid = pid;
    control.owner_start_ticks = start_ticks;
    rewind(file);
    assert_int_equal(fwrite(&control, sizeof control, 1, file), 1);
    fclose(file);
}

static void a_recording_whose_owner_lives_is_in_use(void **state)
{
    Err err;
    assert_true(starts_true(&err));
    give_recording_to(getppid(), 0);
    assert_false(starts_true(&err));
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.message, arena_printf(arena, "in use by process %d", (int)getppid())));
    assert_false(recording_remove(in_folder("recording"), arena, &err));
}

static void a_recording_whose_owner_is_a_zombie_is_not_in_use(void **state)
{
    Err err;
    siginfo_t ended;
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_true(child > 0);
    assert_int_equal(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
    assert_true(starts_true(&err));
    give_recording_to(child, 0);
    assert_true(recording_remove(in_folder("recording"), arena, &err));
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void a_recording_whose_owners_id_another_process_has_is_not_in_use(void **state)
{
    Err err;
    assert_true(starts_true(&err));
    give_recording_to(getppid(), 1);
    assert_true(recording_remove(in_folder("recording"), arena, &err));
}

static void what_a_killed_firma_left_without_records_does_not_refuse_a_start(void **state)
{
    Err err;
    Owner gone = owner_self();
    const char *owner = arena_printf(arena, "%d-%lu-%lx-%lx", INT32_MAX, (unsigned long)gone.start_ticks,
                                     (unsigned long)gone.pid_namespace, (unsigned long)gone.host);
    const char *part = arena_printf(arena, "%s.%s" OWNER_PART, in_folder("recording/control"), owner);
    const char *half_removed = arena_printf(arena, "%s.%s" OWNER_PART, in_folder("recording"), owner);
    assert_true(starts_true(&err));
    give_recording_to(INT32_MAX, 0);
    fclose(fopen(part, "w"));
    assert_int_equal(mkdir(half_removed, 0700), 0);
    assert_true(starts_true(&err));
    assert_int_equal(access(part, F_OK), -1);
    assert_int_equal(access(half_removed, F_OK), -1);
}

static void an_owner_in_another_pid_namespace_is_not_known_to_have_ended(void **state)
{
    Owner hidden = owner_self();
    hidden.pid = INT32_MAX;
    assert_int_equal(owner_state(&hidden), OWNER_GONE);
    hidden.pid_namespace++;
    assert_int_equal(owner_state(&hidden), OWNER_UNKNOWN);
}

static void a_program_that_outlived_its_firma_is_told_of(void **state)
{
    Launch *launch = start("sleep 60");
    Err err;
    give_recording_to(INT32_MAX, 0);
    assert_false(recording_check_unused(in_folder("recording"), arena, &err));
    assert_non_null(strstr(err.message, "still run"));
    assert_non_null(strstr(err.hint, "--convert"));
    launch_stop(launch);
    assert_true(recording_check_unused(in_folder("recording"), arena, &err));
}

/* Another process takes firma's part, and is killed while its job runs. */
static void a_program_ends_when_its_firma_is_killed(void **state)
{
    pid_t firma = fork();
    if (firma == 0) {
        start("sleep 60 & sleep 60");
        kill(getpid(), SIGKILL);
    }
    assert_int_equal(waitpid(firma, NULL, 0), firma);
    const char *recording = realpath(in_folder("recording"), NULL);
    /* A process that executes another program has no environment for a moment. */
    int absent = 0;
    for (int i = 0; i < 3000 && absent < 50; i++) {
        absent = recording_signal_processes(recording, 0) ? 0 : absent + 1;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    assert_int_equal(absent, 50);
    free((char *)recording);
}

static void what_uses_no_mpi_that_can_be_told_is_an_error_with_a_hint(void **state)
{
    char *const argv[] = {(char *)"sh", (char *)"-c", (char *)"true", NULL};
    MpiFlavour flavour;
    const char *reason;
    Err err = {0};
    assert_false(launch_find_flavour(argv, arena, &flavour, &reason, &err));
    assert_int_equal(err.kind, ERR_ENVIRONMENT);
    assert_non_null(strstr(err.hint, "--mpi"));
}

static void a_launcher_script_is_known_by_its_version(void **state)
{
    char *launcher = in_folder("mpirun");
    FILE *file = fopen(launcher, "w");
    fputs("#!/bin/sh\necho 'HYDRA build details:'\n", file);
    fclose(file);
    char *const make_executable[] = {(char *)"chmod", (char *)"+x", launcher, NULL};
    char *text;
    int status;
    assert_true(process_capture(&(ProcessOptions){.words = (const char *const *)make_executable}, 10000, arena, &text,
                                &status));
    char *const argv[] = {launcher, (char *)"sh", NULL};
    MpiFlavour flavour;
    const char *reason;
    Err err = {0};
    assert_true(launch_find_flavour(argv, arena, &flavour, &reason, &err));
    assert_int_equal(flavour, MPI_FLAVOUR_MPICH);
    assert_non_null(strstr(reason, "--version"));
}

static bool is_running(const char *file)
{
    FILE *stream = fopen(file, "r");
    int pid = 0;
    if (!stream)
        return false;
    int got = fscanf(stream, "%d", &pid);
    fclose(stream);
    return got == 1 && kill(pid, 0) == 0;
}

static void wait_for_file(const char *path)
{
    for (int i = 0; i < 2000 && access(path, F_OK) != 0; i++)
        usleep(5000);
}

static void stopping_ends_also_what_has_left_the_process_group(void **state)
{
    char *file = in_folder("pid");
    Launch *launch =
        start(arena_printf(arena, "setsid sh -c 'echo $$ >%s.new; mv %s.new %s; sleep 60' & wait", file, file, file));
    wait_for_file(file);
    assert_true(is_running(file));
    launch_stop(launch);
    assert_true(launch_wait(launch, 0));
    assert_int_equal(launch_status(launch), 128 + SIGTERM);
    /* Its parent must wait for it; until then, it may be a zombie. */
    for (int i = 0; i < 400 && is_running(file); i++) {
        char state_of = '?', path[300];
        FILE *stream = fopen(file, "r");
        int pid = 0, got = stream ? fscanf(stream, "%d", &pid) : 0;
        if (stream)
            fclose(stream);
        snprintf(path, sizeof path, "/proc/%d/stat", got == 1 ? pid : 0);
        stream = fopen(path, "r");
        got = stream ? fscanf(stream, "%*d %*s %c", &state_of) : 0;
        if (stream)
            fclose(stream);
        if (got == 1 && state_of == 'Z')
            return;
        usleep(5000);
    }
    assert_false(is_running(file));
}

static void write_file(const char *name, const void *content, size_t size_bytes)
{
    FILE *file = fopen(arena_printf(arena, "%s/recording/%s", folder, name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, size_bytes, file), size_bytes);
    fclose(file);
}

static void write_process(const char *name, int rank, int n_processes)
{
    ProcessFile *process = arena_alloc(arena, sizeof *process);
    memcpy(process->magic, PROCESS_MAGIC, sizeof process->magic);
    process->rank = rank;
    process->n_processes = n_processes;
    write_file(name, process, sizeof *process);
}

static void write_segment(const char *name, uint64_t send_events)
{
    static union {
        SegmentHeader header;
        char bytes[SEGMENT_STORED_OFFSET];
    } segment;
    memcpy(segment.header.magic, SEGMENT_MAGIC, sizeof segment.header.magic);
    segment.header.send_events = send_events;
    write_file(name, &segment, sizeof segment);
}

static void events_are_counted_by_rank_over_all_threads(void **state)
{
    Launch *launch = start("sleep 60");
    uint32_t count = 99;
    launch_send_events(launch, &count);
    assert_int_equal(count, 0);
    write_segment("a-host-11-0.segment", 5);
    write_file("a-host-12.process", "", 0); /* created, but not filled in yet */
    launch_send_events(launch, &count);
    assert_int_equal(count, 0);
    write_process("a-host-11.process", 1, 2);
    write_process("a-host-12.process", 0, 2);
    write_segment("a-host-11-1.segment", 7);
    write_segment("a-host-12-0.segment", 3);
    const uint64_t *events = launch_send_events(launch, &count);
    assert_int_equal(count, 2);
    assert_int_equal(events[0], 3);
    assert_int_equal(events[1], 12);
    launch_stop(launch);
    launch_free(launch);
}

static void processes_that_have_left_the_launcher_are_counted_as_the_jobs(void **state)
{
    char *file = in_folder("burnt");
    FILE *script = fopen(in_folder("burn"), "w");
    assert_non_null(script);
    fprintf(script, "i=0\nwhile [ $i -lt 300000 ]; do i=$((i + 1)); done\n>%s\nsleep 60\n", file);
    fclose(script);
    /* the subshell ends at once, so that the burner is no descendant of the launcher */
    Launch *launch = start(arena_printf(arena, "(setsid sh %s &); sleep 60", in_folder("burn")));
    wait_for_file(file);
    LaunchUsage usage = launch_usage(launch);
    assert_true(usage.running_s > 0.05);
    assert_int_equal(usage.n_processes, 0);
    launch_stop(launch);
    launch_free(launch);
}

static void write_finalized(const char *name, int rank, const char *host)
{
    ProcessFile *process = arena_alloc(arena, sizeof *process);
    memcpy(process->magic, PROCESS_MAGIC, sizeof process->magic);
    process->rank = rank;
    process->n_processes = 2;
    process->processor_ns = 5000000000;
    if (host)
        strcpy(process->host, host);
    else
        gethostname(process->host, sizeof process->host);
    write_file(name, process, sizeof *process);
}

static void recorded_processes_of_this_host_count_after_their_end(void **state)
{
    Launch *launch = start("sleep 60");
    write_finalized("a-host-11.process", 0, NULL);
    write_finalized("a-host-12.process", 1, "elsewhere");
    LaunchUsage usage = launch_usage(launch);
    assert_int_equal(usage.n_processes, 1);
    assert_true(usage.finalized_s > 4.9 && usage.finalized_s < 5.1);
    launch_stop(launch);
    launch_free(launch);
}

/* What host_watch_end() says of others, if two processors were busy for ten seconds. */
static double others_beside(LaunchUsage job)
{
    HostWatch watch = host_watch_begin();
    HostLoad load = {.n_processors = 2};
    watch.begin_s -= 10;
    watch.busy_s -= 20;
    host_watch_end(&watch, &job, &load);
    return load.busy_processors;
}

/* A job that hardly computed beside others may have waited for them, or for a file. */
static void others_are_no_more_than_what_the_load_average_tells(void **state)
{
    HostLoad load = {.n_processors = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN)};
    HostWatch watch = host_watch_begin();
    const double busy_s = 60 * load.n_processors;
    watch.begin_s -= 60;
    watch.busy_s -= busy_s;
    watch.load_average = host_watch_begin().load_average; /* as it is now, all the time */
    host_watch_end(&watch, &(LaunchUsage){.n_processes = 2, .running_s = 0.01 * busy_s}, &load);
    assert_true(load.busy_processors >= 0.98 * load.n_processors - 0.1);
    assert_true(load.busy_processors <= fmax(load.n_processors, watch.load_average + 0.1));
}

static void time_of_the_jobs_own_processes_is_no_load_of_others(void **state)
{
    assert_true(others_beside((LaunchUsage){.n_processes = 2, .running_s = 19.9}) < 0.1);
    assert_true(others_beside((LaunchUsage){.n_processes = 2, .finalized_s = 19.9}) < 0.1);
    assert_true(others_beside((LaunchUsage){.n_processes = 2, .running_s = 19.9, .finalized_s = 19.9}) < 0.1);
    assert_true(others_beside((LaunchUsage){.n_processes = 1, .finalized_s = 9.9}) > 0.9);
}

static void write_count(int processor, const char *name, uint64_t count)
{
    const char *processor_folder = arena_printf(arena, "cpu%d", processor),
               *counts = arena_printf(arena, "%s/thermal_throttle", processor_folder);
    mkdir(in_folder(processor_folder), 0700);
    mkdir(in_folder(counts), 0700);
    saved(arena_printf(arena, "%s/%s", counts, name), arena_printf(arena, "%" PRIu64 "\n", count));
}

static void processors_that_were_too_hot_are_counted_if_this_process_may_use_them(void **state)
{
    cpu_set_t mine;
    CPU_ZERO(&mine);
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    int own = 0, foreign = 0;
    while (!CPU_ISSET(own, &mine))
        own++;
    while (CPU_ISSET(foreign, &mine))
        foreign++;
    assert_int_equal(throttle_count(in_folder("")), 0);
    write_count(own, "core_throttle_count", 5);
    write_count(own, "package_throttle_count", 2);
    write_count(foreign, "core_throttle_count", 100);
    assert_int_equal(throttle_count(in_folder("")), 7);
    const HostLoad cool = {0}, hot = {.throttles = 3};
    assert_null(host_throttle_text(&cool, arena));
    assert_non_null(strstr(host_throttle_text(&hot, arena), "3 times"));
}

static void a_signal_to_firma_alone_reaches_the_launcher(void **state)
{
    char *file = in_folder("ready");
    Launch *launch = start(arena_printf(arena, "trap 'exit 9' TERM; >%s; while :; do sleep 0.05; done", file));
    wait_for_file(file);
    kill(getpid(), SIGTERM);
    assert_true(launch_wait(launch, 20000));
    assert_int_equal(launch_status(launch), 9);
    assert_int_equal(launch_interrupted(launch), SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(the_exit_status_is_the_launchers),
        fixture_test(a_signal_adds_128_to_the_status),
        fixture_test(waiting_ends_with_its_time),
        fixture_test(the_recorder_stands_before_the_users_preload),
        fixture_test(the_recording_directory_is_handed_on_as_an_absolute_path),
        fixture_test(openmpi_is_told_to_hand_on_what_the_user_hands_on_and_ours),
        fixture_test(where_the_user_says_x_so_does_firma),
        fixture_test(a_command_line_that_sets_the_preload_is_refused),
        fixture_test(a_launcher_that_is_not_there_is_named),
        fixture_test(a_recorder_that_is_not_there_is_named),
        fixture_test(a_directory_with_an_earlier_recording_is_refused),
        fixture_test(a_directory_with_files_of_the_user_is_neither_used_nor_removed),
        fixture_test(a_directory_without_a_control_file_is_no_recording),
        fixture_test(a_recording_whose_owner_lives_is_in_use),
        fixture_test(a_recording_whose_owner_is_a_zombie_is_not_in_use),
        fixture_test(a_recording_whose_owners_id_another_process_has_is_not_in_use),
        fixture_test(what_a_killed_firma_left_without_records_does_not_refuse_a_start),
        fixture_test(an_owner_in_another_pid_namespace_is_not_known_to_have_ended),
        fixture_test(a_program_that_outlived_its_firma_is_told_of),
        fixture_test(a_program_ends_when_its_firma_is_killed),
        fixture_test(what_uses_no_mpi_that_can_be_told_is_an_error_with_a_hint),
        fixture_test(a_launcher_script_is_known_by_its_version),
        fixture_test(stopping_ends_also_what_has_left_the_process_group),
        fixture_test(events_are_counted_by_rank_over_all_threads),
        fixture_test(processes_that_have_left_the_launcher_are_counted_as_the_jobs),
        fixture_test(recorded_processes_of_this_host_count_after_their_end),
        fixture_test(time_of_the_jobs_own_processes_is_no_load_of_others),
        fixture_test(others_are_no_more_than_what_the_load_average_tells),
        fixture_test(processors_that_were_too_hot_are_counted_if_this_process_may_use_them),
        fixture_test(a_signal_to_firma_alone_reaches_the_launcher),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
