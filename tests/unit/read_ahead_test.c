/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that reads ahead delivers the same events and errors as its source, however they are read. */
#include "test.h"
#include "trace/read_ahead.h"

#include "property/random_trace.h"

enum { PROCESSES = 5, STEPS = 3000, TRACES = 20 };

/* Delivers some events of each process, then fails. */
typedef struct BrokenSource {
    EventSource source;
    size_t n_events, n_read[PROCESSES];
} BrokenSource;

static bool read_broken(EventSource *source, uint32_t process, Event *events, size_t capacity, size_t *count, Err *err)
{
    BrokenSource *broken = (BrokenSource *)source;
    size_t n_left = broken->n_events - broken->n_read[process];
    if (!n_left)
        return err_set(err, ERR_INPUT, "process %u is broken", process);
    *count = n_left < capacity ? n_left : capacity;
    for (size_t i = 0; i < *count; i++)
        events[i] = (Event){.enter_ns = (int64_t)broken->n_read[process]++};
    return true;
}

static void events_are_those_of_the_source(void **state)
{
    for (uint64_t seed = 1; seed <= TRACES; seed++) {
        uint64_t random = seed;
        MemoryTrace *trace = random_trace(seed, PROCESSES, STEPS);
        ReadAhead *ahead = read_ahead_new(memory_trace_source(trace));
        EventSource *source = read_ahead_source(ahead);
        size_t n_read[PROCESSES] = {0};
        bool ended[PROCESSES] = {false};
        for (uint32_t n_ended = 0; n_ended < PROCESSES;) {
            Event events[100];
            Err err = {0};
            uint32_t process = random_below(&random, PROCESSES);
            size_t count, capacity = 1 + random_below(&random, 100);
            assert_true(source->read(source, process, events, capacity, &count, &err));
            assert_true(count <= capacity && n_read[process] + count <= trace->processes[process].events.count);
            if (count)
                assert_memory_equal(events, trace->processes[process].events.items + n_read[process],
                                    count * sizeof *events);
            n_read[process] += count;
            n_ended += !count && !ended[process];
            ended[process] |= !count;
        }
        for (uint32_t i = 0; i < PROCESSES; i++)
            assert_int_equal(n_read[i], trace->processes[i].events.count);
        read_ahead_free(ahead);
        memory_trace_free(trace);
    }
}

static void an_error_comes_behind_the_events_before_it(void **state)
{
    const Trace trace = {.application = {.n_processes = PROCESSES}};
    BrokenSource broken = {{&trace, read_broken}, 5000, {0}};
    ReadAhead *ahead = read_ahead_new(&broken.source);
    EventSource *source = read_ahead_source(ahead);
    Event events[7];
    Err err = {0};
    size_t n_read = 0, count;
    while (source->read(source, 3, events, 7, &count, &err)) {
        assert_int_not_equal(count, 0);
        assert_int_equal(events[0].enter_ns, n_read);
        n_read += count;
    }
    assert_int_equal(n_read, 5000);
    assert_string_equal(err.message, "process 3 is broken");
    read_ahead_free(ahead);
}

static void it_may_end_before_all_is_read(void **state)
{
    MemoryTrace *trace = random_trace(1, PROCESSES, STEPS);
    ReadAhead *ahead = read_ahead_new(memory_trace_source(trace));
    read_ahead_free(ahead);
    read_ahead_free(NULL);
    memory_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_those_of_the_source),
        cmocka_unit_test(an_error_comes_behind_the_events_before_it),
        cmocka_unit_test(it_may_end_before_all_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
