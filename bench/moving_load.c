/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs of simulate_moving.py: the load moves from rank to rank in a pattern over iterations.
 *
 *   PROGRAM COUPLING PATTERN ROUNDS OPERATIONS BYTES
 *
 * A pattern says how many shares of OPERATIONS a rank computes in an iteration, a coupling what ranks
 * exchange behind that. The mean share is about one. There are no global variables, so that SMPI
 * needn't keep a copy of the program for each rank. */
#include "app.h"

#include <math.h>
#include <string.h>

enum { SIDES = 2, FEW_ROUNDS = 10, MANY_ROUNDS = 50, GRID_WIDTH = 4, LAG = 3 };

static const double TURN = 2 * 3.14159265358979323846;

typedef struct Program {
    int rank, n, bytes;
    long rounds;
    double operations;
    char *out, *in;
    double (*share)(int rank, int n, long round);
} Program;

/* ---- patterns ---- */

static double chance(unsigned long a, unsigned long b)
{
    return (double)(app_hash(a, b) >> 11) / 9007199254740992.0; /* 53 bits, over 2^53 */
}

/* A hump over the ranks, whose top is at this place. */
static double hump(int rank, int n, double top, double height)
{
    return height * cos(TURN * (rank - top) / n);
}

/* A rank in turn computes more. */
static double robin(int rank, int n, long round)
{
    return round % n == rank ? 2 : 0.9;
}

/* The hump passes a rank each ten iterations. */
static double drift(int rank, int n, long round)
{
    return 1 + hump(rank, n, 0.1 * (double)round, 0.6);
}

/* The hump goes a step to either side, or stays; a sum of waves of which none repeats looks alike. */
static double walk(int rank, int n, long round)
{
    double top = 0;
    for (int i = 1; i <= 12; i++)
        top += n * chance(3, (unsigned long)i) / i * sin((double)round * chance(5, (unsigned long)i) / (i * i));
    return 1 + hump(rank, n, top, 0.6);
}

static double two_periods(int rank, int n, long round)
{
    return 1 + hump(rank, n, (double)(n * round) / 7, 0.4) + hump(rank, n, -(double)(n * round) / 131, 0.4);
}

/* One of a block of ranks computes more, for as many iterations as chance says. */
static double bursts(int rank, int n, long round)
{
    long burst = round / 20 + (chance(7, (unsigned long)(round / 20)) * 20 < (double)(round % 20));
    return (int)(chance(9, (unsigned long)burst) * n / 2) == rank / 2 ? 2 : 0.8;
}

/* A rank's load grows slowly and falls at once; ranks do this one after the other. */
static double sawtooth(int rank, int n, long round)
{
    double phase = (double)round / 60 + (double)rank / n;
    return 0.5 + (phase - floor(phase));
}

/* The heavier half of the ranks changes. */
static double halves(int rank, int n, long round)
{
    return (round / 15 % 2 == 0) == (rank < n / 2) ? 1.5 : 0.5;
}

/* Each rank has its own period. */
static double periods(int rank, int n, long round)
{
    (void)n;
    return 1 + 0.7 * sin(TURN * (double)round / (5 + 4 * rank));
}

/* ---- couplings ---- */

static void compute(const Program *program, long round)
{
    app_work((long)(program->operations * program->share(program->rank, program->n, round)));
}

static void send(const Program *program, int rank)
{
    MPI_Send(program->out, program->bytes, MPI_CHAR, rank, 0, MPI_COMM_WORLD);
}

static void receive(const Program *program, int rank)
{
    MPI_Recv(program->in, program->bytes, MPI_CHAR, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange(const Program *program, const int *ranks, int n)
{
    MPI_Request requests[2 * SIDES];
    for (int i = 0; i < n; i++)
        MPI_Isend(program->out, program->bytes, MPI_CHAR, ranks[i], 0, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < n; i++)
        receive(program, ranks[i]);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

static void ring(const Program *program)
{
    int n = program->n, sides[SIDES] = {(program->rank + 1) % n, (program->rank + n - 1) % n};
    for (long round = 0; round < program->rounds; round++) {
        compute(program, round);
        exchange(program, sides, SIDES);
    }
}

/* Each rank waits for the one before it. The last one's answer lets the first one go on, n iterations later. */
static void wavefront(const Program *program)
{
    int n = program->n, last = n - 1;
    for (long round = 0; round < program->rounds; round++) {
        if (program->rank > 0)
            receive(program, program->rank - 1);
        else if (round >= n)
            receive(program, last);
        compute(program, round);
        send(program, program->rank < last ? program->rank + 1 : 0);
    }
    for (int i = 0; program->rank == 0 && i < n; i++)
        receive(program, last);
}

/* The first rank gives each of the others its next task before it takes the result of the last one. */
static void master(const Program *program)
{
    for (int i = 1; program->rank == 0 && i < program->n; i++)
        send(program, i);
    for (long round = 0; round < program->rounds; round++) {
        for (int i = 1; program->rank == 0 && i < program->n; i++) {
            send(program, i);
            receive(program, i);
        }
        if (program->rank) {
            receive(program, 0);
            compute(program, round);
            send(program, 0);
        }
    }
    if (program->rank)
        receive(program, 0);
}

static void sum_each(const Program *program, int rounds)
{
    for (long round = 0; round < program->rounds; round++) {
        compute(program, round);
        exchange(program, (int[]){program->rank ^ 1}, 1);
        if ((round + 1) % rounds == 0)
            app_sum(1);
    }
}

static void few(const Program *program)
{
    sum_each(program, FEW_ROUNDS);
}

static void many(const Program *program)
{
    sum_each(program, MANY_ROUNDS);
}

/* Edges go to the right and down only; a rank waits for those that others sent some iterations ago. */
static void lagging(const Program *program)
{
    int n = program->n, right = (program->rank + 1) % n, left = (program->rank + n - 1) % n;
    for (long round = 0; round < program->rounds; round++) {
        compute(program, round);
        send(program, right);
        if (round >= LAG)
            receive(program, left);
    }
    for (int i = 0; i < LAG; i++)
        receive(program, left);
}

/* A torus; rows in one iteration, columns in the next. */
static void torus(const Program *program)
{
    int n = program->n, width = GRID_WIDTH, row = program->rank / width * width;
    int beside[SIDES] = {row + (program->rank + 1) % width, row + (program->rank + width - 1) % width};
    int above[SIDES] = {(program->rank + width) % n, (program->rank + n - width) % n};
    for (long round = 0; round < program->rounds; round++) {
        compute(program, round);
        exchange(program, round % 2 ? above : beside, SIDES);
    }
}

/* A partner at another distance in each iteration. */
static void butterfly(const Program *program)
{
    for (long round = 0; round < program->rounds; round += 2) {
        compute(program, round);
        exchange(program, (int[]){program->rank ^ 1}, 1);
        compute(program, round + 1);
        exchange(program, (int[]){program->rank ^ (program->n / 2)}, 1);
    }
}

static const struct {
    const char *name;
    void (*run)(const Program *program);
} couplings[] = {{"ring", ring},  {"wavefront", wavefront}, {"master", master}, {"sum10", few},
                 {"sum50", many}, {"lagging", lagging},     {"torus", torus},   {"butterfly", butterfly}};

static const struct {
    const char *name;
    double (*share)(int rank, int n, long round);
} patterns[] = {{"robin", robin},   {"drift", drift},       {"walk", walk},     {"two", two_periods},
                {"bursts", bursts}, {"sawtooth", sawtooth}, {"halves", halves}, {"periods", periods}};

int main(int argc, char **argv)
{
    Program program = {0};
    void (*run)(const Program *program) = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &program.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &program.n);
    for (size_t i = 0; argc == 6 && i < sizeof couplings / sizeof *couplings; i++)
        run = strcmp(argv[1], couplings[i].name) == 0 ? couplings[i].run : run;
    for (size_t i = 0; argc == 6 && i < sizeof patterns / sizeof *patterns; i++)
        program.share = strcmp(argv[2], patterns[i].name) == 0 ? patterns[i].share : program.share;
    if (!run || !program.share || program.n % GRID_WIDTH) {
        fprintf(stderr, "usage: %s COUPLING PATTERN ROUNDS OPERATIONS BYTES, with a multiple of %d ranks\n", argv[0],
                GRID_WIDTH);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    program.rounds = strtol(argv[3], NULL, 10);
    program.operations = strtod(argv[4], NULL);
    program.bytes = (int)strtol(argv[5], NULL, 10);
    program.out = calloc((size_t)program.bytes + 1, 1);
    program.in = calloc((size_t)program.bytes + 1, 1);
    run(&program);
    free(program.out);
    free(program.in);
    MPI_Finalize();
    return 0;
}
