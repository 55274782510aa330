/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the recorder's cost per call. The same calls go through MPI's own functions and through
 * the recorder's, block by block in one process. So both have the same processors, caches and
 * neighbours. Run it with the recorder preloaded; bench/recorder_speed.py does that.
 *
 *   recorder_speed [BLOCKS]
 *
 * One rank: messages to itself, a barrier, polls that find nothing. Two ranks: a ping-pong of empty
 * messages. BLOCKS 0 does nothing. For each case, prints nanoseconds an event (a call) without and
 * with the recorder: the median over blocks, then the 10th percentile, which a busy machine
 * disturbs less. A block is at least 6 MB of records, so each block contains the cost of making
 * space for records. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_ROUNDS 100000
#define WARM_BLOCKS 1

typedef struct Calls {
    __typeof__(&MPI_Send) send;
    __typeof__(&MPI_Isend) isend;
    __typeof__(&MPI_Recv) recv;
    __typeof__(&MPI_Wait) wait;
    __typeof__(&MPI_Sendrecv) sendrecv;
    __typeof__(&MPI_Barrier) barrier;
    __typeof__(&MPI_Iprobe) iprobe;
    __typeof__(&MPI_Testany) testany;
} Calls;

typedef struct Case {
    const char *name;
    int calls_a_round; /* by one rank */
    void (*round)(const Calls *calls, int rank);
} Case;

static void self_isend(const Calls *calls, int rank)
{
    MPI_Request request;
    calls->isend(NULL, 0, MPI_BYTE, rank, 0, MPI_COMM_WORLD, &request);
    calls->recv(NULL, 0, MPI_BYTE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    calls->wait(&request, MPI_STATUS_IGNORE);
}

static void self_sendrecv(const Calls *calls, int rank)
{
    calls->sendrecv(NULL, 0, MPI_BYTE, rank, 0, NULL, 0, MPI_BYTE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void self_barrier(const Calls *calls, int rank)
{
    (void)rank;
    calls->barrier(MPI_COMM_SELF);
}

static void poll_iprobe(const Calls *calls, int rank)
{
    int found;
    calls->iprobe(rank, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

#define N_POLLED 4

/* Requests of receives for messages that nobody sends. */
static MPI_Request polled[N_POLLED];

static void poll_testany(const Calls *calls, int rank)
{
    int index, found;
    if (polled[0] == MPI_REQUEST_NULL)
        for (int i = 0; i < N_POLLED; i++)
            MPI_Irecv(NULL, 0, MPI_BYTE, rank, 1, MPI_COMM_WORLD, &polled[i]);
    calls->testany(N_POLLED, polled, &index, &found, MPI_STATUS_IGNORE);
}

static void pingpong(const Calls *calls, int rank)
{
    if (rank == 0)
        calls->send(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    calls->recv(NULL, 0, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        calls->send(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}

static const Case self_cases[] = {{"self Isend+Recv+Wait", 3, self_isend}, {"self Sendrecv", 1, self_sendrecv},
                                  {"self Barrier", 1, self_barrier},       {"empty Iprobe", 1, poll_iprobe},
                                  {"empty Testany of 4", 1, poll_testany}, {NULL, 0, NULL}};
static const Case pair_cases[] = {{"ping-pong", 2, pingpong}, {NULL, 0, NULL}};

/* Finds the MPI library's own function, bypassing preloaded libraries. */
static void find_own(void *library, const char *name, void *place)
{
    void *symbol = dlsym(library, name);
    if (!symbol) {
        fprintf(stderr, "recorder_speed: no %s in libmpi\n", name);
        exit(1);
    }
    memcpy(place, &symbol, sizeof symbol);
}

static Calls own_calls(void)
{
    Calls calls;
    void *library = dlopen(MPI_LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
    find_own(library, "MPI_Send", &calls.send);
    find_own(library, "MPI_Isend", &calls.isend);
    find_own(library, "MPI_Recv", &calls.recv);
    find_own(library, "MPI_Wait", &calls.wait);
    find_own(library, "MPI_Sendrecv", &calls.sendrecv);
    find_own(library, "MPI_Barrier", &calls.barrier);
    find_own(library, "MPI_Iprobe", &calls.iprobe);
    find_own(library, "MPI_Testany", &calls.testany);
    return calls;
}

static double block_s(const Case *of, const Calls *calls, int rank)
{
    const double start_s = MPI_Wtime();
    for (int i = 0; i < BLOCK_ROUNDS; i++)
        of->round(calls, rank);
    return MPI_Wtime() - start_s;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void measure(const Case *of, const Calls *sides, int n_blocks, int rank)
{
    double *times_s[2] = {calloc((size_t)n_blocks, sizeof(double)), calloc((size_t)n_blocks, sizeof(double))};
    for (int i = -WARM_BLOCKS; i < n_blocks; i++) {
        for (int side = 0; side < 2; side++) {
            const double time_s = block_s(of, &sides[side], rank);
            if (i >= 0)
                times_s[side][i] = time_s;
        }
    }
    for (int side = 0; side < 2; side++)
        qsort(times_s[side], (size_t)n_blocks, sizeof(double), compare);
    const double scale = 1e9 / ((double)BLOCK_ROUNDS * of->calls_a_round);
    if (rank == 0)
        printf("%s: %.2f %.2f %.2f %.2f\n", of->name, times_s[0][n_blocks / 2] * scale,
               times_s[1][n_blocks / 2] * scale, times_s[0][n_blocks / 10] * scale, times_s[1][n_blocks / 10] * scale);
    free(times_s[0]);
    free(times_s[1]);
}

int main(int argc, char **argv)
{
    int rank, n_ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    const int n_blocks = argc > 1 ? atoi(argv[1]) : 20;
    const Calls sides[2] = {
        own_calls(), {MPI_Send, MPI_Isend, MPI_Recv, MPI_Wait, MPI_Sendrecv, MPI_Barrier, MPI_Iprobe, MPI_Testany}};
    for (int i = 0; i < N_POLLED; i++)
        polled[i] = MPI_REQUEST_NULL;
    if (n_blocks > 0 && n_ranks <= 2)
        for (const Case *of = n_ranks == 1 ? self_cases : pair_cases; of->name; of++)
            measure(of, sides, n_blocks, rank);
    for (int i = 0; i < N_POLLED; i++) {
        if (polled[i] == MPI_REQUEST_NULL)
            continue;
        MPI_Cancel(&polled[i]);
        MPI_Wait(&polled[i], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
