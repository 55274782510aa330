/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that goes to sleep in the middle of its communication, as the recorder makes programs
 * do:
 *
 *   resting DIRECTORY N_STEPS [MEGABYTES]
 *
 * The file DIRECTORY/stop holds the number of a step. Each process sleeps before this step;
 * processes with an odd rank sleep one step later, so that messages are on their way. A sleeping
 * process creates DIRECTORY/asleep.RANK; DIRECTORY/go ends the sleep. The last line of output is a
 * checksum over every message of the run. */
#include <mpi.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#define MESSAGE_WORDS 4096 /* more than libraries send eagerly */

static bool is_there(const char *directory, const char *name)
{
    char path[4096];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return stat(path, &status) == 0;
}

static long read_stop(const char *directory)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/stop", directory);
    FILE *file = fopen(path, "r");
    long step = -1;
    if (file && fscanf(file, "%ld", &step) != 1)
        step = -1;
    if (file)
        fclose(file);
    return step;
}

static void sleep_until_go(const char *directory, int rank)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/asleep.%d", directory, rank);
    FILE *file = fopen(path, "w");
    if (file)
        fclose(file);
    while (!is_there(directory, "go"))
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static uint64_t mix(uint64_t sum, uint64_t word)
{
    return (sum ^ word) * 0x9e3779b97f4a7c15u + (sum >> 29);
}

static uint64_t compute(uint64_t *memory, size_t n_words, uint64_t sum)
{
    for (size_t i = 0; i < n_words; i += 8)
        sum = memory[i] = mix(sum, memory[i]);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, n_processes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_processes);
    const char *directory = argc > 1 ? argv[1] : ".";
    long n_steps = argc > 2 ? atol(argv[2]) : 100;
    size_t n_words = (size_t)(argc > 3 ? atol(argv[3]) : 1) * 131072;
    uint64_t *memory = calloc(n_words, sizeof *memory), sum = (uint64_t)rank;
    static uint64_t out[MESSAGE_WORDS], in[MESSAGE_WORDS];
    int next = (rank + 1) % n_processes, previous = (rank + n_processes - 1) % n_processes;
    long stop = read_stop(directory);

    for (long step = 0; memory && step < n_steps; step++) {
        if (stop >= 0 && step == stop + rank % 2)
            sleep_until_go(directory, rank);
        sum = compute(memory, n_words, sum);
        for (size_t i = 0; i < MESSAGE_WORDS; i++)
            out[i] = mix(sum, i);
        MPI_Request requests[2];
        MPI_Irecv(in, MESSAGE_WORDS, MPI_UINT64_T, previous, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, MESSAGE_WORDS, MPI_UINT64_T, next, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (size_t i = 0; i < MESSAGE_WORDS; i += 64)
            sum = mix(sum, in[i]);
        uint64_t all = 0;
        if (step % 8 == 7) {
            MPI_Allreduce(&sum, &all, 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
            sum = mix(sum, all);
        }
    }
    uint64_t whole = 0;
    MPI_Reduce(&sum, &whole, 1, MPI_UINT64_T, MPI_BXOR, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("checksum %016llx\n", (unsigned long long)whole);
    free(memory);
    MPI_Finalize();
    return 0;
}
