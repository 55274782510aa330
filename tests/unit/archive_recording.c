/* SPDX-License-Identifier: BSD-3-Clause */
/* See archive_recording.h. */
#include "archive_recording.h"

#include "model/event.h"
#include "trace/calls.h"
#include <ftw.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check(int ok, const char *what)
{
    if (!ok) {
        perror(what);
        abort();
    }
}

char *make_directory(void)
{
    char *path = strdup("/tmp/firma-archive-test-XXXXXX");
    check(path && mkdtemp(path), "mkdtemp");
    return path;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

void remove_directory(char *path)
{
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(path);
}

ProcessFile process_file(int rank, int n_processes)
{
    ProcessFile file = {
        .magic = PROCESS_MAGIC,
        .version = SEGMENT_VERSION,
        .flavour = MPI_FLAVOUR_OPENMPI,
        .pid = 100 + rank,
        .rank = rank,
        .n_processes = n_processes,
        .init_enter_ns = INIT_ENTER,
        .init_leave_ns = INIT_LEAVE,
        .finalize_enter_ns = FINALIZE_ENTER,
        .finalize_leave_ns = FINALIZE_LEAVE,
        .realtime_offset_ns = 1700000000000000000,
        .host = "node1",
        .mpi_library = "Test MPI 1.0",
        .build_id_bytes = 3,
        .build_id = {0xab, 0xcd, 0x01},
        .executable = "/opt/app with space",
        .arguments_bytes = 15,
        .arguments = "app\0--size\0a\"b",
    };
    memcpy(file.magic, PROCESS_MAGIC, 8);
    return file;
}

static FILE *open_file(const char *directory, const ProcessFile *file, const char *suffix, const char *mode)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s-%d%s", directory, file->host, file->pid, suffix);
    FILE *stream = fopen(path, mode);
    check(stream != NULL, path);
    return stream;
}

static void put(FILE *stream, const void *bytes, size_t size)
{
    check(fwrite(bytes, size, 1, stream) == 1, "write");
}

void process_write(const char *directory, const ProcessFile *file)
{
    FILE *stream = open_file(directory, file, ".process", "wb");
    put(stream, file, sizeof *file);
    fclose(stream);
}

static void put_comm(FILE *stream, uint32_t n_local, uint32_t n_remote, const CommRange *ranges, uint32_t n_ranges,
                     bool is_window)
{
    const CommRecord record = {.n_local = n_local, .n_remote = n_remote, .n_ranges = n_ranges, .is_window = is_window};
    put(stream, &record, sizeof record);
    put(stream, ranges, n_ranges * sizeof *ranges);
}

void comms_start(const char *directory, ProcessFile *file)
{
    FILE *stream = open_file(directory, file, ".comms", "wb");
    put_comm(stream, (uint32_t)file->n_processes, 0, &(CommRange){0, 1, (uint32_t)file->n_processes}, 1, false);
    put_comm(stream, 1, 0, &(CommRange){file->rank, 1, 1}, 1, false);
    fclose(stream);
    file->n_comms = 2;
}

void comms_add(const char *directory, ProcessFile *file, uint32_t n_local, uint32_t n_remote, const int32_t *members)
{
    CommRange ranges[64];
    for (uint32_t i = 0; i < n_local + n_remote; i++)
        ranges[i] = (CommRange){members[i], 0, 1};
    FILE *stream = open_file(directory, file, ".comms", "ab");
    put_comm(stream, n_local, n_remote, ranges, n_local + n_remote, false);
    fclose(stream);
    file->n_comms++;
}

void windows_add(const char *directory, ProcessFile *file)
{
    FILE *stream = open_file(directory, file, ".comms", "ab");
    put_comm(stream, (uint32_t)file->n_processes, 0, &(CommRange){0, 1, (uint32_t)file->n_processes}, 1, true);
    fclose(stream);
    file->n_comms++;
}

FILE *segment_start(const char *directory, const ProcessFile *file, uint32_t thread)
{
    char suffix[64];
    unsigned char block[SEGMENT_HEADER_BYTES] = {0};
    SegmentHeader header = {.version = SEGMENT_VERSION, .thread = thread, .pid = file->pid};
    memcpy(header.magic, SEGMENT_MAGIC, 8);
    memcpy(block, &header, sizeof header);
    snprintf(suffix, sizeof suffix, "-%u.segment", thread);
    FILE *stream = open_file(directory, file, suffix, "wb");
    put(stream, block, sizeof block);
    return stream;
}

void segment_store_halves(FILE *segment, uint32_t n_halves)
{
    const uint64_t stored_bytes = (uint64_t)n_halves * SEGMENT_HALF_BYTES;
    check(fseek(segment, offsetof(SegmentHeader, stored_bytes), SEEK_SET) == 0, "seek");
    put(segment, &stored_bytes, sizeof stored_bytes);
    check(fseek(segment, SEGMENT_STORED_OFFSET, SEEK_SET) == 0, "seek");
}

void put_call(FILE *segment, const char *name, int64_t enter_ns, int64_t leave_ns)
{
    CallRecord record = {.kind = RECORD_CALL, .enter_ns = enter_ns, .leave_ns = leave_ns};
    check(call_find(name, &record.call), name);
    put(segment, &record, sizeof record);
}

void put_cpu(FILE *segment, int64_t time_ns, int64_t cpu_ns)
{
    put(segment, &(CpuRecord){.kind = RECORD_CPU, .time_ns = time_ns, .cpu_ns = cpu_ns}, sizeof(CpuRecord));
}

void put_message(FILE *segment, RecordKind kind, uint32_t comm, int32_t peer, int32_t tag, uint64_t bytes,
                 uint64_t request)
{
    const MessageRecord record = {
        .kind = (uint8_t)kind, .comm = comm, .peer = peer, .tag = tag, .bytes = bytes, .request = request};
    put(segment, &record, sizeof record);
}

void put_collective(FILE *segment, RecordKind kind, uint8_t collective, uint32_t comm, int32_t root, uint64_t request,
                    uint64_t sent, uint64_t received)
{
    const CollectiveRecord record = {.kind = (uint8_t)kind,
                                     .collective = collective,
                                     .comm = comm,
                                     .root = root,
                                     .request_low = (uint32_t)request,
                                     .request_high = (uint16_t)(request >> 32),
                                     .bytes_sent = sent,
                                     .bytes_received = received};
    put(segment, &record, sizeof record);
}

void put_one_sided(FILE *segment, RecordKind kind, OneSided what, uint32_t window, int32_t target, uint64_t request,
                   uint64_t sent, uint64_t received)
{
    put_collective(segment, kind, (uint8_t)what, window, target, request, sent, received);
}

static void write_varied_rank(const char *directory, int rank)
{
    ProcessFile file = process_file(rank, 2);
    int32_t peer = 1 - rank;
    comms_start(directory, &file);
    comms_add(directory, &file, 2, 0, (const int32_t[]){1, 0});
    windows_add(directory, &file);
    FILE *segment = segment_start(directory, &file, 0);
    put_call(segment, "MPI_Comm_dup", 3000, 3500);
    put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_CREATE_HANDLE, 0, ROOT_NONE, 0, 0, 0);
    put_call(segment, "MPI_Send", 10000, 10500);
    put_message(segment, RECORD_SEND, 0, peer, 7, 64, 0);
    put_call(segment, "MPI_Recv", 11000, 12000);
    put_message(segment, RECORD_RECV, 0, peer, 7, 64, 0);
    put_call(segment, "MPI_Irecv", 13000, 13100);
    put_message(segment, RECORD_RECV_POST, 0, 0, 0, 0, 1);
    put_call(segment, "MPI_Irecv", 13200, 13300);
    put_message(segment, RECORD_RECV_POST, 0, 0, 0, 0, 2);
    put_call(segment, "MPI_Isend", 14000,
             14100); /* on the communicator {1 0}: the own rank is 1 - rank, the peer's is rank */
    put_message(segment, RECORD_SEND, 2, rank, -5, 128, 3);
    put_cpu(segment, 14200, 9000);
    put_call(segment, "MPI_Cancel", 14500, 14600);
    put_call(segment, "MPI_Waitall", 15000, 16000);
    put_message(segment, RECORD_RECV, 2, rank, -5, 128, 1);
    put_message(segment, RECORD_CANCEL, 0, 0, 0, 0, 2);
    put_message(segment, RECORD_SEND_DONE, 0, 0, 0, 0, 3);
    put_cpu(segment, 16000, 10000);
    put_call(segment, "MPI_Bcast", 17000, 17500);
    put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_BCAST, 2, 0, 0, rank == 1 ? 40 : 0, rank == 1 ? 0 : 40);
    put_call(segment, "MPI_Iallreduce", 18000, 18100);
    put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_ALLREDUCE, 0, ROOT_NONE, LARGE_REQUEST, 8, 8);
    put_call(segment, "MPI_Neighbor_alltoall", 18500, 18600);
    put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_NEIGHBOR_ALLTOALL, 0, ROOT_NONE, 0, 16, 16);
    put_call(segment, "MPI_Wait", 19000, 19500);
    put_collective(segment, RECORD_COLLECTIVE_DONE, COLLECTIVE_ALLREDUCE, 0, ROOT_NONE, LARGE_REQUEST, 8, 8);
    put_call(segment, "MPI_Sendrecv", 20000, 21000);
    put_message(segment, RECORD_SEND, 1, 0, 9, 4, 0);
    put_message(segment, RECORD_RECV, 1, 0, 9, 4, 0);
    put_call(segment, "MPI_Win_create", 22000, 22500);
    put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_CREATE_HANDLE, 3, ROOT_NONE, 0, 0, 0);
    put_call(segment, "MPI_Put", 23000, 23100);
    put_one_sided(segment, RECORD_ONE_SIDED, ONE_SIDED_PUT, 3, peer, 0, 48, 0);
    put_call(segment, "MPI_Rget", 23200, 23300);
    put_one_sided(segment, RECORD_ONE_SIDED, ONE_SIDED_GET, 3, peer, LARGE_REQUEST + 5, 0, 56);
    put_call(segment, "MPI_Wait", 23400, 23500);
    put_one_sided(segment, RECORD_ONE_SIDED_DONE, ONE_SIDED_GET, 3, peer, LARGE_REQUEST + 5, 0, 0);
    put_call(segment, "MPI_Fetch_and_op", 23600, 23700);
    put_one_sided(segment, RECORD_ONE_SIDED, ONE_SIDED_FETCH_AND_OP, 3, peer, 0, 8, 8);
    put_cpu(segment, 23700, 17000);
    put_call(segment, "MPI_File_write_at", 24000, 26000); /* most of the time, it waits for its file */
    put_cpu(segment, 26000, 17500);
    put_call(segment, "MPI_Win_start", 26100, 26200);
    put_collective(segment, RECORD_WINDOW_SYNC, WINDOW_SYNC_AWAIT, 3, peer, 0, 0, 0);
    put_call(segment, "MPI_Win_complete", 26300, 26400);
    put_collective(segment, RECORD_WINDOW_SYNC, WINDOW_SYNC_COMPLETE, 3, -1, 0, 0, 0);
    put_collective(segment, RECORD_WINDOW_SYNC, WINDOW_SYNC_NOTIFY, 3, -1, 0, 0, 0);
    put_call(segment, "MPI_Win_fence", 26500, 27000);
    put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_BARRIER, 3, ROOT_NONE, 0, 0, 0);
    put_call(segment, "MPI_Win_free", 27500, 28000);
    put_collective(segment, RECORD_COLLECTIVE, COLLECTIVE_DESTROY_HANDLE, 3, ROOT_NONE, 0, 0, 0);
    fclose(segment);
    segment = segment_start(directory, &file, 1);
    put_call(segment, "MPI_Send", 12500, 12600);
    put_message(segment, RECORD_SEND, 0, peer, 50, 1, 0);
    put_call(segment, "MPI_Recv", 19600, 19700);
    put_message(segment, RECORD_RECV, 0, peer, 50, 1, 0);
    fclose(segment);
    file.n_threads = 2;
    process_write(directory, &file);
}

void write_varied_recording(const char *directory)
{
    write_varied_rank(directory, 0);
    write_varied_rank(directory, 1);
}
