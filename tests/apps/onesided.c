/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows and one-sided communication of every kind, around a ring.
 *
 *   onesided [ROUNDS [lock]]
 *
 * Each round puts, gets, accumulates and so on between fences. With "lock", it does so again under
 * locks, and between post and start. At its end every rank prints, besides the lines of app.h,
 *   rma rank R puts N gets N atomics N bytes_put N bytes_got N fences N windows N completed N
 */
#include "app.h"
#include <string.h>

enum { N = 8 };
static int right;
static struct {
    long long puts, gets, atomics, bytes_put, bytes_got, fences, windows, completed;
} rma;

static void put(size_t bytes)
{
    rma.puts++;
    rma.bytes_put += (long long)bytes;
}

static void got(size_t bytes)
{
    rma.gets++;
    rma.bytes_got += (long long)bytes;
}

static void fence(MPI_Win window)
{
    MPI_Win_fence(0, window);
    rma.fences++;
}

static void free_window(MPI_Win *window)
{
    MPI_Win_free(window);
    rma.windows++;
}

/* One operation of each kind. They complete later, so their buffers must live until then. */
static void reaches_out(MPI_Win window)
{
    static double out[N], in[N];
    static double one = 1, old;
    static long long swap = 1, compare = 0, before;
    MPI_Put(out, 2, MPI_DOUBLE, right, 0, 2, MPI_DOUBLE, window);
    put(2 * sizeof(double));
    MPI_Get(in, 1, MPI_DOUBLE, right, 2, 1, MPI_DOUBLE, window);
    got(sizeof(double));
    MPI_Accumulate(out, 3, MPI_DOUBLE, right, 3, 3, MPI_DOUBLE, MPI_SUM, window);
    MPI_Get_accumulate(out, 1, MPI_DOUBLE, in + 1, 1, MPI_DOUBLE, right, 6, 1, MPI_DOUBLE, MPI_SUM, window);
    MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, in + 2, 1, MPI_DOUBLE, right, 6, 1, MPI_DOUBLE, MPI_NO_OP, window);
    MPI_Fetch_and_op(&one, &old, MPI_DOUBLE, right, 7, MPI_SUM, window);
    rma.atomics += 4;
    MPI_Compare_and_swap(&swap, &compare, &before, MPI_LONG_LONG, right, 8, window);
    rma.atomics++;
    MPI_Put(&one, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_DOUBLE, window);
}

/* The same with requests; only within a passive epoch. */
static void reaches_out_with_requests(MPI_Win window)
{
    static double out[N], in[N];
    MPI_Request requests[4];
    MPI_Rput(out, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, window, &requests[0]);
    put(sizeof(double));
    MPI_Rget(in, 1, MPI_DOUBLE, right, 2, 1, MPI_DOUBLE, window, &requests[1]);
    got(sizeof(double));
    MPI_Raccumulate(out, 1, MPI_DOUBLE, right, 3, 1, MPI_DOUBLE, MPI_SUM, window, &requests[2]);
    MPI_Rget_accumulate(out, 1, MPI_DOUBLE, in + 1, 1, MPI_DOUBLE, right, 6, 1, MPI_DOUBLE, MPI_SUM, window,
                        &requests[3]);
    rma.atomics += 2;
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    rma.completed += 4;
}

static void locks(MPI_Win window)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window);
    reaches_out(window);
    MPI_Win_flush(right, window);
    MPI_Win_unlock(right, window);
    MPI_Win_lock_all(0, window);
    reaches_out_with_requests(window);
    MPI_Win_flush_local_all(window);
    MPI_Win_unlock_all(window);
}

/* Synchronisation of a part of the group: even ranks expose, odd ranks access. */
static void posts_and_starts(MPI_Win window)
{
    MPI_Group world, pair;
    double value = 1;
    int partner = app.rank ^ 1;
    if (partner >= app.n_ranks)
        return;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &partner, &pair);
    if (app.rank % 2 == 0) {
        MPI_Win_post(pair, 0, window);
        MPI_Win_wait(window);
    } else {
        MPI_Win_start(pair, 0, window);
        MPI_Put(&value, 1, MPI_DOUBLE, partner, 0, 1, MPI_DOUBLE, window);
        put(sizeof value);
        MPI_Win_complete(window);
    }
    MPI_Group_free(&pair);
    MPI_Group_free(&world);
}

/* Windows created in every way, also on a part of the world. */
static void makes_windows(void)
{
    MPI_Win window;
    MPI_Comm half;
    double *memory;
    MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    fence(window);
    free_window(&window);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    free_window(&window);
    MPI_Comm_split(MPI_COMM_WORLD, app.rank % 2, -app.rank, &half);
    MPI_Win_allocate_shared(sizeof(double), sizeof(double), MPI_INFO_NULL, half, &memory, &window);
    fence(window);
    MPI_Win_lock_all(0, window);
    MPI_Win_sync(window);
    MPI_Win_unlock_all(window);
    fence(window);
    free_window(&window);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    const long rounds = app_argument(argc, argv, 1, 10);
    const int with_locks = argc > 2 && !strcmp(argv[2], "lock");
    double memory[2 * N] = {0};
    MPI_Win window;
    right = (app.rank + 1) % app.n_ranks;
    MPI_Win_create(memory, sizeof memory, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    fence(window);
    for (long i = 0; i < rounds; i++) {
        reaches_out(window);
        fence(window);
    }
    for (long i = 0; with_locks && i < rounds; i++) {
        locks(window);
        posts_and_starts(window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    app_collective();
    free_window(&window);
    makes_windows();
    printf("rma rank %d puts %lld gets %lld atomics %lld bytes_put %lld bytes_got %lld fences %lld windows %lld "
           "completed %lld\n",
           app.rank, rma.puts, rma.gets, rma.atomics, rma.bytes_put, rma.bytes_got, rma.fences, rma.windows,
           rma.completed);
    app_report("onesided", (double)rma.puts);
    MPI_Finalize();
    return 0;
}
