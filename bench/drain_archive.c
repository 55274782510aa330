/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads all events of an archive through firma's reader. Compare with read_archive, the lower
 * bound. With --interleaved, the processes take turns, as in the order stage. */
#include "trace/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { EVENTS = 256 };

int main(int argc, char **argv)
{
    struct timespec start, end;
    struct rusage usage;
    Archive *archive;
    Err err;
    bool interleaved = argc == 3 && strcmp(argv[2], "--interleaved") == 0;
    if (argc != 2 && !interleaved) {
        fprintf(stderr, "usage: drain_archive DIR [--interleaved]\n");
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (!archive_open(argv[1], &archive, &err)) {
        fprintf(stderr, "drain_archive: %s\n", err.message);
        return (int)err.kind;
    }
    EventSource *source = archive_source(archive);
    uint32_t n_processes = source->trace->application.n_processes, n_open = n_processes;
    bool *done = calloc(n_processes, sizeof *done);
    uint64_t n_events = 0, bytes = 0;
    while (done && n_open > 0)
        for (uint32_t process = 0; process < n_processes; process++) {
            size_t count = EVENTS;
            Event events[EVENTS];
            while (!done[process] && count > 0) {
                if (!source->read(source, process, events, EVENTS, &count, &err)) {
                    fprintf(stderr, "drain_archive: %s\n", err.message);
                    return (int)err.kind;
                }
                for (size_t i = 0; i < count; i++)
                    bytes += events[i].bytes;
                n_events += count;
                done[process] = count == 0;
                n_open -= count == 0;
                if (interleaved)
                    break;
            }
        }
    uint64_t n_records = archive_records_read(archive);
    archive_close(archive);
    free(done);
    clock_gettime(CLOCK_MONOTONIC, &end);
    getrusage(RUSAGE_SELF, &usage);
    double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    printf("{\"records\": %lu, \"events\": %lu, \"bytes\": %lu, \"read_s\": %.6f, \"record_ns\": %.2f, \"peak_kib\": "
           "%ld}\n",
           (unsigned long)n_records, (unsigned long)n_events, (unsigned long)bytes, seconds,
           n_records ? seconds * 1e9 / (double)n_records : 0, usage.ru_maxrss);
    return 0;
}
