/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads a rank exchange messages with the corresponding threads of the neighbouring ranks
 * (MPI_THREAD_MULTIPLE). Each thread has a communicator of its own, for point-to-point messages and
 * collectives. Thread t sends t + 1 numbers at a time.
 *
 *   threads [THREADS [ROUNDS]]
 */
#include "app.h"
#include <pthread.h>

enum { MOST_THREADS = 64 };

typedef struct Worker {
    pthread_t thread;
    MPI_Comm comm;
    long rounds;
    int count; /* numbers in a message */
    double sum;
} Worker;

static void *exchange(void *argument)
{
    Worker *worker = argument;
    int next = (app.rank + 1) % app.n_ranks, previous = (app.rank + app.n_ranks - 1) % app.n_ranks;
    for (long i = 0; i < worker->rounds; i++) {
        double sent[MOST_THREADS] = {(double)(app.rank + i)}, received[MOST_THREADS], sum;
        MPI_Request requests[2];
        MPI_Irecv(received, worker->count, MPI_DOUBLE, previous, 0, worker->comm, &requests[0]);
        MPI_Isend(sent, worker->count, MPI_DOUBLE, next, 0, worker->comm, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        worker->sum += received[0];
        if (i % 10 == 0) {
            MPI_Allreduce(received, &sum, 1, MPI_DOUBLE, MPI_SUM, worker->comm);
            worker->sum += sum;
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    app_start();
    if (provided < MPI_THREAD_MULTIPLE) {
        fprintf(stderr, "threads: this MPI does not give MPI_THREAD_MULTIPLE\n");
        MPI_Abort(MPI_COMM_WORLD, 77);
    }
    long n = app_argument(argc, argv, 1, 4) % (MOST_THREADS + 1), rounds = app_argument(argc, argv, 2, 500);
    Worker *workers = calloc((size_t)n, sizeof *workers);
    double sum = 0;
    for (long t = 0; t < n; t++) {
        workers[t].rounds = rounds;
        workers[t].count = (int)t + 1;
        MPI_Comm_dup(MPI_COMM_WORLD, &workers[t].comm);
    }
    for (long t = 0; t < n; t++)
        pthread_create(&workers[t].thread, NULL, exchange, &workers[t]);
    for (long t = 0; t < n; t++) {
        pthread_join(workers[t].thread, NULL);
        MPI_Comm_free(&workers[t].comm);
        sum += workers[t].sum;
    }
    app.sends = app.receives = n * rounds;
    app.send_bytes = n * (n + 1) / 2 * rounds * (long long)sizeof(double);
    app.collectives = n * ((rounds + 9) / 10);
    app_report("threads", sum);
    free(workers);
    MPI_Finalize();
    return 0;
}
