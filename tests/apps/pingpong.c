/* SPDX-License-Identifier: BSD-3-Clause */
/* ROUNDS round trips of a message of BYTES (0) between ranks 0 and 1. A single rank sends to
 * itself. Prints nanoseconds per event (a send or a receive of one rank), which is half a round
 * trip.
 *
 *   pingpong [ROUNDS [BYTES]]
 */
#include "app.h"

static char *message, *received;
static int message_bytes;

static void round_trip_to_self(void)
{
    MPI_Request request;
    MPI_Irecv(received, message_bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Send(message, message_bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    app_sent(message_bytes), app_received();
}

static void round_trip(int peer)
{
    if (app.rank == 0)
        MPI_Send(message, message_bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(received, message_bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (app.rank == 1)
        MPI_Send(message, message_bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    app_sent(message_bytes), app_received();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    long rounds = app_argument(argc, argv, 1, 100000);
    message_bytes = (int)app_argument(argc, argv, 2, 0);
    message = calloc(2, (size_t)message_bytes + 1);
    received = message + message_bytes + 1;
    MPI_Barrier(MPI_COMM_WORLD);
    app_collective();
    double start_s = MPI_Wtime();
    for (long i = 0; i < rounds && app.rank < 2; i++) {
        if (app.n_ranks == 1)
            round_trip_to_self();
        else
            round_trip(1 - app.rank);
    }
    double elapsed_s = MPI_Wtime() - start_s;
    if (app.rank == 0)
        printf("ns_per_event %.2f\n", elapsed_s * 1e9 / (2 * (double)rounds));
    app_report("pingpong", (double)rounds);
    free(message);
    MPI_Finalize();
    return 0;
}
