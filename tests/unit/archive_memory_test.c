/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading archives with little memory: locations are closed and reopened, and events are packed
 * meanwhile. */
#include "archive_recording.h"
#include "test.h"

#include "base/vec.h"
#include "trace/archive.h"
#include "trace/reader/packed.h"

typedef VEC(Event) Events;

/* xorshift: gives the same numbers on every machine. */
static uint64_t random_number(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Mostly small values, and the ends of the range. */
static uint64_t random_value(uint64_t *state)
{
    uint64_t number = random_number(state);
    return number % 16 == 0 ? UINT64_MAX - number % 3 : number >> (number % 64);
}

static Event random_event(uint64_t *state)
{
    uint64_t number = random_number(state);
    return (Event){.kind = (uint8_t)(number % 8),
                   .collective = number & 256 ? (uint8_t)(number >> 9) : 0,
                   .lost = number & 512 ? (uint16_t)(number >> 10) : 0,
                   .comm = number & 1024 ? (uint32_t)random_value(state) : 3,
                   .peer = number & 2048 ? NO_ROOT : (uint32_t)random_value(state),
                   .tag = number & 1024 ? (uint32_t)random_value(state) : 7,
                   .bytes = number & 4096 ? random_value(state) : 8192,
                   .bytes_received = number & 8192 ? random_value(state) : 0,
                   .request = number & 16384 ? random_value(state) : NO_REQUEST,
                   .enter_ns = (int64_t)random_value(state),
                   .leave_ns = (int64_t)random_value(state),
                   .compute_ns = number & 32768 ? (int64_t)random_value(state) : 0};
}

static void packing_gives_back_what_was_packed(void **unused)
{
    (void)unused;
    enum { N_EVENTS = 5000, MOST_AT_A_TIME = 40 };
    static Event events[N_EVENTS], taken[N_EVENTS];
    uint64_t state = 88172645463325252u;
    Packed packed = {0};
    for (size_t i = 0; i < N_EVENTS; i++)
        events[i] = random_event(&state);
    for (size_t added = 0, n_taken = 0; n_taken < N_EVENTS;) {
        size_t n = random_number(&state) % MOST_AT_A_TIME;
        n = n < N_EVENTS - added ? n : N_EVENTS - added;
        packed_add(&packed, events + added, n);
        added += n;
        if (random_number(&state) % 8 == 0)
            packed_trim(&packed);
        n_taken += packed_take(&packed, taken + n_taken, random_number(&state) % MOST_AT_A_TIME);
    }
    assert_memory_equal(taken, events, sizeof events);
    packed_free(&packed);
}

/* Ranks in a ring. Receives stay open while hundreds of messages are sent. */
static void write_long_recording(const char *directory, int n_processes)
{
    enum { N_MESSAGES = 2000, OPEN_FOR = 300 };
    for (int rank = 0; rank < n_processes; rank++) {
        ProcessFile file = process_file(rank, n_processes);
        int right = (rank + 1) % n_processes, left = (rank + n_processes - 1) % n_processes;
        comms_start(directory, &file);
        FILE *segment = segment_start(directory, &file, 0);
        for (int i = 0; i < N_MESSAGES; i++) {
            int64_t time_ns = 10000 + 400 * i;
            uint64_t request = 1 + (uint64_t)(i / OPEN_FOR);
            put_call(segment, "MPI_Send", time_ns, time_ns + 100);
            put_message(segment, RECORD_SEND, 0, right, i % 5, 100 + (uint64_t)i, 0);
            put_call(segment, "MPI_Recv", time_ns + 150, time_ns + 200);
            put_message(segment, RECORD_RECV, 0, left, i % 5, 100 + (uint64_t)i, 0);
            if (i % OPEN_FOR == 0) {
                put_call(segment, "MPI_Irecv", time_ns + 220, time_ns + 250);
                put_message(segment, RECORD_RECV_POST, 0, 0, 0, 0, request);
            }
        }
        fclose(segment);
        process_write(directory, &file);
    }
}

/* Reads all events of all processes, a few events of each in turn. memory_bytes 0: the default. */
static void read_in_turns(const char *directory, uint64_t memory_bytes, Events *events)
{
    enum { A_FEW = 7 };
    Archive *archive;
    Err err;
    if (!archive_open(directory, &archive, &err))
        fail_msg("%s", err.message);
    EventSource *source = archive_source(archive);
    uint32_t n_processes = source->trace->application.n_processes;
    if (memory_bytes)
        archive_limit_memory(archive, n_processes, memory_bytes);
    for (bool any = true; any;) {
        any = false;
        for (uint32_t process = 0; process < n_processes; process++) {
            size_t count;
            vec_reserve(events, A_FEW);
            if (!source->read(source, process, events->items + events->count, A_FEW, &count, &err))
                fail_msg("%s", err.message);
            events->count += count;
            any |= count > 0;
        }
    }
    archive_close(archive);
}

static void check_same_in_little_memory(const char *recording)
{
    Arena *arena = arena_new();
    char *parent = make_directory();
    const char *directory = arena_printf(arena, "%s/trace", parent);
    ArchiveSummary summary;
    Events plenty = {0}, little = {0};
    Err err;
    if (!archive_write(recording, directory, NULL, arena, &summary, &err))
        fail_msg("%s", err.message);
    read_in_turns(directory, 0, &plenty);
    read_in_turns(directory, 1, &little);
    assert_true(plenty.count > 0);
    assert_int_equal(little.count, plenty.count);
    assert_memory_equal(little.items, plenty.items, plenty.count * sizeof(Event));
    vec_free(&plenty);
    vec_free(&little);
    remove_directory(parent);
    arena_free(arena);
}

static void reads_the_same_in_little_memory(void **unused)
{
    (void)unused;
    char *recording = make_directory();
    write_long_recording(recording, 5);
    check_same_in_little_memory(recording);
    remove_directory(recording);
}

static void merges_threads_the_same_in_little_memory(void **unused)
{
    (void)unused;
    char *recording = make_directory();
    write_varied_recording(recording);
    check_same_in_little_memory(recording);
    remove_directory(recording);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packing_gives_back_what_was_packed),
        cmocka_unit_test(reads_the_same_in_little_memory),
        cmocka_unit_test(merges_threads_the_same_in_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
