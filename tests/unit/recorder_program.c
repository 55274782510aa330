/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls every family of MPI once or twice, on two ranks, in the same order in each run. */
#include <mpi.h>
#include <stddef.h>

static int me, other;
static int out[64], in[64];

static void exchange_messages(void)
{
    MPI_Status status;
    if (me == 0) {
        MPI_Send(out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Ssend(out, 2, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Recv(in, 64, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(in, 64, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(in, 64, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(out, 3, MPI_DOUBLE_INT, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &status);
    MPI_Sendrecv(out, 4, MPI_INT, other, 4, in, 4, MPI_INT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 4, MPI_INT, other, 4, in, 4, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 4, MPI_INT, MPI_PROC_NULL, 4, in, 4, MPI_INT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(out, 5, MPI_INT, other, 5, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void complete_requests(void)
{
    MPI_Request requests[4];
    MPI_Status statuses[4];
    int index, flag = 0, n_done, n = 0, indices[4];
    MPI_Irecv(in, 8, MPI_INT, other, 10, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 8, MPI_INT, other, 10, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(in, 8, MPI_INT, MPI_PROC_NULL, 10, MPI_COMM_WORLD, &requests[2]);
    requests[3] = MPI_REQUEST_NULL;
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Irecv(in, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 6, MPI_INT, other, 11, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[1], &statuses[0]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Issend(out, 7, MPI_INT, other, 12, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv(in, 7, MPI_INT, other, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!flag)
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 8, MPI_INT, other, 13, MPI_COMM_WORLD, &requests[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Testsome(1, requests, &n_done, indices, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(out, 8, MPI_INT, other, 13, MPI_COMM_WORLD);
    while (n < 1) {
        MPI_Waitsome(1, requests, &n_done, indices, MPI_STATUSES_IGNORE);
        n += n_done;
    }
    MPI_Waitsome(1, requests, &n_done, indices, MPI_STATUSES_IGNORE);
    MPI_Irecv(in, 8, MPI_INT, other, 14, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(out, 9 - 1, MPI_INT, other, 14, MPI_COMM_WORLD);
    for (flag = 0; !flag;)
        MPI_Testall(1, requests, &flag, MPI_STATUSES_IGNORE);
    MPI_Irecv(in, 8, MPI_INT, other, 15, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(out, 1, MPI_INT, other, 15, MPI_COMM_WORLD);
    for (flag = 0; !flag;)
        MPI_Testany(1, requests, &index, &flag, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 8, MPI_INT, other, 16, MPI_COMM_WORLD, &requests[0]);
    MPI_Send(out, 1, MPI_INT, other, 16, MPI_COMM_WORLD);
    for (n = 0; n < 1;) {
        MPI_Testsome(1, requests, &n_done, indices, statuses);
        n += n_done;
    }
    MPI_Irecv(in, 8, MPI_INT, other, 17, MPI_COMM_WORLD, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Isend(out, 1, MPI_INT, other, 18, MPI_COMM_WORLD, &requests[0]);
    MPI_Request_free(&requests[0]);
    MPI_Recv(in, 1, MPI_INT, other, 18, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void use_persistent_requests(void)
{
    MPI_Request requests[3];
    MPI_Send_init(out, 2, MPI_DOUBLE, other, 20, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(in, 2, MPI_DOUBLE, MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, &requests[1]);
    MPI_Send_init(out, 2, MPI_DOUBLE, MPI_PROC_NULL, 20, MPI_COMM_WORLD, &requests[2]);
    MPI_Startall(3, requests);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Start(&requests[1]);
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
}

static void probe_messages(void)
{
    MPI_Message message;
    MPI_Request request;
    int flag = 0;
    MPI_Status status;
    if (me == 0) {
        for (int tag = 30; tag < 34; tag++)
            MPI_Send(out, tag - 29, MPI_INT, 1, tag, MPI_COMM_WORLD);
        return;
    }
    MPI_Probe(0, 30, MPI_COMM_WORLD, &status);
    while (!flag)
        MPI_Iprobe(0, 30, MPI_COMM_WORLD, &flag, &status);
    MPI_Recv(in, 1, MPI_INT, 0, 30, MPI_COMM_WORLD, &status);
    MPI_Mprobe(MPI_ANY_SOURCE, 31, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(in, 64, MPI_INT, &message, MPI_STATUS_IGNORE);
    for (flag = 0; !flag;)
        MPI_Improbe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(in, 64, MPI_INT, &message, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(in, 64, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Recv(in, 64, MPI_INT, 0, 33, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* An invalid value for parameters that are not significant at a rank. */
#define NOT_SIGNIFICANT ((int *)(size_t)8)

static void call_collectives(void)
{
    const int counts[2] = {1, 2}, places[2] = {0, 1}, byte_places[2] = {0, 4};
    const MPI_Datatype types[2] = {MPI_INT, MPI_CHAR};
    const int root = me == 1;
    MPI_Bcast(out, 4, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gather(out, 2, MPI_INT, in, 2, root ? MPI_INT : MPI_DATATYPE_NULL, 1, MPI_COMM_WORLD);
    MPI_Gather(root ? MPI_IN_PLACE : out, 2, MPI_INT, in, 2, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gatherv(out, counts[me], MPI_INT, in, root ? counts : NOT_SIGNIFICANT, places, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Scatter(out, 3, MPI_INT, root ? MPI_IN_PLACE : in, 3, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Scatterv(out, root ? counts : NOT_SIGNIFICANT, places, MPI_INT, in, counts[me], MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(out, counts[me], MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(out, 2, MPI_INT, in, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(out, (const int[]){me + 1, me + 1}, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallw(out, (const int[]){1, 1}, byte_places, (const MPI_Datatype[]){types[me], types[me]}, in,
                  (const int[]){1, 1}, byte_places, types, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, in, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(out, in, 3, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void call_nonblocking_collectives(void)
{
    MPI_Request requests[3];
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(out, in, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibcast(out, 4, MPI_INT, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

static void make_communicators(void)
{
    MPI_Comm dup, split, none, grid, row, ring, inter, merged, late, created, group_made;
    MPI_Group world, group;
    MPI_Request request;
    const int neighbour = other, dims[1] = {2}, periods[1] = {0}, keep[1] = {1};
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Send(out, 1, MPI_INT, other, 40, dup);
    MPI_Recv(in, 1, MPI_INT, other, 40, dup, MPI_STATUS_IGNORE);
    MPI_Comm_split(dup, 0, -me, &split);
    MPI_Barrier(split);
    MPI_Comm_free(&dup);
    MPI_Comm_split(MPI_COMM_WORLD, me ? MPI_UNDEFINED : 0, 0, &none);
    MPI_Comm_idup(split, &late, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(late);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &group);
    MPI_Group_free(&group);
    MPI_Group_incl(world, 2, (const int[]){1, 0}, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &created);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 7, &group_made);
    MPI_Barrier(group_made);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    MPI_Neighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, grid);
    MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, grid);
    MPI_Cart_sub(grid, keep, &row);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &neighbour, MPI_UNWEIGHTED, 1, &neighbour, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    MPI_Neighbor_alltoallv(out, (const int[]){3}, (const int[]){0}, MPI_INT, in, (const int[]){3}, (const int[]){0},
                           MPI_INT, ring);
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, other, 9, &inter);
    MPI_Sendrecv(out, 1, MPI_INT, 0, 41, in, 1, MPI_INT, 0, 41, inter, MPI_STATUS_IGNORE);
    MPI_Bcast(out, 5, MPI_INT, me ? 0 : MPI_ROOT, inter);
    MPI_Allgather(out, 2, MPI_INT, in, 2, MPI_INT, inter);
    MPI_Intercomm_merge(inter, me, &merged);
    MPI_Barrier(merged);
    MPI_Comm_free(&inter);
    MPI_Comm_disconnect(&merged);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
}

static void reach_into_a_window(void)
{
    static int one = 1, old;
    MPI_Win window;
    MPI_Request request;
    MPI_Win_create(in, sizeof in, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(out, 2, MPI_INT, other, 0, 2, MPI_INT, window);
    MPI_Get(out + 8, 1, MPI_DOUBLE_INT, other, 16, 1, MPI_DOUBLE_INT, window);
    MPI_Accumulate(out, 3, MPI_INT, other, 64, 3, MPI_INT, MPI_SUM, window);
    MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, out + 16, 2, MPI_INT, other, 80, 2, MPI_INT, MPI_NO_OP, window);
    MPI_Put(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, 0, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, window);
    MPI_Fetch_and_op(&one, &old, MPI_INT, other, 0, MPI_SUM, window);
    MPI_Rput(out, 1, MPI_INT, other, 128, 1, MPI_INT, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_unlock(other, window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    other = 1 - me;
    exchange_messages();
    complete_requests();
    use_persistent_requests();
    probe_messages();
    call_collectives();
    call_nonblocking_collectives();
    make_communicators();
    reach_into_a_window();
    MPI_Finalize();
    return 0;
}
