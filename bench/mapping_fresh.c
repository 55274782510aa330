/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of mapping_effect.py's set `fresh`. Whoever works on the model of mappings doesn't look at
 * their results before the model is finished. mapping_kernel.h describes the command line. */
#include "mapping_kernel.h"

/* LU on a grid of places: panels move over rows and columns, and shrink. */
static void lu(Kernel *kernel)
{
    int width = kernel->width, rows = kernel->n / width, column_place, row_place, pivot = kernel->place, best;
    MPI_Comm row = kernel_row(kernel, width), column = kernel_column(kernel, width);
    MPI_Comm_rank(row, &row_place);
    MPI_Comm_rank(column, &column_place);
    for (long step = 0; step < kernel->rounds; step++) {
        double left = (double)(kernel->rounds - step) / (double)kernel->rounds;
        int bytes = (int)(kernel->bytes * left);
        if (row_place == step % width) {
            kernel_compute(kernel, 0.5 * left);
            MPI_Allreduce(&pivot, &best, 1, MPI_INT, MPI_MAX, column);
        }
        MPI_Bcast(kernel->in, bytes, MPI_CHAR, (int)(step % width), row);
        if (column_place == step % rows)
            kernel_compute(kernel, 0.25 * left);
        MPI_Bcast(kernel->in, bytes, MPI_CHAR, (int)(step % rows), column);
        kernel_compute(kernel, 1.5 * left * left);
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
}

/* A three-dimensional transform of pencils: half of the data is exchanged while the other half is
 * computed, in rows of half of the places' number and in columns of two. */
static void pencils(Kernel *kernel)
{
    int width = kernel->n % 2 ? kernel->n : kernel->n / 2;
    MPI_Comm lines[] = {kernel_row(kernel, width), kernel_column(kernel, width)};
    int sizes[] = {width, kernel->n / width};
    for (long round = 0; round < 2 * kernel->rounds; round++) {
        int line = (int)(round % 2), bytes = kernel->bytes / sizes[line];
        MPI_Request request;
        MPI_Ialltoall(kernel->out, bytes, MPI_CHAR, kernel->in, bytes, MPI_CHAR, lines[line], &request);
        kernel_compute(kernel, 0.3);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Alltoall(kernel->out, bytes, MPI_CHAR, kernel->in, bytes, MPI_CHAR, lines[line]);
        kernel_compute(kernel, 0.3);
    }
    MPI_Comm_free(&lines[0]);
    MPI_Comm_free(&lines[1]);
}

/* Neighbours at this distance in a ring of places, of which every distance-th takes part. */
static void smooth(Kernel *kernel, int distance)
{
    int places[] = {kernel->place - distance, kernel->place + distance < kernel->n ? kernel->place + distance : -1};
    if (kernel->place % distance)
        return;
    kernel_compute(kernel, 0.5 / distance);
    kernel_exchange(kernel, places, 2, kernel->bytes / distance + 1);
}

/* A cycle over grids, each half as fine as the one before. On the coarsest, one place works. */
static void vcycle(Kernel *kernel)
{
    for (long round = 0; round < kernel->rounds; round++) {
        int distance = 1;
        for (; 2 * distance <= kernel->n; distance *= 2) {
            smooth(kernel, distance);
            if (kernel->place % (2 * distance) == distance)
                kernel_send(kernel, kernel->place - distance, kernel->bytes / 2 / distance + 1);
            else if (kernel->place % distance == 0 && kernel->place + distance < kernel->n)
                kernel_receive(kernel, kernel->place + distance, kernel->bytes / 2 / distance + 1);
        }
        for (distance /= 2; distance >= 1; distance /= 2) {
            if (kernel->place % (2 * distance) == 0 && kernel->place + distance < kernel->n)
                kernel_send(kernel, kernel->place + distance, kernel->bytes / 2 / distance + 1);
            else if (kernel->place % (2 * distance) == distance)
                kernel_receive(kernel, kernel->place - distance, kernel->bytes / 2 / distance + 1);
            smooth(kernel, distance);
        }
    }
}

/* A bitonic sort on a hypercube: partners compare and split their blocks. */
static void bitonic(Kernel *kernel)
{
    int bytes = kernel->bytes / 2;
    for (long round = 0; round < kernel->rounds; round++)
        for (int merged = 2; merged <= kernel->n; merged *= 2)
            for (int distance = merged / 2; distance >= 1; distance /= 2) {
                int partner = kernel->place ^ distance;
                if (partner < kernel->n)
                    MPI_Sendrecv(kernel->out, bytes, MPI_CHAR, partner, 0, kernel->in, bytes, MPI_CHAR, partner, 0,
                                 kernel->comm, MPI_STATUS_IGNORE);
                kernel_compute(kernel, 0.1);
            }
}

/* What one place sends to another in an all-to-all: half of the pairs nothing, others up to
 * BYTES / 4. */
static int uneven_volume(const Kernel *kernel, int from, int to)
{
    double chance = kernel_chance((unsigned long)(from * KERNEL_RANKS_LIMIT + to), 31);
    return chance < 0.5 ? 0 : (int)(kernel->bytes / 4 * (2 * chance - 1) * (2 * chance - 1));
}

/* An all-to-all of all places with uneven parts, as when particles or keys are redistributed. */
static void uneven(Kernel *kernel)
{
    int out[KERNEL_RANKS_LIMIT], in[KERNEL_RANKS_LIMIT], out_at[KERNEL_RANKS_LIMIT], in_at[KERNEL_RANKS_LIMIT];
    int all_out = 0, all_in = 0;
    for (int other = 0; other < kernel->n; other++) {
        out[other] = uneven_volume(kernel, kernel->place, other);
        in[other] = uneven_volume(kernel, other, kernel->place);
        out_at[other] = all_out;
        in_at[other] = all_in;
        all_out += out[other];
        all_in += in[other];
    }
    for (long round = 0; round < kernel->rounds; round++) {
        kernel_compute(kernel, 0.5 + kernel_chance((unsigned long)kernel->place, (unsigned long)(round % 3)));
        MPI_Alltoallv(kernel->out, out, out_at, MPI_CHAR, kernel->in, in, in_at, MPI_CHAR, kernel->comm);
    }
}

/* One-sided: each place puts its results into the windows of a few others, between fences. */
static void puts_between_fences(Kernel *kernel)
{
    enum { TARGETS = 3 };
    MPI_Win window;
    MPI_Win_create(kernel->in, (MPI_Aint)TARGETS * kernel->bytes, 1, MPI_INFO_NULL, kernel->comm, &window);
    MPI_Win_fence(0, window);
    for (long round = 0; round < kernel->rounds; round++) {
        kernel_compute(kernel, 0.7 + 0.6 * kernel_chance((unsigned long)kernel->place, 41));
        for (int i = 0; i < TARGETS; i++) {
            int target = (kernel->place + 1 + i * i) % kernel->n;
            MPI_Put(kernel->out, kernel->bytes >> i, MPI_CHAR, target, (MPI_Aint)i * kernel->bytes, kernel->bytes >> i,
                    MPI_CHAR, window);
        }
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);
}

/* Sends a block so many places along an axis of the torus, and takes the block that comes. (SMPI's
 * MPI_Cart_shift leaves its results alone if the distance is 0.) */
static void shift(const Kernel *kernel, MPI_Comm torus, int axis, int distance)
{
    int from, to;
    if (!distance)
        return;
    MPI_Cart_shift(torus, axis, -distance, &from, &to);
    MPI_Sendrecv_replace(kernel->in, kernel->bytes, MPI_CHAR, to, axis, from, axis, torus, MPI_STATUS_IGNORE);
}

/* Cannon's multiplication: blocks move along the rows and up the columns of a torus. Before, rows
 * and columns are skewed. */
static void cannon(Kernel *kernel)
{
    int width = kernel->width, dims[] = {kernel->n / width, width}, periods[] = {1, 1};
    MPI_Comm torus;
    MPI_Cart_create(kernel->comm, 2, dims, periods, 0, &torus);
    for (long round = 0; round < kernel->rounds; round++) {
        shift(kernel, torus, 1, round % width ? 1 : kernel->place / width);
        shift(kernel, torus, 0, round % width ? 1 : kernel->place % width);
        kernel_compute(kernel, 1);
    }
    MPI_Comm_free(&torus);
}

/* All pairs of bodies: blocks of bodies travel halfway around a ring, while the block before is
 * computed. Forces go back to their owners across the ring. */
static void systolic(Kernel *kernel)
{
    int next = (kernel->place + 1) % kernel->n, before = (kernel->place + kernel->n - 1) % kernel->n;
    int home = (kernel->place + kernel->n - kernel->n / 2) % kernel->n,
        away = (kernel->place + kernel->n / 2) % kernel->n;
    for (long round = 0; round < kernel->rounds; round++) {
        for (int hop = 0; hop < kernel->n / 2; hop++) {
            MPI_Request requests[2];
            MPI_Irecv(kernel->in, kernel->bytes / 4, MPI_CHAR, before, hop, kernel->comm, &requests[0]);
            MPI_Isend(kernel->out, kernel->bytes / 4, MPI_CHAR, next, hop, kernel->comm, &requests[1]);
            kernel_compute(kernel, 0.12);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
        MPI_Sendrecv(kernel->out, kernel->bytes / 2, MPI_CHAR, home, 99, kernel->in, kernel->bytes / 2, MPI_CHAR, away,
                     99, kernel->comm, MPI_STATUS_IGNORE);
    }
}

/* Groups of five with a server each, by collectives: the server gathers results, servers pass a
 * summary around, and each server scatters new work. */
static void servers(Kernel *kernel)
{
    enum { MEMBERS = 5 };
    int size, member, bytes = kernel->bytes / 2;
    MPI_Comm group, servers_only;
    MPI_Comm_split(kernel->comm, kernel->place / MEMBERS, kernel->place, &group);
    MPI_Comm_size(group, &size);
    MPI_Comm_rank(group, &member);
    MPI_Comm_split(kernel->comm, member ? MPI_UNDEFINED : 0, kernel->place, &servers_only);
    for (long round = 0; round < kernel->rounds; round++) {
        kernel_compute(kernel, member ? 0.8 + 0.1 * member : 0.1);
        MPI_Gather(kernel->out, bytes, MPI_CHAR, kernel->in, bytes, MPI_CHAR, 0, group);
        if (servers_only != MPI_COMM_NULL)
            MPI_Allgather(kernel->out, bytes / 8, MPI_CHAR, kernel->in, bytes / 8, MPI_CHAR, servers_only);
        MPI_Scatter(kernel->out, bytes / 2, MPI_CHAR, kernel->in, bytes / 2, MPI_CHAR, 0, group);
    }
    if (servers_only != MPI_COMM_NULL)
        MPI_Comm_free(&servers_only);
    MPI_Comm_free(&group);
}

/* A ring of strips with a hot spot that wanders: strips near the spot compute more and have longer
 * borders. Now and then a step's length is agreed on. */
static void hotspot(Kernel *kernel)
{
    int next = kernel->place + 1 < kernel->n ? kernel->place + 1 : MPI_PROC_NULL;
    int before = kernel->place > 0 ? kernel->place - 1 : MPI_PROC_NULL;
    for (long round = 0; round < kernel->rounds; round++) {
        int spot = (int)(round * kernel->n / kernel->rounds), far = abs(kernel->place - spot);
        int own = kernel->bytes / (1 + far);
        int to_before = kernel->place > 0 ? kernel->bytes / (1 + abs(spot - kernel->place + 1)) : 0;
        kernel_compute(kernel, far < 3 ? 1.5 - 0.3 * far : 0.5);
        MPI_Sendrecv(kernel->out, own, MPI_CHAR, next, 0, kernel->in, kernel->bytes, MPI_CHAR, before, 0, kernel->comm,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(kernel->out, to_before, MPI_CHAR, before, 1, kernel->in, kernel->bytes, MPI_CHAR, next, 1,
                     kernel->comm, MPI_STATUS_IGNORE);
        if (round % 5 == 4)
            MPI_Allreduce(&own, &far, 1, MPI_INT, MPI_MAX, kernel->comm);
    }
}

static const KernelKind kinds[] = {{"lu", lu},           {"pencils", pencils},   {"vcycle", vcycle},
                                   {"bitonic", bitonic}, {"uneven", uneven},     {"puts", puts_between_fences},
                                   {"cannon", cannon},   {"systolic", systolic}, {"servers", servers},
                                   {"hotspot", hotspot}};

int main(int argc, char **argv)
{
    return kernel_main(argc, argv, kinds, sizeof kinds / sizeof *kinds);
}
