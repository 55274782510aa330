/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs of mapping_effect.py share; see mapping_kernel.h. There are no global
 * variables, so that SMPI needn't keep a copy of the program for each rank. */
#include "mapping_kernel.h"

#include <string.h>

static const double JITTER_SHARE = 0.005;

double kernel_chance(unsigned long a, unsigned long b)
{
    return (double)(app_hash(a, b) >> 11) / 9007199254740992.0; /* 53 bits, over 2^53 */
}

void kernel_compute(Kernel *kernel, double share)
{
    double operations = kernel->operations * share;
    if (kernel->jitter) {
        unsigned long which = kernel->n_computed++ * KERNEL_RANKS_LIMIT + (unsigned long)kernel->place;
        operations *= 1 + JITTER_SHARE * (2 * kernel_chance(which, kernel->jitter) - 1);
    }
    app_work((long)operations);
}

void kernel_send(const Kernel *kernel, int place, int bytes)
{
    MPI_Send(kernel->out, bytes, MPI_CHAR, place, 0, kernel->comm);
}

void kernel_receive(const Kernel *kernel, int place, int bytes)
{
    MPI_Recv(kernel->in, bytes, MPI_CHAR, place, 0, kernel->comm, MPI_STATUS_IGNORE);
}

void kernel_exchange(const Kernel *kernel, const int *places, int n, int bytes)
{
    MPI_Request requests[8];
    int count = 0;
    for (int i = 0; i < n; i++)
        if (places[i] >= 0)
            MPI_Isend(kernel->out, bytes, MPI_CHAR, places[i], 0, kernel->comm, &requests[count++]);
    for (int i = 0; i < n; i++)
        if (places[i] >= 0)
            kernel_receive(kernel, places[i], bytes);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

MPI_Comm kernel_row(const Kernel *kernel, int width)
{
    MPI_Comm row;
    MPI_Comm_split(kernel->comm, kernel->place / width, kernel->place, &row);
    return row;
}

MPI_Comm kernel_column(const Kernel *kernel, int width)
{
    MPI_Comm column;
    MPI_Comm_split(kernel->comm, kernel->place % width, kernel->place, &column);
    return column;
}

/* A communicator in which the ranks stand in this order. */
static MPI_Comm deal_out(int rank, unsigned long order)
{
    MPI_Comm dealt;
    int key = order ? (int)(app_hash((unsigned long)rank, order) >> 34) : rank;
    MPI_Comm_split(MPI_COMM_WORLD, 0, key, &dealt);
    return dealt;
}

static int width_of(int n)
{
    int width = 1;
    while ((width + 1) * (width + 1) <= n)
        width++;
    while (n % width)
        width--;
    return width;
}

static const KernelKind *find_kind(const char *name, const KernelKind *kinds, size_t n_kinds)
{
    for (size_t i = 0; i < n_kinds; i++)
        if (strcmp(name, kinds[i].name) == 0)
            return &kinds[i];
    return NULL;
}

static void run(const KernelKind *kind, Kernel *kernel, double start_s)
{
    size_t room = (size_t)KERNEL_ROOM * (size_t)kernel->bytes + 1;
    kernel->out = calloc(room, 1);
    kernel->in = calloc(room, 1);
    kind->run(kernel);
    double own_s = MPI_Wtime() - start_s, longest_s;
    MPI_Reduce(&own_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, 0, kernel->comm);
    if (kernel->place == 0)
        printf("time_s %.9f\n", longest_s);
    free(kernel->out);
    free(kernel->in);
    MPI_Comm_free(&kernel->comm);
}

int kernel_main(int argc, char **argv, const KernelKind *kinds, size_t n_kinds)
{
    Kernel kernel = {0};
    int rank, n_ranks;
    MPI_Init(&argc, &argv);
    double start_s = MPI_Wtime();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    const KernelKind *kind = argc > 1 ? find_kind(argv[1], kinds, n_kinds) : NULL;
    if (!kind || argc < 5 || n_ranks > KERNEL_RANKS_LIMIT) {
        fprintf(stderr, "usage: %s KERNEL ROUNDS OPERATIONS BYTES [ORDER [JITTER]], with at most %d ranks\n", argv[0],
                KERNEL_RANKS_LIMIT);
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    kernel.rounds = strtol(argv[2], NULL, 10);
    kernel.operations = strtod(argv[3], NULL);
    kernel.bytes = (int)strtol(argv[4], NULL, 10);
    kernel.comm = deal_out(rank, (unsigned long)app_argument(argc, argv, 5, 1));
    kernel.jitter = (unsigned long)app_argument(argc, argv, 6, 0);
    MPI_Comm_rank(kernel.comm, &kernel.place);
    MPI_Comm_size(kernel.comm, &kernel.n);
    kernel.width = width_of(kernel.n);
    run(kind, &kernel, start_s);
    MPI_Finalize();
    return 0;
}
