/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that mapping_effect.py holds out. They were written after the model of mappings, and are
 * of other kinds than those in mapping_patterns.c. They no longer count as held out once the model
 * has been changed because of them. A permutation assigns places in the structure to ranks; SEED 0
 * doesn't permute.
 *
 *   mapping_heldout KIND ROUNDS OPERATIONS BYTES [SEED]
 *
 *   transpose    rows and columns of a square of ranks exchange unequal blocks, MPI_Alltoallv on subcommunicators
 *   redblack     a torus: red points' edges, work, black points' edges, work; persistent requests
 *   wavefront    planes sweep through a square from one corner, and back from the other; blocking
 *   butterfly    a hypercube: partners at distances 1, 2, 4 … in turn, blocks that double
 *   mesh         an irregular mesh: partners, volumes and work all differ; messages are taken as they arrive
 */
#include "app.h"
#include <string.h>

enum { RANKS_LIMIT = 256, SIDES = 4 };

typedef struct Run {
    MPI_Comm comm; /* a rank in it is a place */
    int place, n, width;
    long rounds;
    double operations;
    int bytes;
    char *out, *in;
} Run;

/* A communicator in which the ranks stand in an order given by the seed. */
static MPI_Comm deal_out(unsigned long seed)
{
    int rank, key;
    MPI_Comm dealt;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    key = seed ? (int)(app_hash((unsigned long)rank, seed) >> 34) : rank;
    MPI_Comm_split(MPI_COMM_WORLD, 0, key, &dealt);
    return dealt;
}

static void compute(const Run *run, double share)
{
    app_work((long)(run->operations * share));
}

/* An all-to-all in a row or column. Partners that are farther apart exchange more. */
static void exchange_blocks(const Run *run, MPI_Comm line)
{
    int n, place, out[RANKS_LIMIT], out_at[RANKS_LIMIT], in[RANKS_LIMIT], in_at[RANKS_LIMIT];
    MPI_Comm_size(line, &n);
    MPI_Comm_rank(line, &place);
    for (int i = 0; i < n; i++) {
        out[i] = in[i] = run->bytes / n * (1 + abs(i - place)) / n;
        out_at[i] = in_at[i] = run->bytes / n * i;
    }
    MPI_Alltoallv(run->out, out, out_at, MPI_CHAR, run->in, in, in_at, MPI_CHAR, line);
}

static void run_transpose(Run *run)
{
    MPI_Comm row, column;
    MPI_Comm_split(run->comm, run->place / run->width, run->place, &row);
    MPI_Comm_split(run->comm, run->place % run->width, run->place, &column);
    for (long round = 0; round < run->rounds; round++) {
        compute(run, 1);
        exchange_blocks(run, row);
        compute(run, 1);
        exchange_blocks(run, column);
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
}

static void run_redblack(Run *run)
{
    int dims[] = {run->n / run->width, run->width}, periods[] = {1, 1}, neighbours[SIDES], bytes = run->bytes / 2;
    MPI_Request requests[2 * SIDES];
    MPI_Comm torus;
    MPI_Cart_create(run->comm, 2, dims, periods, 0, &torus);
    MPI_Cart_shift(torus, 0, 1, &neighbours[0], &neighbours[1]);
    MPI_Cart_shift(torus, 1, 1, &neighbours[2], &neighbours[3]);
    for (int side = 0; side < SIDES; side++) {
        MPI_Recv_init(run->in + side * bytes, bytes, MPI_CHAR, neighbours[side], side, torus, &requests[side]);
        MPI_Send_init(run->out, bytes, MPI_CHAR, neighbours[side], side ^ 1, torus, &requests[SIDES + side]);
    }
    for (long half = 0; half < 2 * run->rounds; half++) {
        MPI_Startall(2 * SIDES, requests);
        compute(run, 0.2);
        MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
        compute(run, 0.3);
    }
    for (int i = 0; i < 2 * SIDES; i++)
        MPI_Request_free(&requests[i]);
    MPI_Comm_free(&torus);
}

/* One plane: edges arrive from two sides, `step` places before, and go on to the other two
 * sides. */
static void sweep(const Run *run, int step)
{
    int rows = run->n / run->width, row = run->place / run->width, column = run->place % run->width;
    int first_row = step > 0 ? 0 : rows - 1, first_column = step > 0 ? 0 : run->width - 1;
    int last_row = rows - 1 - first_row, last_column = run->width - 1 - first_column;
    if (row != first_row)
        MPI_Recv(run->in, run->bytes / 4, MPI_CHAR, run->place - step * run->width, 0, run->comm, MPI_STATUS_IGNORE);
    if (column != first_column)
        MPI_Recv(run->in, run->bytes, MPI_CHAR, run->place - step, 0, run->comm, MPI_STATUS_IGNORE);
    compute(run, 1);
    if (row != last_row)
        MPI_Send(run->out, run->bytes / 4, MPI_CHAR, run->place + step * run->width, 0, run->comm);
    if (column != last_column)
        MPI_Send(run->out, run->bytes, MPI_CHAR, run->place + step, 0, run->comm);
}

static void run_wavefront(Run *run)
{
    for (long round = 0; round < run->rounds; round++)
        sweep(run, round / 4 % 2 ? -1 : 1);
}

static void run_butterfly(Run *run)
{
    for (long round = 0; round < run->rounds; round++)
        for (int distance = 1; distance < run->n; distance *= 2) {
            int partner = run->place ^ distance, bytes = (int)((long long)run->bytes * distance / run->n);
            compute(run, 0.25);
            if (partner < run->n)
                MPI_Sendrecv(run->out, bytes, MPI_CHAR, partner, 0, run->in, bytes, MPI_CHAR, partner, 0, run->comm,
                             MPI_STATUS_IGNORE);
        }
}

/* The bytes between two places, equal in both directions; 0: no partners. A chain connects all
 * places. */
static int volume_between(const Run *run, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    unsigned long hash = app_hash((unsigned long)low, (unsigned long)high) >> 8;
    if (a == b || (high - low > 1 && hash % 5 != 0))
        return 0;
    return (int)((long long)run->bytes * (long long)(1 + hash / 8 % 16) / 16) + 1;
}

static void run_mesh(Run *run)
{
    int partners[RANKS_LIMIT], n_partners = 0;
    double share = 0.5 + (double)(app_hash((unsigned long)run->place, 7) >> 40 & 0xff) / 256;
    MPI_Request requests[RANKS_LIMIT];
    for (int other = 0; other < run->n; other++)
        if (volume_between(run, run->place, other))
            partners[n_partners++] = other;
    for (long round = 0; round < run->rounds; round++) {
        for (int i = 0; i < n_partners; i++)
            MPI_Isend(run->out, volume_between(run, run->place, partners[i]), MPI_CHAR, partners[i], (int)(round & 1),
                      run->comm, &requests[i]);
        compute(run, share / 2);
        for (int i = 0; i < n_partners; i++) {
            MPI_Recv(run->in, run->bytes + 1, MPI_CHAR, MPI_ANY_SOURCE, (int)(round & 1), run->comm, MPI_STATUS_IGNORE);
            compute(run, share / 2 / n_partners);
        }
        MPI_Waitall(n_partners, requests, MPI_STATUSES_IGNORE);
    }
}

static const struct {
    const char *name;
    void (*run)(Run *run);
} kinds[] = {{"transpose", run_transpose},
             {"redblack", run_redblack},
             {"wavefront", run_wavefront},
             {"butterfly", run_butterfly},
             {"mesh", run_mesh}};

int main(int argc, char **argv)
{
    Run run = {.width = 1};
    MPI_Init(&argc, &argv);
    app_start();
    if (argc < 5 || app.n_ranks > RANKS_LIMIT)
        return 2;
    run.rounds = strtol(argv[2], NULL, 10);
    run.operations = strtod(argv[3], NULL);
    run.bytes = (int)strtol(argv[4], NULL, 10);
    run.comm = deal_out(argc > 5 ? strtoul(argv[5], NULL, 10) : 1);
    MPI_Comm_rank(run.comm, &run.place);
    MPI_Comm_size(run.comm, &run.n);
    while ((run.width + 1) * (run.width + 1) <= run.n)
        run.width++;
    while (run.n % run.width)
        run.width--;
    run.out = calloc((size_t)run.bytes + 1, 1);
    run.in = calloc((size_t)(SIDES / 2) * (size_t)run.bytes + 1, 1);
    int status = 2;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(argv[1], kinds[i].name) == 0)
            kinds[i].run(&run), status = 0;
    double own_s = MPI_Wtime() - app.start_s, longest_s;
    MPI_Reduce(&own_s, &longest_s, 1, MPI_DOUBLE, MPI_MAX, 0, run.comm);
    if (run.place == 0)
        printf("time_s %.9f\n", longest_s);
    free(run.out);
    free(run.in);
    MPI_Finalize();
    return status;
}
