/* SPDX-License-Identifier: BSD-3-Clause */
/* Stops of a launch, with a shell as the launcher, and files instead of recorded processes. A
 * *story* is a text of one step a line: what processes do, and what firma sees. Stories have a
 * clock of their own. */
#include "trace/calls.h"
#include "trace/launch.h"
#include "trace/ownership.h"
#include "unit/fixture.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { N_RANKS = 2, QUIET_MS = 60 };

static Launch *launch;
static ProcessFile *processes[N_RANKS]; /* mapped, like a recorder's */
static char *segments[N_RANKS];
static size_t n_records[N_RANKS];
static int64_t stopped_ns; /* the time at which the clock stands still; 0: it runs */

static int begin(void **state)
{
    launch = NULL;
    memset(processes, 0, sizeof processes);
    memset(n_records, 0, sizeof n_records);
    return fixture_begin(state);
}

static int end_story(void **state)
{
    stopped_ns = 0;
    for (int rank = 0; rank < N_RANKS && processes[rank]; rank++) {
        munmap(processes[rank], sizeof *processes[rank]);
        munmap(segments[rank], SEGMENT_STORED_OFFSET);
    }
    return fixture_end(state);
}

/* ---- time ---- */

/* Replaces the C library's function, also for the code under test. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!stopped_ns || clock != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, clock, time);
    *time = (struct timespec){stopped_ns / 1000000000, stopped_ns % 1000000000};
    return 0;
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* ---- launches ---- */

static const uint64_t two_stops[] = {4, 5, 8, 9};

static bool start_with(const char *command, const LaunchStops *stops, Err *err)
{
    const LaunchOptions options = {.recording = in_folder("recording"),
                                   .flavour = MPI_FLAVOUR_OPENMPI,
                                   .output_path = in_folder("output"),
                                   .stops = stops,
                                   .detached = true};
    char *const argv[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
    *err = (Err){0};
    return launch_start(&options, argv, arena, &launch, err);
}

static void start(const char *command)
{
    const LaunchStops stops = {.n_stops = 2, .n_processes = N_RANKS, .counts = two_stops};
    Err err;
    if (!start_with(command, &stops, &err))
        fail_msg("%s", err.message);
}

static void end(void)
{
    stopped_ns = 0;
    launch_stop(launch);
    launch_free(launch);
}

static void *map_new(const char *name, size_t size_bytes)
{
    int file = open(in_folder(name), O_RDWR | O_CREAT | O_TRUNC, 0666);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, (off_t)size_bytes), 0);
    void *mapped = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    assert_ptr_not_equal(mapped, MAP_FAILED);
    return mapped;
}

/* Creates the files that recorders create when MPI_Init returns. */
static void make_processes(void)
{
    for (int rank = 0; rank < N_RANKS; rank++) {
        processes[rank] = map_new(arena_printf(arena, "recording/h-%d.process", rank + 1), sizeof(ProcessFile));
        processes[rank]->pid = getpid();
        processes[rank]->rank = rank;
        processes[rank]->n_processes = N_RANKS;
        memcpy(processes[rank]->magic, PROCESS_MAGIC, 8);
        segments[rank] = map_new(arena_printf(arena, "recording/h-%d-0.segment", rank + 1), SEGMENT_STORED_OFFSET);
        memcpy(segments[rank], SEGMENT_MAGIC, 8);
    }
}

/* ---- stories ---- */

static CallRecord *last_call(int rank)
{
    assert_true(n_records[rank] > 0);
    return (CallRecord *)(void *)(segments[rank] + SEGMENT_HEADER_BYTES) + n_records[rank] - 1;
}

static void put_call(int rank, const char *name, RecordKind kind)
{
    static int64_t time_ns;
    n_records[rank]++;
    CallRecord *record = last_call(rank);
    assert_true(call_find(name, &record->call));
    record->enter_ns = time_ns += 10;
    record->leave_ns = kind == RECORD_CALL ? time_ns + 1 : 0;
    record->kind = (uint8_t)kind;
}

/* Writes records far behind those that firma has last looked at. */
static void fill_segment(int rank, SegmentHeader *header)
{
    header->stored_bytes = 5 * SEGMENT_HALF_BYTES;
    n_records[rank] = SEGMENT_HALF_BYTES / RECORD_BYTES;
}

static bool do_deed(int rank, const char *deed)
{
    SegmentHeader *header = (SegmentHeader *)(void *)segments[rank];
    char call[32] = "";
    if (sscanf(deed, "has left %31s", call) == 1)
        put_call(rank, call, RECORD_CALL);
    else if (sscanf(deed, "enters %31s", call) == 1)
        put_call(rank, call, RECORD_CALL_OPEN);
    else if (strcmp(deed, "receives") == 0)
        last_call(rank)->kind = RECORD_CALL_RECV;
    else if (strcmp(deed, "polls again") == 0)
        last_call(rank)->repeats++, last_call(rank)->leave_ns++;
    else if (strcmp(deed, "finishes") == 0)
        processes[rank]->finalize_leave_ns = 100;
    else if (strcmp(deed, "has no space") == 0)
        processes[rank]->recording_end = RECORDING_FAILED;
    else if (strcmp(deed, "has filled its segment") == 0)
        fill_segment(rank, header);
    else if (strcmp(deed, "is on this host") == 0)
        gethostname(processes[rank]->host, sizeof processes[rank]->host - 1);
    else if (strcmp(deed, "has an id that is used again") == 0)
        processes[rank]->start_ticks = 1;
    else
        return sscanf(deed, "sleeps at stop %" SCNu32, &processes[rank]->asleep) == 1 ||
               sscanf(deed, "has sent %" SCNu64, &header->send_events) == 1;
    return true;
}

static void check_settling(uint32_t stop, const char *expected)
{
    static const char *const names[] = {
        [LAUNCH_UNSETTLED] = "unsettled", [LAUNCH_SETTLED] = "settled", [LAUNCH_UNREACHABLE] = "unreachable"};
    char outcome[16];
    const char *words = strchr(expected, ':');
    assert_int_equal(sscanf(expected, "%15[a-z]", outcome), 1);
    assert_string_equal(names[launch_settled_at(launch, stop - 1, QUIET_MS)], outcome);
    if (words)
        assert_string_equal(launch_describe_ranks(launch, stop - 1, arena), words + 2);
}

/* Plays one line: a process does something, time passes, a stop is released, or the state of a stop
 * (counted from 1) is checked. */
static void play_line(const char *line)
{
    int rank, ms, words = 0;
    unsigned stop;
    if (sscanf(line, "rank %d %n", &rank, &words) == 1 && words)
        assert_true(do_deed(rank, line + words));
    else if (sscanf(line, "%d ms pass", &ms) == 1)
        stopped_ns += 1000000LL * ms;
    else if (sscanf(line, "stop %u is %n", &stop, &words) == 1 && words && strcmp(line + words, "released") == 0)
        launch_release(launch, stop - 1);
    else if (words)
        check_settling(stop, line + words);
    else
        fail_msg("`%s` isn't a step", line);
}

static void play(const char *story)
{
    start("exec sleep 600");
    make_processes();
    stopped_ns = now_ns();
    for (size_t length; *story; story += length + 1) {
        length = strcspn(story, "\n");
        play_line(arena_printf(arena, "%.*s", (int)length, story));
    }
    end();
}

static void it_has_settled_when_all_sleep(void **state)
{
    play("rank 0 sleeps at stop 1\n"
         "200 ms pass\n"
         "stop 1 is unsettled: rank 0 sleeps; rank 1 runs\n"
         "rank 1 sleeps at stop 1\n"
         "stop 1 is settled: ranks 0, 1 sleep\n");
}

static void nobody_is_seen_before_there_are_processes(void **state)
{
    start("exec sleep 600");
    assert_int_equal(launch_settled_at(launch, 0, QUIET_MS), LAUNCH_UNSETTLED);
    end();
}

static void a_stop_that_is_released_is_over(void **state)
{
    play("rank 0 sleeps at stop 1\n"
         "rank 1 sleeps at stop 1\n"
         "stop 1 is settled\n"
         "stop 1 is released\n"
         "stop 1 is unreachable\n"
         "stop 2 is unsettled\n"
         "rank 0 sleeps at stop 2\n"
         "rank 1 sleeps at stop 2\n"
         "stop 2 is settled\n");
}

static void who_stays_inside_a_call_waits(void **state)
{
    play("rank 0 sleeps at stop 1\n"
         "rank 1 has left MPI_Send\n"
         "rank 1 enters MPI_Recv\n"
         "stop 1 is unsettled\n"
         "59 ms pass\n"
         "stop 1 is unsettled\n"
         "1 ms pass\n"
         "stop 1 is settled: rank 0 sleeps; rank 1 waits in MPI_Recv\n");
}

static void who_has_lost_its_process_id_has_died(void **state)
{
    play("rank 0 sleeps at stop 1\n"
         "rank 1 is on this host\n"
         "stop 1 is unsettled: rank 0 sleeps; rank 1 runs\n"
         "rank 1 has an id that is used again\n"
         "stop 1 is unreachable: rank 0 sleeps; rank 1 has died after 0 of 5 send-like events\n");
}

static void who_goes_from_call_to_call_does_not_wait(void **state)
{
    play("rank 0 sleeps at stop 1\n"
         "rank 1 enters MPI_Recv\n"
         "stop 1 is unsettled\n"
         "50 ms pass\n"
         "rank 1 receives\n"
         "rank 1 enters MPI_Recv\n"
         "stop 1 is unsettled\n"
         "50 ms pass\n"
         "stop 1 is unsettled\n"
         "rank 1 receives\n"
         "rank 1 enters MPI_Recv\n"
         "50 ms pass\n"
         "stop 1 is unsettled\n");
}

static void who_polls_in_vain_waits(void **state)
{
    play("rank 0 sleeps at stop 1\n"
         "rank 1 has left MPI_Iprobe\n"
         "stop 1 is unsettled\n"
         "30 ms pass\n"
         "rank 1 polls again\n"
         "stop 1 is unsettled\n"
         "20 ms pass\n"
         "rank 1 has left MPI_Test\n"
         "stop 1 is unsettled\n"
         "20 ms pass\n"
         "rank 1 polls again\n"
         "stop 1 is settled: rank 0 sleeps; rank 1 waits in MPI_Test\n");
}

static void who_computes_without_calls_does_not_wait(void **state)
{
    play("rank 0 sleeps at stop 1\n"
         "rank 1 has left MPI_Iprobe\n"
         "stop 1 is unsettled\n"
         "200 ms pass\n"
         "stop 1 is unsettled\n"
         "200 ms pass\n"
         "stop 1 is unsettled: rank 0 sleeps; rank 1 runs\n");
}

static void it_has_not_settled_while_all_wait_and_nobody_sleeps(void **state)
{
    play("rank 0 enters MPI_Recv\n"
         "rank 1 enters MPI_Recv\n"
         "stop 1 is unsettled\n"
         "200 ms pass\n"
         "stop 1 is unsettled: ranks 0, 1 wait in MPI_Recv\n");
}

static void waiting_is_seen_across_halves_of_the_segment(void **state)
{
    play("rank 0 sleeps at stop 1\n"
         "stop 1 is unsettled\n"
         "rank 1 has filled its segment\n"
         "rank 1 enters MPI_Barrier\n"
         "stop 1 is unsettled\n"
         "60 ms pass\n"
         "stop 1 is settled: rank 0 sleeps; rank 1 waits in MPI_Barrier\n");
}

/* two_stops[1] is 5. */
static void who_has_no_event_left_may_finish_and_who_has_may_not(void **state)
{
    play("rank 0 sleeps at stop 1\n"
         "rank 1 has sent 5\n"
         "rank 1 finishes\n"
         "stop 1 is settled\n"
         "rank 1 has sent 3\n"
         "stop 1 is unreachable: rank 0 sleeps; rank 1 has finished after 3 of 5 send-like events\n");
}

static void who_is_not_recorded_any_more_is_named(void **state)
{
    play("rank 1 has no space\n"
         "stop 1 is unreachable: rank 0 runs; rank 1 isn't recorded any more\n");
}

/* ---- tables, ends, adoption ---- */

static void the_table_is_in_the_recording_before_the_launcher_starts(void **state)
{
    start("test -s $" RECORD_DIRECTORY_VARIABLE "/stops");
    assert_true(launch_wait(launch, -1));
    assert_int_equal(launch_status(launch), 0);
    FILE *file = fopen(in_folder("recording/stops"), "rb");
    StopsFile header;
    uint64_t counts[4];
    assert_int_equal(fread(&header, sizeof header, 1, file), 1);
    assert_int_equal(fread(counts, sizeof counts, 1, file), 1);
    fclose(file);
    assert_memory_equal(header.magic, STOPS_MAGIC, 8);
    assert_int_equal(header.n_stops, 2);
    assert_int_equal(header.n_processes, N_RANKS);
    assert_int_equal(header.released, 0);
    assert_memory_equal(counts, two_stops, sizeof counts);
    launch_free(launch);
}

static void stops_that_go_back_are_refused(void **state)
{
    const uint64_t counts[] = {4, 5, 8, 4};
    const LaunchStops stops = {.n_stops = 2, .n_processes = N_RANKS, .counts = counts};
    Err err;
    assert_false(start_with("true", &stops, &err));
    assert_error(err, ERR_INPUT, "stop 1 of rank 1");
}

static void a_recording_with_stops_is_removed_as_one(void **state)
{
    start("true");
    launch_wait(launch, -1);
    launch_free(launch);
    Err err = {0};
    assert_true(recording_remove(in_folder("recording"), arena, &err));
}

static void a_detached_launch_has_a_session_of_its_own_and_nothing_to_read(void **state)
{
    FILE *file = fopen(in_folder("output"), "w");
    fputs("before\n", file);
    fclose(file);
    start("cut -d ' ' -f 6 /proc/$$/stat; echo $$; cat");
    assert_true(launch_wait(launch, -1));
    file = fopen(in_folder("output"), "r");
    char before[32];
    int session = -1, pid = -2;
    assert_int_equal(fscanf(file, "%31s %d %d", before, &session, &pid), 3);
    fclose(file);
    assert_string_equal(before, "before");
    assert_int_equal(session, pid);
    launch_free(launch);
}

static void a_signal_ends_the_wait_for_a_detached_launch_and_not_the_launch(void **state)
{
    start("exec sleep 600");
    kill(getpid(), SIGTERM);
    assert_false(launch_wait(launch, -1));
    assert_int_equal(launch_interrupted(launch), SIGTERM);
    assert_false(launch_wait(launch, -1));
    launch_stop(launch);
    assert_int_equal(launch_status(launch), 128 + SIGTERM);
    launch_free(launch);
}

static void another_number_of_processes_is_named(void **state)
{
    start("exec sleep 600");
    make_processes();
    const uint64_t counts[] = {1, 1, 1};
    end();
    assert_true(files_remove_tree(in_folder("recording")));
    const LaunchStops stops = {.n_stops = 1, .n_processes = 3, .counts = counts};
    Err err;
    assert_true(start_with("exec sleep 600", &stops, &err));
    make_processes();
    assert_int_equal(launch_settled_at(launch, 0, QUIET_MS), LAUNCH_UNREACHABLE);
    assert_string_equal(launch_describe_ranks(launch, 0, arena), "there are 2 processes, but the stops are for 3");
    end();
}

static void no_stop_is_reached_after_the_launchers_end(void **state)
{
    start("true");
    assert_true(launch_wait(launch, -1));
    assert_int_equal(launch_settled_at(launch, 0, QUIET_MS), LAUNCH_UNREACHABLE);
    assert_string_equal(launch_describe_ranks(launch, 0, arena), "the launcher has ended");
    launch_free(launch);
}

static ControlFile read_control(void)
{
    ControlFile control = {0};
    FILE *file = fopen(in_folder("recording/control"), "rb");
    assert_int_equal(fread(&control, sizeof control, 1, file), 1);
    fclose(file);
    return control;
}

static void an_adopted_job_goes_on_with_the_time_at_which_it_settled(void **state)
{
    start("exec sleep 600");
    make_processes();
    processes[0]->asleep = processes[1]->asleep = 1;
    int64_t settled_ns = stopped_ns = now_ns();
    assert_int_equal(launch_settled_at(launch, 0, QUIET_MS), LAUNCH_SETTLED);
    end();
    stopped_ns = settled_ns + 200000000;
    Err err = {0};
    assert_true(launch_adopt(in_folder("recording"), arena, &launch, &err));
    ControlFile control = read_control();
    assert_int_equal(now_ns() + control.clock_shift_ns, settled_ns);
    assert_int_equal(control.adoptions, 1);
    assert_int_equal(control.stop, 0);
    assert_int_equal(control.owner_pid, getpid());
    launch_free(launch);
}

static void an_adopted_job_is_ready_when_all_that_sleep_have_said_so(void **state)
{
    start("exec sleep 600");
    make_processes();
    end();
    Err err = {0};
    assert_true(launch_adopt(in_folder("recording"), arena, &launch, &err));
    processes[0]->pid = processes[1]->pid = INT32_MAX; /* processes of another namespace */
    processes[0]->asleep = processes[1]->asleep = 1;
    assert_false(launch_is_ready(launch));
    processes[0]->ready = read_control().adoptions;
    assert_false(launch_is_ready(launch));
    processes[1]->asleep = 0;
    assert_true(launch_is_ready(launch));
    processes[1]->asleep = 1;
    processes[1]->ready = read_control().adoptions;
    assert_true(launch_is_ready(launch));
    launch_free(launch);
}

static void an_adopted_job_is_released_counted_and_over_by_its_files_alone(void **state)
{
    start("exec sleep 600");
    make_processes();
    end();
    Err err = {0};
    assert_true(launch_adopt(in_folder("recording"), arena, &launch, &err));
    processes[0]->pid = processes[1]->pid = INT32_MAX; /* processes of another namespace */
    processes[0]->asleep = processes[1]->asleep = 1;
    assert_int_equal(launch_settled_at(launch, 0, QUIET_MS), LAUNCH_SETTLED);
    launch_release(launch, LAUNCH_ALL_STOPS);
    ((SegmentHeader *)(void *)segments[1])->send_events = 7;
    uint32_t count;
    assert_int_equal(launch_send_events(launch, &count)[1], 7);
    assert_false(launch_wait(launch, 30));
    launch_stop(launch);
    assert_int_equal(read_control().stop, 1);
    processes[0]->finalize_leave_ns = processes[1]->finalize_leave_ns = 5;
    assert_true(launch_wait(launch, -1));
    launch_free(launch);
}

static void what_is_no_recording_is_not_adopted(void **state)
{
    Err err = {0};
    assert_false(launch_adopt(folder, arena, &launch, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    FILE *file = fopen(in_folder("control"), "w");
    for (int i = 0; i < 1000; i++)
        fputs("firmaCTL", file);
    fclose(file);
    assert_false(launch_adopt(folder, arena, &launch, &err));
    assert_int_equal(err.kind, ERR_INPUT);
}

#define stops_unit_test(test) cmocka_unit_test_setup_teardown(test, begin, end_story)

int main(void)
{
    const struct CMUnitTest tests[] = {
        stops_unit_test(the_table_is_in_the_recording_before_the_launcher_starts),
        stops_unit_test(stops_that_go_back_are_refused),
        stops_unit_test(a_recording_with_stops_is_removed_as_one),
        stops_unit_test(a_detached_launch_has_a_session_of_its_own_and_nothing_to_read),
        stops_unit_test(a_signal_ends_the_wait_for_a_detached_launch_and_not_the_launch),
        stops_unit_test(nobody_is_seen_before_there_are_processes),
        stops_unit_test(it_has_settled_when_all_sleep),
        stops_unit_test(a_stop_that_is_released_is_over),
        stops_unit_test(who_stays_inside_a_call_waits),
        stops_unit_test(who_has_lost_its_process_id_has_died),
        stops_unit_test(who_goes_from_call_to_call_does_not_wait),
        stops_unit_test(who_polls_in_vain_waits),
        stops_unit_test(who_computes_without_calls_does_not_wait),
        stops_unit_test(it_has_not_settled_while_all_wait_and_nobody_sleeps),
        stops_unit_test(waiting_is_seen_across_halves_of_the_segment),
        stops_unit_test(who_has_no_event_left_may_finish_and_who_has_may_not),
        stops_unit_test(who_is_not_recorded_any_more_is_named),
        stops_unit_test(another_number_of_processes_is_named),
        stops_unit_test(no_stop_is_reached_after_the_launchers_end),
        stops_unit_test(an_adopted_job_is_ready_when_all_that_sleep_have_said_so),
        stops_unit_test(an_adopted_job_goes_on_with_the_time_at_which_it_settled),
        stops_unit_test(an_adopted_job_is_released_counted_and_over_by_its_files_alone),
        stops_unit_test(what_is_no_recording_is_not_adopted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
