/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic load balancing by work stealing. At the beginning of a step, rank 0 has all tasks. A rank
 * without tasks asks the others in turn. A rank that is asked (it looks by MPI_Iprobe between two
 * tasks) gives half of its tasks. So messages, their number and their order differ from run to run,
 * but the total doesn't.
 *
 * A rank that was refused by all others enters a nonblocking barrier, and refuses all requests
 * until every rank has entered the barrier. Then no request is on its way.
 *
 *   steal [TASKS [LENGTH [STEPS]]]      TASKS a step
 */
#include "app.h"

enum { TAG_ASK = 1, TAG_GIVE = 2 };

/* The tasks with the numbers [next, end). */
typedef struct Tasks {
    long next, end;
} Tasks;

/* Counts the points of a task's random sequence that lie in the unit circle. A task has 1 to 8
 * units of points. */
static long count_inside(long task, long unit)
{
    unsigned long long state = (unsigned long long)(task + 1) * 2654435761u;
    long tries = unit * (long)(1 + (state >> 7) % 8), inside = 0;
    for (long i = 0; i < tries; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double x = (double)(state >> 40) * 0x1p-24, y = (double)(state & 0xffffff) * 0x1p-24;
        inside += x * x + y * y <= 1;
    }
    return inside;
}

/* Gives half of the tasks to the rank that asks; a single task stays. */
static void answer(Tasks *own)
{
    int asked = 1;
    while (asked) {
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &asked, &status);
        if (!asked)
            return;
        MPI_Recv(NULL, 0, MPI_BYTE, status.MPI_SOURCE, TAG_ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        app_received();
        Tasks given = {own->end - (own->end - own->next) / 2, own->end};
        own->end = given.next;
        MPI_Send(&given, 2, MPI_LONG, status.MPI_SOURCE, TAG_GIVE, MPI_COMM_WORLD);
        app_sent(sizeof given);
    }
}

/* Asks a rank for work, and answers others while waiting. */
static void ask(int rank, Tasks *own)
{
    MPI_Request request;
    int given = 0;
    MPI_Irecv(own, 2, MPI_LONG, rank, TAG_GIVE, MPI_COMM_WORLD, &request);
    MPI_Send(NULL, 0, MPI_BYTE, rank, TAG_ASK, MPI_COMM_WORLD);
    app_sent(0);
    while (!given) {
        Tasks none = {0, 0};
        answer(&none);
        MPI_Test(&request, &given, MPI_STATUS_IGNORE);
    }
    app_received();
}

static void leave(void)
{
    MPI_Request request;
    int all_left = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    app_collective();
    while (!all_left) {
        Tasks none = {0, 0};
        answer(&none);
        MPI_Test(&request, &all_left, MPI_STATUS_IGNORE);
    }
}

/* One step of the program: all tasks, on whatever rank. */
static long run_step(Tasks own, long unit)
{
    long inside = 0;
    for (int refused = 0; own.next < own.end || refused < app.n_ranks - 1;) {
        if (own.next == own.end) {
            ask((app.rank + ++refused) % app.n_ranks, &own);
            continue;
        }
        answer(&own);
        for (; own.next < own.end; answer(&own))
            inside += count_inside(own.next++, unit);
        refused = 0;
    }
    leave();
    return inside;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    app_start();
    long n_tasks = app_argument(argc, argv, 1, 200), unit = app_argument(argc, argv, 2, 20000),
         n_steps = app_argument(argc, argv, 3, 20);
    double total = 0;
    for (long step = 0; step < n_steps; step++) {
        Tasks own = {step * n_tasks, (step + 1) * n_tasks};
        own.next = app.rank == 0 ? own.next : own.end;
        total += app_sum((double)run_step(own, unit));
    }
    app_report("steal", total);
    MPI_Finalize();
    return 0;
}
