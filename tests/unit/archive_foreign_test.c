/* SPDX-License-Identifier: BSD-3-Clause */
/* Archives of other tools: numbers with gaps, ranks in another order than locations, user regions,
 * accelerators, local numbers with mapping tables, another clock, no MPI_Init, and nonblocking
 * collectives that are described only at their completion. */
#include "archive_recording.h"
#include "test.h"

#include "trace/archive.h"
#include "trace/archive_names.h"
#include <otf2/otf2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANK0_LOCATION = 20, RANK1_LOCATION = 10, GPU_LOCATION = 30 };
enum { USER_REGION = 3, SEND_REGION = 5, RECV_REGION = 6, WAIT_REGION = 9, REDUCE_REGION = 12, NEIGHBOUR_REGION = 13 };
enum { WORLD_COMM = 4, SELF_COMM = 7, PAIR_COMM = 8 };
enum { MOST_EVENTS = 64 };

typedef struct Fixture {
    char *directory;
    Archive *archive;
    EventSource *source;
    Err err;
    Event events[MOST_EVENTS];
    size_t n;
    uint64_t n_promised_more; /* events that the definitions announce, but the files don't have */
    uint32_t n_strings_more;  /* definitions that nothing refers to */
    uint32_t n_events_more;   /* additional events of rank 1 */
    const char *shared;       /* how many ranks share a processor, as a property; NULL: none */
} Fixture;

static OTF2_FlushType flush_always(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static void write_rank0(OTF2_EvtWriter *w)
{
    OTF2_EvtWriter_Enter(w, NULL, 1000, USER_REGION);
    OTF2_EvtWriter_Enter(w, NULL, 1010, SEND_REGION);
    OTF2_EvtWriter_MpiSend(w, NULL, 1010, 1, WORLD_COMM, 3, 100);
    OTF2_EvtWriter_Leave(w, NULL, 1012, SEND_REGION);
    OTF2_EvtWriter_Leave(w, NULL, 1020, USER_REGION);
    OTF2_EvtWriter_Enter(w, NULL, 1030, REDUCE_REGION);
    OTF2_EvtWriter_NonBlockingCollectiveRequest(w, NULL, 1030, 77);
    OTF2_EvtWriter_Leave(w, NULL, 1031, REDUCE_REGION);
    OTF2_EvtWriter_Enter(w, NULL, 1032, NEIGHBOUR_REGION);
    OTF2_EvtWriter_NonBlockingCollectiveRequest(w, NULL, 1032, 78);
    OTF2_EvtWriter_Leave(w, NULL, 1033, NEIGHBOUR_REGION);
    OTF2_EvtWriter_Enter(w, NULL, 1040, SEND_REGION);
    OTF2_EvtWriter_MpiSend(w, NULL, 1040, 0, SELF_COMM, 4, 8);
    OTF2_EvtWriter_Leave(w, NULL, 1042, SEND_REGION);
    OTF2_EvtWriter_Enter(w, NULL, 1050, WAIT_REGION);
    OTF2_EvtWriter_NonBlockingCollectiveComplete(w, NULL, 1052, OTF2_COLLECTIVE_OP_ALLGATHER, WORLD_COMM,
                                                 OTF2_UNDEFINED_UINT32, 4, 8, 78);
    OTF2_EvtWriter_NonBlockingCollectiveComplete(w, NULL, 1053, OTF2_COLLECTIVE_OP_REDUCE, PAIR_COMM, 0, 16, 0, 77);
    OTF2_EvtWriter_Leave(w, NULL, 1054, WAIT_REGION);
    OTF2_EvtWriter_RmaPut(w, NULL, 1060, 0, 1, 512, 1);
    OTF2_EvtWriter_MpiCollectiveBegin(w, NULL, 1070);
    OTF2_EvtWriter_MpiCollectiveEnd(w, NULL, 1075, OTF2_COLLECTIVE_OP_BARRIER, WORLD_COMM, OTF2_UNDEFINED_UINT32, 0, 0);
}

/* Writes local numbers: region 0 is SEND_REGION's successor, communicator 0 the world. */
static void write_rank1(OTF2_EvtWriter *w, uint32_t n_more)
{
    for (uint32_t i = 0; i < n_more; i++)
        OTF2_EvtWriter_Enter(w, NULL, 1000, USER_REGION);
    OTF2_EvtWriter_Enter(w, NULL, 1005, 0);
    OTF2_EvtWriter_MpiRecv(w, NULL, 1015, 0, 0, 3, 100);
    OTF2_EvtWriter_Leave(w, NULL, 1016, 0);
}

static void write_mapping(OTF2_Archive *archive)
{
    static const uint64_t regions[] = {RECV_REGION}, comms[] = {WORLD_COMM};
    OTF2_DefWriter *definitions = OTF2_Archive_GetDefWriter(archive, RANK1_LOCATION);
    OTF2_IdMap *region_map = OTF2_IdMap_CreateFromUint64Array(1, regions, false);
    OTF2_IdMap *comm_map = OTF2_IdMap_CreateFromUint64Array(1, comms, false);
    OTF2_DefWriter_WriteMappingTable(definitions, OTF2_MAPPING_REGION, region_map);
    OTF2_DefWriter_WriteMappingTable(definitions, OTF2_MAPPING_COMM, comm_map);
    OTF2_IdMap_Free(region_map);
    OTF2_IdMap_Free(comm_map);
    OTF2_Archive_CloseDefWriter(archive, definitions);
}

static void write_region(OTF2_GlobalDefWriter *w, uint32_t self, uint32_t name, OTF2_Paradigm paradigm)
{
    OTF2_GlobalDefWriter_WriteRegion(w, self, name, name, OTF2_UNDEFINED_STRING, OTF2_REGION_ROLE_FUNCTION, paradigm,
                                     OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
}

static void write_definitions(OTF2_GlobalDefWriter *w, const uint64_t n_events[3], uint32_t n_strings_more)
{
    static const char *const strings[] = {
        "", "main", "MPI_Send", "MPI_Recv", "MPI_Wait", "MPI_Ireduce", "MPI_Ineighbor_allgather"};
    static const uint64_t locations[] = {RANK0_LOCATION, RANK1_LOCATION}, world[] = {0, 1}, pair[] = {1, 0},
                          threads[] = {0};
    for (uint32_t i = 0; i < sizeof strings / sizeof *strings; i++)
        OTF2_GlobalDefWriter_WriteString(w, 100 + i, strings[i]);
    for (uint32_t i = 0; i < n_strings_more; i++)
        OTF2_GlobalDefWriter_WriteString(w, 1000 + i, "of which a hundred thousand don't fit into one chunk of theirs");
    OTF2_GlobalDefWriter_WriteClockProperties(w, 1000000, 1000, 100, OTF2_UNDEFINED_TIMESTAMP); /* microseconds */
    OTF2_GlobalDefWriter_WriteSystemTreeNode(w, 0, 101, 101, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t i = 0; i < 3; i++)
        OTF2_GlobalDefWriter_WriteLocationGroup(
            w, i, 101, i < 2 ? OTF2_LOCATION_GROUP_TYPE_PROCESS : OTF2_LOCATION_GROUP_TYPE_ACCELERATOR, 0,
            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(w, RANK1_LOCATION, 101, OTF2_LOCATION_TYPE_CPU_THREAD, n_events[1], 1);
    OTF2_GlobalDefWriter_WriteLocation(w, RANK0_LOCATION, 101, OTF2_LOCATION_TYPE_CPU_THREAD, n_events[0], 0);
    OTF2_GlobalDefWriter_WriteLocation(w, GPU_LOCATION, 101, OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, n_events[2], 1);
    OTF2_GlobalDefWriter_WriteLocation(w, 40, 101, OTF2_LOCATION_TYPE_METRIC, 0, 0);
    OTF2_GlobalDefWriter_WriteLocation(w, 41, 101, OTF2_LOCATION_TYPE_CPU_THREAD, 0, 1);
    write_region(w, USER_REGION, 101, OTF2_PARADIGM_COMPILER);
    write_region(w, SEND_REGION, 102, OTF2_PARADIGM_MPI);
    write_region(w, RECV_REGION, 103, OTF2_PARADIGM_MPI);
    write_region(w, WAIT_REGION, 104, OTF2_PARADIGM_MPI);
    write_region(w, REDUCE_REGION, 105, OTF2_PARADIGM_MPI);
    write_region(w, NEIGHBOUR_REGION, 106, OTF2_PARADIGM_MPI);
    OTF2_GlobalDefWriter_WriteGroup(w, 0, 100, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_PTHREAD, 0, 1, locations);
    OTF2_GlobalDefWriter_WriteGroup(w, 1, 100, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, 0, 2, locations);
    OTF2_GlobalDefWriter_WriteGroup(w, 2, 100, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 0, 2, world);
    OTF2_GlobalDefWriter_WriteGroup(w, 3, 100, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, 0, 2, pair);
    OTF2_GlobalDefWriter_WriteGroup(w, 4, 100, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, 0, 0, NULL);
    OTF2_GlobalDefWriter_WriteGroup(w, 5, 100, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_PTHREAD, 0, 1, threads);
    OTF2_GlobalDefWriter_WriteComm(w, PAIR_COMM, 100, 3, OTF2_UNDEFINED_COMM, 0);
    OTF2_GlobalDefWriter_WriteComm(w, WORLD_COMM, 100, 2, OTF2_UNDEFINED_COMM, 0);
    OTF2_GlobalDefWriter_WriteComm(w, SELF_COMM, 100, 4, OTF2_UNDEFINED_COMM, 0);
    OTF2_GlobalDefWriter_WriteComm(w, 9, 100, 5, OTF2_UNDEFINED_COMM, 0);
    OTF2_GlobalDefWriter_WriteRmaWin(w, 0, 100, PAIR_COMM, OTF2_RMA_WIN_FLAG_NONE);
}

static void write_archive(const Fixture *fixture)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = flush_always};
    static const OTF2_LocationRef locations[] = {RANK0_LOCATION, RANK1_LOCATION, GPU_LOCATION};
    uint64_t n_events[3];
    OTF2_Archive *archive = OTF2_Archive_Open(fixture->directory, "other", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 22,
                                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    if (fixture->shared)
        OTF2_Archive_SetProperty(archive, PROPERTY_RANKS_PER_PROCESSOR, fixture->shared, true);
    OTF2_Archive_OpenEvtFiles(archive);
    for (size_t i = 0; i < 3; i++) {
        OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, locations[i]);
        if (i == 0)
            write_rank0(writer);
        else if (i == 1)
            write_rank1(writer, fixture->n_events_more);
        else
            OTF2_EvtWriter_Enter(writer, NULL, 1001, USER_REGION);
        OTF2_EvtWriter_GetNumberOfEvents(writer, &n_events[i]);
        OTF2_Archive_CloseEvtWriter(archive, writer);
    }
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    write_mapping(archive);
    OTF2_Archive_CloseDefFiles(archive);
    n_events[0] += fixture->n_promised_more;
    write_definitions(OTF2_Archive_GetGlobalDefWriter(archive), n_events, fixture->n_strings_more);
    OTF2_Archive_Close(archive);
}

static int set_up(void **state)
{
    Fixture *fixture = memory_zeroed(1, sizeof *fixture);
    fixture->directory = make_directory();
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *fixture = *state;
    archive_close(fixture->archive);
    remove_directory(fixture->directory);
    free(fixture);
    return 0;
}

static bool read_rank(Fixture *fixture, uint32_t rank)
{
    size_t count = 1;
    for (fixture->n = 0; count > 0; fixture->n += count)
        if (!fixture->source->read(fixture->source, rank, fixture->events + fixture->n, MOST_EVENTS - fixture->n,
                                   &count, &fixture->err))
            return false;
    return true;
}

static void open_and_read(Fixture *fixture, uint32_t rank)
{
    write_archive(fixture);
    if (!archive_open(fixture->directory, &fixture->archive, &fixture->err))
        fail_msg("%s", fixture->err.message);
    fixture->source = archive_source(fixture->archive);
    if (!read_rank(fixture, rank))
        fail_msg("%s", fixture->err.message);
}

static void takes_ranks_from_the_group_of_locations(void **state)
{
    Fixture *fixture = *state;
    open_and_read(fixture, 0);
    assert_int_equal(fixture->source->trace->application.n_processes, 2);
    assert_string_equal(fixture->source->trace->application.executable, "");
    assert_int_equal(fixture->events[1].kind, EVENT_SEND);
    assert_int_equal(fixture->events[1].peer, 1);
}

static void starts_and_ends_with_the_first_and_last_call(void **state)
{
    Fixture *fixture = *state;
    open_and_read(fixture, 0);
    assert_int_equal(fixture->events[0].kind, EVENT_BEGIN);
    assert_int_equal(fixture->events[0].leave_ns, 10000);
    assert_int_equal(fixture->events[fixture->n - 1].kind, EVENT_END);
    assert_int_equal(fixture->events[fixture->n - 1].enter_ns, 75000);
}

static void converts_ticks_to_nanoseconds(void **state)
{
    Fixture *fixture = *state;
    open_and_read(fixture, 0);
    assert_int_equal(fixture->events[1].enter_ns, 10000);
    assert_int_equal(fixture->events[1].leave_ns, 12000);
    assert_int_equal(fixture->events[2].compute_ns, 18000); /* user code counts as computation */
}

static void puts_nonblocking_collectives_where_they_were_posted(void **state)
{
    Fixture *fixture = *state;
    open_and_read(fixture, 0);
    assert_int_equal(fixture->n, 8);
    assert_int_equal(fixture->events[2].kind, EVENT_COLLECTIVE);
    assert_int_equal(fixture->events[2].collective, COLLECTIVE_REDUCE);
    assert_int_equal(fixture->events[2].request, 77);
    assert_int_equal(fixture->events[2].peer, 1); /* rank 0 of {1 0} */
    assert_int_equal(fixture->events[2].enter_ns, 30000);
    assert_int_equal(fixture->events[2].bytes, 16);
    assert_int_equal(fixture->events[3].collective, COLLECTIVE_NEIGHBOR_ALLGATHER);
    assert_int_equal(fixture->events[4].kind, EVENT_SEND);
    assert_int_equal(fixture->events[4].peer, 0);
}

static void reads_events_outside_of_any_region(void **state)
{
    Fixture *fixture = *state;
    open_and_read(fixture, 0);
    assert_int_equal(fixture->events[5].kind, EVENT_ONE_SIDED);
    assert_int_equal(fixture->events[5].peer, 0); /* rank 1 of {1 0} */
    assert_int_equal(fixture->events[6].kind, EVENT_COLLECTIVE);
    assert_int_equal(fixture->events[6].enter_ns, 70000);
    assert_int_equal(fixture->events[6].leave_ns, 75000);
}

static void applies_local_mapping_tables(void **state)
{
    Fixture *fixture = *state;
    open_and_read(fixture, 1);
    assert_int_equal(fixture->n, 3);
    assert_int_equal(fixture->events[1].kind, EVENT_RECV);
    assert_int_equal(fixture->events[1].peer, 0);
    assert_string_equal(fixture->source->trace->comms[fixture->events[1].comm].name, "communicator 4");
    assert_int_equal(fixture->source->trace->comms[fixture->events[1].comm].group, 0);
}

static void reports_promised_events_that_are_missing(void **state)
{
    Fixture *fixture = *state;
    fixture->n_promised_more = 5;
    write_archive(fixture);
    assert_true(archive_open(fixture->directory, &fixture->archive, &fixture->err));
    fixture->source = archive_source(fixture->archive);
    assert_false(read_rank(fixture, 0));
    assert_int_equal(fixture->err.kind, ERR_INPUT);
    assert_non_null(strstr(fixture->err.message, "20.evt: truncated"));
}

/* Cuts off the last chunk of a file with several chunks. OTF2 alone would read the chunk before it
 * again and again. */
static void cut_off(const Fixture *fixture, const char *name)
{
    char path[512];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", fixture->directory, name);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(truncate(path, status.st_size - status.st_size / 8), 0);
}

static void reports_an_event_file_that_was_cut_off(void **state)
{
    Fixture *fixture = *state;
    fixture->n_events_more = 1000000;
    write_archive(fixture);
    cut_off(fixture, "other/10.evt");
    assert_true(archive_open(fixture->directory, &fixture->archive, &fixture->err));
    fixture->source = archive_source(fixture->archive);
    assert_false(read_rank(fixture, 1));
    assert_int_equal(fixture->err.kind, ERR_INPUT);
    assert_non_null(
        strstr(fixture->err.message, "10.evt: broken: the definitions announce 1000003 events, but there are more"));
}

static void reports_definitions_that_were_cut_off(void **state)
{
    Fixture *fixture = *state;
    fixture->n_strings_more = 100000;
    write_archive(fixture);
    cut_off(fixture, "other.def");
    assert_false(archive_open(fixture->directory, &fixture->archive, &fixture->err));
    assert_int_equal(fixture->err.kind, ERR_INPUT);
    assert_non_null(strstr(fixture->err.message, "other.def"));
}

static void reports_an_absent_event_file(void **state)
{
    Fixture *fixture = *state;
    char path[512];
    write_archive(fixture);
    snprintf(path, sizeof path, "%s/other/20.evt", fixture->directory);
    unlink(path);
    assert_true(archive_open(fixture->directory, &fixture->archive, &fixture->err));
    fixture->source = archive_source(fixture->archive);
    assert_false(read_rank(fixture, 0));
    assert_non_null(strstr(fixture->err.message, "20.evt: No such file"));
    assert_true(read_rank(fixture, 1));
}

static void refuses_what_is_no_archive(void **state)
{
    Fixture *fixture = *state;
    char path[512];
    assert_false(archive_open(fixture->directory, &fixture->archive, &fixture->err));
    assert_int_equal(fixture->err.kind, ERR_INPUT);
    snprintf(path, sizeof path, "%s/absent", fixture->directory);
    assert_false(archive_open(path, &fixture->archive, &fixture->err));
    snprintf(path, sizeof path, "%s/empty.otf2", fixture->directory);
    fclose(fopen(path, "wb"));
    assert_false(archive_open(path, &fixture->archive, &fixture->err));
    assert_non_null(strstr(fixture->err.message, "empty.otf2"));
    assert_non_null(strstr(fixture->err.message, "empty"));
}

static void says_that_a_directory_may_not_be_read(void **state)
{
    Fixture *fixture = *state;
    char path[512];
    const uid_t user = geteuid();
    snprintf(path, sizeof path, "%s/locked", fixture->directory);
    assert_int_equal(chmod(fixture->directory, 0755), 0);
    assert_int_equal(mkdir(path, 0), 0);
    if (user == 0)
        assert_int_equal(seteuid(65534), 0);
    assert_false(archive_open(path, &fixture->archive, &fixture->err));
    assert_int_equal(seteuid(user), 0);
    assert_int_equal(fixture->err.kind, ERR_ENVIRONMENT);
    assert_non_null(strstr(fixture->err.message, "locked: Permission denied"));
}

static void takes_a_number_of_a_property_only_if_all_of_it_is_one(void **state)
{
    static const struct {
        const char *text;
        double number;
    } cases[] = {{"2.5", 2.5}, {"3abc", 0}, {"", 0}, {"0x4", 0}, {"nan", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_up(state);
        Fixture *fixture = *state;
        fixture->shared = cases[i].text;
        open_and_read(fixture, 0);
        assert_true(fixture->source->trace->ranks_per_processor == cases[i].number);
        tear_down(state);
    }
}

int main(void)
{
#define FOREIGN_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        FOREIGN_TEST(takes_ranks_from_the_group_of_locations),
        FOREIGN_TEST(starts_and_ends_with_the_first_and_last_call),
        FOREIGN_TEST(converts_ticks_to_nanoseconds),
        FOREIGN_TEST(puts_nonblocking_collectives_where_they_were_posted),
        FOREIGN_TEST(reads_events_outside_of_any_region),
        FOREIGN_TEST(applies_local_mapping_tables),
        FOREIGN_TEST(reports_promised_events_that_are_missing),
        FOREIGN_TEST(reports_an_event_file_that_was_cut_off),
        FOREIGN_TEST(reports_definitions_that_were_cut_off),
        FOREIGN_TEST(reports_an_absent_event_file),
        FOREIGN_TEST(refuses_what_is_no_archive),
        FOREIGN_TEST(says_that_a_directory_may_not_be_read),
        cmocka_unit_test(takes_a_number_of_a_property_only_if_all_of_it_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
