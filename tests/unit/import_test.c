/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces of other tools, written by hand from their formats' descriptions: what they hold comes out of the archive that is
 * made of them. */
#include "fixture.h"

#include "trace/archive.h"
#include "trace/import/import.h"
#include <string.h>

enum { MOST_EVENTS = 64 };

static Archive *archive;
static Event events[MOST_EVENTS];
static ArchiveSummary summary;

static bool import(const char *path, double speed, Err *err)
{
    ForeignFormat format = FOREIGN_NONE;
    const char *recording = in_folder("recording"), *directory = in_folder("archive");
    files_remove_tree(recording);
    files_remove_tree(directory);
    *err = (Err){0};
    return foreign_format(path, &format, err) && import_trace(path, format, speed, recording, NULL, arena, err) &&
           archive_write(recording, directory, NULL, arena, &summary, err) && archive_open(directory, &archive, err);
}

static void import_well(const char *path, double speed)
{
    Err err;
    if (!import(path, speed, &err))
        fail_msg("%s", err.message);
}

static size_t read_events(uint32_t process)
{
    Err err;
    size_t count;
    EventSource *source = archive_source(archive);
    assert_true(source->read(source, process, events, MOST_EVENTS, &count, &err));
    return count;
}

static void assert_event(size_t i, EventKind kind, int64_t enter_ns, int64_t leave_ns, int64_t compute_ns)
{
    assert_int_equal(events[i].kind, kind);
    assert_int_equal(events[i].enter_ns - events[0].leave_ns, enter_ns);
    assert_int_equal(events[i].leave_ns - events[0].leave_ns, leave_ns);
    assert_int_equal(events[i].compute_ns, compute_ns);
}

static void assert_message(size_t i, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    assert_int_equal(events[i].peer, peer);
    assert_int_equal(events[i].tag, tag);
    assert_int_equal(events[i].bytes, bytes);
}

static void assert_collective(size_t i, Collective collective, uint32_t n_members, uint32_t root, uint64_t sent,
                              uint64_t received)
{
    assert_int_equal(events[i].kind, EVENT_COLLECTIVE);
    assert_int_equal(events[i].collective, collective);
    assert_int_equal(archive_source(archive)->trace->comms[events[i].comm].n_members, n_members);
    assert_int_equal(events[i].peer, root);
    assert_int_equal(events[i].bytes, sent);
    assert_int_equal(events[i].bytes_received, received);
}

static bool has_note(const char *part)
{
    for (uint32_t i = 0; i < summary.n_notes; i++)
        if (strstr(summary.notes[i].text, part))
            return true;
    return false;
}

static void assert_refused(const char *path, double speed, const char *place, const char *what)
{
    Err err;
    assert_false(import(path, speed, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    const char *expected = arena_printf(arena, "%s: line %s: ", path, place);
    if (strncmp(err.message, expected, strlen(expected)) != 0 || !strstr(err.message, what))
        fail_msg("%s", err.message);
}

/* --- Paraver --- */

#define HEADER "#Paraver (26/11/2026 at 12:40):100000_ns:1(2):1:3(1:1,1:1,1:1),4\n"
#define COMMS "c:1:1:3:1:2:3\nc:1:2:1:1\nc:1:3:2:2:3\nc:1:4:1:2\n"

static const char names[] = "STATES\n0    Idle\n1    Running\n\n"
                            "EVENT_TYPE\n9   50000001    MPI Point-to-point\nVALUES\n1   MPI_Send\n2   MPI_Recv\n"
                            "4   MPI_Irecv\n6   MPI_Waitall\n0   Outside MPI\n\n"
                            "EVENT_TYPE\n9   50000002    MPI Collective Comm\nVALUES\n7   MPI_Bcast\n8   MPI_Barrier\n"
                            "11   MPI_Alltoall\n0   Outside MPI\n\n"
                            "EVENT_TYPE\n9   50000003    MPI Other\nVALUES\n19   MPI_Comm_rank\n31   MPI_Init\n"
                            "32   MPI_Finalize\n23   MPI_Comm_split\n0   Outside MPI\n";

/* Each of the three tasks enters MPI_Init at 0 and leaves it at 1000, and is in MPI_Finalize from
 * 90000 to 91000. */
static const char *paraver(const char *header, const char *records)
{
    saved("app.pcf", names);
    const char *begin = "", *end = "";
    for (int task = 1; task <= 3; task++) {
        begin = arena_printf(arena, "%s2:%d:1:%d:1:0:50000003:31\n2:%d:1:%d:1:1000:50000003:0\n", begin, task, task,
                             task, task);
        end = arena_printf(arena, "%s2:%d:1:%d:1:90000:50000003:32\n2:%d:1:%d:1:91000:50000003:0\n", end, task, task,
                           task, task);
    }
    return saved("app.prv", arena_printf(arena, "%s%s%s%s", header, begin, records, end));
}

static void messages_of_paraver_lie_in_their_calls(void **state)
{
    import_well(paraver(HEADER COMMS, "2:1:1:1:1:2000:50000001:4\n2:1:1:1:1:2100:50000001:0\n"
                                      "1:1:1:1:1:2100:5000:1\n"
                                      "2:2:1:2:1:3000:50000001:1:42000050:77\n"
                                      "3:2:1:2:1:3000:3500:1:1:1:1:2100:5800:1600:7\n"
                                      "2:2:1:2:1:3500:50000001:0\n"
                                      "2:1:1:1:1:5000:50000001:6\n2:1:1:1:1:6000:50000001:0\n"
                                      "2:2:1:2:1:7000:50000001:2\n2:1:1:1:1:8000:50000001:1\n"
                                      "3:1:1:1:1:8000:8100:2:1:2:1:7000:8200:8:0\n"
                                      "2:1:1:1:1:8100:50000001:0\n2:2:1:2:1:8200:50000001:0\n"),
                0);
    assert_int_equal(summary.n_processes, 3);
    assert_int_equal(summary.n_messages, 2);
    assert_true(has_note("left out: 1 events that aren't MPI's"));

    assert_int_equal(read_events(0), 5);
    assert_event(1, EVENT_RECV_POST, 1000, 1100, 1000);
    assert_event(2, EVENT_RECV, 4000, 5000, 2900);
    assert_message(2, 1, 7, 1600);
    assert_int_equal(events[1].request, events[2].request);
    assert_event(3, EVENT_SEND, 7000, 7100, 2000);
    assert_message(3, 1, 0, 8);
    assert_event(4, EVENT_END, 89000, 89000 + 1000, 81900);

    assert_int_equal(read_events(1), 4);
    assert_event(1, EVENT_SEND, 2000, 2500, 2000);
    assert_message(1, 0, 7, 1600);
    assert_event(2, EVENT_RECV, 6000, 7200, 3500);
    assert_int_equal(events[2].request, NO_REQUEST);
    archive_close(archive);
}

static void collectives_of_paraver_have_name_communicator_root_and_volume(void **state)
{
    import_well(paraver(HEADER COMMS,
                        "2:3:1:3:1:2000:50000002:7:50100001:40:50100002:0:50100003:1:50100004:3\n"
                        "2:2:1:2:1:2000:50000002:7:50100001:0:50100002:40:50100004:3\n"
                        "2:3:1:3:1:2500:50000002:0\n2:2:1:2:1:2500:50000002:0\n"
                        "2:1:1:1:1:3000:50000002:11:50100001:8:50100002:24:50100004:1\n"
                        "2:2:1:2:1:3000:50000002:11:50100001:8:50100002:24:50100004:1\n"
                        "2:3:1:3:1:3000:50000002:11:50100001:8:50100002:24:50100004:1\n"
                        "2:1:1:1:1:3500:50000002:0\n2:2:1:2:1:3500:50000002:0\n2:3:1:3:1:3500:50000002:0\n"
                        "2:2:1:2:1:4000:50000003:23\n2:2:1:2:1:4100:50000003:0\n"
                        "2:2:1:2:1:5000:50000003:19\n2:2:1:2:1:5100:50000003:0\n"),
                0);
    assert_int_equal(summary.n_collectives, 5);
    assert_true(has_note("1 MPI_Comm_split"));
    assert_true(has_note("1 MPI_Comm_rank"));
    assert_int_equal(read_events(1), 4);
    assert_collective(1, COLLECTIVE_BCAST, 2, 2, 0, 40);
    assert_collective(2, COLLECTIVE_ALLTOALL, 3, NO_ROOT, 24, 24);
    assert_event(3, EVENT_END, 89000, 90000, 86500 - 100);
    assert_int_equal(read_events(2), 4);
    assert_collective(1, COLLECTIVE_BCAST, 2, 2, 40, 0);
    assert_int_equal(read_events(0), 3);
    archive_close(archive);
}

static void a_paraver_trace_of_states_alone_has_calls_too(void **state)
{
    import_well(saved("states.prv", "#Paraver (x):100_us:0:1:2(1:1,1:1)\n"
                                    "1:1:1:1:1:0:10:1\n1:1:1:1:1:10:15:4\n1:2:1:2:1:0:16:3\n"
                                    "3:1:1:1:1:10:12:2:1:2:1:0:16:64:3\n1:1:1:1:1:15:100:1\n"),
                0);
    assert_true(has_note("no MPI events"));
    assert_int_equal(read_events(0), 2);
    assert_event(1, EVENT_SEND, 10000, 15000, 10000);
    assert_message(1, 1, 3, 64);
    assert_int_equal(read_events(1), 2);
    assert_event(1, EVENT_RECV, 0, 16000, 0);
    assert_int_equal(summary.n_incomplete, 1); /* without MPI_Finalize */
    archive_close(archive);
}

static void a_broken_paraver_trace_is_refused_with_its_line(void **state)
{
    assert_refused(paraver("#Paraver (x):1_ns:1(2):1:3(1:1,1:1),0\n", ""), 0, "1", "a task's node");
    assert_refused(paraver(HEADER "c:1:1:3:1:2:4\n", ""), 0, "2", "members");
    assert_refused(paraver(HEADER COMMS, "7:1:1:1:1:5\n"), 0, "12", "kind 7");
    assert_refused(paraver(HEADER COMMS, "2:1:1:4:1:5:1:1\n"), 0, "12", "a task");
    assert_refused(paraver(HEADER COMMS, "2:1:1:1:1:5:50000001:99\n"), 0, "12", "no name for the value 99");
    assert_refused(paraver(HEADER COMMS, "3:1:1:1:1:5:5:1:1:2:1:5:5:1\n"), 0, "12", "a size");
    assert_refused(paraver(HEADER COMMS, "2:1:1:1:1:500:50000001:1\n"), 0, "12", "lies before");
    assert_refused(paraver(HEADER COMMS, "2:1:1:1:1:5000:50000002:8:50100004:9\n"), 0, "12", "communicator 9");
    assert_refused(paraver(HEADER COMMS, "2:1:1:1:1:5000:50000002:8:50100004:3\n"), 0, "12", "isn't a member");
    assert_refused(paraver(HEADER "c:1:1:3:1:2:3\n", ""), 0, "14", "promises 4 communicators");
}

/* With a coarse clock, a call begins when the one before it ends. */
static void a_time_between_two_calls_belongs_to_the_one_that_its_name_suits(void **state)
{
    import_well(paraver(HEADER COMMS, "2:1:1:1:1:2000:50000001:4\n2:1:1:1:1:3000:50000001:0:50000001:4\n"
                                      "2:1:1:1:1:4000:50000001:0\n2:1:1:1:1:4000:50000001:1\n"
                                      "2:1:1:1:1:5000:50000001:0\n2:1:1:1:1:5000:50000001:6\n"
                                      "2:1:1:1:1:6000:50000001:0\n2:1:1:1:1:6000:50000001:2\n"
                                      "2:1:1:1:1:7000:50000001:0\n"
                                      "3:1:1:1:1:4000:5000:2:1:2:1:5000:9000:4:4\n"
                                      "3:2:1:2:1:1500:1500:1:1:1:1:3000:6000:1:1\n"
                                      "3:2:1:2:1:1500:1500:1:1:1:1:4000:6000:2:2\n"
                                      "3:2:1:2:1:1500:1500:1:1:1:1:6000:7000:3:3\n"),
                0);
    assert_int_equal(read_events(0), 8);
    assert_event(1, EVENT_RECV_POST, 1000, 2000, 1000);
    assert_event(2, EVENT_RECV_POST, 2000, 3000, 0);
    assert_event(3, EVENT_SEND, 3000, 4000, 0);
    assert_event(4, EVENT_RECV, 4000, 5000, 0);
    assert_message(4, 1, 1, 1);
    assert_event(5, EVENT_RECV, 4000, 5000, 0);
    assert_message(5, 1, 2, 2);
    assert_event(6, EVENT_RECV, 5000, 6000, 0);
    assert_message(6, 1, 3, 3);
    assert_int_equal(events[6].request, NO_REQUEST);
    archive_close(archive);
}

/* --- TI --- */

/* Each call takes 1 ns at least. */
static void a_ti_trace_gets_times_from_its_amounts(void **state)
{
    import_well(saved("ti.txt",
                      "0 init\n0 compute 3000\n0 isend 1 5 2 1\n0 wait 0 1 5\n0 allReduce 1 500 0\n0 finalize\n"
                      "1 init\n1 irecv 0 5 2 1\n1 compute 1000\n1 wait 0 1 5\n1 compute 1e3\n"
                      "1 allreduce 1 500 0\n1 finalize\n"),
                1e9);
    assert_int_equal(summary.n_processes, 2);
    assert_true(has_note("holds no times"));
    assert_int_equal(read_events(0), 4);
    assert_event(1, EVENT_SEND, 3000, 3001, 3000);
    assert_message(1, 1, 5, 8);
    assert_event(2, EVENT_COLLECTIVE, 3002, 4500, 0);
    assert_collective(2, COLLECTIVE_ALLREDUCE, 2, NO_ROOT, 8, 8);
    assert_event(3, EVENT_END, 4500, 4500, 0);
    assert_int_equal(read_events(1), 5);
    assert_event(2, EVENT_RECV, 1001, 3000, 1000);
    assert_message(2, 0, 5, 8);
    assert_event(3, EVENT_COLLECTIVE, 4000, 4500, 1000);
    archive_close(archive);
}

/* From any source, the message that was sent first; SMPI writes sources that it doesn't know as -333. */
static void a_ti_trace_may_leave_sources_open(void **state)
{
    saved("0.txt", "0 init\n0 recv -333 -444 9 6\n0 recv -333 -444 9 6\n0 finalize\n");
    saved("1.txt", "1 init\n1 compute 20\n1 send 0 3 7 6\n1 isend -333 4 7 6\n1 waitall 1\n1 finalize\n");
    saved("2.txt", "2 init\n2 irecv -333 1 7 6\n2 compute 10\n2 send 0 4 8 6\n2 waitall 1\n2 finalize\n");
    import_well(saved("index", "0.txt\n1.txt\n2.txt\n"), 1e9);
    assert_true(has_note("1 nonblocking receives without a source count as ones from MPI_PROC_NULL"));
    assert_int_equal(read_events(0), 4);
    assert_event(1, EVENT_RECV, 0, 11, 0);
    assert_message(1, 2, 4, 8);
    assert_event(2, EVENT_RECV, 11, 20, 0);
    assert_message(2, 1, 3, 7);
    assert_int_equal(read_events(1), 3);
    assert_int_equal(read_events(2), 3);
    archive_close(archive);
}

/* SMPI leaves out sizes of 0, and a root without a datatype. */
static void collectives_of_ti_have_root_and_volume(void **state)
{
    import_well(saved("ti.txt", "0 gather 4 4 1 1 1\n0 gatherv 1 1 2 1 1 1\n0 scatter 2 2 0 6 6\n0 alltoall 3 3\n"
                                "0 reducescatter 1 2 0 0\n0 exscan 5 0 6\n0 bcast 10 1 0 \n"
                                "1 gather 4 4 1 1 1\n1 gatherv 2 1 2 1 1 1\n1 scatter 0 2 0 6 6\n1 alltoall 3 3\n"
                                "1 reducescatter 1 2 0 0\n1 exscan 5 0 6\n1 bcast 10 1 0 \n"),
                1e9);
    assert_int_equal(read_events(0), 8);
    assert_collective(1, COLLECTIVE_GATHER, 2, 1, 16, 0);
    assert_collective(3, COLLECTIVE_SCATTER, 2, 0, 4, 2);
    assert_collective(4, COLLECTIVE_ALLTOALL, 2, NO_ROOT, 6, 6);
    assert_collective(5, COLLECTIVE_REDUCE_SCATTER, 2, NO_ROOT, 24, 8);
    assert_collective(6, COLLECTIVE_EXSCAN, 2, NO_ROOT, 5, 0);
    assert_collective(7, COLLECTIVE_BCAST, 2, 1, 0, 80);
    assert_int_equal(read_events(1), 8);
    assert_collective(1, COLLECTIVE_GATHER, 2, 1, 16, 32);
    assert_collective(2, COLLECTIVE_GATHERV, 2, 1, 8, 12);
    assert_collective(3, COLLECTIVE_SCATTER, 2, 0, 0, 2);
    archive_close(archive);
}

static void a_broken_ti_trace_is_refused_with_its_line(void **state)
{
    assert_refused(saved("t", "0 init\n0 dance\n"), 1, "2", "dance");
    assert_refused(saved("t", "0 init\n0 send 1 0\n"), 1, "2", "expected 3");
    assert_refused(saved("t", "0 init\n0 send 7 0 8\n"), 1, "2", "one of the processes");
    assert_refused(saved("t", "0 init\n0 compute much\n"), 1, "2", "much");
    assert_refused(saved("t", "0 init\n0 start 1 2 3\n"), 1, "2", "which messages");
    assert_refused(saved("t", "0 init\n1 init\n1 recv 0 1 8\n"), 1, "3", "waits for ever");
    assert_refused(saved("t", "0 barrier\n1 bcast 8\n"), 1, "2", "another collective");
    assert_refused(saved("t", "0 finalize\n0 compute 1\n0 barrier\n"), 1, "3", "after its finalize");
    saved("0.txt", "0 init\n");
    assert_refused(saved("index", "0.txt\nabsent.txt\n"), 1, "2", "neither an action nor a file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        fixture_test(messages_of_paraver_lie_in_their_calls),
        fixture_test(collectives_of_paraver_have_name_communicator_root_and_volume),
        fixture_test(a_time_between_two_calls_belongs_to_the_one_that_its_name_suits),
        fixture_test(a_paraver_trace_of_states_alone_has_calls_too),
        fixture_test(a_broken_paraver_trace_is_refused_with_its_line),
        fixture_test(a_ti_trace_gets_times_from_its_amounts),
        fixture_test(a_ti_trace_may_leave_sources_open),
        fixture_test(collectives_of_ti_have_root_and_volume),
        fixture_test(a_broken_ti_trace_is_refused_with_its_line),
    };
    return cmocka_run_group_tests_name("import", tests, NULL, NULL);
}
