/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of mapping_effect.py's set `known`: whoever works on the model of mappings may look at
 * these. mapping_kernel.h describes the command line. */
#include "mapping_kernel.h"

enum { SIDES = 4, LAYERS = 4, SENDERS_LIMIT = 3 };

/* An all-to-all in a row or column. Partners that are farther apart exchange more. */
static void exchange_blocks(const Kernel *kernel, MPI_Comm line)
{
    int n, place, counts[KERNEL_RANKS_LIMIT], starts[KERNEL_RANKS_LIMIT];
    MPI_Comm_size(line, &n);
    MPI_Comm_rank(line, &place);
    for (int i = 0; i < n; i++) {
        counts[i] = kernel->bytes / n * (1 + abs(i - place)) / n;
        starts[i] = kernel->bytes / n * i;
    }
    MPI_Alltoallv(kernel->out, counts, starts, MPI_CHAR, kernel->in, counts, starts, MPI_CHAR, line);
}

static void transpose(Kernel *kernel)
{
    MPI_Comm row = kernel_row(kernel, kernel->width), column = kernel_column(kernel, kernel->width);
    for (long round = 0; round < kernel->rounds; round++) {
        kernel_compute(kernel, 1);
        exchange_blocks(kernel, row);
        kernel_compute(kernel, 1);
        exchange_blocks(kernel, column);
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
}

/* A torus: red points' edges, work, black points' edges, work; persistent requests. */
static void redblack(Kernel *kernel)
{
    int dims[] = {kernel->n / kernel->width, kernel->width}, periods[] = {1, 1}, neighbours[SIDES];
    int bytes = kernel->bytes / 2;
    MPI_Request requests[2 * SIDES];
    MPI_Comm torus;
    MPI_Cart_create(kernel->comm, 2, dims, periods, 0, &torus);
    MPI_Cart_shift(torus, 0, 1, &neighbours[0], &neighbours[1]);
    MPI_Cart_shift(torus, 1, 1, &neighbours[2], &neighbours[3]);
    for (int side = 0; side < SIDES; side++) {
        MPI_Recv_init(kernel->in + side * bytes, bytes, MPI_CHAR, neighbours[side], side, torus, &requests[side]);
        MPI_Send_init(kernel->out, bytes, MPI_CHAR, neighbours[side], side ^ 1, torus, &requests[SIDES + side]);
    }
    for (long half = 0; half < 2 * kernel->rounds; half++) {
        MPI_Startall(2 * SIDES, requests);
        kernel_compute(kernel, 0.2);
        MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
        kernel_compute(kernel, 0.3);
    }
    for (int i = 0; i < 2 * SIDES; i++)
        MPI_Request_free(&requests[i]);
    MPI_Comm_free(&torus);
}

/* One plane: edges arrive from two sides, `step` places before, and go on to the other two
 * sides. */
static void sweep(Kernel *kernel, int step)
{
    int width = kernel->width, rows = kernel->n / width, row = kernel->place / width, column = kernel->place % width;
    int first_row = step > 0 ? 0 : rows - 1, first_column = step > 0 ? 0 : width - 1;
    int last_row = rows - 1 - first_row, last_column = width - 1 - first_column;
    if (row != first_row)
        kernel_receive(kernel, kernel->place - step * width, kernel->bytes / 4);
    if (column != first_column)
        kernel_receive(kernel, kernel->place - step, kernel->bytes);
    kernel_compute(kernel, 1);
    if (row != last_row)
        kernel_send(kernel, kernel->place + step * width, kernel->bytes / 4);
    if (column != last_column)
        kernel_send(kernel, kernel->place + step, kernel->bytes);
}

/* Planes sweep through a square from one corner, and back from the other; blocking. */
static void wavefront(Kernel *kernel)
{
    for (long round = 0; round < kernel->rounds; round++)
        sweep(kernel, round / 4 % 2 ? -1 : 1);
}

/* A hypercube: partners at distances 1, 2, 4 … in turn, blocks that double. */
static void butterfly(Kernel *kernel)
{
    for (long round = 0; round < kernel->rounds; round++)
        for (int distance = 1; distance < kernel->n; distance *= 2) {
            int partner = kernel->place ^ distance, bytes = (int)((long long)kernel->bytes * distance / kernel->n);
            kernel_compute(kernel, 0.25);
            if (partner < kernel->n)
                MPI_Sendrecv(kernel->out, bytes, MPI_CHAR, partner, 0, kernel->in, bytes, MPI_CHAR, partner, 0,
                             kernel->comm, MPI_STATUS_IGNORE);
        }
}

/* The bytes between two places, equal in both directions; 0: no partners. A chain connects all
 * places. */
static int volume_between(const Kernel *kernel, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    unsigned long hash = app_hash((unsigned long)low, (unsigned long)high) >> 8;
    if (a == b || (high - low > 1 && hash % 5 != 0))
        return 0;
    return (int)((long long)kernel->bytes * (long long)(1 + hash / 8 % 16) / 16) + 1;
}

/* An irregular mesh: partners, volumes and work all differ; messages are taken as they arrive. */
static void mesh(Kernel *kernel)
{
    int partners[KERNEL_RANKS_LIMIT], n_partners = 0;
    double share = 0.5 + kernel_chance((unsigned long)kernel->place, 7);
    MPI_Request requests[KERNEL_RANKS_LIMIT];
    for (int other = 0; other < kernel->n; other++)
        if (volume_between(kernel, kernel->place, other))
            partners[n_partners++] = other;
    for (long round = 0; round < kernel->rounds; round++) {
        for (int i = 0; i < n_partners; i++)
            MPI_Isend(kernel->out, volume_between(kernel, kernel->place, partners[i]), MPI_CHAR, partners[i],
                      (int)(round & 1), kernel->comm, &requests[i]);
        kernel_compute(kernel, share / 2);
        for (int i = 0; i < n_partners; i++) {
            MPI_Recv(kernel->in, kernel->bytes + 1, MPI_CHAR, MPI_ANY_SOURCE, (int)(round & 1), kernel->comm,
                     MPI_STATUS_IGNORE);
            kernel_compute(kernel, share / 2 / n_partners);
        }
        MPI_Waitall(n_partners, requests, MPI_STATUSES_IGNORE);
    }
}

/* SUMMA: in each step, one column of places broadcasts along the rows, and one row along the
 * columns. */
static void summa(Kernel *kernel)
{
    int width = kernel->width, rows = kernel->n / width;
    MPI_Comm row = kernel_row(kernel, width), column = kernel_column(kernel, width);
    for (long round = 0; round < kernel->rounds; round++) {
        MPI_Bcast(kernel->out, kernel->bytes, MPI_CHAR, (int)(round % width), row);
        MPI_Bcast(kernel->in, kernel->bytes / 2, MPI_CHAR, (int)(round % rows), column);
        kernel_compute(kernel, 1);
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
}

/* A box of places, closed to a ring along its longest side. Faces differ in size. */
static void halo3d(Kernel *kernel)
{
    enum { FACES = 6 };
    int dims[3] = {0}, periods[] = {1, 0, 0}, neighbours[FACES];
    MPI_Comm box;
    MPI_Dims_create(kernel->n, 3, dims);
    MPI_Cart_create(kernel->comm, 3, dims, periods, 0, &box);
    for (int axis = 0; axis < 3; axis++)
        MPI_Cart_shift(box, axis, 1, &neighbours[2 * axis], &neighbours[2 * axis + 1]);
    for (long round = 0; round < kernel->rounds; round++) {
        MPI_Request requests[2 * FACES];
        for (int face = 0; face < FACES; face++) {
            int bytes = kernel->bytes >> face / 2;
            MPI_Irecv(kernel->in + face * kernel->bytes, bytes, MPI_CHAR, neighbours[face], face, box, &requests[face]);
            MPI_Isend(kernel->out, bytes, MPI_CHAR, neighbours[face], face ^ 1, box, &requests[FACES + face]);
        }
        kernel_compute(kernel, 0.7);
        MPI_Waitall(2 * FACES, requests, MPI_STATUSES_IGNORE);
        kernel_compute(kernel, 0.3);
    }
    MPI_Comm_free(&box);
}

/* What `from` sends to `to`; 0: nothing. Volumes spread over a factor of 32, evenly by their
 * logarithm. */
static int sparse_volume(const Kernel *kernel, int from, int to)
{
    unsigned long pair = (unsigned long)from * KERNEL_RANKS_LIMIT + (unsigned long)to;
    if (from == to || kernel_chance(pair, 11) > 3.0 / kernel->n)
        return 0;
    return 1 + kernel->bytes / (1 << (int)(6 * kernel_chance(pair, 12)));
}

/* Irregular neighbours that needn't answer: each place has its own senders and receivers. */
static void sparse(Kernel *kernel)
{
    MPI_Request requests[2 * KERNEL_RANKS_LIMIT];
    for (long round = 0; round < kernel->rounds; round++) {
        int n = 0, bytes;
        for (int other = 0; other < kernel->n; other++)
            if ((bytes = sparse_volume(kernel, other, kernel->place)))
                MPI_Irecv(kernel->in, bytes, MPI_CHAR, other, 0, kernel->comm, &requests[n++]);
        kernel_compute(kernel, 0.6 + 0.4 * kernel_chance((unsigned long)kernel->place, 13));
        for (int other = 0; other < kernel->n; other++)
            if ((bytes = sparse_volume(kernel, kernel->place, other)))
                MPI_Isend(kernel->out, bytes, MPI_CHAR, other, 0, kernel->comm, &requests[n++]);
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    }
}

/* Work for whoever asks, as long as there is some. */
static void deal_work(Kernel *kernel)
{
    long n_tasks = kernel->rounds * (kernel->n - 1);
    for (long task = 0, left = kernel->n - 1; left > 0; task++) {
        MPI_Status status;
        int is_work = task < n_tasks;
        MPI_Recv(kernel->in, kernel->bytes / 8 + 1, MPI_CHAR, MPI_ANY_SOURCE, 0, kernel->comm, &status);
        MPI_Send(kernel->out, is_work ? kernel->bytes / 4 + 1 : 0, MPI_CHAR, status.MPI_SOURCE, is_work, kernel->comm);
        left -= !is_work;
    }
}

/* A master with a queue of tasks. A worker's answer asks for the next one. */
static void queue(Kernel *kernel)
{
    if (kernel->place == 0) {
        deal_work(kernel);
        return;
    }
    MPI_Status status;
    kernel_send(kernel, 0, 1);
    MPI_Recv(kernel->in, kernel->bytes / 4 + 1, MPI_CHAR, 0, MPI_ANY_TAG, kernel->comm, &status);
    for (unsigned long task = 0; status.MPI_TAG; task++) {
        kernel_compute(kernel, 0.5 + kernel_chance((unsigned long)kernel->place, task));
        kernel_send(kernel, 0, kernel->bytes / 8 + 1);
        MPI_Recv(kernel->in, kernel->bytes / 4 + 1, MPI_CHAR, 0, MPI_ANY_TAG, kernel->comm, &status);
    }
}

/* Two teams: in each, a sum is scattered in uneven parts; twins of both teams exchange theirs; each
 * team gathers all. */
static void reduction(Kernel *kernel)
{
    int n, member, counts[KERNEL_RANKS_LIMIT], starts[KERNEL_RANKS_LIMIT], total = 0, twin = kernel->place ^ 1;
    MPI_Comm team;
    MPI_Comm_split(kernel->comm, kernel->place % 2, kernel->place, &team);
    MPI_Comm_size(team, &n);
    MPI_Comm_rank(team, &member);
    for (int i = 0; i < n; i++) {
        starts[i] = total;
        counts[i] = kernel->bytes / (n * (1 + i % 2)) + 1;
        total += counts[i];
    }
    for (long round = 0; round < kernel->rounds; round++) {
        kernel_compute(kernel, 1);
        MPI_Reduce_scatter(kernel->out, kernel->in, counts, MPI_CHAR, MPI_MAX, team);
        if (twin < kernel->n)
            kernel_exchange(kernel, &twin, 1, counts[member]);
        MPI_Allgatherv(kernel->out, counts[member], MPI_CHAR, kernel->in, counts, starts, MPI_CHAR, team);
    }
    MPI_Comm_free(&team);
}

/* Whether a task of a layer needs the result of a task of the layer before. */
static int needs(const Kernel *kernel, int layer, int task, int before)
{
    for (unsigned long i = 0; i < SENDERS_LIMIT; i++)
        if ((int)(kernel_chance((unsigned long)(layer * KERNEL_RANKS_LIMIT + task), i) * kernel->n) == before)
            return task != before;
    return 0;
}

static void run_layer(Kernel *kernel, int layer)
{
    MPI_Request requests[KERNEL_RANKS_LIMIT];
    int n = 0;
    for (int other = 0; other < kernel->n; other++)
        if (needs(kernel, layer, other, kernel->place))
            MPI_Isend(kernel->out, kernel->bytes / (1 + other % 3), MPI_CHAR, other, layer, kernel->comm,
                      &requests[n++]);
    for (int other = 0; other < kernel->n; other++)
        if (needs(kernel, layer, kernel->place, other))
            MPI_Recv(kernel->in, kernel->bytes, MPI_CHAR, other, layer, kernel->comm, MPI_STATUS_IGNORE);
    kernel_compute(kernel, 0.1 + 0.4 * kernel_chance((unsigned long)kernel->place, (unsigned long)(layer + 20)));
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

/* A random graph of tasks in layers, again in each round. */
static void dag(Kernel *kernel)
{
    for (long round = 0; round < kernel->rounds; round++)
        for (int layer = 0; layer < LAYERS; layer++)
            run_layer(kernel, layer);
}

static const KernelKind kinds[] = {{"transpose", transpose},
                                   {"redblack", redblack},
                                   {"wavefront", wavefront},
                                   {"butterfly", butterfly},
                                   {"mesh", mesh},
                                   {"summa", summa},
                                   {"halo3d", halo3d},
                                   {"sparse", sparse},
                                   {"queue", queue},
                                   {"reduction", reduction},
                                   {"dag", dag}};

int main(int argc, char **argv)
{
    return kernel_main(argc, argv, kinds, sizeof kinds / sizeof *kinds);
}
