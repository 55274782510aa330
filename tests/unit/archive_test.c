/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording -> archive -> events: the next stage gets what was recorded. */
#include "archive_recording.h"
#include "test.h"

#include "trace/archive.h"
#include "trace/calls.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_EVENTS = 256 };

typedef struct Fixture {
    char *recording, *parent, *directory;
    Arena *arena;
    ArchiveSummary summary;
    Archive *archive;
    EventSource *source;
    Err err;
    Event events[MOST_EVENTS];
    size_t n;
} Fixture;

static int set_up(void **state)
{
    Fixture *fixture = memory_zeroed(1, sizeof *fixture);
    fixture->arena = arena_new();
    fixture->recording = make_directory();
    fixture->parent = make_directory();
    fixture->directory = arena_printf(fixture->arena, "%s/trace", fixture->parent);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;
    archive_close(fixture->archive);
    remove_directory(fixture->recording);
    remove_directory(fixture->parent);
    arena_free(fixture->arena);
    free(fixture);
    return 0;
}

static bool write_it(Fixture *fixture)
{
    return archive_write(fixture->recording, fixture->directory, NULL, fixture->arena, &fixture->summary,
                         &fixture->err);
}

static void write_and_open(Fixture *fixture)
{
    if (!write_it(fixture) || !archive_open(fixture->directory, &fixture->archive, &fixture->err))
        fail_msg("%s", fixture->err.message);
    fixture->source = archive_source(fixture->archive);
}

static void read_rank(Fixture *fixture, uint32_t rank)
{
    size_t count = 1;
    for (fixture->n = 0; count > 0; fixture->n += count)
        if (!fixture->source->read(fixture->source, rank, fixture->events + fixture->n, MOST_EVENTS - fixture->n,
                                   &count, &fixture->err))
            fail_msg("%s", fixture->err.message);
}

static bool exists(const char *directory, const char *name)
{
    char path[512];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return lstat(path, &status) == 0;
}

static bool noted(const Fixture *fixture, const char *text)
{
    for (uint32_t i = 0; i < fixture->summary.n_notes; i++)
        if (strstr(fixture->summary.notes[i].text, text))
            return true;
    return false;
}

typedef struct Expected {
    EventKind kind;
    uint32_t comm, peer, tag;
    uint64_t bytes, request;
    int64_t enter_ns, leave_ns; /* since the entry of MPI_Init */
} Expected;

static void check_events(const Fixture *fixture, const Expected *expected, size_t n)
{
    for (size_t i = 0; i < n && i < fixture->n; i++) {
        const Event *event = &fixture->events[i];
        assert_int_equal(event->kind, expected[i].kind);
        assert_int_equal(event->enter_ns + INIT_ENTER, expected[i].enter_ns);
        assert_int_equal(event->leave_ns + INIT_ENTER, expected[i].leave_ns);
        assert_int_equal(event->request, expected[i].request ? expected[i].request : NO_REQUEST);
        if (event_is_in_order(event) || event->kind == EVENT_WINDOW_SYNC) {
            assert_int_equal(event->comm, expected[i].comm);
            assert_int_equal(event->peer, expected[i].peer);
            assert_int_equal(event->tag, expected[i].tag);
            assert_int_equal(event->bytes, expected[i].bytes);
        }
    }
    assert_int_equal(fixture->n, n);
}

static void keeps_every_kind_of_event(void **state)
{
    Fixture *fixture = *state;
    write_varied_recording(fixture->recording);
    write_and_open(fixture);
    read_rank(fixture, 0);
    /* Communicators: 0 world, 1 self of rank 0, 2 self of rank 1, 3 the window of all, 4 {1 0}. */
    const Expected expected[] = {
        {EVENT_BEGIN, 0, 0, 0, 0, 0, INIT_ENTER, INIT_LEAVE},
        {EVENT_COLLECTIVE, 0, NO_ROOT, 0, 0, 0, 3000, 3500},
        {EVENT_SEND, 0, 1, 7, 64, 0, 10000, 10500},
        {EVENT_RECV, 0, 1, 7, 64, 0, 11000, 12000},
        {EVENT_SEND, 0, 1, 50, 1, 0, 12500, 12600},
        {EVENT_RECV_POST, 0, 0, 0, 0, 1, 13000, 13100},
        {EVENT_RECV_POST, 0, 0, 0, 0, 2, 13200, 13300},
        {EVENT_SEND, 4, 1, (uint32_t)-5, 128, 3, 14000, 14100},
        {EVENT_RECV, 4, 1, (uint32_t)-5, 128, 1, 15000, 16000},
        {EVENT_RECV_CANCEL, 0, 0, 0, 0, 2, 15000, 16000},
        {EVENT_COLLECTIVE, 4, 1, 0, 0, 0, 17000, 17500},
        {EVENT_COLLECTIVE, 0, NO_ROOT, 0, 8, LARGE_REQUEST, 18000, 18100},
        {EVENT_COLLECTIVE, 0, NO_ROOT, 0, 16, 0, 18500, 18600},
        {EVENT_RECV, 0, 1, 50, 1, 0, 19600, 19700},
        {EVENT_SEND, 1, 0, 9, 4, 0, 20000, 21000},
        {EVENT_RECV, 1, 0, 9, 4, 0, 20000, 21000},
        {EVENT_COLLECTIVE, 3, NO_ROOT, 0, 0, 0, 22000, 22500},
        {EVENT_ONE_SIDED, 3, 1, 0, 48, 0, 23000, 23100},
        {EVENT_ONE_SIDED, 3, 1, 0, 0, LARGE_REQUEST + 5, 23200, 23300},
        {EVENT_WINDOW_SYNC, 3, EVERY_PEER, 0, 0, LARGE_REQUEST + 5, 23400, 23500},
        {EVENT_ONE_SIDED, 3, 1, 0, 8, 0, 23600, 23700},
        {EVENT_WINDOW_SYNC, 3, 1, 0, 0, 0, 26100, 26200},
        {EVENT_WINDOW_SYNC, 3, EVERY_PEER, 0, 0, 0, 26300, 26400},
        {EVENT_WINDOW_SYNC, 3, EVERY_PEER, 0, 0, 0, 26300, 26400},
        {EVENT_COLLECTIVE, 3, NO_ROOT, 0, 0, 0, 26500, 27000},
        {EVENT_COLLECTIVE, 3, NO_ROOT, 0, 0, 0, 27500, 28000},
        {EVENT_END, 0, 0, 0, 0, 0, FINALIZE_ENTER, FINALIZE_LEAVE},
    };
    check_events(fixture, expected, sizeof expected / sizeof *expected);
    assert_int_equal(fixture->events[1].collective, COLLECTIVE_CREATE_HANDLE);
    assert_int_equal(fixture->events[10].collective, COLLECTIVE_BCAST);
    assert_int_equal(fixture->events[10].bytes_received, 40);
    assert_int_equal(fixture->events[11].collective, COLLECTIVE_ALLREDUCE);
    assert_int_equal(fixture->events[12].collective, COLLECTIVE_NEIGHBOR_ALLTOALL);
    assert_int_equal(fixture->events[16].collective, COLLECTIVE_CREATE_HANDLE);
    assert_int_equal(fixture->events[18].bytes_received, 56); /* what a get moves comes from its target */
    assert_int_equal(fixture->events[19].collective, WINDOW_SYNC_COMPLETE);
    assert_int_equal(fixture->events[20].bytes_received, 8);
    assert_int_equal(fixture->events[21].collective, WINDOW_SYNC_AWAIT);
    assert_int_equal(fixture->events[22].collective, WINDOW_SYNC_COMPLETE);
    assert_int_equal(fixture->events[23].collective, WINDOW_SYNC_NOTIFY);
    assert_int_equal(fixture->events[24].collective, COLLECTIVE_BARRIER);
    assert_int_equal(fixture->events[25].collective, COLLECTIVE_DESTROY_HANDLE);
    assert_true(fixture->source->trace->comms[3].is_window);
    assert_false(fixture->source->trace->comms[2].is_window);
}

/* Between the calls before and after lie 2800 ns. The thread was on a processor for 500 of them. */
static void takes_file_operations_for_computation(void **state)
{
    Fixture *fixture = *state;
    write_varied_recording(fixture->recording);
    write_and_open(fixture);
    read_rank(fixture, 0);
    assert_int_equal(fixture->events[21].enter_ns - fixture->events[20].leave_ns, 2400);
    assert_int_equal(fixture->events[21].compute_ns, 2400);
}

static void tells_of_the_application(void **state)
{
    Fixture *fixture = *state;
    write_varied_recording(fixture->recording);
    write_and_open(fixture);
    const Application *application = &fixture->source->trace->application;
    assert_string_equal(application->executable, "/opt/app with space");
    assert_string_equal(application->build_id, "abcd01");
    assert_string_equal(application->mpi_library, "Test MPI 1.0");
    assert_int_equal(application->n_processes, 2);
    assert_int_equal(application->n_arguments, 2);
    assert_string_equal(application->arguments[0], "--size");
    assert_string_equal(application->arguments[1], "a\"b");
}

static void numbers_groups_by_their_members(void **state)
{
    Fixture *fixture = *state;
    write_varied_recording(fixture->recording);
    write_and_open(fixture);
    const Trace *trace = fixture->source->trace;
    assert_int_equal(trace->n_comms, 5);
    assert_string_equal(trace->comms[0].name, "MPI_COMM_WORLD");
    const uint32_t groups[] = {0, 1, 2, 0, 3};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(trace->comms[i].group, groups[i]);
    assert_int_equal(trace->comms[4].members[0], 1);
    assert_int_equal(trace->comms[4].members[1], 0);
}

static void sums_up_what_was_recorded(void **state)
{
    Fixture *fixture = *state;
    write_varied_recording(fixture->recording);
    write_and_open(fixture);
    assert_int_equal(fixture->summary.n_processes, 2);
    assert_int_equal(fixture->summary.n_missing, 0);
    assert_int_equal(fixture->summary.n_unfinished, 0);
    assert_int_equal(fixture->summary.n_messages, 8);
    assert_int_equal(fixture->summary.n_collectives, 14);
    assert_int_equal(fixture->summary.n_one_sided, 6);
    assert_true(fixture->summary.application_s > 0.000897 && fixture->summary.application_s < 0.000899);
}

static void pleases_otf2_print(void **state)
{
    Fixture *fixture = *state;
    write_varied_recording(fixture->recording);
    write_and_open(fixture);
    char command[512];
    snprintf(command, sizeof command, "otf2-print -A '%s/traces.otf2' > '%s/printed' 2> '%s/complaints'",
             fixture->directory, fixture->parent, fixture->parent);
    if (system("command -v otf2-print > /dev/null 2>&1") != 0)
        skip();
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "test ! -s '%s/complaints' && grep -q 'MPI_ISEND' '%s/printed'", fixture->parent,
             fixture->parent);
    assert_int_equal(system(command), 0);
}

/* A rank whose computation is interrupted: in a gap of 100 us, it computed for 40 us. */
static void leaves_waiting_for_a_processor_out_of_computation(void **state)
{
    Fixture *fixture = *state;
    ProcessFile file = process_file(0, 1);
    comms_start(fixture->recording, &file);
    FILE *segment = segment_start(fixture->recording, &file, 0);
    put_call(segment, "MPI_Barrier", 10000, 70000);
    put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_BARRIER, 0, ROOT_NONE, 0, 0, 0);
    put_cpu(segment, 70000, 5000);
    put_cpu(segment, 170000, 45000);
    put_call(segment, "MPI_Barrier", 170000, 171000);
    put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_BARRIER, 0, ROOT_NONE, 0, 0, 0);
    put_call(segment, "MPI_Test", 173000, 174000);
    put_call(segment, "MPI_Barrier", 180000, 181000);
    put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_BARRIER, 0, ROOT_NONE, 0, 0, 0);
    fclose(segment);
    process_write(fixture->recording, &file);
    write_and_open(fixture);
    read_rank(fixture, 0);
    assert_int_equal(fixture->n, 5);
    assert_int_equal(fixture->events[1].compute_ns, 8000);
    assert_int_equal(fixture->events[2].compute_ns, 40000);
    assert_int_equal(fixture->events[3].compute_ns, 2000 + 6000);
}

static void write_groups_of_four(const char *recording, int rank)
{
    ProcessFile file = process_file(rank, 4);
    bool low = rank < 2;
    comms_start(recording, &file);
    comms_add(recording, &file, 2, 2, low ? (const int32_t[]){0, 1, 2, 3} : (const int32_t[]){2, 3, 0, 1});
    FILE *segment = segment_start(recording, &file, 0);
    put_call(segment, "MPI_Send", 5000, 5100);
    put_message(segment, RECORD_SEND, 2, rank % 2, 1, 8, 0); /* the same index in the other group */
    put_call(segment, "MPI_Bcast", 6000, 6100);
    put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_BCAST, 2,
                   rank == 0 ? ROOT_SELF
                   : low     ? ROOT_BYSTANDER
                             : 0,
                   0, 4, 4);
    fclose(segment);
    process_write(recording, &file);
}

static void translates_ranks_of_intercommunicators(void **state)
{
    Fixture *fixture = *state;
    for (int rank = 0; rank < 4; rank++)
        write_groups_of_four(fixture->recording, rank);
    write_and_open(fixture);
    const uint32_t peers[] = {2, 3, 0, 1}, roots[] = {0, NO_ROOT, 0, 0};
    for (uint32_t rank = 0; rank < 4; rank++) {
        read_rank(fixture, rank);
        assert_int_equal(fixture->events[1].peer, peers[rank]);
        assert_int_equal(fixture->events[2].peer, roots[rank]);
        const Comm *comm = &fixture->source->trace->comms[fixture->events[2].comm];
        assert_int_equal(comm->n_members, 4);
        assert_int_equal(comm->group, 0);
    }
}

/* Each rank numbers its communicators in its own order. */
static void unifies_communicators_across_processes(void **state)
{
    Fixture *fixture = *state;
    for (int rank = 0; rank < 3; rank++) {
        ProcessFile file = process_file(rank, 3);
        comms_start(fixture->recording, &file);
        if (rank == 1)
            comms_add(fixture->recording, &file, 2, 0, (const int32_t[]){1, 2});
        if (rank != 2)
            comms_add(fixture->recording, &file, 2, 0, (const int32_t[]){0, 1});
        comms_add(fixture->recording, &file, 3, 0, (const int32_t[]){0, 1, 2});
        if (rank == 2)
            comms_add(fixture->recording, &file, 2, 0, (const int32_t[]){1, 2});
        comms_add(fixture->recording, &file, 3, 0, (const int32_t[]){0, 1, 2});
        FILE *segment = segment_start(fixture->recording, &file, 0);
        put_call(segment, "MPI_Barrier", 5000, 5100);
        put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_BARRIER, file.n_comms - 1, ROOT_NONE, 0, 0, 0);
        fclose(segment);
        process_write(fixture->recording, &file);
    }
    write_and_open(fixture);
    /* world, self x 3, {0 1}, {1 2}, two duplicates of the world */
    assert_int_equal(fixture->source->trace->n_comms, 8);
    for (uint32_t rank = 0; rank < 3; rank++) {
        read_rank(fixture, rank);
        assert_int_equal(fixture->events[1].comm, 7);
    }
    assert_int_equal(fixture->source->trace->comms[4].members[1], 1);
    assert_int_equal(fixture->source->trace->comms[5].members[1], 2);
    assert_int_equal(fixture->source->trace->comms[7].group, 0);
}

static void keeps_the_call_in_which_a_process_died(void **state)
{
    Fixture *fixture = *state;
    ProcessFile file = process_file(0, 1);
    file.finalize_enter_ns = file.finalize_leave_ns = 0;
    comms_start(fixture->recording, &file);
    FILE *segment = segment_start(fixture->recording, &file, 0);
    put_call(segment, "MPI_Send", 5000, 5100);
    put_message(segment, RECORD_SEND, 0, 0, 1, 8, 0);
    put_call(segment, "MPI_Allreduce", 6000, 0);
    put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_ALLREDUCE, 0, ROOT_NONE, 0, 8, 16);
    fclose(segment);
    process_write(fixture->recording, &file);
    write_and_open(fixture);
    assert_int_equal(fixture->summary.n_unfinished, 1);
    read_rank(fixture, 0);
    assert_int_equal(fixture->n, 3);
    assert_int_equal(fixture->events[2].kind, EVENT_COLLECTIVE);
    assert_int_equal(fixture->events[2].collective, COLLECTIVE_ALLREDUCE);
    assert_int_equal(fixture->events[2].bytes_received, 16);
    assert_int_equal(fixture->events[2].enter_ns + INIT_ENTER, 6000);
}

static void tells_of_ranks_without_a_record(void **state)
{
    Fixture *fixture = *state;
    ProcessFile file = process_file(1, 3);
    file.recording_end = RECORDING_FAILED;
    file.recording_errno = EACCES;
    file.recording_end_ns = file.init_leave_ns + 1500000000;
    uint16_t put;
    assert_true(call_find("MPI_Put", &put));
    file.counted[put] = 3;
    comms_start(fixture->recording, &file);
    process_write(fixture->recording, &file);
    write_and_open(fixture);
    assert_int_equal(fixture->summary.n_processes, 3);
    assert_int_equal(fixture->summary.n_missing, 2);
    assert_true(noted(fixture, "no record of ranks 0, 2"));
    assert_true(
        noted(fixture, "recording stopped at 1.5 s of rank 1, because its records could not be stored: Permission"));
    assert_int_equal(archive_source(fixture->archive)->trace->n_incomplete, 2);
    assert_true(noted(fixture, "3 calls of MPI_Put on 1 rank were counted, not recorded"));
    read_rank(fixture, 0);
    assert_int_equal(fixture->n, 0);
    read_rank(fixture, 1);
    assert_int_equal(fixture->n, 1); /* no MPI_Finalize, although the process reached it */
}

static void leaves_messages_with_spawned_processes_out(void **state)
{
    Fixture *fixture = *state;
    ProcessFile file = process_file(0, 1);
    comms_start(fixture->recording, &file);
    comms_add(fixture->recording, &file, 1, 2, (const int32_t[]){0, OUTSIDE_WORLD, OUTSIDE_WORLD});
    FILE *segment = segment_start(fixture->recording, &file, 0);
    put_call(segment, "MPI_Send", 5000, 5100);
    put_message(segment, RECORD_SEND, 2, 1, 1, 8, 0);
    fclose(segment);
    process_write(fixture->recording, &file);
    write_and_open(fixture);
    read_rank(fixture, 0);
    assert_int_equal(fixture->n, 2);
    assert_true(noted(fixture, "1 message with processes outside MPI_COMM_WORLD is left out"));
}

static void holds_times_that_went_back(void **state)
{
    Fixture *fixture = *state;
    ProcessFile file = process_file(0, 1);
    comms_start(fixture->recording, &file);
    FILE *segment = segment_start(fixture->recording, &file, 0);
    put_call(segment, "MPI_Test", 6000, 6500);
    put_call(segment, "MPI_Send", 5000, 5100);
    put_message(segment, RECORD_SEND, 0, 0, 1, 8, 0);
    fclose(segment);
    process_write(fixture->recording, &file);
    write_and_open(fixture);
    assert_true(noted(fixture, "the clock went back"));
    read_rank(fixture, 0);
    assert_int_equal(fixture->events[1].enter_ns + INIT_ENTER, 6500);
    assert_int_equal(fixture->events[1].leave_ns + INIT_ENTER, 6500);
}

static void writes_init_and_finalize_once(void **state)
{
    Fixture *fixture = *state;
    ProcessFile file = process_file(0, 1);
    comms_start(fixture->recording, &file);
    FILE *segment = segment_start(fixture->recording, &file, 0);
    put_call(segment, "MPI_Init_thread", INIT_ENTER, INIT_LEAVE + 5);
    put_call(segment, "MPI_Finalize", FINALIZE_ENTER + 5, FINALIZE_LEAVE);
    fclose(segment);
    process_write(fixture->recording, &file);
    write_and_open(fixture);
    assert_int_equal(fixture->summary.n_calls, 2);
    assert_int_equal(fixture->summary.n_notes, 0);
    read_rank(fixture, 0);
    assert_int_equal(fixture->n, 2);
}

static void says_that_nothing_was_recorded(void **state)
{
    Fixture *fixture = *state;
    assert_false(write_it(fixture));
    assert_int_equal(fixture->err.kind, ERR_ENVIRONMENT);
    assert_false(exists(fixture->parent, "trace"));
}

static void refuses_to_overwrite_a_trace(void **state)
{
    Fixture *fixture = *state;
    write_varied_recording(fixture->recording);
    assert_true(write_it(fixture));
    assert_false(write_it(fixture));
    assert_int_equal(fixture->err.kind, ERR_USAGE);
    assert_true(exists(fixture->directory, "traces.otf2"));
}

typedef struct Damage {
    const char *file;
    long offset;
    uint32_t value; /* 4 bytes to write there */
    const char *complaint;
} Damage;

static void damage(const char *directory, const Damage *done)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", directory, done->file);
    FILE *stream = fopen(path, "r+b");
    assert_non_null(stream);
    fseek(stream, done->offset, SEEK_SET);
    fwrite(&done->value, 4, 1, stream);
    fclose(stream);
}

static void names_file_and_offset_of_a_broken_record(void **state)
{
    Fixture *fixture = *state;
    static const Damage cases[] = {
        {"node1-100.process", 0, 0x20202020, "offset 0"},
        {"node1-100.process", offsetof(ProcessFile, version), 99, "version 99"},
        {"node1-100.process", offsetof(ProcessFile, rank), 5, "rank 5, but there are 2 processes"},
        {"node1-100.process", offsetof(ProcessFile, finalize_enter_ns) + 4, 0x20202020, "not in order"},
        {"node1-100.process", offsetof(ProcessFile, n_comms), 9, "ends within a communicator"},
        {"node1-100-0.segment", 0, 0x20202020, "offset 0"},
        {"node1-100-0.segment", SEGMENT_HEADER_BYTES + 8 + 4, 0x70202020, "a time of this call is out of range"},
        {"node1-100-0.segment", offsetof(SegmentHeader, version), 99, "version 99"},
        {"node1-100-0.segment", offsetof(SegmentHeader, stored_bytes), 77, "77 bytes of records stored"},
        {"node1-100-0.segment", SEGMENT_HEADER_BYTES, 77, "offset 4096: no record has the kind 77"},
        {"node1-100-0.segment", SEGMENT_HEADER_BYTES, RECORD_CALL | 1023u << 16,
         "offset 4096: no call has the number 1023"},
        {"node1-100-0.segment", SEGMENT_HEADER_BYTES + 3 * 32 + 4, 4, "offset 4192: communicator 4 of 4"},
        {"node1-100-0.segment", SEGMENT_HEADER_BYTES + 3 * 32 + 8, 2,
         "offset 4192: peer 2, but the group has 2 members"},
        {"node1-100-0.segment", SEGMENT_HEADER_BYTES + 32, RECORD_COLLECTIVE | 200 << 8,
         "no collective has the number 200"},
        {"node1-100-0.segment", SEGMENT_HEADER_BYTES + 32 + 8, 7, "offset 4128: root 7"},
        {"node1-100-0.segment", SEGMENT_HEADER_BYTES + 33 * 32 + 4, 2, "of window 2 with rank"},
        {"node1-100-0.segment", SEGMENT_HEADER_BYTES + 33 * 32 + 8, 2, "of window 3 with rank 2"},
        {"node1-100.comms", 8, 5000, "5000 ranges"},
        {"node1-100.comms", 12, 2, "neither a communicator nor a window"},
        {"node1-100.comms", 0, 7, "MPI"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_varied_recording(fixture->recording);
        damage(fixture->recording, &cases[i]);
        if (write_it(fixture))
            fail_msg("case %zu was accepted", i);
        assert_int_equal(fixture->err.kind, ERR_INPUT);
        if (i + 1 < sizeof cases / sizeof *cases && !strstr(fixture->err.message, cases[i].complaint))
            fail_msg("case %zu: %s", i, fixture->err.message);
        assert_non_null(strstr(fixture->err.message, "node1-10"));
        assert_false(exists(fixture->parent, "trace"));
    }
}

static void write_job(const char *recording, int first_pid, int n_processes, int64_t begin_ns, const char *program)
{
    for (int rank = 0; rank < n_processes; rank++) {
        ProcessFile file = process_file(rank, n_processes);
        file.pid = first_pid + rank;
        file.init_enter_ns = begin_ns + 10 * rank;
        file.init_leave_ns = begin_ns + 1000;
        file.finalize_enter_ns = begin_ns + 5000;
        file.finalize_leave_ns = begin_ns + 6000;
        snprintf(file.executable, sizeof file.executable, "%s", program);
        comms_start(recording, &file);
        FILE *segment = segment_start(recording, &file, 0);
        put_call(segment, "MPI_Barrier", begin_ns + 2000, begin_ns + 2100);
        put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_BARRIER, 0, ROOT_NONE, 0, 0, 0);
        fclose(segment);
        file.n_threads = 1;
        process_write(recording, &file);
    }
}

static void keeps_the_first_of_several_jobs_and_says_so(void **state)
{
    Fixture *fixture = *state;
    write_job(fixture->recording, 500, 2, 3000, "/bin/outer");
    write_job(fixture->recording, 100, 2, 5500, "/bin/inner"); /* while the first job still runs */
    write_job(fixture->recording, 300, 3, 20000, "/bin/inner");
    write_and_open(fixture);
    assert_int_equal(fixture->summary.n_processes, 2);
    assert_int_equal(fixture->summary.n_collectives, 2);
    assert_string_equal(fixture->source->trace->application.executable, "/bin/outer");
    assert_int_equal(fixture->summary.n_notes, 1);
    assert_non_null(strstr(fixture->summary.notes[0].text, "5 processes of /bin/inner are left out"));
    assert_null(strstr(fixture->summary.notes[0].text, "together"));
}

static void says_what_may_have_made_a_job_of_each_process(void **state)
{
    Fixture *fixture = *state;
    write_job(fixture->recording, 500, 1, 3000, "/bin/a");
    write_job(fixture->recording, 502, 1, 3005, "/bin/a");
    write_and_open(fixture);
    assert_int_equal(fixture->summary.n_processes, 1);
    assert_true(noted(fixture, "1 process of /bin/a is left out"));
    assert_true(noted(fixture, "if all processes were meant to be one job"));
}

static void tells_jobs_that_began_together_apart_by_program(void **state)
{
    Fixture *fixture = *state;
    write_job(fixture->recording, 500, 2, 3000, "/bin/a");
    write_job(fixture->recording, 502, 2, 3005, "/bin/b");
    write_and_open(fixture);
    assert_int_equal(fixture->summary.n_missing, 0);
    assert_string_equal(fixture->source->trace->application.executable, "/bin/a");
    assert_int_equal(fixture->summary.n_notes, 1); /* no note of different programs */
    assert_non_null(strstr(fixture->summary.notes[0].text, "2 processes of /bin/b are left out"));
    assert_non_null(strstr(fixture->summary.notes[0].text, "together"));
}

static void accepts_a_segment_that_was_never_begun(void **state)
{
    Fixture *fixture = *state;
    write_varied_recording(fixture->recording);
    static const Damage blank = {"node1-100-1.segment", 0, 0, NULL}, rest = {"node1-100-1.segment", 4, 0, NULL};
    damage(fixture->recording, &blank);
    damage(fixture->recording, &rest);
    write_and_open(fixture);
    read_rank(fixture, 0);
    assert_int_equal(fixture->n, 25);
}

static void reads_what_is_stored_before_the_half_that_was_not_full(void **state)
{
    Fixture *fixture = *state;
    ProcessFile file = process_file(0, 1);
    comms_start(fixture->recording, &file);
    FILE *segment = segment_start(fixture->recording, &file, 0);
    segment_store_halves(segment, 1);
    put_call(segment, "MPI_Send", 5000, 5001);
    put_message(segment, RECORD_SEND, 0, 0, 1, 8, 0);
    for (int i = 2; i < SEGMENT_HALF_BYTES / RECORD_BYTES; i++)
        put_cpu(segment, 5001 + i, i);
    /* Half 1 is the current one; half 0 has old records. */
    fseek(segment, SEGMENT_HEADER_BYTES + SEGMENT_HALF_BYTES, SEEK_SET);
    put_call(segment, "MPI_Send", 90000, 90001);
    put_message(segment, RECORD_SEND, 0, 0, 2, 8, 0);
    fseek(segment, SEGMENT_HEADER_BYTES, SEEK_SET);
    put_call(segment, "MPI_Recv", 4000, 4000);
    put_message(segment, RECORD_RECV, 0, 0, 9, 8, 0);
    fclose(segment);
    process_write(fixture->recording, &file);
    write_and_open(fixture);
    read_rank(fixture, 0);
    assert_int_equal(fixture->n, 4); /* with MPI_Init and MPI_Finalize */
    assert_int_equal(fixture->events[1].tag, 1);
    assert_int_equal(fixture->events[2].tag, 2);
}

/* Writes the archive of a process with this many segment halves of sends, on a disk of this
 * size. */
static void write_on_small_disk(Fixture *fixture, unsigned n_halves, const char *size)
{
    char mounted[512];
    snprintf(mounted, sizeof mounted, "%s/small", fixture->parent);
    if (mkdir(mounted, 0700) != 0 || mount("none", mounted, "tmpfs", 0, size) != 0)
        skip(); /* needs root */
    ProcessFile file = process_file(0, 1);
    comms_start(fixture->recording, &file);
    FILE *segment = segment_start(fixture->recording, &file, 0);
    segment_store_halves(segment, n_halves);
    for (unsigned i = 0; i < n_halves * (SEGMENT_HALF_BYTES / (2 * RECORD_BYTES)); i++) {
        put_call(segment, "MPI_Send", 5000 + 5 * i, 5002 + 5 * i);
        put_message(segment, RECORD_SEND, 0, 0, 1, 8, 0);
    }
    fclose(segment);
    file.finalize_enter_ns = file.finalize_leave_ns = 0;
    process_write(fixture->recording, &file);
    fixture->directory = arena_printf(fixture->arena, "%s/trace", mounted);
    bool written = write_it(fixture), left = exists(mounted, "trace");
    umount2(mounted, MNT_DETACH);
    assert_false(written);
    assert_int_equal(fixture->err.kind, ERR_ENVIRONMENT);
    assert_non_null(strstr(fixture->err.message, "No space left"));
    assert_false(left);
}

static void leaves_no_partial_archive_on_a_full_disk(void **state)
{
    write_on_small_disk(*state, 50, "size=256k");
}

/* OTF2 writes pieces of 4 MiB. It handles their failure differently from that of the last, smaller
 * piece. */
static void leaves_no_partial_archive_when_the_disk_fills_up_on_the_way(void **state)
{
    write_on_small_disk(*state, 300, "size=1m");
}

int main(void)
{
#define ARCHIVE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ARCHIVE_TEST(keeps_every_kind_of_event),
        ARCHIVE_TEST(takes_file_operations_for_computation),
        ARCHIVE_TEST(tells_of_the_application),
        ARCHIVE_TEST(numbers_groups_by_their_members),
        ARCHIVE_TEST(sums_up_what_was_recorded),
        ARCHIVE_TEST(pleases_otf2_print),
        ARCHIVE_TEST(leaves_waiting_for_a_processor_out_of_computation),
        ARCHIVE_TEST(translates_ranks_of_intercommunicators),
        ARCHIVE_TEST(unifies_communicators_across_processes),
        ARCHIVE_TEST(keeps_the_call_in_which_a_process_died),
        ARCHIVE_TEST(tells_of_ranks_without_a_record),
        ARCHIVE_TEST(leaves_messages_with_spawned_processes_out),
        ARCHIVE_TEST(holds_times_that_went_back),
        ARCHIVE_TEST(writes_init_and_finalize_once),
        ARCHIVE_TEST(says_that_nothing_was_recorded),
        ARCHIVE_TEST(refuses_to_overwrite_a_trace),
        ARCHIVE_TEST(names_file_and_offset_of_a_broken_record),
        ARCHIVE_TEST(keeps_the_first_of_several_jobs_and_says_so),
        ARCHIVE_TEST(says_what_may_have_made_a_job_of_each_process),
        ARCHIVE_TEST(tells_jobs_that_began_together_apart_by_program),
        ARCHIVE_TEST(accepts_a_segment_that_was_never_begun),
        ARCHIVE_TEST(reads_what_is_stored_before_the_half_that_was_not_full),
        ARCHIVE_TEST(leaves_no_partial_archive_on_a_full_disk),
        ARCHIVE_TEST(leaves_no_partial_archive_when_the_disk_fills_up_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
