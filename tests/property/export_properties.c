/* SPDX-License-Identifier: BSD-3-Clause */
/* Exporting random traces: reading the archive gives the same events with the same phases, and
 * every event has its logical time as an attribute. */
#include "base/files.h"
#include "random_trace.h"
#include "signature/export/export.h"
#include "signature/export/marks.h"
#include "signature/export/places.h"
#include "test.h"
#include "trace/archive.h"

#include <stdio.h>

enum { N_TRACES = 60, N_STEPS = 120 };

static const PhaseParameters PARAMETERS = PHASE_PARAMETERS_DEFAULT;

typedef VEC(Event) Events;

static Events read_all(EventSource *source, uint32_t process)
{
    Events events = {0};
    Event batch[64];
    Err err = {0};
    for (size_t count = 1; count;) {
        assert_true(source->read(source, process, batch, 64, &count, &err));
        for (size_t i = 0; i < count; i++)
            *vec_push(&events) = batch[i];
    }
    return events;
}

static void assert_same_event(const Event *found, const Event *expected, const Trace *found_in,
                              const Trace *expected_in, int64_t shift_ns)
{
    assert_int_equal(found->kind, expected->kind);
    assert_int_equal(found->enter_ns + shift_ns, expected->enter_ns);
    assert_int_equal(found->leave_ns + shift_ns, expected->leave_ns);
    bool is_message = found->kind == EVENT_SEND || found->kind == EVENT_RECV || found->kind == EVENT_ONE_SIDED;
    if (found->kind == EVENT_RECV || found->kind == EVENT_RECV_POST || found->kind == EVENT_RECV_CANCEL)
        assert_int_equal(found->request, expected->request);
    if (is_message || found->kind == EVENT_COLLECTIVE) {
        assert_int_equal(found->peer, expected->peer);
        assert_int_equal(found->bytes, expected->bytes);
        assert_int_equal(found->bytes_received, expected->bytes_received);
        const Comm *comm = &found_in->comms[found->comm], *original = &expected_in->comms[expected->comm];
        assert_int_equal(comm->n_members, original->n_members);
        assert_memory_equal(comm->members, original->members, comm->n_members * sizeof *comm->members);
    }
    if (is_message && found->kind != EVENT_ONE_SIDED)
        assert_int_equal(found->tag, expected->tag);
    if (found->kind == EVENT_COLLECTIVE)
        assert_int_equal(found->collective, expected->collective);
}

/* Exports to `directory`/archive. */
static void export_trace(MemoryTrace *trace, const char *directory, ExportSummary *summary)
{
    char path[256];
    Export *exported;
    Err err = {0};
    snprintf(path, sizeof path, "%s/archive", directory);
    assert_true(export_analyse(memory_trace_source(trace), &PARAMETERS, NULL, NULL, &exported, &err));
    if (!export_write(exported, memory_trace_source(trace), path, NULL, summary, &err))
        fail_msg("%s", err.message);
    export_free(exported);
}

static void assert_reads_the_same(MemoryTrace *trace, const char *directory)
{
    char path[256];
    Archive *archive;
    Err err = {0};
    snprintf(path, sizeof path, "%s/archive", directory);
    if (!archive_open(path, &archive, &err))
        fail_msg("%s", err.message);
    EventSource *again = archive_source(archive), *original = memory_trace_source(trace);
    uint32_t n_processes = original->trace->application.n_processes;
    int64_t shift_ns = INT64_MAX;
    for (uint32_t process = 0; process < n_processes; process++)
        if (trace->processes[process].events.count && trace->processes[process].events.items[0].enter_ns < shift_ns)
            shift_ns = trace->processes[process].events.items[0].enter_ns;
    assert_int_equal(again->trace->application.n_processes, n_processes);
    for (uint32_t process = 0; process < n_processes; process++) {
        Events found = read_all(again, process), expected = read_all(original, process);
        assert_int_equal(found.count, expected.count);
        for (size_t i = 0; i < expected.count; i++)
            assert_same_event(&found.items[i], &expected.items[i], again->trace, original->trace, shift_ns);
        vec_free(&found);
        vec_free(&expected);
    }
    archive_close(archive);
}

static void an_exported_trace_reads_as_the_same_events(void **state)
{
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        char directory[] = "/tmp/firma-exported-XXXXXX";
        assert_non_null(mkdtemp(directory));
        MemoryTrace *trace = random_trace(seed, 2 + (uint32_t)(seed % 6), N_STEPS);
        ExportSummary summary;
        export_trace(trace, directory, &summary);
        assert_int_equal(summary.n_unplaced, 0);
        assert_reads_the_same(trace, directory);
        memory_trace_free(trace);
        assert_true(files_remove_tree(directory));
    }
}

static bool store_tick(void *self, uint64_t tick, uint64_t lt, const LogicalEvent *events, size_t count, Err *err)
{
    return places_store(self, tick, lt, events, count, err);
}

static bool ignore_occurrences(void *self, const OccurrenceStart *starts, size_t count, Err *err)
{
    (void)self, (void)starts, (void)count, (void)err;
    return true;
}

static void assert_places_are(Spool *spool, MemoryTrace *trace, uint64_t *const *lts)
{
    PlaceReader reader = {0};
    Err err = {0};
    for (uint32_t process = 0; process < trace->trace.application.n_processes; process++) {
        place_reader_start(&reader, spool, process);
        for (size_t i = 0; i < trace->processes[process].events.count; i++) {
            EventPlace place;
            assert_true(place_reader_next(&reader, &trace->processes[process].events.items[i], &place, &err));
            assert_int_equal(place.is_placed, lts[process][i] != UINT64_MAX);
            if (place.is_placed)
                assert_int_equal(place.logical_time, lts[process][i]);
        }
    }
    place_reader_free(&reader);
}

static void assert_every_event_is_placed(const char *method)
{
    PhaseParameters parameters = PARAMETERS;
    parameters.order = method;
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        uint32_t n_processes = 2 + (uint32_t)(seed % 6);
        MemoryTrace *trace = random_trace(seed, n_processes, 20 * N_STEPS);
        uint64_t **lts = reference_times(trace, method);
        Arena *arena = arena_new();
        Spool *spool;
        Signature *signature;
        OrderReport report;
        Err err = {0};
        spool = spool_new(n_processes, sizeof(PlaceRecord), 0);
        const PhasesWatch watch = {spool, store_tick, ignore_occurrences};
        assert_true(phases_find_watched(memory_trace_source(trace), &parameters, NULL, NULL, &watch, NULL, arena,
                                        &signature, &report, &err));
        assert_places_are(spool, trace, lts);
        spool_free(spool);
        for (uint32_t process = 0; process < n_processes; process++)
            free(lts[process]);
        free(lts);
        arena_free(arena);
        memory_trace_free(trace);
    }
}

static void every_event_is_given_its_logical_time_in_program_order(void **state)
{
    assert_every_event_is_placed("pas2p");
}

static void so_it_is_in_lamport_order(void **state)
{
    assert_every_event_is_placed("lamport");
}

static void watching_the_analysis_does_not_change_it(void **state)
{
    for (uint64_t seed = 1; seed <= N_TRACES; seed++) {
        MemoryTrace *trace = random_trace(seed, 4, N_STEPS);
        Arena *arena = arena_new();
        Signature *watched, *alone;
        OrderReport report;
        Spool *spool;
        Err err = {0};
        spool = spool_new(4, sizeof(PlaceRecord), 0);
        const PhasesWatch watch = {spool, store_tick, ignore_occurrences};
        assert_true(phases_find_watched(memory_trace_source(trace), &PARAMETERS, NULL, NULL, &watch, NULL, arena,
                                        &watched, &report, &err));
        assert_true(phases_find(memory_trace_source(trace), &PARAMETERS, NULL, NULL, arena, &alone, &report, &err));
        assert_int_equal(watched->n_phases, alone->n_phases);
        assert_int_equal(watched->n_ticks, alone->n_ticks);
        for (uint32_t i = 0; i < alone->n_phases; i++) {
            assert_int_equal(watched->phases[i].weight, alone->phases[i].weight);
            assert_int_equal(watched->phases[i].first_occurrence, alone->phases[i].first_occurrence);
            assert_true(watched->phases[i].share == alone->phases[i].share);
        }
        spool_free(spool);
        arena_free(arena);
        memory_trace_free(trace);
    }
}

static void a_loop_is_marked_in_its_first_iteration_only(void **state)
{
    /* The sequence 1 25×(2 500×3) 2. */
    const Loop inner[] = {{.count = 1, .phase = 2}, {.count = 500, .phase = 3}};
    const Loop outer[] = {
        {.count = 1, .phase = 1}, {.count = 25, .n_body = 2, .body = inner}, {.count = 1, .phase = 2}};
    const Phase phases[] = {{.id = 1, .relevant = false}, {.id = 2, .relevant = true}, {.id = 3, .relevant = true}};
    const Signature signature = {.n_phases = 3, .phases = phases, .sequence = {.count = 1, .n_body = 3, .body = outer}};
    const uint32_t phase_of_id[] = {0, 0, 1, 2};
    const uint64_t expected[] = {1, 2, 1 + 25 * 501};
    Marks marks;
    marks_choose(&marks, &signature, phase_of_id);
    assert_int_equal(marks.marks.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(marks.marks.items[i].occurrence, expected[i]);
    assert_int_equal(marks.marks.items[1].count, 500);
    marks_note(&marks, 2, 40);
    marks_note(&marks, 2, 30);
    marks_note(&marks, 3, 10);
    assert_int_equal(marks.marks.items[1].time_ns, 30);
    assert_true(marks.marks.items[0].time_ns == INT64_MAX);
    marks_free(&marks);
}

static void check_spool(size_t memory_bytes)
{
    enum { N_STREAMS = 7, N_RECORDS = 200000 };
    uint64_t random = 5, counts[N_STREAMS] = {0};
    Spool *spool;
    Err err = {0};
    spool = spool_new(N_STREAMS, 3 * sizeof(uint64_t), memory_bytes);
    for (int i = 0; i < N_RECORDS; i++) {
        uint32_t stream = random_below(&random, N_STREAMS - 1); /* the last stream stays empty */
        const uint64_t record[] = {stream, counts[stream], ~counts[stream]};
        counts[stream]++;
        assert_true(spool_write(spool, stream, record, &err));
    }
    for (uint32_t stream = N_STREAMS; stream-- > 0;) {
        uint64_t record[3];
        bool is_there;
        spool_start(spool, stream);
        for (uint64_t i = 0; i < counts[stream]; i++) {
            assert_true(spool_read(spool, record, &is_there, &err));
            assert_true(is_there && record[0] == stream && record[1] == i && record[2] == ~i);
        }
        assert_true(spool_read(spool, record, &is_there, &err));
        assert_false(is_there);
    }
    spool_free(spool);
}

static void a_spool_gives_back_each_stream_in_order(void **state)
{
    check_spool(0);
}

static void so_it_does_when_some_of_it_stays_in_memory(void **state)
{
    check_spool(1 << 20);
    check_spool(SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exported_trace_reads_as_the_same_events),
        cmocka_unit_test(every_event_is_given_its_logical_time_in_program_order),
        cmocka_unit_test(so_it_is_in_lamport_order),
        cmocka_unit_test(watching_the_analysis_does_not_change_it),
        cmocka_unit_test(a_loop_is_marked_in_its_first_iteration_only),
        cmocka_unit_test(a_spool_gives_back_each_stream_in_order),
        cmocka_unit_test(so_it_does_when_some_of_it_stays_in_memory),
    };
    return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
