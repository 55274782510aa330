/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes every kind of messages and collectives at least once, and counts its messages, collectives
 * and calls.
 *
 *   everycall [--json PREFIX]
 *
 * Ranks form a ring. CALL(MPI_X, …) counts the call by name; sent(), received() and collective()
 * count the events that a trace must have. The creation and freeing of communicators are counted
 * only by name. With --json, each rank writes a file PREFIX.RANK (a launcher would mix lines of
 * this length):
 *   {"rank": R, "sends": N, "send_bytes": N, "receives": N, "receive_bytes": N, "collectives": N,
 *    "calls": {"MPI_Send": N, …}}
 * Calls that poll (MPI_Test*, MPI_Iprobe, MPI_Improbe) aren't counted, because their number
 * varies. */
#include "app.h"
#include <stdbool.h>
#include <string.h>

#define CALL(function, ...) (count_call(#function), function(__VA_ARGS__))
#define NAMES_LIMIT 256

enum { N = 4 }; /* doubles in a message */
static const size_t message_bytes = N * sizeof(double);

static struct {
    const char *names[NAMES_LIMIT];
    long counts[NAMES_LIMIT];
    int n;
} calls;
static long long receive_bytes;
static int left, right;
static double out[64], in[64];

static void count_call(const char *name)
{
    int i = 0;
    while (i < calls.n && strcmp(calls.names[i], name) != 0)
        i++;
    if (i == calls.n)
        calls.names[calls.n++] = name;
    calls.counts[i]++;
}

static void sent(size_t bytes)
{
    app_sent(bytes);
}

static void received(size_t bytes)
{
    app_received();
    receive_bytes += (long long)bytes;
}

static void collective(void)
{
    app_collective();
}

/* ---- point to point ---- */

static void barrier(MPI_Comm comm)
{
    CALL(MPI_Barrier, comm);
    collective();
}

static MPI_Request post_receive(int source, int tag)
{
    MPI_Request request;
    CALL(MPI_Irecv, in, N, MPI_DOUBLE, source, tag, MPI_COMM_WORLD, &request);
    return request;
}

static void complete_receive(MPI_Request *request)
{
    CALL(MPI_Wait, request, MPI_STATUS_IGNORE);
    received(message_bytes);
}

static MPI_Request post_send(int tag)
{
    MPI_Request request;
    CALL(MPI_Isend, out, N, MPI_DOUBLE, right, tag, MPI_COMM_WORLD, &request);
    sent(message_bytes);
    return request;
}

static void sends_in_every_blocking_mode(void)
{
    static char buffer[4096];
    MPI_Request request = post_receive(left, 1);
    CALL(MPI_Send, out, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
    complete_receive(&request);
    request = post_receive(left, 2);
    CALL(MPI_Ssend, out, N, MPI_DOUBLE, right, 2, MPI_COMM_WORLD);
    complete_receive(&request);
    request = post_receive(left, 3);
    barrier(MPI_COMM_WORLD); /* a ready send needs its receive posted */
    CALL(MPI_Rsend, out, N, MPI_DOUBLE, right, 3, MPI_COMM_WORLD);
    complete_receive(&request);
    MPI_Buffer_attach(buffer, sizeof buffer);
    request = post_receive(left, 4);
    CALL(MPI_Bsend, out, N, MPI_DOUBLE, right, 4, MPI_COMM_WORLD);
    complete_receive(&request);
    request = post_receive(left, 5);
    MPI_Request buffered;
    CALL(MPI_Ibsend, out, N, MPI_DOUBLE, right, 5, MPI_COMM_WORLD, &buffered);
    CALL(MPI_Wait, &buffered, MPI_STATUS_IGNORE);
    complete_receive(&request);
    void *detached;
    int size;
    MPI_Buffer_detach(&detached, &size);
    for (int i = 0; i < 5; i++)
        sent(message_bytes);
}

static void sends_in_every_nonblocking_mode(void)
{
    MPI_Status status;
    MPI_Request receive = post_receive(left, 1), send = post_send(1);
    CALL(MPI_Wait, &send, &status);
    complete_receive(&receive);
    receive = post_receive(left, 2);
    CALL(MPI_Issend, out, N, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &send);
    complete_receive(&receive);
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
    receive = post_receive(left, 3);
    barrier(MPI_COMM_WORLD);
    CALL(MPI_Irsend, out, N, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &send);
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
    complete_receive(&receive);
    sent(message_bytes);
    sent(message_bytes);
}

static void receives_blocking_and_from_anyone(void)
{
    static const struct {
        bool any_source, any_tag;
    } kinds[] = {{false, false}, {true, false}, {false, true}, {true, true}};
    for (int i = 0; i < 4; i++) {
        MPI_Status status;
        MPI_Request send = post_send(10 + i);
        CALL(MPI_Recv, in, N, MPI_DOUBLE, kinds[i].any_source ? MPI_ANY_SOURCE : left,
             kinds[i].any_tag ? MPI_ANY_TAG : 10 + i, MPI_COMM_WORLD, i % 2 ? MPI_STATUS_IGNORE : &status);
        received(message_bytes);
        CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
        barrier(MPI_COMM_WORLD);
    }
    MPI_Request receive = post_receive(MPI_ANY_SOURCE, MPI_ANY_TAG), send = post_send(20);
    complete_receive(&receive);
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
    barrier(MPI_COMM_WORLD);
}

static void receives_less_than_it_has_room_for(void)
{
    MPI_Request send;
    CALL(MPI_Isend, out, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &send);
    sent(sizeof(double));
    CALL(MPI_Recv, in, 64, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    received(sizeof(double));
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
    CALL(MPI_Isend, NULL, 0, MPI_BYTE, right, 2, MPI_COMM_WORLD, &send);
    sent(0);
    CALL(MPI_Recv, NULL, 0, MPI_BYTE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    received(0);
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
}

static void sends_and_receives_at_once(void)
{
    CALL(MPI_Sendrecv, out, N, MPI_DOUBLE, right, 1, in, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sent(message_bytes);
    received(message_bytes);
    CALL(MPI_Sendrecv_replace, out, N, MPI_DOUBLE, right, 2, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sent(message_bytes);
    received(message_bytes);
    /* Only to the right: rank 0 receives nothing, the last rank sends nothing. */
    int to = app.rank < app.n_ranks - 1 ? right : MPI_PROC_NULL, from = app.rank > 0 ? left : MPI_PROC_NULL;
    CALL(MPI_Sendrecv, out, N, MPI_DOUBLE, to, 3, in, N, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (to != MPI_PROC_NULL)
        sent(message_bytes);
    if (from != MPI_PROC_NULL)
        received(message_bytes);
}

static void talks_to_nobody(void)
{
    MPI_Request request;
    CALL(MPI_Send, out, N, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    CALL(MPI_Recv, in, N, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CALL(MPI_Isend, out, N, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Irecv, in, N, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Sendrecv_replace, out, N, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, MPI_COMM_WORLD,
         MPI_STATUS_IGNORE);
    CALL(MPI_Send_init, out, N, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
    CALL(MPI_Start, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Request_free, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE); /* a null request */
    CALL(MPI_Waitall, 0, NULL, MPI_STATUSES_IGNORE);
}

static void talks_to_itself(void)
{
    MPI_Request request;
    CALL(MPI_Irecv, in, N, MPI_DOUBLE, app.rank, 1, MPI_COMM_WORLD, &request);
    CALL(MPI_Send, out, N, MPI_DOUBLE, app.rank, 1, MPI_COMM_WORLD);
    sent(message_bytes);
    complete_receive(&request);
    CALL(MPI_Irecv, in, N, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &request);
    CALL(MPI_Send, out, N, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
    sent(message_bytes);
    complete_receive(&request);
}

static void uses_persistent_requests(void)
{
    static char buffer[4096];
    MPI_Request requests[5];
    MPI_Buffer_attach(buffer, sizeof buffer);
    CALL(MPI_Send_init, out, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[0]);
    CALL(MPI_Ssend_init, out, N, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
    CALL(MPI_Bsend_init, out, N, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &requests[2]);
    CALL(MPI_Rsend_init, out, N, MPI_DOUBLE, right, 4, MPI_COMM_WORLD, &requests[3]);
    for (int round = 0; round < 3; round++) {
        MPI_Request receives[4];
        for (int i = 0; i < 4; i++)
            CALL(MPI_Irecv, in + N * i, N, MPI_DOUBLE, left, 1 + i, MPI_COMM_WORLD, &receives[i]);
        barrier(MPI_COMM_WORLD);
        CALL(MPI_Start, &requests[0]);
        CALL(MPI_Startall, 3, requests + 1);
        CALL(MPI_Waitall, 4, receives, MPI_STATUSES_IGNORE);
        CALL(MPI_Waitall, 4, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 4; i++)
            sent(message_bytes), received(message_bytes);
    }
    CALL(MPI_Recv_init, in, N, MPI_DOUBLE, left, 5, MPI_COMM_WORLD, &requests[4]);
    for (int round = 0; round < 3; round++) {
        MPI_Status status;
        CALL(MPI_Start, &requests[4]);
        MPI_Request send = post_send(5);
        CALL(MPI_Wait, &requests[4], &status);
        received(message_bytes);
        CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 5; i++)
        CALL(MPI_Request_free, &requests[i]);
    void *detached;
    int size;
    MPI_Buffer_detach(&detached, &size);
}

static void probes(void)
{
    MPI_Status status;
    MPI_Message message;
    int found = 0;
    MPI_Request send = post_send(1), receive;
    CALL(MPI_Probe, left, 1, MPI_COMM_WORLD, &status);
    CALL(MPI_Recv, in, N, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    received(message_bytes);
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
    send = post_send(2);
    while (!found)
        MPI_Iprobe(left, 2, MPI_COMM_WORLD, &found, &status);
    CALL(MPI_Recv, in, N, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    received(message_bytes);
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
    send = post_send(3);
    CALL(MPI_Mprobe, left, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    CALL(MPI_Mrecv, in, N, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
    received(message_bytes);
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
    send = post_send(4);
    for (found = 0; !found;)
        MPI_Improbe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &found, &message, &status);
    CALL(MPI_Imrecv, in, N, MPI_DOUBLE, &message, &receive);
    complete_receive(&receive);
    CALL(MPI_Wait, &send, MPI_STATUS_IGNORE);
    CALL(MPI_Mprobe, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status);
    CALL(MPI_Mrecv, in, N, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
}

static void cancels_receives(void)
{
    int cancelled;
    MPI_Status status;
    MPI_Request request = post_receive(left, 999);
    CALL(MPI_Cancel, &request);
    CALL(MPI_Wait, &request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled)
        fprintf(stderr, "everycall: the receive was not cancelled\n");
    CALL(MPI_Recv_init, in, N, MPI_DOUBLE, left, 998, MPI_COMM_WORLD, &request);
    CALL(MPI_Start, &request);
    CALL(MPI_Cancel, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Request_free, &request);
}

/* Posts four receives in requests[0..3], and four sends in requests[4..7]. */
static void post_eight(MPI_Request requests[8])
{
    for (int i = 0; i < 4; i++)
        CALL(MPI_Irecv, in + N * i, N, MPI_DOUBLE, left, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 4; i++)
        requests[4 + i] = post_send(i);
    for (int i = 0; i < 4; i++)
        received(message_bytes);
}

static void completes_in_every_way(void)
{
    MPI_Request requests[8];
    MPI_Status statuses[8];
    int index, count, indices[8], done;
    post_eight(requests);
    CALL(MPI_Waitall, 8, requests, statuses);
    post_eight(requests);
    for (int i = 0; i < 8; i++)
        CALL(MPI_Waitany, 8, requests, &index, i % 2 ? MPI_STATUS_IGNORE : statuses);
    CALL(MPI_Waitany, 8, requests, &index, MPI_STATUS_IGNORE); /* no request is left */
    post_eight(requests);
    for (int left_over = 8; left_over > 0; left_over -= count)
        MPI_Waitsome(8, requests, &count, indices, MPI_STATUSES_IGNORE); /* the number of these calls varies */
    post_eight(requests);
    for (done = 0; !done;)
        MPI_Testall(8, requests, &done, MPI_STATUSES_IGNORE);
    post_eight(requests);
    for (int left_over = 8; left_over > 0; left_over -= done)
        MPI_Testany(8, requests, &index, &done, MPI_STATUS_IGNORE);
    post_eight(requests);
    for (int left_over = 8; left_over > 0; left_over -= count)
        MPI_Testsome(8, requests, &count, indices, statuses);
    post_eight(requests);
    for (int i = 0; i < 8; i++)
        for (done = 0; !done;)
            MPI_Test(&requests[i], &done, i % 2 ? MPI_STATUS_IGNORE : statuses);
    post_eight(requests);
    for (int i = 0; i < 8; i++) {
        for (done = 0; !done;)
            MPI_Request_get_status(requests[i], &done, statuses);
        CALL(MPI_Wait, &requests[i], MPI_STATUS_IGNORE);
    }
    MPI_Request send = post_send(9);
    CALL(MPI_Request_free, &send);
    CALL(MPI_Recv, in, N, MPI_DOUBLE, left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    received(message_bytes);
}

static void sends_derived_datatypes(void)
{
    struct {
        int number;
        double values[3];
    } record = {1, {1, 2, 3}}, other;
    MPI_Datatype column, absolute_out, absolute_in;
    MPI_Request receive;
    MPI_Type_vector(N, 1, 8, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    receive = post_receive(left, 1);
    CALL(MPI_Send, out, 1, column, right, 1, MPI_COMM_WORLD);
    sent(message_bytes);
    complete_receive(&receive);
    int lengths[2] = {1, 3};
    MPI_Aint where_out[2], where_in[2];
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Get_address(&record.number, &where_out[0]);
    MPI_Get_address(record.values, &where_out[1]);
    MPI_Get_address(&other.number, &where_in[0]);
    MPI_Get_address(other.values, &where_in[1]);
    MPI_Type_create_struct(2, lengths, where_out, types, &absolute_out);
    MPI_Type_create_struct(2, lengths, where_in, types, &absolute_in);
    MPI_Type_commit(&absolute_out);
    MPI_Type_commit(&absolute_in);
    CALL(MPI_Sendrecv, MPI_BOTTOM, 1, absolute_out, right, 2, MPI_BOTTOM, 1, absolute_in, left, 2, MPI_COMM_WORLD,
         MPI_STATUS_IGNORE);
    sent(sizeof(int) + 3 * sizeof(double));
    received(sizeof(int) + 3 * sizeof(double));
    CALL(MPI_Bcast, MPI_BOTTOM, 1, absolute_out, 0, MPI_COMM_WORLD);
    collective();
    if (other.number != 1 || other.values[2] != 3)
        fprintf(stderr, "everycall: MPI_BOTTOM did not arrive\n");
    MPI_Type_free(&column);
    MPI_Type_free(&absolute_out);
    MPI_Type_free(&absolute_in);
}

/* ---- collectives ---- */

/* Arrays for the v- and w-variants: one double to and from each rank. */
typedef struct Layout {
    int n, rank;
    int *counts, *places, *byte_places;
    MPI_Datatype *types;
    double *send, *receive;
} Layout;

static Layout new_layout(MPI_Comm comm)
{
    Layout l;
    MPI_Comm_size(comm, &l.n);
    MPI_Comm_rank(comm, &l.rank);
    size_t n = (size_t)l.n;
    l.counts = calloc(n, sizeof(int));
    l.places = calloc(n, sizeof(int));
    l.byte_places = calloc(n, sizeof(int));
    l.types = calloc(n, sizeof(MPI_Datatype));
    l.send = calloc(n, sizeof(double));
    l.receive = calloc(n, sizeof(double));
    for (int i = 0; i < l.n; i++) {
        l.counts[i] = 1;
        l.places[i] = i;
        l.byte_places[i] = i * (int)sizeof(double);
        l.types[i] = MPI_DOUBLE;
    }
    return l;
}

static void free_layout(Layout *l)
{
    free(l->counts), free(l->places), free(l->byte_places), free(l->types), free(l->send), free(l->receive);
}

#define COLLECTIVE(function, ...) (CALL(function, __VA_ARGS__), collective())

static void calls_blocking_collectives(MPI_Comm comm)
{
    Layout l = new_layout(comm);
    double *s = l.send, *r = l.receive;
    int root = l.n - 1;
    COLLECTIVE(MPI_Barrier, comm);
    COLLECTIVE(MPI_Bcast, s, 1, MPI_DOUBLE, root, comm);
    COLLECTIVE(MPI_Gather, s, 1, MPI_DOUBLE, r, 1, MPI_DOUBLE, root, comm);
    COLLECTIVE(MPI_Gatherv, s, 1, MPI_DOUBLE, r, l.counts, l.places, MPI_DOUBLE, root, comm);
    COLLECTIVE(MPI_Scatter, s, 1, MPI_DOUBLE, r, 1, MPI_DOUBLE, root, comm);
    COLLECTIVE(MPI_Scatterv, s, l.counts, l.places, MPI_DOUBLE, r, 1, MPI_DOUBLE, root, comm);
    COLLECTIVE(MPI_Allgather, s, 1, MPI_DOUBLE, r, 1, MPI_DOUBLE, comm);
    COLLECTIVE(MPI_Allgatherv, s, 1, MPI_DOUBLE, r, l.counts, l.places, MPI_DOUBLE, comm);
    COLLECTIVE(MPI_Alltoall, s, 1, MPI_DOUBLE, r, 1, MPI_DOUBLE, comm);
    COLLECTIVE(MPI_Alltoallv, s, l.counts, l.places, MPI_DOUBLE, r, l.counts, l.places, MPI_DOUBLE, comm);
    COLLECTIVE(MPI_Alltoallw, s, l.counts, l.byte_places, l.types, r, l.counts, l.byte_places, l.types, comm);
    COLLECTIVE(MPI_Reduce, s, r, 1, MPI_DOUBLE, MPI_SUM, root, comm);
    COLLECTIVE(MPI_Allreduce, s, r, 1, MPI_DOUBLE, MPI_SUM, comm);
    COLLECTIVE(MPI_Reduce_scatter, s, r, l.counts, MPI_DOUBLE, MPI_SUM, comm);
    COLLECTIVE(MPI_Reduce_scatter_block, s, r, 1, MPI_DOUBLE, MPI_SUM, comm);
    COLLECTIVE(MPI_Scan, s, r, 1, MPI_DOUBLE, MPI_SUM, comm);
    COLLECTIVE(MPI_Exscan, s, r, 1, MPI_DOUBLE, MPI_SUM, comm);
    free_layout(&l);
}

static void calls_collectives_in_place(MPI_Comm comm)
{
    Layout l = new_layout(comm);
    double *s = l.send, *r = l.receive;
    bool root = l.rank == 0;
    COLLECTIVE(MPI_Gather, root ? MPI_IN_PLACE : s, 1, MPI_DOUBLE, r, 1, MPI_DOUBLE, 0, comm);
    COLLECTIVE(MPI_Gatherv, root ? MPI_IN_PLACE : s, 1, MPI_DOUBLE, r, l.counts, l.places, MPI_DOUBLE, 0, comm);
    COLLECTIVE(MPI_Scatter, s, 1, MPI_DOUBLE, root ? MPI_IN_PLACE : r, 1, MPI_DOUBLE, 0, comm);
    COLLECTIVE(MPI_Scatterv, s, l.counts, l.places, MPI_DOUBLE, root ? MPI_IN_PLACE : r, 1, MPI_DOUBLE, 0, comm);
    COLLECTIVE(MPI_Allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, r, 1, MPI_DOUBLE, comm);
    COLLECTIVE(MPI_Allgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, r, l.counts, l.places, MPI_DOUBLE, comm);
    COLLECTIVE(MPI_Alltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, r, 1, MPI_DOUBLE, comm);
    COLLECTIVE(MPI_Alltoallv, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, r, l.counts, l.places, MPI_DOUBLE, comm);
    COLLECTIVE(MPI_Alltoallw, MPI_IN_PLACE, NULL, NULL, NULL, r, l.counts, l.byte_places, l.types, comm);
    COLLECTIVE(MPI_Reduce, root ? MPI_IN_PLACE : s, r, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    COLLECTIVE(MPI_Allreduce, MPI_IN_PLACE, r, 1, MPI_DOUBLE, MPI_SUM, comm);
    COLLECTIVE(MPI_Reduce_scatter, MPI_IN_PLACE, r, l.counts, MPI_DOUBLE, MPI_SUM, comm);
    COLLECTIVE(MPI_Reduce_scatter_block, MPI_IN_PLACE, r, 1, MPI_DOUBLE, MPI_SUM, comm);
    COLLECTIVE(MPI_Scan, MPI_IN_PLACE, r, 1, MPI_DOUBLE, MPI_SUM, comm);
    COLLECTIVE(MPI_Exscan, MPI_IN_PLACE, r, 1, MPI_DOUBLE, MPI_SUM, comm);
    free_layout(&l);
}

/* Several nonblocking collectives at a time, completed together. */
static void calls_nonblocking_collectives(MPI_Comm comm)
{
    Layout l = new_layout(comm);
    double *s = l.send, rs[17][64];
    int root = 0;
    MPI_Request q[17];
    COLLECTIVE(MPI_Ibarrier, comm, &q[0]);
    COLLECTIVE(MPI_Ibcast, rs[1], 1, MPI_DOUBLE, root, comm, &q[1]);
    COLLECTIVE(MPI_Igather, s, 1, MPI_DOUBLE, rs[2], 1, MPI_DOUBLE, root, comm, &q[2]);
    COLLECTIVE(MPI_Igatherv, s, 1, MPI_DOUBLE, rs[3], l.counts, l.places, MPI_DOUBLE, root, comm, &q[3]);
    COLLECTIVE(MPI_Iscatter, s, 1, MPI_DOUBLE, rs[4], 1, MPI_DOUBLE, root, comm, &q[4]);
    COLLECTIVE(MPI_Iscatterv, s, l.counts, l.places, MPI_DOUBLE, rs[5], 1, MPI_DOUBLE, root, comm, &q[5]);
    COLLECTIVE(MPI_Iallgather, s, 1, MPI_DOUBLE, rs[6], 1, MPI_DOUBLE, comm, &q[6]);
    COLLECTIVE(MPI_Iallgatherv, s, 1, MPI_DOUBLE, rs[7], l.counts, l.places, MPI_DOUBLE, comm, &q[7]);
    COLLECTIVE(MPI_Ialltoall, s, 1, MPI_DOUBLE, rs[8], 1, MPI_DOUBLE, comm, &q[8]);
    COLLECTIVE(MPI_Ialltoallv, s, l.counts, l.places, MPI_DOUBLE, rs[9], l.counts, l.places, MPI_DOUBLE, comm, &q[9]);
    COLLECTIVE(MPI_Ialltoallw, s, l.counts, l.byte_places, l.types, rs[10], l.counts, l.byte_places, l.types, comm,
               &q[10]);
    COLLECTIVE(MPI_Ireduce, s, rs[11], 1, MPI_DOUBLE, MPI_SUM, root, comm, &q[11]);
    COLLECTIVE(MPI_Iallreduce, s, rs[12], 1, MPI_DOUBLE, MPI_SUM, comm, &q[12]);
    COLLECTIVE(MPI_Ireduce_scatter, s, rs[13], l.counts, MPI_DOUBLE, MPI_SUM, comm, &q[13]);
    COLLECTIVE(MPI_Ireduce_scatter_block, s, rs[14], 1, MPI_DOUBLE, MPI_SUM, comm, &q[14]);
    COLLECTIVE(MPI_Iscan, s, rs[15], 1, MPI_DOUBLE, MPI_SUM, comm, &q[15]);
    COLLECTIVE(MPI_Iexscan, s, rs[16], 1, MPI_DOUBLE, MPI_SUM, comm, &q[16]);
    CALL(MPI_Waitall, 17, q, MPI_STATUSES_IGNORE);
    MPI_Request one;
    COLLECTIVE(MPI_Iallreduce, s, rs[0], 1, MPI_DOUBLE, MPI_SUM, comm, &one);
    for (int done = 0; !done;)
        MPI_Test(&one, &done, MPI_STATUS_IGNORE);
    free_layout(&l);
}

/* On a ring: two neighbours each. */
static void calls_neighbourhood_collectives(MPI_Comm ring)
{
    int counts[2] = {1, 1}, places[2] = {0, 1};
    MPI_Aint byte_places[2] = {0, sizeof(double)};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};
    double s[2] = {1, 2}, r[5][2];
    MPI_Request q[5];
    COLLECTIVE(MPI_Neighbor_allgather, s, 1, MPI_DOUBLE, r[0], 1, MPI_DOUBLE, ring);
    COLLECTIVE(MPI_Neighbor_allgatherv, s, 1, MPI_DOUBLE, r[0], counts, places, MPI_DOUBLE, ring);
    COLLECTIVE(MPI_Neighbor_alltoall, s, 1, MPI_DOUBLE, r[0], 1, MPI_DOUBLE, ring);
    COLLECTIVE(MPI_Neighbor_alltoallv, s, counts, places, MPI_DOUBLE, r[0], counts, places, MPI_DOUBLE, ring);
    COLLECTIVE(MPI_Neighbor_alltoallw, s, counts, byte_places, types, r[0], counts, byte_places, types, ring);
    COLLECTIVE(MPI_Ineighbor_allgather, s, 1, MPI_DOUBLE, r[0], 1, MPI_DOUBLE, ring, &q[0]);
    COLLECTIVE(MPI_Ineighbor_allgatherv, s, 1, MPI_DOUBLE, r[1], counts, places, MPI_DOUBLE, ring, &q[1]);
    COLLECTIVE(MPI_Ineighbor_alltoall, s, 1, MPI_DOUBLE, r[2], 1, MPI_DOUBLE, ring, &q[2]);
    COLLECTIVE(MPI_Ineighbor_alltoallv, s, counts, places, MPI_DOUBLE, r[3], counts, places, MPI_DOUBLE, ring, &q[3]);
    COLLECTIVE(MPI_Ineighbor_alltoallw, s, counts, byte_places, types, r[4], counts, byte_places, types, ring, &q[4]);
    CALL(MPI_Waitall, 5, q, MPI_STATUSES_IGNORE);
}

/* ---- communicators ---- */

/* A message around the ring of any communicator, and a collective on the communicator. */
static void talks_on(MPI_Comm comm)
{
    int rank, n;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n);
    CALL(MPI_Sendrecv, out, N, MPI_DOUBLE, (rank + 1) % n, 1, in, N, MPI_DOUBLE, (rank + n - 1) % n, 1, comm,
         MPI_STATUS_IGNORE);
    sent(message_bytes);
    received(message_bytes);
    COLLECTIVE(MPI_Allreduce, out, in, 1, MPI_DOUBLE, MPI_SUM, comm);
}

static void talks_on_and_frees(MPI_Comm *comm)
{
    if (*comm == MPI_COMM_NULL)
        return;
    talks_on(*comm);
    CALL(MPI_Comm_free, comm);
}

static void makes_communicators(void)
{
    MPI_Comm comm;
    MPI_Request request;
    MPI_Group world, group;
    int ranges[1][3] = {{app.n_ranks - 1, 0, -1}}; /* all ranks, backwards */
    int first = 0;
    CALL(MPI_Comm_dup, MPI_COMM_WORLD, &comm);
    talks_on_and_frees(&comm);
    CALL(MPI_Comm_dup_with_info, MPI_COMM_WORLD, MPI_INFO_NULL, &comm);
    talks_on_and_frees(&comm);
    CALL(MPI_Comm_idup, MPI_COMM_WORLD, &comm, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    talks_on_and_frees(&comm);
    CALL(MPI_Comm_split, MPI_COMM_WORLD, app.rank % 2, -app.rank, &comm);
    talks_on_and_frees(&comm);
    CALL(MPI_Comm_split, MPI_COMM_WORLD, app.rank == 0 ? MPI_UNDEFINED : 0, 0, &comm);
    talks_on_and_frees(&comm);
    CALL(MPI_Comm_split_type, MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    talks_on_and_frees(&comm);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, ranges, &group);
    CALL(MPI_Comm_create, MPI_COMM_WORLD, group, &comm);
    talks_on_and_frees(&comm);
    MPI_Group_free(&group);
    MPI_Group_excl(world, 1, &first, &group);
    CALL(MPI_Comm_create, MPI_COMM_WORLD, group, &comm); /* without rank 0 */
    talks_on_and_frees(&comm);
    if (app.rank != 0) {
        CALL(MPI_Comm_create_group, MPI_COMM_WORLD, group, 1, &comm);
        talks_on(comm);
        CALL(MPI_Comm_disconnect, &comm);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
}

static void makes_topologies(void)
{
    MPI_Comm comm, row;
    int dims[2] = {0, 0}, periods[2] = {1, 1}, keep[2] = {0, 1}, sources[2] = {left, right}, weights[2] = {1, 1};
    int degree = 2, *index = calloc((size_t)app.n_ranks, sizeof *index);
    int *edges = calloc(2 * (size_t)app.n_ranks, sizeof *edges);
    MPI_Dims_create(app.n_ranks, 2, dims);
    CALL(MPI_Cart_create, MPI_COMM_WORLD, 2, dims, periods, 1, &comm);
    CALL(MPI_Cart_sub, comm, keep, &row);
    talks_on_and_frees(&row);
    talks_on_and_frees(&comm);
    CALL(MPI_Cart_create, MPI_COMM_WORLD, 1, &app.n_ranks, periods, 0, &comm);
    calls_neighbourhood_collectives(comm);
    talks_on_and_frees(&comm);
    for (int i = 0; i < app.n_ranks; i++) {
        index[i] = 2 * (i + 1);
        edges[2 * i] = (i + app.n_ranks - 1) % app.n_ranks;
        edges[2 * i + 1] = (i + 1) % app.n_ranks;
    }
    CALL(MPI_Graph_create, MPI_COMM_WORLD, app.n_ranks, index, edges, 0, &comm);
    talks_on_and_frees(&comm);
    CALL(MPI_Dist_graph_create_adjacent, MPI_COMM_WORLD, 2, sources, weights, 2, sources, weights, MPI_INFO_NULL, 0,
         &comm);
    calls_neighbourhood_collectives(comm);
    talks_on_and_frees(&comm);
    CALL(MPI_Dist_graph_create, MPI_COMM_WORLD, 1, &app.rank, &degree, sources, weights, MPI_INFO_NULL, 0, &comm);
    talks_on_and_frees(&comm);
    free(index), free(edges);
}

/* Two halves of the world, with messages and collectives between them. */
static void talks_between_groups(void)
{
    MPI_Comm half, between, whole;
    int in_upper = app.rank >= app.n_ranks / 2, rank, n_remote;
    CALL(MPI_Comm_split, MPI_COMM_WORLD, in_upper, 0, &half);
    CALL(MPI_Intercomm_create, half, 0, MPI_COMM_WORLD, in_upper ? 0 : app.n_ranks / 2, 1, &between);
    MPI_Comm_rank(between, &rank);
    MPI_Comm_remote_size(between, &n_remote);
    int peer = rank < n_remote ? rank : MPI_PROC_NULL;
    CALL(MPI_Sendrecv, out, N, MPI_DOUBLE, peer, 1, in, N, MPI_DOUBLE, peer, 1, between, MPI_STATUS_IGNORE);
    if (peer != MPI_PROC_NULL)
        sent(message_bytes), received(message_bytes);
    COLLECTIVE(MPI_Barrier, between);
    COLLECTIVE(MPI_Allreduce, out, in, 1, MPI_DOUBLE, MPI_SUM, between);
    COLLECTIVE(MPI_Bcast, out, 1, MPI_DOUBLE, in_upper ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, between);
    CALL(MPI_Intercomm_merge, between, in_upper, &whole);
    talks_on_and_frees(&whole);
    CALL(MPI_Comm_free, &between);
    talks_on_and_frees(&half);
}

/* --------------------------------------------------------------------------------------------------------------- */

static void write_json(const char *prefix)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.%d", prefix, app.rank);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    fprintf(file,
            "{\"rank\": %d, \"sends\": %lld, \"send_bytes\": %lld, \"receives\": %lld, \"receive_bytes\": %lld, "
            "\"collectives\": %lld, \"calls\": {",
            app.rank, app.sends, app.send_bytes, app.receives, receive_bytes, app.collectives);
    for (int i = 0; i < calls.n; i++)
        fprintf(file, "%s\"%s\": %ld", i ? ", " : "", calls.names[i], calls.counts[i]);
    fprintf(file, "}}\n");
    fclose(file);
}

/* The index of a word in the command line, 0 if it is missing. */
static int find_word(int argc, char **argv, const char *word)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], word) == 0)
            return i;
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    if (app.n_ranks < 2) {
        fprintf(stderr, "everycall: needs at least two ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    right = (app.rank + 1) % app.n_ranks;
    left = (app.rank + app.n_ranks - 1) % app.n_ranks;
    sends_in_every_blocking_mode();
    sends_in_every_nonblocking_mode();
    receives_blocking_and_from_anyone();
    receives_less_than_it_has_room_for();
    sends_and_receives_at_once();
    talks_to_nobody();
    talks_to_itself();
    uses_persistent_requests();
    probes();
    cancels_receives();
    completes_in_every_way();
    sends_derived_datatypes();
    calls_blocking_collectives(MPI_COMM_WORLD);
    calls_collectives_in_place(MPI_COMM_WORLD);
    calls_nonblocking_collectives(MPI_COMM_WORLD);
    makes_communicators();
    makes_topologies();
    talks_between_groups();
    barrier(MPI_COMM_WORLD);
    int json = find_word(argc, argv, "--json");
    if (json && json + 1 < argc)
        write_json(argv[json + 1]);
    app_report("everycall", (double)app.sends);
    MPI_Finalize();
    return 0;
}
