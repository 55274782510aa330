/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse exchanges by the NBX algorithm (T. Hoefler, C. Siebert, A. Lumsdaine, Scalable Communication Protocols
 * for Dynamic Sparse Data Exchange, 2010): a rank knows to whom it sends, and not from whom it receives.
 *
 *   nbx [STEPS [WORK [same]]]
 *
 * Every rank sends to its neighbours 1 and 3 places on, polls for messages, and enters a nonblocking barrier when
 * its messages have arrived. Successive steps have tags of their own; with `same`, they have one, so that a rank
 * may receive a message of the next step before it knows that this one is over. */
#include "app.h"
#include <string.h>

enum { MOST = 2, COUNT = 256, TAGS = 2 };

static double step(long number, int n_to, const int *to, int tags)
{
    double out[MOST][COUNT], in[COUNT], sum = 0;
    MPI_Request sends[MOST], barrier = MPI_REQUEST_NULL;
    int tag = (int)(number % tags), in_barrier = 0, done = 0;
    for (int i = 0; i < n_to; i++) {
        for (int j = 0; j < COUNT; j++)
            out[i][j] = (double)(number + i + j);
        MPI_Issend(out[i], COUNT, MPI_DOUBLE, to[i], tag, MPI_COMM_WORLD, &sends[i]);
        app_sent(sizeof out[i]);
    }
    while (!done) {
        int there, sent;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
        if (there) {
            MPI_Recv(in, COUNT, MPI_DOUBLE, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            app_received();
            sum += in[COUNT - 1];
        }
        if (in_barrier) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        } else {
            MPI_Testall(n_to, sends, &sent, MPI_STATUSES_IGNORE);
            if (sent) {
                MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
                app_collective();
                in_barrier = 1;
            }
        }
    }
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    long steps = app_argument(argc, argv, 1, 100), work = app_argument(argc, argv, 2, 100000);
    int tags = argc > 3 && strcmp(argv[3], "same") == 0 ? 1 : TAGS;
    int to[MOST] = {(app.rank + 1) % app.n_ranks, (app.rank + 3) % app.n_ranks};
    double sum = 0;
    for (long i = 0; i < steps; i++) {
        app_work(work);
        sum += step(i, app.n_ranks > 3 ? MOST : 1, to, tags);
    }
    app_report("nbx", sum);
    MPI_Finalize();
    return 0;
}
